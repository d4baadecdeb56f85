//! Compressed files and archives, made for tests.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// Bytes as a gzip file.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// Bytes as a Zstandard file.
pub(crate) fn zstandard(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// Files as a tar archive, in this order; a name that ends with a slash is a folder.
pub(crate) fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        let is_folder = name.ends_with('/');
        header.set_entry_type(match is_folder {
            true => tar::EntryType::Directory,
            false => tar::EntryType::Regular,
        });
        header.set_mode(0o644);
        header.set_size(bytes.len() as u64);
        builder
            .append_data(&mut header, name, *bytes)
            .expect("memory");
    }
    builder.into_inner().expect("memory")
}
