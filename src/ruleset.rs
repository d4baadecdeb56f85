//! The options of the rules: what the players agreed on, and how that is known.

use crate::board::{Length, Variant};

/// Where the value of an option comes from, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Origin {
    /// The named rule set.
    #[default]
    Set,
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
}

/// What the command line says about the rules. `None`: nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RuleOptions {
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
    /// See [`RuleSet::cube_limit`].
    pub cube_limit: Option<u32>,
    /// See [`RuleSet::backgammon_counts`].
    pub backgammon_counts: Option<u32>,
    /// See [`RuleSet::holland`].
    pub holland: Option<bool>,
    /// See [`RuleSet::opening_reroll`].
    pub opening_reroll: Option<bool>,
    /// See [`RuleSet::variant`].
    pub variant: Option<Variant>,
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
    /// The nardeon server: no cube.
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
        }
    }

    /// Lets the options of the command line decide.
    pub fn apply(&mut self, options: &RuleOptions) {
        self.apply_from(options, Origin::Option);
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
        self.cube_limit.offer(options.cube_limit.map(Some), by);
        self.backgammon_counts.offer(options.backgammon_counts, by);
        self.holland.offer(options.holland, by);
        self.opening_reroll.offer(options.opening_reroll, by);
        self.variant.offer(options.variant, by);
    }

    /// What a win multiplies the cube with.
    pub fn factor(&self, win: crate::board::Win) -> u32 {
        win.factor().min(self.backgammon_counts.value.max(2))
    }
}
