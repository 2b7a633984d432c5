//! What a batch of commands may hold, and what of it may be decided again.

use super::CoordinatorSettings;
use crate::domain::ids::ResultKey;
use crate::domain::record::Output;
use crate::domain::session::{Command, SessionState};

/// Entries that a batch keeps free for what its next command makes: a result that ends its step makes eight.
const ENTRIES_KEPT_FREE: usize = 7;

/// Whether a batch of that size can take what a command most likely makes of it.
pub(super) fn has_room(
    settings: &CoordinatorSettings,
    (entries, bytes): (usize, usize),
    command: &Command,
) -> bool {
    let (entries_max, bytes_max) = (settings.batch_entries, settings.batch_bytes);
    let payload = match command {
        Command::Event { event, .. } | Command::CallSaid { event, .. } => {
            event.payload.as_ref().map_or(0, |raw| raw.get().len())
        }
        Command::WritingSaid { deltas, .. } => deltas.iter().map(|delta| delta.text.len()).sum(),
        Command::Written { synthesised, .. } => {
            synthesised.written.as_ref().map_or(0, |written| written.0.get().len())
        }
        Command::StartStep(_)
        | Command::Progress { .. }
        | Command::Safety { .. }
        | Command::Cancel { .. }
        | Command::Close
        | Command::Deadlines
        | Command::TakeCall { .. }
        | Command::CallFailed { .. }
        | Command::CallLeftOpen { .. }
        | Command::TakeWriting { .. }
        | Command::TakeNotice { .. }
        | Command::NoticeTried { .. }
        | Command::RenewCalls { .. }
        | Command::ReleaseCalls { .. } => 0,
    };
    entries + ENTRIES_KEPT_FREE.min(entries_max / 8) < entries_max && bytes + payload < bytes_max
}

pub(super) fn is_over(settings: &CoordinatorSettings, (entries, bytes): (usize, usize)) -> bool {
    entries > settings.batch_entries || bytes > settings.batch_bytes
}

/// Whether a command that was stored changes nothing when it is decided again.
pub(super) fn is_repeatable(command: &Command) -> bool {
    match command {
        Command::Event { event, .. } => event.revision.is_some(),
        Command::StartStep(_) | Command::Cancel { .. } | Command::Close | Command::Deadlines => true,
        // A fence that was used up drops them; a partial that is told twice says the same.
        Command::TakeCall { .. }
        | Command::CallSaid { .. }
        | Command::CallFailed { .. }
        | Command::CallLeftOpen { .. }
        | Command::TakeWriting { .. }
        | Command::Written { .. }
        | Command::TakeNotice { .. }
        | Command::NoticeTried { .. }
        | Command::RenewCalls { .. }
        | Command::ReleaseCalls { .. } => true,
        // A piece of a draft that is told twice would be in it twice.
        Command::Progress { .. } | Command::Safety { .. } | Command::WritingSaid { .. } => false,
    }
}

pub(super) fn output_of(state: &SessionState, command: &Command) -> Option<Output> {
    if let Command::CallSaid { ticket, .. } = command {
        return Some(state.step(&ticket.step)?.output(&ticket.result_key)?.output.clone());
    }
    let Command::Event { step, key, event } = command else { return None };
    let named = |result_key: &ResultKey| event.result_key.as_ref().is_none_or(|wanted| wanted == result_key);
    let mut outputs = state.step(step)?.outputs_of(key).map(|subagent| &subagent.output);
    outputs.find(|output| named(&output.result_key)).cloned()
}
