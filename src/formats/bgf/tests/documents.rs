//! Documents in both forms, whole and broken.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use super::analysis::analysed;
use super::encode::{self, HEADER, Smile, file, gzip, int, json, object};
use super::{document, packed, read, source};
use crate::formats::bgf::tree::{Broken, Value};
use crate::formats::bgf::{FORMAT, smile, text};
use crate::formats::recorder::testing;

#[test]
fn what_stands_before_a_cut_is_read_and_nothing_is_made_of_the_rest() {
    let body = Smile::document(&document(), true, false);
    let whole = read(&file(HEADER, &gzip(&body))).0;
    let mut most = 0;
    for end in (0..body.len()).step_by(3) {
        let (record, findings) = read(&file(HEADER, &gzip(&body[..end])));
        let codes: Vec<_> = findings.iter().map(|finding| finding.rule.code).collect();
        assert_eq!(codes, ["truncated"], "up to byte {end}");
        for (game, of_whole) in record.games.iter().zip(&whole.games) {
            let actions = testing::actions(game);
            let expected = &testing::actions(of_whole)[..actions.len()];
            assert_eq!(actions, expected, "up to byte {end}");
        }
        // A game that was cut is neither won nor given up.
        for (game, of_whole) in record.games.iter().zip(&whole.games) {
            let is_cut = game.entries.len() < of_whole.entries.len();
            assert!(game.result.is_none() || !is_cut, "up to byte {end}");
        }
        most = most.max(record.games.len());
    }
    assert_eq!(most, 3);
}

#[test]
fn a_compressed_file_that_is_cut_is_read_up_to_there() {
    let bytes = packed(&document());
    let mut actions = 0;
    for end in (HEADER.len()..bytes.len() - 9).step_by(3) {
        let (record, findings) = read(&bytes[..end]);
        let codes: Vec<_> = findings.iter().map(|finding| finding.rule.code).collect();
        assert_eq!(codes, ["truncated"], "up to byte {end}");
        let read: usize = record.games.iter().map(|game| game.entries.len()).sum();
        assert!(read >= actions, "up to byte {end}");
        actions = read;
    }
    assert!(actions > 20, "{actions}");
}

#[test]
fn smile_values_are_read_as_they_were_written() {
    let long = "x".repeat(200);
    let texts = [
        "",
        "a",
        "ä",
        &"b".repeat(33),
        &"ö".repeat(20),
        &"é".repeat(32),
        &long,
        "ß€",
    ];
    let mut values: Vec<Value> = texts.iter().map(|text| encode::text(text)).collect();
    let numbers = [
        0,
        -1,
        15,
        -16,
        16,
        31,
        -32,
        1 << 20,
        i64::from(i32::MIN),
        i64::MIN,
        i64::MAX,
    ];
    values.extend(numbers.map(int));
    values.extend([1.5, -0.0, 1e300].map(Value::Float));
    values.extend([Value::Null, Value::Bool(true), Value::Bool(false)]);
    let names = [
        "",
        "a",
        "ä",
        &"n".repeat(64),
        &"n".repeat(65),
        &"ü".repeat(28),
        &"ü".repeat(40),
    ];
    let member = |name: &&str| (Rc::from(*name), Value::List(values.clone()));
    let document = Value::List(vec![Value::Object(names.iter().map(member).collect()); 2]);
    for (names, texts) in [(false, false), (true, false), (false, true), (true, true)] {
        let bytes = Smile::document(&document, names, texts);
        let read = smile::read(&bytes);
        assert_eq!((read.fault, read.used), (None, bytes.len()));
        assert_eq!(read.root, document, "shared: {names}, {texts}");
    }
}

#[test]
fn smile_shares_up_to_1024_names_and_none_at_the_marks() {
    // 254 and 255 are places that cannot be referred to.
    let names = |count: usize| (0..count).map(|number| format!("name {number}"));
    let object = |count: usize| {
        let members = names(count).map(|name| (Rc::from(&*name), encode::text(&name)));
        Value::Object(members.collect())
    };
    for count in [255, 256, 300, 1023, 1024, 1025, 1300] {
        let document = Value::List(vec![object(count), object(count), object(40)]);
        let bytes = Smile::document(&document, true, true);
        let read = smile::read(&bytes);
        assert_eq!(read.fault, None, "{count} names");
        assert_eq!(read.root, document, "{count} names");
    }
}

