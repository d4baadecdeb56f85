//! Runs the tests against each mutant: those that come by it, the fast ones first, up to the first that fails.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::list::Mutant;

/// A test that takes so much longer than without a mutant hangs.
const PATIENCE: Duration = Duration::from_secs(20);
/// Kibibytes for a test and the programs that it starts, each.
const MEMORY: u32 = 4 << 20;
/// Seconds of tests that are run in one process, before it is looked whether more are needed.
const STAGES: [f64; 4] = [0.3, 2.0, 8.0, f64::INFINITY];

/// What became of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Verdict {
    KilledByUnitTest,
    KilledByIntegrationTest,
    TimedOut,
    Survived,
    NotWovenIn,
}

/// A line of the log.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) verdict: Verdict,
    /// The test that failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) by: Option<String>,
    /// How many tests come by it.
    pub(crate) tests: usize,
}

/// A test of one of the test programs, and what it comes by.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Test {
    program: PathBuf,
    is_unit: bool,
    name: String,
    seconds: f64,
    reaches: BTreeSet<usize>,
}

enum Outcome {
    Passed,
    Failed(String),
    Hung(String),
}

/// Tries the mutants of a copy that the log does not have. The words are the start of the command that a test runs under.
pub(crate) fn run(mutants: &[Mutant], copy: &Path, log: &Path, words: &[String]) {
    let (jobs, under) = match words.split_first() {
        Some((jobs, under)) => (jobs.parse().expect("how many at a time"), under),
        None => (1, words),
    };
    let left_out = fs::read_to_string(copy.join("left-out.json")).expect("a woven copy");
    let left_out: BTreeSet<usize> = serde_json::from_str(&left_out).expect("numbers");
    let (programs, tawla) = programs(copy);
    let probe = Probe::new(copy, tawla, under);
    let tests = tests(&programs, copy, under, jobs);
    println!("{} tests", tests.len());
    let done: BTreeSet<String> = entries(log).into_iter().map(|entry| entry.name).collect();
    let todo: Vec<_> = (1..)
        .zip(mutants)
        .filter(|(_, m)| !done.contains(&m.name))
        .collect();
    let log = OpenOptions::new()
        .create(true)
        .append(true)
        .open(log)
        .expect("the log");
    let (log, kills) = (Mutex::new(log), Mutex::new(HashMap::<String, u32>::new()));
    each(jobs, &todo, |&(number, mutant)| {
        let coming_by = tests
            .iter()
            .filter(|test| test.reaches.contains(&number))
            .count();
        let (verdict, by) = if left_out.contains(&number) {
            (Verdict::NotWovenIn, None)
        } else {
            trial(number, &tests, &probe, &kills, copy, under)
        };
        let entry = Entry {
            name: mutant.name.clone(),
            verdict,
            by,
            tests: coming_by,
        };
        let line = serde_json::to_string(&entry).expect("an entry");
        let mut log = log.lock().expect("the log");
        writeln!(log, "{line}").expect("the log");
    });
}

/// The test whose comparison the probe makes.
const PROBE: &str = "golden::check_prints_what_it_printed";
/// Fixtures that this test checks with options.
const WITH_OPTIONS: [&str; 5] = [
    "double-too-early",
    "automatic-double-not-agreed-forbidden",
    "move-too-long",
    "bank-empty",
    "clock-ran-backwards",
];

/// What `check` prints of the fixtures, all in one process: what the slowest of the tests that kill much compares.
struct Probe {
    tawla: PathBuf,
    fixtures: Vec<String>,
    expected: Vec<u8>,
}

impl Probe {
    fn new(copy: &Path, tawla: PathBuf, under: &[String]) -> Probe {
        let mut probe = Probe {
            tawla,
            fixtures: Vec::new(),
            expected: Vec::new(),
        };
        for fixture in fixtures(copy) {
            let begin = Instant::now();
            probe.fixtures = vec![fixture.clone()];
            let _ = probe.prints(0, copy, under);
            if begin.elapsed() < Duration::from_millis(300) {
                probe.expected.extend(format!("{fixture}\n").as_bytes());
            }
        }
        let fast = String::from_utf8(std::mem::take(&mut probe.expected)).expect("paths");
        probe.fixtures = fast.lines().map(str::to_owned).collect();
        probe.expected = probe.prints(0, copy, under).expect("an output");
        assert_eq!(probe.prints(0, copy, under).as_ref(), Some(&probe.expected));
        println!("{} fixtures in the probe", probe.fixtures.len());
        probe
    }

    fn fails(&self, number: usize, copy: &Path, under: &[String]) -> bool {
        self.prints(number, copy, under).as_ref() != Some(&self.expected)
    }

    /// Both outputs and the status. `None`: it takes too long.
    fn prints(&self, number: usize, copy: &Path, under: &[String]) -> Option<Vec<u8>> {
        let limited = format!("ulimit -v {MEMORY}; exec timeout 20 \"$@\" 2>&1");
        let mut words: Vec<&str> = under.iter().map(String::as_str).collect();
        words.extend(["sh", "-c", &limited, "sh"]);
        let output = Command::new(words[0])
            .args(&words[1..])
            .arg(&self.tawla)
            .args(["check", "--jobs", "1"])
            .args(&self.fixtures)
            .env("TAWLA_MUTANT", number.to_string())
            .current_dir(copy)
            .stdin(Stdio::null())
            .output()
            .expect("the program");
        let code = output.status.code().filter(|&code| code != 124)?;
        Some([output.stdout, vec![code as u8]].concat())
    }
}

