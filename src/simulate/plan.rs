//! What happens to one call, decided from its behaviour and its attempt. Pure.
//!
//! What stops a call goes before what changes its answer: `redirect`, then the failures of the first calls, then
//! `hang=head`, then `status`, then `garbage`, then the answer, which may hang in its body.

use super::behaviour::{Behaviour, Garbage, Hang};

/// How long `garbage` is where nothing else is said, in bytes.
const HUGE_BYTES: u64 = 64 << 20;
const BINARY_BYTES: u64 = 4 << 10;

/// What happens to a call once its `latency_ms` are over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// It is sent elsewhere.
    Redirect {
        /// 300 to 399.
        status: u16,
        /// `Location`.
        location: String,
    },
    /// Nothing comes.
    Hang,
    /// A refusal or a failure: a body that says so.
    Fail {
        /// 300 to 599.
        status: u16,
        /// `Retry-After`.
        retry_after: Option<String>,
    },
    /// What is no answer, under status 200.
    Garbage(Rubbish),
    /// The subagent's output.
    Answer {
        /// 200 to 299.
        status: u16,
        /// How its body ends.
        ending: Ending,
    },
}

/// Garbage of a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rubbish {
    /// A document that is cut off, though its body ends well.
    Json,
    /// A page.
    Html,
    /// So many bytes that are no text.
    Binary(u64),
    /// A text of so many bytes, well-formed.
    Huge(u64),
}

/// How a body ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// All of it comes.
    Whole,
    /// It stops in its middle, and the connection stays open.
    Hang,
    /// The connection closes in the middle of its last chunk.
    Cut,
}

/// What happens to the call that is the `attempt`th of its name, from 1.
pub fn decide(behaviour: &Behaviour, attempt: u64) -> Plan {
    let code = |status: Option<u64>, or: u16| status.and_then(|it| u16::try_from(it).ok()).unwrap_or(or);
    if let Some(location) = &behaviour.redirect {
        return Plan::Redirect { status: code(behaviour.redirect_status, 307), location: location.clone() };
    }
    let retry_after = behaviour.retry_after.clone();
    let status = match behaviour.fail {
        Some(first) if attempt <= first => {
            return Plan::Fail { status: code(behaviour.status, 503), retry_after };
        }
        Some(_) => 200,
        None => code(behaviour.status, 200),
    };
    if behaviour.hang == Some(Hang::Head) {
        return Plan::Hang;
    }
    if !(200..300).contains(&status) {
        return Plan::Fail { status, retry_after };
    }
    let bytes = behaviour.bytes;
    let ending = match behaviour.garbage {
        Some(Garbage::Json) => return Plan::Garbage(Rubbish::Json),
        Some(Garbage::Html) => return Plan::Garbage(Rubbish::Html),
        Some(Garbage::Binary) => return Plan::Garbage(Rubbish::Binary(bytes.unwrap_or(BINARY_BYTES))),
        Some(Garbage::Huge) => return Plan::Garbage(Rubbish::Huge(bytes.unwrap_or(HUGE_BYTES))),
        Some(Garbage::Truncated) => Ending::Cut,
        None if behaviour.hang == Some(Hang::Body) => Ending::Hang,
        None => Ending::Whole,
    };
    Plan::Answer { status, ending }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, ending: Ending) -> Plan {
        Plan::Answer { status, ending }
    }

    fn fail(status: u16, retry_after: Option<&str>) -> Plan {
        Plan::Fail { status, retry_after: retry_after.map(Into::into) }
    }

    #[test]
    fn every_behaviour_has_its_plan() {
        for (query, attempt, wanted) in [
            ("", 1, answer(200, Ending::Whole)),
            ("status=202", 9, answer(202, Ending::Whole)),
            ("status=503&retry_after=3", 9, fail(503, Some("3"))),
            ("status=304", 1, fail(304, None)),
            ("fail=2", 1, fail(503, None)),
            ("fail=2", 2, fail(503, None)),
            ("fail=2", 3, answer(200, Ending::Whole)),
            ("fail=0", 1, answer(200, Ending::Whole)),
            ("fail=1&status=429&retry_after=1", 1, fail(429, Some("1"))),
            ("fail=1&status=429&retry_after=1", 2, answer(200, Ending::Whole)),
            ("hang=head", 1, Plan::Hang),
            ("hang=head&status=503", 1, Plan::Hang),
            ("hang=head&fail=1", 1, fail(503, None)),
            ("hang=head&fail=1", 2, Plan::Hang),
            ("hang=body", 1, answer(200, Ending::Hang)),
            ("garbage=truncated", 1, answer(200, Ending::Cut)),
            ("garbage=json", 1, Plan::Garbage(Rubbish::Json)),
            ("garbage=html", 1, Plan::Garbage(Rubbish::Html)),
            ("garbage=binary&bytes=7", 1, Plan::Garbage(Rubbish::Binary(7))),
            ("garbage=huge", 1, Plan::Garbage(Rubbish::Huge(HUGE_BYTES))),
            ("redirect=/a&fail=9", 1, Plan::Redirect { status: 307, location: "/a".into() }),
            ("redirect=/a&redirect_status=302", 1, Plan::Redirect { status: 302, location: "/a".into() }),
        ] {
            let behaviour = Behaviour::from_query(query).unwrap();
            assert_eq!(decide(&behaviour, attempt), wanted, "{query} {attempt}");
        }
    }
}
