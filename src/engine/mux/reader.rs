//! One reader: a cursor that takes what is there and waits at the tail.
//!
//! ```text
//! unknown ──the step comes──► live ◄──► fetching (behind the window)
//!    │                         │ ▲
//!    │ patience over           │ └── reopening (trimmed, forked or begun anew under the reader)
//!    ▼                         ▼
//!  error                 end · drain
//! ```

mod told;

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use serde::Serialize;
use tokio::time::{Instant, Sleep};

use super::account::Account;
use super::frames::{self, Chunk, Layout, ShareKey};
use super::open::{locate, write_snapshot};
use super::opened::Opened;
use super::stride::{FETCH, Stride};
use super::tail::Tail;
use super::verdict::Reason;
use super::view::StartAt;
use super::window::LogWindow;
use super::{ReadRequest, Seat};
use crate::domain::entry::Entry;
use crate::domain::position::{Position, Sequence};
use crate::domain::verdict::Code;
use crate::engine::ports::result_cache::{Read, StoreError};

/// Entries taken out of the window at once.
const PULL: usize = 512;
/// A stream of bytes for one reader.
pub struct Reader {
    seat: Seat,
    request: ReadRequest,
    layout: Layout,
    phase: Phase,
    /// What was looked at, and the log it belongs to.
    scanned: Option<Position>,
    /// What frames cover; behind `scanned` by what was filtered out since.
    covered: Sequence,
    /// Up to where nothing is left out, whatever lies between: who asks for the last so many events gets them.
    whole_to: Sequence,
    step_end: Option<Position>,
    expired: bool,
    /// Whether it reads of a session whose data's time is over.
    is_over: bool,
    finished: bool,
    stride: Stride,
    queued: VecDeque<Bytes>,
    timer: Pin<Box<Sleep>>,
    /// When something was last written.
    written_at: Instant,
    /// When what is queued was taken, until it is written: the clock is looked at once for both.
    taken_at: Option<Instant>,
    /// Whether `written_at` is the time of a moment ago.
    is_fresh: bool,
    heartbeat: Duration,
    leaves_at: Instant,
    leave_reason: &'static str,
    /// When the token is over that opened it.
    token_ends: Option<Instant>,
    patience_ends: Instant,
    /// Whom to wake: all that wakes a reader has it.
    waker: Option<Waker>,
    /// The log's end as it was when the waker was left there.
    looked: Option<Tail>,
    /// Whether the timer has the waker, for the time that it is set to.
    is_armed: bool,
    account: Account,
}

enum Phase {
    Unknown {
        seen: Option<u64>,
    },
    Live,
    Fetching(BoxFuture<'static, Result<Read, StoreError>>),
    /// With the version that was seen before the store was asked: what changes meanwhile isn't missed.
    Reopening {
        opened: BoxFuture<'static, Result<(Arc<LogWindow>, Opened), StoreError>>,
        seen: u64,
    },
    Over,
}

#[derive(Serialize)]
struct OpenData {
    epoch: Option<String>,
    from: Sequence,
    tail: Sequence,
    oldest: Sequence,
    recovered: bool,
    reason: Reason,
    heartbeat_ms: u64,
}

impl Reader {
    pub(super) fn new(seat: Seat, request: ReadRequest, opened: Opened) -> Self {
        let settings = seat.shared.settings;
        let now = Instant::now();
        let batch = request.batch.unwrap_or(usize::MAX).min(settings.batch_events);
        let layout = Layout { framing: request.framing, batch, chunk_bytes: settings.chunk_bytes };
        let token_ends = request.lives.and_then(|lives| now.checked_add(lives));
        let too_old = now + jittered(settings.connection_age_ms);
        let mut reader = Self {
            layout,
            phase: Phase::Live,
            scanned: None,
            covered: Sequence(0),
            whole_to: if matches!(request.start, StartAt::Last(_)) { opened.tail } else { Sequence(0) },
            step_end: None,
            expired: false,
            is_over: false,
            stride: Stride::default(),
            finished: opened.finished,
            queued: VecDeque::new(),
            timer: Box::pin(tokio::time::sleep_until(now)),
            written_at: now,
            taken_at: None,
            is_fresh: false,
            heartbeat: jittered(settings.heartbeat_ms),
            leaves_at: token_ends.map_or(too_old, |end| end.min(too_old)),
            leave_reason: "connection_age",
            token_ends,
            patience_ends: now + Duration::from_millis(settings.unknown_patience_ms),
            waker: None,
            looked: None,
            is_armed: false,
            account: Account::default(),
            seat,
            request,
        };
        let mut out = Vec::new();
        layout.framing.retry(&mut out, settings.retry_ms);
        reader.install(&opened, out);
        reader
    }

