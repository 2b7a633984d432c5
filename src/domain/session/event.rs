//! A subagent's event, sent or answered: the five verdicts, and what an accepted one leads to.

use std::sync::Arc;

use super::batch::Batch;
use super::state::{StepState, SubagentState};
use crate::domain::adapters::{Card, CardState, card_failure};
use crate::domain::event::{ArcJson, EventError, RawJson, SenderStatus, SenderTelemetry, SubagentEvent};
use crate::domain::ids::{StepId, SubagentKey};
use crate::domain::position::Sequence;
use crate::domain::protocols::{Failure, failed_answer};
use crate::domain::record::{Answer, Record, SubagentStatus};
use crate::domain::requests::WHOLE_MAX;
use crate::domain::telemetry_context::TelemetryContext;
use crate::domain::verdict::{Code, Decided, Refusal, Verdict};
use crate::domain::wire::{Content, WireTelemetry};

/// The reason with a success whose output says, by itself, that it failed.
pub(in crate::domain) const FAILED_OUTPUT: &str = "failed_output";

/// Where an event comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Its subagent sent it: its revisions count.
    Sender,
    /// It was read out of the answer to a call.
    Call,
}

impl Batch<'_> {
    pub(super) fn subagent_event(
        &mut self,
        step: &StepId,
        key: &SubagentKey,
        event: &SubagentEvent,
    ) -> Result<Answer, Refusal> {
        let step_state = self.known_step(step)?;
        let subagent = find_output(step_state, key, event)?;
        let over = subagent.status.is_terminal() || !step_state.is_running();
        if let Some(decided) = judge(subagent, event, over) {
            if mutant!("repeat-takes-a-sequence") {
                self.state.position.sequence = self.state.position.sequence.next();
            }
            return Ok(Answer::Event(decided));
        }
        let subagent = subagent.clone();
        let sequence = self.accept(&subagent, event, Origin::Sender)?;
        Ok(Answer::Event(Decided { verdict: Verdict::Accepted, sequence: Some(sequence) }))
    }

    /// Takes an event of an output that is open.
    ///
    /// # Errors
    /// Where it would take a confirmation card where that can't go, where the session has no room for it, and where it is to have the
    /// revision after the highest, which many readers can't tell from those that follow. What ends an
    /// output, or an attempt at it, has its place in any case: there are only so many of those, and a step that was refused
    /// them would wait for its deadline with nothing to wait for.
    pub(super) fn accept(
        &mut self,
        subagent: &SubagentState,
        event: &SubagentEvent,
        origin: Origin,
    ) -> Result<Sequence, Refusal> {
        let is_partial = event.status == SenderStatus::Partial;
        let shown = event.payload.as_ref().filter(|raw| !is_partial || !subagent.adapter.is_undecided(raw));
        let payload = shown.map(|raw| subagent.adapter.normalise(raw));
        let cuts = |(raw, shown): &(&RawJson, &RawJson)| subagent.adapter.cuts(raw, shown);
        let original =
            event.payload.as_ref().zip(payload.as_ref()).filter(cuts).map(|(raw, _)| ArcJson(raw.clone()));
        // What a model has written of a card so far is none yet.
        let whole = payload.as_ref().filter(|_| {
            let raw = event.payload.as_ref();
            !raw.is_some_and(|raw| subagent.adapter.misses(raw))
        });
        let card = next_card(subagent, whole, event.is_raw)?;
        let failed = failed_action(event, card, payload.as_ref());
        let status = next_status(subagent, event, payload.as_ref(), failed.as_ref());
        let next = subagent.revision + 1;
        if !status.is_terminal() && status != SubagentStatus::Retry {
            self.check_room()?;
            if next > WHOLE_MAX && event.revision.is_none() {
                let text = format!(
                    "no revision follows {WHOLE_MAX}, which this output has: only what ends it is taken"
                );
                return Err(Refusal::at(Code::InvalidEvent, "/revision", text));
            }
        }
        let attempt = subagent.attempt + u32::from(status == SubagentStatus::Retry);
        // Readers tell events of an output apart by a revision that only rises, whatever was made for it in between.
        let (revision, sender) = match origin {
            Origin::Sender => (event.revision.unwrap_or(next).max(next), Some(event.digest)),
            Origin::Call => (next, None),
        };
        let sender_revision = event.revision.filter(|own| sender.is_some() && *own != revision);
        self.emit_started(subagent, origin);
        let own = event.telemetry.as_deref();
        let changed = own.and_then(|own| moved_context(&subagent.context, own));
        // What one event says of itself isn't the next one's: that has its directive's, as before.
        let said = own.and_then(|own| moved_context(&subagent.asked_context, own));
        let context = said.unwrap_or_else(|| subagent.asked_context.clone());
        // A raw output is a success whatever it says (docs/subagents.md). Where that is a failure, its event says so besides.
        let told = failed_output(subagent, event).filter(|_| status == SubagentStatus::Success);
        let error = failed.as_ref().or(told.as_ref()).or(event.error.as_ref());
        let record = Record::Subagent {
            output: subagent.output.clone(),
            status,
            revision,
            attempt,
            sender,
            context: changed,
            latency_ms: own.and_then(|own| own.latency_ms),
            card,
            sender_revision,
            retry_at: None,
            failed: kept(status, error),
            original,
        };
        let content = Content::PlannerStream {
            stage: &subagent.output.stage,
            status,
            result_key: &subagent.output.result_key,
            revision,
            attempt,
            payload: payload.as_deref(),
            error,
            reason: told.is_some().then_some(FAILED_OUTPUT),
            since: None,
        };
        let sequence = self.emit(record, content, WireTelemetry::new(&context, own));
        if status.is_terminal() {
            self.emit_completed(&subagent.output, &context);
            self.heed_safety(subagent, status, payload.as_ref());
            self.finish_if_done(&subagent.output.step);
        }
        Ok(sequence)
    }

    /// `subagent_started`, before the first event or call.
    pub(super) fn emit_started(&mut self, subagent: &SubagentState, origin: Origin) {
        if subagent.started_at.is_some() {
            return;
        }
        let content = Content::SubagentStarted {
            stage: &subagent.output.stage,
            result_key: &subagent.output.result_key,
            attempt: subagent.attempt,
            mode: match origin {
                Origin::Sender => "push",
                Origin::Call => "invoke",
            },
        };
        let record = Record::SubagentStarted { output: subagent.output.clone() };
        self.emit(record, content, WireTelemetry::new(&subagent.asked_context, None));
    }
}

