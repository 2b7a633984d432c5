//! The life of outputs and steps, read from the log alone: ends come once, and nothing follows them.

use std::collections::{HashMap, HashSet};

use proptest::prelude::*;
use tributary::domain::entry::Entry;
use tributary::domain::record::{Answer, Output, Record, StepStatus, SubagentStatus};
use tributary::domain::verdict::Verdict;

use super::stories;
use crate::commands::story;
use crate::telling::{Cut, tell, tell_watched};

fn terminal_of(entry: &Entry) -> Option<(&Output, SubagentStatus)> {
    match &entry.record {
        Record::Subagent { output, status, .. } if status.is_terminal() => Some((output, *status)),
        _ => None,
    }
}

/// The figures of a `step_completed`, and its status.
fn completed_of(entry: &Entry) -> Option<(serde_json::Value, StepStatus)> {
    let Record::StepCompleted { status, .. } = &entry.record else { return None };
    let wire: serde_json::Value = serde_json::from_slice(entry.wire()?).expect("events are JSON");
    Some((wire["content"]["counts"].clone(), *status))
}

/// What counts say of a step that nobody ended by force.
fn counted(counts: &serde_json::Value) -> StepStatus {
    let number = |pointer: &str| counts.pointer(pointer).and_then(serde_json::Value::as_u64).unwrap_or(0);
    let whole = number("/success") + number("/children/completed");
    let some = whole + number("/children/partial_failure");
    if whole == number("/expected") + number("/children/expected") {
        StepStatus::Completed
    } else if some > 0 {
        StepStatus::PartialFailure
    } else {
        StepStatus::Failed
    }
}

