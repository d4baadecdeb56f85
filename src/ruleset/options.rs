//! The options one by one, for `tawla.toml`, for `rules` and for `explain`.

use std::borrow::Cow;

use super::{Clock, Lengths, NamedSet, Origin, RuleOptions, RuleSet, Setting};
use crate::board::Variant;

/// An option of the rules.
#[derive(Debug)]
pub struct RuleOption {
    /// The name, as in `--jacoby` and in `tawla.toml`.
    pub name: &'static str,
    /// One line.
    pub title: &'static str,
    /// The values that it takes in `tawla.toml`.
    pub values: &'static str,
    /// The flags.
    pub flags: &'static str,
    /// The rule in plain words, where customs differ, and which set holds what.
    pub explain: &'static str,
    /// The value in force, in words, and where it comes from.
    pub shown: fn(&RuleSet) -> (Cow<'static, str>, Origin),
    /// Takes a value of a file.
    take: fn(&mut RuleOptions, &Value) -> Option<()>,
}

/// A value as a file has it.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Switch(bool),
    /// A whole number.
    Number(u32),
    /// A text.
    Text(String),
}

impl Value {
    fn switch(&self) -> Option<bool> {
        match self {
            Value::Switch(on) => Some(*on),
            _ => None,
        }
    }

    fn number(&self) -> Option<u32> {
        match self {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether this is the word `none` or `any`.
    fn is_none(&self) -> bool {
        matches!(self.text(), Some("none" | "any"))
    }
}

impl RuleOption {
    /// Takes a value of a file.
    ///
    /// # Errors
    ///
    /// It is none that the option takes; the text says which ones it does.
    pub fn take(&self, options: &mut RuleOptions, value: &Value) -> Result<(), String> {
        (self.take)(options, value).ok_or_else(|| format!("{} takes {}", self.name, self.values))
    }

    /// The option with this name.
    pub fn by_name(name: &str) -> Option<&'static RuleOption> {
        OPTIONS.iter().find(|option| option.name == name)
    }
}

/// A switch in words.
fn on(setting: Setting<bool>) -> (Cow<'static, str>, Origin) {
    let word = if setting.value { "on" } else { "off" };
    (word.into(), setting.origin)
}

/// A switch that nothing may say anything about.
fn maybe(setting: Setting<Option<bool>>) -> (Cow<'static, str>, Origin) {
    let word = match setting.value {
        Some(true) => "on",
        Some(false) => "off",
        None => "not stated",
    };
    (word.into(), setting.origin)
}

fn or<T: ToString>(setting: Setting<Option<T>>, none: &'static str) -> (Cow<'static, str>, Origin) {
    let word = setting
        .value
        .map_or(none.into(), |value| value.to_string().into());
    (word, setting.origin)
}

/// A number from a list, or `none`.
fn number_or_none(value: &Value, fits: impl Fn(u32) -> bool) -> Option<Option<u32>> {
    match value.is_none() {
        true => Some(None),
        false => Some(Some(value.number().filter(|&number| fits(number))?)),
    }
}

/// Every option, the order in which they are shown.
pub static OPTIONS: &[RuleOption] = &[
    RuleOption {
        name: "set",
        title: "the named set of rules that the other options change",
        values: "\"match\", \"money\", \"cafe\" or \"nardeon\"",
        flags: "--rules NAME",
        explain: "A set is where the options start. `match` is match play with the cube and the Crawford \
            rule, and holds if the length is above 0. `money` is money play, each game settled by itself, and \
            holds if the length is 0. `cafe` is the coffee house: no cube, a backgammon counts 2, the winner \
            of the opening rolls again. `nardeon` is the server of that name: no cube, a clock, matches to 1, \
            3, 5 or 7 points.",
        shown: |rules| (rules.name.into(), rules.named_by),
        take: |options, value| {
            options.rules = Some(NamedSet::by_name(value.text()?)?);
            Some(())
        },
    },
    RuleOption {
        name: "variant",
        title: "the game",
        values: "\"backgammon\", \"nackgammon\", \"hypergammon\", \"longgammon\" or another game that is known",
        flags: "--variant NAME",
        explain: "Where the checkers stand at the start, and how many there are. Nackgammon starts with two \
            checkers on the 23 point as well, Hypergammon with three checkers a side, Longgammon with all \
            fifteen on the 24 point. The tag Variation of a transcript says it; no set does, so that without \
            a word it is backgammon.",
        shown: |rules| {
            let name = rules.variant.value.name();
            (name.into(), rules.variant.origin)
        },
        take: |options, value| {
            options.variant = Some(Variant::by_name(value.text()?)?);
            Some(())
        },
    },
    RuleOption {
        name: "match-lengths",
        title: "the lengths that matches may have",
        values: "a text such as \"1,3,5,7\", or \"any\"",
        flags: "--match-lengths LIST",
        explain: "A match of another length is likely a slip in the heading. Everywhere but on the server \
            nardeon a match may have any length; there it has 1, 3, 5 or 7 points.",
        shown: |rules| or(rules.match_lengths, "any"),
        take: |options, value| {
            let lengths = match value.is_none() {
                true => None,
                false => Some(Lengths::parse(value.text()?)?),
            };
            options.match_lengths = Some(lengths);
            Some(())
        },
    },
    RuleOption {
        name: "cube",
        title: "whether a doubling cube is in use",
        values: "true or false",
        flags: "--cube, --no-cube",
        explain: "In the sets `match` and `money` it is, in `cafe` and `nardeon` it is not. A match to one \
            point has none whatever was agreed.",
        shown: |rules| on(rules.cube),
        take: |options, value| {
            options.cube = Some(value.switch()?);
            Some(())
        },
    },
    RuleOption {
        name: "cube-limit",
        title: "the highest value of the cube",
        values: "a power of two, or \"none\"",
        flags: "--cube-limit N, --no-cube-limit",
        explain: "A double beyond it is not allowed. The tag CubeLimit states it; 1 means that there is no \
            cube. Clubs that have a limit mostly have 64. No set has one.",
        shown: |rules| or(rules.cube_limit, "none"),
        take: |options, value| {
            options.cube_limit = Some(number_or_none(value, u32::is_power_of_two)?);
            Some(())
        },
    },
    RuleOption {
        name: "crawford",
        title: "no cube in the game after a player has come within one point of the match",
        values: "true or false",
        flags: "--crawford, --no-crawford",
        explain: "When for the first time either player needs one more point, the next game, and only that \
            one, is played without the cube. It holds in `match` unless a tag says otherwise, and means \
            nothing in money play. Nearly every tournament has it.",
        shown: |rules| on(rules.crawford),
        take: |options, value| {
            options.crawford = Some(value.switch()?);
            Some(())
        },
    },
    RuleOption {
        name: "holland",
        title: "after the Crawford game the trailer waits two turns before doubling",
        values: "true or false",
        flags: "--holland, --no-holland",
        explain: "The player who trails may not double before each side has played two turns of a game after \
            the Crawford game. Once a custom of some countries, now out of use: no set has it.",
        shown: |rules| on(rules.holland),
        take: |options, value| {
            options.holland = Some(value.switch()?);
            Some(())
        },
    },
    RuleOption {
        name: "jacoby",
        title: "gammons count only after a double (money play)",
        values: "true or false",
        flags: "--jacoby, --no-jacoby",
        explain: "While no player has turned the cube, a gammon and a backgammon count as a single win. An \
            automatic double is no turn of the cube. Common in money play, never in a match. In `money` it is \
            what the tag says; without one it is open, and where it would change the points the stated ones \
            decide, with a note.",
        shown: |rules| maybe(rules.jacoby),
        take: |options, value| {
            options.jacoby = Some(value.switch()?);
            Some(())
        },
    },
    RuleOption {
        name: "beavers",
        title: "the player doubled may redouble at once and keep the cube (money play)",
        values: "true or false",
        flags: "--beavers, --no-beavers",
        explain: "The doubled player turns the cube once more before the next roll and owns it. Usual in money \
            play among friends, unknown in matches. In `money` it is what the tag says; without one a beaver \
            is a warning.",
        shown: |rules| maybe(rules.beavers),
        take: |options, value| {
            options.beavers = Some(value.switch()?);
            Some(())
        },
    },
    RuleOption {
        name: "raccoons",
        title: "the doubler may turn the cube again after a beaver (money play)",
        values: "true or false",
        flags: "--raccoons, --no-raccoons",
        explain: "After a beaver the doubler turns the cube once more; it stays with the player who beavered. \
            Either turn may be refused, and the game then ends at the value before it. Rarer than beavers, \
            which it presupposes. In `money` it is what the tag says.",
        shown: |rules| maybe(rules.raccoons),
        take: |options, value| {
            options.raccoons = Some(value.switch()?);
            Some(())
        },
    },
    RuleOption {
        name: "automatic-doubles",
        title: "how often equal opening dice double the cube in a game (money play)",
        values: "a number from 0 to 10",
        flags: "--automatic-doubles N",
        explain: "If both players throw the same number for the opening, the cube in the middle is doubled and \
            they throw again. Traditionally at most once a game; some tables have no limit. They do not turn \
            the cube as the Jacoby rule means it. In `money` it is what the record shows: a first double to 4 \
            or 8 tells of one or two of them.",
        shown: |rules| or(rules.automatic_doubles, "not stated"),
        take: |options, value| {
            options.automatic_doubles = Some(value.number().filter(|&number| number <= 10)?);
            Some(())
        },
    },
    RuleOption {
        name: "backgammon-counts",
        title: "what a backgammon multiplies the cube with",
        values: "2 or 3",
        flags: "--backgammon-counts 2|3",
        explain: "A loser who has borne off nothing and still has a checker on the bar or in the winner's home \
            loses three times the cube; in many cafes and some countries no more than for a gammon. It is 2 in \
            `cafe` and 3 elsewhere.",
        shown: |rules| {
            let counts = rules.backgammon_counts;
            (counts.value.to_string().into(), counts.origin)
        },
        take: |options, value| {
            options.backgammon_counts = Some(value.number().filter(|n| [2, 3].contains(n))?);
            Some(())
        },
    },
    RuleOption {
        name: "opening-reroll",
        title: "the winner of the opening throw rolls both dice again",
        values: "true or false",
        flags: "--opening-reroll, --no-opening-reroll",
        explain: "By the usual rule the two opening dice are the first roll, so that it is never a double. In \
            cafes the winner takes both dice and rolls, and the first roll may be one. On in `cafe`, off \
            elsewhere.",
        shown: |rules| on(rules.opening_reroll),
        take: |options, value| {
            options.opening_reroll = Some(value.switch()?);
            Some(())
        },
    },
    RuleOption {
        name: "clock",
        title: "how long a player may think",
        values: "a text such as \"12/120/60\" (free, bank and most for one move, in seconds; \"12+/120\" adds the time of each move to the bank), or \"none\"",
        flags: "--clock FREE/BANK[/MOST], --no-clock",
        explain: "The first seconds of a move are free, what goes beyond comes out of a bank for the match, and \
            an empty bank loses the match. With an increment each move adds to the bank. `nardeon` has 12 \
            seconds free, a bank of 120 and at most 60 for one move; the other sets have no clock. Only \
            formats that keep times can be judged by it: .xg, .ogxm and our own record.",
        shown: |rules| or(rules.clock, "none"),
        take: |options, value| {
            let clock = match value.is_none() {
                true => None,
                false => Some(Clock::parse(value.text()?)?),
            };
            options.clock = Some(clock);
            Some(())
        },
    },
];

/// Two options that cannot both hold, by name, and why.
pub fn contradiction(options: &RuleOptions) -> Option<(String, String, &'static str)> {
    let named = |name: &str, value: &str| format!("{name} {value}");
    let uses_cube = [
        (options.jacoby == Some(true), "jacoby", "on"),
        (options.beavers == Some(true), "beavers", "on"),
        (options.raccoons == Some(true), "raccoons", "on"),
        (options.holland == Some(true), "holland", "on"),
        (
            options.automatic_doubles > Some(0),
            "automatic-doubles",
            "above 0",
        ),
        (
            matches!(options.cube_limit, Some(Some(_))),
            "cube-limit",
            "set",
        ),
    ];
    if options.cube == Some(false) {
        let found = uses_cube.into_iter().find(|(is_set, ..)| *is_set);
        if let Some((_, name, value)) = found {
            let why = "without a cube nothing is doubled";
            return Some((named("cube", "off"), named(name, value), why));
        }
    }
    if options.raccoons == Some(true) && options.beavers == Some(false) {
        let why = "a raccoon answers a beaver";
        return Some((named("raccoons", "on"), named("beavers", "off"), why));
    }
    if options.holland == Some(true) && options.crawford == Some(false) {
        let why = "the rule counts from the Crawford game on";
        return Some((named("holland", "on"), named("crawford", "off"), why));
    }
    None
}

/// The known name that is most like a word, if one is near.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = word.chars().count();
    let near = 2.max(letters / 3);
    // Each letter more or less is a step.
    let may_be_near = |name: &&str| name.chars().count().abs_diff(letters) <= near;
    let names = names.into_iter().filter(may_be_near);
    let best = names.map(|name| (distance(word, name), name)).min()?;
    (best.0 <= near).then_some(best.1)
}

/// How many letters must be added, dropped or changed to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}
