//! Tables: the score sheet, and what formats can carry.

use std::io::{self, Write};

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, ContentArrangement, Table};

use super::harmless;
use super::rules::sentence;
use crate::board::{ByPlayer, Length, Player, Variant};
use crate::formats::Format;
use crate::formats::carry::Item;
use crate::replay::{EndedBy, GameSummary};
use crate::report::{FileAnalysis, MatchReport};

/// An empty table of this width.
pub(super) fn table(width: u16) -> Table {
    let mut table = Table::new();
    table
        .load_style(UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(width);
    table
}

/// Moves numbers to the right of their columns.
pub(super) fn align_right(table: &mut Table, columns: std::ops::Range<usize>) {
    for column in columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

fn text(score: ByPlayer<u32>) -> String {
    format!("{}-{}", score.one, score.two)
}

/// The name of a player, made harmless; `left` or `right` where there is none.
fn name(names: &ByPlayer<String>, player: Player) -> String {
    match (names[player].trim(), player) {
        ("", Player::One) => "(left)".to_owned(),
        ("", Player::Two) => "(right)".to_owned(),
        (name, _) => harmless(name).into_owned(),
    }
}

/// Writes the score sheet of every match: game, score before, winner, kind, cube, points with their reason,
/// score after, and what is stated where it differs. `input` is what the input is called, `first` the number of
/// the first match if it has several.
///
/// # Errors
///
/// Those of `out`.
pub fn score(
    matches: &[MatchReport],
    input: &str,
    first: Option<u64>,
    width: u16,
    out: &mut dyn Write,
) -> io::Result<()> {
    let input = harmless(input);
    for (number, shown) in (0u64..).zip(matches) {
        match first {
            Some(first) => writeln!(out, "{input}, match {}", first + number)?,
            None => writeln!(out, "{input}")?,
        }
        sheet(shown, width, out)?;
        writeln!(out)?;
    }
    Ok(())
}

fn sheet(shown: &MatchReport, width: u16, out: &mut dyn Write) -> io::Result<()> {
    let names = &shown.names;
    let length = match shown.length {
        Some(Length::Points(points)) => format!("match to {points}"),
        Some(Length::Money) => "money session".to_owned(),
        None => "length not stated".to_owned(),
    };
    writeln!(
        out,
        "{} - {}, {length}",
        name(names, Player::One),
        name(names, Player::Two)
    )?;
    let mut table = table(width);
    table.set_header([
        "game", "before", "winner", "kind", "cube", "points", "after", "stated",
    ]);
    let variant = shown.rules.variant.value;
    for (number, game) in (1u32..).zip(&shown.summary.games) {
        let mut after = game.before;
        if let (Some(winner), Some(points)) = (game.winner, game.points) {
            after[winner] = after[winner].saturating_add(points);
        }
        table.add_row([
            game.number.unwrap_or(number).to_string() + crawford_mark(game),
            text(game.before),
            game.winner
                .map(|winner| name(names, winner))
                .unwrap_or_default(),
            kind(variant, game),
            cube(variant, game, names),
            reason(variant, game),
            text(after),
            stated(game),
        ]);
    }
    for column in [1, 6] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Center);
        }
    }
    writeln!(out, "{table}")?;
    let summary = &shown.summary;
    write!(out, "score {}", text(summary.score))?;
    match summary.winner {
        Some(winner) => writeln!(out, ", {} wins the match", name(names, winner))?,
        None => writeln!(out)?,
    }
    if let Some(stated) = summary
        .stated_score
        .filter(|stated| *stated != summary.score)
    {
        writeln!(out, "stated {}", text(stated))?;
    }
    if let Some(without) = summary.score_if_disallowed {
        writeln!(
            out,
            "without the doubles that were not allowed {}",
            text(without)
        )?;
    }
    if let Some(player) = summary.lost_on_time {
        writeln!(out, "{} lost on time", name(names, player))?;
    }
    if let Some(both) = &shown.analysis {
        writeln!(out, "by the file's own analysis, in points of a cube of 1:")?;
        for player in Player::BOTH {
            writeln!(out, "  {}", analysis(&name(names, player), &both[player]))?;
        }
    }
    let is_money = shown.length == Some(Length::Money);
    writeln!(out, "rules {}", sentence(&shown.rules, is_money))
}

