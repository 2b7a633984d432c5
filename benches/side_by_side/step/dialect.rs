//! What a step needs said to a peer: making it, an agent's event, a reader's first, late and second coming.

use std::net::SocketAddr;

use memchr::memmem;

use crate::event::{MARK, MARK_BYTES, read_mark};
use crate::step::sse::SseEvent;

/// How far a reader is, in whatever way its server counts.
#[derive(Clone, Default)]
pub struct Position {
    /// The last event's id, or the offset after it.
    pub id: Option<String>,
    /// Bytes of the body so far, which are characters here.
    pub characters: u64,
    /// The run that the stream belongs to, where it isn't the step's own name.
    pub run: Option<String>,
}

/// Why a reader comes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Coming {
    /// Before any event.
    First,
    /// For everything, while the step runs.
    Late,
    /// For everything, when the step is over: somebody loads a page again.
    After,
    /// For what it missed.
    Again,
}

/// A peer's spelling of a step.
pub trait Dialect {
    /// What makes the step, where it has to be made before a reader comes.
    fn create(&self, step: usize) -> Option<Vec<u8>>;
    /// An agent's event; `None` where the agents run inside the server, as soon as the first reader comes.
    fn publish(&self, step: usize, agent: usize, body: &str, is_last: bool) -> Option<Vec<u8>>;
    /// A reader's request. `position` is its own, or for who comes late or after the first reader's.
    fn follow(&self, step: usize, coming: Coming, position: &Position) -> Vec<u8>;
    /// Adds the revisions in an event to `revisions`. Whether `position` covers all of them now.
    fn read(&self, event: &SseEvent, position: &mut Position, revisions: &mut Vec<u64>) -> bool;
    /// Whether a reader goes on at a character, not at an event.
    fn counts_characters(&self) -> bool {
        false
    }
}

/// A GET for server-sent events.
pub fn get(address: SocketAddr, path: &str, last_event_id: Option<&str>) -> Vec<u8> {
    let last = last_event_id.map_or(String::new(), |id| format!("last-event-id: {id}\r\n"));
    format!("GET {path} HTTP/1.1\r\nhost: {address}\r\naccept: text/event-stream\r\n{last}\r\n").into_bytes()
}

/// The revisions of all marks in a text.
pub fn scan(text: &str, revisions: &mut Vec<u64>) {
    let bytes = text.as_bytes();
    let whole = memmem::find_iter(bytes, MARK).filter(|at| at + MARK_BYTES <= bytes.len());
    revisions.extend(whole.filter_map(|at| Some(read_mark(&bytes[at..]).ok()?.revision)));
}

/// Takes an event whose `id` is the position after it.
pub fn read_with_id(event: &SseEvent, position: &mut Position, revisions: &mut Vec<u64>) -> bool {
    scan(&event.data, revisions);
    if event.id.is_some() {
        position.id.clone_from(&event.id);
    }
    true
}
