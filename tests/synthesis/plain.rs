//! What is asked fits what there is, and a reason says plainly why nobody was asked, or why nothing came of it.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::answers::{SHIPPED, answered, numbers};
use crate::drafts::{Draft, faithful};
use crate::harness::TestApp;
use crate::model_server::{ModelServer, Protocol, Says};
use crate::scene::{
    BOTH, assert_extracted, assert_written, bring_all, by_model, ended, patient, plan, result, text,
    written_by,
};

/// What the program says of a window for which it doesn't start.
fn refusal(command: &str, key: &str, tokens: u32) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tributary"));
    for (name, value) in [("PROVIDER", "openai"), ("MODEL", "m"), ("BASE_URL", "http://127.0.0.1:9/v1")] {
        program.env(format!("TRIBUTARY_SYNTHESIS__{name}"), value);
        program.env(format!("TRIBUTARY_SYNTHESIS__FALLBACK__{name}"), value);
    }
    program.arg(command).env("TRIBUTARY_SERVER__LISTEN", "127.0.0.1:0");
    program.env(format!("TRIBUTARY_{key}__CONTEXT_TOKENS"), tokens.to_string());
    let output = program.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(!output.status.success(), "{command} goes on with it: {said}");
    said
}

#[test]
fn a_window_that_is_too_small_for_any_material_is_refused_at_start() {
    for (command, key, name) in [
        ("serve", "SYNTHESIS", "synthesis.context_tokens: 2048 is too small"),
        ("check", "SYNTHESIS", "synthesis.context_tokens: 2048 is too small"),
        ("serve", "SYNTHESIS__FALLBACK", "synthesis.fallback.context_tokens: 2048 is too small"),
    ] {
        let said = refusal(command, key, 2_048);
        assert!(said.contains(name) && said.contains("The least that works is"), "{said}");
    }
}

#[tokio::test]
async fn in_the_least_window_a_model_is_asked_and_one_that_a_question_fills_is_named() {
    let said = refusal("serve", "SYNTHESIS", 1_024);
    let least: u32 = said
        .split("least that works is ")
        .nth(1)
        .unwrap()
        .split(|c: char| !c.is_ascii_digit())
        .next()
        .unwrap()
        .parse()
        .unwrap();
    assert!((1_500..6_000).contains(&least), "{least}");
    let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
    let setup = written_by(&server, Protocol::OpenAi).env("SYNTHESIS__CONTEXT_TOKENS", least);
    let app = setup.start().await;
    let mut body = crate::scene::body(&json!({"mode": "llm"}));
    body.as_object_mut().unwrap().remove("query");
    app.post("/syntheses").json(&body).send().await.expect(200);
    assert!(!server.calls().is_empty(), "{least}");
    let before = server.calls().len();
    body["query"] = json!("What is known of the pumps, and of all that was said of them? ".repeat(60));
    let long = app.post("/syntheses").json(&body).send().await.expect(200);
    let reason = text(&long["metadata"], "reason");
    for said in ["`context_tokens`", "too small", "no model was asked"] {
        assert!(reason.contains(said), "{said} in {reason}");
    }
    assert_eq!(server.calls().len(), before);
}

#[tokio::test]
async fn where_there_is_nothing_to_say_the_reason_is_in_plain_words() {
    let server = ModelServer::start().await;
    let app = written_by(&server, Protocol::OpenAi).start().await;
    let failed = json!([{"task_id": "a", "subagent": "a", "success": false, "error": "no rows"}]);
    let body = json!({"results": failed, "options": {"mode": "llm"}});
    let answer = app.post("/syntheses").json(&body).send().await.expect(200);
    let reason = text(&answer["metadata"], "reason");
    assert_eq!(reason, "there is nothing to write about: no model was asked");
}

/// `{quote, source_id}` of a schema's contradictions, and `source_ids` of its findings.
fn ids_of(schema: &Value) -> (Value, Value) {
    let statement = &schema["properties"]["contradictions"]["items"]["properties"]["statements"]["items"];
    let finding = &schema["properties"]["findings"]["items"]["properties"]["source_ids"];
    (statement["properties"]["source_id"].clone(), finding.clone())
}

#[tokio::test]
async fn a_statement_may_have_no_source_as_the_prompt_says() {
    for protocol in BOTH {
        let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
        let app = patient(&server, protocol).start().await;
        assert_written(&by_model(app.client()).await);
        let asked = server.asked().remove(0);
        let (statement, finding) = ids_of(asked.schema().unwrap());
        let ids = json!([1, 2, 3, 4]);
        assert_eq!(statement, json!({"anyOf": [{"type": "integer", "enum": ids}, {"type": "null"}]}));
        assert_eq!(finding["items"]["enum"], ids);
        assert!(asked.body.to_string().contains("a number or null"), "so does the prompt");
    }
}

