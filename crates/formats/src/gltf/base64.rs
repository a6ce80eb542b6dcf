//! Decodes Base64 with the standard alphabet (RFC 4648, section 4), as in data URIs.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Decodes text with or without padding. `None` if a character is not of the alphabet or bits are left over.
pub(super) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let body = match text {
        [body @ .., b'=', b'='] | [body @ .., b'='] => body,
        body => body,
    };
    if body.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(body.len() / 4 * 3 + 2);
    for group in body.chunks(4) {
        let mut bits = 0u32;
        for &character in group {
            bits = bits << 6 | value(character)?;
        }
        // A last group of two or three characters holds one or two bytes.
        let held = group.len() * 6 / 8;
        bits <<= 24 - group.len() * 6;
        bytes.extend(bits.to_be_bytes().iter().skip(1).take(held));
    }
    Some(bytes)
}

fn value(character: u8) -> Option<u32> {
    Some(match character {
        b'A'..=b'Z' => u32::from(character - b'A'),
        b'a'..=b'z' => u32::from(character - b'a') + 26,
        b'0'..=b'9' => u32::from(character - b'0') + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

/// Encodes bytes, with padding.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits =
            group.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (24 - group.len() * 8);
        for i in 0..4 {
            let index = (bits >> (18 - 6 * i)) as usize & 63;
            let character = ALPHABET.get(index).copied().unwrap_or(b'=');
            text.push(if i <= group.len() { char::from(character) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_test_vectors_of_the_standard_pass() {
        let vectors = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (plain, encoded) in vectors {
            assert_eq!(encode(plain.as_bytes()), encoded);
            assert_eq!(decode(encoded.as_bytes()).unwrap(), plain.as_bytes());
            assert_eq!(decode(encoded.trim_end_matches('=').as_bytes()).unwrap(), plain.as_bytes());
        }
        for bad in ["Z", "Zm9vY", "Zm 9", "Zm9-", "=Zg="] {
            assert_eq!(decode(bad.as_bytes()), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn decoding_restores_encoded_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(decode(encode(&bytes).as_bytes()), Some(bytes));
        }
    }
}
