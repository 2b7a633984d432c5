//! Names that senders choose: parsed once at the door, cheap to clone inside.
//!
//! An id is 1 to 128 characters of `A-Z a-z 0-9 . _ : -`, and neither `.` nor `..` (they would vanish in a URL path).

use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Longest id, in bytes (all its characters are ASCII).
pub const ID_BYTES_MAX: usize = 128;

/// Why a text is not an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an id is 1 to 128 characters of A-Z a-z 0-9 . _ : - and neither `.` nor `..`")]
pub struct InvalidId;

/// By byte: ids are checked for every event.
const ALLOWED: [bool; 256] = {
    let mut allowed = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        allowed[byte] =
            (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'.' | b'_' | b':' | b'-');
        byte += 1;
    }
    allowed
};

fn check(text: &str) -> Result<(), InvalidId> {
    let allowed = |byte: u8| ALLOWED[usize::from(byte)];
    let length_fits = (1..=ID_BYTES_MAX).contains(&text.len());
    if length_fits && text != "." && text != ".." && text.bytes().all(allowed) {
        Ok(())
    } else {
        Err(InvalidId)
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = InvalidId;
            fn from_str(text: &str) -> Result<Self, InvalidId> {
                check(text).map(|()| Self(text.into()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&*self.0, f)
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

id!(
    /// Who owns a session; `default` where sign-in is off.
    TenantId
);
id!(
    /// A conversation of a planner: the scope of one log.
    SessionId
);
id!(
    /// A step of a plan, unique in its session.
    StepId
);
id!(
    /// A kind of subagent (`documentation`, `safety`, …); the wire calls it `stage` in events.
    SubagentKey
);
id!(
    /// One expected output of a step, unique in the step.
    ResultKey
);

impl TenantId {
    /// The tenant of a service without sign-in.
    pub fn default_tenant() -> Self {
        static DEFAULT: LazyLock<TenantId> = LazyLock::new(|| TenantId("default".into()));
        DEFAULT.clone()
    }
}

/// A session and its owner: what a log is found by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionKey {
    /// The owner.
    pub tenant: TenantId,
    /// The session.
    pub session: SessionId,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_short_plain_and_safe_in_a_path() {
        for good in ["a", "plan-step-4", "A.b_c:d-9", "...", &"x".repeat(128)] {
            assert!(good.parse::<StepId>().is_ok(), "{good}");
        }
        for bad in ["", ".", "..", "a b", "a/b", "ä", "a%2F", "a\n", &"x".repeat(129)] {
            assert_eq!(bad.parse::<StepId>(), Err(InvalidId), "{bad}");
        }
    }
}
