//! What the lines that silence a rule get wrong. Such a line is written by a person and stays for years: one
//! that silences nothing hides a mistake, so that both are findings.

use crate::diagnostic::{Level, Rule};

/// A line that names no rule.
pub static ALLOW_UNKNOWN: Rule = Rule {
    code: "allow-unknown",
    subject: "record",
    level: Level::Warning,
    title: "a line that should silence a rule names none",
    explain: "A comment that starts with tawla: is read as an instruction, and the only one is allow, followed by \
        the code of a rule (or several with commas between them) and a reason in free words. Without a code that \
        exists nothing is silenced. `tawla explain` lists the codes.",
    example: "; tawla: allow dice-lef the referee saw it",
};

/// A line that silences nothing.
pub static ALLOW_UNUSED: Rule = Rule {
    code: "allow-unused",
    subject: "record",
    level: Level::Note,
    title: "a line that silences a rule is not needed",
    explain: "The rule that the line names is not broken in its game, or, where the line stands before the first \
        game, nowhere in the match. Take it out, so that it does not hide a later mistake; if it was meant \
        for another game, move it there.",
    example: "; tawla: allow dice-left the referee saw it",
};

/// The rules of this subject.
pub(super) const RULES: &[&Rule] = &[&ALLOW_UNKNOWN, &ALLOW_UNUSED];
