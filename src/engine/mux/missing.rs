//! What a snapshot should have and hasn't.
//!
//! A store that lost everything gets back what replicas hold of a log, and that has a bound: the last event of an output that was
//! quiet for long isn't in it. The state that goes back with it knows of that event, so its absence is seen here, and an archive
//! can be asked for it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::snapshot::{Latest, snapshot_slot};
use crate::domain::entry::Entry;
use crate::domain::ids::{ResultKey, StepId};
use crate::domain::position::Sequence;
use crate::domain::record::Record;
use crate::domain::session::{SessionState, StepState, SubagentState};

/// What entries have of an output.
#[derive(Default)]
struct Heard {
    last: Sequence,
    ended: bool,
}

/// The place before the first step of which `entries`, a snapshot's, lack something that the state knows of; `None` where they
/// have everything.
pub fn misses_after(state: &SessionState, entries: &[Arc<Entry>]) -> Option<Sequence> {
    let places: BTreeSet<Sequence> = entries.iter().map(|entry| entry.sequence).collect();
    let mut heard: BTreeMap<(&StepId, &ResultKey), Heard> = BTreeMap::new();
    for entry in entries {
        if let Record::Subagent { output, status, .. } = &entry.record {
            let heard = heard.entry((&output.step, &output.result_key)).or_default();
            heard.last = heard.last.max(entry.sequence);
            heard.ended |= status.is_terminal();
        }
    }
    let has_all_of = |subagent: &SubagentState| {
        let heard = heard.get(&(&subagent.output.step, &subagent.output.result_key));
        let (last, ended) = heard.map_or((Sequence(0), false), |heard| (heard.last, heard.ended));
        let said = subagent.sender.map_or(Sequence(0), |mark| mark.sequence);
        last >= said && (ended || !subagent.status.is_terminal())
    };
    let is_whole = |step: &StepState| {
        let own = [Some(step.started.sequence), step.aggregated, step.ended.map(|end| end.position.sequence)];
        own.into_iter().flatten().all(|at| places.contains(&at))
            && step.subagents.iter().all(|subagent| has_all_of(subagent))
    };
    state.steps.iter().find(|step| !is_whole(step)).map(|step| step.before())
}

/// Adds to the entries of a snapshot what is in `latest`, in the places that are empty or have something older.
pub fn add_missing(entries: &mut Vec<Arc<Entry>>, latest: &[Arc<Entry>]) {
    let slot = |entry: &Arc<Entry>| snapshot_slot(entry).map(|slot| (slot, entry.sequence));
    let known: BTreeMap<String, Sequence> = entries.iter().filter_map(slot).collect();
    let is_new = |entry: &&Arc<Entry>| {
        let here = slot(entry).map(|(slot, sequence)| (known.get(&slot), sequence));
        here.is_some_and(|(known, sequence)| known.is_none_or(|known| *known < sequence))
    };
    let added: Vec<Arc<Entry>> = latest.iter().filter(is_new).cloned().collect();
    let taken: BTreeSet<String> = added.iter().filter_map(|entry| snapshot_slot(entry)).collect();
    entries.retain(|entry| snapshot_slot(entry).is_none_or(|slot| !taken.contains(&slot)));
    entries.extend(added);
    entries.sort_by_key(|entry| entry.sequence);
}

impl Latest {
    /// Takes note of an entry, where the state doesn't say that its own log has another one there: an archive may not have
    /// followed it to another branch yet, nor does who held another branch before let go of that.
    pub fn note_if_of(&mut self, state: &SessionState, entry: &Arc<Entry>) {
        if is_of(state, entry) {
            self.note(entry);
        }
    }
}

fn is_of(state: &SessionState, entry: &Entry) -> bool {
    if entry.sequence > state.position.sequence {
        return false;
    }
    let Some(id) = entry.record.step() else { return true };
    let Some(step) = state.step(id) else { return false };
    match &entry.record {
        Record::StepStarted { .. } => step.started.chain == entry.chain,
        Record::Aggregated { .. } => step.aggregated == Some(entry.sequence),
        Record::StepEnded { .. } => step.ended.is_some_and(|end| end.position.chain == entry.chain),
        Record::Subagent { output, status, revision, sender, .. } => {
            let is_said =
                |known: &SubagentState| sender.is_none() || *sender == known.sender.map(|mark| mark.digest);
            step.output(&output.result_key).is_some_and(|known| match status.is_terminal() {
                true => (known.status, known.revision) == (*status, *revision) && is_said(known),
                false => *revision <= known.revision,
            })
        }
        Record::SubagentStarted { .. }
        | Record::SubagentCompleted { .. }
        | Record::StepCompleted { .. }
        | Record::Progress { .. }
        | Record::Policy { .. }
        | Record::SynthesisDelta { .. }
        | Record::Synthesised { .. }
        | Record::CallTaken { .. }
        | Record::CallsRenewed { .. }
        | Record::CallsReleased { .. }
        | Record::CallLeftOpen { .. }
        | Record::WritingTaken { .. }
        | Record::NoticeTaken { .. }
        | Record::NoticeTried { .. }
        | Record::SessionClosed
        | Record::Answered { .. } => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::position::{AppendId, Position};
    use crate::domain::time::Timestamp;

    #[test]
    fn what_is_newer_takes_its_place_and_what_is_older_does_not() {
        let mut place = Position::start("7f3a91".parse().unwrap());
        let mut said = |step: &str| {
            let record = Record::Progress { step: step.parse().unwrap() };
            let entry = Arc::new(Entry::seal(place, AppendId(1), Timestamp(1), record, b"{}"));
            place = entry.position(place.epoch);
            entry
        };
        let [old_p, old_q, new_p, new_q] = [said("p"), said("q"), said("p"), said("q")];
        let mut entries = vec![old_p, new_q.clone()];
        add_missing(&mut entries, &[old_q, new_p.clone()]);
        assert_eq!(entries, [new_p, new_q]);
    }
}
