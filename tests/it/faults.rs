//! What happens when the system says no, when others get in the way, and when a file was made to do harm. Each
//! is a row of the table in `tests/fuzz/README.md`, which names the test.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::command::{Ran, program, reading, tawla, tawla_reading};
use crate::support::folder::Folder;
use crate::support::packed::tar;
use crate::support::root;

/// A match in which nothing is found.
const CLEAN: &str = "fixtures/mat/jellyfish.mat";

/// So long a run may take that must not wait for anything.
const PATIENCE: Duration = Duration::from_secs(60);

fn clean() -> Vec<u8> {
    fs::read(root().join(CLEAN)).expect("a fixture")
}

/// The program in a shell, which sets it up; `"$@"` is the program with its arguments.
fn in_shell(script: &str, args: &[&str]) -> Command {
    let inner = program(args);
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh"]).arg(inner.get_program());
    command.args(args).current_dir(root()).stdin(Stdio::null());
    command
}

/// Ends by itself: no panic, no signal, no waiting.
fn ends(command: &mut Command, input: &[u8]) -> Ran {
    let start = Instant::now();
    let output = reading(command, input);
    assert!(start.elapsed() < PATIENCE, "{command:?} took too long");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let err = text(&output.stderr);
    assert!(!err.contains("panicked"), "{err}");
    Ran {
        status: output.status.code().expect("an end without a signal"),
        out: text(&output.stdout),
        err,
    }
}