/// `Alice: 0.412 lost in 63 plays, 0.120 in 40 cube decisions, luck +1.203`
fn analysis(name: &str, said: &FileAnalysis) -> String {
    let mut parts = Vec::new();
    if said.plays > 0 {
        parts.push(format!(
            "{:.3} lost in {} plays",
            said.play_error, said.plays
        ));
    }
    if said.cube_actions > 0 {
        let (lost, actions) = (said.cube_error, said.cube_actions);
        let noun = if actions == 1 {
            "decision"
        } else {
            "decisions"
        };
        parts.push(format!("{lost:.3} lost in {actions} cube {noun}"));
    }
    parts.push(format!("luck {:+.3}", said.luck));
    format!("{name}: {}", parts.join(", "))
}

fn crawford_mark(game: &GameSummary) -> &'static str {
    if game.crawford { " (Crawford)" } else { "" }
}

fn kind(variant: Variant, game: &GameSummary) -> String {
    match (game.ended_by, game.win) {
        (EndedBy::Unfinished, _) => "unfinished".to_owned(),
        (EndedBy::Pass, _) => "pass".to_owned(),
        (EndedBy::BearOff, Some(win)) => variant.win_name(win).to_owned(),
        (by, Some(win)) => format!("{}, {}", variant.win_name(win), by.name()),
        (by, None) => by.name().to_owned(),
    }
}

fn cube(variant: Variant, game: &GameSummary, names: &ByPlayer<String>) -> String {
    match game.cube.owner {
        _ if variant == Variant::LongNardi => "none".to_owned(),
        Some(owner) => format!("{} ({})", game.cube.value, name(names, owner)),
        None => game.cube.value.to_string(),
    }
}

/// The points with how they are computed: `gammon 2 x cube 4 = 8`.
fn reason(variant: Variant, game: &GameSummary) -> String {
    let Some(points) = game.points else {
        return String::new();
    };
    let value = game.cube.value;
    match game.win {
        Some(win) if variant == Variant::LongNardi => {
            format!("{} = {points}", variant.win_name(win))
        }
        Some(win) if game.jacoby => format!("{} unturned, Jacoby = {points}", win.name()),
        Some(win) if points.checked_rem(value) == Some(0) => {
            format!(
                "{} {} x cube {value} = {points}",
                win.name(),
                points / value
            )
        }
        _ => points.to_string(),
    }
}

/// What the record states, where it differs.
fn stated(game: &GameSummary) -> String {
    let mut parts = Vec::new();
    if let Some(before) = game.stated_before.filter(|before| *before != game.before) {
        parts.push(format!("before {}", text(before)));
    }
    if let Some(points) = game
        .stated_points
        .filter(|points| Some(*points) != game.points)
    {
        parts.push(points.to_string());
    }
    parts.join(", ")
}

/// Writes what can be read and written, and what each format can carry.
///
/// # Errors
///
/// Those of `out`.
pub fn formats(formats: &[&Format], width: u16, out: &mut dyn Write) -> io::Result<()> {
    let mut list = table(width);
    list.set_header(["format", "name", "extensions", "read", "write"]);
    for format in formats {
        let extensions: Vec<String> = format
            .extensions
            .iter()
            .map(|ext| format!(".{ext}"))
            .collect();
        let read = match (format.read.is_some(), format.verified) {
            (true, true) => "yes",
            (true, false) => "unverified",
            (false, _) => "",
        };
        let write = match (format.write.is_some(), format.profiles) {
            (true, []) => "yes".to_owned(),
            (true, profiles) => profiles.join(" "),
            (false, _) => String::new(),
        };
        list.add_row([
            format.name,
            format.title,
            &extensions.join(" "),
            read,
            &write,
        ]);
    }
    writeln!(out, "{list}")?;
    writeln!(
        out,
        "unverified: read by a description only, no real file was at hand\n"
    )?;
    writeln!(out, "What each format that is written can carry:")?;
    let written: Vec<&Format> = formats
        .iter()
        .copied()
        .filter(|format| format.write.is_some())
        .collect();
    let mut carried = table(width);
    let names = written.iter().map(|format| format.name);
    carried.set_header(std::iter::once("").chain(names));
    for item in Item::ALL {
        let how = written.iter().map(|format| {
            let carries = format.carries.iter().find(|(carried, _)| *carried == item);
            carries.map_or("-", |(_, how)| how.name())
        });
        carried.add_row(std::iter::once(item.name()).chain(how));
    }
    writeln!(out, "{carried}")
}
