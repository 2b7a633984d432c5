//! What the tests through HTTP share: the real program, a planner, subagents, readers, and a line that can be cut.
//!
//! Nothing here sleeps to let something happen: every wait is for a state and has a deadline, and a wait that ends
//! without its state says what it waited for.

#![allow(dead_code, unused_imports, reason = "each test binary uses a part of it")]

mod app;
mod body;
mod coverage;
mod cut_line;
mod folder;
mod http;
mod plan;
mod problem;
mod sse;
mod standstill;
mod text;

use std::fmt::Display;
use std::time::Duration;

pub use app::{Setup, Started, TestApp};
pub use body::{Incoming, Upload};
pub use coverage::Coverage;
pub use cut_line::CutLine;
pub use folder::Folder;
pub use http::{Answer, Client, Request};
pub use plan::{Planner, Subagent, essential, open_plan};
pub use problem::assert_problem;
pub use sse::{SseClient, SseEvent, events_of};
pub use standstill::stalled_during;
pub use text::{event_texts, redacted};

/// How long a test waits for what must come: the machine may be busy with other things, and who is killed or frozen may have
/// claimed a wake-up, which others may take after 30 s.
pub const PATIENCE: Duration = Duration::from_secs(45);

/// Waits for a future, but not forever.
pub async fn within<T>(what: impl Display, future: impl Future<Output = T>) -> T {
    let waited = tokio::time::timeout(PATIENCE, future).await;
    waited.unwrap_or_else(|_| panic!("waited {PATIENCE:?} for {what}"))
}

/// Asks again and again until `look` sees what it looks for.
pub async fn eventually<T, F: Future<Output = Option<T>>>(
    what: impl Display,
    mut look: impl FnMut() -> F,
) -> T {
    within(what, async {
        loop {
            if let Some(seen) = look().await {
                return seen;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
}
