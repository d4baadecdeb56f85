//! Analysis of the record as decisions, where it comes back exactly.

use super::Writer;
use crate::formats::carry::Item;
use crate::formats::ogxm::cursor::Record;
use crate::record::Entry;

/// The head of the block: who made it is not this program.
pub(super) fn head(one: u32, two: u32) -> Vec<u8> {
    const EXTERNAL: u64 = 2;
    let mut record = Record::default();
    let mut id = [0; 16];
    id[..4].copy_from_slice(&one.to_le_bytes());
    id[4..8].copy_from_slice(&two.to_le_bytes());
    // An identifier of the free kind.
    (id[6], id[8]) = (id[6] & 0x0f | 0x80, 0x80);
    record.body.extend_from_slice(&id);
    record.number(1, EXTERNAL);
    let mut payload = Vec::new();
    record.put(&mut payload);
    payload
}

impl Writer<'_> {
    /// The decisions of the ply that is being written.
    pub(super) fn analysis(&mut self, entry: &Entry) {
        let extra = entry.extra.as_deref();
        let has_any = extra.is_some_and(|extra| !extra.analysis.is_empty());
        self.lose(Item::Analysis, usize::from(has_any));
    }
}
