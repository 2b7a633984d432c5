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
            r#"{"action":"","state":"proposed","summary":"","parameters":{},"requires_confirmation":true,"data":[1],"recognised":false}"#,
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
fn what_is_said_of_an_answer_is_not_said_of_what_it_asks_for() {
    let calls = r#""tool_calls":[{"id":"c","type":"function","function":{"name":"pay","arguments":"{\"amount\":5}"}}]"#;
    for (around, state) in [
        (r#""status":"ok""#, CardState::Proposed),
        (r#""status":"success","name":"bot","input":{"q":1}"#, CardState::Proposed),
        (r#""success":true"#, CardState::Proposed),
        (r#""finished":true"#, CardState::Proposed),
        (r#""status":"in_progress""#, CardState::Proposed),
        (r#""status":"failed""#, CardState::Failed),
        (r#""success":false"#, CardState::Failed),
        (r#""error":"boom""#, CardState::Failed),
        (r#""approved":true"#, CardState::Confirmed),
        (r#""state":"executing""#, CardState::Executing),
    ] {
        let card = normal(&format!("{{{around},{calls}}}"));
        assert_eq!(card_state(&card), Some(state), "{card}");
        let begins = format!(
            r#"{{"action":"pay","state":"{}","summary":"pay","parameters":{{"amount":5}}"#,
            state.as_str()
        );
        assert!(card.get().starts_with(&begins), "{card}");
        assert_eq!(normal(card.get()).get(), card.get());
    }
    for sent in [
        r#"{"status":"success","content":[{"type":"tool_use","name":"pay","input":{"amount":5}}]}"#,
        r#"{"status":"ok","action_requests":[{"name":"pay","args":{"amount":5}}]}"#,
    ] {
        assert_eq!(card_state(&normal(sent)), Some(CardState::Proposed), "{sent}");
    }
    // What an action brought is no call, and what has an action of its own says how that one stands.
    for sent in [
        r#"{"workflow":"refund","status":"completed","output":[{"name":"receipt","value":{"no":7}}]}"#,
        r#"{"action":"pay","status":"done","tool_calls":[{"name":"ledger","args":{}}]}"#,
    ] {
        assert_eq!(card_state(&normal(sent)), Some(CardState::Done), "{sent}");
    }
}

#[test]
fn calls_of_other_services_are_read() {
    for sent in [
        r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"x"},{"functionCall":{"name":"pay","args":{"amount":5}}}]}}]}"#,
        r#"{"output":{"message":{"content":[{"toolUse":{"name":"pay","input":{"amount":5}}}]}}}"#,
        r#"{"toolCalls":[{"toolName":"pay","input":{"amount":5}}]}"#,
        r#"{"object":"thread.run","status":"requires_action","required_action":{"submit_tool_outputs":{"tool_calls":[{"function":{"name":"pay","arguments":"{\"amount\":5}"}}]}}}"#,
        r#"{"content":"","tool_calls":[{"name":"pay","args":{"amount":5}}]}"#,
    ] {
        let card = normal(sent);
        let begins = r#"{"action":"pay","state":"proposed","summary":"pay","parameters":{"amount":5},"requires_confirmation":true"#;
        assert!(card.get().starts_with(begins), "{card}");
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

#[test]
fn actions_are_found_by_other_names_and_in_envelopes() {
    for sent in [
        r#"{"intent":"pay","slots":{"amount":5}}"#,
        r#"{"command":"pay","kwargs":{"amount":5}}"#,
        r#"{"toolName":"pay","input":{"amount":5}}"#,
        r#"{"result":{"action":"pay","parameters":{"amount":5}}}"#,
        r#"{"output":{"data":{"tool":"pay","args":{"amount":5}}}}"#,
        r#"{"proposal":{"type":"pay","details":{"amount":5}}}"#,
        r#"{"type":"pay","data":{"amount":5}}"#,
    ] {
        let card = normal(sent);
        let begins = r#"{"action":"pay","state":"proposed","summary":"pay","parameters":{"amount":5},"requires_confirmation":true"#;
        assert!(card.get().starts_with(begins) && !card.get().contains("recognised"), "{sent}: {card}");
    }
    let card = normal(r#"["Refund order 7","Tell Ada"]"#);
    assert!(card.get().contains(r#""summary":"Refund order 7; Tell Ada""#), "{card}");
}

#[test]
fn a_card_that_asks_for_nothing_says_so() {
    for sent in [r#"{"foo":1}"#, r#"{"result":{"refund_id":3}}"#, "[1]", "7", r#"{"type":"text","x":2}"#] {
        let card = normal(sent);
        assert!(card.get().contains(r#""recognised":false"#), "{sent}: {card}");
        assert_eq!(normal(card.get()).get(), card.get());
    }
    for sent in [
        r#"{"state":"done"}"#,
        r#"{"success":true}"#,
        r#""Send it?""#,
        "{}",
        r#"{"params":{"a":1}}"#,
        r#"{"progress":"Looking."}"#,
    ] {
        assert!(!normal(sent).get().contains("recognised"), "{sent}");
    }
}
