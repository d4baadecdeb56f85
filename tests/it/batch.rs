//! Many inputs and odd ones: compressed files, archives, folders, what is broken, and a run that is interrupted.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::support::command::{Ran, tawla, tawla_reading};
use crate::support::folder::Folder;
use crate::support::packed::{gzip, tar, zstandard};
use crate::support::root;

const CLEAN: &str = "fixtures/mat/jellyfish.mat";
const WRONG: &str = "fixtures/rules/dice-left.mat";
const SEVERAL: &str = "fixtures/mat/three-matches.mat";
const PROSE: &str = "fixtures/broken/prose.txt";

fn fixture(path: &str) -> Vec<u8> {
    fs::read(root().join(path)).expect("a fixture")
}

/// The names of the files in JSON output with their errors, behind a folder.
fn files(ran: &Ran, folder: &Folder) -> Vec<(String, Option<String>)> {
    let output: Value = serde_json::from_str(&ran.out).expect("JSON");
    let files = output["files"].as_array().expect("files").iter();
    let lead = format!("{}/", folder.path());
    files
        .map(|file| {
            let name = file["path"].as_str().expect("a path").replace(&lead, "");
            (name, file["error"].as_str().map(str::to_owned))
        })
        .collect()
}

fn names(ran: &Ran, folder: &Folder) -> Vec<String> {
    files(ran, folder)
        .into_iter()
        .map(|(name, _)| name)
        .collect()
}

#[test]
fn what_is_compressed_is_read_through_by_content() {
    let folder = Folder::new("compressed");
    let bytes = fixture(WRONG);
    let plain = folder.write("a.mat", &bytes);
    let expected = tawla(&["check", &plain]).out;
    for (name, packed) in [
        ("a.mat.gz", gzip(&bytes)),
        ("a.mat.zst", zstandard(&bytes)),
        ("no-extension", gzip(&bytes)),
        (
            "two-parts.gz",
            [gzip(&bytes[..99]), gzip(&bytes[99..])].concat(),
        ),
    ] {
        let path = folder.write(name, &packed);
        let ran = tawla(&["check", &path]);
        assert_eq!(ran.out, expected.replace(&plain, &path), "{}", ran.err);
        let ran = tawla_reading(&["check"], &packed);
        assert_eq!(ran.out, expected.replace(&plain, "-"), "{}", ran.err);
        assert_eq!(tawla(&["show", &path]).status, 0, "{name}");
    }
    // The extension before that of the compression still tells an eXtreme Gammon position from a match.
    let packed = folder.write("a.xgp.gz", gzip(&fixture("fixtures/xg/position.xgp")));
    let ran = tawla(&["check", "--format", "json", &packed]);
    assert!(ran.out.contains("\"format\":\"xgp\""), "{}", ran.out);
}