    /// Whether everything was read and nothing will come: an `EventSource` is told to stop.
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Whether what was given out leads to where the log ends now.
    pub fn is_at_tail(&self) -> bool {
        self.queued.is_empty() && self.scanned.is_some() && self.scanned == self.seat.window.tail().position
    }

    /// The next bytes to write; `None` after the end.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        self.note_waker(cx);
        loop {
            if let Some(bytes) = self.queued.pop_front() {
                self.written_at = self.taken_at.take().unwrap_or_else(Instant::now);
                self.is_fresh = true;
                return Poll::Ready(Some(bytes));
            }
            match &mut self.phase {
                Phase::Over => return Poll::Ready(None),
                Phase::Unknown { seen } => {
                    let seen = *seen;
                    ready!(self.poll_unknown(seen, cx));
                }
                Phase::Live => ready!(self.poll_live(cx)),
                Phase::Fetching(read) => {
                    let read = ready!(read.as_mut().poll(cx));
                    self.fetched(read);
                }
                Phase::Reopening { opened, seen } => {
                    let seen = *seen;
                    let opened = ready!(opened.as_mut().poll(cx));
                    self.reopened(opened, seen);
                }
            }
        }
    }

    /// Takes a place in the log and writes the `open` event that says so.
    fn install(&mut self, opened: &Opened, mut out: Vec<u8>) {
        self.account.opened(&self.seat.shared.telemetry, &self.request, opened);
        let data = OpenData {
            epoch: opened.start.map(|start| start.epoch.to_string()),
            from: opened.from,
            tail: opened.tail,
            oldest: opened.oldest,
            recovered: opened.recovered,
            reason: opened.reason,
            heartbeat_ms: self.seat.shared.settings.heartbeat_ms,
        };
        let id = opened.start.as_ref().filter(|_| opened.snapshot.is_none());
        self.layout.framing.event(&mut out, "open", id, |out| write_json(out, &data));
        write_snapshot(&mut out, opened, &self.request.view, self.layout);
        self.queued.push_back(out.into());
        self.scanned = opened.start;
        self.covered = opened.covered();
        self.step_end = opened.step_end;
        self.expired = opened.reason == Reason::Expired;
        self.is_over = opened.is_over;
        self.phase = if opened.start.is_some() { Phase::Live } else { Phase::Unknown { seen: None } };
        if opened.finished || self.read_to_the_end() {
            self.end();
        }
    }

    fn read_to_the_end(&self) -> bool {
        let Some(scanned) = self.scanned else { return false };
        self.expired || self.step_end.is_some_and(|end| scanned.sequence >= end.sequence)
    }

    fn poll_unknown(&mut self, seen: Option<u64>, cx: &mut Context<'_>) -> Poll<()> {
        let tail = self.seat.window.tail();
        // Any change is looked into, not only a longer log: a session that is forgotten comes again in another window.
        if seen != Some(tail.version) && (seen.is_some() || tail.position.is_some()) {
            self.reopen(StartAt::Start);
            return Poll::Ready(());
        }
        let now = Instant::now();
        if self.is_leaving(now) {
            self.leave();
            return Poll::Ready(());
        }
        if now >= self.patience_ends {
            let text = "no directive came for this step";
            let document = (self.seat.shared.settings.problem)(Code::UnknownStep, text);
            self.finish_with("error", None, |out| out.extend_from_slice(&document));
            return Poll::Ready(());
        }
        self.phase = Phase::Unknown { seen: Some(tail.version) };
        let due = self.written_at + self.heartbeat;
        if now >= due {
            self.heartbeat(&tail);
            return Poll::Ready(());
        }
        self.poll_waiting(tail.version, due.min(self.patience_ends), cx)
    }