/// What is wrong with a value in Smile.
fn smile_fault(bytes: &[u8]) -> Option<(Broken, usize)> {
    smile::read(&[b":)\n\x01", bytes].concat()).fault
}

#[test]
fn smile_that_cannot_be_read_says_where() {
    let why = |bytes: &[u8]| match smile_fault(bytes) {
        Some((Broken::Unreadable(why), at)) => format!("{at}: {why}"),
        other => format!("{other:?}"),
    };
    assert_eq!(why(b"\xf8\x21\x00"), "6: 00 starts no value");
    assert_eq!(why(b"\xfa\x80a\x21\x00"), "8: 00 starts no name");
    assert_eq!(
        why(b"\xfa\x41\x21\xfb"),
        "5: shared name 1 where 0 are known"
    );
    assert_eq!(
        why(b"\xf8\x40a\x01\xf9"),
        "7: shared text 0 where 0 are known"
    );
    assert_eq!(why(b"\xf9"), "4: F9 starts no value");
    assert_eq!(why(b"\xfa\x80a\xfb"), "7: FB starts no value");
    assert_eq!(why(b"\x26"), "4: a number too big to be read");
    assert_eq!(why(b"\xe8"), "4: a binary value, which is not read");
    assert_eq!(
        why(&[&b"\x25"[..], &[0x7F; 10], b"\x81"].concat()),
        "4: a number of more than 64 bits"
    );
    assert_eq!(
        why(&[0xF8; 200]),
        "104: more than 100 lists and objects within each other"
    );
    assert_eq!(smile_fault(b"\xf8\x24\x01"), Some((Broken::Cut, 5)));
    assert_eq!(smile_fault(b"\xf8\xe0abc"), Some((Broken::Cut, 5)));
    let fault = smile::read(b":)\n\x11\x21").fault;
    assert_eq!(fault, Some((Broken::because("version 1 of Smile"), 0)));
}

#[test]
fn a_document_of_too_many_values_is_refused() {
    let mut bytes = b":)\n\x01\xf8".to_vec();
    bytes.resize(3_000_000, 0x21);
    let read = smile::read(&bytes);
    let why = Broken::because("more than 2000000 values");
    assert_eq!(read.fault.map(|(broken, _)| broken), Some(why));
    assert_eq!(read.root.list().len(), 2_000_000);
}

#[test]
fn json_text_is_read_up_to_where_it_breaks_off() {
    let document = text::read(" {\"a\": [1, -2.5, \"b\\\"\\u00e4\", true, null, {}], \"c\": []} ");
    let list = vec![
        int(1),
        Value::Float(-2.5),
        encode::text("b\"ä"),
        Value::Bool(true),
        Value::Null,
        object([]),
    ];
    let expected = object([("a", Value::List(list)), ("c", Value::List(Vec::new()))]);
    assert_eq!((document.root, document.fault), (expected, None));
    let cut = text::read("{\"a\": [1, 2, \"thr");
    assert_eq!(cut.fault, Some((Broken::Cut, 13)));
    assert_eq!(
        cut.root.get("a").map(Value::list),
        Some(&[int(1), int(2)][..])
    );
    for wrong in [
        "{\"a\" 1}",
        "[1 2]",
        "[1,]",
        "{,}",
        "[nul]",
        "{\"a\":1,}",
        "[\"\\x\"]",
    ] {
        assert!(
            matches!(text::read(wrong).fault, Some((Broken::Unreadable(_), _))),
            "{wrong}"
        );
    }
}

/// Random numbers, the same for each seed.
struct Rng(u64);

impl Rng {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn survives(bytes: &[u8], what: &str) {
    let run = || {
        if let Some(reader) = FORMAT.read {
            let _ = reader(&source(bytes), &mut |_, _| {});
        }
    };
    assert!(
        catch_unwind(AssertUnwindSafe(run)).is_ok(),
        "{what}: {bytes:?}"
    );
}

#[test]
fn changed_documents_are_survived() {
    let seed = 20_261_130;
    let mut rng = Rng(seed);
    let smile = Smile::document(&analysed(), true, true);
    let text = json(&analysed()).into_bytes();
    for body in [&smile, &text] {
        for number in 0..1000 {
            let mut body = body.clone();
            for _ in 0..=rng.below(4) {
                let at = rng.below(body.len());
                body[at] = rng.below(256) as u8;
            }
            survives(
                &file(HEADER, &body),
                &format!("seed {seed}, change {number}"),
            );
        }
    }
}
