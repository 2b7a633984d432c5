//! The stream as a WebSocket, with a client of tokio-tungstenite: the same reader as everywhere, so the same events,
//! verdicts and cursors; and what only a WebSocket has.

mod client;
mod frames;
mod peers;
mod refusals;
mod resume;

pub use client::{Said, Socket};
