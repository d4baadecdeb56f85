//! The text form of a session log, read line by line: what the grammar does not allow is said, and how the
//! event is written.

use super::grammar::{Agreed, Written, line};
use super::log::{Answer, Event, Log, Name, Stake, Turn};
use crate::diagnostic::{Finding, Findings, syntax};
use crate::ruleset::RuleOptions;
use crate::source::{Source, Span, Spanned, lines};

/// Reads the text form; `None` if more lines of it are no events than are some, however badly written.
pub(super) fn read(source: &Source, findings: &mut Findings) -> Option<Log> {
    let mut log = Log::default();
    let (mut known, mut others) = (0u32, 0u32);
    for written in lines(source.text()) {
        let text = without_comment(written.text).trim();
        if text.is_empty() {
            continue;
        }
        let span = source.span(text);
        let finding = match line(text) {
            Ok((_, written)) => {
                known += 1;
                add(written, span, source, &mut log, findings);
                continue;
            }
            Err(nom::Err::Failure(error) | nom::Err::Error(error))
                if error.input.len() < text.len() =>
            {
                *if is_event(text) {
                    &mut known
                } else {
                    &mut others
                } += 1;
                let place = rest_of(error.input, source, span);
                unreadable(place, "this event cannot be read", form_of(text))
            }
            Err(_) => {
                others += 1;
                unreadable(span, "this is no event of a session", EVENTS)
            }
        };
        findings.push(finding);
        // A header is no event: what happens in the games is known all the same.
        if !["stake", "rules"].contains(&keyword_of(text).as_str()) {
            log.events.push(Spanned::new(Event::Unreadable, span));
        }
    }
    (known > 0 && known >= others).then_some(log)
}

fn unreadable(span: Span, message: &str, label: &str) -> Finding {
    Finding::new(&syntax::UNREADABLE_LINE, span, message, label)
}

/// From where a parser stopped to the end of the item, or the whole line if nothing is left.
fn rest_of(rest: &str, source: &Source, line: Span) -> Span {
    let rest = rest.trim_start();
    let item = rest.split(',').next().unwrap_or(rest).trim_end();
    if item.is_empty() {
        line
    } else {
        source.span(item)
    }
}

/// The line up to its comment.
fn without_comment(line: &str) -> &str {
    let starts_comment = |at: usize| at == 0 || line[..at].ends_with([' ', '\t']);
    let mut marks = line.match_indices('#').map(|(at, _)| at);
    marks
        .find(|&at| starts_comment(at))
        .map_or(line, |at| &line[..at])
}

/// The spelling of each event, for messages: the words before the colon, and how the line goes on.
const FORMS: [(&str, &str); 13] = [
    (
        "stake",
        "an amount and what it is counted in: `stake: 0.50 EUR`",
    ),
    (
        "rules",
        "rules with commas between them: `rules: jacoby, no beavers, cube limit 64`",
    ),
    (
        "rolls",
        "names with their dice: `rolls: Ayla 6, Burak 4, Ceren 2`",
    ),
    (
        "seats",
        "box, captain and queue: `seats: Ayla, Burak, Ceren`",
    ),
    (
        "automatic double",
        "the value at the most: `automatic double: to 2`",
    ),
    (
        "double",
        "who doubles, then what each says: `double: Ayla to 2, Burak takes, Ceren passes`",
    ),
    (
        "beaver",
        "who turns the cube, then what each says: `beaver: Burak to 4, Ceren agrees`",
    ),
    (
        "raccoon",
        "who turns the cube, then what each says: `raccoon: Ayla to 8, Burak takes`",
    ),
    (
        "result",
        "who wins what: `result: box wins gammon, 4 points`",
    ),
    (
        "settlement",
        "names with points: `settlement: Ayla +4, Burak -4`",
    ),
    ("total", "names with points: `total: Ayla +4, Burak -4`"),
    ("join", "one name: `join: Deniz`"),
    ("leave", "one name: `leave: Deniz`"),
];

/// Where all events are listed.
const EVENTS: &str = "`tawla chouette --help` lists the events";

/// What stands before the colon.
fn keyword_of(text: &str) -> String {
    text.split(':').next().unwrap_or(text).trim().to_lowercase()
}

/// Whether a line has the keyword of an event and its colon, whatever follows.
fn is_event(text: &str) -> bool {
    let keyword = keyword_of(text);
    text.contains(':') && FORMS.iter().any(|(name, _)| *name == keyword)
}

/// How the event that a line starts with is written.
fn form_of(text: &str) -> &'static str {
    let word = keyword_of(text);
    let form = FORMS.iter().find(|(name, _)| word.starts_with(name));
    form.map_or("nothing follows here", |(_, form)| form)
}

