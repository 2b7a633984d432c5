//! What a log's entry means to the fold: the part of an entry that no reader sees.
//!
//! `apply` reads records only. A record says what was decided, not why: payloads stay in the entry's `wire`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

mod about;
mod encode;
mod event_type;
mod status;

pub use encode::encode_record;
pub use event_type::EventType;
pub use status::{StepStatus, SubagentStatus};

use super::adapters::Card;
use super::directive::Directive;
use super::event::{ArcJson, Digest, EventError};
use super::ids::{ResultKey, StepId, SubagentKey};
use super::position::Sequence;
use super::session::{Fence, Spent};
use super::telemetry_context::TelemetryContext;
use super::time::Timestamp;
use super::verdict::Decided;

/// One output of one subagent of one step.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Output {
    /// The step.
    pub step: StepId,
    /// The kind of subagent.
    pub stage: SubagentKey,
    /// Which of its outputs.
    pub result_key: ResultKey,
}

/// What an output had said in part when a step above its own ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenPart {
    /// The output's step.
    pub step: StepId,
    /// Which of its outputs.
    pub result_key: ResultKey,
    /// Its payload, as the adapter passed it on.
    pub payload: ArcJson,
}

/// A change of a session's state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// A directive was accepted.
    StepStarted {
        /// What was asked.
        directive: Arc<Directive>,
        /// Digest of the directive, to know it again.
        digest: Digest,
        /// The step's place in its caller's trace.
        context: Arc<TelemetryContext>,
    },
    /// A subagent is heard for the first time.
    SubagentStarted {
        /// Whose.
        output: Output,
    },
    /// A subagent's event, or one that was made for it.
    Subagent {
        /// Whose.
        output: Output,
        /// What it says.
        status: SubagentStatus,
        /// Its place among the output's revisions.
        revision: u64,
        /// The attempt that comes next, or that this belongs to.
        attempt: u32,
        /// Digest of what the sender sent; absent for what Tributary made.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        sender: Option<Digest>,
        /// The subagent's place in a trace, where it changed.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        context: Option<Arc<TelemetryContext>>,
        /// The latency that the sender reported.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        latency_ms: Option<u64>,
        /// Where the confirmation card stands that it shows.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        card: Option<Card>,
        /// What its sender counted, where readers are shown another revision.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        sender_revision: Option<u64>,
        /// Of a retry: when the next attempt's call begins.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        retry_at: Option<Timestamp>,
        /// Of a retry: what failed, in short. It is named where no attempt follows in time.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        failed: Option<Arc<EventError>>,
        /// What was sent, where readers are shown a part of it only.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        original: Option<ArcJson>,
    },
    /// A replica took the call of an output.
    CallTaken {
        /// Whose.
        output: Output,
        /// By whom.
        fence: Fence,
    },
    /// A replica goes on with calls.
    CallsRenewed {
        /// Whose.
        outputs: Vec<Output>,
        /// And with the answers of these steps.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        steps: Vec<StepId>,
        /// Until when others leave them alone.
        until: Timestamp,
    },
    /// A replica gave calls back: others may take them.
    CallsReleased {
        /// Whose.
        outputs: Vec<Output>,
        /// And the answers of these steps.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        steps: Vec<StepId>,
        /// And posts of these decisions.
        #[serde(skip_serializing_if = "Vec::is_empty", default)]
        notices: Vec<Sequence>,
    },
    /// A call is over and its subagent will push: it accepted what it was asked.
    CallLeftOpen {
        /// Whose.
        output: Output,
    },
    /// A terminal was followed by its summary.
    SubagentCompleted {
        /// Whose.
        output: Output,
    },
    /// The planner said how far it is.
    Progress {
        /// In which step.
        step: StepId,
    },
    /// Safety decided.
    Policy {
        /// About which step; absent: the session.
        step: Option<StepId>,
        /// Whether it is to be posted to the orchestrator's webhook.
        #[serde(skip_serializing_if = "std::ops::Not::not", default)]
        notify: bool,
        /// Whether it followed from what a subagent said, or failed to say, and would follow again.
        #[serde(skip_serializing_if = "std::ops::Not::not", default)]
        followed: bool,
    },
    /// A replica posts a safety decision.
    NoticeTaken {
        /// The decision's event.
        decision: Sequence,
        /// By whom.
        fence: Fence,
    },
    /// A safety decision was posted, or not.
    NoticeTried {
        /// The decision's event.
        decision: Sequence,
        /// When it is tried again; absent: it was delivered, or is given up.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        retry_at: Option<Timestamp>,
    },
    /// All outputs of a step are terminal; without an event: its planner or safety ended it since, while its answer was
    /// being written.
    StepCompleted {
        /// Which step.
        step: StepId,
        /// How it ended.
        status: StepStatus,
    },
    /// The outputs of a step were combined.
    Aggregated {
        /// Which step.
        step: StepId,
        /// Until when a language model may write the answer; absent where none does.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        writing: Option<Timestamp>,
        /// What outputs of steps below it that hadn't ended had said in part; absent where there were none.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        open: Option<Vec<OpenPart>>,
    },
    /// A replica has the answer of a step written.
    WritingTaken {
        /// Which step.
        step: StepId,
        /// By whom.
        fence: Fence,
    },
    /// A piece of a draft.
    SynthesisDelta {
        /// Which step.
        step: StepId,
        /// The number of the fence that it was written under: another one is another draft.
        number: u64,
        /// Its place among the pieces of its draft, from 0.
        place: u32,
        /// The draft's place among those that grow at once.
        lane: u32,
    },
    /// The answer of a step was written.
    Synthesised {
        /// Which step.
        step: StepId,
        /// What the result needs of it that doesn't follow from the outputs.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        written: Option<ArcJson>,
        /// What language models cost for it.
        #[serde(skip_serializing_if = "Spent::is_nothing", default)]
        spent: Spent,
    },
    /// The last event of a step.
    StepEnded {
        /// Which step.
        step: StepId,
    },
    /// The planner posts no more steps. Readers see no event for it, only the end of the stream.
    SessionClosed,
    /// What a request with an `Idempotency-Key` was answered so far.
    Answered {
        /// The key.
        key: Arc<str>,
        /// Digest of the request.
        fingerprint: Digest,
        /// What became of its items.
        answers: Vec<ItemAnswer>,
    },
}

/// What one item of a request with an `Idempotency-Key` was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemAnswer {
    /// Its place in the request.
    pub index: u32,
    /// Digest of the item: of a body that streams in, nothing but this tells a repeat from other events.
    pub item: u64,
    /// What became of it.
    pub answer: Answer,
    /// How what it was about stood then, where that is part of its answer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub standing: Option<Standing>,
    /// Digest of what it said, where it may be said in other bytes: a directive with its members in another order is the same.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub said: Option<u64>,
}

/// The answer of the item at that place; `answers` are in the order of places.
pub fn answer_at(answers: &[ItemAnswer], index: u32) -> Option<&ItemAnswer> {
    let at = answers.binary_search_by_key(&index, |answer| answer.index).ok()?;
    answers.get(at)
}

/// How a step or a session stood when a call about it was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The step had that status.
    Step(StepStatus),
    /// The session expected something.
    Open,
    /// The session expected nothing more.
    Closed,
}

/// What became of one command that changed something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A step: newly made, or there already.
    Step {
        /// Whether it is new.
        created: bool,
    },
    /// An event.
    Event(Decided),
    /// Anything else; the sequence of its event, where it has one.
    Done(Option<Sequence>),
}