proptest! {
    #![proptest_config(stories())]

    #[test]
    fn an_output_has_one_terminal_at_most_and_its_summary_follows_at_once(story in story()) {
        let told = tell(&story, Cut::Turns);
        let mut ended = HashSet::new();
        for (at, entry) in told.entries.iter().enumerate() {
            let Some((output, _)) = terminal_of(entry) else { continue };
            prop_assert!(ended.insert(output.clone()), "a second terminal of {output:?}");
            let next = told.entries.get(at + 1).map(|entry| entry.record.clone());
            prop_assert_eq!(next, Some(Record::SubagentCompleted { output: output.clone() }));
        }
        let summaries = told.entries.iter().filter(|e| matches!(e.record, Record::SubagentCompleted { .. }));
        prop_assert_eq!(summaries.count(), ended.len());
    }

    #[test]
    fn nothing_of_an_output_follows_its_summary(story in story()) {
        let told = tell(&story, Cut::Turns);
        let mut over = HashSet::new();
        for entry in &told.entries {
            let Some(output) = entry.record.output() else { continue };
            prop_assert!(!over.contains(output), "{:?} after the end of its output", entry.record);
            if matches!(entry.record, Record::SubagentCompleted { .. }) {
                over.insert(output.clone());
            }
        }
    }

    #[test]
    fn an_output_is_announced_once_before_its_senders_first_event(story in story()) {
        let told = tell(&story, Cut::Turns);
        let mut started = HashSet::new();
        for entry in &told.entries {
            match &entry.record {
                Record::SubagentStarted { output } => prop_assert!(started.insert(output.clone())),
                Record::Subagent { output, sender: Some(_), .. } => prop_assert!(started.contains(output)),
                _ => {}
            }
        }
    }

    #[test]
    fn a_step_ends_once_and_its_end_is_the_last_of_it(story in story()) {
        let told = tell(&story, Cut::Turns);
        let (mut over, mut completed) = (HashMap::new(), HashSet::new());
        for (at, entry) in told.entries.iter().enumerate() {
            if let Record::StepCompleted { step, .. } = &entry.record {
                prop_assert!(completed.insert(step.clone()), "{step} was completed twice");
            }
            let Some(step) = entry.record.step() else { continue };
            prop_assert!(!over.contains_key(step), "{:?} after the end of its step", entry.record);
            if let Record::StepEnded { step } = &entry.record {
                let result = [at - 2, at - 1].map(|before| &told.entries[before].record);
                let is_its_own = match result {
                    [Record::Aggregated { step: one, .. }, Record::Synthesised { step: other, .. }] => {
                        (one, other) == (step, step)
                    }
                    _ => false,
                };
                prop_assert!(is_its_own, "{:?} before the end of {step}", result);
                prop_assert!(completed.contains(step), "the end of {step} before it was completed");
                over.insert(step.clone(), entry.sequence);
            }
        }
        prop_assert_eq!(completed.len(), over.len());
        for step in &told.state.steps {
            prop_assert_eq!(step.ended.map(|end| end.position.sequence), over.get(step.id()).copied());
            prop_assert_eq!(step.ended.is_some(), step.status != StepStatus::InProgress);
        }
    }

    #[test]
    fn an_ended_step_has_only_terminal_outputs_and_counts_them_all(story in story()) {
        let told = tell(&story, Cut::Turns);
        let mut statuses: HashMap<Output, SubagentStatus> = HashMap::new();
        for entry in &told.entries {
            if let Some((output, status)) = terminal_of(entry) {
                statuses.insert(output.clone(), status);
            }
            let (Some((counts, _)), Some(id)) = (completed_of(entry), entry.record.step()) else { continue };
            let step = told.state.step(id).expect("a step that ends is known");
            prop_assert_eq!(&counts["expected"], step.subagents.len());
            for (name, wanted) in [
                ("success", SubagentStatus::Success),
                ("error", SubagentStatus::Error),
                ("timeout", SubagentStatus::Timeout),
                ("degraded", SubagentStatus::Degraded),
                ("refused", SubagentStatus::Refused),
                ("cancelled", SubagentStatus::Cancelled),
            ] {
                let of_step = statuses.iter().filter(|(output, status)| output.step == *id && **status == wanted);
                prop_assert_eq!(&counts[name], of_step.count(), "{} of {}", name, id);
            }
            let ended = statuses.keys().filter(|output| output.step == *id).count();
            prop_assert_eq!(ended, step.subagents.len());
        }
    }

    #[test]
    fn the_status_of_a_step_follows_from_its_counts_unless_it_was_ended_by_force(story in story()) {
        let told = tell(&story, Cut::Turns);
        for (counts, status) in told.entries.iter().filter_map(completed_of) {
            if !matches!(status, StepStatus::Cancelled | StepStatus::Refused) {
                prop_assert_eq!(status, counted(&counts), "{}", counts);
            }
        }
    }

    #[test]
    fn only_what_is_accepted_takes_a_sequence(story in story()) {
        tell_watched(&story, Cut::Turns, |moment| {
            let Ok(Answer::Event(decided)) = moment.answer else { return };
            let (grew, entries) = (moment.entries.1 > moment.entries.0, moment.after.position.sequence);
            assert_eq!(grew, decided.verdict == Verdict::Accepted, "{:?}", moment.said);
            if !grew {
                assert_eq!(moment.before, moment.after);
            }
            match decided.verdict {
                Verdict::Accepted => assert!(decided.sequence > Some(moment.before.position.sequence)),
                Verdict::Duplicate | Verdict::Conflict => assert!(decided.sequence <= Some(entries)),
                Verdict::Stale | Verdict::Late => assert_eq!(decided.sequence, None),
            }
        });
    }

    #[test]
    fn the_services_own_revisions_are_never_a_senders(story in story()) {
        let told = tell(&story, Cut::Turns);
        let (mut last, mut sent) = (HashMap::new(), HashMap::new());
        for entry in &told.entries {
            let Record::Subagent { output, revision, sender, .. } = &entry.record else { continue };
            let before = last.insert(output.clone(), *revision).unwrap_or(0);
            prop_assert!(*revision > before, "revisions of an output only rise");
            match sender {
                Some(digest) => drop(sent.insert(output.clone(), (*revision, entry.sequence, *digest))),
                None => prop_assert_eq!(*revision, before + 1),
            }
        }
        for subagent in told.state.steps.iter().flat_map(|step| &step.subagents) {
            let mark = subagent.sender.map(|mark| (mark.revision, mark.sequence, mark.digest));
            prop_assert_eq!(mark, sent.get(&subagent.output).copied());
        }
    }
}
