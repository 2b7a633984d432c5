//! Credentials that are told by the scheme before them (RFC 9110, section 11.4), whatever the name beside them says: those of
//! `Bearer` and `Basic`.
//!
//! Both words are ordinary ones as well ("bearer of bad news", "Basic understanding"). A text is a credential where nothing but one word
//! follows; behind `Basic` that is, in Base64, a name and a password with a colon between them (RFC 7617).

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// With or without what fills it up.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The credential of a text that is a scheme and its credential.
pub fn after_scheme(text: &str) -> Option<&str> {
    let (scheme, behind) = text.trim().split_once(char::is_whitespace)?;
    let credential = behind.trim_start();
    let is_of = |name: &str| scheme.eq_ignore_ascii_case(name);
    let is_known = is_of("bearer") || (is_of("basic") && names_a_user(credential));
    (is_known && !credential.contains(char::is_whitespace)).then_some(credential)
}

/// Whether it is the Base64 of a text with a colon in it.
fn names_a_user(credential: &str) -> bool {
    let decoded = BASE64.decode(credential).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    decoded.is_some_and(|text| text.contains(':') && !text.contains(char::is_control))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_is_one_word_behind_its_scheme() {
        for (text, found) in [
            ("Bearer abc", Some("abc")),
            ("bearer  eyJhbGciOi.J9-_~+/=", Some("eyJhbGciOi.J9-_~+/=")),
            ("BEARER\t1|abcdef ", Some("1|abcdef")),
            ("Basic dXNlcjpwYXNz", Some("dXNlcjpwYXNz")),
            ("basic dTpw", Some("dTpw")),
            ("Basic dXNlcjpwYXM=", Some("dXNlcjpwYXM=")),
            ("Basic dXNlcjpwYXM", Some("dXNlcjpwYXM")),
            ("bearer of bad news", None),
            ("Basic understanding of the matter", None),
            ("Basic plan", None),
            ("Basic internationalization", None),
            ("Basic", None),
            ("Bearer ", None),
            ("Forbearer abc", None),
            ("", None),
        ] {
            assert_eq!(after_scheme(text), found, "{text}");
        }
    }
}
