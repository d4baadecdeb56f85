//! Records of any content: games that follow the rules for most of their length, and whatever else fits the
//! types.

use arbitrary::{Result, Unstructured};
use tawla::board::{
    ByPlayer, Cube, Length, Move, Play, Player, Plays, Position, Roll, Setup, Variant, Win,
};
use tawla::record::{
    Action, Dialect, Entry, Extra, GameRecord, GameResult, MatchRecord, Seconds, Tag, WrittenPlay,
    WrittenRoll,
};
use tawla::ruleset::{NamedSet, RuleOptions};
use tawla::source::{Span, Spanned};

/// Names and comments, most of them hostile.
const WORDS: [&str; 14] = [
    "Amira",
    "Bo",
    "",
    " ",
    "a : 1",
    "; [x \"y\"]",
    "\u{1b}[31mred",
    "\u{202e}evil",
    "=1+1",
    "../../etc",
    "line\nbreak",
    "]\\[",
    "Wins 4 points",
    "\u{1F3B2}\u{e9}\u{2028}",
];

/// Tags that mean something, and one that does not.
const TAGS: [(&str, &str); 10] = [
    ("Variation", "Nackgammon"),
    ("Variation", "LongNardi"),
    ("Jacoby", "On"),
    ("Beaver", "On"),
    ("Crawford", "Off"),
    ("CubeLimit", "64"),
    ("CubeLimit", "0"),
    ("Clock Type", "Fischer"),
    ("EventDate", "2026.13.99"),
    ("Odd", "1"),
];

fn spanned<T>(value: T) -> Spanned<T> {
    Spanned::new(value, Span::default())
}

fn maybe<'a, T>(
    u: &mut Unstructured<'a>,
    make: impl FnOnce(&mut Unstructured<'a>) -> Result<T>,
) -> Result<Option<T>> {
    if u.ratio(1, 4)? {
        make(u).map(Some)
    } else {
        Ok(None)
    }
}

fn player(u: &mut Unstructured<'_>) -> Result<Player> {
    Ok(if u.arbitrary()? {
        Player::One
    } else {
        Player::Two
    })
}

/// Two dice.
pub(crate) fn roll(u: &mut Unstructured<'_>) -> Result<Roll> {
    let (one, two) = (u.int_in_range(1..=6)?, u.int_in_range(1..=6)?);
    Ok(Roll::new(one, two).expect("two dice"))
}

/// A number: small, or one at the edge of what fits.
fn number(u: &mut Unstructured<'_>) -> Result<u32> {
    Ok(match u.int_in_range(0..=9u8)? {
        0 => u32::MAX,
        1 => 0,
        2 => 1 << u.int_in_range(0..=31)?,
        3 => u.arbitrary()?,
        _ => u.int_in_range(0..=30)?,
    })
}

fn word(u: &mut Unstructured<'_>) -> Result<String> {
    Ok((*u.choose(&WORDS)?).to_owned())
}

fn words(u: &mut Unstructured<'_>) -> Result<ByPlayer<String>> {
    Ok(ByPlayer::new(word(u)?, word(u)?))
}

fn comments(u: &mut Unstructured<'_>) -> Result<Vec<Spanned<String>>> {
    Ok(maybe(u, |u| word(u).map(spanned))?.into_iter().collect())
}

/// Rules of any kind.
pub(crate) fn rules(u: &mut Unstructured<'_>) -> Result<RuleOptions> {
    if u.arbitrary()? {
        return Ok(RuleOptions::default());
    }
    let sets = [NamedSet::Match, NamedSet::Money, NamedSet::Cafe];
    Ok(RuleOptions {
        rules: maybe(u, |u| Ok(*u.choose(&sets)?))?,
        cube: maybe(u, |u| u.arbitrary())?,
        crawford: maybe(u, |u| u.arbitrary())?,
        jacoby: maybe(u, |u| u.arbitrary())?,
        beavers: maybe(u, |u| u.arbitrary())?,
        raccoons: maybe(u, |u| u.arbitrary())?,
        automatic_doubles: maybe(u, |u| u.int_in_range(0..=10))?,
        cube_limit: maybe(u, |u| maybe(u, number))?,
        backgammon_counts: maybe(u, |u| u.int_in_range(2..=3))?,
        holland: maybe(u, |u| u.arbitrary())?,
        opening_reroll: maybe(u, |u| u.arbitrary())?,
        variant: maybe(u, |u| Ok(*u.choose(&Variant::ALL)?))?,
        ..RuleOptions::default()
    })
}

/// A record.
pub(crate) fn record(u: &mut Unstructured<'_>) -> Result<MatchRecord> {
    let mut record = MatchRecord {
        dialect: maybe(u, |u| {
            Ok(Dialect::known(u.choose(&["xg", "gnubg", "galaxy"])?))
        })?
        .flatten(),
        length: match u.int_in_range(0..=3u8)? {
            0 => None,
            1 => Some(Length::Money),
            _ => Some(Length::Points(number(u)?.max(1))),
        }
        .map(spanned),
        names: words(u)?,
        ratings: ByPlayer::new(maybe(u, word)?, maybe(u, word)?),
        comments: comments(u)?,
        has_hit_marks: maybe(u, |u| u.arbitrary())?,
        ..MatchRecord::default()
    };
    for _ in 0..u.int_in_range(0..=3u8)? {
        let (name, value) = *u.choose(&TAGS)?;
        record.tags.push(Tag {
            name: name.to_owned(),
            value: value.to_owned(),
            span: Span::default(),
        });
    }
    let variant = match record
        .tag("Variation")
        .and_then(|tag| Variant::by_name(&tag.value))
    {
        Some(variant) => variant,
        None => Variant::Backgammon,
    };
    for _ in 0..u.int_in_range(0..=4u8)? {
        record.games.push(game(u, variant)?);
    }
    Ok(record)
}

