//! Findings as a log in SARIF 2.1.0, the Static Analysis Results Interchange Format of OASIS, which code
//! hosts and editors read.
//!
//! The structs are ours and hold no more than what is written: a run has one tool, one list of results and one
//! invocation. The log is written in three parts, [`start`], results, [`end`], so that memory does not depend
//! on how much is found.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use serde::Serialize;

use super::json::{BaselineOutput, Silencer};
use crate::baseline::written;
use crate::diagnostic::{Finding, Label, Rule};
use crate::rules;
use crate::source::{Source, Span};

/// The schema that a log names.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver<'a> {
    name: &'a str,
    version: &'a str,
    semantic_version: &'a str,
    rules: Vec<Descriptor<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor<'a> {
    id: &'a str,
    short_description: Message<&'a str>,
    full_description: Message<&'a str>,
    help: Message<String>,
    default_configuration: Configuration<'a>,
    properties: Tags<'a>,
}

#[derive(Debug, Serialize)]
struct Configuration<'a> {
    level: &'a str,
}

#[derive(Debug, Serialize)]
struct Tags<'a> {
    tags: [&'a str; 1],
}

#[derive(Debug, Serialize)]
struct Message<T> {
    text: T,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'a str,
    message: Message<String>,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: BTreeMap<&'a str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressions: Option<[Suppression<'a>; 1]>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    logical_locations: Option<[LogicalLocation; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message<String>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Debug, Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
    start_column: u32,
    end_line: u64,
    end_column: u32,
}

#[derive(Debug, Serialize)]
struct Suppression<'a> {
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    justification: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Location>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    exit_code: u8,
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Debug, Serialize)]
struct Notification {
    level: &'static str,
    message: Message<String>,
    locations: [Location; 1],
}

/// What is known when everything was checked.
#[derive(Debug, Default)]
pub struct Ending {
    /// Inputs that could not be read, with the reasons.
    pub unread: Vec<(String, String)>,
    /// The exit status.
    pub status: u8,
    /// Counts by code, if they are wanted.
    pub statistics: Option<BTreeMap<String, u64>>,
    /// What became of the baseline, if there is one.
    pub baseline: Option<BaselineOutput>,
}

#[derive(Debug, Serialize)]
struct Properties<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<&'a BTreeMap<String, u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<&'a BaselineOutput>,
}

/// Writes the log up to its results.
///
/// # Errors
///
/// Those of `out`.
pub fn start(out: &mut dyn Write) -> io::Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    let driver = Driver {
        name: env!("CARGO_PKG_NAME"),
        version,
        semantic_version: version,
        rules: rules::all().map(descriptor).collect(),
    };
    write!(
        out,
        "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":"
    )?;
    crate::escape::write_json(&mut *out, &driver)?;
    write!(
        out,
        "}},\n\"columnKind\":\"unicodeCodePoints\",\n\"results\":["
    )
}

fn descriptor(rule: &'static Rule) -> Descriptor<'static> {
    Descriptor {
        id: rule.code,
        short_description: Message { text: rule.title },
        full_description: Message { text: rule.explain },
        help: Message {
            text: format!("{}\n\nExample:\n\n{}", rule.explain, rule.example),
        },
        default_configuration: Configuration {
            level: rule.level.name(),
        },
        properties: Tags {
            tags: [rule.subject],
        },
    }
}

/// Writes the log from its results on.
///
/// # Errors
///
/// Those of `out`.
pub fn end(ending: Ending, out: &mut dyn Write) -> io::Result<()> {
    let notification = |(path, reason): (String, String)| Notification {
        level: "error",
        locations: [Location {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri: uri(&path) },
                region: None,
            },
            logical_locations: None,
            message: None,
        }],
        message: Message {
            text: format!("cannot be read: {reason}"),
        },
    };
    let invocation = Invocation {
        execution_successful: ending.unread.is_empty(),
        exit_code: ending.status,
        tool_execution_notifications: ending.unread.into_iter().map(notification).collect(),
    };
    write!(out, "\n],\n\"invocations\":[")?;
    crate::escape::write_json(&mut *out, &invocation)?;
    out.write_all(b"]")?;
    let properties = Properties {
        statistics: ending.statistics.as_ref(),
        baseline: ending.baseline.as_ref(),
    };
    if properties.statistics.is_some() || properties.baseline.is_some() {
        out.write_all(b",\n\"properties\":")?;
        crate::escape::write_json(&mut *out, &properties)?;
    }
    writeln!(out, "}}]}}")
}

