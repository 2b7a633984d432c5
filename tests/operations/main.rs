//! What an operator has: the scrape, the dashboard, the alerts and the page that explains them. A real Prometheus reads the
//! real service, and what one of them names is held against what the others have.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod alerts;
mod dashboard;
mod document;
#[path = "../harness/mod.rs"]
mod harness;
mod prometheus;
#[path = "../harness/redis_server.rs"]
mod redis_server;
mod scene;
mod scrape;
mod text_format;
