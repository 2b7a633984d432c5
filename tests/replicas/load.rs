//! Senders that repeat until they are told that an event is stored, and what must be true of it afterwards.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::scene::{Wanderer, try_send, whole_log};
use crate::harness::{Client, Planner, eventually};

/// Sessions under load, each with one output and a reader on each replica.
pub struct Load {
    pub sessions: Vec<String>,
    /// Partials of each session.
    pub events: u64,
}

impl Load {
    pub fn new(sessions: usize, events: u64) -> Self {
        Self { sessions: (0..sessions).map(|n| format!("load-{n}")).collect(), events }
    }

    /// Starts each session at one of the replicas.
    pub async fn begin(&self, clients: &[Client]) {
        for (n, session) in self.sessions.iter().enumerate() {
            start(&clients[n % clients.len()].planner(session)).await;
        }
    }

    /// Sends everything, each event to whichever replica takes it, and reads along.
    pub async fn run(&self, clients: &[Client]) -> Vec<Told> {
        let told = self.sessions.iter().enumerate().map(|(n, session)| {
            let (clients, session, events) = (clients.to_vec(), session.clone(), self.events);
            tokio::spawn(async move {
                let readers: Vec<_> = (0..clients.len())
                    .map(|first| {
                        let mut turned = clients.clone();
                        turned.rotate_left(first);
                        tokio::spawn(Wanderer::new(turned, &session).read())
                    })
                    .collect();
                let acknowledged = send_all(&clients, &session, n, events).await;
                let mut told = Told { session, acknowledged, readers: Vec::new() };
                for reader in readers {
                    told.readers.push(reader.await.unwrap());
                }
                told
            })
        });
        let mut all = Vec::new();
        for one in told.collect::<Vec<_>>() {
            all.push(one.await.unwrap());
        }
        all
    }
}

/// A step `p` that expects `crm`, without a deadline that matters.
pub async fn start(planner: &Planner) {
    let directive =
        json!({"plan_step_id": "p", "expected_subagents": [{"key": "crm"}], "deadline_ms": 600_000});
    planner.post(&directive).await.expect(201);
}

async fn send_all(clients: &[Client], session: &str, first: usize, events: u64) -> BTreeMap<u64, u64> {
    let mut acknowledged = BTreeMap::new();
    for revision in 1..=events {
        let status = if revision == events { "success" } else { "partial" };
        let event = json!({"status": status, "revision": revision, "payload": {"content": format!("part {revision}"), "sources": []}});
        let mut turn = first + revision as usize;
        let what = format!("{session} revision {revision} to be stored");
        let sequence = eventually(what, || {
            turn += 1;
            let subagent = clients[turn % clients.len()].planner(session).subagent("p", "crm");
            let request = subagent.request(&event);
            async move {
                let answer = try_send(request).await?;
                if answer.status == 503 {
                    assert!(answer.header("retry-after").is_some(), "{}", answer.text());
                    return None;
                }
                let result = answer.expect(200)["results"][0].clone();
                let verdict = result["verdict"].as_str().unwrap().to_owned();
                assert!(["accepted", "duplicate"].contains(&&*verdict), "{result}");
                result["sequence"].as_u64()
            }
        });
        acknowledged.insert(revision, sequence.await);
    }
    acknowledged
}

/// What a session's senders and readers were told.
pub struct Told {
    pub session: String,
    /// Revision to sequence.
    pub acknowledged: BTreeMap<u64, u64>,
    pub readers: Vec<Wanderer>,
}

impl Told {
    /// Everything acknowledged is in the log, once, where it was said to be; every reader saw the log, whole and in its
    /// order.
    pub async fn assert_whole(&self, client: Client) {
        let log = whole_log(client, &self.session).await;
        let stored = revisions(&log);
        assert_eq!(
            stored,
            self.acknowledged.iter().map(|(r, s)| (*r, *s)).collect::<Vec<_>>(),
            "{}",
            self.session
        );
        let sequences: Vec<u64> = log.iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
        assert_eq!(log.last().unwrap()["type"], "plan_step_completed");
        for reader in &self.readers {
            let seen: Vec<u64> =
                reader.events.iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
            assert_eq!(seen, sequences, "{}: a reader's order, verdicts {:?}", self.session, reader.reasons);
            assert_eq!(reader.events, log, "{}: byte for byte", self.session);
            let fine = |reason: &String| ["new", "ok", "closed", "unknown"].contains(&&**reason);
            assert!(reader.reasons.iter().all(fine), "{}: {:?}", self.session, reader.reasons);
        }
    }
}

/// Revision and sequence of every event of a subagent, in the log's order.
pub fn revisions(log: &[Value]) -> Vec<(u64, u64)> {
    let of = |event: &Value| Some((event["content"]["revision"].as_u64()?, event["sequence"].as_u64()?));
    log.iter().filter(|event| event["type"] == "planner_stream").filter_map(of).collect()
}
