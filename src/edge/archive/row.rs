//! Entries as rows, and back.

use std::sync::Arc;

use serde::Deserialize;

use super::database::{Row, Value};
use crate::domain::entry::Entry;
use crate::domain::position::{AppendId, Chain, Epoch, Position, Sequence};
use crate::domain::record::Record;
use crate::engine::ports::archive::ArchiveError;

/// The columns that an entry is written to, `live` left out.
pub(super) const COLUMNS: &[&str] = &[
    "tenant",
    "session",
    "sequence",
    "chain",
    "previous_chain",
    "epoch",
    "append_id",
    "at",
    "effect",
    "record",
    "wire",
    "plan_step_id",
    "subagent",
    "result_key",
    "status",
    "retry_count",
    "latency_ms",
];

/// The columns that an entry is read from.
pub(super) const READ_COLUMNS: &str = "sequence, chain, previous_chain, append_id, record, wire";
/// Those of them that may be large.
pub(super) const TEXTS: [usize; 2] = [4, 5];

/// What an entry does to its session; the numbers are those of the column `effect`, which `docs/archive.md` lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Nothing = 0,
    StepStarts = 1,
    StepStartsMoreFollow = 2,
    StepEnds = 3,
    SessionCloses = 4,
    /// One that nobody sees: it says nothing of steps that follow.
    StepStartsUnseen = 5,
    /// A safety decision is to be posted: work like a step, for who looks after what isn't over.
    PostBegins = 6,
}

impl Effect {
    const ALL: [Self; 7] = [
        Self::Nothing,
        Self::StepStarts,
        Self::StepStartsMoreFollow,
        Self::StepEnds,
        Self::SessionCloses,
        Self::StepStartsUnseen,
        Self::PostBegins,
    ];

    /// The effect with that number; `None` for one of a later version.
    pub(super) fn numbered(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|effect| *effect as i64 == number)
    }

    pub(super) fn of(record: &Record) -> Self {
        match record {
            Record::StepStarted { directive, .. } if directive.shadow => Self::StepStartsUnseen,
            Record::StepStarted { directive, .. } if directive.more_steps => Self::StepStartsMoreFollow,
            Record::StepStarted { .. } => Self::StepStarts,
            Record::Policy { notify: true, .. } => Self::PostBegins,
            Record::StepEnded { .. } | Record::NoticeTried { retry_at: None, .. } => Self::StepEnds,
            Record::SessionClosed => Self::SessionCloses,
            Record::SubagentStarted { .. }
            | Record::Subagent { .. }
            | Record::SubagentCompleted { .. }
            | Record::Progress { .. }
            | Record::Policy { notify: false, .. }
            | Record::StepCompleted { .. }
            | Record::Aggregated { .. }
            | Record::WritingTaken { .. }
            | Record::SynthesisDelta { .. }
            | Record::Synthesised { .. }
            | Record::CallTaken { .. }
            | Record::CallsRenewed { .. }
            | Record::CallsReleased { .. }
            | Record::CallLeftOpen { .. }
            | Record::NoticeTaken { .. }
            | Record::NoticeTried { retry_at: Some(_), .. }
            | Record::Answered { .. } => Self::Nothing,
        }
    }
}

/// Numbers without a sign as those databases have them: the same 64 bits.
pub(super) fn signed(bits: u64) -> i64 {
    bits.cast_signed()
}

/// Adds the values of one row. `next` is the entry after it, where it is at hand: the latency of an output that ended
/// stands there.
pub(super) fn push_values<'a>(
    values: &mut Vec<Value<'a>>,
    (tenant, session): (&'a str, &'a str),
    epoch: &'a str,
    entry: &'a Entry,
    next: Option<&Entry>,
) -> Result<(), ArchiveError> {
    let text = |bytes: &'a [u8]| {
        std::str::from_utf8(bytes).map_err(|error| ArchiveError::Corrupt(format!("an entry's text: {error}")))
    };
    values.extend([
        Value::Text(tenant),
        Value::Text(session),
        Value::Int(signed(entry.sequence.0)),
        Value::Int(signed(entry.chain.0)),
        Value::Int(signed(entry.previous_chain.0)),
        Value::Text(epoch),
        Value::Int(signed(entry.append_id.0)),
        Value::Int(entry.at.0),
        Value::Int(Effect::of(&entry.record) as i64),
        Value::Text(text(entry.record_bytes())?),
        Value::MaybeText(entry.wire().map(text).transpose()?),
    ]);
    values.extend(breadcrumb(entry, next));
    Ok(())
}

fn breadcrumb<'a>(entry: &'a Entry, next: Option<&Entry>) -> [Value<'a>; 6] {
    let Record::Subagent { output, status, attempt, latency_ms, .. } = &entry.record else {
        let (text, int) = (Value::MaybeText(None), Value::MaybeInt(None));
        return [text, text, text, text, int, int];
    };
    let latency = latency_ms.or_else(|| status.is_terminal().then(|| latency_of(next?)).flatten());
    [
        Value::MaybeText(Some(output.step.as_str())),
        Value::MaybeText(Some(output.stage.as_str())),
        Value::MaybeText(Some(output.result_key.as_str())),
        Value::MaybeText(Some(status.as_str())),
        Value::MaybeInt(Some(i64::from(attempt.saturating_sub(1)))),
        Value::MaybeInt(latency.and_then(|ms| i64::try_from(ms).ok())),
    ]
}

#[derive(Deserialize)]
struct CompletedEvent {
    content: CompletedContent,
}

#[derive(Deserialize)]
struct CompletedContent {
    latency_ms: u64,
}

/// What the `subagent_completed` that follows a terminal says: the fold knows when the step began, a record doesn't.
fn latency_of(next: &Entry) -> Option<u64> {
    let is_summary = matches!(next.record, Record::SubagentCompleted { .. });
    let event: CompletedEvent = serde_json::from_slice(next.wire().filter(|_| is_summary)?).ok()?;
    Some(event.content.latency_ms)
}

/// Entries out of rows of [`READ_COLUMNS`], in order, up to the first that doesn't continue the one before.
pub(super) fn entries_of(rows: &[Row], epoch: Epoch) -> Result<Vec<Arc<Entry>>, ArchiveError> {
    let mut entries: Vec<Arc<Entry>> = Vec::with_capacity(rows.len());
    for row in rows {
        let sequence = Sequence(row.int(0)?.cast_unsigned());
        let chain = Chain(row.int(1)?.cast_unsigned());
        let previous_chain = Chain(row.int(2)?.cast_unsigned());
        let continues = |last: &Arc<Entry>| last.sequence.next() == sequence && last.chain == previous_chain;
        if !entries.last().is_none_or(continues) {
            break;
        }
        let previous = Position { epoch, sequence: sequence.previous(), chain: previous_chain };
        let append_id = AppendId(row.int(3)?.cast_unsigned());
        let wire = row.maybe_text(5)?.unwrap_or_default();
        let entry = Entry::restore(previous, append_id, chain, row.text(4)?.as_bytes(), wire.as_bytes());
        entries.push(Arc::new(entry.map_err(|error| ArchiveError::Corrupt(error.to_string()))?));
    }
    Ok(entries)
}
