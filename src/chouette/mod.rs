//! Chouette: three or more players at one board, and who pays whom.
//!
//! The *box* plays alone against the team; the *captain* moves for the team. A session log has a line an event
//! (the grammar stands in `grammar.rs`) or the same events as JSON (`json.rs`):
//!
//! ```text
//! stake: 0.50 EUR
//! seats: Ayla, Burak, Ceren, Deniz        # box, captain, queue
//! double: Ayla to 2, Burak takes, Ceren passes, Deniz takes
//! result: box wins gammon, 4 points       # of each member who is still in
//! settlement: Ayla +9, Burak -4, Ceren -1, Deniz -4
//! seats: Ayla, Ceren, Deniz, Burak
//! ```
//!
//! Customs differ. What was chosen, and why:
//!
//! - **One cube for the whole team.** The captain turns it, with the consent of every member who is still in;
//!   the box is answered by each member alone. Cubes for each member would be several games at one board.
//! - **Ranking.** Dice that were rolled for the seats (`rolls:`) decide the order, the highest first, whenever
//!   they were rolled; without them the first seats stand as written, and later ones follow the rotation.
//! - **A captain who passes while others take** has lost to the box like one whom the box has beaten: the
//!   place is at the end of the queue at once, and the next member who is still in is captain for the rest.
//!   That captain takes the box if the team wins, or goes to the end, behind the first one, if the box does.
//!   Other members who pass keep their place in the queue.
//! - **All pass**: the box has won, each pays the value before the double, and the captain goes to the end.
//!   **The box passes**: the team has won that value from the box, once for each member who is still in, and
//!   the captain takes the box.
//! - **Beavers and raccoons** follow the double at once and turn the one cube: by the team they need the
//!   captain and the consent of all, against the team each member may pass alone and pays the value before
//!   that turn. Silence accepts them. They need an agreement, as in money play.
//! - **Gammons** count for each member. Under the Jacoby rule they count single while nobody has doubled; an
//!   automatic double is no turn of the cube. A backgammon counts 3, or 2 if so agreed.
//! - **Who joins** sits at the end of the queue, **who leaves** is taken out, both after the rotation of the
//!   game that was played; during a game the change waits for its end.
//! - **Stated results, settlements and totals** are compared and never needed. Points are those of one member.
//!   A game without a result is settled as its stated settlement says, if that adds up to zero.
//! - **One fault gives one finding**: after a wrong seat the next seats may follow from what was written or
//!   from what would have been right; after a wrong settlement totals may include it or not.
//! - **What cannot be read** may have been anything: the game is not judged from there on, and is settled as
//!   its stated settlement says if that adds up to zero; the next seats are taken as written. An answer that
//!   cannot be read only leaves its own player without one.
//! - **Rules** are those of money play. Options outrank what the log says.

mod game;
mod grammar;
mod json;
mod log;
mod results;
mod seating;
mod seats;
mod session;
mod settling;
mod text;
mod turns;
mod words;

pub use game::{EndedBy, Game};
pub use json::log_schema;
pub use log::{Side, Stake};
pub use seats::PlayerId;
pub use session::Session;

use crate::diagnostic::{Finding, Findings, syntax};
use crate::ruleset::RuleOptions;
use crate::source::{Source, Span};

/// How a log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A line an event.
    Text,
    /// JSON.
    Json,
}

impl Form {
    /// `text` or `json`.
    pub fn name(self) -> &'static str {
        match self {
            Form::Text => "text",
            Form::Json => "json",
        }
    }
}

/// A session log, read and judged.
#[derive(Debug)]
pub struct Report {
    /// How it is written.
    pub form: Form,
    /// What it comes to.
    pub session: Session,
    /// What was found, in the order of the source.
    pub findings: Vec<Finding>,
}

/// The text is no session log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotALog {
    /// There is nothing in it.
    Empty,
    /// Few of its lines are events, or none.
    Other,
}

impl std::fmt::Display for NotALog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NotALog::Empty => "the file is empty",
            NotALog::Other => "not a session log: its lines are no events of a chouette",
        })
    }
}

impl std::error::Error for NotALog {}

/// Reads a session log and judges it. Options outrank what the log says of the rules.
///
/// # Errors
///
/// The text is no session log at all.
pub fn check(source: &Source, options: &RuleOptions) -> Result<Report, NotALog> {
    if source.text().trim().is_empty() {
        return Err(NotALog::Empty);
    }
    let mut findings = Findings::default();
    findings_of_encoding(source, &mut findings);
    let (form, log) = if json::is_json(source.text()) {
        (Form::Json, json::read(source, &mut findings))
    } else {
        let log = text::read(source, &mut findings);
        (Form::Text, log.ok_or(NotALog::Other)?)
    };
    let session = session::judge(&log, options, &mut findings);
    let mut findings = findings.take();
    findings.sort_by_key(|finding| finding.primary.span.start);
    Ok(Report {
        form,
        session,
        findings,
    })
}

/// Says that the encoding was guessed, if it was.
fn findings_of_encoding(source: &Source, findings: &mut Findings) {
    if !source.encoding_is_guessed() {
        return;
    }
    let at = source.text().bytes().position(|byte| !byte.is_ascii());
    let at = at.unwrap_or(0) as u32;
    let message = "the text is not UTF-8; it was read as Windows-1252";
    findings.push(Finding::new(
        &syntax::ENCODING_GUESSED,
        Span::new(at, at),
        message,
        "not ASCII",
    ));
}

#[cfg(test)]
pub(crate) mod testing {
    //! What the tests of several modules ask of a log.

    use super::{Report, check};
    use crate::ruleset::RuleOptions;
    use crate::source::Source;

    /// A log as judged.
    pub(crate) fn judged(text: &str) -> Report {
        let source = Source::new("log", text.into(), None).expect("a source");
        check(&source, &RuleOptions::default()).expect("a session log")
    }

    /// The codes of the findings.
    pub(crate) fn codes(text: &str) -> Vec<&'static str> {
        let findings = judged(text).findings;
        findings.iter().map(|finding| finding.rule.code).collect()
    }

    /// The findings as `code: label`.
    pub(crate) fn labels(text: &str) -> Vec<String> {
        let findings = judged(text).findings;
        let label = |finding: &crate::diagnostic::Finding| {
            format!("{}: {}", finding.rule.code, finding.primary.text)
        };
        findings.iter().map(label).collect()
    }

    /// What each player has won, in the order in which they come up.
    pub(crate) fn total(text: &str) -> Vec<i64> {
        judged(text).session.total
    }
}