/// The output that an event is about.
fn find_output<'s>(
    step: &'s Arc<StepState>,
    key: &SubagentKey,
    event: &SubagentEvent,
) -> Result<&'s Arc<SubagentState>, Refusal> {
    let of_key = |subagent: &&Arc<SubagentState>| subagent.output.stage == *key;
    if let Some(result_key) = &event.result_key {
        let found = step.subagents.iter().filter(of_key).find(|s| s.output.result_key == *result_key);
        return found.ok_or_else(|| {
            let text = format!("the step doesn't expect `{result_key}` of the subagent `{key}`");
            Refusal::at(Code::UnknownSubagent, "/result_key", text)
        });
    }
    let mut outputs = step.subagents.iter().filter(of_key);
    match (outputs.next(), outputs.next()) {
        (Some(only), None) => Ok(only),
        (None, _) => {
            Err(Refusal::new(Code::UnknownSubagent, format!("the step doesn't expect the subagent `{key}`")))
        }
        (Some(_), Some(_)) => {
            let text = format!("the step expects several outputs of `{key}`: say which by `result_key`");
            Err(Refusal::at(Code::InvalidEvent, "/result_key", text))
        }
    }
}

/// The verdict, unless it is `accepted`. The sender's own revisions are compared, in the order of `DESIGN.md` §4.
fn judge(subagent: &SubagentState, event: &SubagentEvent, over: bool) -> Option<Decided> {
    if let (Some(known), Some(revision)) = (subagent.sender, event.revision) {
        let sequence = Some(known.sequence);
        if revision == known.revision && (event.digest == known.digest || mutant!("digest-not-compared")) {
            return Some(Decided { verdict: Verdict::Duplicate, sequence });
        }
        if revision == known.revision {
            return Some(Decided { verdict: Verdict::Conflict, sequence });
        }
        if revision < known.revision && !mutant!("stale-is-news") {
            return Some(Decided { verdict: Verdict::Stale, sequence: None });
        }
    }
    (over && !mutant!("late-result-wins")).then_some(Decided { verdict: Verdict::Late, sequence: None })
}

