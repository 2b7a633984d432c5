//! Bodies that never end, and bodies that grow.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::harness::{TestApp, assert_problem, open_plan};

#[tokio::test]
async fn body_that_is_never_finished_holds_no_connection() {
    let app = TestApp::new().env("LIMITS__BODY_MS", 200).start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let a = planner.subagent("p", "a");
    // A long-lived stream of events isn't bounded by that.
    let mut stream = a.upload("application/x-ndjson").await;
    stream.send("{\"status\":\"partial\",\"payload\":1}\n").await;
    for path in [planner.path("/steps"), planner.path("/close"), "/syntheses".to_owned(), a.path.clone()] {
        let mut upload = app.post(&path).upload("application/json").await;
        upload.send("{").await;
        let problem = assert_problem(&upload.answer().await, 400, "invalid_json");
        assert!(problem["detail"].as_str().unwrap().contains("200 ms"), "{problem}");
    }
    // By now it has lasted longer, as each of those took that long.
    stream.send("{\"status\":\"success\",\"payload\":2}\n").await;
    let answer = stream.finish().await.expect(200);
    assert_eq!(answer["accepted"], 2, "{answer}");
}

#[tokio::test]
async fn body_that_drips_is_refused_as_one_that_stops() {
    let app = TestApp::new().env("LIMITS__BODY_MS", 300).start().await;
    let mut upload = app.post("/planner/sessions/s/steps").upload("application/json").await;
    // Each piece comes at once; the whole never does.
    while upload.offer(" ").await {}
    assert_eq!(app.get("/healthz").send().await.status, 200);
}

#[tokio::test]
async fn compressed_bodies_are_refused_before_they_grow() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
    let piece = vec![b' '; 1 << 20];
    (0..64).for_each(|_| bomb.write_all(&piece).unwrap());
    let bomb = bomb.finish().unwrap();
    let before = app.rss_bytes();
    let paths = [planner.path("/steps"), planner.path("/close"), planner.subagent("p", "a").path];
    for (path, coding) in
        paths.iter().flat_map(|path| ["gzip", "deflate", "br", "zstd", "gzip, gzip"].map(|c| (path, c)))
    {
        for media_type in ["application/json", "application/x-ndjson", "text/event-stream"] {
            let request = app.post(path).body(media_type, bomb.clone()).header("content-encoding", coding);
            assert_problem(&request.send().await, 415, "unsupported_media_type");
        }
    }
    let grown = app.rss_bytes().saturating_sub(before);
    assert!(grown < 32 << 20, "{grown} bytes more");
    // What says that it is as it is, is taken.
    let plain =
        app.post(planner.path("/close")).json(&serde_json::json!({})).header("content-encoding", "Identity");
    plain.send().await.expect(200);
}
