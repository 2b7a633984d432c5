//! How a judge's answer is read, whatever it looks like.

use proptest::prelude::*;

use super::Verdict::{Supported, Unknown, Unsupported};
use super::*;

#[test]
fn verdicts_are_read_and_doubt_is_unknown() {
    for (text, verdict, coherence) in [
        (r#"{"coherence":0.8,"verdict":"supported","reason":"r"}"#, Supported, Some(0.8)),
        ("```json\n{\"verdict\": \"UNSUPPORTED\", \"coherence\": \"0.25\"}\n```", Unsupported, Some(0.25)),
        (r#"Well {x}: {"verdict":"supported"} {"other":1}"#, Supported, None),
        (
            r#"<think>{"verdict":"unsupported"}</think>{"verdict":"supported","coherence":1}"#,
            Supported,
            Some(1.0),
        ),
        (r#"<think>{"verdict":"unsupported"}"#, Unknown, None),
        (r#"{"verdict":"unsupported"}{"verdict":"supported"}"#, Unknown, None),
        (r#"{"verdict":"refuted","coherence":80}"#, Unknown, None),
        (r#"{"verdict":false,"coherence":-1}"#, Unknown, None),
        (r#"{"verdict":"unsupported""#, Unknown, None),
        (r#"{"coherence":0.5}"#, Unknown, Some(0.5)),
        ("unsupported", Unknown, None),
        ("", Unknown, None),
    ] {
        let judgement = read_verdict(text);
        assert_eq!((judgement.verdict, judgement.coherence), (verdict, coherence), "{text}");
    }
    let said = read_verdict("{\"verdict\":\"supported\",\"reason\":\" a\\n b\\u202e \"}");
    assert_eq!(said.reason.as_deref(), Some("a b"));
    assert_eq!(read_verdict(&"{\"a\":".repeat(1_000_000)).verdict, Unknown);
}

proptest! {
    #[test]
    fn no_answer_panics_and_a_coherence_is_a_share(text in any::<String>(), number in any::<f64>()) {
        read_verdict(&text);
        let judgement = read_verdict(&format!("{text}{{\"coherence\":{number}}}"));
        prop_assert!(judgement.coherence.is_none_or(|share| (0.0..=1.0).contains(&share)));
    }
}
