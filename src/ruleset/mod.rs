//! The options of the rules: what the players agreed on, and how that is known.
//!
//! Each option is an entry of [`OPTIONS`]: its name in flags and in `tawla.toml`, what it means and where
//! customs differ, how its value is shown and how a value is taken. The strongest word on an option counts: a
//! flag, then a tag of the transcript, then `tawla.toml`, then the named set.

mod clock;
mod config;
mod options;

use std::sync::Arc;

pub use clock::Clock;
pub use config::{Config, ConfigError};
pub use options::{OPTIONS, RuleOption, Value, contradiction, nearest};

use crate::board::{Length, Variant};

/// Where the value of an option comes from, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Origin {
    /// The named rule set.
    #[default]
    Set,
    /// `tawla.toml`.
    File,
    /// What the transcript shows.
    Record,
    /// A tag of the transcript.
    Tag,
    /// An option of the command line.
    Option,
}

impl Origin {
    /// The name in the JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Set => "set",
            Origin::File => "file",
            Origin::Record => "record",
            Origin::Tag => "tag",
            Origin::Option => "option",
        }
    }
}

/// A value and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it comes from.
    pub origin: Origin,
}

impl<T> Setting<T> {
    /// The value of a named set.
    pub const fn set(value: T) -> Setting<T> {
        Setting {
            value,
            origin: Origin::Set,
        }
    }

    /// Replaces the value if one is given and nothing stronger holds.
    pub fn offer(&mut self, value: Option<T>, origin: Origin) {
        if let Some(value) = value
            && origin >= self.origin
        {
            *self = Setting { value, origin };
        }
    }
}

/// The rules that a match is held against; section 8 of the rules.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleSet {
    /// The named set that the options start from.
    pub name: &'static str,
    /// Whether a cube is in use.
    pub cube: Setting<bool>,
    /// Whether the Crawford rule holds; without meaning in money play.
    pub crawford: Setting<bool>,
    /// Whether gammons count only after a double. `None`: nothing says.
    pub jacoby: Setting<Option<bool>>,
    /// Whether beavers are agreed. `None`: nothing says.
    pub beavers: Setting<Option<bool>>,
    /// Whether raccoons are agreed. `None`: nothing says.
    pub raccoons: Setting<Option<bool>>,
    /// How many automatic doubles are agreed. `None`: nothing says.
    pub automatic_doubles: Setting<Option<u32>>,
    /// The highest value of the cube.
    pub cube_limit: Setting<Option<u32>>,
    /// What a backgammon counts: 3, or 2.
    pub backgammon_counts: Setting<u32>,
    /// Whether the trailer must wait two turns before doubling after the Crawford game.
    pub holland: Setting<bool>,
    /// Whether the winner of the opening roll rolls both dice again.
    pub opening_reroll: Setting<bool>,
    /// The game.
    pub variant: Setting<Variant>,
    /// The lengths that matches have. `None`: any.
    pub match_lengths: Setting<Option<Lengths>>,
    /// The clock.
    pub clock: Setting<Option<Clock>>,
    /// Where the named set comes from: a flag, `tawla.toml`, or the length of the match.
    pub named_by: Origin,
    /// The `tawla.toml` that had a word in it.
    pub file: Option<Arc<str>>,
}

/// Lengths of matches, up to 63 points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lengths(u64);

impl Lengths {
    /// The lengths of the server.
    pub const NARDEON: Lengths = Lengths(1 << 1 | 1 << 3 | 1 << 5 | 1 << 7);

    /// The lengths of a list such as `1,3,5,7`. `None`: a number that is none from 1 to 63.
    pub fn parse(text: &str) -> Option<Lengths> {
        let mut lengths = 0;
        for part in text.split(',') {
            let length: u32 = part.trim().parse().ok()?;
            lengths |= 1u64 << Some(length).filter(|length| (1..64).contains(length))?;
        }
        Some(Lengths(lengths))
    }

    /// Whether a length is one of them.
    pub fn allows(self, length: u32) -> bool {
        length < 64 && self.0 >> length & 1 == 1
    }
}

impl std::fmt::Display for Lengths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let allowed = (1..64).filter(|&length| self.allows(length));
        let texts: Vec<String> = allowed.map(|length| length.to_string()).collect();
        f.write_str(&texts.join(","))
    }
}

/// What the command line, and a `tawla.toml`, say about the rules. `None`: nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RuleOptions {
    /// What the `tawla.toml` says that holds for the transcript.
    pub file: Option<Box<FileRules>>,
    /// The named set.
    pub rules: Option<NamedSet>,
    /// See [`RuleSet::cube`].
    pub cube: Option<bool>,
    /// See [`RuleSet::crawford`].
    pub crawford: Option<bool>,
    /// See [`RuleSet::jacoby`].
    pub jacoby: Option<bool>,
    /// See [`RuleSet::beavers`].
    pub beavers: Option<bool>,
    /// See [`RuleSet::raccoons`].
    pub raccoons: Option<bool>,
    /// See [`RuleSet::automatic_doubles`].
    pub automatic_doubles: Option<u32>,
    /// See [`RuleSet::cube_limit`]; `Some(None)`: no limit.
    pub cube_limit: Option<Option<u32>>,
    /// See [`RuleSet::backgammon_counts`].
    pub backgammon_counts: Option<u32>,
    /// See [`RuleSet::holland`].
    pub holland: Option<bool>,
    /// See [`RuleSet::opening_reroll`].
    pub opening_reroll: Option<bool>,
    /// See [`RuleSet::variant`].
    pub variant: Option<Variant>,
    /// See [`RuleSet::match_lengths`]; `Some(None)`: any.
    pub match_lengths: Option<Option<Lengths>>,
    /// See [`RuleSet::clock`]; `Some(None)`: no clock.
    pub clock: Option<Option<Clock>>,
}

