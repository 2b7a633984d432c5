//! Scripts as tables: calls in order, and what each is told to do.

use proptest::prelude::*;

use super::*;

const SCRIPT: &str = r#"
"name=docs" = [{ status = 503, retry_after = 1 }, { hang = "head" }, {}]
"/" = [{ latency_ms = 1 }]
"/voice/" = [{ latency_ms = 2 }, { latency_ms = 3 }]

[["/voice/sse"]]
garbage = "html"
"#;

fn status(status: u64) -> Behaviour {
    Behaviour { status: Some(status), ..Behaviour::default() }
}

fn slow(latency_ms: u64) -> Behaviour {
    Behaviour { latency_ms: Some(latency_ms), ..Behaviour::default() }
}

#[test]
fn each_call_takes_the_next_behaviour_of_the_closest_selector() {
    let mut script = Script::read(SCRIPT).unwrap();
    let html = Behaviour { garbage: Some(super::super::Garbage::Html), ..Behaviour::default() };
    let hang = Behaviour { hang: Some(super::super::Hang::Head), ..Behaviour::default() };
    let first = Behaviour { retry_after: Some("1".into()), ..status(503) };
    for (path, name, wanted) in [
        ("/voice/json", "a", slow(2)),
        ("/voice/sse", "a", html.clone()),
        ("/voice/sse", "docs", first),
        ("/voice/json", "b", slow(3)),
        ("/safety/json", "docs", hang),
        ("/voice/json", "a", slow(3)),
        ("/safety/json", "docs", Behaviour::default()),
        ("/safety/json", "docs", Behaviour::default()),
        ("/safety/json", "name=docs", slow(1)),
        ("/voice/sse", "a", html),
    ] {
        assert_eq!(script.take(path, name), wanted, "{path} {name}");
    }
}

#[test]
fn json_and_toml_say_the_same() {
    let json = r#" {"name=docs": [{"status": 503, "retry_after": "1"}, {"hang": "head"}, {}],
        "/": [{"latency_ms": 1}], "/voice/": [{"latency_ms": 2}, {"latency_ms": 3}], "/voice/sse": [{"garbage": "html"}]}"#;
    assert_eq!(Script::read(json), Script::read(SCRIPT));
    assert_eq!(Script::read(""), Ok(Script::default()));
}

#[test]
fn a_text_that_is_no_script_is_refused_with_a_reason() {
    for (text, reason) in [
        ("{", "can't be read"),
        ("[1]", "can't be read"),
        (r#"{"/": {}}"#, "can't be read"),
        (r#"{"/": [{"latency": 1}]}"#, "latency"),
        (r#"{"/": [{"status": 1}]}"#, "`status`"),
        (r#"{"/": []}"#, "no behaviours"),
        (r#"{"docs": [{}]}"#, "no selector"),
    ] {
        let error = Script::read(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let long = format!(r#"{{"/": [{}{{}}]}}"#, "{},".repeat(ENTRIES_MAX));
    assert_eq!(Script::read(&long), Err(ScriptError::TooLong));
}

proptest! {
    #[test]
    fn the_last_behaviour_repeats_for_ever(listed in prop::collection::vec(200_u64..600, 1..6), calls in 0_usize..20) {
        let list: Vec<_> = listed.iter().map(|status| format!("{{\"status\": {status}}}")).collect();
        let mut script = Script::read(&format!("{{\"/\": [{}]}}", list.join(","))).unwrap();
        for call in 0..calls {
            let wanted = listed[call.min(listed.len() - 1)];
            prop_assert_eq!(script.take("/voice/json", "x"), status(wanted));
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        let _ = Script::read(&text);
    }
}
