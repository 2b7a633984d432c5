//! One result from many: pure, deterministic, without a network.
//!
//! ```text
//! tasks ─► judge ─► rank, filter, merge ─► number ─► claims ─► compose ─► measure ─► result
//!          failures   relevance, twins      sources   findings   synthesis  quality
//! ```
//!
//! The same tasks give the same bytes in whatever order they came. Nothing is lost without a note: what failed stands in
//! `failures`, what was left out is counted, what was cut names where the whole is, and every sentence of the synthesis
//! is a quotation with its source and its subagent.

mod annotations;
pub mod failures;
mod found;
mod gather;
pub mod input;
mod json;
mod json_sources;
mod links;
mod numbered;
pub mod options;
pub mod payload;
mod pipeline;
pub mod relevance;
pub mod request;
pub mod result;
pub mod source_kind;
pub mod sources;
pub mod step;
pub mod take_in;
pub mod token_limit;
pub mod tree;
pub mod url_identity;

pub use pipeline::aggregate;

use self::input::TaskInput;
use self::options::Options;

/// What was asked.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Question {
    /// By the user.
    pub query: Option<String>,
    /// What the step is for.
    pub goal: Option<String>,
}

impl Question {
    /// Both, as what relevance and completeness are measured against; empty where nothing was asked.
    pub fn text(&self) -> String {
        let parts = [&self.query, &self.goal].into_iter().flatten().map(String::as_str);
        parts.collect::<Vec<_>>().join("\n")
    }

    /// What prose is to answer: its goal may be the title of a chapter, which it hardly repeats.
    fn of_prose(&self) -> Self {
        let goal = self.goal.clone().filter(|goal| !is_title(goal));
        Self { query: self.query.clone(), goal }
    }

    /// What the results are to answer: the query, or the goal where there is none; empty where nothing was asked.
    pub fn asked(&self) -> &str {
        self.query.as_deref().or(self.goal.as_deref()).unwrap_or_default()
    }
}

/// Whether a goal is a few words that neither ask nor list what is wanted: `Chapter two`, `History`.
fn is_title(goal: &str) -> bool {
    /// Words of a title, and characters where none are written apart.
    const MOST: (usize, usize) = (4, 40);
    let lists =
        goal.contains(['?', '？', ',', '，', '、', ';', '；', ':', '：', '\n']) || goal.contains(" and ");
    !lists && goal.split_whitespace().count() <= MOST.0 && goal.len() <= MOST.1
}

/// Where a result belongs.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The session, of a step.
    pub session_id: Option<String>,
    /// The step.
    pub plan_step_id: Option<String>,
    /// How the step ended, where that isn't to be told from the tasks.
    pub status: Option<String>,
    /// The trace.
    pub trace_id: Option<String>,
    /// Whether nothing will be added.
    pub is_final: bool,
    /// The safety decision that ended the step.
    pub refused: Option<RefusedBy>,
    /// How many results the nodes below leave out because there are too many.
    pub beyond_below: usize,
    /// What was left out before.
    pub left_out: LeftOut,
}

/// Results that an aggregation left out for their relevance, where it has none besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    /// All of them.
    pub all: usize,
    /// Those that are of no task that failed.
    pub whole: usize,
}

/// A safety decision that ended a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedBy {
    /// The output that decided; `safety` where it was a call of the planner.
    pub task_id: String,
    /// Whose output.
    pub subagent: String,
    /// The policy and the reason.
    pub error: String,
}

impl Place {
    /// That of results without a plan.
    pub fn nowhere() -> Self {
        Self {
            session_id: None,
            plan_step_id: None,
            status: None,
            trace_id: None,
            is_final: true,
            refused: None,
            beyond_below: 0,
            left_out: LeftOut::default(),
        }
    }
}

/// What a synthesis is to look like.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Style {
    /// Quotations by topic.
    #[default]
    Findings,
    /// Conflicts, then what each task says, in this order of their ids.
    Positions {
        /// The tasks' ids.
        order: Vec<String>,
    },
    /// The tasks' prose, in this order.
    Composition {
        /// Where each task stands.
        order: Vec<Placed>,
    },
}

impl Style {
    /// The order of the prose; nothing where there is none.
    pub fn prose(&self) -> &[Placed] {
        match self {
            Self::Composition { order } => order,
            Self::Findings | Self::Positions { .. } => &[],
        }
    }

    /// The order of the positions; nothing where there are none.
    pub fn positions(&self) -> &[String] {
        match self {
            Self::Positions { order } => order,
            Self::Findings | Self::Composition { .. } => &[],
        }
    }

    /// Whether its text is prose.
    pub fn is_prose(&self) -> bool {
        matches!(self, Self::Composition { .. })
    }
}

/// Where a task's prose stands in a composition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// The task's id.
    pub task_id: String,
    /// What the nodes that it comes from were for, the outermost first: the chapters that it stands in.
    pub chapters: Vec<String>,
}

impl Placed {
    /// A task in no chapter.
    pub fn alone(task_id: &str) -> Self {
        Self { task_id: task_id.to_owned(), chapters: Vec::new() }
    }
}

/// Tasks to be combined.
#[derive(Debug, Clone)]
pub struct Request {
    /// What was asked.
    pub question: Question,
    /// What was brought, in any order.
    pub tasks: Vec<TaskInput>,
    /// How to combine it.
    pub options: Options,
    /// Where the result belongs.
    pub place: Place,
    /// What the synthesis is to look like.
    pub style: Style,
}
