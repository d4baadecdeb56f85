//! Contents wrapped as their programs wrap them, so that the fuzzer changes what is inside.

use std::io::Write;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};

/// The header of a container without a picture: its magic, version, and its own size.
const XG_HEADER: usize = 8232;

/// Records of eXtreme Gammon in a container without a registry: the streams are found by search.
pub(crate) fn xg(records: &[u8]) -> Vec<u8> {
    let mut file = vec![0; XG_HEADER];
    file[..4].copy_from_slice(b"RGMH");
    file[4] = 1;
    file[8..12].copy_from_slice(&(XG_HEADER as u32).to_le_bytes());
    let mut encoder = ZlibEncoder::new(file, Compression::none());
    encoder.write_all(records).expect("memory");
    encoder.finish().expect("memory")
}

/// A document of BGBlitz: Smile or text, compressed or not.
pub(crate) fn bgf(kind: u8, document: &[u8]) -> Vec<u8> {
    let (smile, compressed) = (kind & 1 == 0, kind & 2 == 0);
    let header = format!(
        "{{\"format\":\"BGF\",\"version\":\"1.0\",\"compress\":{compressed},\"useSmile\":{smile}}}\n"
    );
    let mut file = header.into_bytes();
    if compressed {
        let mut encoder = GzEncoder::new(file, Compression::none());
        encoder.write_all(document).expect("memory");
        encoder.finish().expect("memory")
    } else {
        file.extend(document);
        file
    }
}
