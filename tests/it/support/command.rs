//! The program itself, run as people and scripts run it.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread;

use super::root;

/// What a run of the program has given.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit status.
    pub(crate) status: i32,
    /// What went to standard output.
    pub(crate) out: String,
    /// What went to standard error.
    pub(crate) err: String,
}

/// The program with its arguments, to be run in the folder of the package: paths in the output are relative.
pub(crate) fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tawla"));
    command
        .args(args)
        .current_dir(root())
        .env("COLUMNS", "100")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null());
    command
}

/// Runs the program without input.
pub(crate) fn tawla(args: &[&str]) -> Ran {
    finish(program(args))
}

/// Runs the program with something on standard input.
pub(crate) fn tawla_reading(args: &[&str], input: &[u8]) -> Ran {
    ran(&reading(&mut program(args), input))
}

/// Runs a command to its end with something on standard input.
pub(crate) fn reading(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // The program may end without reading all of it.
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    let _ = writer.join();
    output
}

/// Runs a command to its end.
pub(crate) fn finish(mut command: Command) -> Ran {
    ran(&command.output().expect("the program starts"))
}

fn ran(output: &Output) -> Ran {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output in UTF-8");
    Ran {
        status: output.status.code().expect("an end without a signal"),
        out: text(&output.stdout),
        err: text(&output.stderr),
    }
}
