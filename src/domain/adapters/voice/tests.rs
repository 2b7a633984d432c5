//! What outputs of speech services become.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::*;

fn normal(text: &str) -> RawJson {
    normalise(&Arc::from(RawValue::from_string(text.to_owned()).unwrap()))
}

#[test]
fn times_are_read_by_the_names_of_their_fields() {
    for (document, segment, expected) in [
        (
            "",
            r#"{"start_ms":1,"end_ms":2,"text":"t","n":0}"#,
            r#"{"start_ms":1,"end_ms":2,"text":"t","n":0}"#,
        ),
        ("", r#"{"start":1.2345,"end":2,"text":"t"}"#, r#"{"start_ms":1234,"end_ms":2000,"text":"t"}"#),
        (
            "",
            r#"{"startTime":"0.100s","endTime":"0.5s","word":"t"}"#,
            r#"{"start_ms":100,"end_ms":500,"text":"t"}"#,
        ),
        (
            "",
            r#"{"startTime":{"seconds":"1","nanos":5000000},"text":"t"}"#,
            r#"{"start_ms":1005,"end_ms":1005,"text":"t"}"#,
        ),
        (
            "",
            r#"{"start_time":"0.1","end_time":"x","content":"t"}"#,
            r#"{"start_ms":100,"end_ms":100,"text":"t","end_time":"x"}"#,
        ),
        ("", r#"{"timestamp":[0.5,1.5],"text":"t"}"#, r#"{"start_ms":500,"end_ms":1500,"text":"t"}"#),
        ("", r#"{"startMs":5,"endMs":9,"text":"t"}"#, r#"{"start_ms":5,"end_ms":9,"text":"t"}"#),
        (
            r#""audio_duration":3,"#,
            r#"{"start":250,"end":650,"text":"t"}"#,
            r#"{"start_ms":250,"end_ms":650,"text":"t"}"#,
        ),
        ("", r#"{"start":1e300,"text":"t"}"#, r#"{"start_ms":0,"end_ms":0,"text":"t","start":1e300}"#),
        (
            "",
            r#"{"start_ms":"1","text":7}"#,
            r#"{"start_ms":0,"end_ms":0,"text":"","unread":{"start_ms":"1","text":7}}"#,
        ),
        ("", "7", r#"{"start_ms":0,"end_ms":0,"text":"","data":7}"#),
        ("", r#""t""#, r#"{"start_ms":0,"end_ms":0,"text":"t"}"#),
    ] {
        let sent = format!(r#"{{"transcript":"t",{document}"final":true,"segments":[{segment}]}}"#);
        assert!(
            normal(&sent).get().contains(&format!(r#""segments":[{expected}]"#)),
            "{sent} {}",
            normal(&sent)
        );
    }
}

#[test]
fn a_missing_start_is_the_end_before() {
    let call = normal(r#"{"segments":["a",{"end":2,"text":" b "},"",{"text":"c"}]}"#);
    assert!(call.get().starts_with(r#"{"transcript":"a b c","#), "{call}");
    assert!(call.get().contains(r#"{"start_ms":2000,"end_ms":2000,"text":"c"}"#), "{call}");
}

#[test]
fn an_interim_transcript_is_told_from_a_final_one() {
    for (sent, is_final) in [
        (r#""hello""#, true),
        (r#"{"transcript":"t"}"#, true),
        (r#"{"transcript":"t","is_final":false}"#, false),
        (r#"{"transcript":"t","isFinal":true,"status":"processing"}"#, true),
        (r#"{"transcript":"t","is_partial":true}"#, false),
        (r#"{"text":"t","message_type":"PartialTranscript"}"#, false),
        (r#"{"text":"t","message_type":"FinalTranscript"}"#, true),
        (r#"{"text":"t","status":"processing"}"#, false),
        (r#"{"text":"t","status":"completed"}"#, true),
        (r#"{"text":"t","type":"interim"}"#, false),
        (r#"{"text":"t","type":"Results","is_final":false}"#, false),
        (r#"{"text":"t","CallSid":"CA1","status":"in-progress"}"#, true),
        (
            r#"{"results":[{"alternatives":[{"transcript":"a"}],"isFinal":true},{"alternatives":[],"isFinal":false}]}"#,
            false,
        ),
        (r#"{"results":[{"alternatives":[{"transcript":"a"}],"stability":0.9}]}"#, false),
    ] {
        assert_eq!(voice_is_final(&normal(sent)), Some(is_final), "{sent}");
    }
    assert_eq!(
        voice_is_final(&Arc::from(RawValue::from_string(r#"{"final":true}"#.to_owned()).unwrap())),
        None
    );
}

#[test]
fn a_call_has_a_status_of_its_own() {
    for (sent, status) in [
        (r#"{"CallSid":"CA1","CallStatus":"no-answer"}"#, Some("no-answer")),
        (r#"{"CallSid":"CA1","status":"completed"}"#, Some("completed")),
        (r#"{"status":"ringing"}"#, Some("ringing")),
        (r#"{"status":"completed"}"#, None),
    ] {
        let call = normal(sent);
        let found = call.get().split(r#""call_status":""#).nth(1).and_then(|rest| rest.split('"').next());
        assert_eq!(found, status, "{call}");
    }
}

#[test]
fn what_is_no_transcript_is_kept() {
    for (sent, expected) in [
        ("7", r#"{"transcript":"","final":true,"segments":[],"data":7}"#),
        ("[]", r#"{"transcript":"","final":true,"segments":[],"data":[]}"#),
        (
            r#"{"transcript":5,"confidence":"high","segments":{"a":1},"x":null}"#,
            r#"{"transcript":"","final":true,"segments":[],"x":null,"unread":{"transcript":5,"confidence":"high","segments":{"a":1}}}"#,
        ),
    ] {
        assert_eq!(normal(sent).get(), expected, "{sent}");
    }
}

#[test]
fn message_of_a_service_in_which_nothing_was_heard_is_no_final_transcript() {
    let raw = |text: &str| -> RawJson { Arc::from(RawValue::from_string(text.to_owned()).unwrap()) };
    for sent in [
        r#"{"type":"SpeechStarted","channel":[0,1],"timestamp":0.1}"#,
        r#"{"type":"UtteranceEnd","last_word_end":2.1}"#,
        r#"{"type":"Metadata","duration":2.1}"#,
    ] {
        assert_eq!(voice_is_final(&normal(sent)), Some(false), "{sent}");
        assert!(is_sign_of_life(&raw(sent)), "{sent}");
    }
    for (sent, is_final) in [
        (r#"{"type":"Results","is_final":true,"channel":{"alternatives":[{"transcript":""}]}}"#, true),
        (r#"{"type":"Results","is_final":false,"channel":{"alternatives":[{"transcript":"a"}]}}"#, false),
        (r#"{"CallSid":"C","CallStatus":"completed","type":"status"}"#, true),
        (r#"{"RecognitionStatus":"InitialSilenceTimeout"}"#, true),
        (r#"{"type":"transcript","text":"a"}"#, true),
    ] {
        assert_eq!(voice_is_final(&normal(sent)), Some(is_final), "{sent}");
        assert!(!is_sign_of_life(&raw(sent)), "{sent}");
    }
}