/// The fixtures whose check is kept, but for those that have options.
fn fixtures(copy: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for folder in fs::read_dir(copy.join("fixtures"))
        .expect("fixtures")
        .flatten()
    {
        if folder.file_name() == "commands"
            || folder.file_name() == "chouette"
            || !folder.path().is_dir()
        {
            continue;
        }
        let files: Vec<PathBuf> = fs::read_dir(folder.path())
            .expect("a folder")
            .flatten()
            .map(|file| file.path())
            .collect();
        for kept in files
            .iter()
            .filter(|file| file.extension().is_some_and(|ending| ending == "check"))
        {
            let outputs = ["check", "score", "show", "concise", "settled"];
            let is_input = |file: &&PathBuf| {
                let ending = file
                    .extension()
                    .and_then(|ending| ending.to_str())
                    .unwrap_or("");
                let is_output =
                    outputs.contains(&ending) || ending == "json" && folder.file_name() == "mat";
                file.file_stem() == kept.file_stem() && !is_output
            };
            let stem = kept
                .file_stem()
                .and_then(|stem| stem.to_str())
                .unwrap_or("");
            if !WITH_OPTIONS.contains(&stem) {
                let path = |file: &PathBuf| {
                    file.strip_prefix(copy)
                        .expect("inside")
                        .display()
                        .to_string()
                };
                found.extend(files.iter().filter(is_input).map(path));
            }
        }
    }
    found.sort();
    found
}

/// Does something with each of a list, so many at a time.
fn each<T: Sync>(jobs: usize, list: &[T], act: impl Fn(&T) + Sync) {
    let next = Mutex::new(list.iter());
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let Some(one) = next.lock().expect("the list").next() else {
                        return;
                    };
                    act(one);
                }
            });
        }
    });
}

fn trial(
    number: usize,
    tests: &[Test],
    probe: &Probe,
    kills: &Mutex<HashMap<String, u32>>,
    copy: &Path,
    under: &[String],
) -> (Verdict, Option<String>) {
    for is_unit in [true, false] {
        let mut left: Vec<&Test> = tests
            .iter()
            .filter(|test| test.is_unit == is_unit && test.reaches.contains(&number))
            .collect();
        {
            // What has killed before is likely to kill again.
            let kills = kills.lock().expect("the kills");
            let cost =
                |test: &&Test| test.seconds / f64::from(1 + kills.get(&test.name).unwrap_or(&0));
            left.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
        }
        for most in STAGES {
            let mut seconds = 0.0;
            let fits = |test: &&Test| {
                seconds += test.seconds;
                seconds <= most
            };
            let count = left.iter().copied().take_while(fits).count();
            let stage: Vec<&Test> = left.drain(..count).collect();
            let mut programs: BTreeMap<&Path, Vec<&Test>> = BTreeMap::new();
            for test in stage {
                programs.entry(&test.program).or_default().push(test);
            }
            for (program, tests) in programs {
                let names: Vec<&str> = tests.iter().map(|test| &*test.name).collect();
                let usual = tests.iter().map(|test| test.seconds).sum::<f64>();
                let patience = PATIENCE + Duration::from_secs_f64(5.0 * usual);
                let settings = [("TAWLA_MUTANT", number.to_string())];
                match start(program, &names, &settings, patience, copy, under) {
                    Outcome::Passed => {}
                    Outcome::Failed(by) => {
                        *kills
                            .lock()
                            .expect("the kills")
                            .entry(by.clone())
                            .or_default() += 1;
                        let verdict = if is_unit {
                            Verdict::KilledByUnitTest
                        } else {
                            Verdict::KilledByIntegrationTest
                        };
                        return (verdict, Some(by));
                    }
                    Outcome::Hung(by) => return (Verdict::TimedOut, Some(by)),
                }
            }
            if is_unit && most == STAGES[0] && probe.fails(number, copy, under) {
                return (Verdict::KilledByIntegrationTest, Some(PROBE.to_owned()));
            }
        }
    }
    (Verdict::Survived, None)
}

