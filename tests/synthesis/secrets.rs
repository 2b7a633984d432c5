//! The key of a model goes to its server and nowhere else, and nobody's words stand in a log.

use serde_json::json;

use crate::drafts::faithful;
use crate::model_server::{ModelServer, Protocol, Says};
use crate::otlp_receiver::OtlpReceiver;
use crate::scene::{BOTH, KEY, bring_all, by_model, ended, patient, plan, result};

/// A server that repeats the key in whatever it says of an error.
async fn telling(status: u16) -> ModelServer {
    ModelServer::saying(move |asked| {
        if asked.number > 0 {
            return Says::Text(faithful(asked));
        }
        let message = format!("no such key: {KEY}; you said: {}", asked.user());
        Says::Status(
            status,
            vec![("x-key", KEY.to_owned())],
            json!({"error": {"message": message, "code": KEY}}).to_string(),
        )
    })
    .await
}

#[tokio::test]
async fn the_key_is_sent_in_the_header_of_its_api() {
    for protocol in BOTH {
        let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
        let app = patient(&server, protocol).start().await;
        by_model(app.client()).await;
        let asked = server.asked().remove(0);
        let (header, value, other) = match protocol {
            Protocol::OpenAi => ("authorization", format!("Bearer {KEY}"), "x-api-key"),
            Protocol::Anthropic => ("x-api-key", KEY.to_owned(), "authorization"),
        };
        assert_eq!(asked.headers.get(header), Some(&value));
        assert_eq!(asked.headers.get(other), None);
        assert!(!asked.text.contains(KEY), "not in the body");
        assert_eq!(asked.headers.contains_key("anthropic-version"), protocol == Protocol::Anthropic);
    }
}

#[tokio::test]
async fn a_model_without_a_key_is_asked_without_one() {
    let server = ModelServer::saying(|asked| Says::Text(faithful(asked))).await;
    let app = patient(&server, Protocol::OpenAi).env("SYNTHESIS__API_KEY", "").start().await;
    by_model(app.client()).await;
    assert_eq!(server.asked()[0].headers.get("authorization"), None);
}

#[tokio::test]
async fn the_key_is_in_no_event_no_answer_no_log_line_and_no_span() {
    for (protocol, status) in [(Protocol::OpenAi, 401), (Protocol::Anthropic, 400), (Protocol::OpenAi, 500)] {
        let (server, collector) = (telling(status).await, OtlpReceiver::start().await);
        let setup = patient(&server, protocol)
            .variable("RUST_LOG", "info,tributary=trace")
            .env("TELEMETRY__CAPTURE_CONTENT", true)
            .variable("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint())
            .variable("OTEL_BSP_SCHEDULE_DELAY", 50);
        let mut app = setup.start().await;
        let mut shown = Vec::new();
        // The first is refused, the second is written.
        for session in ["s", "t"] {
            let planner = plan(app.client(), session, json!({})).await;
            bring_all(&planner, "p").await;
            shown.push(json!(ended(&planner, "p").await).to_string());
            shown.push(result(&planner, "p").await.to_string());
            shown.push(planner.step("p").await.to_string());
            shown.push(planner.state().await.to_string());
        }
        for path in ["/readyz", "/metrics", "/openapi.json"] {
            shown.push(app.get(path).send().await.text().to_owned());
        }
        let spans = |received: &crate::otlp_receiver::Received| {
            received.all_spans().iter().filter(|span| span.name == "plan_step").count() == 2
        };
        let received = collector.until("the spans of both steps", spans).await;
        let attributes = format!("{received:?}");
        assert!(attributes.contains("synthesize-results"), "there is something to look into");
        shown.push(attributes);
        app.signal("TERM");
        assert!(app.exited().await.success());
        shown.extend(app.log_lines());
        assert!(shown.iter().any(|text| text.contains("24 months")), "content is captured");
        for text in shown {
            assert!(!text.contains("canarykey"), "{text}");
        }
    }
}

#[tokio::test]
async fn what_is_asked_and_written_is_in_no_log_line() {
    let server = ModelServer::saying(|asked| match asked.number {
        0 => Says::Status(500, vec![], json!({"error": {"message": asked.user()}}).to_string()),
        1 => Says::Cut(faithful(asked), 900),
        _ => Says::Text(faithful(asked)),
    })
    .await;
    let app = patient(&server, Protocol::OpenAi).variable("RUST_LOG", "info,tributary=trace").start().await;
    let planner = plan(app.client(), "s", json!({})).await;
    bring_all(&planner, "p").await;
    ended(&planner, "p").await;
    app.logged("a step ended").await;
    for line in app.log_lines() {
        for word in ["24 months", "Okafor", "leaking seals", "data-", "what was repaired"] {
            assert!(!line.contains(word), "{word}: {line}");
        }
    }
}
