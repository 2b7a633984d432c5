//! The [`ShadowLog`] of a service without an archive: in memory, of this process, bounded.
//!
//! At most [`COMPARISONS_MAX`] answers are kept, of [`BYTES_MAX`] together, and none longer than a session is: the
//! oldest make room. A look costs time linear in what is kept.

mod read;

use std::collections::VecDeque;

use futures::FutureExt;
use futures::future::ready;
use parking_lot::Mutex;

use crate::domain::ids::{SessionKey, TenantId};
use crate::domain::session::IdempotencyKey;
use crate::domain::shadow::Comparison;
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::ArchiveFuture;
use crate::engine::ports::shadow_log::{
    KEYS_MAX, LoggedDiscrepancy, Noted, NotedResponse, ShadowLog, Summary, Waiting, Wanted,
};

/// Answers that are kept, compared or not.
pub const COMPARISONS_MAX: usize = 1_000;
/// Bytes of all that is kept, roughly: texts, with something for what is around them.
pub const BYTES_MAX: usize = 64 << 20;
/// What a text costs beside its bytes.
const AROUND_BYTES: usize = 64;

/// The [`ShadowLog`] in memory.
#[derive(Debug)]
pub struct MemoryShadowLog {
    kept: Mutex<Kept>,
    keep_ms: u64,
    now: fn() -> Timestamp,
}

#[derive(Debug, Default)]
struct Kept {
    /// The number of the last answer, and of the last discrepancy.
    last_answer: u64,
    last_discrepancy: u64,
    /// By number.
    answers: VecDeque<Answer>,
    bytes: usize,
}

#[derive(Debug)]
struct Answer {
    waiting: Waiting,
    once: Option<IdempotencyKey>,
    standing: Standing,
    bytes: usize,
}

#[derive(Debug)]
enum Standing {
    Waits,
    Compared(Compared),
    /// Another answer has taken its place. What it came to is kept for its `Idempotency-Key`.
    Replaced(Option<Box<Comparison>>),
}

#[derive(Debug)]
struct Compared {
    comparison: Box<Comparison>,
    at: Timestamp,
    /// The number of its gravest discrepancy; that of the next one is one less.
    highest: u64,
}

impl Answer {
    fn waits(&self) -> bool {
        matches!(self.standing, Standing::Waits)
    }

    fn compared(&self) -> Option<&Compared> {
        match &self.standing {
            Standing::Compared(compared) => Some(compared),
            Standing::Waits | Standing::Replaced(_) => None,
        }
    }

    fn replace(&mut self) {
        self.standing = match std::mem::replace(&mut self.standing, Standing::Waits) {
            Standing::Compared(compared) => Standing::Replaced(Some(compared.comparison)),
            Standing::Replaced(comparison) => Standing::Replaced(comparison),
            Standing::Waits => {
                // What was sent isn't needed any more.
                self.waiting.response.body = "".into();
                self.bytes = AROUND_BYTES;
                Standing::Replaced(None)
            }
        };
    }
}

impl MemoryShadowLog {
    /// A log that keeps what isn't older than `keep_ms` by the clock `now`.
    pub fn new(keep_ms: u64, now: fn() -> Timestamp) -> Self {
        Self { kept: Mutex::default(), keep_ms, now }
    }

    /// What is kept, without what is too old.
    fn with<T>(&self, work: impl FnOnce(&mut Kept) -> T) -> T {
        let mut kept = self.kept.lock();
        let (now, keep_ms) = ((self.now)(), self.keep_ms);
        kept.retain(|answer| now.since_ms(answer.waiting.response.at) <= keep_ms);
        work(&mut kept)
    }
}

impl Kept {
    fn retain(&mut self, keep: impl Fn(&Answer) -> bool) {
        self.answers.retain(keep);
        self.bytes = self.answers.iter().map(|answer| answer.bytes).sum();
    }

    fn note(&mut self, response: &NotedResponse, once: Option<&IdempotencyKey>) -> Noted {
        if let Some(noted) = once.and_then(|once| self.noted_before(&response.key, once)) {
            return noted;
        }
        self.replace(response);
        self.last_answer += 1;
        let waiting = Waiting { id: self.last_answer, response: response.clone() };
        let bytes = response.body.len() + AROUND_BYTES;
        let (once, standing) = (once.cloned(), Standing::Waits);
        self.answers.push_back(Answer { waiting: waiting.clone(), once, standing, bytes });
        self.bytes += bytes;
        self.make_room();
        Noted::Waiting(waiting)
    }

    /// Makes room for the answer to a step. Of an earlier one stays what its `Idempotency-Key` is answered with.
    fn replace(&mut self, by: &NotedResponse) {
        let mut keys = 0;
        for answer in self.answers.iter_mut().rev().filter(|answer| answer.waiting.response.key == by.key) {
            if answer.waiting.response.step == by.step {
                answer.replace();
            }
            keys += usize::from(answer.once.is_some());
            if keys > KEYS_MAX && matches!(answer.standing, Standing::Replaced(_)) {
                answer.once = None;
            }
        }
        self.retain(|answer| answer.once.is_some() || !matches!(answer.standing, Standing::Replaced(_)));
    }