/// Runs some tests of a program, one after another, up to the first that fails.
fn start(
    program: &Path,
    names: &[&str],
    settings: &[(&str, String)],
    patience: Duration,
    copy: &Path,
    under: &[String],
) -> Outcome {
    let limited = format!("ulimit -v {MEMORY}; exec \"$@\"");
    let mut words: Vec<&str> = under.iter().map(String::as_str).collect();
    words.extend(["sh", "-c", &limited, "sh"]);
    let mut child = Command::new(words[0])
        .args(&words[1..])
        .arg(program)
        .args(["--test-threads=1", "--exact"])
        .args(names)
        .envs(settings.iter().map(|(name, value)| (name, value)))
        .current_dir(copy)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .expect("a test program");
    let stdout = BufReader::new(child.stdout.take().expect("its output"));
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in stdout.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    let unknown = || names.first().copied().unwrap_or_default().to_owned();
    // The program may have to wait before it may start: time counts from its first line.
    let mut end = None;
    let mut passed = 0;
    loop {
        let left = end.map_or(Duration::from_secs(86_400), |end: Instant| {
            end.duration_since(Instant::now())
        });
        match lines.recv_timeout(left) {
            Ok(line) => {
                end = end.or(Some(Instant::now() + patience));
                if let Some(name) = line
                    .strip_prefix("test ")
                    .and_then(|rest| rest.strip_suffix(" ... FAILED"))
                {
                    kill(&mut child);
                    return Outcome::Failed(name.to_owned());
                }
                passed += usize::from(line.ends_with(" ... ok"));
            }
            Err(RecvTimeoutError::Timeout) => {
                kill(&mut child);
                return Outcome::Hung(names.get(passed).copied().unwrap_or_default().to_owned());
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = child.wait().expect("a status");
    if status.success() {
        Outcome::Passed
    } else {
        Outcome::Failed(
            names
                .get(passed)
                .copied()
                .map_or_else(unknown, str::to_owned),
        )
    }
}

/// Ends a test program and all that it has started.
fn kill(child: &mut Child) {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill")
        .args(["-KILL", "--", &group])
        .stderr(Stdio::null())
        .status();
    let _ = child.wait();
}

/// The tests of a copy, with what each comes by; known from `tests.json` if they have been run before.
fn tests(programs: &[(PathBuf, bool)], copy: &Path, under: &[String], jobs: usize) -> Vec<Test> {
    let known = copy.join("tests.json");
    if let Ok(text) = fs::read_to_string(&known) {
        return serde_json::from_str(&text).expect("tests");
    }
    let found = Mutex::new(Vec::new());
    let mut todo = Vec::new();
    for (program, is_unit) in programs {
        let output = Command::new(program)
            .args(["--list", "--format", "terse"])
            .output()
            .expect("a list");
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            if let Some(name) = line.strip_suffix(": test") {
                todo.push((program.clone(), *is_unit, name.to_owned()));
            }
        }
    }
    each(jobs, &todo, |(program, is_unit, name)| {
        let trace = std::env::temp_dir().join(format!(
            "trace-{}-{}",
            std::process::id(),
            name.replace(':', "-")
        ));
        let settings = [("TAWLA_MUTANT_TRACE", trace.display().to_string())];
        let begin = Instant::now();
        let outcome = start(
            program,
            &[name],
            &settings,
            Duration::from_secs(600),
            copy,
            under,
        );
        let seconds = begin.elapsed().as_secs_f64();
        let reaches = fs::read_to_string(&trace).unwrap_or_default();
        let _ = fs::remove_file(&trace);
        if !matches!(outcome, Outcome::Passed) {
            println!("without a mutant {name} fails and is not used");
            return;
        }
        found.lock().expect("tests").push(Test {
            program: program.clone(),
            is_unit: *is_unit,
            name: name.clone(),
            seconds,
            reaches: reaches
                .lines()
                .filter_map(|line| line.parse().ok())
                .collect(),
        });
    });
    let mut found = found.into_inner().expect("tests");
    found.sort_by(|a, b| a.name.cmp(&b.name));
    fs::write(known, serde_json::to_string(&found).expect("tests")).expect("the tests");
    found
}

/// The test programs of a copy, and whether their tests are those beside the code; and the program itself.
fn programs(copy: &Path) -> (Vec<(PathBuf, bool)>, PathBuf) {
    let output = Command::new("cargo")
        .args([
            "test",
            "--no-run",
            "--lib",
            "--bins",
            "--test",
            "it",
            "--message-format=json",
        ])
        .current_dir(copy)
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo");
    assert!(output.status.success(), "the copy does not compile");
    let (mut tests, mut tawla) = (Vec::new(), None);
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let Some(program) = line["executable"].as_str().map(PathBuf::from) else {
            continue;
        };
        if line["profile"]["test"] == true {
            tests.push((program, line["target"]["name"] != "it"));
        } else {
            tawla = Some(program);
        }
    }
    (tests, tawla.expect("the program"))
}

fn entries(log: &Path) -> Vec<Entry> {
    let text = fs::read_to_string(log).unwrap_or_default();
    text.lines()
        .map(|line| serde_json::from_str(line).expect("an entry"))
        .collect()
}

/// Prints how many mutants came to which end, and the names of those that live.
pub(crate) fn table(mutants: &[Mutant], log: &Path) {
    let entries = entries(log);
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for entry in &entries {
        *counts.entry(entry.verdict).or_default() += 1;
    }
    println!("listed {}, tried {}", mutants.len(), entries.len());
    for (verdict, count) in &counts {
        println!("{count:5} {verdict:?}");
    }
    for entry in entries
        .iter()
        .filter(|entry| entry.verdict >= Verdict::Survived)
    {
        println!("{:?} {} tests: {}", entry.verdict, entry.tests, entry.name);
    }
}
