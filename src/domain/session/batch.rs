//! Deciding many commands for one append.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::command::{Command, IdempotencyKey};
use super::state::{SessionState, StepState};
use crate::domain::entry::Entry;
use crate::domain::ids::StepId;
use crate::domain::limits::SessionLimits;
use crate::domain::position::{AppendId, Position, Sequence};
use crate::domain::record::{Answer, ItemAnswer, Record, answer_at, encode_record};
use crate::domain::time::Timestamp;
use crate::domain::verdict::{Code, Refusal};
use crate::domain::wire::{self, Content, WireEvent, WireTelemetry};

/// Room for an ordinary event; larger ones make it grow once for the batch.
const SCRATCH_BYTES: usize = 1_024;

/// Commands decided one after the other, and the entries they make.
///
/// A command that is refused leaves no trace: all its checks come before its first entry.
pub struct Batch<'l> {
    pub(super) state: SessionState,
    pub(super) limits: &'l SessionLimits,
    pub(super) now: Timestamp,
    now_text: [u8; 24],
    append_id: AppendId,
    entries: Vec<Arc<Entry>>,
    bytes: usize,
    scratch: Vec<u8>,
    open: Option<(IdempotencyKey, Vec<ItemAnswer>)>,
    only_ends: bool,
    /// From so many entries on a command that ends many steps leaves the rest of them for the next batch.
    pub(super) entries_most: usize,
    pub(super) is_unfinished: bool,
    /// Steps that were completed in this batch and wait for their results.
    pub(super) completed: Vec<StepId>,
    /// Steps that don't wait for a language model, and why.
    pub(super) hurried: BTreeMap<StepId, String>,
}

impl<'l> Batch<'l> {
    /// A batch on top of `state`. Time never runs backwards in a log: `now` is at least the last entry's.
    pub fn new(state: &SessionState, limits: &'l SessionLimits, now: Timestamp, append_id: AppendId) -> Self {
        let now = now.max(state.last_at);
        Self {
            state: state.clone(),
            limits,
            now,
            now_text: now.to_text(),
            append_id,
            entries: Vec::new(),
            bytes: 0,
            scratch: Vec::with_capacity(SCRATCH_BYTES),
            open: None,
            only_ends: true,
            entries_most: usize::MAX,
            is_unfinished: false,
            completed: Vec::new(),
            hurried: BTreeMap::new(),
        }
    }

    /// Has what ends many steps at once end only so many of them that this batch holds about that number of entries. Whoever decides looks
    /// whether it [is unfinished](Self::is_unfinished).
    pub fn in_pieces_of(self, entries: usize) -> Self {
        Self { entries_most: entries, ..self }
    }

    /// Whether the last command left something of what it ends: it is to be decided once more, in the next batch.
    pub fn is_unfinished(&self) -> bool {
        self.is_unfinished
    }

    /// Decides one command.
    ///
    /// # Errors
    /// The refusal; nothing was decided.
    pub fn decide(&mut self, command: &Command) -> Result<Answer, Refusal> {
        // What the request before was answered is written down before anything else is: its cursor is the place there.
        self.flush_answers();
        self.decide_next(command)
    }

