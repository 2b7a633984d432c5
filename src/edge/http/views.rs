//! The state of sessions and steps as planners see it, and what their calls are answered.

mod answers;

use std::borrow::Cow;

use serde::Serialize;
use utoipa::ToSchema;

use super::openapi::Cursor;
use crate::domain::ids::{ResultKey, SessionId, StepId, SubagentKey};
use crate::domain::record::{Output, StepStatus, SubagentStatus};
use crate::domain::session::{SessionState, StepState, SubagentState};
use crate::engine::ports::result_cache::{Listed, Loaded};

pub use answers::{Accepted, Done};

/// A session.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionView {
    #[schema(value_type = SessionId)]
    session_id: String,
    status: SessionStatus,
    /// Names this life of the log: 6 to 16 lowercase hex digits.
    #[schema(pattern = "^[0-9a-f]{6,16}$")]
    epoch: String,
    #[schema(value_type = Cursor)]
    cursor: String,
    sequence: RangeView,
    /// Whether the planner said that more steps follow.
    more_steps: bool,
    steps: Vec<StepView>,
}

/// Where a session stands.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    /// Something is expected.
    Open,
    /// Nothing is, and nothing will be.
    Closed,
}

/// From which entry to which.
#[derive(Debug, Serialize, ToSchema)]
pub struct RangeView {
    /// The oldest that can be read; in a step, its first.
    oldest: u64,
    /// The last.
    tail: u64,
}

/// Sessions, by name.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionList {
    /// At most as many as were asked for.
    pub sessions: Vec<SessionLine>,
    /// What to pass as `after` for those that follow; `null` where none do.
    #[schema(value_type = Option<SessionId>, required)]
    pub next: Option<String>,
    /// Those of this page that can't be read here: they count for `limit` and `next` like the others. Left out where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<UnreadableLine>,
}

/// A session in a list that can't be read.
#[derive(Debug, Serialize, ToSchema)]
pub struct UnreadableLine {
    #[schema(value_type = SessionId)]
    session_id: String,
    /// `newer_format`: a newer version wrote it, and a replica of that can read it. `corrupt`: what is stored of it is damaged.
    reason: &'static str,
    /// The same, for a person.
    detail: Cow<'static, str>,
}

/// A session in a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionLine {
    #[schema(value_type = SessionId)]
    session_id: String,
    status: SessionStatus,
    #[schema(value_type = Cursor)]
    cursor: String,
    steps: usize,
    open_steps: usize,
    /// When its last entry was decided.
    #[schema(format = DateTime)]
    updated_at: String,
}

/// A step.
#[derive(Debug, Serialize, ToSchema)]
pub struct StepView {
    #[schema(value_type = SessionId)]
    session_id: String,
    #[schema(value_type = StepId)]
    plan_step_id: String,
    /// `in_progress` also while a language model writes the answer.
    status: StepStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    query: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal: Option<String>,
    #[schema(format = DateTime)]
    started_at: String,
    #[schema(format = DateTime)]
    deadline: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    ended_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<StepId>)]
    parent_step_id: Option<String>,
    sequence: RangeView,
    /// The place after its last entry that the state knows of.
    #[schema(value_type = Cursor)]
    cursor: String,
    subagents: Vec<SubagentView>,
    children: Vec<ChildView>,
    links: Links,
}

/// An expected output.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubagentView {
    #[schema(value_type = SubagentKey)]
    key: String,
    #[schema(value_type = ResultKey)]
    result_key: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    status: SubagentStatus,
    /// 0 before the first event.
    revision: u64,
    attempts: u32,
    /// From the step's start to its terminal, or as its sender reported.
    #[schema(required)]
    latency_ms: Option<u64>,
    #[schema(format = DateTime)]
    deadline: String,
    /// Results that came when it was over.
    late: u64,
}

/// A step below a step.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChildView {
    #[schema(value_type = StepId)]
    plan_step_id: String,
    /// `null`: never posted.
    #[schema(required)]
    status: Option<StepStatus>,
}

