//! Which of two branches goes on: how much was acknowledged in each.

use std::sync::Arc;

use crate::domain::entry::Entry;
use crate::domain::record::Record;
use crate::domain::session::{Command, SessionState, commands_again};

/// Whether a state has what was acknowledged in an entry, or something newer. Of notes it can't say: they count as known.
pub(super) fn knows(state: &SessionState, entry: &Entry) -> bool {
    if let Record::StepStarted { directive, .. } = &entry.record {
        return state.step(&directive.plan_step_id).is_some();
    }
    let Record::Subagent { output, sender: Some(_), revision, sender_revision, .. } = &entry.record else {
        return true;
    };
    let subagents = state.step(&output.step).map(|step| &step.subagents);
    let known = subagents.and_then(|all| all.iter().find(|known| known.output == *output)?.sender);
    known.is_some_and(|mark| mark.revision >= sender_revision.unwrap_or(*revision))
}

/// Whether no other step was expected at the place at which branches parted: of the state of the one that goes on, and what only that has.
pub(super) fn was_over(goes_on: &SessionState, entries: &[Arc<Entry>]) -> bool {
    let is_shown =
        |record: &Record| matches!(record, Record::StepStarted { directive, .. } if !directive.shadow);
    let tells = |record: &Record| is_shown(record) || matches!(record, Record::SessionClosed);
    goes_on.expects_no_step() && !entries.iter().any(|entry| tells(&entry.record))
}

/// How much was acknowledged in these entries. What may come too late on another branch counts first: a subagent's last word, then all that
/// subagents sent.
pub(super) fn acknowledged(entries: &[Arc<Entry>]) -> [usize; 3] {
    let commands = commands_again(entries);
    let is_last = |record: &Record| matches!(record, Record::Subagent { sender: Some(_), status, .. } if status.is_terminal());
    let last_words = entries.iter().filter(|entry| is_last(&entry.record)).count();
    let events = commands.iter().filter(|command| matches!(command, Command::Event { .. })).count();
    [last_words, events, commands.len()]
}

/// How much of a session a state knows: the outputs that somebody sent something of, and its steps.
pub(super) fn weight(state: &SessionState) -> (usize, usize) {
    let outputs = state.steps.iter().flat_map(|step| &step.subagents);
    (outputs.filter(|subagent| subagent.sender.is_some()).count(), state.steps.len())
}
