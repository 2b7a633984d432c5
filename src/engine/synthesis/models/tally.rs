//! What is counted while a completion is under way.

use tokio::time::Instant;

use super::{ModelSlot, Tried};
use crate::domain::synthesis::budget::Spent;
use crate::engine::clock::millis;

/// Entries of what was tried; more aren't told one by one.
const TRIED_MAX: usize = 64;

pub(super) struct Tally {
    pub(super) tried: Vec<Tried>,
    pub(super) attempts: u32,
    pub(super) spent: Spent,
    began: Instant,
}

impl Tally {
    pub(super) fn new() -> Self {
        Self { tried: Vec::new(), attempts: 0, spent: Spent::default(), began: Instant::now() }
    }

    /// Notes what an attempt came to, or why there was none (`asked` is false).
    pub(super) fn note(&mut self, slot: &ModelSlot, code: &'static str, asked: bool) {
        let (provider, model) = (slot.model.provider(), slot.model.model());
        let is_same = |last: &&mut Tried| {
            (last.provider, &*last.model, last.code, last.asked) == (provider, model, code, asked)
        };
        if let Some(last) = self.tried.last_mut().filter(is_same) {
            last.times = last.times.saturating_add(1);
        } else if self.tried.len() < TRIED_MAX {
            self.tried.push(Tried { provider, model: model.to_owned(), code, times: 1, asked });
        }
    }

    pub(super) fn spend(&mut self, spent: Spent) {
        self.spent = self.spent.plus(spent);
    }

    pub(super) fn took_ms(&self) -> u64 {
        millis(self.began.elapsed())
    }
}