/// Where to go from a step.
#[derive(Debug, Serialize, ToSchema)]
pub struct Links {
    #[serde(rename = "self")]
    self_: String,
    events: String,
    result: String,
}

impl SessionView {
    /// A session as the store knows it.
    pub fn new(state: &SessionState, loaded: &Loaded) -> Self {
        Self {
            session_id: state.session.to_string(),
            status: status_of(state),
            epoch: state.position.epoch.to_string(),
            cursor: state.position.to_string(),
            sequence: RangeView { oldest: loaded.oldest.0, tail: state.position.sequence.0 },
            more_steps: state.more_steps,
            steps: state.steps.iter().map(|step| StepView::new(state, step, loaded)).collect(),
        }
    }
}

/// `open` while something is expected, then `closed`.
fn status_of(state: &SessionState) -> SessionStatus {
    if state.is_ended() { SessionStatus::Closed } else { SessionStatus::Open }
}

impl SessionList {
    /// What was found, as far as it was asked for.
    pub fn new(found: &[Listed], next: Option<String>) -> Self {
        let (mut sessions, mut unreadable) = (Vec::new(), Vec::new());
        for Listed { session, state } in found {
            match state {
                Ok(state) => sessions.push(SessionLine::new(state)),
                Err(why) => {
                    let (reason, detail) = (why.name(), why.told());
                    unreadable.push(UnreadableLine { session_id: session.to_string(), reason, detail });
                }
            }
        }
        Self { sessions, next, unreadable }
    }
}

impl SessionLine {
    /// A session in a list.
    pub fn new(state: &SessionState) -> Self {
        Self {
            session_id: state.session.to_string(),
            status: status_of(state),
            cursor: state.position.to_string(),
            steps: state.steps.len(),
            open_steps: state.steps.iter().filter(|step| step.ended.is_none()).count(),
            updated_at: state.last_at.to_string(),
        }
    }
}

impl StepView {
    /// A step as the store knows it.
    pub fn new(state: &SessionState, step: &StepState, loaded: &Loaded) -> Self {
        let late = |output: &Output| loaded.late.get(output).copied().unwrap_or_default();
        let directive = &step.directive;
        Self {
            session_id: state.session.to_string(),
            plan_step_id: step.id().to_string(),
            status: step.shown_status(),
            query: directive.query.clone(),
            goal: directive.goal.clone(),
            started_at: step.started_at.to_string(),
            deadline: step.deadline.to_string(),
            ended_at: step.ended.map(|end| end.at.to_string()),
            parent_step_id: directive.parent_step_id.as_ref().map(ToString::to_string),
            sequence: RangeView { oldest: step.started.sequence.0, tail: step.last.0 },
            cursor: step.ended.map_or(state.position, |end| end.position).to_string(),
            subagents: step.subagents.iter().map(|s| SubagentView::new(s, late(&s.output))).collect(),
            children: children_of(state, step),
            links: Links::new(state, step),
        }
    }
}

fn children_of(state: &SessionState, step: &StepState) -> Vec<ChildView> {
    let children = state.children(step);
    let view = |child: Result<&StepState, &crate::domain::ids::StepId>| match child {
        Ok(child) => ChildView { plan_step_id: child.id().to_string(), status: Some(child.shown_status()) },
        Err(id) => ChildView { plan_step_id: id.to_string(), status: None },
    };
    children.map(view).collect()
}

impl SubagentView {
    fn new(subagent: &SubagentState, late: u64) -> Self {
        Self {
            key: subagent.output.stage.to_string(),
            result_key: subagent.output.result_key.to_string(),
            task: subagent.expected.task.clone(),
            status: subagent.status,
            revision: subagent.revision,
            attempts: subagent.attempt,
            latency_ms: subagent.latency_ms,
            deadline: subagent.deadline.to_string(),
            late,
        }
    }
}

impl Links {
    fn new(state: &SessionState, step: &StepState) -> Self {
        let own = format!("/planner/sessions/{}/steps/{}", state.session, step.id());
        Self { events: format!("{own}/events"), result: format!("{own}/result"), self_: own }
    }

    /// The step itself.
    pub fn own(&self) -> &str {
        &self.self_
    }
}