/// The results of one input.
#[derive(Debug, Default)]
pub struct Results {
    /// How many findings of this fingerprint there were.
    seen: HashMap<u64, u32>,
    is_started: bool,
}

impl Results {
    /// Writes a result, with a comma before it if it is not the first of its input.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(
        &mut self,
        finding: &Finding,
        silencer: Option<Silencer<'_>>,
        source: &Source,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        out.write_all(if self.is_started { b",\n" } else { b"\n" })?;
        self.is_started = true;
        let mut text = finding.message.clone();
        if let Some(help) = &finding.help {
            text.push('\n');
            text.push_str(help);
        }
        let mut location = location(source, finding.primary.span, Some(&finding.primary));
        location.logical_locations = super::logical_place(&finding.context).map(|place| {
            [LogicalLocation {
                fully_qualified_name: place,
            }]
        });
        let code = finding.rule.code;
        let outcome = Outcome {
            rule_id: code,
            rule_index: rules::all()
                .position(|rule| rule.code == code)
                .expect("a rule of the list"),
            level: finding.level.name(),
            message: Message { text },
            locations: [location],
            related_locations: finding
                .secondary
                .iter()
                .map(|label| self::location(source, label.span, Some(label)))
                .collect(),
            partial_fingerprints: BTreeMap::from([(
                "tawlaFinding/v1",
                self.fingerprint(finding, source),
            )]),
            suppressions: silencer.map(|silencer| [suppression(silencer, source)]),
        };
        Ok(crate::escape::write_json(out, &outcome)?)
    }

    /// What stays the same when lines are added above a finding or the file is moved.
    fn fingerprint(&mut self, finding: &Finding, source: &Source) -> String {
        let place = super::logical_place(&finding.context).unwrap_or_default();
        let text = format!(
            "{}\n{place}\n{}",
            finding.rule.code,
            written(finding, source)
        );
        let hash = fnv1a(text.as_bytes());
        let seen = self.seen.entry(hash).or_default();
        *seen += 1;
        format!("{hash:016x}:{seen}")
    }
}

/// A hash that is the same in every version of the compiler, which those of the standard library are not.
fn fnv1a(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

fn suppression<'a>(silencer: Silencer<'a>, source: &Source) -> Suppression<'a> {
    match silencer {
        Silencer::Allow(span, reason) => Suppression {
            kind: "inSource",
            justification: (!reason.is_empty()).then_some(reason),
            location: Some(location(source, span, None)),
        },
        Silencer::Baseline => Suppression {
            kind: "external",
            justification: None,
            location: None,
        },
    }
}

fn location(source: &Source, span: Span, label: Option<&Label>) -> Location {
    let (start, end) = (source.line_column(span.start), source.line_column(span.end));
    Location {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation {
                uri: uri(source.name()),
            },
            // A binary input has no lines; those of its listing are not lines of the file.
            region: (source.encoding() != "binary").then_some(Region {
                start_line: start.line,
                start_column: start.column,
                end_line: end.line,
                end_column: end.column,
            }),
        },
        logical_locations: None,
        message: label
            .filter(|label| !label.text.is_empty())
            .map(|label| Message {
                text: label.text.clone(),
            }),
    }
}

/// A path as a reference: relative ones stay so, absolute ones get the scheme of files.
fn uri(path: &str) -> String {
    let path = if cfg!(windows) {
        path.replace('\\', "/")
    } else {
        path.to_owned()
    };
    let is_drive = cfg!(windows) && path.as_bytes().get(1) == Some(&b':');
    let scheme = match (path.starts_with('/'), is_drive) {
        (true, _) => "file://",
        (false, true) => "file:///",
        (false, false) => "",
    };
    let mut uri = scheme.to_owned();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("a b/c#1:x.mat"), "a%20b/c%231%3Ax.mat");
        assert_eq!(uri("../J\u{f6}rg.mat"), "../J%C3%B6rg.mat");
        assert_eq!(uri("/tmp/100%.mat"), "file:///tmp/100%25.mat");
        assert_eq!(uri("-"), "-");
    }

    #[test]
    fn the_hash_is_the_published_one() {
        // The test vectors of the authors of the hash.
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