    fn decide_next(&mut self, command: &Command) -> Result<Answer, Refusal> {
        self.only_ends &= command.may_end();
        match command {
            Command::StartStep(new) => self.start_step(new),
            Command::Event { step, key, event } => self.subagent_event(step, key, event),
            Command::Progress { step, progress } => self.progress(step, progress),
            Command::Safety { step, outcome } => self.safety(step.as_ref(), outcome),
            Command::Cancel { step, reason } => self.cancel(step.as_ref(), reason.as_deref()),
            Command::Close => self.close(),
            Command::Deadlines => Ok(self.deadlines()),
            Command::TakeCall { step, result_key, replica, lease_ms, gate } => {
                Ok(self.take_call(step, result_key, (*replica, *lease_ms), gate))
            }
            Command::CallSaid { ticket, event } => self.call_said(ticket, event),
            Command::CallFailed { ticket, failure } => Ok(self.call_failed(ticket, failure)),
            Command::CallLeftOpen { ticket } => Ok(self.call_left_open(ticket)),
            Command::TakeWriting { step, replica, lease_ms } => {
                Ok(self.take_writing(step, *replica, *lease_ms))
            }
            Command::WritingSaid { ticket, deltas } => self.writing_said(ticket, deltas),
            Command::Written { ticket, synthesised } => Ok(self.written(ticket, synthesised)),
            Command::TakeNotice { decision, replica, lease_ms } => {
                Ok(self.take_notice(*decision, *replica, *lease_ms))
            }
            Command::NoticeTried { ticket, retry_at } => Ok(self.notice_tried(ticket, *retry_at)),
            Command::RenewCalls { replica, lease_ms } => Ok(self.renew_calls(*replica, *lease_ms)),
            Command::ReleaseCalls { replica } => Ok(self.release_calls(*replica)),
        }
    }

    /// Decides item `index` of a request with an `Idempotency-Key`: as it was answered before, or now.
    ///
    /// # Errors
    /// The refusal; `idempotency_conflict` where the key was given for another request.
    pub fn decide_once(
        &mut self,
        key: &IdempotencyKey,
        index: u32,
        command: &Command,
    ) -> Result<Answer, Refusal> {
        if self.open.as_ref().is_some_and(|(open, _)| open != key) {
            self.flush_answers();
        }
        if let Some(known) = self.state.answered(&key.key)
            && known.fingerprint != key.fingerprint
            && !known.answers.iter().any(|answer| answer.said.is_some() && answer.said == command.said())
        {
            let text = "this Idempotency-Key was given for another request of the session";
            return Err(Refusal::new(Code::IdempotencyConflict, text));
        }
        let item = command.digest();
        if let Some(known) = self.known_answer(key, index).filter(|_| !mutant!("idempotency-key-forgotten")) {
            if known.item != item {
                let text = format!("this Idempotency-Key was given for another event at place {index}");
                return Err(Refusal::new(Code::IdempotencyConflict, text));
            }
            return Ok(known.answer);
        }
        let before = self.entries.len();
        let answer = self.decide_next(command)?;
        if self.is_unfinished {
            return Ok(answer);
        }
        // Where there was nothing to end, a repeat must not end what came since. Every other answer is noted as well: a key that
        // had one is no other request's, and its repeat gets that one with its cursor. It isn't noted where there is no room: nobody
        // may fill a log with what changes nothing.
        if self.entries.len() > before || answer == Answer::Done(None) || self.check_room().is_ok() {
            let standing = self.standing_after(command);
            let open = self.open.get_or_insert_with(|| (key.clone(), Vec::new()));
            let at = open.1.partition_point(|known| known.index < index);
            open.1.insert(at, ItemAnswer { index, item, answer, standing, said: command.said() });
        }
        Ok(answer)
    }

    /// What that item was answered, in this batch or before.
    fn known_answer(&self, key: &IdempotencyKey, index: u32) -> Option<&ItemAnswer> {
        let pending = self.open.as_ref().and_then(|(_, answers)| answer_at(answers, index));
        pending.or_else(|| answer_at(&self.state.answered(&key.key)?.answers, index))
    }

    /// Writes down what requests with an `Idempotency-Key` were answered in this batch.
    pub fn flush_answers(&mut self) {
        if let Some((IdempotencyKey { key, fingerprint }, answers)) = self.open.take() {
            self.emit_hidden(Record::Answered { key, fingerprint, answers });
        }
    }

    /// Whether nothing was decided so far but to end something: that passes the bounds of a session, and of a store.
    pub fn only_ends(&self) -> bool {
        self.only_ends
    }

    /// As of when it is decided.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// The entries that were decided so far.
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// The state after what was decided so far.
    pub fn state(&self) -> &SessionState {
        &self.state
    }

