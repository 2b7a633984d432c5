//! Patterns of session ids: `*` stands for any run of characters, also none; everything else for itself.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::domain::ids::{ID_BYTES_MAX, SessionId};

/// Longest pattern, in bytes (all its characters are ASCII).
pub const PATTERN_BYTES_MAX: usize = ID_BYTES_MAX;

/// Why a text is not a pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a session pattern is 1 to 128 characters of A-Z a-z 0-9 . _ : - and *")]
pub struct InvalidPattern;

/// Which sessions a token is for.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SessionPattern(Arc<str>);

impl SessionPattern {
    /// The pattern of one session.
    pub fn exactly(session: &SessionId) -> Self {
        Self(session.as_str().into())
    }

    /// Whether every session's name fits: it is nothing but `*`.
    pub fn is_all(&self) -> bool {
        self.0.bytes().all(|byte| byte == b'*') && !self.0.is_empty()
    }

    /// The pattern as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the pattern stands for that session. Linear in both: what lies between two `*` is looked for once, from left
    /// to right, because the leftmost place leaves the most for the rest.
    pub fn matches(&self, session: &SessionId) -> bool {
        let Some((start, rest)) = self.0.split_once('*') else {
            let is_prefix = mutant!("pattern-taken-for-a-prefix") && session.as_str().starts_with(&*self.0);
            return *self.0 == *session.as_str() || is_prefix;
        };
        let (middle, end) = rest.rsplit_once('*').unwrap_or(("", rest));
        let between = session.as_str().strip_prefix(start).and_then(|text| text.strip_suffix(end));
        let Some(mut between) = between else { return false };
        for part in middle.split('*') {
            let Some((_, after)) = between.split_once(part) else { return false };
            between = after;
        }
        true
    }
}

impl FromStr for SessionPattern {
    type Err = InvalidPattern;

    fn from_str(text: &str) -> Result<Self, InvalidPattern> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-*".contains(&byte);
        let fits = (1..=PATTERN_BYTES_MAX).contains(&text.len()) && text.bytes().all(allowed);
        fits.then(|| Self(text.into())).ok_or(InvalidPattern)
    }
}

impl fmt::Debug for SessionPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl fmt::Display for SessionPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for SessionPattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for SessionPattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn matches(pattern: &str, session: &str) -> bool {
        pattern.parse::<SessionPattern>().unwrap().matches(&session.parse().unwrap())
    }

    #[test]
    fn star_stands_for_any_run_of_characters() {
        for (pattern, session, expected) in [
            ("sess-1", "sess-1", true),
            ("sess-1", "sess-10", false),
            ("sess-1", "xsess-1", false),
            ("sess-1", "SESS-1", false),
            ("*", "anything", true),
            ("**", "anything", true),
            ("user-7:*", "user-7:a", true),
            ("user-7:*", "user-7:", true),
            ("user-7:*", "user-77:a", false),
            ("*:chat", "a:chat", true),
            ("*:chat", "a:chats", false),
            ("a*b*c", "abc", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "acb", false),
            ("a*a", "a", false),
            ("a*a", "aa", true),
            ("ab*ba", "aba", false),
            ("a*bc*c", "abcc", true),
            ("a*bc*c", "abc", false),
            (".", "x", false),
            ("a.c", "abc", false),
        ] {
            assert_eq!(matches(pattern, session), expected, "{pattern} on {session}");
        }
    }

    #[test]
    fn only_characters_of_ids_and_stars_are_patterns() {
        for bad in ["", "a b", "a/b", "a?", "[a]", "ä*", "a\n", "a\0", &"*".repeat(129)] {
            assert_eq!(bad.parse::<SessionPattern>(), Err(InvalidPattern), "{bad:?}");
        }
        assert!("*".repeat(128).parse::<SessionPattern>().is_ok());
    }

    /// The definition, in quadratic time.
    fn by_table(pattern: &[u8], text: &[u8]) -> bool {
        let mut row: Vec<bool> = (0..=text.len()).map(|at| at == 0).collect();
        for &byte in pattern {
            let mut next = vec![false; row.len()];
            for at in 0..=text.len() {
                next[at] = if byte == b'*' {
                    row[at] || (at > 0 && next[at - 1])
                } else {
                    at > 0 && row[at - 1] && text[at - 1] == byte
                };
            }
            row = next;
        }
        row[text.len()]
    }

    proptest! {
        #![proptest_config(crate::properties::cases(4_000))]

        #[test]
        fn matching_is_what_the_definition_says(pattern in "[ab*]{1,12}", session in "[ab]{1,16}") {
            let expected = by_table(pattern.as_bytes(), session.as_bytes());
            prop_assert_eq!(matches(&pattern, &session), expected);
        }

        #[test]
        fn pattern_of_one_session_is_for_that_session_alone(one in "[a-z.:_-]{3,9}", other in "[a-z.:_-]{3,9}") {
            let (one, other): (SessionId, SessionId) = (one.parse().unwrap(), other.parse().unwrap());
            let pattern = SessionPattern::exactly(&one);
            prop_assert!(pattern.matches(&one));
            prop_assert_eq!(pattern.matches(&other), one == other);
        }

        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            if let Ok(pattern) = text.parse::<SessionPattern>() {
                let json = serde_json::to_string(&pattern).unwrap();
                prop_assert_eq!(serde_json::from_str::<SessionPattern>(&json).unwrap(), pattern);
            }
        }
    }
}
