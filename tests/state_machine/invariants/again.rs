//! A branch that was lost is decided again: what senders were told stays true.

use std::sync::Arc;

use proptest::prelude::*;
use tributary::domain::position::AppendId;
use tributary::domain::record::{Output, SubagentStatus};
use tributary::domain::session::{Batch, SessionState, commands_again};

use super::stories;
use crate::commands::story;
use crate::fixtures::combine;
use crate::telling::{Cut, empty, limits, tell};

/// An output, its sender's last revision and digest, and its status.
type Standing = (Output, Option<(u64, u128)>, Option<SubagentStatus>);

/// What each output's sender said last, and where the output stands; what time or force did is left out.
fn outputs(state: &SessionState) -> Vec<Standing> {
    let all = state.steps.iter().flat_map(|step| &step.subagents);
    let of = |subagent: &Arc<tributary::domain::session::SubagentState>| {
        let sender = subagent.sender.map(|mark| (mark.revision, mark.digest.0));
        let status = Some(subagent.status)
            .filter(|status| !matches!(status, SubagentStatus::Timeout | SubagentStatus::Degraded));
        (subagent.output.clone(), sender, status)
    };
    all.map(of).collect()
}

proptest! {
    #![proptest_config(stories())]

    #[test]
    fn commands_of_a_lost_branch_lead_to_what_senders_were_told(story in story(), cut in 0.0..1.0_f64) {
        let told = tell(&story, Cut::Turns);
        let cut = (told.entries.len() as f64 * cut) as usize;
        let mut state = empty();
        told.entries[..cut].iter().for_each(|entry| state.apply(entry));
        let lost: Vec<_> = told.entries[cut..].iter().cloned().map(Arc::new).collect();
        let limits = limits();
        for entry in &lost {
            // Each at its own time: deadlines of others mustn't come before it here.
            let mut batch = Batch::new(&state, &limits, entry.at, AppendId(7));
            for command in commands_again(std::slice::from_ref(entry)) {
                let _ = batch.decide(&command);
                combine(&mut batch);
            }
            state = batch.into_parts().1;
        }
        let (now, was) = (outputs(&state), outputs(&told.state));
        for (output, sender, status) in was {
            let again = now.iter().find(|(known, ..)| *known == output);
            let (_, sender_again, status_again) = again.unwrap_or_else(|| panic!("{output:?} isn't there"));
            prop_assert_eq!(sender_again, &sender, "{:?}", output);
            if status.is_some() && sender.is_some() && !matches!(status, Some(SubagentStatus::Cancelled | SubagentStatus::Refused)) {
                prop_assert_eq!(status_again, &status, "{:?}", output);
            }
        }
    }
}
