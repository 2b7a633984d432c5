//! Who is asked, in which order: a model, its fallback, nobody; and what is kept of their answers.

use serde_json::{Value, json};

use crate::answers::{SHIPPED, answered, numbers, writing};
use crate::drafts::{Draft, faithful};
use crate::harness::Setup;
use crate::model_server::{Asked, ModelServer, Protocol, Says};
use crate::read::{Page, Reader};
use crate::scene::{
    MODEL, assert_extracted, assert_written, body, bring_all, by_model, ended, of_type, patient, plan,
    result, synthesis, text, written_by,
};

const OTHER: &str = "other-model";

/// With a second model behind the first.
fn then(setup: Setup, other: &ModelServer, protocol: Protocol) -> Setup {
    setup
        .env("SYNTHESIS__FALLBACK__PROVIDER", protocol.name())
        .env("SYNTHESIS__FALLBACK__BASE_URL", other.url())
        .env("SYNTHESIS__FALLBACK__MODEL", OTHER)
        .env("SYNTHESIS__FALLBACK__API_KEY", "sk-other")
}

fn refused(status: u16) -> Says {
    Says::Status(status, vec![], json!({"error": {"message": "no", "type": "api_error"}}).to_string())
}

async fn answering() -> ModelServer {
    ModelServer::saying(|asked| Says::Text(faithful(asked))).await
}

#[tokio::test]
async fn where_the_first_model_fails_the_second_answers() {
    for says in [
        refused(500),
        refused(401),
        Says::Stop(String::new(), "content_filter"),
        Says::Cut("{".to_owned(), 90),
    ] {
        let first = ModelServer::saying(move |_| says.clone()).await;
        let second = answering().await;
        let app = then(patient(&first, Protocol::OpenAi), &second, Protocol::Anthropic).start().await;
        let planner = plan(app.client(), "s", json!({})).await;
        bring_all(&planner, "p").await;
        ended(&planner, "p").await;
        let result = result(&planner, "p").await;
        assert_eq!(
            (&result["metadata"]["method"], &result["metadata"]["model"]),
            (&json!("llm"), &json!(OTHER))
        );
        let asked = second.asked();
        assert_eq!((asked.len(), asked[0].model()), (1, OTHER));
        assert_eq!(asked[0].headers["x-api-key"], "sk-other", "each has its own key");
    }
}

#[tokio::test]
async fn where_both_fail_it_is_extracted_and_says_who_did_what() {
    let first = ModelServer::saying(|_| refused(500)).await;
    let second = ModelServer::saying(|_| refused(403)).await;
    let app = then(patient(&first, Protocol::OpenAi), &second, Protocol::Anthropic).start().await;
    let reason = assert_extracted(&by_model(app.client()).await);
    for said in ["openai test-model: server_error (3 times)", "anthropic other-model: unauthorised"] {
        assert!(reason.contains(said), "{said} in {reason}");
    }
    assert_eq!((first.calls().len(), second.calls().len()), (3, 1));
}

/// A draft of which nothing stands.
fn invented(asked: &Asked) -> Says {
    Says::Text(Draft::changed(asked, |draft| {
        for finding in &mut draft.findings {
            finding["content"] = json!("Nobody at the plant has ever heard of 4711 broken lifts.");
        }
        draft.summary.clear();
    }))
}

#[tokio::test]
async fn where_the_first_models_draft_is_of_no_use_the_second_is_asked() {
    let prose: fn(&Asked) -> Says = |_| Says::Text("sorry no".to_owned());
    for (name, write) in [("unreadable", prose), ("no finding stands", invented)] {
        let first = ModelServer::saying(write).await;
        let second = answering().await;
        let app = then(patient(&first, Protocol::OpenAi), &second, Protocol::Anthropic).start().await;
        let planner = plan(app.client(), "s", json!({})).await;
        bring_all(&planner, "p").await;
        let page = Page::of(&ended(&planner, "p").await);
        let metadata = &result(&planner, "p").await["metadata"];
        assert_eq!(
            (&metadata["method"], &metadata["model"]),
            (&json!("llm"), &json!(OTHER)),
            "{name}: {metadata}"
        );
        assert_eq!(second.calls().len(), 1, "{name}");
        assert!(page.texts.values().all(|shown| !shown.contains("4711")), "{name}: {page:?}");
        assert!(page.text("summary").contains("24 months"), "{name}: {page:?}");
    }
}

