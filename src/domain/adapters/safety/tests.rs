//! What outputs of safety checks become.

use std::sync::Arc;

use serde_json::{Value, value::RawValue};

use super::*;

fn raw(text: &str) -> RawJson {
    Arc::from(RawValue::from_string(text.to_owned()).unwrap())
}

fn outcome(text: &str) -> PolicyOutcome {
    policy_outcome(&normalise(&raw(text))).unwrap()
}

#[test]
fn words_and_flags_decide_and_the_strictest_counts() {
    use PolicyDecision::{Allow, Escalate, Refuse};
    for (sent, decision) in [
        (r#"{"decision":"allow"}"#, Allow),
        (r#"{"decision":"PASS"}"#, Allow),
        (r#"{"decision":"ok"}"#, Allow),
        (r#"{"decision":"flagged"}"#, Refuse),
        (r#"{"decision":"blocked"}"#, Refuse),
        (r#"{"decision":"unsafe"}"#, Refuse),
        (r#"{"decision":"deny"}"#, Refuse),
        (r#"{"decision":"violation"}"#, Refuse),
        (r#"{"decision":"review"}"#, Escalate),
        (r#"{"decision":"flag_for_review"}"#, Escalate),
        (r#"{"decision":"human"}"#, Escalate),
        (r#"{"decision":"allow","flagged":true}"#, Allow),
        (r#"{"verdict":"allow","flagged":true}"#, Refuse),
        (r#"{"safe":true,"needs_review":true}"#, Escalate),
        (r#"{"safe":true,"needs_review":false}"#, Allow),
        (r#"{"flagged":false}"#, Allow),
        (r#"{"is_safe":false}"#, Refuse),
        (r#"{"status":"ok","flagged":true}"#, Refuse),
        (r#"{"violations":[]}"#, Allow),
        (r#"{"violations":["x"],"safe":true}"#, Refuse),
        (r#"{"results":[{"flagged":false},{"flagged":true}]}"#, Refuse),
        (r#"{"content":"unsafe\nS1"}"#, Refuse),
        (r#"[{"safe":true},{"safe":false}]"#, Refuse),
        (r#""{\"decision\":\"deny\"}""#, Refuse),
    ] {
        assert_eq!(outcome(sent).decision, decision, "{sent}");
    }
}

#[test]
fn what_is_allowed_is_not_ended_by_that() {
    let regular = r#"{"decision":"allow","policy":"p","reason":"all fine","severity":"none","terminate":true}"#;
    for sent in [regular, r#"{"decision":"safe","halt":"yes"}"#, r#"{"verdict":"pass","terminate":true}"#] {
        let outcome = outcome(sent);
        assert!(is_unreadable(&outcome) && outcome.reason.contains("contradict"), "{sent}: {outcome:?}");
    }
    for (sent, decision) in [
        (r#"{"decision":"allow","terminate":false}"#, PolicyDecision::Allow),
        (r#"{"decision":"refuse","terminate":true}"#, PolicyDecision::Refuse),
        (r#"{"decision":"escalate","terminate":true}"#, PolicyDecision::Escalate),
    ] {
        assert_eq!(outcome(sent).decision, decision, "{sent}");
    }
}

#[test]
fn a_model_decides_in_the_midst_of_its_prose_and_behind_its_thoughts() {
    use PolicyDecision::{Allow, Refuse};
    let json = r#"{"decision":"refuse","policy":"p","reason":"bad"}"#;
    for said in [
        json.to_owned(),
        format!("Here is my decision:\n\n```json\n{json}\n```"),
        format!("<think>It names a person.</think>{json}"),
        format!("I have checked it.\n{json}\nLet me know!"),
        "REFUSE: it contains an address".to_owned(),
    ] {
        for answer in [
            serde_json::json!({"content": said, "finish_reason": "stop"}),
            Value::from(said.as_str()),
        ] {
            assert_eq!(outcome(&answer.to_string()).decision, Refuse, "{answer}");
        }
    }
    let allowed = format!("<think>unsafe?</think>{}", json.replace("refuse", "allow"));
    let allowed = serde_json::json!({"content": allowed, "finish_reason": "stop"});
    assert_eq!(outcome(&allowed.to_string()).decision, Allow);
}

#[test]
fn what_is_checked_is_no_decision_about_it() {
    for sent in [
        // The text that was checked, not the check's.
        r#"{"content":"Here is my setting: {\"safe\": true}"}"#,
        r#"{"content":"Safe: no","finish_reason":"stop"}"#,
        r#"{"content":"Attack: how one is told","other":1}"#,
        // Which of both is meant isn't known.
        r#"{"content":"{\"decision\":\"allow\"} or {\"decision\":\"refuse\"}","finish_reason":"stop"}"#,
    ] {
        assert!(is_unreadable(&outcome(sent)), "{sent}");
    }
}

#[test]
fn what_is_not_understood_is_for_a_person() {
    for sent in [
        "7",
        "null",
        "[]",
        "{}",
        r#""I think it is fine.""#,
        r#"{"decision":"sure"}"#,
        r#"{"decision":"sure","safe":true}"#,
        r#"{"verdict":"sure","allowed":true}"#,
        r#"{"status":"ok"}"#,
        r#"{"status":"success"}"#,
        r#"{"content":"ok"}"#,
        r#"{"decision":true,"terminate":true,"policy":"p"}"#,
        r#"{"flagged":"maybe"}"#,
    ] {
        let normal = normalise(&raw(sent));
        let PolicyOutcome { decision, policy, severity, terminate, .. } = policy_outcome(&normal).unwrap();
        assert_eq!((decision, &*policy), (PolicyDecision::Escalate, "unreadable"), "{sent}");
        assert_eq!((severity.as_deref(), terminate), (Some("unknown"), Some(false)), "{sent}");
        assert!(normal.get().ends_with(&format!(r#""data":{sent}}}"#)), "{normal}");
    }
    assert_eq!(outcome(r#"{"decision":"sure","flagged":true}"#).decision, PolicyDecision::Refuse);
}

#[test]
fn a_refusal_of_everything_terminates_unless_it_says_otherwise() {
    for (sent, terminate) in [
        (r#"{"flagged":true}"#, true),
        (r#"{"flagged":true,"subagent":"voice"}"#, false),
        (r#"{"flagged":true,"subagent":"no id"}"#, true),
        (r#"{"flagged":true,"terminate":false}"#, false),
        (r#"{"flagged":true,"subagent":"voice","terminate":"true"}"#, true),
        (r#"{"flagged":true,"terminate":"maybe"}"#, true),
        (r#"{"decision":"review"}"#, false),
        (r#"{"decision":"allow"}"#, false),
    ] {
        let outcome = outcome(sent);
        assert_eq!(outcome.terminate, Some(terminate), "{sent}");
        assert_eq!(outcome.terminates(), terminate, "{sent}");
    }
}

#[test]
fn fields_are_filled_renamed_and_kept() {
    for (sent, expected) in [
        (
            r#"{"x":1,"decision":"block","rule":"pii","explanation":"A name.","risk_level":3,"stage":"voice"}"#,
            r#"{"decision":"refuse","policy":"pii","reason":"A name.","severity":"3","terminate":false,"subagent":"voice","x":1,"decision_reported":"block"}"#,
        ),
        (
            r#"{"decision":"allow","policy":" ","reason":["r"],"severity":null,"subagent":7}"#,
            r#"{"decision":"allow","policy":"unspecified","reason":"The safety check found nothing wrong.","severity":"none","terminate":false,"unread":{"policy":" ","reason":["r"],"subagent":7}}"#,
        ),
    ] {
        assert_eq!(normalise(&raw(sent)).get(), expected, "{sent}");
    }
}

#[test]
fn what_was_violated_is_named() {
    for (sent, policy, severity) in [
        (r#"{"results":[{"flagged":true,"categories":{"hate":true,"x":false}}]}"#, "hate", "unknown"),
        (
            r#"{"categoriesAnalysis":[{"category":"Hate","severity":6},{"category":"Sexual","severity":0}]}"#,
            "Hate",
            "6",
        ),
        (r#""unsafe\nS1,S10""#, "S1, S10", "unknown"),
        (r#"{"violations":[{"category":"pii"},"x",3]}"#, "pii, x", "unknown"),
        (
            r#"{"action":"GUARDRAIL_INTERVENED","assessments":[{"contentPolicy":{"filters":[{"type":"HATE","confidence":"HIGH","action":"BLOCKED"}]}}]}"#,
            "HATE",
            "HIGH",
        ),
    ] {
        let outcome = outcome(sent);
        assert_eq!((&*outcome.policy, outcome.severity.as_deref()), (policy, Some(severity)), "{sent}");
        assert_eq!(outcome.decision, PolicyDecision::Refuse, "{sent}");
    }
}

#[test]
fn an_outcome_is_cut_to_what_a_decision_may_hold() {
    let long = "ä".repeat(5_000);
    let sent =
        Value::from_iter([("decision", "deny"), ("policy", &long), ("reason", &long), ("severity", &long)]);
    let outcome = outcome(&sent.to_string());
    assert_eq!(outcome.policy.chars().count(), SENTENCE_CHARS_MAX);
    assert_eq!(outcome.reason.chars().count(), SENTENCE_CHARS_MAX);
    assert_eq!(outcome.severity.unwrap().chars().count(), SEVERITY_CHARS_MAX);
    assert_eq!(policy_outcome(&raw(r#"{"content":"c","sources":[]}"#)), None);
}
