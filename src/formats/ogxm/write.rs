//! Writes
use crate::formats::{CannotWrite, WriteOptions, Written};
use crate::record::MatchRecord;
use crate::replay::Replay;
pub(super) fn write(_: &MatchRecord, _: &Replay, _: &WriteOptions) -> Result<Written, CannotWrite> {
    Err(CannotWrite("x".to_owned()))
}