#[tokio::test]
async fn where_the_first_models_answer_is_of_no_use_the_second_is_asked() {
    let first =
        ModelServer::saying(|_| Says::Text("I'm sorry, but I can't help with that.".to_owned())).await;
    let second = writing(|asked| format!("{SHIPPED} {}.", numbers(asked, "2 working days"))).await;
    let setup = patient(&first, Protocol::OpenAi).env("SYNTHESIS__CACHE_SECONDS", 600);
    let app = then(setup, &second, Protocol::Anthropic).start().await;
    for asked in 1..=2 {
        let answer = answered(&app, json!({"mode": "llm"})).await;
        assert_eq!((&answer["method"], &answer["model"]), (&json!("llm"), &json!(OTHER)), "{answer}");
        assert_eq!(first.calls().len(), asked, "a refusal isn't kept");
    }
}

#[tokio::test]
async fn where_the_second_model_hangs_the_reason_says_what_the_first_one_did() {
    let first = ModelServer::saying(|_| Says::Text("sorry no".to_owned())).await;
    let second = ModelServer::saying(|_| Says::Hang).await;
    // Enough for the first one's answer on a machine that stands still meanwhile.
    let setup = patient(&first, Protocol::OpenAi).env("SYNTHESIS__TIMEOUT_MS", 6_000);
    let app = then(setup, &second, Protocol::OpenAi).start().await;
    let reason = assert_extracted(&by_model(app.client()).await);
    assert!(reason.contains("test-model: the draft can't be read"), "{reason}");
    // As its own timer says it, or, where that is late, the answer's.
    let late = ["the language model didn't finish in time", "the time was over before a model had answered"];
    assert!(late.iter().any(|why| reason.contains(&format!("other-model: {why}"))), "{reason}");
}

#[tokio::test]
async fn where_no_models_draft_is_of_use_the_reason_says_so_of_each() {
    let first = ModelServer::saying(|_| Says::Text("sorry no".to_owned())).await;
    let second = ModelServer::saying(invented).await;
    let app = then(patient(&first, Protocol::OpenAi), &second, Protocol::OpenAi).start().await;
    let reason = assert_extracted(&by_model(app.client()).await);
    for said in ["test-model: the draft can't be read", "other-model: no finding", "stood verification"] {
        assert!(reason.contains(said), "{said} in {reason}");
    }
    // What both came to is said once.
    let app = then(patient(&second, Protocol::OpenAi), &second, Protocol::OpenAi).start().await;
    let reason = assert_extracted(&by_model(app.client()).await);
    assert!(reason.starts_with("test-model, other-model: no finding") && !reason.contains(';'), "{reason}");
    // Where the budget doesn't allow another call, the next one isn't asked.
    let before = second.calls().len();
    let setup = then(patient(&first, Protocol::OpenAi), &second, Protocol::OpenAi);
    let app = setup.env("SYNTHESIS__REQUEST__CALLS", 1).start().await;
    let reason = assert_extracted(&by_model(app.client()).await);
    assert!(reason.contains("can't be read") && reason.contains("budget"), "{reason}");
    assert_eq!(second.calls().len(), before);
}

