//! Answers that a language model was to write and that were extracted: told in the log, with the reason.
//!
//! A key that was revoked or a model that was taken away shows nowhere else: every caller gets a result. One line a minute for each
//! reason is enough to be seen, and what a server said isn't in it.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use super::models::{Models, NotCompleted};
use super::write::Write;

/// How long nothing more is said of the same reason.
const SAID_EVERY: Duration = Duration::from_secs(60);

/// The code of a draft that can't be read.
pub(super) const UNREADABLE: &str = "unreadable_draft";
/// The code of a draft of which nothing is delivered: nothing of it can be proven, or it isn't good enough.
pub(super) const UNFIT: &str = "unfit_draft";
/// The code of an answer that isn't there in time.
pub(super) const DEADLINE: &str = "deadline_exceeded";
/// The code of material that has nothing to be written about, which is nobody's fault.
const NOTHING: &str = "nothing_to_say";

/// Why a model's answer isn't the one that is delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fallen {
    /// A short code that never changes.
    pub(super) code: &'static str,
    provider: &'static str,
    model: String,
}

impl Fallen {
    /// For this reason, with the first of these models.
    pub(super) fn of(code: &'static str, models: &Models) -> Self {
        let slot = models.chain().first();
        let named = slot.map(|slot| (slot.model.provider(), slot.model.model().to_owned()));
        let (provider, model) = named.unwrap_or_default();
        Self { code, provider, model }
    }

    /// As the last one that was tried told it: the budget, where that ended it.
    pub(super) fn told_by(failed: &NotCompleted) -> Option<Self> {
        let last = failed.tried.last()?;
        Some(Self { code: last.code, provider: last.provider, model: last.model.clone() })
    }
}

/// What was said when.
#[derive(Debug, Default)]
pub(super) struct Fallbacks(Mutex<HashMap<&'static str, Instant>>);

/// Whose answer it is.
#[derive(Debug, Default)]
pub(super) struct Of {
    pub(super) trace_id: Option<String>,
    pub(super) session: Option<String>,
    pub(super) step: Option<String>,
}

impl Of {
    pub(super) fn write(write: &Write) -> Self {
        let (session, step) =
            write.of_step.as_ref().map(|(key, step)| (key.session.to_string(), step.to_string())).unzip();
        Self { trace_id: write.baseline.metadata.trace_id.clone(), session, step }
    }
}

impl Fallbacks {
    /// Says that a language model's answer isn't delivered, unless that was said of the same reason a moment ago.
    pub(super) fn tell(&self, fallen: &Fallen, of: &Of) {
        let Fallen { code, provider, model } = fallen;
        if *code == NOTHING || !self.is_due(code) {
            return;
        }
        let Of { trace_id, session, step } = of;
        tracing::warn!(
            trace_id,
            session,
            step,
            code,
            provider,
            model,
            "a synthesis is extracted, as its language model's answer couldn't be had or used"
        );
    }

    fn is_due(&self, code: &'static str) -> bool {
        let (mut said, now) = (self.0.lock(), Instant::now());
        let is_due = said.get(code).is_none_or(|at| now.duration_since(*at) >= SAID_EVERY);
        if is_due {
            said.insert(code, now);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn each_reason_is_said_once_a_minute() {
        let fallbacks = Fallbacks::default();
        assert!(fallbacks.is_due("unauthorised") && fallbacks.is_due(DEADLINE));
        assert!(!fallbacks.is_due("unauthorised"));
        tokio::time::advance(SAID_EVERY).await;
        assert!(fallbacks.is_due("unauthorised"));
    }
}