#[test]
fn the_files_of_an_archive_are_inputs_in_its_order() {
    let folder = Folder::new("archive");
    let (wrong, clean, prose) = (fixture(WRONG), fixture(CLEAN), fixture(PROSE));
    let archive = tar(&[
        ("club/", b""),
        ("club/z.mat", &wrong),
        ("club/a.mat.gz", &gzip(&clean)),
        ("club/read me.txt", &prose),
        ("club/tawla.toml", b"nonsense"),
        ("b.mat", &clean),
    ]);
    for (name, packed) in [
        ("all.tar", archive.clone()),
        ("all.tar.gz", gzip(&archive)),
        ("all.tar.zst", zstandard(&archive)),
    ] {
        let path = folder.write(name, &packed);
        let ran = tawla(&["check", "--format", "json", &path]);
        let expected = ["club/z.mat", "club/a.mat.gz", "b.mat"].map(|it| format!("{name}:{it}"));
        assert_eq!(names(&ran, &folder), expected, "{}", ran.err);
        assert_eq!(ran.status, 1, "{}", ran.err);
        assert!(ran.err.contains("1 file passed over"), "{}", ran.err);
    }
    let ran = tawla_reading(&["score"], &archive);
    assert!(ran.out.contains("-:club/a.mat.gz\n"), "{}", ran.out);

    // The agreement is that of the folder of the archive; nothing in an archive leads out of it.
    folder.write(
        "tawla.toml",
        b"[[files]]\npaths = [\"all.tar/b.mat\"]\ncube-limit = 8\n",
    );
    let path = format!("{}/all.tar", folder.path());
    let ran = tawla(&["check", &path]);
    assert_eq!(ran.out.matches("cube-limit 8 (").count(), 1, "{}", ran.out);

    let output = format!("{}/one.sgf", folder.path());
    let ran = tawla(&["convert", &path, "-o", &output]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("need a folder"), "{}", ran.err);
    assert!(!root().join(&output).exists());
    let output = format!("{}/out/", folder.path());
    let ran = tawla(&["convert", &path, "-t", "sgf", "-o", &output]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let mut made: Vec<_> = fs::read_dir(&output)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    made.sort();
    assert_eq!(made, ["a.sgf", "b.sgf", "z.sgf"]);
}

#[test]
fn a_large_file_of_an_archive_is_read_in_pieces() {
    let folder = Folder::new("large-member");
    let (clean, wrong) = (fixture(CLEAN), fixture(WRONG));
    let large = clean.repeat(1300);
    assert!(large.len() > 1 << 20);
    let archive = tar(&[("a.mat", &wrong), ("b.mat", &large), ("c.mat", &wrong)]);
    let path = folder.write("all.tar.gz", gzip(&archive));
    for jobs in ["1", "2"] {
        let ran = tawla(&["check", "--format", "json", "--jobs", jobs, &path]);
        let output: Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!(output["summary"]["matches"], 1302, "{}", ran.err);
        assert_eq!(names(&ran, &folder).len(), 3);
        let sheet = tawla(&["score", "--jobs", jobs, &path]).out;
        assert!(sheet.contains(":b.mat, match 1300\n"));
        let made = tawla(&["convert", "-t", "sgf", "-q", "--jobs", jobs, &path]);
        assert!(made.out.contains("[match:1302]"), "{}", made.err);
        assert!(!made.out.contains("[match:1303]"), "{}", made.err);
    }
}

#[test]
fn no_output_depends_on_the_number_of_jobs() {
    let folder = Folder::new("jobs");
    let (wrong, clean, several) = (fixture(WRONG), fixture(CLEAN), fixture(SEVERAL));
    for number in 0..40 {
        let bytes = [&clean, &several, &wrong][number % 3];
        folder.write(&format!("in/{number}.mat"), bytes);
        folder.copy(PROSE, &format!("in/{number}.txt"));
    }
    let archive = tar(&[("x.mat", &several), ("y.mat", &clean)]);
    folder.write("in/20.tar.gz", gzip(&archive));
    folder.write("in/30.tar.gz", &gzip(&archive)[..200]);
    let path = format!("{}/in", folder.path());
    for args in [
        &["check"][..],
        &["check", "--format", "concise"],
        &["check", "--format", "json"],
        &["check", "--format", "ndjson"],
        &["score"],
        &["score", "--format", "json"],
        &["score", "--format", "ndjson"],
        &["convert", "-t", "sgf"],
        &["convert", "-t", "mat", "--profile", "jellyfish"],
        &["convert", "-t", "csv"],
    ] {
        let run = |jobs| {
            let ran = tawla(&[args, &["--jobs", jobs, &path]].concat());
            (ran.status, ran.out, ran.err)
        };
        let (one, several) = (run("1"), run("3"));
        assert_eq!(one.0, 2, "{args:?}: {}", one.2);
        assert!(one == several, "{args:?}");
    }
}

/// The pieces of the only input are worked on side by side, and nothing tells so.
#[test]
fn the_pieces_of_one_long_input_come_out_in_order() {
    let folder = Folder::new("one-long-input");
    let (clean, several, wrong) = (fixture(CLEAN), fixture(SEVERAL), fixture(WRONG));
    let one: &[u8] = &[&clean[..], &several, &wrong, &clean].concat();
    let path = folder.write("in.mat", one.repeat(250));
    for args in [
        &["score"][..],
        &["score", "--format", "json"],
        &["convert", "-t", "sgf"],
        &["convert", "-t", "mat"],
        &["convert", "-t", "csv"],
        &["convert", "-t", "ndjson"],
        &["convert", "-t", "ids"],
        &["convert", "-t", "txt"],
    ] {
        let run = |jobs| {
            let ran = tawla(&[args, &["--jobs", jobs, &path]].concat());
            (ran.status, ran.out, ran.err)
        };
        let (one, several) = (run("1"), run("3"));
        assert_eq!(one.0, 0, "{args:?}: {}", one.2);
        assert!(one == several, "{args:?}");
    }
    // Where matches are numbered, each has its own number.
    let rows = tawla(&["convert", "-t", "csv", "--jobs", "3", &path]).out;
    let number = |row: &str| row.split(',').next().map(str::to_owned);
    let numbers: BTreeSet<_> = rows.lines().skip(1).filter_map(number).collect();
    let matches = 250
        * (3 + String::from_utf8_lossy(&several)
            .matches(" point match")
            .count());
    let expected: BTreeSet<_> = (1..=matches).map(|number| number.to_string()).collect();
    assert_eq!(numbers, expected);
    let shown = tawla(&["show", &path]).out;
    assert!(shown == tawla(&["convert", "-t", "txt", "--jobs", "1", &path]).out);
    let shown = tawla(&["show", "--format", "json", &path]).out;
    let shown: Value = serde_json::from_str(&shown).expect("JSON");
    let list = shown["files"][0]["matches"].as_array().expect("matches");
    assert_eq!(list.len(), matches);
    let last = tawla(&["show", "--match", &matches.to_string(), &path]).out;
    assert_eq!(last, tawla(&["show", CLEAN]).out);
}

#[test]
fn what_is_broken_is_named_once_and_stops_nothing() {
    let folder = Folder::new("broken-inputs");
    let clean = fixture(CLEAN);
    let archive = tar(&[("a.mat", &clean), ("b.mat", &clean)]);
    let whole = |bytes: &[u8], end: usize| bytes[..bytes.len() - end].to_vec();
    let mut damaged = gzip(&clean);
    let middle = damaged.len() / 2;
    damaged[middle..middle + 9].fill(0xff);
    for (name, bytes, inputs) in [
        (
            "cut.mat.gz",
            whole(&gzip(&clean), 40),
            &[("cut.mat.gz", "cut")][..],
        ),
        (
            "head.mat.gz",
            gzip(&clean)[..12].to_vec(),
            &[("head.mat.gz", "cut")],
        ),
        (
            "cut.mat.zst",
            whole(&zstandard(&clean), 9),
            &[("cut.mat.zst", "cut")],
        ),
        ("damaged.gz", damaged, &[("damaged.gz", "damaged")]),
        (
            "cut.tar",
            archive[..512 + clean.len() + 600].to_vec(),
            &[("cut.tar:a.mat", ""), ("cut.tar", "the archive is cut")],
        ),
        (
            "cut.tar.gz",
            gzip(&archive[..512 + clean.len() + 600]),
            &[
                ("cut.tar.gz:a.mat", ""),
                ("cut.tar.gz", "the archive is cut"),
            ],
        ),
        (
            // The compressed data ends in the second file.
            "cut-inside.tar.gz",
            cut_behind(&archive, 512 + clean.len() + 1024),
            &[
                ("cut-inside.tar.gz:a.mat", ""),
                ("cut-inside.tar.gz:b.mat", "the archive is cut"),
            ],
        ),
        (
            "cut.tar.zst",
            whole(&zstandard(&archive), 9),
            &[("cut.tar.zst", "the compressed data is cut")],
        ),
        (
            "in-a-member.tar",
            archive[..512 + 100].to_vec(),
            &[("in-a-member.tar:a.mat", "the archive is cut")],
        ),
        (
            "nested.tar",
            tar(&[("inner.tar", &archive), ("c.mat", &clean)]),
            &[
                ("nested.tar:inner.tar", "archive within"),
                ("nested.tar:c.mat", ""),
            ],
        ),
        ("absent", Vec::new(), &[("absent", "no such file")]),
    ] {
        let path = folder.write(name, &bytes);
        if name == "absent" {
            fs::remove_file(&path).expect("a file");
        }
        for jobs in ["1", "2"] {
            let ran = tawla(&["check", "--format", "json", "--jobs", jobs, &path, CLEAN]);
            assert_eq!(ran.status, 2, "{name}");
            let found = files(&ran, &folder);
            let (last, found) = found.split_last().expect("files");
            assert_eq!(last, &(CLEAN.to_owned(), None), "{name}");
            assert_eq!(found.len(), inputs.len(), "{name}: {found:?}");
            for ((name, error), (expected, reason)) in found.iter().zip(inputs) {
                assert_eq!(name, expected);
                assert_eq!(error.is_some(), !reason.is_empty(), "{name}: {error:?}");
                let error = error.clone().unwrap_or_default();
                assert!(error.contains(reason), "{name}: {error}");
            }
            assert_eq!(ran.err.lines().count(), 1, "{name}: {}", ran.err);
            assert!(ran.err.contains(name), "{name}: {}", ran.err);
        }
    }
}

/// A gzip file whose data ends behind so many bytes, without what stands at the end of such a file.
fn cut_behind(bytes: &[u8], end: usize) -> Vec<u8> {
    let mut packed = gzip(&bytes[..end]);
    // The number of bytes, the checksum, and the last code.
    packed.truncate(packed.len() - 9);
    packed
}

#[test]
fn what_has_no_end_is_not_read_for_ever() {
    let folder = Folder::new("no-end");
    let mut text = fixture(CLEAN);
    text.extend(b"; and so on\n".repeat(400_000));
    let path = folder.write("bomb.mat.gz", gzip(&text));
    let ran = tawla(&["check", "--inflate-limit", "2M", &path]);
    assert_eq!(ran.status, 2, "{}", ran.out);
    assert!(ran.err.contains("--limit-inflated"), "{}", ran.err);
    assert_eq!(tawla(&["check", "--quiet", &path]).status, 0);
}

#[test]
fn nothing_is_said_of_progress_in_a_pipe() {
    for command in [&["check"][..], &["score"], &["convert", "-t", "ids"]] {
        let ran = tawla(&[command, &[CLEAN, SEVERAL]].concat());
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{command:?}");
    }
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::fs::{self, OpenOptions, Permissions};
    use std::io::{BufRead, BufReader, Read, Write};
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};

    use super::{CLEAN, Folder, Value, files, fixture, gzip, names, tar};
    use crate::support::command::{finish, program, tawla};

    #[test]
    fn links_are_followed_unless_they_lead_nowhere() {
        let folder = Folder::new("links");
        folder.copy(CLEAN, "in/a.mat");
        folder.copy(CLEAN, "other/b.mat");
        let at = |name: &str| folder.as_path().join(name);
        symlink("../other", at("in/linked")).expect("a link");
        symlink("../in", at("in/round")).expect("a link");
        symlink("self", at("in/self")).expect("a link");
        symlink("nowhere", at("in/z")).expect("a link");
        let path = format!("{}/in", folder.path());
        let ran = tawla(&["check", "--format", "json", &path]);
        assert_eq!(ran.status, 2);
        let found = files(&ran, &folder);
        let is_broken: Vec<_> = found
            .iter()
            .map(|(n, e)| (n.as_str(), e.is_some()))
            .collect();
        let expected = [
            ("in/a.mat", false),
            ("in/linked/b.mat", false),
            ("in/round", true),
            ("in/self", true),
            ("in/z", true),
        ];
        assert_eq!(is_broken, expected, "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 3, "{}", ran.err);
        assert!(ran.err.contains("a loop of links"), "{}", ran.err);
        assert!(ran.err.contains("in/z: no such file"), "{}", ran.err);
    }

    /// The user that is nobody.
    const NOBODY: u32 = 65534;

    #[test]
    #[expect(clippy::print_stderr, reason = "a test that forbids nothing says so")]
    fn what_may_not_be_read_is_named() {
        let folder = Folder::new("permission");
        let file = folder.copy(CLEAN, "in/a.mat");
        folder.copy(CLEAN, "in/b/c.mat");
        folder.copy(CLEAN, "in/d.mat");
        let inner = format!("{}/in/b", folder.path());
        let forbid = |mode| {
            for path in [&file, &inner] {
                fs::set_permissions(path, Permissions::from_mode(mode)).expect("a mode");
            }
        };
        forbid(0);
        let path = format!("{}/in", folder.path());
        let mut command = program(&["check", "--format", "json", &path]);
        // Nothing is forbidden to root, who can be somebody else.
        if fs::read(&file).is_ok() {
            command.uid(NOBODY).gid(NOBODY);
            let mut trial = program(&["formats"]);
            if trial.uid(NOBODY).gid(NOBODY).output().is_err() {
                forbid(0o755);
                eprintln!("skipped: root may read everything, and nobody cannot start the program");
                return;
            }
        }
        let ran = finish(command);
        forbid(0o755);
        assert_eq!(ran.status, 2);
        assert_eq!(names(&ran, &folder), ["in/a.mat", "in/b", "in/d.mat"]);
        for name in ["in/a.mat", "in/b"] {
            let error = format!("{}/{name}: permission denied\n", folder.path());
            assert!(ran.err.contains(&error), "{}", ran.err);
        }
        assert_eq!(ran.err.lines().count(), 2, "{}", ran.err);
    }

    /// The first file gives more output than a pipe holds, so that the run waits behind it: by then the folder
    /// has been listed, and no later file was opened.
    #[test]
    fn a_file_that_vanishes_is_named() {
        let folder = Folder::new("vanishing");
        folder.write("in/a.mat", fixture(CLEAN).repeat(2000));
        folder.copy(CLEAN, "in/b.mat");
        folder.copy(CLEAN, "in/c.mat");
        let path = format!("{}/in", folder.path());
        let args = ["convert", "-q", "-t", "sgf", "--jobs", "1", &path];
        let mut child = start(&args, Stdio::null());
        let mut out = child.stdout.take().expect("a pipe");
        let mut first = [0];
        out.read_exact(&mut first).expect("output");
        fs::remove_file(folder.as_path().join("in/b.mat")).expect("a file");
        let mut rest = String::new();
        out.read_to_string(&mut rest).expect("output");
        let ended = child.wait_with_output().expect("an end");
        let err = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(
            err,
            format!("tawla: {path}/b.mat: no such file or directory\n")
        );
        assert_eq!(ended.status.code(), Some(2));
        assert!(rest.contains("[match:2001]"), "the last file is there");
        assert!(
            !rest.contains("[match:2002]"),
            "and nothing of the one that is gone"
        );
    }

    #[test]
    fn what_is_wrong_with_an_odd_name_is_named() {
        let folder = Folder::new("odd-and-wrong");
        let name = OsStr::from_bytes(b"G\xfcl\n.mat.gz");
        let cut = &gzip(&fixture(CLEAN))[..60];
        // Some systems refuse such a name.
        if fs::write(folder.as_path().join(name), cut).is_err() {
            return;
        }
        folder.copy(CLEAN, "z.mat");
        let ran = tawla(&["check", "--format", "json", folder.path()]);
        let found = files(&ran, &folder);
        let errors: Vec<_> = found.iter().map(|(_, error)| error.as_deref()).collect();
        assert_eq!(errors, [Some("the compressed data is cut"), None]);
        assert_eq!(found[0].0, "G\u{fffd}l\n.mat.gz");
        assert_eq!(ran.status, 2);
        // One line all the same.
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.err.contains("G\u{fffd}l"), "{}", ran.err);
    }

    /// The members of an archive that is still coming.
    #[test]
    fn lines_come_while_the_pipe_is_open() {
        let archive = tar(&[("a.mat", &fixture(CLEAN)), ("b.mat", &fixture(CLEAN))]);
        // All but the blocks of zeros at the end.
        let members = &archive[..archive.len() - 1024];
        for (command, jobs) in [("check", "1"), ("check", "2"), ("score", "2")] {
            let args = [command, "--format", "ndjson", "--jobs", jobs];
            let mut child = start(&args, Stdio::piped());
            let mut stdin = child.stdin.take().expect("a pipe");
            stdin.write_all(members).expect("a reader");
            let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
            for name in ["-:a.mat", "-:b.mat"] {
                let mut line = String::new();
                out.read_line(&mut line).expect("a line");
                let file: Value = serde_json::from_str(&line).expect("JSON");
                assert_eq!(file["path"], name, "{command}, {jobs} jobs");
            }
            drop(stdin);
            let mut rest = String::new();
            out.read_to_string(&mut rest).expect("an end");
            assert_eq!(rest, "", "{command}, {jobs} jobs");
            assert_eq!(child.wait().expect("an end").code(), Some(0));
        }
    }

    #[test]
    fn a_name_need_not_be_utf_8() {
        let folder = Folder::new("not-utf-8");
        let name = OsStr::from_bytes(b"G\xfcl.mat");
        // Some systems refuse such a name.
        if fs::write(folder.as_path().join(name), fixture(CLEAN)).is_err() {
            return;
        }
        let ran = tawla(&["check", "--format", "json", folder.path()]);
        assert_eq!(
            (ran.status, names(&ran, &folder)),
            (0, vec!["G\u{fffd}l.mat".to_owned()])
        );
        let mut command = program(&["convert", "-t", "sgf", "-o"]);
        command.arg(format!("{}/out/", folder.path()));
        command.arg(folder.as_path().join(name));
        assert_eq!(finish(command).status, 0);
        let made = folder
            .as_path()
            .join("out")
            .join(OsStr::from_bytes(b"G\xfcl.sgf"));
        assert!(made.is_file());
    }

    fn pipe(folder: &Folder) -> String {
        let path = format!("{}/pipe", folder.path());
        let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo");
        assert!(made.success());
        path
    }

    fn start(args: &[&str], stdin: Stdio) -> Child {
        let mut command = program(args);
        command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    fn interrupt(child: &Child) {
        let id = child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status();
        assert!(sent.expect("kill").success());
    }

    #[test]
    fn an_interrupted_run_ends_in_order() {
        let folder = Folder::new("interrupted");
        let one = folder.copy(CLEAN, "one.mat");
        let two = folder.copy(CLEAN, "two.mat");
        let pipe = pipe(&folder);
        for jobs in ["1", "2"] {
            let args = [
                "check", "--format", "json", "--jobs", jobs, &one, &pipe, &two,
            ];
            let child = start(&args, Stdio::null());
            // This waits until the program has the pipe open, behind the first file.
            let writer = OpenOptions::new().write(true).open(&pipe).expect("a pipe");
            interrupt(&child);
            let output = child.wait_with_output().expect("an end");
            drop(writer);
            assert_eq!(output.status.code(), Some(130), "{jobs} jobs");
            let out: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            let files = out["files"].as_array().expect("files");
            assert_eq!(out["summary"]["files"], files.len(), "{jobs} jobs");
            if jobs == "1" {
                let errors: Vec<_> = files.iter().map(|file| file["error"].as_str()).collect();
                assert_eq!(errors, [None, Some("interrupted")]);
                assert_eq!(out["summary"]["matches"], 1);
            }
            let err = String::from_utf8_lossy(&output.stderr);
            assert!(err.contains("pipe: interrupted"), "{err}");
        }
    }

    #[test]
    fn an_interrupted_stream_says_what_was_done() {
        let mut child = start(&["check", "--level", "error"], Stdio::piped());
        let mut stdin = child.stdin.take().expect("a pipe");
        // When all of it is gone, more than the first piece has been read.
        let bytes = fixture(CLEAN).repeat(5200);
        assert!(bytes.len() > 4 << 20);
        stdin.write_all(&bytes).expect("a reader");
        interrupt(&child);
        let output = child.wait_with_output().expect("an end");
        drop(stdin);
        assert_eq!(output.status.code(), Some(130));
        let out = String::from_utf8_lossy(&output.stdout);
        let summary = out
            .lines()
            .find(|line| line.starts_with("1 file, "))
            .expect("a summary");
        let matches = summary
            .split([' ', ','])
            .nth(3)
            .and_then(|n| n.parse::<u64>().ok());
        assert!(matches.is_some_and(|matches| matches >= 1000), "{summary}");
        assert!(summary.ends_with("1 not read"), "{summary}");
    }
}
