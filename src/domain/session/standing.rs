//! How a step, or the session, stands after a call about it: part of the call's answer, so a repeat is told the same whatever
//! came since.

use super::batch::Batch;
use super::command::Command;
use super::state::StepState;
use crate::domain::ids::StepId;
use crate::domain::record::{Standing, StepStatus};

impl Batch<'_> {
    /// How what `command` was about stands once its append is stored; `None` where its answer doesn't say so.
    pub(super) fn standing_after(&self, command: &Command) -> Option<Standing> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "only what a planner tells is answered with it")]
        match command {
            Command::Progress { step, .. } => self.standing_of(step),
            Command::Safety { step, .. } | Command::Cancel { step, .. } => match step {
                Some(step) => self.standing_of(step),
                None => Some(self.standing_of_session()),
            },
            Command::Close => Some(self.standing_of_session()),
            _ => None,
        }
    }

    fn standing_of(&self, step: &StepId) -> Option<Standing> {
        let status =
            |step: &StepState| if self.is_settled(step) { step.status } else { StepStatus::InProgress };
        self.state.step(step).map(|step| Standing::Step(status(step)))
    }

    /// What was completed in this batch ends with it, unless its answer is to be written.
    fn standing_of_session(&self) -> Standing {
        let is_over = self.state.expects_no_step() && self.state.shown().all(|step| self.is_settled(step));
        if is_over { Standing::Closed } else { Standing::Open }
    }
}