    /// Entries and their bytes so far; answers that aren't written down yet count with what they will about take.
    pub fn size(&self) -> (usize, usize) {
        let pending = |(key, answers): &(IdempotencyKey, Vec<ItemAnswer>)| {
            (1, 512 + key.key.len() + 96 * answers.len())
        };
        let (entries, bytes) = self.open.as_ref().map_or((0, 0), pending);
        (self.entries.len() + entries, self.bytes + bytes)
    }

    /// What a request was answered before, or the place after what was decided so far.
    pub fn cursor_of(&self, key: Option<&IdempotencyKey>) -> Position {
        let pending = |key: &&IdempotencyKey| self.open.as_ref().is_some_and(|(open, _)| open == *key);
        let known = key.filter(|key| !pending(key)).and_then(|key| self.state.answered(&key.key));
        known.map_or(self.state.position, |known| known.cursor)
    }

    /// The entries to append, and the state that they lead to.
    pub fn into_parts(mut self) -> (Vec<Arc<Entry>>, SessionState) {
        self.flush_answers();
        (self.entries, self.state)
    }

    /// Makes an entry that readers see.
    pub(super) fn emit(
        &mut self,
        record: Record,
        content: Content<'_>,
        telemetry: WireTelemetry<'_>,
    ) -> Sequence {
        let sequence = self.state.position.sequence.next();
        let event_type = record.event_type().expect("only records with an event are shown");
        let unseen = self.is_in_shadow(&record);
        self.scratch.clear();
        encode_record(self.now, unseen, &record, &mut self.scratch);
        let wire_at = self.scratch.len();
        let event = WireEvent {
            r#type: event_type,
            session_id: &self.state.session,
            plan_step_id: record.step(),
            sequence,
            timestamp: std::str::from_utf8(&self.now_text).expect("digits are ASCII"),
            content,
            telemetry,
        };
        wire::encode(&event, &mut self.scratch);
        let (previous, bytes) = (self.state.position, (&*self.scratch, wire_at));
        let entry = Entry::of_bytes(previous, self.append_id, self.now, (record, unseen), bytes);
        self.push(Arc::new(entry))
    }

    /// Whether nobody may see the event: its step runs beside the one that users see.
    fn is_in_shadow(&self, record: &Record) -> bool {
        if let Record::StepStarted { directive, .. } = record {
            return directive.shadow;
        }
        let step = record.step().and_then(|id| self.state.step(id));
        step.is_some_and(|step| step.directive.shadow)
    }

    /// Makes an entry that only the fold sees.
    pub(super) fn emit_hidden(&mut self, record: Record) -> Sequence {
        let entry = Entry::seal(self.state.position, self.append_id, self.now, record, &[]);
        self.push(Arc::new(entry))
    }

    fn push(&mut self, entry: Arc<Entry>) -> Sequence {
        self.state.apply(&entry);
        self.bytes += entry.weight();
        self.entries.push(entry);
        self.state.position.sequence
    }

    /// A step that must be there.
    pub(super) fn known_step(&self, id: &StepId) -> Result<&Arc<StepState>, Refusal> {
        let found = self.state.steps.iter().rev().find(|step| step.id() == id);
        found.ok_or_else(|| {
            Refusal::new(Code::UnknownStep, format!("no directive was posted for the step `{id}`"))
        })
    }

    /// A step that must be running.
    pub(super) fn running_step(&self, id: &StepId) -> Result<&Arc<StepState>, Refusal> {
        let step = self.known_step(id)?;
        if step.is_running() {
            return Ok(step);
        }
        Err(Refusal::new(Code::StepEnded, format!("the step `{id}` is over")))
    }

    /// Refuses what would take the session over its bounds. What ends something, or an attempt, isn't asked.
    pub(super) fn check_room(&mut self) -> Result<(), Refusal> {
        self.only_ends = false;
        let (events, bytes) = (self.limits.events_per_session, self.limits.bytes_per_session);
        if self.state.position.sequence.0 >= events {
            return Err(Refusal::new(Code::LimitReached, format!("the session has its {events} events")));
        }
        if self.state.bytes >= bytes {
            return Err(Refusal::new(Code::LimitReached, format!("the session has its {bytes} bytes")));
        }
        Ok(())
    }
}
