//! What outputs of agents that act become.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::super::card::{CardState, card_state, requires_confirmation};
use super::*;

fn normal(text: &str) -> RawJson {
    normalise(&Arc::from(RawValue::from_string(text.to_owned()).unwrap()))
}

#[test]
fn words_for_a_state_are_read_and_kept() {
    for (word, state) in [
        ("pending", CardState::Proposed),
        ("Awaiting Confirmation", CardState::Proposed),
        ("requires_approval", CardState::Proposed),
        ("approved", CardState::Confirmed),
        ("accepted", CardState::Confirmed),
        ("running", CardState::Executing),
        ("in-progress", CardState::Executing),
        ("WORKFLOW_EXECUTION_STATUS_RUNNING", CardState::Executing),
        ("completed", CardState::Done),
        ("success", CardState::Done),
        ("succeeded", CardState::Done),
        ("ERROR", CardState::Failed),
        ("cancelled", CardState::Failed),
        ("rejected", CardState::Failed),
        ("declined", CardState::Failed),
    ] {
        for name in ["state", "status"] {
            let card = normal(&format!(r#"{{"action":"a","{name}":"{word}"}}"#));
            assert_eq!(card_state(&card), Some(state), "{word}");
            assert_eq!(requires_confirmation(&card), state == CardState::Proposed, "{word}");
            assert!(card.get().contains(&format!(r#""state_reported":"{word}""#)), "{card}");
        }
    }
    assert!(!normal(r#"{"action":"a","state":"done"}"#).get().contains("reported"));
}

#[test]
fn fields_are_filled_renamed_and_kept() {
    for (sent, expected) in [
        (
            "{}",
            r#"{"action":"","state":"proposed","summary":"","parameters":{},"requires_confirmation":true}"#,
        ),
        (
            "[1]",
            r#"{"action":"","state":"proposed","summary":"","parameters":{},"requires_confirmation":true,"data":[1]}"#,
        ),
        (
            r#"{"x":1,"tool":"t","state":"odd","parameters":[1],"undo":null,"requires_approval":"no"}"#,
            r#"{"action":"t","state":"proposed","summary":"t","parameters":{},"requires_confirmation":false,"x":1,"unread":{"state":"odd","parameters":[1]}}"#,
        ),
        (
            r#"{"action":"pay","params":{"name":"Bob"},"state_reported":1,"status":"ok"}"#,
            r#"{"action":"pay","state":"done","summary":"pay","parameters":{"name":"Bob"},"requires_confirmation":false,"state_reported":1,"state_reported_":"ok"}"#,
        ),
        (
            r#"{"action":{"name":"pay","args":"{\"to\": 1,\n\"n\": 2}"}}"#,
            r#"{"action":"pay","state":"proposed","summary":"pay","parameters":{"to":1,"n":2},"requires_confirmation":true}"#,
        ),
    ] {
        assert_eq!(normal(sent).get(), expected, "{sent}");
    }
}

#[test]
fn a_complete_message_is_not_a_done_action() {
    for sent in [
        r#"{"object":"response","status":"completed","output":[{"type":"function_call","name":"pay","arguments":"{}"}]}"#,
        r#"{"type":"function_call","status":"completed","name":"pay","arguments":"{}"}"#,
    ] {
        let card = normal(sent);
        assert_eq!(card_state(&card), Some(CardState::Proposed), "{card}");
        assert!(requires_confirmation(&card) && card.get().contains(r#""status":"completed""#), "{card}");
    }
}

#[test]
fn one_card_asks_for_all_calls_of_a_message() {
    let card =
        normal(r#"{"tool_calls":[{"name":"a","args":{}},{"function":{"name":"b","arguments":"{}"}}]}"#);
    assert!(card.get().starts_with(
        r#"{"action":"a, b","state":"proposed","summary":"a, b","parameters":{"calls":[{"name":"a","args":{}},{"function":"#
    ));
}

#[test]
fn flags_count_where_no_word_does() {
    for (sent, state) in [
        (r#"{"success":true}"#, CardState::Done),
        (r#"{"success":false}"#, CardState::Failed),
        (r#"{"finished":false}"#, CardState::Executing),
        (r#"{"approved":true}"#, CardState::Confirmed),
        (r#"{"approved":false}"#, CardState::Failed),
        (r#"{"error":"boom","success":true}"#, CardState::Failed),
        (r#"{"error":null}"#, CardState::Proposed),
        (r#"{"error":"boom","state":"running"}"#, CardState::Executing),
    ] {
        assert_eq!(card_state(&normal(sent)), Some(state), "{sent}");
    }
    assert_eq!(card_state(&Arc::from(RawValue::from_string("[]".to_owned()).unwrap())), None);
}