/// A pipe with a name; its path.
fn fifo(folder: &Folder, name: &str) -> String {
    let path = format!("{}/{name}", folder.path());
    let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo");
    assert!(made.success());
    path
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_full_disk_is_said_by_every_command() {
    let commands: [&[&str]; 11] = [
        &["check", CLEAN],
        &["check", "--format", "json", CLEAN],
        &["check", "--format", "sarif", CLEAN],
        &["score", CLEAN],
        &["show", CLEAN],
        &["convert", "-t", "sgf", CLEAN],
        &["convert", "-t", "csv", CLEAN],
        &["plays", "4HPwATDgc/ABMA", "31"],
        &["id", "4HPwATDgc/ABMA"],
        &["explain"],
        &["man"],
    ];
    for args in commands {
        let ran = ends(&mut in_shell("exec \"$@\" >/dev/full", args), b"");
        assert_eq!(ran.status, 2, "{args:?}: {}", ran.err);
        assert!(ran.err.contains("No space left"), "{args:?}: {}", ran.err);
    }
}

#[test]
fn a_full_disk_behind_standard_error_changes_no_status() {
    for args in [
        &["check", "fixtures/nowhere.mat", CLEAN][..],
        &["check", "--nonsense"],
        // What is lost is said on standard error.
        &["convert", "-t", "gam", "fixtures/mat/foxamon.mat"],
        &["plays", "nonsense", "31"],
    ] {
        let expected = tawla(args);
        assert!(!expected.err.is_empty(), "{args:?}");
        let ran = ends(&mut in_shell("exec \"$@\" 2>/dev/full", args), b"");
        assert_eq!(
            (ran.status, ran.out),
            (expected.status, expected.out),
            "{args:?}"
        );
    }
}

#[test]
fn closed_descriptors_are_survived() {
    let ran = ends(&mut in_shell("exec \"$@\" <&-", &["check", "-"]), b"");
    assert_eq!(ran.status, 2, "{}", ran.err);
    let ran = ends(
        &mut in_shell("exec \"$@\" 2>&-", &["check", "nowhere"]),
        b"",
    );
    assert_eq!(ran.status, 2);
    let ran = ends(&mut in_shell("exec \"$@\" >&-", &["check", CLEAN]), b"");
    assert!([0, 2].contains(&ran.status), "{}", ran.status);
}

#[test]
fn a_reader_that_leaves_ends_a_conversion_quietly() {
    let paths = vec![CLEAN; 400];
    for target in ["mat", "csv", "txt"] {
        let args = [&["convert", "-t", target][..], &paths].concat();
        let ran = ends(&mut in_shell("\"$@\" | head -c 10 >/dev/null", &args), b"");
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{target}");
    }
}

#[test]
fn devices_are_written_into_and_never_replaced() {
    let ran = tawla(&["convert", CLEAN, "-t", "sgf", "-o", "/dev/full"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("No space left"), "{}", ran.err);
    let ran = tawla(&["convert", CLEAN, "-t", "sgf", "-o", "/dev/null", "--force"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    for device in ["/dev/full", "/dev/null"] {
        let kind = fs::metadata(device).expect("a device").file_type();
        assert!(kind.is_char_device(), "{device}");
    }
    let folder = Folder::new("device-baseline");
    let slip = folder.write("a.mat", "x\n");
    let ran = tawla(&["check", &slip, "--write-baseline", "/dev/null", "--force"]);
    assert!(ran.status <= 2);
    assert!(
        fs::metadata("/dev/null")
            .expect("a device")
            .file_type()
            .is_char_device()
    );
}

#[test]
fn a_pipe_takes_an_output() {
    let folder = Folder::new("fifo-out");
    let fifo = fifo(&folder, "out.sgf");
    let path = fifo.clone();
    let reader = thread::spawn(move || fs::read(path).expect("what was written"));
    let ran = tawla(&["convert", CLEAN, "-o", &fifo]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(reader.join().expect("a reader").starts_with(b"(;FF[4]"));
    assert!(fs::metadata(&fifo).expect("a pipe").file_type().is_fifo());
}

#[test]
fn devices_as_inputs_are_read_up_to_a_limit() {
    let ran = ends(&mut program(&["check", "/dev/null"]), b"");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("the file is empty"), "{}", ran.err);
    for device in ["/dev/zero", "/dev/urandom"] {
        let ran = ends(&mut program(&["check", device]), b"");
        assert_eq!(ran.status, 2, "{}", ran.err);
        assert!(
            ran.err.contains("not a format that is known"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn read_errors_are_named_and_stop_no_other_input() {
    // Reading a process's memory at its start, and a folder as a file, are errors of the system.
    let ran = ends(&mut program(&["check", "/proc/self/mem", CLEAN]), b"");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("/proc/self/mem"), "{}", ran.err);
    assert!(ran.out.contains("1 match"), "{}", ran.out);
    let ran = ends(&mut in_shell("exec \"$@\" </", &["check", "-"]), b"");
    assert_eq!(ran.status, 2, "{}", ran.err);
    assert!(ran.err.contains("directory"), "{}", ran.err);
}

#[test]
fn a_pipe_that_breaks_off_is_a_cut_file() {
    let folder = Folder::new("fifo-in");
    let fifo = fifo(&folder, "in.mat");
    let path = fifo.clone();
    let writer = thread::spawn(move || {
        let text = " 3 point match\n\n Game 1\n A : 0      B : 0\n  1) 31: 8/5 6/5    42: 8/4 6/";
        fs::write(path, text).expect("a pipe")
    });
    let ran = tawla(&["check", "--format", "concise", &fifo]);
    writer.join().expect("a writer");
    assert_eq!(ran.status, 1);
    assert!(ran.out.contains("error[truncated]"), "{}", ran.out);
}

#[test]
fn a_pipe_in_a_folder_keeps_nobody_waiting() {
    let folder = Folder::new("fifo-found");
    folder.copy(CLEAN, "a.mat");
    fifo(&folder, "b.mat");
    let ran = ends(&mut program(&["check", folder.path()]), b"");
    assert!(ran.out.contains("1 match"), "{} {}", ran.out, ran.err);
}

#[test]
fn an_output_that_is_the_input_is_refused_and_replaced_whole_by_force() {
    let folder = Folder::new("onto-itself");
    let path = folder.copy(CLEAN, "a.mat");
    let before = clean();
    let ran = tawla(&["convert", &path, "-o", &path]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("exists"), "{}", ran.err);
    assert_eq!(fs::read(&path).expect("a file"), before);
    let ran = tawla(&["convert", &path, "-t", "sgf", "-o", &path, "--force"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(fs::read(&path).expect("a file").starts_with(b"(;FF[4]"));
    assert_eq!(names(folder.as_path()), ["a.mat"]);
}

#[test]
fn of_two_that_write_one_file_one_wins_whole() {
    let folder = Folder::new("two-writers");
    let out = format!("{}/out.sgf", folder.path());
    let other = "fixtures/mat/foxamon.mat";
    for force in [false, true] {
        let start = |input: &str| {
            let force: &[&str] = if force { &["--force"] } else { &[] };
            let args = [&["convert", input, "-o", &out][..], force].concat();
            program(&args)
                .stderr(Stdio::null())
                .spawn()
                .expect("the program starts")
        };
        let children: Vec<Child> = (0..8).map(|n| start([CLEAN, other][n % 2])).collect();
        let ends = children
            .into_iter()
            .map(|mut child| child.wait().expect("an end"));
        let won = ends.filter(|status| status.success()).count();
        assert_eq!(won, if force { 8 } else { 1 });
        let whole = [CLEAN, other].map(|input| tawla(&["convert", "-t", "sgf", input]).out);
        let written = fs::read_to_string(&out).expect("a file");
        assert!(whole.contains(&written), "{written}");
        assert_eq!(names(folder.as_path()), ["out.sgf"]);
    }
}

#[test]
fn killed_at_any_time_leaves_the_old_file_or_the_new_one() {
    let folder = Folder::new("killed");
    let text = String::from_utf8(clean()).expect("text").repeat(300);
    let input = folder.write("in.mat", &text);
    let out = format!("{}/out/all.sgf", folder.path());
    let old = "old\n".repeat(1000);
    folder.write("out/all.sgf", &old);
    let whole = tawla(&["convert", "-t", "sgf", &input]).out;
    let mut kept = 0;
    for millis in [0, 1, 2, 4, 8, 16, 32, 64, 128, 256] {
        folder.write("out/all.sgf", &old);
        let args = ["convert", &input, "-o", &out, "--force", "--quiet"];
        let mut child = program(&args).spawn().expect("the program starts");
        thread::sleep(Duration::from_millis(millis));
        // SIGKILL.
        let _ = child.kill();
        let _ = child.wait();
        let left = fs::read_to_string(&out).expect("a file");
        assert!(left == old || left == whole, "after {millis} ms");
        kept += usize::from(left == old);
    }
    assert!(kept > 0, "never killed before the end");
}

#[test]
fn a_conversion_that_waits_for_its_input_has_written_nothing_yet() {
    let folder = Folder::new("half");
    let out = folder.write("out.sgf", "old");
    let mut child = program(&["convert", "-", "-t", "sgf", "-o", &out, "--force"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(&clean()[..200]).expect("a pipe");
    thread::sleep(Duration::from_millis(100));
    child.kill().expect("a process");
    let _ = child.wait();
    assert_eq!(fs::read(&out).expect("a file"), b"old");
    assert_eq!(names(folder.as_path()), ["out.sgf"]);
}

/// Runs as somebody who is not root, where the tests are root's. `None`: that is not possible here.
fn as_nobody(args: &[&str]) -> Option<Ran> {
    use std::os::unix::process::CommandExt;
    let mut command = program(args);
    if fs::metadata("/proc/self").expect("this process").uid() == 0 {
        command.uid(65534).gid(65534);
    }
    let output = command.output().ok()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Some(Ran {
        status: output.status.code()?,
        out: text(&output.stdout),
        err: text(&output.stderr),
    })
}

#[test]
fn what_may_not_be_written_is_said_and_leaves_nothing() {
    let folder = Folder::new("read-only");
    let input = folder.copy(CLEAN, "a.mat");
    let out = format!("{}/out", folder.path());
    fs::create_dir(&out).expect("a folder");
    let mode = |mode| fs::set_permissions(&out, fs::Permissions::from_mode(mode)).expect("a mode");
    mode(0o555);
    let target = format!("{out}/a.sgf");
    if let Some(ran) = as_nobody(&["convert", &input, "-o", &target]) {
        assert_eq!(ran.status, 2, "{}", ran.err);
        assert!(ran.err.contains("ermission denied"), "{}", ran.err);
        assert_eq!(names(Path::new(&out)), [""; 0]);
    }
    mode(0o755);
}

#[test]
fn what_may_not_be_read_stops_no_other() {
    let folder = Folder::new("forbidden");
    let forbidden = folder.copy(CLEAN, "in/a.mat");
    folder.copy(CLEAN, "in/b.mat");
    fs::set_permissions(&forbidden, fs::Permissions::from_mode(0o000)).expect("a mode");
    if let Some(ran) = as_nobody(&["check", &format!("{}/in", folder.path())]) {
        assert_eq!(ran.status, 2, "{}", ran.err);
        assert!(ran.err.contains("ermission denied"), "{}", ran.err);
        assert!(ran.out.contains("1 match"), "{}", ran.out);
    }
}

#[test]
fn places_that_cannot_be_written_are_named() {
    let folder = Folder::new("no-place");
    let file = folder.copy(CLEAN, "a.mat");
    for (place, why) in [
        ("nowhere/a.sgf", "no such folder"),
        ("a.mat/b.sgf", "no such folder"),
    ] {
        let ran = tawla(&[
            "convert",
            &file,
            "-o",
            &format!("{}/{place}", folder.path()),
        ]);
        assert_eq!(ran.status, 2);
        assert!(ran.err.contains(why), "{}", ran.err);
    }
    let long = format!("{}/{}.sgf", folder.path(), "a".repeat(300));
    let ran = tawla(&["convert", &file, "-o", &long]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("name too long"), "{}", ran.err);
    assert_eq!(names(folder.as_path()), ["a.mat"]);
}

#[test]
fn a_link_as_output_is_replaced_and_its_file_left_alone() {
    let folder = Folder::new("link-out");
    let target = folder.write("kept.txt", "kept");
    let link = format!("{}/out.sgf", folder.path());
    symlink(&target, &link).expect("a link");
    assert_eq!(tawla(&["convert", CLEAN, "-o", &link]).status, 2);
    assert_eq!(tawla(&["convert", CLEAN, "-o", &link, "--force"]).status, 0);
    assert_eq!(fs::read(&target).expect("a file"), b"kept");
    assert!(fs::read(&link).expect("a file").starts_with(b"(;FF[4]"));
}

#[test]
fn a_place_for_what_does_not_fit_in_memory_may_be_missing() {
    let folder = Folder::new("no-tmp");
    let text = String::from_utf8(clean()).expect("text").repeat(1500);
    let input = folder.write("in.mat", &text);
    let mut command = program(&["convert", &input, "-t", "txt"]);
    command.env("TMPDIR", "/nowhere");
    let ran = ends(&mut command, b"");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("o such file"), "{}", ran.err);
}

#[test]
fn few_descriptors_are_enough() {
    let paths = vec![CLEAN; 60];
    let args = [&["check", "--jobs", "2"][..], &paths].concat();
    let ran = ends(&mut in_shell("ulimit -n 24; exec \"$@\"", &args), b"");
    assert_eq!(ran.status, 0, "{}", ran.err);
}

#[test]
fn a_file_that_may_not_grow_leaves_the_old_one() {
    let folder = Folder::new("file-limit");
    let out = folder.write("out.sgf", "old");
    let args = ["convert", CLEAN, "-o", &out, "--force"];
    // The system ends the program, or says no; either way nothing half written is left at the place.
    let status = in_shell("ulimit -f 0; \"$@\" 2>/dev/null; exit 0", &args).status();
    assert!(status.expect("a shell").success());
    assert_eq!(fs::read(&out).expect("a file"), b"old");
}

#[test]
fn no_output_depends_on_time_zone_or_locale() {
    let args = [
        "check",
        "--format",
        "json",
        CLEAN,
        "fixtures/broken/utf-16-cut.txt",
    ];
    let expected = tawla(&args);
    for (name, value) in [
        ("TZ", "Pacific/Kiritimati"),
        ("TZ", "No/Such_Zone"),
        ("TZ", ":/dev/zero"),
        ("TZ", ""),
        ("LC_ALL", "C"),
        ("LC_ALL", "tr_TR.UTF-8"),
        ("LC_ALL", "de_DE.ISO-8859-1"),
        ("LC_ALL", "xx_YY.nonsense"),
        ("LANG", "ar_EG.UTF-8"),
        ("TERM", "dumb"),
    ] {
        let mut command = program(&args);
        command.env(name, value);
        let ran = ends(&mut command, b"");
        assert_eq!(
            (ran.status, &ran.out),
            (expected.status, &expected.out),
            "{name}={value}"
        );
    }
    let mut bare = program(&args);
    bare.env_clear();
    assert_eq!(ends(&mut bare, b"").out, expected.out);
}

#[test]
fn odd_widths_of_the_terminal_are_survived() {
    for columns in ["0", "-5", "1", "99999999999999999999", "x"] {
        for args in [
            &["score", CLEAN][..],
            &["explain", "dice-left"],
            &["formats"],
        ] {
            let mut command = program(args);
            command.env("COLUMNS", columns);
            assert_eq!(
                ends(&mut command, b"").status,
                0,
                "COLUMNS={columns} {args:?}"
            );
        }
    }
}

#[test]
fn a_folder_that_is_gone_is_no_trouble() {
    let folder = Folder::new("gone");
    let script = format!(
        "mkdir {0}/cwd; cd {0}/cwd; rmdir {0}/cwd; exec \"$@\"",
        folder.path()
    );
    let ran = ends(&mut in_shell(&script, &["check", "-"]), &clean());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let ran = ends(&mut in_shell(&script, &["check", "a.mat"]), b"");
    assert_eq!(ran.status, 2, "{}", ran.err);
}

#[test]
fn ended_by_a_signal_leaves_no_file() {
    for signal in ["TERM", "HUP", "INT"] {
        let folder = Folder::new(&format!("signal-{signal}"));
        let out = format!("{}/out.sgf", folder.path());
        let mut child = program(&["convert", "-", "-t", "sgf", "-o", &out])
            .stdin(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(&clean()[..100]).expect("a pipe");
        thread::sleep(Duration::from_millis(100));
        let id = child.id().to_string();
        let sent = Command::new("kill")
            .args([&format!("-{signal}"), &id])
            .status();
        assert!(sent.expect("kill").success());
        let _ = child.wait().expect("an end");
        assert_eq!(names(folder.as_path()), [""; 0], "{signal}");
    }
}

/// What a terminal, an editor or a spreadsheet would obey.
fn is_obeyed(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A record whose every text is hostile.
fn hostile(text: &str) -> String {
    let text = serde_json::to_string(text).expect("a text");
    format!(
        "{{\"record_version\":1,\"length\":3,\"players\":[{text},{text}],\"ratings\":[{text},null],\
         \"variation\":null,\"dialect\":null,\"hit_marks\":null,\"tags\":[{{\"name\":{text},\"value\":{text}}}],\
         \"comments\":[{text}],\"games\":[{{\"number\":1,\"players\":[null,null],\"score\":null,\"crawford\":null,\
         \"start\":null,\"actions\":[{{\"player\":0,\"action\":\"play\",\"roll\":\"31\",\"play\":\"8/5 6/4\",\
         \"comment\":{text}}}],\"result\":null,\"comments\":[{text}]}}]}}\n"
    )
}

#[test]
fn hostile_texts_are_harmless_in_every_output() {
    let texts = [
        "\u{1b}[2J\u{1b}]0;owned\u{7}",
        "\u{9b}31m\u{7f}\u{0}\u{8}",
        "\u{202e}gpj.exe\u{2066}\u{2069}\u{200f}",
        "=HYPERLINK(\"http://x\")",
        "+1\r\n@SUM(A1)",
        "::error file=x::injected\n::stop-commands::x",
        "</script><!-- ]]> --> & \" ' \\",
        &"long ".repeat(20_000),
    ];
    let folder = Folder::new("hostile-texts");
    for (number, text) in texts.iter().enumerate() {
        let path = folder.write(&format!("{number}.json"), hostile(text));
        let outputs: [&[&str]; 14] = [
            &["check", "--boards", &path],
            &["check", "--format", "concise", &path],
            &["check", "--format", "github", &path],
            &["check", "--format", "json", &path],
            &["check", "--format", "ndjson", &path],
            &["check", "--format", "sarif", &path],
            &["score", &path],
            &["score", "--format", "json", &path],
            &["show", &path],
            &["show", "--format", "json", &path],
            &["convert", "-t", "csv", &path],
            &["convert", "-t", "ndjson", &path],
            &["convert", "-t", "txt", &path],
            &["convert", "-t", "json", &path],
        ];
        for args in outputs {
            let ran = ends(&mut program(args), b"");
            assert!(ran.status <= 2, "{args:?}");
            for printed in [&ran.out, &ran.err] {
                assert!(!printed.contains(is_obeyed), "{args:?}: {printed:?}");
            }
            if args.contains(&"json") || args.contains(&"sarif") {
                serde_json::from_str::<serde_json::Value>(&ran.out).expect("JSON");
            }
            if args.contains(&"csv") {
                let is_formula = |cell: &str| {
                    cell.trim_start_matches('"')
                        .starts_with(['=', '+', '@', '\t', '\r'])
                };
                assert!(!ran.out.split([',', '\n']).any(is_formula), "{}", ran.out);
            }
            if args.contains(&"github") {
                let lines = ran.out.lines().filter(|line| line.starts_with("::"));
                assert!(
                    lines.clone().all(|line| !line.contains("::injected")),
                    "{}",
                    ran.out
                );
                assert!(
                    !ran.out.lines().any(|line| line.starts_with("::stop")),
                    "{}",
                    ran.out
                );
            }
        }
    }
}

#[test]
fn what_was_hostile_comes_back_from_our_record() {
    let text = "\u{1b}[31m\u{202e}\u{9b}é";
    let ran = tawla_reading(
        &["convert", "-f", "json", "-t", "json", "-"],
        hostile(text).as_bytes(),
    );
    let value: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(value["players"][0], text);
    assert!(!ran.out.contains(is_obeyed), "{:?}", ran.out);
}

#[test]
fn files_of_an_archive_stay_in_their_folder() {
    let folder = Folder::new("zip-slip");
    let clean = clean();
    let members = [
        "../../above.mat",
        "/absolute.mat",
        "a/../../b.mat",
        "con.mat",
        "\u{1b}[31mred.mat",
        "\u{202e}tam.mat",
        "-rf.mat",
        ".hidden.mat",
    ];
    // The writer refuses such names, so they are put into the header over harmless ones.
    let mut bytes = Vec::new();
    for name in members {
        let mut one = tar(&[("x.mat", &clean)]);
        one.truncate(512 + clean.len().div_ceil(512) * 512);
        one[..100].fill(0);
        one[..name.len()].copy_from_slice(name.as_bytes());
        one[148..156].fill(b' ');
        let sum: u32 = one[..512].iter().map(|byte| u32::from(*byte)).sum();
        one[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        bytes.extend(one);
    }
    bytes.extend([0; 1024]);
    let archive = folder.write("in/hostile.tar", bytes);
    let out = format!("{}/deep/er/out", folder.path());
    fs::create_dir_all(&out).expect("a folder");
    let ran = ends(
        &mut program(&["convert", &archive, "-t", "sgf", "-o", &out]),
        b"",
    );
    assert!(!ran.err.contains(is_obeyed), "{:?}", ran.err);
    let written = names(Path::new(&out));
    let expected = [
        "_[31mred.sgf",
        "_con.sgf",
        "_tam.sgf",
        "above.sgf",
        "absolute.sgf",
        "b.sgf",
        "hidden.sgf",
        "rf.sgf",
    ];
    assert_eq!(written, expected, "{}", ran.err);
    assert_eq!(names(folder.as_path()), ["deep", "in"]);
    assert_eq!(names(&folder.as_path().join("deep/er")), ["out"]);
}

#[test]
fn the_limits_are_flags_and_say_their_names() {
    let folder = Folder::new("limits");
    let path = folder.write("a.mat", clean());
    for (flag, value) in [
        ("--limit-line", "10"),
        ("--limit-games", "0"),
        ("--limit-actions", "3"),
        ("--limit-time", "0"),
    ] {
        let ran = tawla(&["check", flag, value, &path]);
        assert_eq!(ran.status, 1, "{flag}: {}", ran.err);
        assert!(
            ran.out.contains("limit-reached") && ran.out.contains(flag),
            "{}",
            ran.out
        );
        let ran = tawla(&["convert", "-t", "sgf", flag, value, &path]);
        assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{flag}");
    }
    let broken = "fixtures/rules/die-not-rolled.mat";
    let ran = tawla(&["check", "--limit-findings", "0", broken]);
    assert!(ran.out.contains("--limit-findings"), "{}", ran.out);
    assert!(!ran.out.contains("illegal play"), "{}", ran.out);
    let deep = "fixtures/rules/limit-reached.json";
    assert_eq!(
        tawla(&["check", "--limit-depth", "1000", deep])
            .out
            .matches("limit-depth")
            .count(),
        0
    );
    let ran = tawla(&["show", deep]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("--limit-depth"), "{}", ran.err);
}

#[test]
fn no_text_of_a_megabyte_costs_much() {
    let head = " 7 point match\n\n Game 1\n A : 0                          B : 0\n";
    let texts = [
        format!(
            "{head}{}",
            "  1) 31: 8/5 6/5    42: 8/4 6/4\n".repeat(30_000)
        ),
        format!("{head}  1) {}", "31: 8/5 6/5 ".repeat(80_000)),
        format!(
            "{head}{}",
            "\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n".repeat(25_000)
        ),
        format!("(;FF[4]GM[6]{}", "(;B[31])".repeat(120_000)),
        format!("(;FF[4]GM[6]{}", "C[x]".repeat(250_000)),
        format!("(;FF[4]GM[6]{})", ";W[31aaaa]".repeat(100_000)),
        ":".repeat(1 << 20),
        "(;".repeat(1 << 19),
        "[".repeat(1 << 20),
        "\"".repeat(1 << 20),
        format!(
            "{{\"record_version\":1,\"games\":[{}",
            "{\"actions\":[]},".repeat(60_000)
        ),
        // Each roll has one play, which goes without saying if the rest of the game follows from it.
        format!(
            "{head}{}",
            "; Set Pos=-b----------------------A-/0\n  1) 55:\n".repeat(6_000)
        ),
        // Each play hits or does not, and the rest of the game decides.
        format!(
            "{head}{}",
            "; Set Pos=-a----------aB------------/0\n  1) 31: 13/9\n".repeat(6_000)
        ),
    ];
    all_end(
        "large",
        &texts,
        &[
            &["check", "--format", "json"],
            // The line of each finding is drawn, and the whole text may be one.
            &["check"],
        ],
    );
}

/// What costs more than its length shows where a part is repeated, and when it is written and read back.
#[test]
fn no_text_in_which_a_part_is_repeated_costs_much() {
    let head = " 7 point match\n\n Game 1\n A : 0                          B : 0\n";
    let texts = [
        format!("{}{head}", "; [Event \"x(;\"]\n".repeat(20_000)),
        // What is set changes what stands there, node by node.
        format!(
            "(;FF[4]GM[6]{})",
            ";PL[W]AE[a:y]AW[x]AB[a][a];W[55xssnniid]".repeat(8_000)
        ),
        // Each of many values is no record, and each of many games has something wrong.
        "{\"record_version\":1,\"games\":{}}".repeat(10_000),
        "(;FF[4]GM[6]XY[1])".repeat(20_000),
        // A name beyond what a column may be wide.
        head.replace('A', &"A".repeat(70_000)),
        // Rows with a cell in one half only, and the column of the other half is looked for.
        format!(
            "{head}{}",
            " 2) : 0                         B : 0\n".repeat(8_000)
        ),
        // What is written of each match is read back.
        format!("{head}  1) 31: 8/4 6/5   42: 8/3 6/5\n  2) hu   Beavers\n\n").repeat(2_000),
    ];
    let conversions: [&[&str]; 3] = [
        &["check"],
        &["convert", "--to", "sgf"],
        &["convert", "--to", "mat"],
    ];
    all_end("repeated", &texts, &conversions);
}

#[test]
fn a_collection_takes_the_memory_of_a_match() {
    let game = |white: &str| format!("(;GM[6]PW[{white}]PB[Bea]{})\n", ";C[x]".repeat(240));
    let two_matches = ["Ann", "Cid"].map(game).concat();
    all_end("collection", &[two_matches.repeat(2_500)], &[&["check"]]);
}

/// Runs commands on texts, in little memory.
fn all_end(folder: &str, texts: &[String], commands: &[&[&str]]) {
    let folder = Folder::new(folder);
    for (number, text) in texts.iter().enumerate() {
        let path = folder.write(&format!("{number}.txt"), text);
        for command in commands {
            // 400 MiB of addresses: the program itself, its threads and the work.
            let script = "ulimit -v 409600; exec \"$@\"";
            let args = [command, &["--jobs", "1", &path][..]].concat();
            let ran = ends(&mut in_shell(script, &args), b"");
            assert!([0, 1, 2].contains(&ran.status), "{path}: {}", ran.err);
        }
    }
}
