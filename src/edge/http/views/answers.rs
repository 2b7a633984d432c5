//! What a planner's calls are answered.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Links, SessionStatus, status_of};
use crate::domain::ids::{SessionId, StepId};
use crate::domain::position::{Position, Sequence};
use crate::domain::record::{Standing, StepStatus};
use crate::domain::session::{SessionState, StepState};
use crate::edge::http::openapi::Cursor;

/// What a directive is answered.
#[derive(Debug, Serialize, ToSchema)]
pub struct Accepted {
    #[schema(value_type = SessionId)]
    session_id: String,
    #[schema(value_type = StepId)]
    plan_step_id: String,
    /// `in_progress`: what it was when the directive was accepted. `links.self` says how it stands.
    status: StepStatus,
    /// The place after its `step_started`.
    #[schema(value_type = Cursor)]
    cursor: String,
    links: Links,
}

/// What other calls of a planner are answered.
#[derive(Debug, Serialize, ToSchema)]
pub struct Done {
    #[schema(value_type = SessionId)]
    session_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<StepId>)]
    plan_step_id: Option<String>,
    status: DoneStatus,
    /// Its place in the log; absent where nothing changed. A close takes one, though readers are shown no event for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence: Option<u64>,
    #[schema(value_type = Cursor)]
    cursor: String,
}

/// How the step, or the session, stands now.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(untagged)]
pub enum DoneStatus {
    /// The call was about a step.
    Step(StepStatus),
    /// It was about the session.
    Session(SessionStatus),
}

impl Accepted {
    /// The answer to a directive: the same each time.
    pub fn new(state: &SessionState, step: &StepState) -> Self {
        Self {
            session_id: state.session.to_string(),
            plan_step_id: step.id().to_string(),
            status: StepStatus::InProgress,
            cursor: step.started.to_string(),
            links: Links::new(state, step),
        }
    }

    /// The step itself.
    pub fn location(&self) -> &str {
        self.links.own()
    }
}

impl Done {
    /// The answer to a call about a step, or without one about the session; how that stood then, where it is known, else how it
    /// stands now.
    pub fn new(
        state: &SessionState,
        step: Option<&StepState>,
        (sequence, standing): (Option<Sequence>, Option<Standing>),
        cursor: Position,
    ) -> Self {
        let status = match (standing, step) {
            (Some(Standing::Step(status)), _) => DoneStatus::Step(status),
            (Some(Standing::Open), _) => DoneStatus::Session(SessionStatus::Open),
            (Some(Standing::Closed), _) => DoneStatus::Session(SessionStatus::Closed),
            (None, Some(step)) => DoneStatus::Step(step.shown_status()),
            (None, None) => DoneStatus::Session(status_of(state)),
        };
        Self {
            session_id: state.session.to_string(),
            plan_step_id: step.map(|step| step.id().to_string()),
            status,
            sequence: sequence.map(|sequence| sequence.0),
            cursor: cursor.to_string(),
        }
    }
}
