//! Server-Sent Events, documents and lines of a server on Node alone.

use serde_json::{Value, json};

use super::process::Peer;
use super::{Scene, failures, having, success, with_status};
use crate::harness::{Setup, eventually};
use crate::scene::{about, ended, statuses};

async fn server() -> Scene {
    server_with(|setup| setup).await
}

async fn server_with(change: impl FnOnce(Setup) -> Setup) -> Scene {
    Scene::with(Peer::node("sse_server.mjs", "express").await, change).await
}

impl Scene {
    /// An output called as the path that it is called at: `crlf` for `/crlf`.
    fn streamed(&self, path: &str) -> Value {
        let key = path.trim_start_matches('/').split('?').next().unwrap();
        having(self.called(key, "sse", path), "adapter", "documentation")
    }

    /// The answers that were asked for at `path`.
    async fn asked_for(&self, path: &str) -> Vec<Value> {
        let seen = self.told("/seen").await;
        seen.as_array().unwrap().iter().filter(|seen| seen["path"] == path).cloned().collect()
    }

    /// Waits until the peer has seen its caller go before the end.
    async fn left(&self, path: &str) {
        eventually(format!("{path} to be left"), || async {
            self.asked_for(path).await.iter().all(|seen| seen["aborted"] == true).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn every_form_of_an_event_stream_that_ends_cleanly_is_a_success() {
    let scene = server().await;
    let wanted = [
        ("/plain", "12 % – up"),
        ("/events", "12 % – up"),
        ("/crlf", "12 % – up"),
        ("/cr", "12 % – up"),
        ("/split-crlf", "12 % – up"),
        ("/bom", "12 % – up"),
        ("/comments", "12 % – up"),
        ("/multi-line", "12 %"),
        ("/split-utf8", "12 – 🚀"),
        ("/done", "12 % – up"),
        ("/text", "just words"),
        ("/no-blank-line", "last"),
    ];
    let events = scene.run("s", &wanted.map(|(path, _)| scene.streamed(path))).await;
    for (path, answer) in wanted {
        let key = &path[1..];
        assert_eq!(success(&events, key, 0)["answer"], answer, "{path}");
    }
    let asked = &scene.asked_for("/plain").await[0];
    assert_eq!((&asked["method"], &asked["aborted"]), (&json!("POST"), &json!(false)));
}

#[tokio::test]
async fn documents_and_lines_are_read_as_they_arrive() {
    let scene = server().await;
    let outputs = ["json", "ndjson"].map(|protocol| {
        having(scene.called(protocol, protocol, &format!("/{protocol}")), "adapter", "documentation")
    });
    let events = scene.run("s", &outputs).await;
    for key in ["json", "ndjson"] {
        assert_eq!(success(&events, key, 0)["answer"], "12 % – up", "{key}");
    }
    let partials = with_status(&events, "ndjson", "partial");
    assert_eq!(partials[0]["payload"]["answer"], "12 %", "each line is shown when it is there");
    assert_eq!(with_status(&events, "json", "partial").len(), 0, "of half a document nothing");
}

#[tokio::test]
async fn stream_that_ends_in_any_other_way_is_a_failure_and_tried_again() {
    let scene = server().await;
    let wanted = [
        ("/abrupt", "broken_answer"),
        ("/cut", "broken_answer"),
        ("/error-event", "subagent_failed"),
        ("/empty", "empty_answer"),
        ("/only-comments", "empty_answer"),
        ("/bad-utf8", "malformed_answer"),
    ];
    let outputs = wanted.map(|(path, _)| having(scene.streamed(path), "max_attempts", 2));
    let events = scene.run("s", &outputs).await;
    for (path, code) in wanted {
        assert_eq!(failures(&events, &path[1..]), [code; 2], "{path}");
        assert_eq!(scene.asked_for(path).await.len(), 2, "{path}");
    }
    for path in ["/abrupt", "/cut", "/error-event"] {
        let partials = with_status(&events, &path[1..], "partial");
        let shown: Vec<_> =
            partials.iter().map(|partial| partial["payload"]["answer"].as_str().unwrap()).collect();
        assert_eq!(shown, ["half"; 2], "{path}");
    }
    let error = &with_status(&events, "error-event", "error")[0]["error"];
    assert_eq!((&error["message"], &error["retryable"]), (&json!("out of memory"), &json!(true)));
}

#[tokio::test]
async fn server_that_recovers_is_asked_until_it_does() {
    let scene = server().await;
    let events = scene.run("s", &[scene.streamed("/flaky?key=k&times=2")]).await;
    assert_eq!(success(&events, "flaky", 2)["answer"], "12 % – up");
    assert_eq!(scene.asked_for("/flaky?key=k&times=2").await.len(), 3);
}

#[tokio::test]
async fn answer_that_says_nothing_more_is_left_in_time() {
    let scene = server_with(|setup| setup.env("INVOKE__IDLE_TIMEOUT_MS", 3_000)).await;
    // The idle time ends an attempt, after which there may be another; the deadline ends the output.
    let events = scene.run("idle", &[having(scene.streamed("/hang"), "max_attempts", 2)]).await;
    assert_eq!(failures(&events, "hang"), ["timed_out"; 2]);
    let events = scene.run("deadline", &[having(scene.streamed("/hang"), "deadline_ms", 2_000)]).await;
    assert_eq!(statuses(&events, "hang"), ["in_progress", "partial", "timeout"]);
    assert_eq!(scene.asked_for("/hang").await.len(), 3);
    scene.left("/hang").await;
}

#[tokio::test]
async fn answer_without_an_end_is_cut_off_and_not_asked_for_again() {
    let scene = server_with(|setup| setup.env("INVOKE__ANSWER_BYTES", 1 << 20)).await;
    let events = scene.run("s", &[scene.streamed("/flood"), scene.streamed("/big-line")]).await;
    for path in ["/flood", "/big-line"] {
        assert_eq!(failures(&events, &path[1..]), ["answer_too_large"], "{path}");
        assert_eq!(scene.asked_for(path).await.len(), 1);
    }
    scene.left("/flood").await;
}

#[tokio::test]
async fn refusals_are_tried_again_where_that_may_help() {
    let scene = server().await;
    // How often each is asked, and how long that takes at least.
    let wanted = [
        ("/429", "status_429", 2, 1_000),
        ("/503", "status_503", 2, 1_000),
        ("/500", "status_500", 2, 0),
        ("/400", "status_400", 1, 0),
        ("/redirect", "redirected", 1, 0),
    ];
    let outputs = wanted.map(|(path, ..)| having(scene.streamed(path), "max_attempts", 2));
    let events = scene.run("s", &outputs).await;
    for (path, code, times, at_least_ms) in wanted {
        let key = &path[1..];
        assert_eq!(failures(&events, key), vec![code; times], "{path}");
        assert_eq!(scene.asked_for(path).await.len(), times, "{path}");
        let completed = about(&events, key).pop().unwrap();
        assert!(completed["latency_ms"].as_u64().unwrap() >= at_least_ms, "{path}: {completed}");
    }
}

#[tokio::test]
async fn answer_that_was_only_accepted_is_pushed_later() {
    let scene = server().await;
    let planner = scene.plan("s", &[scene.streamed("/accepted")]).await;
    eventually("the call", || async { (!scene.asked_for("/accepted").await.is_empty()).then_some(()) }).await;
    planner.subagent("p", "accepted").succeed().await;
    let events = ended(&planner, "p").await;
    assert_eq!(statuses(&events, "accepted"), ["in_progress", "success"]);
    assert_eq!(scene.asked_for("/accepted").await.len(), 1);
}
