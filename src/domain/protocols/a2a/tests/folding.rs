//! Artifacts folded by id, and the raw output that they come to.

use proptest::prelude::*;

use super::{BOUNDS, SSE, hear};
use crate::domain::directive::Protocol;
use crate::domain::protocols::{AnswerReader, Bounds};

fn update(id: &str, parts: &str, append: bool) -> String {
    format!(
        "data: {{\"result\":{{\"artifactUpdate\":{{\"taskId\":\"t\",\"artifact\":{{\"artifactId\":\"{id}\",\"parts\":[{parts}]}},\"append\":{append}}}}}}}\n\n"
    )
}

const DONE: &str = "data: {\"result\":{\"statusUpdate\":{\"taskId\":\"t\",\"status\":{\"state\":\"TASK_STATE_COMPLETED\"}}}}\n\n";

fn end(updates: &[String]) -> String {
    hear(SSE, [[updates.concat(), DONE.into()].concat().as_bytes()], BOUNDS).end
}

#[test]
fn artifacts_are_folded_by_id_in_the_order_of_their_first_coming() {
    let text = |text: &str| format!("{{\"text\":\"{text}\"}}");
    let cases = [
        (vec![update("a", &text("x"), false), update("a", &text("y"), true)], r#"{"content":"xy"}"#),
        (vec![update("a", &text("x"), false), update("a", &text("y"), false)], r#"{"content":"y"}"#),
        (vec![update("a", &text("x"), true), update("b", &text("y"), true)], r#"{"content":"x\n\ny"}"#),
        (
            vec![
                update("a", &text("x"), false),
                update("b", &text("y"), false),
                update("a", &text("z"), false),
            ],
            r#"{"content":"z\n\ny"}"#,
        ),
        (vec![update("a", "{\"data\":[1,2]}", false)], "[1,2]"),
        (
            vec![update("a", "{\"data\":{\"x\": 1}}", false), update("b", "{\"data\":2}", false)],
            r#"{"content":"","data":[{"x": 1},2]}"#,
        ),
        (vec![update("a", "{\"data\":1}", false), update("a", "{\"data\":2}", false)], "2"),
        (vec![update("a", "{\"data\":1},{\"text\":\"x\"}", false)], r#"{"content":"x","data":[1]}"#),
        (
            vec![update(
                "a",
                "{\"url\":\"https://a.example\"},{\"kind\":\"file\",\"file\":{\"uri\":\"https://b.example\",\"name\":\"B\"}}",
                false,
            )],
            r#"{"content":"","sources":[{"title":"https://a.example","url":"https://a.example"},{"title":"B","url":"https://b.example"}]}"#,
        ),
        (
            vec![update(
                "a",
                "{\"raw\":\"aGVsbG8=\",\"filename\":\"h.txt\",\"mediaType\":\"text/plain\"},{\"file\":{\"bytes\":\"aGk=\"}}",
                false,
            )],
            r#"{"content":"","files":[{"bytes":5,"name":"h.txt","media_type":"text/plain"},{"bytes":2}]}"#,
        ),
        (vec![update("a", "{},{\"somethingNew\":1},{\"text\":null}", false)], r#"{"content":""}"#),
    ];
    for (updates, expected) in cases {
        assert_eq!(end(&updates), expected, "{updates:?}");
    }
}

#[test]
fn output_over_the_bound_is_refused_and_replacing_frees() {
    let bounds = Bounds { event_bytes: 10_000, text_bytes: 1_000 };
    let over = "answer_too_large, never: an agent's output of over 1000 bytes";
    let run =
        |updates: Vec<String>| hear(SSE, [[updates.concat(), DONE.into()].concat().as_bytes()], bounds).end;
    let text = format!("{{\"text\":\"{}\"}}", "x".repeat(100));
    assert_eq!(run(vec![update("a", &text, true); 10]), over);
    assert_eq!(
        run((0..20).map(|id| update(&id.to_string(), "", true)).collect()),
        over,
        "empty artifacts count"
    );
    assert_eq!(run(vec![update("a", "{\"data\":1}", true); 20]), over, "small parts count");
    let replaced = run(vec![update("a", &text, false); 50]);
    assert!(replaced.starts_with("{\"content\":\"xxx"), "{replaced}");
}

#[test]
fn a_long_answer_costs_what_it_adds_and_its_text_is_measured() {
    let bounds = Bounds { event_bytes: 10_000, text_bytes: 10_000_000 };
    let mut reader = AnswerReader::new(Protocol::A2a, Some(SSE), bounds);
    let piece = update("a", "{\"text\":\"0123456789\"}", true);
    for _ in 0..20_000 {
        assert_eq!(reader.feed(piece.as_bytes()), Ok(()));
    }
    assert_eq!(reader.text_len(), 200_000);
    assert_eq!(reader.text_so_far().map(|raw| raw.get().len()), Some(200_000 + r#"{"content":""}"#.len()));
    assert!(reader.text_so_far().is_none(), "it didn't change");
    assert_eq!(reader.feed(update("a", "{\"text\":\"x\"}", false).as_bytes()), Ok(()));
    assert_eq!(reader.text_len(), 1);
}

#[test]
fn messages_over_the_bound_are_refused() {
    let bounds = Bounds { event_bytes: 10_000, text_bytes: 1_000 };
    let message = format!("{{\"role\":\"agent\",\"parts\":[{{\"text\":\"{}\"}}]}}", "x".repeat(1_001));
    let completed =
        format!("{{\"taskId\":\"t\",\"status\":{{\"state\":\"completed\",\"message\":{message}}}}}");
    for result in [message, completed] {
        let body = format!("data: {{\"result\":{result}}}\n\n");
        let end = hear(SSE, [body.as_bytes()], bounds).end;
        assert_eq!(end, "answer_too_large, never: an agent's output of over 1000 bytes");
    }
}

#[test]
fn an_answer_over_both_bounds_is_refused() {
    let bounds = Bounds { event_bytes: 500, text_bytes: 500 };
    let body = update("a", &format!("{{\"text\":\"{}\"}}", "x".repeat(2_000)), false);
    assert_eq!(
        hear(SSE, [body.as_bytes()], bounds).end,
        "answer_too_large, never: a line of over 1000 bytes"
    );
    let json = hear("application/json", [body.as_bytes()], bounds).end;
    assert_eq!(json, "answer_too_large, never: a body or a line of it of over 1000 bytes");
}

proptest! {
    /// A model of the protocol's rule, in a few lines: a list of `(id, text)`.
    #[test]
    fn any_sequence_of_updates_folds_as_the_rule_says(
        updates in prop::collection::vec(("[abc]", "[a-z ]{0,6}", any::<bool>()), 0..30)
    ) {
        let mut model: Vec<(String, String)> = Vec::new();
        for (id, text, append) in &updates {
            match model.iter_mut().find(|(known, _)| known == id) {
                Some((_, known)) if *append => known.push_str(text),
                Some((_, known)) => known.clone_from(text),
                None => model.push((id.clone(), text.clone())),
            }
        }
        let texts: Vec<String> = model.into_iter().map(|(_, text)| text).filter(|text| !text.is_empty()).collect();
        let expected = serde_json::json!({ "content": texts.join("\n\n") }).to_string();
        let sent: Vec<String> = updates
            .iter()
            .map(|(id, text, append)| update(id, &format!("{{\"text\":\"{text}\"}}"), *append))
            .collect();
        prop_assert_eq!(end(&sent), expected);
    }
}
