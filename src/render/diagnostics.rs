//! Findings for people: the line of the transcript with a mark under what is wrong.

use std::io::{self, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level as Shown, Renderer, Snippet};

use super::board::{Scene, draw};
use super::{Style, harmless, xgid};
use crate::board::{ByPlayer, Place, Player, Variant};
use crate::diagnostic::{Finding, Label, Level, Situation};
use crate::source::Source;

/// Widest line that is shown whole.
const WIDTH: usize = 140;

/// Writes a finding as a compiler would: headline, place, line and marks, help.
///
/// # Errors
///
/// Those of `out`.
pub fn human(
    finding: &Finding,
    source: &Source,
    style: Style,
    boards: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let level = match finding.level {
        Level::Error => Shown::ERROR,
        Level::Warning => Shown::WARNING,
        Level::Note => Shown::NOTE,
    };
    let message = harmless(&finding.message);
    let title = level.primary_title(message.as_ref()).id(finding.rule.code);
    let name = harmless(source.name());
    let lines = lines_of(finding, source);
    let mut group = Group::with_title(title);
    for shown in &lines {
        let mut snippet = Snippet::source(shown.text.as_str())
            .line_start(shown.number)
            .path(name.as_ref())
            .fold(false);
        for (label, kind) in &shown.labels {
            let text = harmless(&label.text).into_owned();
            let start = within(&shown.text, label.span.start.saturating_sub(shown.start));
            let end = within(&shown.text, label.span.end.saturating_sub(shown.start));
            snippet = snippet.annotation(kind.span(start..end.max(start)).label(text));
        }
        group = group.element(snippet);
    }
    for help in finding.help.iter().flat_map(|help| help.lines()) {
        group = group.element(Shown::HELP.message(harmless(help).into_owned()));
    }
    let renderer = match style {
        Style::Coloured => Renderer::styled(),
        Style::Plain => Renderer::plain(),
    };
    let renderer = renderer.decor_style(DecorStyle::Ascii).term_width(WIDTH);
    writeln!(out, "{}", renderer.render(&[group]))?;
    let before = finding.play.as_ref().and_then(|play| play.before.as_ref());
    if let (true, Some(before)) = (boards, before) {
        writeln!(out, "{}", draw(&scene(before)))?;
        if let Some(xgid) = xgid(before) {
            writeln!(out, "  {xgid}")?;
        }
    }
    writeln!(out)
}

/// A byte of a line where a character starts: itself, or the nearest one before it.
fn within(line: &str, at: u32) -> usize {
    let at = (at as usize).min(line.len());
    let starts = |&at: &usize| line.is_char_boundary(at);
    (0..=at).rev().find(starts).unwrap_or(0)
}

/// The scene of a situation, without names.
pub(super) fn scene(situation: &Situation) -> Scene {
    let sides = ByPlayer::new(Player::One, Player::Two).map(|player| {
        let mut side = *situation.position.side(player);
        side[0] = 0;
        side
    });
    let checkers = (0..=25u8)
        .filter_map(Place::new)
        .map(|place| situation.position.checkers(Player::One, place))
        .sum();
    Scene {
        variant: situation.variant,
        board: sides,
        checkers,
        turn: situation.turn,
        roll: situation.roll,
        // Where no cube is in use none is drawn.
        cube: (situation.variant != Variant::LongNardi).then_some(situation.cube),
        score: Some(situation.score),
        length: situation.length,
        crawford: situation.crawford,
        ..Scene::default()
    }
}

/// A line of the source with the labels on it.
struct ShownLine<'a> {
    text: String,
    start: u32,
    number: usize,
    labels: Vec<(&'a Label, AnnotationKind)>,
}

fn lines_of<'a>(finding: &'a Finding, source: &Source) -> Vec<ShownLine<'a>> {
    let primary = std::iter::once((&finding.primary, AnnotationKind::Primary));
    let labels = primary.chain(
        finding
            .secondary
            .iter()
            .map(|label| (label, AnnotationKind::Context)),
    );
    let mut lines: Vec<ShownLine<'a>> = Vec::new();
    for (label, kind) in labels {
        let (text, start) = source.line_at(label.span.start);
        match lines.iter_mut().find(|line| line.start == start) {
            Some(line) => line.labels.push((label, kind)),
            None => lines.push(ShownLine {
                text: harmless(text).into_owned(),
                start,
                number: source.line_column(start).line as usize,
                labels: vec![(label, kind)],
            }),
        }
    }
    lines
}

/// Writes a finding in one line that editors understand: `PATH:LINE:COLUMN: LEVEL[CODE] MESSAGE`.
///
/// # Errors
///
/// Those of `out`.
pub fn concise(finding: &Finding, source: &Source, out: &mut dyn Write) -> io::Result<()> {
    let place = source.line_column(finding.primary.span.start);
    let (level, code) = (finding.level.name(), finding.rule.code);
    writeln!(
        out,
        "{}:{}:{}: {level}[{code}] {}",
        harmless(source.name()),
        place.line,
        place.column,
        harmless(&finding.message)
    )
}
