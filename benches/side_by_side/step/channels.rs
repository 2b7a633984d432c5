//! How the hubs whose channels exist by being named spell a step: one channel that all three agents publish to.

use std::collections::BTreeMap;
use std::net::SocketAddr;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::peers::{centrifugo, mercure};
use crate::step::dialect::{Coming, Dialect, Position, get, read_with_id, scan};
use crate::step::sse::SseEvent;

/// Centrifugo: a reader goes on at an offset of an epoch, and gets what it missed in the answer to its first message.
pub struct Centrifugo(pub SocketAddr);

/// One of its messages: the answer to a reader's request, an event, or a sign of life.
#[derive(Deserialize)]
struct Push {
    connect: Option<Connect>,
    r#pub: Option<Publication>,
}

#[derive(Deserialize)]
struct Connect {
    subs: BTreeMap<String, Subscription>,
}

#[derive(Deserialize)]
struct Subscription {
    epoch: String,
    #[serde(default)]
    offset: u64,
    #[serde(default)]
    publications: Vec<Publication>,
}

#[derive(Deserialize)]
struct Publication {
    #[serde(default)]
    offset: u64,
}

/// What a reader says of its place, from what it noted: `EPOCH OFFSET`.
fn recovery(position: &Position) -> Value {
    let place = position.id.as_deref().and_then(|id| id.split_once(' '));
    let place = place.and_then(|(epoch, offset)| Some((epoch, offset.parse::<u64>().ok()?)));
    place.map_or_else(
        centrifugo::oldest,
        |(epoch, offset)| json!({ "recover": true, "epoch": epoch, "offset": offset }),
    )
}

impl Dialect for Centrifugo {
    fn create(&self, _step: usize) -> Option<Vec<u8>> {
        None
    }

    fn publish(&self, step: usize, _agent: usize, body: &str, _is_last: bool) -> Option<Vec<u8>> {
        Some(centrifugo::publication(self.0, &format!("step-{step}"), body))
    }

    fn follow(&self, step: usize, coming: Coming, position: &Position) -> Vec<u8> {
        let recovery = match coming {
            Coming::First => json!({}),
            Coming::Late | Coming::After => centrifugo::oldest(),
            Coming::Again => recovery(position),
        };
        centrifugo::subscription(self.0, &format!("step-{step}"), &recovery)
    }

    fn read(&self, event: &SseEvent, position: &mut Position, revisions: &mut Vec<u64>) -> bool {
        scan(&event.data, revisions);
        let Ok(push) = serde_json::from_str::<Push>(&event.data) else { return true };
        if let Some(subscription) = push.connect.and_then(|connect| connect.subs.into_values().next()) {
            let offset = subscription.publications.last().map_or(subscription.offset, |last| last.offset);
            position.id = Some(format!("{} {offset}", subscription.epoch));
        }
        if let (Some(publication), Some(id)) = (push.r#pub, &position.id) {
            let epoch = id.split(' ').next().unwrap_or_default();
            position.id = Some(format!("{epoch} {}", publication.offset));
        }
        true
    }
}

/// Mercure: a reader goes on after an event's id.
pub struct Mercure {
    pub address: SocketAddr,
    /// A publisher's.
    pub token: String,
}

impl Dialect for Mercure {
    fn create(&self, _step: usize) -> Option<Vec<u8>> {
        None
    }

    fn publish(&self, step: usize, _agent: usize, body: &str, _is_last: bool) -> Option<Vec<u8>> {
        Some(mercure::publication(self.address, &self.token, &format!("step-{step}"), body))
    }

    fn follow(&self, step: usize, coming: Coming, position: &Position) -> Vec<u8> {
        let id = match coming {
            Coming::First => None,
            Coming::Late | Coming::After => Some(mercure::EARLIEST),
            Coming::Again => position.id.as_deref(),
        };
        get(self.address, &mercure::path(&format!("step-{step}")), id)
    }

    fn read(&self, event: &SseEvent, position: &mut Position, revisions: &mut Vec<u64>) -> bool {
        read_with_id(event, position, revisions)
    }
}
