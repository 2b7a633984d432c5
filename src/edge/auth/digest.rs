//! SHA-256 and the texts of secrets: what is kept and compared instead of a secret itself.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// SHA-256 of the parts, one behind the other.
pub(super) fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize().into()
}

/// Lower-case hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// 32 bytes of 64 hexadecimal digits, in either case.
pub(super) fn from_hex(text: &str) -> Option<[u8; 32]> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes: Option<Vec<u8>> =
        pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect();
    if rest.is_empty() { bytes?.try_into().ok() } else { None }
}

/// Base64 for URLs without padding (RFC 4648, section 5).
pub(super) fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// The bytes, where the text is exactly what [`base64url`] writes for them.
pub(super) fn from_base64url(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digest_is_that_of_the_standard() {
        // FIPS 180-4, "abc".
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex(&sha256(&[b"a", b"bc"])), expected);
        assert_eq!(from_hex(expected), Some(sha256(&[b"abc"])));
        assert_eq!(from_hex(&expected.to_uppercase()), Some(sha256(&[b"abc"])));
        for bad in [
            "",
            "ba78",
            &expected[1..],
            &format!("{expected}0"),
            &format!("{expected}00"),
            &"g".repeat(64),
            &"é".repeat(32),
        ] {
            assert_eq!(from_hex(bad), None, "{bad}");
        }
    }

    #[test]
    fn one_text_stands_for_bytes() {
        assert_eq!(from_base64url(&base64url(b"\xff\xfe")), Some(b"\xff\xfe".to_vec()));
        // Other bits at the end, padding, the other alphabet, a blank.
        for bad in ["__5", "__4=", "//4", "__ 4", "__4\n"] {
            assert_eq!(from_base64url(bad), None, "{bad:?}");
        }
    }
}