#[tokio::test]
async fn the_second_model_begins_the_readers_page_anew() {
    let (first, second) = (ModelServer::start().await, ModelServer::start().await);
    let setup = patient(&first, Protocol::OpenAi).env("SYNTHESIS__ATTEMPTS", 1);
    let app = then(setup, &second, Protocol::OpenAi).start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    let mut reader = Reader::of(planner.get("/steps/p/events?coalesce=never").sse().await).await;
    bring_all(&planner, "p").await;
    let mut one = first.next().await;
    one.begin().await;
    one.say("{\"findings\":[{\"topic\":\"A topic of the first\",\"content\":\"Words").await;
    reader.until(|events| Page::of(events).text("findings/0/topic").contains("of the first")).await;
    one.cut();
    let mut other = second.next().await;
    other.begin().await;
    other.say(&faithful(&other.asked)).await;
    other.end().await;
    reader.finish().await;
    let page = reader.page();
    assert!(page.texts.values().all(|shown| !shown.contains("of the first")), "{page:?}");
    assert!(page.text("summary").contains("24 months"), "{page:?}");
    assert_eq!(of_type(&reader.events, "synthesis")[0]["content"]["method"], "llm");
}

#[tokio::test]
async fn the_same_question_gets_the_kept_draft_and_another_one_does_not() {
    let server = answering().await;
    let setup = written_by(&server, Protocol::OpenAi).env("SYNTHESIS__CACHE_SECONDS", 600);
    let app = setup.start().await;
    let first = by_model(app.client()).await;
    assert_written(&first);
    assert_eq!(by_model(app.client()).await, first);
    assert_eq!(server.calls().len(), 1, "the fence is new, the question isn't");
    let mut other = body(&json!({"mode": "llm"}));
    other["query"] = json!("Who cleaned the valve?");
    assert_written(&app.post("/syntheses").json(&other).send().await.expect(200));
    assert_eq!(server.calls().len(), 2);
    // A step is shown the kept draft as if it were written.
    let planner = plan(app.client(), "s", json!({})).await;
    bring_all(&planner, "p").await;
    let events = ended(&planner, "p").await;
    let page = Page::of(&events);
    assert!(page.text("summary").contains("24 months"), "{page:?}");
}

/// What an answer may cost and how good it must be isn't told to a model: whoever hands on the time that is left asks the same.
#[tokio::test]
async fn the_same_question_gets_the_kept_draft_whatever_it_may_cost() {
    let server = answering().await;
    let app = written_by(&server, Protocol::OpenAi).env("SYNTHESIS__CACHE_SECONDS", 600).start().await;
    for options in [
        json!({"mode": "llm"}),
        json!({"mode": "llm", "budget": {"calls": 4}}),
        json!({"mode": "llm", "budget": {"time_ms": 29_999}}),
        json!({"mode": "llm", "min_quality": 0.1, "on_low_quality": "block"}),
        json!({"mode": "llm", "prompt": "default"}),
    ] {
        assert_written(&synthesis(app.client(), &options).await);
        assert_eq!(server.calls().len(), 1, "{options}");
    }
    let options = json!({"mode": "llm", "target_length": 77});
    assert_written(&synthesis(app.client(), &options).await);
    assert_eq!(server.calls().len(), 2, "which is told");

    let sheet = |options: Value| {
        json!({"objective": "How long is the warranty?", "options": options, "sheet": {"status": "complete",
            "entries": [{"content": "The warranty covers 24 months.", "citations": [1]}],
            "citations": [{"id": 1, "title": "Warranty", "url": "https://docs.example.org/w"}]}})
    };
    server.script(|_| Some(Says::Text("The warranty covers 24 months [1].".to_owned())));
    for options in
        [json!({"mode": "llm"}), json!({"mode": "llm", "budget": {"calls": 4}, "min_quality": 0.1})]
    {
        let answer = app.post("/answers").json(&sheet(options)).send().await.expect(200);
        assert_eq!(answer["method"], "llm", "{answer}");
        assert_eq!(server.calls().len(), 3);
    }
}

