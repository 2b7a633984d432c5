//! Lines that break: readers come back with the last id they have seen whole, and lose nothing.

use std::io::Result;
use std::sync::Arc;

use futures::future::join_all;
use serde_json::json;

use crate::harness::{Client, Coverage, CutLine, Planner, SseClient, TestApp, open_plan, within};

/// A reader as a browser has it: over a line that may break at any time.
struct Stubborn {
    client: Client,
    path: String,
    last_id: Option<String>,
    coverage: Option<Coverage>,
    connections: usize,
}

impl Stubborn {
    fn new(client: Client, path: String) -> Self {
        Self { client, path, last_id: None, coverage: None, connections: 0 }
    }

    /// Reads until the end, however often the line breaks.
    async fn run(mut self) -> (Coverage, usize) {
        let reading = async {
            loop {
                match self.connect().await {
                    Ok(true) => return,
                    Ok(false) | Err(_) => tokio::task::yield_now().await,
                }
            }
        };
        within("a reader to come to the end", reading).await;
        (self.coverage.unwrap(), self.connections)
    }

    /// One connection. Whether it came to the end.
    async fn connect(&mut self) -> Result<bool> {
        let mut request = self.client.get(&self.path).header("accept", "text/event-stream");
        if let Some(id) = &self.last_id {
            request = request.header("last-event-id", id);
        }
        let incoming = request.open().await?;
        if incoming.status == 204 {
            return Ok(true);
        }
        assert_eq!(incoming.status, 200);
        self.connections += 1;
        let mut reader = SseClient::new(incoming);
        while let Some(event) = reader.try_next().await? {
            match event.name.as_str() {
                "open" => match &mut self.coverage {
                    Some(coverage) => coverage.resume(&event.json()),
                    None => self.coverage = Some(Coverage::after(&event.json())),
                },
                "planner_stream" => self.coverage.as_mut().unwrap().take(&event),
                "end" => return Ok(true),
                other => panic!("{other}: {}", event.data),
            }
            self.last_id = event.id.or(self.last_id.take());
        }
        Ok(false)
    }
}

async fn publish(planner: &Planner, events: u64) {
    let mut upload = planner.subagent("p", "a").upload("application/x-ndjson").await;
    for revision in 1..=events {
        let line = json!({"status": "partial", "revision": revision, "payload": {"content": "x".repeat(200), "sources": []}});
        upload.send(&format!("{line}\n")).await;
        tokio::task::yield_now().await;
    }
    upload.send("{\"status\":\"success\"}\n").await;
    upload.finish().await.expect(200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_whose_line_breaks_inside_a_frame_lose_nothing() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let line = CutLine::to(app.client()).await;
    // A frame of five such events is about 3 KiB, so most connections end inside one.
    line.cut_after(20_000);
    let path = format!("{}?coalesce=never", planner.events("p"));
    let readers = (0..30).map(|_| tokio::spawn(Stubborn::new(line.client(), path.clone()).run()));
    let readers: Vec<_> = readers.collect();
    publish(&planner, 600).await;
    let end = planner.step("p").await["sequence"]["tail"].as_u64().unwrap();
    for reader in join_all(readers).await {
        let (coverage, connections) = reader.unwrap();
        assert!(connections > 10, "{connections} connections");
        assert_eq!(coverage.events.len() as u64, end);
        coverage.assert_whole(end);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readers_who_are_all_cut_off_at_once_come_back_all_at_once() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let line = Arc::new(CutLine::to(app.client()).await);
    let readers = (0..200).map(|_| tokio::spawn(Stubborn::new(line.client(), planner.events("p")).run()));
    let readers: Vec<_> = readers.collect();
    app.settled("readers", 200).await;
    for round in 0..3 {
        line.take_down();
        app.settled("readers", 0).await;
        for revision in 1..=50 {
            planner.subagent("p", "a").say("partial", round * 50 + revision, "while they are away").await;
        }
        line.resume();
        app.settled("readers", 200).await;
    }
    planner.subagent("p", "a").succeed().await;
    let end = planner.step("p").await["sequence"]["tail"].as_u64().unwrap();
    for reader in join_all(readers).await {
        reader.unwrap().0.assert_whole(end);
    }
}

#[tokio::test]
async fn reader_that_vanished_gives_its_seat_back() {
    let app = TestApp::new().start().await;
    let planner = open_plan(app.client(), "s", &["a"]).await;
    let line = CutLine::to(app.client()).await;
    let mut reader = line.client().sse(planner.events("p")).await;
    reader.open().await;
    assert_eq!(app.gauge("readers").await, 1);
    line.cut();
    app.settled("readers", 0).await;
    loop {
        match within("the end of a cut line", reader.try_next()).await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("a cut line looks like a clean end"),
            Err(_) => return,
        }
    }
}
