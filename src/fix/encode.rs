//! Text back into the bytes of its file.

use crate::source::Source;

/// The bytes of an edited text in the encoding in which the source was read. `None`: the source itself cannot be
/// turned back into its bytes, so that what is left alone would not stay as it was.
pub fn same_bytes(source: &Source, raw: &[u8], text: &str) -> Option<Vec<u8>> {
    let encode = encoder(source.encoding())?;
    let mark = mark_of(raw);
    let whole = |text: &str| {
        let mut bytes = mark.to_vec();
        bytes.extend(encode(text)?);
        Some(bytes)
    };
    (whole(source.text())? == raw).then(|| whole(text))?
}

type Encode = Box<dyn Fn(&str) -> Option<Vec<u8>>>;

fn encoder(encoding: &str) -> Option<Encode> {
    let wide = |bytes: fn(u16) -> [u8; 2]| -> Encode {
        Box::new(move |text| Some(text.encode_utf16().flat_map(bytes).collect()))
    };
    match encoding {
        "utf-8" => Some(Box::new(|text| Some(text.as_bytes().to_vec()))),
        "utf-16le" => Some(wide(u16::to_le_bytes)),
        "utf-16be" => Some(wide(u16::to_be_bytes)),
        name => {
            let encoding = encoding_rs::Encoding::for_label(name.as_bytes())?;
            Some(Box::new(move |text| {
                let (bytes, _, failed) = encoding.encode(text);
                (!failed).then(|| bytes.into_owned())
            }))
        }
    }
}

/// The byte order mark of a file.
fn mark_of(raw: &[u8]) -> &[u8] {
    encoding_rs::Encoding::for_bom(raw).map_or(&[], |(_, length)| &raw[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_goes_back_into_its_own_encoding() {
        let utf16: Vec<u8> = [0xfe, 0xff]
            .into_iter()
            .chain("Jörg".encode_utf16().flat_map(u16::to_be_bytes))
            .collect();
        for raw in [
            b"\xef\xbb\xbfJ\xc3\xb6rg".to_vec(),
            b"J\xf6rg \x81".to_vec(),
            utf16,
        ] {
            let source = Source::new("x", raw.clone(), None).expect("a source");
            assert_eq!(same_bytes(&source, &raw, source.text()), Some(raw));
        }
    }
}
