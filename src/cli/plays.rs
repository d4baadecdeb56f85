//! `tawla plays`: the legal plays of a position and a roll.

use std::io::{self, Write};

use anyhow::{anyhow, bail};

use super::args::{NotationName, PlainFormat, PlaysArgs};
use tawla::board::{Cube, Player, Plays, Position, Roll, Setup, Variant, Verdict};
use tawla::formats::ids::{self, Decoded, IdFault, IdState};
use tawla::formats::notation::parse_play;
use tawla::record::WrittenPlay;
use tawla::render::json::{PlaysOutput, WhyOutput};
use tawla::rules::verdict_words;

/// Lists the plays, or judges one: 1 if it is illegal or the identifier is not valid.
pub(super) fn run(args: &PlaysArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let decoded = match decode(args) {
        Ok(decoded) => decoded,
        Err(faults) => {
            let mut err = io::stderr();
            for fault in faults {
                let _ = writeln!(
                    err,
                    "tawla: {}: {}",
                    tawla::render::harmless(&args.id),
                    fault.message
                );
            }
            return Ok(1);
        }
    };
    let state = &decoded.state;
    let player = state.viewer();
    let variant = variant(state, args.variant);
    let Some(position) = position(state, variant) else {
        bail!(
            "{}: this identifier has no board that can be played from",
            args.id
        );
    };
    let roll = match &args.roll {
        Some(text) => Some(parse_roll(text).ok_or_else(|| {
            anyhow!("{text:?} is no roll; write two digits from 1 to 6, such as 31")
        })?),
        None => state.dice,
    };
    let Some(roll) = roll else {
        bail!("the identifier has no dice: give the roll after it, such as 31");
    };
    let mut plays = Plays::new();
    variant.legal_plays(&position, player, roll, &mut plays);
    let why = args
        .why
        .as_deref()
        .map(|text| verdict(text, variant, &position, player, roll))
        .transpose()?;
    let status = u8::from(why.as_ref().is_some_and(|why| !why.legal));
    match args.format {
        PlainFormat::Json => {
            let xgid =
                (variant != Variant::LongNardi).then(|| xgid(&position, player, roll, state));
            let mut output = PlaysOutput::new(&position, player, roll, xgid, &plays);
            output.why = why;
            writeln!(out, "{}", tawla::escape::json(&output)?)?;
        }
        PlainFormat::Human => match why {
            Some(why) => human_verdict(&why, args, &plays, out)?,
            None => list(args, &plays, roll, out)?,
        },
    }
    Ok(status)
}

fn list(args: &PlaysArgs, plays: &Plays, roll: Roll, out: &mut dyn Write) -> anyhow::Result<()> {
    if plays.is_empty() {
        writeln!(out, "{roll} cannot be played")?;
    }
    for (_, play) in plays.iter() {
        match args.notation {
            NotationName::Usual => writeln!(out, "{play}")?,
            NotationName::Steps => writeln!(out, "{}", play.steps())?,
        }
    }
    Ok(())
}

fn human_verdict(
    why: &WhyOutput,
    args: &PlaysArgs,
    plays: &Plays,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let play = args.why.as_deref().unwrap_or_default();
    let play = tawla::render::harmless(play);
    match (&why.code, &why.message) {
        (Some(code), Some(message)) => {
            writeln!(out, "{play}: illegal [{code}]: {message}")?;
            writeln!(
                out,
                "{} legal; `tawla explain {code}` tells the rule",
                count(plays.len())
            )?;
        }
        _ => writeln!(out, "{play}: legal")?,
    }
    Ok(())
}

fn count(plays: usize) -> String {
    format!("{plays} play{}", if plays == 1 { " is" } else { "s are" })
}

fn verdict(
    text: &str,
    variant: Variant,
    position: &Position,
    player: Player,
    roll: Roll,
) -> anyhow::Result<WhyOutput> {
    let written = parse_play(text).map_err(|at| {
        anyhow!(
            "{text:?} is no play: it cannot be read from character {} on",
            at + 1
        )
    })?;
    let moves = match &written {
        WrittenPlay::Moves(play) => play.moves(),
        _ => &[],
    };
    let fault = match variant.judge(position, player, roll, moves) {
        Verdict::Illegal { fault, .. } => fault,
        Verdict::Legal(_) | Verdict::Ambiguous(_) => {
            return Ok(WhyOutput {
                legal: true,
                code: None,
                message: None,
            });
        }
    };
    let (code, message) = verdict_words(&fault);
    Ok(WhyOutput {
        legal: false,
        code: Some(code.to_owned()),
        message: Some(message),
    })
}

fn parse_roll(text: &str) -> Option<Roll> {
    let digits: Vec<u8> = text
        .bytes()
        .filter(u8::is_ascii_digit)
        .map(|digit| digit - b'0')
        .collect();
    let rest_is_odd = text
        .chars()
        .any(|c| !c.is_ascii_digit() && !matches!(c, '-' | ' ' | ','));
    match digits[..] {
        [a, b] if !rest_is_odd => Roll::new(a, b),
        _ => None,
    }
}

/// Reads the identifier as one of the game that was asked for.
fn decode(args: &PlaysArgs) -> Result<Decoded, Vec<IdFault>> {
    ids::decode_in(args.variant.unwrap_or_default(), &args.id)
}

/// The game that was asked for, or else the one that the number of checkers shows.
fn variant(state: &IdState, asked: Option<Variant>) -> Variant {
    asked.unwrap_or(match state.checkers {
        Some(3) => Variant::Hypergammon,
        _ => Variant::Backgammon,
    })
}

fn position(state: &IdState, variant: Variant) -> Option<Position> {
    let setup = Setup {
        checkers: state.board?,
        variant,
        turn: None,
        roll: None,
        cube: None,
    };
    Position::new(&setup).ok()
}

fn xgid(position: &Position, player: Player, roll: Roll, state: &IdState) -> String {
    ids::xgid(
        position,
        player,
        Some(roll),
        state.cube.unwrap_or(Cube::START),
        state.score.unwrap_or_default(),
        state
            .length
            .and_then(tawla::board::Length::points)
            .unwrap_or(0),
        u32::from(state.crawford == Some(true)),
        false,
    )
}