fn setup(u: &mut Unstructured<'_>, variant: Variant) -> Result<Setup> {
    let mut checkers = ByPlayer::new([0u8; 26], [0u8; 26]);
    for player in [Player::One, Player::Two] {
        for _ in 0..u.int_in_range(0..=16u8)? {
            checkers[player][u.int_in_range(1..=25usize)?] += 1;
        }
    }
    let cube = |u: &mut Unstructured<'_>| {
        Ok(Cube {
            value: number(u)?,
            owner: maybe(u, player)?,
        })
    };
    Ok(Setup {
        checkers,
        variant,
        turn: maybe(u, player)?,
        roll: maybe(u, roll)?,
        cube: maybe(u, cube)?,
    })
}

fn game(u: &mut Unstructured<'_>, variant: Variant) -> Result<GameRecord> {
    let mut game = GameRecord {
        number: maybe(u, number)?.map(spanned),
        has_score_line: u.arbitrary()?,
        names: ByPlayer::new(maybe(u, word)?.map(spanned), maybe(u, word)?.map(spanned)),
        score: maybe(u, |u| Ok(ByPlayer::new(number(u)?, number(u)?)))?.map(spanned),
        crawford: maybe(u, |u| u.arbitrary())?.map(spanned),
        start: maybe(u, |u| setup(u, variant))?.map(spanned),
        comments: comments(u)?,
        ..GameRecord::default()
    };
    let start = game
        .start
        .as_ref()
        .and_then(|start| Position::new(&start.value).ok());
    let mut position = start.unwrap_or_else(|| Position::start(variant));
    let mut turn = player(u)?;
    let mut plays = Plays::new();
    for row in 0..u.int_in_range(0..=60u32)? {
        let action = if u.ratio(5, 6)? {
            let roll = roll(u)?;
            variant.legal_plays(&position, turn, roll, &mut plays);
            let chosen = u.choose_index(plays.len().max(1))?;
            let chosen = plays.iter().nth(chosen).copied();
            if let Some((after, _)) = chosen {
                position = after;
            }
            Action::Play {
                roll: WrittenRoll(roll.0.pips(), roll.1.pips()),
                play: chosen.map_or(WrittenPlay::CannotMove, |(_, play)| {
                    WrittenPlay::Moves(play)
                }),
            }
        } else {
            action(u)?
        };
        let mut entry = Entry::new(turn, action, row / 2 + 1, Span::default());
        entry.extra = maybe(u, |u| extra(u, variant))?.map(Box::new);
        game.entries.push(entry);
        if u.ratio(15, 16)? {
            turn = !turn;
        }
    }
    let entries = game.entries.len() as u32;
    game.result = maybe(u, |u| {
        Ok(GameResult {
            winner: maybe(u, player)?,
            points: maybe(u, number)?,
            and_match: u.arbitrary()?,
            after: u.int_in_range(0..=entries)?,
            by_loss: u.arbitrary()?,
            in_row: u.arbitrary()?,
            win: maybe(u, |u| Ok(*u.choose(&Win::ALL)?))?,
            resigned: u.arbitrary()?,
        })
    })?
    .map(spanned);
    Ok(game)
}

fn extra(u: &mut Unstructured<'_>, variant: Variant) -> Result<Extra> {
    Ok(Extra {
        comment: maybe(u, word)?,
        position_after: maybe(u, |u| setup(u, variant))?.map(spanned),
        declared_illegal: u.arbitrary()?,
        unreadable: u.arbitrary()?,
        analysis: Vec::new(),
        seconds: maybe(u, |u| {
            Ok(Seconds {
                used: maybe(u, |u| u.int_in_range(0..=90u32).map(f64::from))?,
                left: maybe(u, |u| u.int_in_range(0..=90u32).map(f64::from))?,
            })
        })?,
    })
}

fn moves(u: &mut Unstructured<'_>) -> Result<Play> {
    let mut play = Play::EMPTY;
    for _ in 0..u.int_in_range(1..=8u8)? {
        let (from, to) = (u.int_in_range(0..=25)?, u.int_in_range(0..=25)?);
        play.push(Move::from_numbers(from, to, u.arbitrary()?).expect("places"));
    }
    Ok(play)
}

fn action(u: &mut Unstructured<'_>) -> Result<Action> {
    let written_roll =
        |u: &mut Unstructured<'_>| Ok(WrittenRoll(u.int_in_range(0..=9)?, u.int_in_range(0..=9)?));
    Ok(match u.int_in_range(0..=16u8)? {
        0..=2 => Action::Play {
            roll: written_roll(u)?,
            play: match u.int_in_range(0..=4u8)? {
                0 => WrittenPlay::CannotMove,
                1 => WrittenPlay::Nothing,
                2 => WrittenPlay::NotRecorded,
                _ => WrittenPlay::Moves(moves(u)?),
            },
        },
        3 => Action::Double {
            to: maybe(u, number)?,
            after_roll: maybe(u, written_roll)?,
        },
        4 => Action::Double {
            to: None,
            after_roll: None,
        },
        5 => Action::Beaver {
            to: maybe(u, number)?,
        },
        6 => Action::Raccoon {
            to: maybe(u, number)?,
        },
        7 | 8 => Action::Take,
        9 => Action::Pass,
        10 => Action::Resign {
            win: maybe(u, |u| Ok(*u.choose(&Win::ALL)?))?,
        },
        11 => Action::Accept,
        12 => Action::Reject,
        13 => Action::TimeOut,
        14 => Action::NoRoll,
        15 => Action::Set,
        _ => Action::Unreadable,
    })
}
