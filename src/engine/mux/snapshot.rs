//! Snapshots: the last of everything, for who can't be given every event.
//!
//! Per step its `step_started`; per output its last event and its terminal; every `policy_outcome`; the last progress;
//! `aggregation`; `synthesis`; `plan_step_completed` (docs/reading.md, 4).
//!
//! The last partial of an output that has a payload is kept too, whatever came after it: should the output fail, or end without a
//! payload, that is what there is of it. A snapshot shows it only where it is the last event.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::frames::{Layout, write_frame};
use super::view::View;
use crate::domain::entry::Entry;
use crate::domain::ids::{ResultKey, StepId};
use crate::domain::position::{Position, Sequence};
use crate::domain::record::{Record, SubagentStatus};
use crate::domain::session::name_of_output;

/// What an entry replaces in a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    Started(StepId),
    Last(StepId, ResultKey),
    Partial(StepId, ResultKey),
    Terminal(StepId, ResultKey),
    Policy(Sequence),
    Progress(StepId),
    Aggregation(StepId),
    Delta(u32, u32),
    Synthesis(StepId),
    Ended(StepId),
}

fn slot_of(entry: &Entry) -> Option<Slot> {
    match &entry.record {
        Record::Subagent { status, .. } if status.is_terminal() && mutant!("snapshot-without-terminals") => {
            None
        }
        Record::StepStarted { directive, .. } => Some(Slot::Started(directive.plan_step_id.clone())),
        Record::Subagent { output, status, .. } => {
            let (step, result_key) = (output.step.clone(), output.result_key.clone());
            Some(if status.is_terminal() {
                Slot::Terminal(step, result_key)
            } else if *status == SubagentStatus::Partial && entry.carries_payload() {
                Slot::Partial(step, result_key)
            } else {
                Slot::Last(step, result_key)
            })
        }
        Record::Policy { .. } => Some(Slot::Policy(entry.sequence)),
        Record::Progress { step } => Some(Slot::Progress(step.clone())),
        Record::Aggregated { step, .. } => Some(Slot::Aggregation(step.clone())),
        // A draft takes the places of the one before, its own step's or another's.
        Record::SynthesisDelta { lane, place, .. } => Some(Slot::Delta(*lane, *place)),
        Record::Synthesised { step, .. } => Some(Slot::Synthesis(step.clone())),
        Record::StepEnded { step } => Some(Slot::Ended(step.clone())),
        Record::SubagentStarted { .. }
        | Record::SubagentCompleted { .. }
        | Record::StepCompleted { .. }
        | Record::CallTaken { .. }
        | Record::CallsRenewed { .. }
        | Record::CallsReleased { .. }
        | Record::CallLeftOpen { .. }
        | Record::WritingTaken { .. }
        | Record::NoticeTaken { .. }
        | Record::NoticeTried { .. }
        | Record::SessionClosed
        | Record::Answered { .. } => None,
    }
}

/// Names what an entry replaces in a snapshot, for stores that keep the last of everything by name; `None` where a
/// snapshot doesn't need it.
pub fn snapshot_slot(entry: &Entry) -> Option<String> {
    Some(match slot_of(entry)? {
        Slot::Started(step) => format!("started {step}"),
        Slot::Last(step, result_key) => name_of_output("last", &step, &result_key),
        Slot::Partial(step, result_key) => name_of_output("partial", &step, &result_key),
        Slot::Terminal(step, result_key) => name_of_output("terminal", &step, &result_key),
        Slot::Policy(sequence) => format!("policy {sequence}"),
        Slot::Progress(step) => format!("progress {step}"),
        Slot::Aggregation(step) => format!("aggregation {step}"),
        Slot::Delta(lane, place) => format!("delta {lane} {place}"),
        Slot::Synthesis(step) => format!("synthesis {step}"),
        Slot::Ended(step) => format!("ended {step}"),
    })
}

/// The entries a snapshot needs, kept while the log grows and is trimmed. Its size follows what the session holds
/// (steps, outputs, policies), not how much was said.
#[derive(Debug, Default)]
pub struct Latest {
    slots: BTreeMap<Slot, Arc<Entry>>,
    /// Only where somebody asks for it: nothing else pays for it with each event.
    before: Option<Before>,
}

/// Bytes of the entries before a place, counted on as the place moves: who asks every second mustn't walk all of them.
#[derive(Debug, Default)]
struct Before {
    weights: BTreeMap<Sequence, usize>,
    place: Sequence,
    bytes: usize,
}

impl Before {
    fn add(&mut self, entry: &Entry) {
        *self.weights.entry(entry.sequence).or_default() += entry.weight();
        self.bytes += if entry.sequence < self.place { entry.weight() } else { 0 };
    }

    fn take(&mut self, entry: &Entry) {
        // Entries of two branches may have one sequence.
        if let Some(weight) = self.weights.get_mut(&entry.sequence) {
            *weight -= entry.weight();
            if *weight == 0 {
                self.weights.remove(&entry.sequence);
            }
        }
        self.bytes -= if entry.sequence < self.place { entry.weight() } else { 0 };
    }

    fn bytes_at(&mut self, place: Sequence) -> usize {
        let known = std::mem::replace(&mut self.place, place);
        if known <= place {
            self.bytes += self.weights.range(known..place).map(|(_, weight)| weight).sum::<usize>();
        } else {
            self.bytes -= self.weights.range(place..known).map(|(_, weight)| weight).sum::<usize>();
        }
        self.bytes
    }
}

impl Latest {
    /// Takes note of a new entry. Returns by how many bytes what is kept grew.
    pub fn note(&mut self, entry: &Arc<Entry>) -> isize {
        let Some(slot) = slot_of(entry) else { return 0 };
        let replaced = self.slots.insert(slot, entry.clone());
        if let Some(before) = &mut self.before {
            before.add(entry);
            replaced.iter().for_each(|old| before.take(old));
        }
        entry.weight() as isize - replaced.map_or(0, |old| old.weight() as isize)
    }

