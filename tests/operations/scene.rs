//! A service that has something to tell: on Redis, with an archive, calling the simulator.

use std::net::{Ipv4Addr, SocketAddr};

use serde_json::json;
use tributary::simulate::Simulator;

use crate::harness::{Folder, Planner, TestApp, eventually};
use crate::redis_server::RedisServer;
use crate::text_format::Scrape;

/// A service and what it works with.
pub struct Scene {
    pub app: TestApp,
    agents: Simulator,
    _redis: RedisServer,
    _folder: Folder,
}

impl Scene {
    pub async fn new() -> Self {
        let agents = Simulator::start(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await.unwrap();
        let (redis, folder) = (RedisServer::start(), Folder::new());
        let app = TestApp::new()
            .env("CACHE__BACKEND", "redis")
            .env("CACHE__REDIS_URL", redis.url())
            .env("ARCHIVE__URL", folder.url())
            .env("INVOKE__ALLOWED_HOSTS", agents.addr)
            .env("INVOKE__ALLOW_PRIVATE", true)
            .env("INVOKE__BACKOFF_BASE_MS", 20)
            // What becomes of spans is counted where they are sent; here none is, as nobody would take them.
            .variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://127.0.0.1:9/v1/traces")
            .variable("OTEL_TRACES_SAMPLER", "always_off")
            .start()
            .await;
        Self { app, agents, _redis: redis, _folder: folder }
    }

    /// A session in which everything happens that happens every day: outputs that are pushed, called and tried again, that
    /// fail and that time out, repeats, a reader who watches and comes back, another who comes late. Everything that a
    /// caller may name has `name` in it.
    pub async fn work(&self, name: &str) {
        let planner = self.app.planner(&format!("{name}-session"));
        let step = &format!("{name}-step");
        let called = |key: &str, behaviour: &str| {
            let url = self.agents.url(&format!("/documentation/json?{behaviour}"));
            json!({ "key": format!("{name}-{key}"), "invoke": { "url": url, "protocol": "json" } })
        };
        let directive = json!({
            "plan_step_id": step, "deadline_ms": 60_000, "query": "how do quotes convert?",
            "expected_subagents": [
                { "key": format!("{name}-pushed") }, { "key": format!("{name}-silent"), "deadline_ms": 300 },
                called("recovers", "fail=1"), called("fails", "status=404"),
            ],
        });
        planner.post(&directive).await.expect(201);
        let mut reader = self.app.sse(planner.events(step)).await;
        reader.open().await;
        push(&planner, step, &format!("{name}-pushed")).await;
        reader.until("end").await;
        self.read_again(&planner, step).await;
        self.app.get(format!("/{name}/nowhere")).send().await.expect(404);
    }

    /// A reader that was there and comes back in the middle, one that comes from the beginning, and a page.
    async fn read_again(&self, planner: &Planner, step: &str) {
        let mut first = self.app.sse(planner.events(step)).await;
        first.open().await;
        let frame = first.next().await.unwrap();
        let cursor = frame.id.unwrap();
        let mut second = self.app.get(planner.events(step)).header("last-event-id", cursor).sse().await;
        second.until("end").await;
        let page = planner.page(&format!("/steps/{step}/events?limit=5000")).await;
        assert_eq!(page["closed"], true, "{page}");
    }

    /// What a scrape says now.
    pub async fn scrape_text(&self) -> String {
        let answer = self.app.get("/metrics").send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.text().to_owned()
    }

    pub async fn scrape(&self) -> Scrape {
        Scrape::parse(&self.scrape_text().await)
    }

    /// Waits until the archive has everything.
    pub async fn archived(&self) {
        eventually("everything to be archived", || async {
            let ready = self.app.get("/readyz").send().await.expect(200);
            (ready["dependencies"]["archive"]["waiting_sessions"] == 0).then_some(())
        })
        .await;
    }
}

/// What a subagent posts: progress, a partial twice, an older one, another under the same revision, the end, and more.
async fn push(planner: &Planner, step: &str, key: &str) {
    let subagent = planner.subagent(step, key);
    let event = |status: &str, revision: u64, content: &str| json!({ "status": status, "revision": revision, "payload": { "content": content, "sources": [] } });
    for (status, revision, content, answer) in [
        ("in_progress", 1, "looking", 200),
        ("partial", 2, "A quote becomes", 200),
        ("partial", 2, "A quote becomes", 200),
        ("in_progress", 1, "looking", 200),
        ("partial", 2, "An offer becomes", 409),
        ("success", 3, "A quote becomes an order when it is accepted.", 200),
        ("success", 4, "A quote becomes an order.", 200),
    ] {
        let said = subagent.post(&event(status, revision, content)).await;
        assert_eq!(said.status, answer, "{status} {revision}: {}", said.text());
    }
}
