//! Findings for people: the line of the transcript with a mark under what is wrong.

use std::io::{self, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level as Shown, Renderer, Snippet};

use super::board::{Scene, draw};
use super::{Style, harmless, xgid};
use crate::board::{ByPlayer, Player, Variant};
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
    let lines = lines_of(finding, source);
    if style == Style::Coloured || !plainly(finding, source, &lines, out)? {
        drawn(finding, source, &lines, style, out)?;
    }
    let before = finding.play.as_ref().and_then(|play| play.before.as_ref());
    if let (true, Some(before)) = (boards, before) {
        writeln!(out, "{}", draw(&scene(before)))?;
        if let Some(xgid) = xgid(before) {
            writeln!(out, "  {xgid}")?;
        }
    }
    writeln!(out)
}

/// A finding with any number of lines and marks.
fn drawn(
    finding: &Finding,
    source: &Source,
    lines: &[ShownLine<'_>],
    style: Style,
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
    let mut group = Group::with_title(title);
    for shown in lines {
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
    let mut drawn = renderer.render(&[group]).to_string();
    for shown in lines.iter().filter(|shown| shown.is_cut) {
        // The drawer counts columns from where the line was cut.
        let (label, _) = shown.labels[0];
        let at = within(&shown.text, label.span.start.saturating_sub(shown.start));
        let counted = shown.text[..at].chars().count() + 1;
        let column = source.line_column(label.span.start).column;
        let place = |column: &dyn std::fmt::Display| format!("{name}:{}:{column}", shown.number);
        drawn = drawn.replacen(&place(&counted), &place(&column), 1);
    }
    writeln!(out, "{drawn}")
}

/// The same where there is one mark in a short line of plain ASCII, which nearly all findings have; false if it is
/// another one, and nothing is written then. A file with thousands of findings would take seconds otherwise.
fn plainly(
    finding: &Finding,
    source: &Source,
    lines: &[ShownLine<'_>],
    out: &mut dyn Write,
) -> io::Result<bool> {
    let is_plain = |text: &str| {
        let is_ascii = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        is_ascii && !text.is_empty() && !text.ends_with(' ')
    };
    let help = finding.help.as_deref().unwrap_or_default();
    let ([line], label) = (lines, &finding.primary) else {
        return Ok(false);
    };
    let [start, end] = [label.span.start, label.span.end].map(|at| at.saturating_sub(line.start));
    let number = line.number.to_string();
    let (margin, name) = (number.len(), source.name());
    // What is wider is cut, and so is a wide margin of blanks.
    let blanks = line.text.len() - line.text.trim_start().len();
    let width = (end as usize + label.text.len()).max(line.text.len());
    let texts = [name, &finding.message, &line.text, &label.text];
    let is_usual = line.labels.len() == 1
        && !line.is_cut
        && texts.into_iter().chain(help.lines()).all(is_plain)
        && start < end
        && end as usize <= line.text.len()
        && width + margin + 10 < WIDTH
        && blanks <= 20;
    if !is_usual {
        return Ok(false);
    }
    let (level, code) = (finding.level.name(), finding.rule.code);
    let (start, length) = (start as usize, (end - start) as usize);
    writeln!(out, "{level}[{code}]: {}", finding.message)?;
    writeln!(out, "{:margin$}--> {name}:{number}:{}", "", start + 1)?;
    writeln!(out, "{:margin$} |", "")?;
    writeln!(out, "{number} | {}", line.text)?;
    writeln!(
        out,
        "{:margin$} | {:start$}{:^<length$} {}",
        "", "", "", label.text
    )?;
    if !help.is_empty() {
        writeln!(out, "{:margin$} |", "")?;
    }
    for help in help.lines() {
        writeln!(out, "{:margin$} = help: {help}", "")?;
    }
    Ok(true)
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
    let checkers = situation.position.side(Player::One).iter().sum();
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

/// A line of the source with the labels on it, or, of a long line, the part around them.
struct ShownLine<'a> {
    text: String,
    start: u32,
    number: usize,
    labels: Labels<'a>,
    is_cut: bool,
}

/// Labels of a line, and whether each is the first of its finding.
type Labels<'a> = Vec<(&'a Label, AnnotationKind)>;

/// Of longer lines only a part is drawn: a file that is one line would be looked through for each of its findings.
const LONG: usize = 2048;
/// How much of such a line is drawn on each side of its labels; the drawer cuts more.
const AROUND: usize = 500;
/// Of still longer lines a long label is cut, too.
const LONGEST: usize = 32 << 10;

/// The part of a line that is drawn for these bytes of it, if that is not the whole line.
fn part(line: &str, first: usize, last: usize) -> Option<(usize, usize)> {
    let last = match line.len() {
        ..=LONG => return None,
        LONGEST.. => last.min(first + AROUND),
        _ if last > first + AROUND => return None,
        _ => last,
    };
    let from = within(line, first.saturating_sub(AROUND) as u32);
    let to = within(line, (last + AROUND) as u32);
    (to - from < line.len()).then_some((from, to))
}

fn lines_of<'a>(finding: &'a Finding, source: &Source) -> Vec<ShownLine<'a>> {
    let primary = std::iter::once((&finding.primary, AnnotationKind::Primary));
    let labels = primary.chain(
        finding
            .secondary
            .iter()
            .map(|label| (label, AnnotationKind::Context)),
    );
    let mut lines: Vec<(&str, u32, Labels<'a>)> = Vec::new();
    for (label, kind) in labels {
        let (text, start) = source.line_at(label.span.start);
        match lines.iter_mut().find(|(_, known, _)| *known == start) {
            Some((.., labels)) => labels.push((label, kind)),
            None => lines.push((text, start, vec![(label, kind)])),
        }
    }
    let shown = |(text, start, labels): (&str, u32, Labels<'a>)| {
        let within = |at: u32| at.saturating_sub(start) as usize;
        let spans = labels.iter().map(|(label, _)| label.span);
        let first = spans.clone().map(|span| within(span.start)).min();
        let last = spans.map(|span| within(span.end)).max();
        let part = part(text, first.unwrap_or(0), last.unwrap_or(0));
        let (from, to) = part.unwrap_or((0, text.len()));
        ShownLine {
            text: harmless(&text[from..to]).into_owned(),
            start: start + from as u32,
            number: source.line_column(start).line as usize,
            labels,
            is_cut: part.is_some(),
        }
    };
    lines.into_iter().map(shown).collect()
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