    /// Keeps only some of them.
    pub fn retain(&mut self, keeps: impl Fn(&Entry) -> bool) {
        let Self { slots, before } = self;
        slots.retain(|_, entry| {
            let is_kept = keeps(entry);
            if let Some(before) = before.as_mut().filter(|_| !is_kept) {
                before.take(entry);
            }
            is_kept
        });
    }

    /// Bytes of what comes before an entry of the log.
    pub fn bytes_before(&mut self, oldest: Sequence) -> usize {
        let Self { slots, before } = self;
        let counted = || {
            let mut counted = Before::default();
            slots.values().for_each(|entry| counted.add(entry));
            counted
        };
        before.get_or_insert_with(counted).bytes_at(oldest)
    }

    /// The entries, in order.
    pub fn entries(&self) -> Vec<Arc<Entry>> {
        let mut entries: Vec<_> = self.slots.values().cloned().collect();
        entries.sort_by_key(|entry| entry.sequence);
        entries
    }
}

/// Which drafts a snapshot shows: the last one of each answer that isn't written yet.
struct Drafts<'a> {
    last: BTreeMap<&'a StepId, u64>,
}

impl<'a> Drafts<'a> {
    fn of(entries: &'a [Arc<Entry>]) -> Self {
        let mut last = BTreeMap::new();
        for entry in entries {
            // A draft before it may have been longer: what is left of that isn't shown.
            if let Record::SynthesisDelta { step, number, .. } = &entry.record {
                let newest = last.entry(step).or_insert(*number);
                *newest = (*newest).max(*number);
            } else if let Record::Synthesised { step, .. } = &entry.record {
                last.insert(step, u64::MAX);
            }
        }
        Self { last }
    }

    fn shows(&self, step: &StepId, number: u64) -> bool {
        self.last.get(step) == Some(&number)
    }
}

/// From where to where what concerns the whole session is seen in a view: in a step's, from its first entry to its last.
fn seen_within(entries: &[Arc<Entry>], view: &View) -> RangeInclusive<Sequence> {
    let mut within = Sequence(0)..=Sequence(u64::MAX);
    let Some(wanted) = &view.step else { return within };
    for entry in entries {
        if entry.record.step() != Some(wanted) {
            continue;
        }
        if matches!(entry.record, Record::StepStarted { .. }) {
            within = entry.sequence..=*within.end();
        } else if view.ends_with(entry) {
            within = *within.start()..=entry.sequence;
        }
    }
    within
}

/// What of a snapshot a view shows: of an output the last event before its terminal, and that.
pub fn shown<'a>(entries: &'a [Arc<Entry>], view: &View) -> Vec<&'a Arc<Entry>> {
    let within = seen_within(entries, view);
    let mut later = BTreeSet::new();
    let drafts = Drafts::of(entries);
    let mut is_last = |entry: &Arc<Entry>| {
        if let Record::SynthesisDelta { step, number, .. } = &entry.record {
            return drafts.shows(step, *number);
        }
        let Record::Subagent { output, status, .. } = &entry.record else { return true };
        status.is_terminal() || later.insert((output.step.clone(), output.result_key.clone()))
    };
    let is_of_view = |entry: &Entry| {
        view.shows(entry) && (entry.record.step().is_some() || within.contains(&entry.sequence))
    };
    let mut shown: Vec<_> =
        entries.iter().rev().filter(|entry| is_last(entry) && is_of_view(entry)).collect();
    shown.reverse();
    shown
}

/// Writes the frames of a snapshot that stands for everything after `from` up to `position`. Only the last has an id.
pub fn write_snapshot(
    out: &mut Vec<u8>,
    entries: &[Arc<Entry>],
    from: Sequence,
    position: Position,
    view: &View,
    layout: Layout,
) {
    let shown = shown(entries, view);
    let groups: Vec<_> = shown.chunks(layout.batch).collect();
    let count = groups.len().max(1);
    let mut covered = from;
    for index in 0..count {
        let group = groups.get(index).copied().unwrap_or_default();
        let last = index + 1 == count;
        let to = match group.last() {
            Some(entry) if !last => entry.sequence,
            Some(_) | None => position.sequence,
        };
        let events: Vec<&[u8]> = group.iter().filter_map(|entry| entry.wire()).collect();
        layout.framing.event(out, "snapshot", last.then_some(&position), |out| {
            write_frame(out, covered.next(), to, &events, &[], Some(last));
        });
        covered = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::position::AppendId;
    use crate::domain::time::Timestamp;

    #[test]
    fn bytes_before_a_place_are_those_of_the_entries_there_wherever_it_moves() {
        let (mut place, mut latest) = (Position::start("7f3a91".parse().unwrap()), Latest::default());
        for turn in 0..200_u64 {
            let step = format!("p{}", turn * 7 % 13);
            let record = Record::Progress { step: step.parse().unwrap() };
            let wire = vec![b'x'; usize::try_from(turn % 5).unwrap()];
            let entry = Arc::new(Entry::seal(place, AppendId(turn), Timestamp(1), record, &wire));
            place = entry.position(place.epoch);
            latest.note(&entry);
            if turn % 50 == 49 {
                latest.retain(|entry| entry.sequence.0 % 3 != 0);
            }
            let oldest = Sequence(turn * 31 % (turn + 2));
            let before = latest.entries().into_iter().filter(|entry| entry.sequence < oldest);
            let counted: usize = before.map(|entry| entry.weight()).sum();
            assert_eq!(latest.bytes_before(oldest), counted);
        }
    }
}
