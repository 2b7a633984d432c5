//! The span of an attempt that failed and is followed by another.

use super::{Told, micros, said, span_of_output_part};
use crate::domain::entry::Entry;
use crate::domain::record::{Output, Record, SubagentStatus};
use crate::domain::session::StepState;
use crate::domain::span::{Span, SpanStatus};
use crate::domain::telemetry_names::{attribute, span};
use crate::domain::time::Timestamp;

impl Told<'_> {
    pub(super) fn retry(&self, step: &StepState, entry: &Entry) -> Option<Span> {
        let Record::Subagent { output, revision, attempt, retry_at, .. } = &entry.record else { return None };
        let (result_key, part) = (output.result_key.as_str(), revision.to_string());
        let mut told = span_of_output_part(self.key, step, result_key, span::RETRY, &part)?;
        let begun = self.attempt_begun(step, output, entry);
        (told.start_us, told.end_us) = (micros(begun), micros(entry.at));
        let delay_ms = retry_at.map_or(0, |at| at.since_ms(entry.at));
        let code = said::said(entry).failure().unwrap_or_else(|| "error".to_owned());
        told.attributes.extend([
            (attribute::STAGE, output.stage.to_string().into()),
            (attribute::RESULT_KEY, output.result_key.to_string().into()),
            (attribute::ATTEMPT, attempt.saturating_sub(1).into()),
            (attribute::RETRY_DELAY_MS, delay_ms.into()),
            (attribute::ERROR_TYPE, code.clone().into()),
            (attribute::LANGFUSE_LEVEL, "WARNING".into()),
        ]);
        told.status = SpanStatus::Error(code);
        Some(told)
    }

    /// When the attempt that failed with `entry` began: with the one before, in this append or earlier, or with its step.
    fn attempt_begun(&self, step: &StepState, output: &Output, entry: &Entry) -> Timestamp {
        let earlier = self.entries.iter().rev().filter(|known| known.sequence < entry.sequence);
        let mut retries = earlier.filter_map(|known| retried_at(known, output));
        let before = || self.before.step(step.id())?.output(&output.result_key)?.attempt_at;
        retries.next().or_else(before).unwrap_or(step.started_at)
    }
}

/// When the attempt begins that an entry announces, where it announces one of that output.
fn retried_at(entry: &Entry, output: &Output) -> Option<Timestamp> {
    let Record::Subagent { output: of, status: SubagentStatus::Retry, retry_at, .. } = &entry.record else {
        return None;
    };
    (of == output).then(|| retry_at.unwrap_or(entry.at))
}