#[tokio::test]
async fn what_failed_is_not_kept() {
    let server = ModelServer::saying(|asked| match asked.number {
        0 => Says::Cut(faithful(asked), 400),
        _ => Says::Text(faithful(asked)),
    })
    .await;
    let setup = patient(&server, Protocol::OpenAi).env("SYNTHESIS__CACHE_SECONDS", 600);
    let app = setup.env("SYNTHESIS__ATTEMPTS", 1).start().await;
    assert_extracted(&by_model(app.client()).await);
    assert_written(&by_model(app.client()).await);
}

/// Sentences that hang together.
fn coherent() -> Value {
    let said = |key: &str, content: &str| {
        let url = format!("https://{key}.example.org/x");
        json!({"task_id": key, "subagent": key, "success": true, "content": content, "sources": [url]})
    };
    let results = [
        said("a", "The main pump of the northern plant was repaired by Ms Okafor in April 2024 [1]."),
        said("b", "The main pump of the northern plant runs for 30 days without fresh oil [1]."),
        said("c", "Fresh oil for the main pump of the northern plant is delivered from Rotterdam [1]."),
    ];
    json!({"query": "What about the main pump?", "results": results, "options": {"mode": "llm"}})
}

fn judged_by(writer: &ModelServer, judge: &ModelServer) -> Setup {
    patient(writer, Protocol::OpenAi)
        .env("SYNTHESIS__JUDGE__PROVIDER", "anthropic")
        .env("SYNTHESIS__JUDGE__BASE_URL", judge.url())
        .env("SYNTHESIS__JUDGE__MODEL", "judge")
}

#[tokio::test]
async fn a_judge_lowers_the_coherence_and_never_raises_it() {
    let writer = answering().await;
    let coherence = async |setup: Setup| {
        let app = setup.start().await;
        let result = app.post("/syntheses").json(&coherent()).send().await.expect(200);
        assert_eq!(
            (&result["metadata"]["method"], &result["metadata"]["model"]),
            (&json!("llm"), &json!(MODEL))
        );
        result["quality"]["coherence"].as_f64().unwrap()
    };
    let unjudged = coherence(patient(&writer, Protocol::OpenAi)).await;
    assert!(unjudged > 0.1, "{unjudged}");
    let verdict = |coherence: f64| {
        Says::Text(json!({"coherence": coherence, "verdict": "supported", "reason": "so"}).to_string())
    };
    for (says, wanted) in [
        (verdict(0.05), 0.05),
        (verdict(1.0), unjudged),
        (verdict(-3.0), unjudged),
        (Says::Text(json!({"coherence": 0, "verdict": "unknown"}).to_string()), unjudged),
        (Says::Text(json!({"coherence": 0.05, "reason": "so"}).to_string()), unjudged),
        (Says::Text("no idea".to_owned()), unjudged),
        (refused(500), unjudged),
    ] {
        let judge = ModelServer::saying(move |_| says.clone()).await;
        let judged = coherence(judged_by(&writer, &judge)).await;
        assert!((judged - wanted).abs() < 0.001, "{judged} instead of {wanted}");
        assert!(!judge.calls().is_empty());
    }
}

#[tokio::test]
async fn many_answers_at_once_are_each_written_once() {
    let server = answering().await;
    let app = written_by(&server, Protocol::OpenAi).env("SYNTHESIS__CALLS_MAX", 4).start().await;
    let one = async |n: usize| {
        let planner = plan(app.client(), &format!("s{n}"), json!({})).await;
        bring_all(&planner, "p").await;
        let events = ended(&planner, "p").await;
        assert_eq!(of_type(&events, "plan_step_completed").len(), 1);
        assert_written(&result(&planner, "p").await);
        let draft = Draft::faithful(&server.asked()[0]);
        assert_eq!(Page::of(&events).text("summary"), draft.summary);
        assert!(text(&result(&planner, "p").await, "summary").contains("24 months"));
    };
    futures::future::join_all((0..24).map(one)).await;
    assert_eq!(server.calls().len(), 24);
}