    fn poll_live(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        // Also of one that is far behind, which would read on for long.
        if self.token_is_over() {
            self.leave();
            return Poll::Ready(());
        }
        let scanned = self.scanned.expect("a live reader has a place");
        let tail = self.look(scanned, cx);
        let Some(position) = tail.position.filter(|position| position.epoch == scanned.epoch) else {
            self.reopen(StartAt::Cursor(scanned));
            return Poll::Ready(());
        };
        if position.sequence > scanned.sequence {
            self.pull(scanned, position, tail.readers > 1);
            return Poll::Ready(());
        }
        if position != scanned {
            self.reopen(StartAt::Cursor(scanned));
            return Poll::Ready(());
        }
        self.account.is_at_tail();
        let no_more_is_kept = self.is_over && tail.expired;
        if no_more_is_kept || (self.request.view.step.is_none() && tail.ended) {
            self.expired = !tail.ended;
            self.end();
            return Poll::Ready(());
        }
        // A little late is early enough: the timer knows when the time comes.
        let now = if std::mem::take(&mut self.is_fresh) { self.written_at } else { Instant::now() };
        if self.is_leaving(now) {
            self.leave();
            return Poll::Ready(());
        }
        self.poll_heartbeat(&tail, now, cx)
    }

    /// Where the log ends. A reader that has taken all that was there when it left its waker needs no second look, unless
    /// something has changed since.
    fn look(&mut self, scanned: Position, cx: &mut Context<'_>) -> Tail {
        let Self { seat: Seat { window, tail_slot, .. }, looked, .. } = self;
        let still = |tail: &Tail| tail.position == Some(scanned) && tail.version == window.version();
        match looked.filter(still) {
            Some(tail) => tail,
            None => *looked.insert(window.tail_to_wait_at(tail_slot, cx)),
        }
    }

    /// Takes what the log has after `scanned`, out of a shared chunk where there is one. Who reads alone shares nothing.
    fn pull(&mut self, scanned: Position, tail: Position, in_company: bool) {
        self.account.pulls();
        let coalesce = self.coalesces(scanned, tail);
        let (covered, layout) = (self.covered, self.layout);
        let key = ShareKey { scanned, covered, layout, coalesce };
        let step = self.request.view.step.as_ref();
        let shares = in_company && self.request.view.is_plain();
        let shared = shares.then(|| self.seat.window.frames().lock().get(&key, step, tail)).flatten();
        if let Some(chunk) = shared {
            return self.take(chunk);
        }
        let Some(entries) = self.seat.window.after(scanned.sequence, PULL) else {
            let (cache, of) = (self.seat.shared.cache.clone(), self.request.key.clone());
            let entries = self.stride.entries(FETCH);
            self.phase =
                Phase::Fetching(Box::pin(async move { cache.read(&of, scanned.sequence, entries).await }));
            return;
        };
        if let Some(chunk) = self.chunk_of(&entries, scanned, tail.sequence, coalesce) {
            if shares {
                let step = self.request.view.step.as_ref();
                self.seat.window.frames().lock().put(key, step, chunk.clone());
            }
            self.take(chunk);
        }
    }

    fn coalesces(&self, scanned: Position, tail: Position) -> bool {
        // A log that was forgotten while the store was read ends before the reader's place.
        let backlog = tail.sequence.0.saturating_sub(scanned.sequence.0);
        self.request.coalesce
            && scanned.sequence >= self.whole_to
            && backlog > self.seat.shared.settings.coalesce_backlog
    }

    /// Frames of entries that continue the reader's own chain; otherwise the reader begins anew.
    fn chunk_of(
        &mut self,
        entries: &[Arc<Entry>],
        scanned: Position,
        tail: Sequence,
        coalesce: bool,
    ) -> Option<Chunk> {
        let continues = entries.first().is_some_and(|first| {
            first.sequence == scanned.sequence.next()
                && (first.previous_chain == scanned.chain || mutant!("fork-under-a-reader"))
        });
        if !continues {
            self.reopen(StartAt::Cursor(scanned));
            return None;
        }
        let view = &self.request.view;
        let mut chunk = frames::build(entries, scanned, self.covered, view, self.layout, coalesce);
        self.account.built(&self.seat, &mut chunk, scanned.sequence, tail);
        Some(chunk)
    }

    fn take(&mut self, chunk: Chunk) {
        let after = self.scanned.map_or(Sequence(0), |scanned| scanned.sequence);
        let now = Instant::now();
        self.account.gave(&self.seat.shared.telemetry, &chunk, after, now);
        self.taken_at = Some(now);
        self.scanned = Some(chunk.scanned);
        self.covered = chunk.covered;
        if !chunk.bytes.is_empty() {
            self.queued.push_back(chunk.bytes);
        }
        if chunk.ended {
            self.end();
        }
    }

