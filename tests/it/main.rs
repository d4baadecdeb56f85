//! All integration tests, as one binary: a test that needs a fixture, several modules or the command belongs
//! here, one file a subject; a test of one module stands beside its code; what several files here need is in
//! `support`.

mod allow;
mod archive;
mod batch;
mod chouette;
mod chouette_command;
mod cli;
mod convert;
mod diff;
#[cfg(unix)]
mod faults;
mod fix;
mod gnubg;
mod golden;
mod json;
mod layers;
mod machine;
mod money;
mod nardi;
mod nardi_plays;
mod options;
mod perft;
mod playout;
mod points;
mod readme;
mod registry;
mod robust;
mod shell;
mod silenced;
mod slips;

mod support;
mod written;
