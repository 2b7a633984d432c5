//! Says in the log that a collector doesn't take what it is sent, without filling the log.
//!
//! The SDK writes two lines a failed batch, which under load is hundreds a second. Its lines are kept back unless somebody
//! asked for its debug level; instead there is one line at once, then one a minute at most with what was lost since, and
//! one when the collector takes things again.

use std::future::Future;
use std::time::{Duration, Instant};

use opentelemetry_sdk::error::OTelSdkResult;
use parking_lot::Mutex;
use tracing::Dispatch;
use tracing::instrument::WithSubscriber;

use super::error::Signal;

/// Between two lines about the same signal.
const QUIET: Duration = Duration::from_secs(60);

/// What was said of one signal.
#[derive(Debug)]
pub(super) struct Outage {
    signal: Signal,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failing: bool,
    said: Option<Instant>,
    /// What had been lost when it was last said.
    lost: u64,
}

/// What there is to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// It fails; so many were lost since the last line.
    Fails(u64),
    /// It works, but so many had no room in the queue.
    Drops(u64),
    /// It works again, after so many were lost since the last line.
    Works(u64),
}

impl Outage {
    pub fn new(signal: Signal) -> Self {
        Self { signal, state: Mutex::default() }
    }

    /// Runs an export with the SDK's own lines kept back.
    pub async fn quietly(export: impl Future<Output = OTelSdkResult> + Send) -> OTelSdkResult {
        if tracing::enabled!(target: "opentelemetry-otlp", tracing::Level::DEBUG) {
            return export.await;
        }
        export.with_subscriber(Dispatch::none()).await
    }

    /// Takes how an export ended, and how many of the signal were lost since the start.
    pub fn ended(&self, result: &OTelSdkResult, lost: u64) {
        let line = self.state.lock().line(result.is_ok(), lost, Instant::now());
        let signal = self.signal;
        match (line, result) {
            (Some(Line::Fails(lost)), Err(error)) => {
                tracing::warn!(%error, lost, "the collector does not take {signal}");
            }
            (Some(Line::Drops(lost)), _) => {
                tracing::warn!(lost, "there are more {signal} than the collector takes");
            }
            (Some(Line::Works(lost)), _) => tracing::info!(lost, "the collector takes {signal} again"),
            (Some(Line::Fails(_)), Ok(())) | (None, _) => {}
        }
    }
}

impl State {
    fn line(&mut self, worked: bool, lost: u64, now: Instant) -> Option<Line> {
        let since = lost.saturating_sub(self.lost);
        let quiet = self.said.is_some_and(|said| now.saturating_duration_since(said) < QUIET);
        let line = match (worked, self.failing) {
            (true, true) if !quiet => Line::Works(since),
            (true, false) if since > 0 && !quiet => Line::Drops(since),
            (false, _) if !quiet => Line::Fails(since),
            (true, _) | (false, _) => return None,
        };
        self.failing = !worked;
        self.said = Some(now);
        self.lost = lost;
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_written_at_once_and_then_one_a_minute() {
        let begin = Instant::now();
        let mut state = State::default();
        // Seconds, whether the export worked, what was lost in all, what is said.
        let cases = [
            (0, true, 0, None),
            (1, false, 512, Some(Line::Fails(512))),
            (2, false, 1_024, None),
            (3, true, 1_024, None),
            (60, false, 2_000, None),
            (61, false, 2_048, Some(Line::Fails(1_536))),
            (90, true, 2_048, None),
            (121, true, 2_100, Some(Line::Works(52))),
            (200, true, 2_100, None),
            (201, true, 2_103, Some(Line::Drops(3))),
            (202, true, 2_200, None),
            (261, true, 2_200, Some(Line::Drops(97))),
        ];
        for (second, worked, lost, expected) in cases {
            assert_eq!(
                state.line(worked, lost, begin + Duration::from_secs(second)),
                expected,
                "after {second} s"
            );
        }
    }
}
