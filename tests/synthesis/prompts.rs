//! Prompts: those built in, an operator's own, and those that can't be used.

use std::process::{Command, Stdio};

use serde_json::json;

use crate::drafts::faithful;
use crate::harness::{Folder, TestApp, assert_problem};
use crate::model_server::{ModelServer, Protocol, Says};
use crate::scene::{
    assert_written, body, bring_all, by_model, ended, patient, plan, post_step, result, synthesis,
};

const BRIEF: &str = "---
name: brief
version: brief-7
purpose: retrieval
temperature: 0.5
output_tokens: 1234
---
# System

Be brief, says the operator.

# User

Question: {{query}}
{{material}}
Write JSON in {{language}}.
";

async fn answering() -> ModelServer {
    ModelServer::saying(|asked| Says::Text(faithful(asked))).await
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    for (name, text) in files {
        std::fs::write(folder.0.join(name), text).unwrap();
    }
    folder
}

#[tokio::test]
async fn a_prompt_that_is_not_configured_is_refused_and_pointed_at() {
    for app in
        [TestApp::new().start().await, patient(&ModelServer::start().await, Protocol::OpenAi).start().await]
    {
        let planner = app.planner("s");
        let refused = post_step(&planner, "p", json!({"prompt": "brief"})).await;
        let problem = assert_problem(&refused, 422, "invalid_event");
        assert_eq!(problem["errors"][0]["pointer"], "/synthesis/prompt", "{problem}");
        assert!(problem.to_string().contains("retrieval"), "it says which there are: {problem}");
        let refused =
            app.post("/syntheses").json(&body(&json!({"mode": "llm", "prompt": "brief"}))).send().await;
        let problem = assert_problem(&refused, 422, "invalid_event");
        assert_eq!(problem["errors"][0]["pointer"], "/options/prompt", "{problem}");
    }
}

#[tokio::test]
async fn each_kind_of_task_has_a_prompt_of_its_own() {
    let server = answering().await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    for (kind, version) in [("retrieval", 1), ("reasoning", 2), ("composition", 2)] {
        let planner = app.planner(kind);
        let expected: Vec<_> = crate::scene::SAID.iter().map(|(key, ..)| json!({ "key": key })).collect();
        let directive = json!({"plan_step_id": "p", "query": crate::scene::QUERY, "task_type": kind,
            "expected_subagents": expected, "deadline_ms": 60_000, "synthesis": {"mode": "llm"}});
        planner.post(&directive).await.expect(201);
        bring_all(&planner, "p").await;
        ended(&planner, "p").await;
        let result = result(&planner, "p").await;
        assert_written(&result);
        assert_eq!(result["metadata"]["prompt_version"], format!("{kind}-{version}"));
    }
    let systems: std::collections::BTreeSet<String> =
        server.asked().iter().map(|asked| asked.system().to_owned()).collect();
    assert_eq!(systems.len(), 3);
}

#[tokio::test]
async fn a_folders_own_prompt_is_used_by_its_name() {
    let (server, folder) = (answering().await, folder(&[("brief.md", BRIEF), ("notes.txt", "no prompt")]));
    let app = patient(&server, Protocol::OpenAi).env("SYNTHESIS__PROMPTS", folder.0.display()).start().await;
    let planner = plan(app.client(), "s", json!({"prompt": "brief", "language": "de"})).await;
    bring_all(&planner, "p").await;
    ended(&planner, "p").await;
    assert_eq!(result(&planner, "p").await["metadata"]["prompt_version"], "brief-7");
    let asked = server.asked().remove(0);
    assert_eq!(asked.system().trim(), "Be brief, says the operator.");
    assert_eq!((&asked.body["temperature"], asked.output_tokens_max()), (&json!(0.5), 1234));
    assert!(asked.user().contains("Write JSON in "), "{}", asked.user());
    let result = synthesis(app.client(), &json!({"mode": "llm", "prompt": "brief"})).await;
    assert_eq!(result["metadata"]["prompt_version"], "brief-7");
    // Who names none gets the built-in one.
    assert_eq!(by_model(app.client()).await["metadata"]["prompt_version"], "retrieval-1");
}

#[tokio::test]
async fn a_folders_prompt_replaces_the_built_in_one_of_its_name() {
    let own = BRIEF.replace("name: brief", "name: retrieval");
    let (server, folder) = (answering().await, folder(&[("retrieval.md", &own)]));
    let app =
        patient(&server, Protocol::Anthropic).env("SYNTHESIS__PROMPTS", folder.0.display()).start().await;
    assert_eq!(by_model(app.client()).await["metadata"]["prompt_version"], "brief-7");
}

/// What the program says where it doesn't start with these files.
fn refusal(files: &[(&str, &str)], command: &str) -> String {
    let folder = folder(files);
    let mut program = Command::new(env!("CARGO_BIN_EXE_tributary"));
    program
        .arg(command)
        .env("TRIBUTARY_SYNTHESIS__PROMPTS", &folder.0)
        .env("TRIBUTARY_SERVER__LISTEN", "127.0.0.1:0");
    let output = program.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(!output.status.success(), "{command} goes on with it: {said}");
    said
}

#[test]
fn a_broken_prompt_stops_the_start_and_says_where_it_is_wrong() {
    for (wrong, right, line, word) in [
        ("{{querry}}", "{{query}}", 14, "querry"),
        ("temperature: 9", "temperature: 0.5", 5, "temperature"),
        ("purpose: poetry", "purpose: retrieval", 4, "poetry"),
        ("No material.", "{{material}}", 12, "material"),
        ("# Sistem", "# System", 17, "System"),
    ] {
        let text = BRIEF.replace(right, wrong);
        for command in ["serve", "check"] {
            let said = refusal(&[("brief.md", &text)], command);
            assert!(said.contains("brief.md"), "{command}: {said}");
            assert!(said.contains(&format!("line {line}")), "{command}, line {line}, {wrong}: {said}");
            assert!(said.contains(word), "{command}: {said}");
        }
    }
    // A copy of a built-in prompt doesn't take its place by what stands in it.
    let copy = include_str!("../../config/prompts/retrieval.md");
    for command in ["serve", "check"] {
        let said = refusal(&[("brief.md", copy)], command);
        assert!(said.contains("brief.md, line 2: `name` is `retrieval`, but the file is brief.md"), "{said}");
    }
}