    fn noted_before(&self, key: &SessionKey, once: &IdempotencyKey) -> Option<Noted> {
        let of_key = |answer: &&Answer| {
            answer.waiting.response.key == *key
                && answer.once.as_ref().is_some_and(|known| known.key == once.key)
        };
        let answer = self.answers.iter().find(of_key)?;
        if answer.once.as_ref() != Some(once) {
            return Some(Noted::Conflict);
        }
        Some(match &answer.standing {
            Standing::Compared(Compared { comparison, .. }) | Standing::Replaced(Some(comparison)) => {
                Noted::Compared(comparison.clone())
            }
            Standing::Replaced(None) => Noted::Replaced,
            Standing::Waits => Noted::Waiting(answer.waiting.clone()),
        })
    }

    fn settle(&mut self, waiting: &Waiting, comparison: &Comparison, at: Timestamp) -> bool {
        let waits = |answer: &&mut Answer| answer.waiting.id == waiting.id && answer.waits();
        let Some(answer) = self.answers.iter_mut().find(waits) else { return false };
        self.last_discrepancy += comparison.discrepancies().count() as u64;
        // What was sent isn't needed any more.
        answer.waiting.response.body = "".into();
        self.bytes -= answer.bytes;
        answer.bytes = bytes_of(comparison);
        self.bytes += answer.bytes;
        let comparison = Box::new(comparison.clone());
        answer.standing = Standing::Compared(Compared { comparison, at, highest: self.last_discrepancy });
        self.make_room();
        true
    }

    fn make_room(&mut self) {
        while self.answers.len() > COMPARISONS_MAX || self.bytes > BYTES_MAX {
            let Some(oldest) = self.answers.pop_front() else { return };
            self.bytes -= oldest.bytes;
        }
    }
}

fn bytes_of(comparison: &Comparison) -> usize {
    let said = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let same = comparison.same.iter().map(|pair| pair.ours.len() + pair.legacy.len() + 2 * AROUND_BYTES);
    let cited = comparison.citations.same.iter().map(|url| url.len() + AROUND_BYTES);
    let found = comparison
        .discrepancies()
        .map(|found| said(&found.ours) + said(&found.legacy) + found.detail.len() + 3 * AROUND_BYTES);
    let metadata = comparison.metadata.as_ref().map_or(0, |metadata| metadata.0.get().len());
    same.chain(cited).chain(found).sum::<usize>() + metadata + 8 * AROUND_BYTES
}

impl ShadowLog for MemoryShadowLog {
    fn note<'a>(
        &'a self,
        response: &'a NotedResponse,
        once: Option<&'a IdempotencyKey>,
    ) -> ArchiveFuture<'a, Noted> {
        ready(Ok(self.with(|kept| kept.note(response, once)))).boxed()
    }

    fn settle<'a>(
        &'a self,
        waiting: &'a Waiting,
        comparison: &'a Comparison,
        at: Timestamp,
    ) -> ArchiveFuture<'a, bool> {
        ready(Ok(self.with(|kept| kept.settle(waiting, comparison, at)))).boxed()
    }

    fn give_up<'a>(&'a self, waiting: &'a Waiting) -> ArchiveFuture<'a, ()> {
        let stays = |answer: &Answer| answer.waiting.id != waiting.id || !answer.waits();
        self.with(|kept| kept.retain(stays));
        ready(Ok(())).boxed()
    }

    fn waiting(&self, after: u64, limit: usize) -> ArchiveFuture<'_, Vec<Waiting>> {
        let waits = |answer: &&Answer| answer.waits() && answer.waiting.id > after;
        let found = self.with(|kept| {
            let waiting = kept.answers.iter().filter(waits).map(|answer| answer.waiting.clone());
            waiting.take(limit).collect()
        });
        ready(Ok(found)).boxed()
    }

    fn discrepancies<'a>(
        &'a self,
        tenant: &'a TenantId,
        wanted: &'a Wanted,
    ) -> ArchiveFuture<'a, Vec<LoggedDiscrepancy>> {
        ready(Ok(self.with(|kept| kept.discrepancies(tenant, wanted)))).boxed()
    }

    fn summary<'a>(&'a self, tenant: &'a TenantId, wanted: &'a Wanted) -> ArchiveFuture<'a, Summary> {
        ready(Ok(self.with(|kept| kept.summary(tenant, wanted)))).boxed()
    }

    fn forget<'a>(&'a self, key: &'a SessionKey) -> ArchiveFuture<'a, ()> {
        self.with(|kept| kept.retain(|answer| answer.waiting.response.key != *key));
        ready(Ok(())).boxed()
    }
}
