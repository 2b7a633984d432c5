//! Replicas and their Redis.

use serde_json::Value;

use crate::harness::{Answer, Client, Coverage, Planner, Setup, TestApp, events_of, within};
use crate::redis_server::RedisServer;

/// Two replicas on one Redis.
pub struct Scene {
    pub redis: RedisServer,
    pub replicas: Vec<TestApp>,
}

impl Scene {
    /// A Redis that keeps nothing on disk, and two replicas.
    pub async fn new() -> Self {
        Self::with(RedisServer::start(), &[]).await
    }

    /// Two replicas with variables of their own.
    pub async fn with(redis: RedisServer, variables: &[(&str, &str)]) -> Self {
        let url = redis.url();
        let replicas = vec![replica(&url, variables).await, replica(&url, variables).await];
        Self { redis, replicas }
    }

    /// Who talks to a replica.
    pub fn client(&self, replica: usize) -> Client {
        self.replicas[replica % self.replicas.len()].client()
    }

    /// A planner of a session, at a replica.
    pub fn planner(&self, replica: usize, session: &str) -> Planner {
        self.client(replica).planner(session)
    }

    pub fn clients(&self) -> Vec<Client> {
        self.replicas.iter().map(|replica| replica.client()).collect()
    }
}

/// A replica on the Redis at `url`. What takes seconds in production takes a fraction of one here.
pub async fn replica(url: &str, variables: &[(&str, &str)]) -> TestApp {
    let mut setup = setup(url);
    for (name, value) in variables {
        setup = setup.env(name, value);
    }
    setup.start().await
}

/// What a replica is started with.
pub fn setup(url: &str) -> Setup {
    TestApp::new()
        .env("CACHE__BACKEND", "redis")
        .env("CACHE__REDIS_URL", url)
        .env("CACHE__SWEEP_MS", 100)
        .env("STREAMING__HEARTBEAT_MS", 500)
}

/// Sends a request; `None` where the connection breaks off before the answer is whole.
pub async fn try_send(request: crate::harness::Request) -> Option<Answer> {
    let answer = within("an answer or the connection's end", async { request.open().await?.whole().await });
    answer.await.ok()
}

/// Every event of a session, read page by page; they must follow one another without a hole.
pub async fn whole_log(client: Client, session: &str) -> Vec<Value> {
    let planner = client.planner(session);
    let (mut events, mut after) = (Vec::new(), "start".to_owned());
    loop {
        let page = planner.page(&format!("/events?limit=5000&after={after}")).await;
        assert_eq!(page["verdict"]["recovered"], true, "{}", page["verdict"]);
        let new = page["events"].as_array().unwrap();
        after = page["next"].as_str().unwrap().to_owned();
        events.extend(new.iter().cloned());
        if new.is_empty()
            || page["next"].as_str().unwrap().split('_').nth(1) == Some(&page["tail"].to_string())
        {
            return events;
        }
    }
}

/// A reader that comes back to another replica each time its stream ends, until it has seen `plan_step_completed`.
pub struct Wanderer {
    clients: Vec<Client>,
    path: String,
    pub coverage: Coverage,
    pub events: Vec<Value>,
    /// The verdicts that it got.
    pub reasons: Vec<String>,
}

impl Wanderer {
    pub fn new(clients: Vec<Client>, session: &str) -> Self {
        let path = format!("/planner/sessions/{session}/events?coalesce=never");
        Self { clients, path, coverage: Coverage::default(), events: Vec::new(), reasons: Vec::new() }
    }

    /// Reads to the end of the session's stream.
    pub async fn read(mut self) -> Self {
        let mut last_id: Option<String> = None;
        for turn in 0.. {
            let client = self.clients[turn % self.clients.len()];
            let mut request = client.get(&self.path).header("accept", "text/event-stream");
            if let Some(id) = &last_id {
                request = request.header("last-event-id", id);
            }
            let Ok(incoming) = within("a stream or the connection's end", request.open()).await else {
                continue;
            };
            if incoming.status != 200 {
                // 204: everything was read. 503: the store is away, or the replica is.
                if incoming.status == 204 {
                    return self;
                }
                continue;
            }
            let mut stream = crate::harness::SseClient::new(incoming);
            stream.last_id.clone_from(&last_id);
            let ended = self.follow(&mut stream).await;
            last_id.clone_from(&stream.last_id);
            if ended {
                return self;
            }
        }
        unreachable!("the turns don't end")
    }

    /// Reads one stream. `true` where it ended because everything was read.
    async fn follow(&mut self, stream: &mut crate::harness::SseClient) -> bool {
        while let Ok(Some(event)) = within("an event", stream.try_next()).await {
            match event.name.as_str() {
                "open" => {
                    let open = event.json();
                    self.reasons.push(open["reason"].as_str().unwrap().to_owned());
                    if open["reason"] != "unknown" {
                        self.coverage.resume(&open);
                    }
                }
                "planner_stream" => {
                    self.coverage.take(&event);
                    self.events.extend(events_of(&event));
                }
                "end" => return true,
                _ => {}
            }
        }
        false
    }
}