#[tokio::test]
async fn without_sources_a_schema_allows_no_number() {
    for protocol in BOTH {
        let server = ModelServer::saying(|asked| {
            Says::Text(Draft::changed(asked, |draft| {
                draft.findings.iter_mut().for_each(|finding| finding["source_ids"] = json!([]));
            }))
        })
        .await;
        let app = patient(&server, protocol).start().await;
        let results = [json!({"task_id": "a", "subagent": "a", "success": true,
            "content": "The valve behind the main boiler was cleaned by Ms Okafor in April 2024."})];
        let body = json!({"query": "Who cleaned the valve?", "results": results, "options": {"mode": "llm"}});
        let answer = app.post("/syntheses").json(&body).send().await.expect(200);
        assert_eq!(answer["metadata"]["method"], "llm", "{}", answer["metadata"]);
        let asked = server.asked().remove(0);
        let (statement, finding) = ids_of(asked.schema().unwrap());
        assert_eq!(statement, json!({"type": "null"}));
        // Messages' schemas know no count: there it is the prompt's to say.
        let most = if protocol == Protocol::OpenAi { json!(0) } else { Value::Null };
        assert_eq!((&finding["type"], &finding["maxItems"]), (&json!("array"), &most), "{finding}");
    }
}

#[tokio::test]
async fn a_short_question_is_answered_in_its_language() {
    let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    for (number, (query, language)) in [
        ("Wie viel Wasserstoff erzeugt das Werk in Lingen?", "German"),
        ("Wie lange gilt die Garantie?", "German"),
        ("Wer hat das Ventil gereinigt?", "German"),
        ("Hoeveel waterstof maakt de fabriek in Lingen?", "Dutch"),
        ("What was repaired in Lingen?", "English"),
    ]
    .into_iter()
    .enumerate()
    {
        let mut body = crate::scene::body(&json!({"mode": "llm"}));
        body["query"] = json!(query);
        app.post("/syntheses").json(&body).send().await.expect(200);
        let asked = server.asked().remove(number);
        assert!(asked.user().contains(&format!("Language: {language}")), "{query}: {}", asked.user());
    }
}

#[tokio::test]
async fn where_nothing_stands_no_note_speaks_of_a_quotation_in_its_place() {
    let server = ModelServer::saying(|asked| {
        Says::Text(
            Draft::faithful(asked)
                .replacing("24 months", "42 months")
                .replacing("April", "May")
                .replacing("17 leaking", "71 leaking")
                .replacing("3 working", "13 working")
                .text(),
        )
    })
    .await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let result = by_model(app.client()).await;
    assert_extracted(&result);
    let counts = &result["metadata"]["synthesis"];
    assert_eq!((&counts["dropped"], &counts["twins"]), (&json!(4), &json!(0)), "{counts}");
    assert!(!counts["notes"].to_string().contains("stands in"), "{counts}");
    assert_eq!(counts["notes"].as_array().unwrap().len(), 4, "{counts}");
}

#[tokio::test]
async fn an_answer_that_a_model_refuses_says_that_it_refused() {
    let server =
        ModelServer::saying(|_| Says::Text("I'm sorry, but I can't help with that.".to_owned())).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let answer = answered(&app, json!({"mode": "llm"})).await;
    assert_eq!(answer["method"], "extractive");
    assert_eq!(text(&answer, "reason"), "the language model refused to answer");
}

#[tokio::test]
async fn an_answer_that_broke_off_says_so() {
    for protocol in BOTH {
        let server = ModelServer::saying(|asked| {
            let said = format!("{SHIPPED} {}. A quote is renewed by", numbers(asked, "2 working days"));
            Says::Stop(said, asked.protocol.cut())
        })
        .await;
        let app = patient(&server, protocol).start().await;
        let answer = answered(&app, json!({"mode": "llm"})).await;
        assert_eq!(answer["method"], "llm", "{answer}");
        assert_eq!(answer["issues"][0]["code"], "broken_off", "{answer}");
        assert!(!text(&answer, "answer").contains("renewed"), "{answer}");
    }
}

#[tokio::test]
async fn what_a_server_does_is_said_in_words_beside_its_code() {
    for (status, words) in [(404, "refuses the request"), (302, "redirects"), (401, "refuses the key")] {
        let headers = vec![("location", "http://127.0.0.1:9/".to_owned())];
        let says = Says::Status(status, headers, "{}".to_owned());
        let server = ModelServer::saying(move |_| says.clone()).await;
        let app: TestApp = patient(&server, Protocol::OpenAi).start().await;
        let planner = plan(app.client(), "s", json!({})).await;
        bring_all(&planner, "p").await;
        ended(&planner, "p").await;
        let reason = assert_extracted(&result(&planner, "p").await);
        assert!(reason.contains(words), "{status}: {reason}");
    }
}
