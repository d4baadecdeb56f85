//! Mutation testing with one build: every mutant that cargo-mutants lists is compiled in and chosen at run time.

mod copy;
mod list;
mod run;
mod weave;

use std::env;
use std::fs;
use std::path::PathBuf;

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let path = |index: usize| PathBuf::from(words.get(index).expect("see README.md"));
    match words.first().map(String::as_str) {
        Some("weave") => {
            let mutants = list::read(&path(1));
            let left_out = copy::make(&mutants, &path(2), &path(3));
            let text = serde_json::to_string(&left_out).expect("numbers");
            fs::write(path(3).join("left-out.json"), text).expect("the numbers");
            println!("{} mutants, {} not woven in", mutants.len(), left_out.len());
        }
        Some("run") => run::run(&list::read(&path(1)), &path(2), &path(3), &words[4..]),
        Some("table") => run::table(&list::read(&path(1)), &path(2)),
        _ => panic!("weave, run or table; see README.md"),
    }
}
