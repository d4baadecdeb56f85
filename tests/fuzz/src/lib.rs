//! What the fuzz targets do with the bytes that they are given: one function a target.
//!
//! A target fails by a panic of the product, by an assertion here, by a time-out or by its memory.

pub mod copies;
mod packed;
mod plays;
mod promises;
mod reader;
mod record;

#[path = "../../it/support/law.rs"]
mod law;
#[path = "../../it/support/matches.rs"]
#[allow(dead_code, reason = "shared with the tests, which use all of it")]
mod matches;
#[path = "../../it/support/rng.rs"]
#[allow(dead_code, reason = "shared with the tests, which use all of it")]
mod rng;
#[path = "../../it/support/slow.rs"]
#[allow(dead_code, reason = "shared with the tests, which use all of it")]
mod slow;

pub use plays::{ids, plays};
pub use promises::{digit, record, written};

use reader::survives;

/// Formats that share a target: the first byte of the input chooses.
pub const ROOMS: [&str; 6] = ["bgammon", "bgroom", "party", "tmg", "sgg", "lbg"];
/// The same of what holds positions or single games.
pub const POSITIONS: [&str; 6] = ["position", "snowie-position", "pos", "xgp", "gam", "bkg"];

/// An input in whatever format it looks like.
pub fn any(data: &[u8]) {
    survives(None, data);
}

/// Match text.
pub fn mat(data: &[u8]) {
    survives(Some("mat"), data);
}

/// Smart Game Format.
pub fn sgf(data: &[u8]) {
    survives(Some("sgf"), data);
}

/// eXtreme Gammon: a container as it is, or, without its first bytes, records that are packed into one.
pub fn xg(data: &[u8]) {
    if data.starts_with(b"RGMH") {
        survives(Some("xg"), data);
    } else {
        survives(Some("xg"), &packed::xg(data));
    }
}

/// BGBlitz: a file as it is, or, without its first line, a document that is packed into one.
pub fn bgf(data: &[u8]) {
    match data.split_first() {
        Some((b'{', _)) | None => survives(Some("bgf"), data),
        Some((kind, document)) => survives(Some("bgf"), &packed::bgf(*kind, document)),
    }
}

/// OGXM, or, without its first bytes, its relation in JSON.
pub fn ogxm(data: &[u8]) {
    let is_ogxm = data.starts_with(b"OGXM");
    survives(Some(if is_ogxm { "ogxm" } else { "gva" }), data);
}

/// The record of our own.
pub fn json(data: &[u8]) {
    survives(Some("json"), data);
}

/// The log of FIBS.
pub fn fibs(data: &[u8]) {
    survives(Some("fibs"), data);
}

/// The oldmoves of FIBS.
pub fn oldmoves(data: &[u8]) {
    survives(Some("oldmoves"), data);
}

/// The text and page exports of GNU Backgammon.
pub fn gnubg_text(data: &[u8]) {
    survives(Some("gnubg-text"), data);
}

/// One of [`ROOMS`].
pub fn rooms(data: &[u8]) {
    one_of(&ROOMS, data);
}

/// One of [`POSITIONS`].
pub fn positions(data: &[u8]) {
    one_of(&POSITIONS, data);
}

fn one_of(names: &[&str], data: &[u8]) {
    if let Some((choice, rest)) = data.split_first() {
        survives(Some(names[usize::from(*choice) % names.len()]), rest);
    }
}

/// The log of a chouette, as text or JSON.
pub fn chouette(data: &[u8]) {
    let Ok(source) = tawla::source::Source::new("log", data.to_vec(), None) else {
        return;
    };
    let options = tawla::ruleset::RuleOptions::default();
    if let Ok(report) = tawla::chouette::check(&source, &options) {
        reader::print(&report.findings, &source);
    }
}

/// What is agreed for a folder, and the values of its options.
pub fn options(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match tawla::ruleset::Config::parse("tawla.toml", &text) {
        Ok(config) => drop(config.rules_of("final.mat")),
        Err(error) => drop(error.to_string()),
    }
    if let Some(clock) = tawla::ruleset::Clock::parse(&text) {
        assert!(clock.after(60.0, 1.0).is_finite(), "{text}");
    }
    let _ = tawla::ruleset::Lengths::parse(&text);
}