/// Puts a line into the log, with the places of what is in it.
fn add(written: Written<'_>, span: Span, source: &Source, log: &mut Log, findings: &mut Findings) {
    let name = |text: &str| Name::new(text.to_owned(), source.span(text));
    let event = match written {
        Written::Stake(amount, unit) => return add_stake(amount, unit, span, log, findings),
        Written::Rules(rules) => {
            return rules
                .into_iter()
                .for_each(|rule| agree(rule, &mut log.rules));
        }
        Written::Rolls(rolls) => Event::Rolls(
            rolls
                .into_iter()
                .map(|(who, dice)| (name(who), dice))
                .collect(),
        ),
        Written::Seats(names) => Event::Seats(names.into_iter().map(name).collect()),
        Written::AutomaticDouble(to) => Event::AutomaticDouble { to },
        Written::Turn(kind, (by, to), answers) => {
            for (text, _) in answers
                .iter()
                .filter(|(_, said)| *said == Answer::Unreadable)
            {
                let label = "a name and takes, passes, agrees or refuses";
                findings.push(unreadable(source.span(text), "this is no answer", label));
            }
            Event::Turn(Turn {
                kind,
                by: name(by),
                to,
                answers: answers
                    .into_iter()
                    .map(|(who, said)| (name(who), said))
                    .collect(),
            })
        }
        Written::Result(outcome) => Event::Result(outcome),
        Written::Settlement(list) => Event::Settlement(
            list.into_iter()
                .map(|(who, points)| (name(who), points))
                .collect(),
        ),
        Written::Total(list) => Event::Total(
            list.into_iter()
                .map(|(who, points)| (name(who), points))
                .collect(),
        ),
        Written::Join(who) => Event::Join(name(who)),
        Written::Leave(who) => Event::Leave(name(who)),
        Written::End => Event::End,
    };
    log.events.push(Spanned::new(event, span));
}

/// Notes the stake. The first one counts.
pub(super) fn add_stake(
    amount: &str,
    unit: &str,
    span: Span,
    log: &mut Log,
    findings: &mut Findings,
) {
    let Some(stake) = Stake::new(amount, unit, span) else {
        let label = "up to six digits before the point and three behind it";
        findings.push(unreadable(span, "this is no stake", label));
        return;
    };
    match &log.stake {
        Some(first) => findings.push(
            Finding::new(
                &syntax::BAD_HEADER,
                span,
                "the stake is stated twice",
                "the first one counts",
            )
            .also(first.span, "stated here"),
        ),
        None => log.stake = Some(stake),
    }
}

fn agree(rule: Agreed, rules: &mut RuleOptions) {
    match rule {
        Agreed::Jacoby(on) => rules.jacoby = Some(on),
        Agreed::Beavers(on) => rules.beavers = Some(on),
        Agreed::Raccoons(on) => rules.raccoons = Some(on),
        Agreed::Cube(on) => rules.cube = Some(on),
        Agreed::AutomaticDoubles(number) => rules.automatic_doubles = Some(number),
        Agreed::CubeLimit(limit) => rules.cube_limit = Some(Some(limit)),
        Agreed::BackgammonCounts(counts) => rules.backgammon_counts = Some(counts),
    }
}

#[cfg(test)]
mod tests {
    use crate::chouette::check;
    use crate::chouette::testing::{codes, judged, labels, total};
    use crate::ruleset::RuleOptions;
    use crate::source::Source;

    #[test]
    fn comments_start_behind_a_blank() {
        let text = "# the form\nseats: Ayla#1, Burak, Ceren # by the dice\n\tresult: box wins\t# at last\n";
        assert_eq!(codes(text), [""; 0]);
        assert_eq!(judged(text).session.players, ["Ayla#1", "Burak", "Ceren"]);
    }

    #[test]
    fn an_answer_that_cannot_be_read_hides_no_other() {
        let text = "seats: Ayla, Burak, Ceren\ndouble: Ayla to 2, Burak perhaps, Ceren passes\nresult: box wins\n";
        let expected = "unreadable-line: a name and takes, passes, agrees or refuses";
        assert_eq!(
            (labels(text), total(text)),
            (vec![expected.to_owned()], vec![3, -2, -1])
        );
    }

    #[test]
    fn how_an_event_is_written_is_said() {
        let text = "seats: Ayla, Burak, Ceren\nresult: box wins by far\nJoin: Deniz, Emre\n";
        let expected = [
            "unreadable-line: who wins what: `result: box wins gammon, 4 points`",
            "unreadable-line: one name: `join: Deniz`",
        ];
        assert_eq!(labels(text), expected);
    }

    #[test]
    fn prose_with_an_event_in_it_is_no_log() {
        let read = |text: &str| {
            check(
                &Source::new("log", text.into(), None).expect("a source"),
                &RuleOptions::default(),
            )
        };
        assert!(read("The form\n\nof a log:\nseats: Ayla, Burak, Ceren\n").is_err());
        assert!(read("end of the matter\n").is_err());
        assert!(read("a title\nseats: Ayla, Burak, Ceren\n").is_ok());
        assert!(read("seats:\n").is_ok());
    }

    #[test]
    fn a_stake_that_is_none_leaves_the_games_as_they_are() {
        let text =
            "stake: 1,50\nstake: 1.2345\nseats: Ayla, Burak, Ceren\nresult: box wins, 9 points\n";
        let expected = ["unreadable-line", "unreadable-line", "contradictory-result"];
        assert_eq!(codes(text), expected);
    }
}
