//! Completions and manual pages, each by the program that it is made for, where that is installed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::command::{finish, tawla};

/// Whether a program is there to be run; a test that does nothing without it says so.
#[expect(clippy::print_stderr, reason = "a test that runs nothing says so")]
fn is_installed(program: &str, version: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(version).stdin(Stdio::null());
    let is_there = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !is_there {
        eprintln!("{program} is not installed: nothing was run");
    }
    is_there
}

/// A folder with the script of a shell in a file `script`.
fn folder_with_script(shell: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("script"), script(shell)).expect("a file");
    folder
}

fn script(shell: &str) -> String {
    let ran = tawla(&["completions", shell]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{shell}");
    ran.out
}

/// What a shell prints that runs a text in a folder, with a word in `$LINE`.
fn said(shell: &[&str], text: &str, folder: &Path, line: &str) -> String {
    let mut command = Command::new(shell[0]);
    command
        .args(&shell[1..])
        .arg(text)
        .current_dir(folder)
        .env("LINE", line)
        .env("HOME", folder)
        .env("TERM", "dumb")
        .stdin(Stdio::null());
    let ran = finish(command);
    assert_eq!(ran.status, 0, "{shell:?}, {line}: {}", ran.err);
    ran.out
}

/// Calls the function that the script has registered, as the shell does, and prints what it offers.
const ASK_BASH: &str = r#"
source ./script
read -ra COMP_WORDS <<<"$LINE"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
registered=$(complete -p tawla)
[[ $registered =~ -F\ ([^ ]+) ]] || exit 1
"${BASH_REMATCH[1]}" tawla "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;

#[test]
fn bash_offers_commands_options_and_names() {
    if !is_installed("bash", "--version") {
        return;
    }
    let folder = folder_with_script("bash");
    let offered = |line: &str| -> Vec<String> {
        let out = said(&["bash", "--norc", "-c"], ASK_BASH, folder.path(), line);
        out.lines().map(str::to_owned).collect()
    };
    assert_eq!(offered("tawla ch"), ["check", "chouette"]);
    assert_eq!(offered("tawla check --form"), ["--format"]);
    assert_eq!(offered("tawla check --format con"), ["concise"]);
    assert_eq!(offered("tawla check --from og"), ["ogxm"]);
    assert_eq!(offered("tawla check --ignore die-not"), ["die-not-rolled"]);
    assert_eq!(offered("tawla convert --to sg"), ["sgf"]);
    assert_eq!(offered("tawla id --to fi"), ["fibs"]);
    assert_eq!(offered("tawla explain match-len"), ["match-lengths"]);
    assert_eq!(offered("tawla man sch"), ["schema"]);
    // Where nothing is offered the shell goes on with names of files.
    assert_eq!(offered("tawla check fin"), [""]);
    let registered = "source ./script; complete -p tawla";
    let registered = said(&["bash", "--norc", "-c"], registered, folder.path(), "");
    assert!(registered.contains("-o default"), "{registered}");
}

#[test]
fn fish_offers_commands_options_and_names_and_says_what_they_are() {
    if !is_installed("fish", "--version") {
        return;
    }
    let folder = folder_with_script("fish");
    let ask = r#"source ./script; complete --do-complete "$LINE""#;
    let offered = |line: &str| said(&["fish", "--no-config", "-c"], ask, folder.path(), line);
    assert_eq!(
        offered("tawla ch"),
        "check\tReplay transcripts and report what is wrong\n\
         chouette\tCheck the log of a chouette and print who pays whom\n"
    );
    assert_eq!(offered("tawla check --form"), "--format\tHow to print\n");
    assert_eq!(
        offered("tawla check --from sg"),
        "sgf\tSmart Game Format, backgammon\nsgg\tGamesGrid save\n"
    );
}

/// Types into a shell on a terminal of its own. There `tawla` is a function that writes down how it was called.
const ASK_ZSH: &str = r#"
zmodload zsh/zpty
zpty -b inner zsh -f -i
type_line() { zpty -w inner "$1" }
type_line 'PROMPT=; autoload -Uz compinit; compinit -u -D; source ./script'
type_line 'tawla() { print -r -- "$*" > called.new; mv called.new called; exit }'
type_line 'compdef _tawla tawla; print -r -- rea''dy'
seen=
for ((tries = 0; tries < 600; tries++)) {
    while zpty -rt inner piece 2>/dev/null; do seen+=$piece; done
    [[ $seen == *$'\n'ready* ]] && break
    sleep 0.05
}
zpty -w -n inner "$LINE"$'\t\n'
for ((tries = 0; tries < 600; tries++)) {
    [[ -e called ]] && break
    zpty -rt inner piece 2>/dev/null
    sleep 0.05
}
zpty -d inner
cat called && rm called
"#;

#[test]
fn zsh_completes_commands_options_and_names() {
    if !is_installed("zsh", "--version") {
        return;
    }
    let folder = folder_with_script("zsh");
    let completed = |line: &str| said(&["zsh", "-f", "-c"], ASK_ZSH, folder.path(), line);
    assert_eq!(completed("tawla che").trim_end(), "check");
    assert_eq!(completed("tawla check --form").trim_end(), "check --format");
    assert_eq!(
        completed("tawla check --from ogx").trim_end(),
        "check --from ogxm"
    );
    assert_eq!(
        completed("tawla explain die-not-r").trim_end(),
        "explain die-not-rolled"
    );
}

#[test]
fn powershell_offers_commands() {
    if !is_installed("pwsh", "-Version") {
        return;
    }
    let folder = folder_with_script("powershell");
    fs::rename(
        folder.path().join("script"),
        folder.path().join("script.ps1"),
    )
    .expect("a file");
    let ask = ". ./script.ps1; \
               [System.Management.Automation.CommandCompletion]::CompleteInput($env:LINE, $env:LINE.Length, $null)\
               .CompletionMatches.CompletionText";
    let shell = ["pwsh", "-NoProfile", "-Command"];
    let out = said(&shell, ask, folder.path(), "tawla ch");
    assert_eq!(out.lines().collect::<Vec<_>>(), ["check", "chouette"]);
}

/// The module of the line editor is there only for a person at a terminal; what the script needs of it is little.
const ASK_ELVISH: &str = r#"
var edit: = (ns [
  &completion:=(ns [&arg-completer=[&]])
  &complex-candidate~={|word &display='' @rest| put $word }])
eval (slurp < script)
each {|word| echo $word } [($edit:completion:arg-completer[tawla] tawla ch)]
"#;

#[test]
fn elvish_is_given_commands_to_choose_from() {
    if !is_installed("elvish", "-version") {
        return;
    }
    let folder = folder_with_script("elvish");
    let out = said(&["elvish", "-norc", "-c"], ASK_ELVISH, folder.path(), "");
    for name in ["check", "chouette"] {
        assert!(out.lines().any(|line| line == name), "{out}");
    }
}

#[test]
fn every_shell_is_offered_every_command() {
    let commands = commands();
    for (shell, before, behind) in [
        ("bash", "tawla,", ")"),
        ("zsh", "(", ")"),
        ("fish", "-a \"", "\""),
        ("powershell", "::new('", "'"),
        ("elvish", "cand ", " '"),
    ] {
        let script = script(shell);
        for name in &commands {
            let offer = format!("{before}{name}{behind}");
            assert!(script.contains(&offer), "{shell}: {offer}");
        }
    }
    assert_eq!(tawla(&["completions", "dos"]).status, 2);
    assert_eq!(tawla(&["completions"]).status, 2);
}

/// The names of the commands, from the help.
fn commands() -> Vec<String> {
    let help = tawla(&["--help"]).out;
    help.lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|command| *command != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let man1 = folder.path().join("man/man1");
    let path = man1.to_str().expect("a name in UTF-8");
    let ran = tawla(&["man", "--out", path]);
    assert_eq!(
        (ran.status, ran.out.as_str(), ran.err.as_str()),
        (0, "", "")
    );
    let mut pages: Vec<String> = fs::read_dir(&man1)
        .expect("a folder")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("UTF-8")
        })
        .collect();
    pages.sort();
    let commands = commands();
    let mut expected: Vec<String> = commands
        .iter()
        .map(|name| format!("tawla-{name}.1"))
        .collect();
    expected.push("tawla.1".to_owned());
    expected.sort();
    assert_eq!(pages, expected);
    for name in &commands {
        let page = fs::read_to_string(man1.join(format!("tawla-{name}.1"))).expect("a page");
        assert_eq!(tawla(&["man", name]).out, page);
    }
    let program = fs::read_to_string(man1.join("tawla.1")).expect("a page");
    assert_eq!(tawla(&["man"]).out, program);

    let again = tawla(&["man", "--out", path]);
    assert_eq!(again.status, 2);
    assert!(
        again.err.contains("exists; --force replaces it"),
        "{}",
        again.err
    );
    assert_eq!(tawla(&["man", "--out", path, "--force"]).status, 0);
    assert_eq!(tawla(&["man", "--out", path, "check"]).status, 2);
    assert_eq!(tawla(&["man", "nonsense"]).status, 2);
}