/// A retryable error is a retry while attempts are left, and an interim transcript isn't the whole one.
fn next_status(
    subagent: &SubagentState,
    event: &SubagentEvent,
    payload: Option<&RawJson>,
    failed: Option<&EventError>,
) -> SubagentStatus {
    let is_error = failed.is_some() || event.status == SenderStatus::Error;
    let retryable = failed.or(event.error.as_ref()).is_some_and(EventError::is_retryable);
    let attempts_left = subagent.attempt < subagent.expected.max_attempts || mutant!("one-more-attempt");
    if is_error && retryable && attempts_left {
        return SubagentStatus::Retry;
    }
    if failed.is_some() {
        return SubagentStatus::Error;
    }
    if event.is_raw && payload.is_some_and(|payload| subagent.adapter.is_interim(payload)) {
        return SubagentStatus::Partial;
    }
    event.status.into()
}

/// What is kept of an error with which an attempt failed that another one follows.
pub(super) fn kept(status: SubagentStatus, error: Option<&EventError>) -> Option<Arc<EventError>> {
    error.filter(|_| status == SubagentStatus::Retry).map(|error| error.in_short().into())
}

/// The failure of an action that an agent's own output says in its card: its success was implied. Who says himself that he
/// ended well did so: that the action failed is what his card brings.
fn failed_action(event: &SubagentEvent, card: Option<Card>, payload: Option<&RawJson>) -> Option<EventError> {
    if !event.is_raw || event.status != SenderStatus::Success || card?.state != CardState::Failed {
        return None;
    }
    let message = payload.and_then(card_failure).unwrap_or_else(|| "the action failed".to_owned());
    Some(EventError { code: Some("action_failed".to_owned()), message: Some(message), retryable: None })
}

/// What an agent's own output says of its failure: its success was implied, not said.
fn failed_output(subagent: &SubagentState, event: &SubagentEvent) -> Option<EventError> {
    let raw = event.payload.as_ref().filter(|_| event.is_raw)?;
    if event.error.is_some() {
        // Decided again: it was told before.
        return event.error.clone();
    }
    let failure = failed_answer(subagent.adapter, raw)?;
    let retryable = failure.told_retryable();
    let Failure { code, message, .. } = failure;
    Some(EventError { code: Some(code.into_owned()), message: Some(message), retryable })
}

/// Where an event takes the confirmation card of its output. A raw one is its payload.
fn next_card(
    subagent: &SubagentState,
    payload: Option<&RawJson>,
    is_raw: bool,
) -> Result<Option<Card>, Refusal> {
    let Some(payload) = payload else { return Ok(None) };
    let place = if is_raw { "/state" } else { "/payload/state" };
    let impossible = |text: String| Refusal::at(Code::InvalidEvent, place, text);
    if let Some(word) = subagent.adapter.unknown_state(payload) {
        let states = CardState::ALL.map(|state| format!("`{}`", state.as_str())).join(", ");
        return Err(impossible(format!("`{word}` is no state of a card: those are {states}")));
    }
    let Some(next) = subagent.adapter.card(payload) else { return Ok(None) };
    match subagent.card {
        None if !next.may_begin() => Err(impossible(format!(
            "a card can't begin as `{}`: it is `proposed` first, unless it says `requires_confirmation: false`",
            next.state.as_str()
        ))),
        Some(card) if !card.may_become(next) => {
            let (from, to) = (card.state.as_str(), next.state.as_str());
            Err(impossible(format!("a card that is `{from}` can't become `{to}`")))
        }
        Some(card) if card.is_swapped(next) => {
            let (from, to) = (card.state.as_str(), next.state.as_str());
            let text =
                format!("the action that is `{to}` isn't the one that was `{from}`: that is proposed first");
            Err(Refusal::at(Code::InvalidEvent, place.replace("state", "action"), text))
        }
        before => Ok(Some(next.after(before))),
    }
}

/// The subagent's context where its sender names another than the known one.
fn moved_context(known: &Arc<TelemetryContext>, own: &SenderTelemetry) -> Option<Arc<TelemetryContext>> {
    let moved = known.moved(own);
    (moved != **known).then(|| Arc::new(moved))
}
