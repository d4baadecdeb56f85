//! A session of a chouette: the settlement as a table.

pub mod json;

use std::io::{self, Write};

use super::harmless;
use super::table::{align_right, table};
use crate::board::Win;
use crate::chouette::{EndedBy, Game, PlayerId, Report, Session};
use crate::ruleset::{Origin, RuleSet};
use crate::source::Source;

/// How wide the columns before those of the players are, and each of these. Players who have no room for a
/// column have a row each.
const COLUMNS: (usize, usize) = (44, 9);

/// Writes the settlement of every game and the total.
///
/// # Errors
///
/// Those of `out`.
pub fn settlement(
    report: &Report,
    source: &Source,
    width: u16,
    out: &mut dyn Write,
) -> io::Result<()> {
    let session = &report.session;
    writeln!(out, "{}", harmless(source.name()))?;
    if session.games.is_empty() {
        return writeln!(out, "no game was started");
    }
    let (head, each) = COLUMNS;
    if head + each * session.players.len() <= usize::from(width) {
        by_columns(session, width, out)?;
    } else {
        by_rows(session, width, out)?;
    }
    if session.games.len() > 1 {
        writeln!(out, "in brackets: the total after the game")?;
    }
    if let Some(stake) = &session.stake {
        writeln!(
            out,
            "stake {} a point",
            harmless(stake.text(1).trim_start_matches('+'))
        )?;
    }
    writeln!(out, "rules {}", rules(&session.rules))
}

fn by_columns(session: &Session, width: u16, out: &mut dyn Write) -> io::Result<()> {
    let mut table = table(width);
    let names = session
        .players
        .iter()
        .map(|name| harmless(name).into_owned());
    let fixed = ["game", "box", "captain", "result", "cube"].map(str::to_owned);
    table.set_header(fixed.into_iter().chain(names));
    for (number, game) in (1..).zip(&session.games) {
        let points = (0..session.players.len()).map(|player| points(number, game, player));
        table.add_row(head(number, game, session).into_iter().chain(points));
    }
    let foot = |name: &str, texts: Vec<String>| {
        let blanks = [name, "", "", "", ""].map(str::to_owned);
        blanks.into_iter().chain(texts)
    };
    let total = session.total.iter().map(|points| signed(*points)).collect();
    table.add_row(foot("total", total));
    if let Some(stake) = &session.stake {
        let money = session
            .total
            .iter()
            .map(|points| harmless(&stake.text(*points)).into_owned());
        table.add_row(foot("money", money.collect()));
    }
    align_right(&mut table, 4..5 + session.players.len());
    writeln!(out, "{table}")
}

fn by_rows(session: &Session, width: u16, out: &mut dyn Write) -> io::Result<()> {
    let mut table = table(width);
    table.set_header([
        "game", "box", "captain", "result", "cube", "player", "points",
    ]);
    for (number, game) in (1..).zip(&session.games) {
        let mut start = head(number, game, session);
        for &player in &game.seats {
            let tail = [name(session, player), points(number, game, player)];
            // What the game was stands beside the first player only.
            let start = std::mem::take(&mut start);
            table.add_row(start.into_iter().chain(tail));
        }
    }
    let mut start = ["total", "", "", "", ""].map(str::to_owned);
    for (player, total) in session.total.iter().enumerate() {
        let money = session.stake.as_ref().map(|stake| stake.text(*total));
        let money = money.map(|money| format!(" = {}", harmless(&money)));
        let points = signed(*total) + &money.unwrap_or_default();
        let tail = [name(session, player), points];
        table.add_row(std::mem::take(&mut start).into_iter().chain(tail));
    }
    writeln!(out, "{table}")
}

fn name(session: &Session, player: PlayerId) -> String {
    session
        .players
        .get(player)
        .map(|name| harmless(name).into_owned())
        .unwrap_or_default()
}

/// What a game was, without who pays whom.
fn head(number: u32, game: &Game, session: &Session) -> [String; 5] {
    let seat = |place: usize| {
        game.seats
            .get(place)
            .map(|&player| name(session, player))
            .unwrap_or_default()
    };
    let mut captain = seat(1);
    if let Some(last) = game
        .captain
        .map(|player| name(session, player))
        .filter(|last| *last != captain)
    {
        captain += &format!(", then {last}");
    }
    let cube = match game.owner {
        Some(owner) => format!("{} ({})", game.cube, owner.name()),
        None => game.cube.to_string(),
    };
    [number.to_string(), seat(0), captain, result(game), cube]
}

/// `box, gammon 4`: the points are those of one member.
fn result(game: &Game) -> String {
    let Some(winner) = game.winner else {
        return game.ended_by.name().to_owned();
    };
    let kind = match (game.win, game.ended_by) {
        (Some(Win::Gammon | Win::Backgammon), _) if game.points == Some(game.cube) => {
            let (winner, kind) = (winner.name(), game.win.map_or("", Win::name));
            return format!("{winner}, {kind}, Jacoby {}", game.cube);
        }
        (Some(win), _) => win.name(),
        (None, EndedBy::Pass) => "pass",
        (None, _) => return format!("{}, as settled", winner.name()),
    };
    format!(
        "{}, {kind} {}",
        winner.name(),
        game.points.unwrap_or_default()
    )
}

/// What a game was for a player, and the total after it; empty for who did not play.
fn points(number: u32, game: &Game, player: PlayerId) -> String {
    let points = game.settlement.get(player).copied().unwrap_or_default();
    if points == 0 && !game.seats.contains(&player) {
        return String::new();
    }
    let total = game.total.get(player).copied().unwrap_or_default();
    match number {
        1 => signed(points),
        _ => format!("{} ({})", signed(points), signed(total)),
    }
}

fn signed(points: i64) -> String {
    if points == 0 {
        "0".to_owned()
    } else {
        format!("{points:+}")
    }
}

/// `jacoby on (tag), beavers off (option)`: those that were said, and the Jacoby rule in any case.
fn rules(rules: &RuleSet) -> String {
    let on = |value: Option<bool>| value.map_or("not stated", |on| if on { "on" } else { "off" });
    let mut parts = vec![(
        "jacoby ".to_owned() + on(rules.jacoby.value),
        rules.jacoby.origin,
    )];
    parts.push((
        "beavers ".to_owned() + on(rules.beavers.value),
        rules.beavers.origin,
    ));
    parts.push((
        "raccoons ".to_owned() + on(rules.raccoons.value),
        rules.raccoons.origin,
    ));
    if let Some(agreed) = rules.automatic_doubles.value {
        parts.push((
            format!("automatic doubles {agreed}"),
            rules.automatic_doubles.origin,
        ));
    }
    if let Some(limit) = rules.cube_limit.value {
        parts.push((format!("cube up to {limit}"), rules.cube_limit.origin));
    }
    if !rules.cube.value {
        parts.push(("no cube".to_owned(), rules.cube.origin));
    }
    let counts = rules.backgammon_counts;
    parts.push((
        format!("a backgammon counts {}", counts.value),
        counts.origin,
    ));
    let is_said = |origin| origin != Origin::Set;
    let words = parts
        .into_iter()
        .enumerate()
        .filter(|(place, (_, origin))| *place == 0 || is_said(*origin));
    let words = words.map(|(_, (text, origin))| match is_said(origin) {
        true => format!("{text} ({})", origin.name()),
        false => text,
    });
    words.collect::<Vec<_>>().join(", ")
}
