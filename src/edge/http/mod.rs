//! The service over HTTP: connections, paths, bodies, problem documents, event streams.

mod accept;
pub mod access;
mod analytics;
pub mod app;
pub mod bridges;
mod combining;
mod console;
#[cfg(debug_assertions)]
mod echo;
mod entrance;
mod events;
mod explained;
mod extract;
mod in_stream;
mod in_trace;
mod ingest;
mod measured;
mod metrics;
pub mod openapi;
mod ops;
mod planner;
pub mod problem;
pub mod rate_limit;
mod refused;
mod rendering;
mod results;
mod router;
mod schemas;
pub mod serve;
mod shadow;
mod subagents;
mod unread;
mod views;
mod writing;

pub use entrance::Entrance;
pub use ingest::{Cut, Lines, SseData};
