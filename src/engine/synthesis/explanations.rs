//! How answers were written, kept for a while by the replica that wrote them: the latest, within a bound of bytes.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::domain::ids::{SessionKey, StepId};
use crate::domain::synthesis::explanation::Explanation;

/// Explanations of steps. The oldest goes first.
#[derive(Debug)]
pub struct Explanations {
    bytes_max: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: usize,
    items: VecDeque<Item>,
}

#[derive(Debug)]
struct Item {
    key: SessionKey,
    step: StepId,
    bytes: usize,
    explanation: Arc<Explanation>,
}

impl Explanations {
    /// Keeps at most so many bytes; 0: nothing.
    pub fn new(bytes_max: usize) -> Self {
        Self { bytes_max, kept: Mutex::default() }
    }

    /// Whether anything is kept.
    pub fn is_on(&self) -> bool {
        self.bytes_max > 0
    }

    /// Keeps one, in place of what was known of the step. What is larger than everything may be isn't kept.
    pub(super) fn put(&self, key: &SessionKey, step: &StepId, explanation: Explanation) {
        let bytes = explanation.bytes();
        let mut kept = self.kept.lock();
        kept.remove(|item| (&item.key, &item.step) == (key, step));
        if bytes > self.bytes_max {
            return;
        }
        kept.bytes += bytes;
        let (key, step, explanation) = (key.clone(), step.clone(), Arc::new(explanation));
        kept.items.push_back(Item { key, step, bytes, explanation });
        while kept.bytes > self.bytes_max {
            let Some(oldest) = kept.items.pop_front() else { break };
            kept.bytes -= oldest.bytes;
        }
    }

    /// How the step's answer was written, where that is still known here.
    pub fn get(&self, key: &SessionKey, step: &StepId) -> Option<Arc<Explanation>> {
        let kept = self.kept.lock();
        let found = kept.items.iter().find(|item| (&item.key, &item.step) == (key, step))?;
        Some(found.explanation.clone())
    }

    /// Lets go what is known of a session.
    pub fn forget(&self, key: &SessionKey) {
        self.kept.lock().remove(|item| item.key == *key);
    }
}

impl Kept {
    fn remove(&mut self, is_gone: impl Fn(&Item) -> bool) {
        self.items.retain(|item| !is_gone(item));
        self.bytes = self.items.iter().map(|item| item.bytes).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ids::TenantId;
    use crate::domain::synthesis::explanation::{ExplainedCall, ExplainedText};

    fn key(session: &str) -> SessionKey {
        SessionKey { tenant: TenantId::default_tenant(), session: session.parse().unwrap() }
    }

    fn of(bytes: usize) -> Explanation {
        let answer = Some(ExplainedText::from("a".repeat(bytes).as_str()));
        let call = ExplainedCall {
            purpose: "draft",
            prompt: String::new(),
            prompt_version: String::new(),
            requests: Vec::new(),
            tried: Vec::new(),
            answer,
            model: None,
            answered_by: None,
            stop: None,
            cached: false,
            failed: None,
            input_tokens: 0,
            output_tokens: 0,
            took_ms: 0,
        };
        Explanation { calls: vec![call], checks: None }
    }

    #[test]
    fn the_latest_are_kept_within_the_bound_and_a_session_can_be_forgotten() {
        let one = of(10_000).bytes();
        let kept = Explanations::new(3 * one);
        let step: StepId = "p".parse().unwrap();
        for session in ["a", "b", "c", "d"] {
            kept.put(&key(session), &step, of(10_000));
        }
        let known = |kept: &Explanations| {
            ["a", "b", "c", "d"].into_iter().filter(|name| kept.get(&key(name), &step).is_some()).collect()
        };
        let names: Vec<&str> = known(&kept);
        assert_eq!(names, ["b", "c", "d"], "the oldest went");
        kept.put(&key("b"), &step, of(10_000));
        let names: Vec<&str> = known(&kept);
        assert_eq!(names, ["b", "c", "d"], "one of a step takes the place of the one before");
        kept.forget(&key("c"));
        kept.put(&key("a"), &step, of(10_000));
        let names: Vec<&str> = known(&kept);
        assert_eq!(names, ["a", "b", "d"]);
        kept.put(&key("a"), &step, of(4 * one));
        let names: Vec<&str> = known(&kept);
        assert_eq!(names, ["b", "d"], "what is larger than the bound isn't kept, and nothing goes for it");
        assert_eq!(kept.kept.lock().bytes, 2 * one);
        assert!(!Explanations::new(0).is_on());
    }
}
