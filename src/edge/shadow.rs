//! The [`ShadowLog`] of a service without an archive: in memory, of this process, bounded.
//!
//! At most [`COMPARISONS_MAX`] answers are kept, of [`BYTES_MAX`] together, and none longer than a session is: the
//! oldest make room. A look costs time linear in what is kept.

use std::collections::VecDeque;

use futures::FutureExt;
use futures::future::ready;
use parking_lot::Mutex;

use crate::domain::ids::{SessionKey, TenantId};
use crate::domain::session::IdempotencyKey;
use crate::domain::shadow::{Comparison, Discrepancy};
use crate::domain::time::Timestamp;
use crate::engine::ports::archive::ArchiveFuture;
use crate::engine::ports::shadow_log::{
    LoggedDiscrepancy, Noted, NotedResponse, ShadowLog, Summary, Waiting, Wanted,
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
    compared: Option<Compared>,
    bytes: usize,
}

#[derive(Debug)]
struct Compared {
    comparison: Box<Comparison>,
    at: Timestamp,
    /// The number of its gravest discrepancy; that of the next one is one less.
    highest: u64,
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
        self.retain(|answer| {
            let other = &answer.waiting.response;
            (&other.key, &other.step) != (&response.key, &response.step)
        });
        self.last_answer += 1;
        let waiting = Waiting { id: self.last_answer, response: response.clone() };
        let bytes = response.body.len() + AROUND_BYTES;
        let (once, compared) = (once.cloned(), None);
        self.answers.push_back(Answer { waiting: waiting.clone(), once, compared, bytes });
        self.bytes += bytes;
        self.make_room();
        Noted::Waiting(waiting)
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
        Some(match &answer.compared {
            Some(compared) => Noted::Compared(compared.comparison.clone()),
            None => Noted::Waiting(answer.waiting.clone()),
        })
    }

    fn settle(&mut self, waiting: &Waiting, comparison: &Comparison, at: Timestamp) -> bool {
        let waits = |answer: &&mut Answer| answer.waiting.id == waiting.id && answer.compared.is_none();
        let Some(answer) = self.answers.iter_mut().find(waits) else { return false };
        self.last_discrepancy += comparison.discrepancies().count() as u64;
        // What was sent isn't needed any more.
        answer.waiting.response.body = "".into();
        self.bytes -= answer.bytes;
        answer.bytes = bytes_of(comparison);
        self.bytes += answer.bytes;
        let comparison = Box::new(comparison.clone());
        answer.compared = Some(Compared { comparison, at, highest: self.last_discrepancy });
        self.make_room();
        true
    }

    fn make_room(&mut self) {
        while self.answers.len() > COMPARISONS_MAX || self.bytes > BYTES_MAX {
            let Some(oldest) = self.answers.pop_front() else { return };
            self.bytes -= oldest.bytes;
        }
    }

    /// The comparisons that are wanted, with the answers that they are about.
    fn compared<'k>(
        &'k self,
        tenant: &'k TenantId,
        wanted: &'k Wanted,
    ) -> impl Iterator<Item = (&'k NotedResponse, &'k Compared)> {
        let pairs = self
            .answers
            .iter()
            .filter_map(|answer| Some((&answer.waiting.response, answer.compared.as_ref()?)));
        pairs.filter(|(response, compared)| {
            response.key.tenant == *tenant
                && wanted.session.as_ref().is_none_or(|session| *session == response.key.session)
                && wanted.verdict.is_none_or(|verdict| verdict == compared.comparison.verdict)
        })
    }

    fn discrepancies(&self, tenant: &TenantId, wanted: &Wanted) -> Vec<LoggedDiscrepancy> {
        let mut newest: Vec<_> = self.compared(tenant, wanted).collect();
        newest.sort_by_key(|(_, compared)| std::cmp::Reverse(compared.highest));
        let all = newest.into_iter().flat_map(|(response, compared)| {
            let numbered = compared.comparison.discrepancies().zip((0..=compared.highest).rev());
            numbered.map(move |(discrepancy, id)| (response, compared, discrepancy, id))
        });
        let is_wanted = |discrepancy: &Discrepancy, id: u64| {
            wanted.kind.is_none_or(|kind| kind == discrepancy.kind)
                && wanted.after.is_none_or(|after| id < after)
        };
        all.filter(|(_, _, discrepancy, id)| is_wanted(discrepancy, *id))
            .take(wanted.limit)
            .map(|(response, compared, discrepancy, id)| LoggedDiscrepancy {
                id,
                key: response.key.clone(),
                step: response.step.clone(),
                discrepancy: discrepancy.clone(),
                at: compared.at,
            })
            .collect()
    }

    fn summary(&self, tenant: &TenantId, wanted: &Wanted) -> Summary {
        let mut summary = Summary::default();
        let (mut ours_ms, mut legacy_ms, mut agreements) = (Vec::new(), Vec::new(), Vec::new());
        for (_, Compared { comparison, .. }) in self.compared(tenant, wanted) {
            *summary.verdicts.entry(comparison.verdict).or_default() += 1;
            for discrepancy in comparison.discrepancies() {
                *summary.by_kind.entry(discrepancy.kind).or_default() += 1;
            }
            agreements.push(comparison.agreement);
            ours_ms.extend(comparison.latency.ours_ms);
            legacy_ms.extend(comparison.latency.legacy_ms);
        }
        let count = agreements.len() as f64;
        summary.agreement_average = (count > 0.0).then(|| agreements.iter().sum::<f64>() / count);
        (summary.ours_p50_ms, summary.legacy_p50_ms) = (median(ours_ms), median(legacy_ms));
        summary
    }
}

/// By nearest rank: the smallest that half of all don't exceed.
fn median(mut values: Vec<u64>) -> Option<u64> {
    values.sort_unstable();
    values.get(values.len().checked_sub(1)? / 2).copied()
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
        let stays = |answer: &Answer| answer.waiting.id != waiting.id || answer.compared.is_some();
        self.with(|kept| kept.retain(stays));
        ready(Ok(())).boxed()
    }

    fn waiting(&self, after: u64, limit: usize) -> ArchiveFuture<'_, Vec<Waiting>> {
        let waits = |answer: &&Answer| answer.compared.is_none() && answer.waiting.id > after;
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
