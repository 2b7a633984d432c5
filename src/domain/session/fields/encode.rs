//! The fields that each append writes, as the bytes that serde would write ([`json_text`](crate::domain::json_text)).

use super::{OutputField, SessionField, StepField};
use crate::domain::json_text::{json, number, optional, push, text};

/// Room for the text of most fields: it grows seldom.
const FIELD_BYTES: usize = 256;

/// What belongs to no step.
pub(super) fn session(field: &SessionField) -> Vec<u8> {
    let mut out = Vec::with_capacity(FIELD_BYTES);
    number(&mut out, "{\"at\":", field.at.0);
    number(&mut out, ",\"bytes\":", field.bytes);
    text(&mut out, ",\"more_steps\":", boolean(field.more_steps));
    text(&mut out, ",\"closed\":", boolean(field.closed));
    optional(&mut out, ",\"notices\":", Some(&field.notices).filter(|notices| !notices.is_empty()));
    optional(&mut out, ",\"spent\":", Some(&field.spent).filter(|spent| !spent.is_nothing()));
    push(&mut out, "}");
    out
}

/// Where a step stands.
pub(super) fn step(field: &StepField) -> Vec<u8> {
    let mut out = Vec::with_capacity(FIELD_BYTES);
    number(&mut out, "{\"last\":", field.last.0);
    text(&mut out, ",\"status\":\"", field.status.as_str());
    push(&mut out, "\",\"ended\":");
    json(&mut out, &field.ended);
    optional(&mut out, ",\"writing\":", field.writing.as_ref());
    optional(&mut out, ",\"aggregated\":", field.aggregated.as_ref());
    push(&mut out, "}");
    out
}

/// Where an output stands.
pub(super) fn output(field: &OutputField) -> Vec<u8> {
    let mut out = Vec::with_capacity(FIELD_BYTES);
    text(&mut out, "{\"status\":\"", field.status.as_str());
    number(&mut out, "\",\"revision\":", field.revision);
    number(&mut out, ",\"attempt\":", field.attempt);
    optional(&mut out, ",\"attempt_at\":", field.attempt_at.as_ref());
    match &field.sender {
        Some((revision, sequence, digest)) => {
            let [high, low]: [u64; 2] = (*digest).into();
            number(&mut out, ",\"sender\":[", *revision);
            number(&mut out, ",", sequence.0);
            number(&mut out, ",[", high);
            number(&mut out, ",", low);
            push(&mut out, "]]");
        }
        None => push(&mut out, ",\"sender\":null"),
    }
    or_null(&mut out, ",\"started_at\":", field.started_at.map(|at| at.0));
    or_null(&mut out, ",\"latency_ms\":", field.latency_ms);
    optional(&mut out, ",\"call\":", field.call.as_ref());
    optional(&mut out, ",\"card\":", field.card.as_ref());
    optional(&mut out, ",\"failed\":", field.failed.as_ref());
    push(&mut out, "}");
    out
}

fn or_null(out: &mut Vec<u8>, key: &str, value: Option<impl itoa::Integer>) {
    match value {
        Some(value) => number(out, key, value),
        None => text(out, key, "null"),
    }
}

fn boolean(value: bool) -> &'static str {
    if value { "true" } else { "false" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::adapters::{Card, CardState};
    use crate::domain::event::Digest;
    use crate::domain::position::{Position, Sequence};
    use crate::domain::record::{StepStatus, SubagentStatus};
    use crate::domain::session::call::CallState;
    use crate::domain::session::notice::Notices;
    use crate::domain::session::writing::{Spent, WritingState};
    use crate::domain::time::Timestamp;

    const NOTICES: &str = r#"[{"decision":3,"due_at":5,"tried":1,"taken":2}]"#;
    const WRITING: &str = r#"{"until":5,"work":{"due_at":4,"taken":2},"said":3,"lane":1}"#;

    fn serdes(field: &impl serde::Serialize) -> String {
        serde_json::to_string(field).unwrap()
    }

    fn read(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).unwrap()
    }

    /// Which parts are there: each of eight ways.
    fn ways() -> impl Iterator<Item = impl Fn(u8) -> bool> {
        (0..8_u8).map(|bits| move |bit: u8| bits & (1 << bit) != 0)
    }

    #[test]
    fn a_session_is_the_bytes_that_serde_would_write() {
        for on in ways() {
            let spent = Spent { tokens: u64::from(on(2)), ..Spent::default() };
            let notices = if on(1) { serde_json::from_str(NOTICES).unwrap() } else { Notices::default() };
            let (at, closed) = (Timestamp(if on(0) { -5 } else { i64::MAX }), on(1));
            let field = SessionField { at, bytes: u64::MAX, more_steps: on(0), closed, notices, spent };
            assert_eq!(read(session(&field)), serdes(&field));
        }
    }

    #[test]
    fn a_step_is_the_bytes_that_serde_would_write() {
        for on in ways() {
            let ended = (Position::start("7f3a91".parse().unwrap()), Timestamp(-1));
            let field = StepField {
                last: Sequence(u64::MAX),
                status: if on(0) { StepStatus::PartialFailure } else { StepStatus::InProgress },
                ended: on(0).then_some(ended),
                writing: on(1).then(|| serde_json::from_str::<WritingState>(WRITING).unwrap()),
                aggregated: on(2).then_some(Sequence(3)),
            };
            assert_eq!(read(step(&field)), serdes(&field));
        }
    }

    #[test]
    fn an_output_is_the_bytes_that_serde_would_write() {
        for on in ways() {
            let field = OutputField {
                status: if on(0) { SubagentStatus::InProgress } else { SubagentStatus::Success },
                revision: u64::MAX,
                attempt: u32::MAX,
                attempt_at: on(0).then_some(Timestamp(-7)),
                sender: on(1).then_some((9, Sequence(4), Digest(u128::MAX - 1))),
                started_at: on(2).then_some(Timestamp(-1)),
                latency_ms: on(0).then_some(930),
                call: on(1).then_some(CallState { due_at: Timestamp(4), taken: 2, fence: None }),
                card: on(2).then_some(Card {
                    state: CardState::Proposed,
                    requires_confirmation: true,
                    action: on(1).then_some(u64::MAX),
                }),
                failed: on(1).then(std::sync::Arc::default),
            };
            assert_eq!(read(output(&field)), serdes(&field));
        }
    }
}
