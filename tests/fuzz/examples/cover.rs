//! Gives every file of a folder to a target, without the fuzzer: `cover TARGET FOLDER`. Built with
//! `-C instrument-coverage` it tells which lines a corpus reaches; built as usual it tries a corpus again.

use std::panic::catch_unwind;
use std::{env, fs, io};

use tawla_fuzz as run;

type Target = fn(&[u8]);

/// The targets by name.
const TARGETS: [(&str, Target); 19] = [
    ("any", run::any),
    ("bgf", run::bgf),
    ("chouette", run::chouette),
    ("digit", run::digit),
    ("fibs", run::fibs),
    ("gnubg_text", run::gnubg_text),
    ("ids", run::ids),
    ("json", run::json),
    ("mat", run::mat),
    ("ogxm", run::ogxm),
    ("oldmoves", run::oldmoves),
    ("options", run::options),
    ("plays", run::plays),
    ("positions", run::positions),
    ("record", run::record),
    ("rooms", run::rooms),
    ("sgf", run::sgf),
    ("written", |data| drop(run::written(data))),
    ("xg", run::xg),
];

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1);
    let (Some(name), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err(io::Error::other("cover TARGET FOLDER"));
    };
    let target = TARGETS.iter().find(|(known, _)| *known == name);
    let (_, target) = target.ok_or_else(|| io::Error::other("no such target"))?;
    let mut failed = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let bytes = fs::read(&path)?;
        if catch_unwind(|| target(&bytes)).is_err() {
            println!("failed: {}", path.display());
            failed += 1;
        }
    }
    println!("{name}: {failed} failed");
    Ok(())
}
