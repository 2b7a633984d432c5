//! Bodies of many events: taken in as they arrive, answered item by item.

mod answer;
mod lines;
mod receipts;
mod sse_data;

use std::collections::VecDeque;
use std::future::pending;
use std::pin::pin;
use std::time::Duration;

use axum::body::Bytes;
use http_body_util::BodyExt;

use super::app::App;
use super::extract::Ids;
use super::problem::Problem;
use super::subagents::{Pending, nothing_sent, read_item};
use crate::domain::session::IdempotencyKey;
use crate::domain::verdict::{Code, Refusal};
use crate::engine::coordinator::{Enqueued, Submission, SubmitError};

pub use answer::EventsAnswer;
pub use lines::Lines;
pub use receipts::Receipts;
pub use sse_data::SseData;

/// Submissions of one body that may be under way at once: while one is stored, the next is read.
const UNDER_WAY: usize = 4;

/// Cuts a body into texts of one event each.
pub trait Cut {
    /// Takes in bytes and hands out the events that are whole.
    ///
    /// # Errors
    /// The refusal of an event that is too long to be held; it is skipped.
    fn feed(&mut self, bytes: &[u8], most: usize, take: &mut dyn FnMut(Result<&str, Refusal>));

    /// The body is over: hands out what is left.
    fn finish(&mut self, take: &mut dyn FnMut(Result<&str, Refusal>));

    /// How many bytes of the body wait for the rest of their event.
    fn held(&self) -> usize;
}

/// Takes in a body as it arrives: each event is stored and streamed before the body ends. It is read for as long as its
/// sender's token `lives`.
///
/// # Errors
/// Where nothing was sent to somebody who isn't there.
pub async fn stream_in(
    app: &App,
    ids: &Ids,
    lives: Option<Duration>,
    mut body: impl http_body::Body<Data = Bytes> + Unpin,
    once: Option<IdempotencyKey>,
    mut cut: impl Cut,
) -> Result<Receipts, Problem> {
    let mut intake = Intake::new(app, ids, once);
    let mut token_ends = pin!(after(lives));
    loop {
        let frame = tokio::select! {
            biased;
            () = app.draining.cancelled() => {
                intake.stop(SubmitError::Draining);
                break;
            }
            () = &mut token_ends => {
                let text = "the token that this body was sent with has expired; what came after that isn't taken";
                intake.stop(Problem::new(Code::TokenExpired, text));
                break;
            }
            frame = body.frame() => frame,
        };
        match frame {
            Some(Ok(frame)) => {
                let Some(bytes) = frame.data_ref() else { continue };
                cut.feed(bytes, app.settings.event_bytes, &mut |text| intake.read(text));
            }
            Some(Err(_)) => {
                // What came whole is stored. As a rule nobody is there any more; who has only ended too early, or cuts its
                // body into wrong chunks, must not take that for all that it sent.
                let text = "the body broke off; the events before that are in `results`, the one that was cut isn't taken";
                intake.stop(Problem::new(Code::InvalidJson, text));
                break;
            }
            None => {
                cut.finish(&mut |text| intake.read(text));
                intake.submit().await;
                break;
            }
        }
        intake.submit().await;
        if intake.stopped {
            break;
        }
    }
    intake.finish().await
}

/// The places in the body of those items that weren't refused, the first of `outline` being at `first`: where the network cut the
/// body, or what of it is refused, moves none of them.
fn places_of(outline: &[Option<Refusal>], first: usize) -> impl Iterator<Item = u32> {
    let taken = outline.iter().zip(first..).filter(|(refusal, _)| refusal.is_none());
    taken.map(|(_, place)| u32::try_from(place).unwrap_or(u32::MAX))
}

/// Never, where there is no end.
async fn after(lives: Option<Duration>) {
    match lives {
        Some(lives) => tokio::time::sleep(lives).await,
        None => pending().await,
    }
}

/// What of a body was read, what is under way, what is answered.
struct Intake<'a> {
    app: &'a App,
    ids: &'a Ids,
    once: Option<IdempotencyKey>,
    pending: Pending,
    under_way: VecDeque<(Vec<Option<Refusal>>, Enqueued)>,
    receipts: Receipts,
    items: usize,
    stopped: bool,
}

impl<'a> Intake<'a> {
    fn new(app: &'a App, ids: &'a Ids, once: Option<IdempotencyKey>) -> Self {
        let receipts = Receipts::new(app.settings.events_per_request, false);
        let (pending, under_way) = Default::default();
        Self { app, ids, once, pending, under_way, receipts, items: 0, stopped: false }
    }

    fn read(&mut self, text: Result<&str, Refusal>) {
        let most = self.app.settings.events_per_request;
        let item = match text {
            Err(refusal) => Err(refusal),
            // Answers are kept with the key, so a body with one is bounded.
            Ok(_) if self.once.is_some() && self.items >= most => {
                let text = format!("a body with an Idempotency-Key has at most {most} events");
                Err(Refusal::new(Code::LimitReached, text))
            }
            Ok(text) => read_item(self.app, self.ids, text),
        };
        self.items += 1;
        self.pending.add(self.ids, item);
    }

    /// Hands in what was read. Waits for the oldest where enough is under way.
    async fn submit(&mut self) {
        let Pending { commands, outline } = std::mem::take(&mut self.pending);
        if outline.is_empty() {
            return;
        }
        if commands.is_empty() {
            self.settle(0).await;
            return self.receipts.add_all(outline, Vec::new());
        }
        let first = self.items - outline.len();
        let places = self.once.iter().flat_map(|_| places_of(&outline, first)).collect();
        let submission = Submission { commands, idempotency: self.once.clone(), places };
        match self.app.coordinator.enqueue(&self.ids.key, submission).await {
            Ok(enqueued) => self.under_way.push_back((outline, enqueued)),
            Err(error) => {
                self.settle(0).await;
                return self.lose(outline, error);
            }
        }
        // What comes of the first tells whether anybody is there to go on reading for.
        self.settle(if self.receipts.any_judged() { UNDER_WAY } else { 0 }).await;
    }

    /// Takes the answers of what is under way, until at most `left` are.
    async fn settle(&mut self, left: usize) {
        while self.under_way.len() > left {
            let Some((outline, enqueued)) = self.under_way.pop_front() else { return };
            match enqueued.reply().await {
                Ok(reply) => {
                    self.stopped |= reply.stopped.is_some();
                    self.receipts.add_reply(outline, reply);
                    self.stopped |= self.receipts.found_nobody();
                }
                // What follows may be decided again: each answer stays with its item.
                Err(error) => self.lose(outline, error),
            }
        }
    }

    fn lose(&mut self, outline: Vec<Option<Refusal>>, error: SubmitError) {
        self.stopped = true;
        self.receipts.lose(outline, error);
    }

    fn stop(&mut self, why: impl Into<Problem>) {
        self.stopped = true;
        self.receipts.stop(why);
    }

    async fn finish(mut self) -> Result<Receipts, Problem> {
        self.settle(0).await;
        if self.items == 0 && !self.stopped {
            self.receipts.add_none(nothing_sent(self.app, self.ids).await?);
        }
        Ok(self.receipts)
    }
}