/// What a `tawla.toml` says about the rules of a transcript.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileRules {
    /// Its path.
    pub path: Arc<str>,
    /// The options.
    pub options: RuleOptions,
    /// Where each option stands: its name, the line, and the section.
    pub places: Vec<(&'static str, u32, String)>,
}

/// A set of rules with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedSet {
    /// Match play with cube and Crawford rule.
    Match,
    /// Money play.
    Money,
    /// The coffee house: no cube, a backgammon counts 2, the opening winner rolls again.
    Cafe,
    /// The nardeon server: no cube, a clock, matches to 1, 3, 5 or 7 points.
    Nardeon,
}

impl NamedSet {
    /// All sets.
    pub const ALL: [NamedSet; 4] = [
        NamedSet::Match,
        NamedSet::Money,
        NamedSet::Cafe,
        NamedSet::Nardeon,
    ];

    /// The name in `--rules` and in the JSON output.
    pub fn name(self) -> &'static str {
        match self {
            NamedSet::Match => "match",
            NamedSet::Money => "money",
            NamedSet::Cafe => "cafe",
            NamedSet::Nardeon => "nardeon",
        }
    }

    /// The set with this name.
    pub fn by_name(name: &str) -> Option<NamedSet> {
        let sets = NamedSet::ALL.into_iter();
        sets.into_iter().find(|set| set.name() == name)
    }

    /// The set that holds for a length if none is named.
    pub fn for_length(length: Option<Length>) -> NamedSet {
        match length {
            Some(Length::Money) => NamedSet::Money,
            _ => NamedSet::Match,
        }
    }
}

impl RuleSet {
    /// The rules of a named set.
    pub fn named(set: NamedSet) -> RuleSet {
        let money = set == NamedSet::Money;
        let cube = matches!(set, NamedSet::Match | NamedSet::Money);
        let unless_money = |value| if money { None } else { Some(value) };
        RuleSet {
            name: set.name(),
            cube: Setting::set(cube),
            crawford: Setting::set(set == NamedSet::Match),
            jacoby: Setting::set(unless_money(false)),
            beavers: Setting::set(unless_money(false)),
            raccoons: Setting::set(unless_money(false)),
            automatic_doubles: Setting::set(if money { None } else { Some(0) }),
            cube_limit: Setting::set(None),
            backgammon_counts: Setting::set(if set == NamedSet::Cafe { 2 } else { 3 }),
            holland: Setting::set(false),
            opening_reroll: Setting::set(set == NamedSet::Cafe),
            variant: Setting::set(Variant::Backgammon),
            match_lengths: Setting::set((set == NamedSet::Nardeon).then_some(Lengths::NARDEON)),
            clock: Setting::set((set == NamedSet::Nardeon).then_some(Clock::NARDEON)),
            named_by: Origin::Set,
            file: None,
        }
    }

    /// Lets options decide where nothing stronger does: those of the command line, and those of the
    /// `tawla.toml` that they carry.
    pub fn apply(&mut self, options: &RuleOptions) {
        if let Some(file) = &options.file {
            self.apply_from(&file.options, Origin::File);
            self.file = Some(Arc::clone(&file.path));
        }
        self.apply_from(options, Origin::Option);
        if self.variant.value == Variant::LongNardi {
            self.leave_no_choice();
        }
    }

    /// Lets options decide that are known from `by`.
    pub fn apply_from(&mut self, options: &RuleOptions, by: Origin) {
        self.cube.offer(options.cube, by);
        self.crawford.offer(options.crawford, by);
        self.jacoby.offer(options.jacoby.map(Some), by);
        self.beavers.offer(options.beavers.map(Some), by);
        self.raccoons.offer(options.raccoons.map(Some), by);
        self.automatic_doubles
            .offer(options.automatic_doubles.map(Some), by);
        self.cube_limit.offer(options.cube_limit, by);
        self.backgammon_counts.offer(options.backgammon_counts, by);
        self.holland.offer(options.holland, by);
        self.opening_reroll.offer(options.opening_reroll, by);
        self.variant.offer(options.variant, by);
        self.match_lengths.offer(options.match_lengths, by);
        self.clock.offer(options.clock, by);
    }

    /// What the rules of long nardi settle: no cube and nothing that belongs to one, a mars as the largest
    /// win, and a first roll of both dice.
    fn leave_no_choice(&mut self) {
        fn settled<T>(value: T, origin: Origin) -> Setting<T> {
            Setting { value, origin }
        }
        let by = self.variant.origin;
        self.cube = settled(false, by);
        self.crawford = settled(false, by);
        self.jacoby = settled(Some(false), by);
        self.beavers = settled(Some(false), by);
        self.raccoons = settled(Some(false), by);
        self.automatic_doubles = settled(Some(0), by);
        self.cube_limit = settled(None, by);
        self.backgammon_counts = settled(2, by);
        self.holland = settled(false, by);
        self.opening_reroll = settled(true, by);
    }

    /// What a win multiplies the cube with.
    pub fn factor(&self, win: crate::board::Win) -> u32 {
        win.factor().min(self.backgammon_counts.value.max(2))
    }
}
