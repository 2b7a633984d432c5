//! A quotation that is refuted where it stands: `Reports that "the mayor opposes the stadium" were denied.` says the contrary of what it
//! quotes, and a word of that is none of its own.

use crate::domain::text::phrases::has_any;

/// What refutes.
const REFUTED: [&str; 14] = [
    "denied",
    "denies",
    "false",
    "untrue",
    "incorrect",
    "refuted",
    "debunked",
    "a myth",
    "misleading",
    "unfounded",
    "retracted",
    "falsch",
    "dementiert",
    "desmentid",
];
/// What stands before and behind what is quoted.
const QUOTED: [[&str; 2]; 4] = [["“", "”"], ["„", "“"], ["«", "»"], ["\"", "\""]];
/// Words that are quoted for what they say, and not as a name.
const WORDS_MIN: usize = 3;

/// Whether a sentence quotes something and refutes it.
pub(super) fn refutes(text: &str) -> bool {
    // `“`, `„` and `«` begin with these bytes.
    if memchr::memchr3(b'"', 0xE2, 0xC2, text.as_bytes()).is_none() {
        return false;
    }
    QUOTED.iter().any(|[opens, closes]| {
        let Some((before, rest)) = text.split_once(opens) else { return false };
        let Some((quoted, behind)) = rest.split_once(closes) else { return false };
        let says = |part: &str| has_any(part, &REFUTED);
        quoted.split(' ').count() >= WORDS_MIN && (says(before) || says(behind))
    })
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;
    use super::*;

    #[test]
    fn what_is_quoted_and_refuted_is_not_said() {
        let said = "Mayor Okafor supports the new stadium.";
        for other in [
            "Reports that \"Mayor Okafor opposes the new stadium\" were denied by her office.",
            "It is false that “Mayor Okafor opposes the new stadium”.",
        ] {
            assert!(refutes(other), "{other}");
            assert_eq!(kind(said, other), None, "{other}");
            assert_eq!(kind(other, said), None, "{other}");
        }
        for other in ["Mayor Okafor opposes the new stadium.", "Mayor Okafor opposes the \"new\" stadium."] {
            assert!(!refutes(other), "{other}");
            assert_eq!(kind(said, other), Some(Kind::Polarity), "{other}");
        }
    }
}