#[test]
fn groff_formats_every_page_without_a_warning() {
    if !is_installed("groff", "--version") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("a name in UTF-8");
    assert_eq!(tawla(&["man", "--out", path]).status, 0);
    for entry in fs::read_dir(folder.path()).expect("a folder") {
        let page = entry.expect("an entry").path();
        let mut groff = Command::new("groff");
        groff.args(["-man", "-Tutf8", "-ww", "-P-cbou"]).arg(&page);
        let ran = finish(groff);
        let name = page.display();
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{name}");
        for heading in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "SEE ALSO"] {
            assert!(ran.out.contains(heading), "{name}: {heading}");
        }
    }
}

#[test]
fn man_shows_the_lines_of_examples_as_they_stand() {
    if !is_installed("man", "--version") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("tawla-convert.1");
    fs::write(&page, tawla(&["man", "convert"]).out).expect("a page");
    let mut man = Command::new("man");
    man.args(["-P", "cat", "--no-hyphenation", "-l"])
        .arg(&page)
        .env("MANWIDTH", "100")
        .env("LC_ALL", "C");
    let ran = finish(man);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let line = "tawla convert final.mat -t csv > rows.csv   one row a decision\n";
    for text in [
        "EXAMPLES\n",
        line,
        "-o, --output <FILE|DIR>\n",
        "tawla 0.1.0",
        "User Commands",
    ] {
        assert!(ran.out.contains(text), "{text}\n{}", ran.out);
    }
}
