//! What is told of an append: where it came from before it is stored, what is over with it afterwards.

use std::sync::Arc;

use tokio::time::Instant;

use super::Submission;
use super::bounds::output_of;
use super::task::SessionTask;
use crate::domain::entry::Entry;
use crate::domain::record::{Answer, answer_at};
use crate::domain::session::SessionState;
use crate::domain::span::{Span, SpanPlace};
use crate::domain::story::{self, Made, Told};
use crate::domain::telemetry_names::{attribute, span};
use crate::domain::verdict::{Refusal, Verdict};
use crate::engine::ports::result_cache::Append;
use crate::engine::telemetry::Origin;

impl SessionTask {
    /// Where an append of these entries comes from.
    pub(super) fn origin(&self, entries: &[Arc<Entry>], after: &SessionState) -> Origin {
        let first = self.waiting.iter().filter_map(|waiting| waiting.request.came_at).min();
        let origin = first.map_or_else(Origin::unknown, Origin::at);
        match self.batch_span(span::EMIT, entries, after) {
            Some(span) => {
                let came_us = self.shared.clock.micros_at(origin.came_at);
                origin.with_emit(span, came_us)
            }
            None => origin,
        }
    }

    /// Tells of an append that was stored.
    pub(super) fn tell(&self, before: &SessionState, append: &Append, made: &[Made]) {
        let telemetry = &self.shared.telemetry;
        let after = &*append.state;
        let told = Told {
            key: &self.key,
            before,
            entries: &append.entries,
            after,
            made,
            content: telemetry.content,
        };
        telemetry.tell(&told);
        if let Some(spans) = telemetry.spans()
            && append.origin.was_sent
            && let Some(mut span) = self.batch_span(span::WAIT, &append.entries, after)
        {
            span.start_us = self.shared.clock.micros_at(append.origin.came_at);
            span.end_us = self.shared.clock.micros_at(Instant::now());
            spans.end(span);
        }
    }

    /// A span of entries that are stored together, below their step and linked to the outputs that they tell of; without
    /// its times. `None` where nobody wants it or sees them, or there is no room for it.
    fn batch_span(&self, name: &'static str, entries: &[Arc<Entry>], after: &SessionState) -> Option<Span> {
        let spans = self.shared.telemetry.spans()?;
        let (first, last) = (entries.first()?, entries.last()?);
        let shown = entries.iter().find(|entry| !entry.unseen && entry.wire().is_some())?;
        let step =
            after.step(shown.record.step()?).filter(|step| self.shared.telemetry.samples(&step.context))?;
        // There is one for each append: it isn't made to be thrown away.
        if !spans.has_room() {
            return None;
        }
        let mut span = story::span_of_step_part(&self.key, step, name, first.sequence.0)?;
        let outputs = entries.iter().filter_map(|entry| entry.record.output());
        for output in outputs.filter(|output| output.step == *step.id()) {
            let link = story::span_of_output(step, output.result_key.as_str());
            if span.links.iter().all(|known| known.span != link) {
                span.links.push(SpanPlace { trace: span.place.trace, span: link });
            }
        }
        span.attributes.extend([
            (attribute::ENTRIES, entries.len().into()),
            (attribute::SEQUENCE_FROM, first.sequence.0.into()),
            (attribute::SEQUENCE_TO, last.sequence.0.into()),
        ]);
        Some(span)
    }

    /// Counts what became of events that were not stored; those that were are counted with their entries.
    pub(super) fn count_verdicts<'a>(&self, answers: impl IntoIterator<Item = &'a Result<Answer, Refusal>>) {
        let publishes = &self.shared.telemetry.meters.publishes;
        for answer in answers {
            if let Ok(Answer::Event(decided)) = answer
                && decided.verdict != Verdict::Accepted
            {
                publishes.add(decided.verdict.as_str(), 1);
            }
        }
    }

    /// Late results are counted beside the log. `answers` are those from the command at `from` on. What stood `before` in the log as
    /// an answer under the same key was counted with it, here or at another replica.
    pub(super) async fn note_late(
        &mut self,
        submission: &Submission,
        from: usize,
        answers: &[Result<Answer, Refusal>],
        before: &SessionState,
    ) {
        let Submission { commands, idempotency, .. } = submission;
        let told = idempotency.as_ref().and_then(|once| before.answered(&once.key));
        for ((command, answer), nth) in commands[from..].iter().zip(answers).zip(from..) {
            if !matches!(answer, Ok(Answer::Event(decided)) if decided.verdict == Verdict::Late) {
                continue;
            }
            let index = submission.place(nth);
            let Some(output) = output_of(&self.state, command) else { continue };
            let is_told = told.is_some_and(|told| answer_at(&told.answers, index).is_some());
            if is_told || idempotency.as_ref().is_some_and(|key| self.counted_late.knows(key, index)) {
                continue;
            }
            match (self.shared.cache.note_late(&self.key, output).await, idempotency) {
                (Ok(()), Some(key)) => self.counted_late.note(key, index),
                (Ok(()), None) => {}
                (Err(error), _) => tracing::warn!(%error, "a late result was not counted"),
            }
        }
    }
}