    fn fetched(&mut self, read: Result<Read, StoreError>) {
        let scanned = self.scanned.expect("only a reader with a place fetches");
        if let Ok(read) = &read {
            self.account.fetched(read);
        }
        match read {
            Ok(Read::Entries(entries) | Read::Archived(entries)) => {
                self.phase = Phase::Live;
                self.stride.learn(&entries);
                let tail = self.seat.window.tail().position.unwrap_or(scanned);
                if let Some(chunk) =
                    self.chunk_of(&entries, scanned, tail.sequence, self.coalesces(scanned, tail))
                {
                    self.take(chunk);
                }
            }
            Ok(Read::Trimmed { .. }) => self.reopen(StartAt::Cursor(scanned)),
            Err(error) => self.fail(&error),
        }
    }

    fn reopen(&mut self, start: StartAt) {
        let (cache, key) = (self.seat.shared.cache.clone(), self.request.key.clone());
        let view = self.request.view.clone();
        let seen = self.seat.window.tail().version;
        // A session that was forgotten and came again has another window.
        let opened = Box::pin(async move { locate(&*cache, &key, &view, start).await });
        self.phase = Phase::Reopening { opened, seen };
    }

    fn reopened(&mut self, opened: Result<(Arc<LogWindow>, Opened), StoreError>, seen: u64) {
        let (window, opened) = match opened {
            Ok(found) => found,
            Err(error) => return self.fail(&error),
        };
        let moved = self.seat.move_to(window);
        self.looked = None;
        if opened.start.is_some() {
            self.install(&opened, Vec::new());
        } else if self.scanned.is_some() {
            // What it read was forgotten: it is told, and ends.
            let document =
                (self.seat.shared.settings.problem)(Code::UnknownSession, "the session was deleted");
            self.finish_with("error", None, |out| out.extend_from_slice(&document));
        } else {
            // Still not there: no second `open`, wait on.
            self.phase = Phase::Unknown { seen: Some(seen).filter(|_| !moved) };
        }
    }

    /// A reader that comes into another task leaves that one's waker everywhere.
    fn note_waker(&mut self, cx: &mut Context<'_>) {
        if self.waker.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
            return;
        }
        self.seat.shared.leaving.lock().wait(&mut self.seat.drain_slot, cx.waker());
        self.waker = Some(cx.waker().clone());
        self.looked = None;
        self.is_armed = false;
    }

    /// Whether it is time to go: the connection is old, or the service stops.
    fn is_leaving(&mut self, now: Instant) -> bool {
        let shared = &self.seat.shared;
        if shared.draining.load(Ordering::Acquire) && self.leave_reason != "draining" {
            self.leave_reason = "draining";
            let spread = Duration::from_millis(fastrand::u64(0..=shared.settings.drain_spread_ms));
            self.leaves_at = self.leaves_at.min(now + spread);
        }
        now >= self.leaves_at
    }

    /// Waits for news, for which the waker was left; when it was quiet for long, says that it is still there.
    fn poll_heartbeat(&mut self, tail: &Tail, now: Instant, cx: &mut Context<'_>) -> Poll<()> {
        let due = self.written_at + self.heartbeat;
        if now >= due {
            if !self.cover_filtered() {
                self.heartbeat(tail);
            }
            return Poll::Ready(());
        }
        self.poll_timer(due, cx)
    }

    /// Ready when the log has changed or `due`, or the time to leave, has come.
    fn poll_waiting(&mut self, seen: u64, due: Instant, cx: &mut Context<'_>) -> Poll<()> {
        if self.poll_timer(due, cx).is_ready() {
            return Poll::Ready(());
        }
        let Self { seat: Seat { window, tail_slot, .. }, .. } = self;
        window.poll_changed(seen, tail_slot, cx)
    }

    /// Ready when `due`, or the time to leave, has come.
    fn poll_timer(&mut self, due: Instant, cx: &mut Context<'_>) -> Poll<()> {
        let due = due.min(self.leaves_at);
        // The timer is left alone while it fires no later than needed: it is armed once a heartbeat, not once an event.
        if self.timer.deadline() > due || self.timer.is_elapsed() {
            self.timer.as_mut().reset(due);
            self.is_armed = false;
        }
        if self.is_armed && !self.timer.is_elapsed() {
            return Poll::Pending;
        }
        self.is_armed = true;
        self.timer.as_mut().poll(cx)
    }
}

fn jittered(ms: u64) -> Duration {
    Duration::from_millis(ms - fastrand::u64(0..=ms / 10))
}

fn write_json(out: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(out, value).expect("plain data with text keys");
}
