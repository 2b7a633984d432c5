//! Which bodies are refused, by which code and at which place.

use super::*;

fn place<T: std::fmt::Debug>(read: Result<T, Refusal>) -> (Code, String, String) {
    let refusal = read.unwrap_err();
    (refusal.code, refusal.issues[0].pointer.clone(), refusal.detail)
}

#[test]
fn a_refusal_has_a_code_a_place_and_a_sentence() {
    for (text, code, pointer, part) in [
        ("", Code::InvalidJson, "", "this isn't valid JSON"),
        (r#"{"message":"a","message":"a"}"#, Code::InvalidJson, "/message", "`message` is given twice"),
        (
            r#"{"message":"a","payload":[{"x":1,"x":1}]}"#,
            Code::InvalidJson,
            "/payload/0/x",
            "`x` is given twice",
        ),
        (
            r#"{"message":"a","percentage":1}"#,
            Code::UnknownField,
            "/percentage",
            "unknown field `percentage`",
        ),
        (r#"{"message":"a","a/b~c":1}"#, Code::UnknownField, "/a~1b~0c", "unknown field `a/b~c`"),
        (r#"{"message":7}"#, Code::InvalidEvent, "/message", "invalid type: integer `7`, expected a string"),
        (r#"{"percent":7}"#, Code::InvalidEvent, "/message", "missing field `message`"),
        (r#"["a",1,null]"#, Code::InvalidEvent, "", "invalid type: sequence, expected an object"),
        (r#"{"message":" "}"#, Code::InvalidEvent, "/message", "`message` is empty"),
        (r#"{"message":"a","percent":100.1}"#, Code::InvalidEvent, "/percent", "from 0 to 100"),
        (r#"{"message":"a","percent":-1}"#, Code::InvalidEvent, "/percent", "from 0 to 100"),
        (r#"{"message":"a","percent":"1"}"#, Code::InvalidEvent, "/percent", "expected a JSON number"),
    ] {
        let (found_code, found_pointer, detail) = place(parse_progress(text));
        assert_eq!((found_code, found_pointer.as_str()), (code, pointer), "{text}: {detail}");
        assert!(detail.contains(part) && !detail.contains(" at line 1 column 1 "), "{text}: {detail}");
    }
}

#[test]
fn a_wrong_text_is_quoted_in_part_only() {
    let text = format!(r#"{{"message":"a","percent":"{}"}}"#, "x".repeat(10_000));
    assert!(place(parse_progress(&text)).2.len() < 500);
}

#[test]
fn what_is_kept_as_sent_is_on_one_line() {
    let progress =
        parse_progress("{\"message\": \"a\",\n\"percent\": 100, \"payload\": {\n \"x\": \" y \" }}").unwrap();
    assert_eq!(progress.payload.unwrap().0.get(), r#"{"x":" y "}"#);
    assert_eq!(progress.percent, Some(100.into()));
    assert_eq!(parse_progress(r#"{"message":"a","payload":null}"#).unwrap().payload, None);
}

#[test]
fn lengths_are_counted_in_characters() {
    let progress = |text: &str| parse_progress(&format!(r#"{{"message":"{text}"}}"#));
    assert!(progress(&"ä".repeat(4_096)).is_ok());
    assert_eq!(place(progress(&"ä".repeat(4_097))).1, "/message");
}

#[test]
fn a_safety_decision_needs_a_policy_and_a_reason() {
    let good =
        r#"{"decision":"refuse","policy":"pii","reason":"a name","severity":"high","subagent":"voice"}"#;
    assert!(parse_safety(good).is_ok());
    for (from, to, code, pointer) in [
        ("\"pii\"", "\"\"", Code::InvalidEvent, "/policy"),
        ("\"a name\"", "\"\"", Code::InvalidEvent, "/reason"),
        ("refuse", "deny", Code::InvalidEvent, "/decision"),
        ("\"voice\"", "\"a b\"", Code::InvalidId, "/subagent"),
        ("\"voice\"", "7", Code::InvalidEvent, "/subagent"),
        ("severity", "level", Code::UnknownField, "/level"),
        ("high", &"x".repeat(65), Code::InvalidEvent, "/severity"),
    ] {
        let (found_code, found_pointer, detail) = place(parse_safety(&good.replace(from, to)));
        assert_eq!((found_code, found_pointer.as_str()), (code, pointer), "{from} to {to}: {detail}");
    }
}

#[test]
fn a_cancel_needs_nothing() {
    for text in ["", " \n", "{}", r#"{"reason":null}"#, r#"{"reason":" "}"#] {
        assert_eq!(parse_cancel(text).unwrap().reason, None, "{text}");
    }
    assert_eq!(parse_cancel(r#"{"reason":"enough"}"#).unwrap().reason.as_deref(), Some("enough"));
    assert_eq!(place(parse_cancel(r#"{"why":"enough"}"#)).0, Code::UnknownField);
    assert_eq!(place(parse_cancel(&format!(r#"{{"reason":"{}"}}"#, "x".repeat(4_097)))).1, "/reason");
}

#[test]
fn score_of_feedback_is_from_minus_100_to_100_and_a_blank_comment_is_none() {
    for (text, score, comment) in [
        (r#"{"score":0}"#, 0.0, None),
        (r#"{"score":1,"comment":null}"#, 1.0, None),
        (r#"{"score":-0.0,"comment":" \n"}"#, 0.0, None),
        (r#"{"comment":" a ","score":6e-1}"#, 0.6, Some(" a ")),
    ] {
        let feedback = parse_feedback(text).unwrap();
        assert_eq!((feedback.score, feedback.comment.as_deref()), (score, comment), "{text}");
        assert!(feedback.score.is_sign_positive(), "{text}");
    }
    for (text, pointer, part) in [
        (r#"{"score":100.0000001}"#, "/score", "from -100 to 100"),
        (r#"{"score":-101}"#, "/score", "from -100 to 100"),
        (r#"{"score":true}"#, "/score", "expected a number"),
        (r#"{"score":1,"comment":"\u0000"}"#, "/comment", "U+0000"),
        ("{}", "/score", "missing field `score`"),
    ] {
        let (code, found, detail) = place(parse_feedback(text));
        assert_eq!((code, found.as_str()), (Code::InvalidEvent, pointer), "{text}: {detail}");
        assert!(detail.contains(part), "{text}: {detail}");
    }
    assert!(parse_feedback(r#"{"score":1e999}"#).is_err());
}
