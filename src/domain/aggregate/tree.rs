//! Trees of steps: a node is combined from its own tasks and from what the nodes below it came to, bottom-up.
//!
//! What a node is for decides how:
//!
//! | task type | the synthesis |
//! |---|---|
//! | retrieval (and none) | what all below found, consolidated: quotations by topic, each with the subagent that found it |
//! | reasoning | conflicts first, then the positions side by side |
//! | composition | the prose, in order, under one tree of headings |
//!
//! Children come in the order of `depends_on`, and as they were given where that says nothing. One that hasn't ended, or
//! was never there, is a failure of the node, not a silence. Where quotations or results are equally strong, `depends_on`
//! alone tells their order. Every node is combined once: time is linear in the nodes.

use std::collections::BTreeSet;

use super::input::{FailureStatus, InputStatus, TaskInput};
use super::options::Options;
use super::result::{AggregatedResult, Source, TaskResult};
use super::{Place, Placed, Question, Request, Style, aggregate};
use crate::domain::directive::TaskType;

mod alone;
mod chapters;
mod handed_up;
mod once;
mod order;
mod steps;
#[cfg(test)]
mod tests;
mod whole;

pub(super) use handed_up::only_lacks;
use handed_up::{findings_as_prose, is_judged, is_written, lists_quotations, source_inputs, standing_for};
use order::Ranks;
pub use order::in_order;
pub(in crate::domain) use order::{in_its_order, positions};
pub use whole::{TreeMetrics, TreeNodeResult, TreeResult, TreeWork, combine_tree};

const OPEN: &str = "it hadn't ended";
/// What is said of a step that is expected and isn't there, while it may still come and after that.
const NOT_YET: &str = "it isn't posted yet";
const NEVER: &str = "it was never posted";

/// A node and everything that it is combined from.
#[derive(Debug, Clone)]
pub struct Node {
    /// What was asked.
    pub question: Question,
    /// What it is for.
    pub task_type: Option<TaskType>,
    /// Wanted length of its synthesis, in words.
    pub length: Option<u32>,
    /// What its own subagents brought.
    pub tasks: Vec<TaskInput>,
    /// What stands below it.
    pub children: Vec<Child>,
    /// How it is combined.
    pub options: Options,
    /// Where it belongs.
    pub place: Place,
}

/// A node below another.
#[derive(Debug, Clone)]
pub struct Child {
    /// Its name.
    pub id: String,
    /// Its name in the paths of what it brought.
    step: String,
    /// What it was for.
    pub goal: Option<String>,
    /// Its siblings that come before it.
    pub depends_on: Vec<String>,
    /// What it is as a failure, where it hasn't ended or was never there.
    lacks: FailureStatus,
    /// Whether its result only says what is missing, where that is known.
    only_lacks: Option<bool>,
    outcome: Outcome,
}

#[derive(Debug, Clone)]
enum Outcome {
    /// An inner node's result.
    Ended(Box<AggregatedResult>),
    /// What a leaf says.
    Leaf(Box<TaskInput>),
    /// It hasn't ended; what there is of it.
    Unfinished(Box<AggregatedResult>),
    /// It hasn't ended, and says nothing.
    Open,
    /// It was never there.
    Missing,
}

impl Child {
    fn new(id: &str, goal: Option<String>, outcome: Outcome) -> Self {
        let (id, step) = (id.to_owned(), id.to_owned());
        Self {
            id,
            step,
            goal,
            depends_on: Vec::new(),
            lacks: FailureStatus::Pending,
            only_lacks: None,
            outcome,
        }
    }

    /// What hasn't ended, or was never there, as that failure: `timeout` where nobody waits for it any more.
    pub fn lacking_as(self, lacks: FailureStatus) -> Self {
        Self { lacks, ..self }
    }

    /// One of whose result it was asked before whether it only says what is missing.
    pub fn known_to_lack(self, only_lacks: bool) -> Self {
        Self { only_lacks: Some(only_lacks), ..self }
    }

    /// A node that was combined.
    pub fn ended(id: &str, goal: Option<String>, result: AggregatedResult) -> Self {
        Self::new(id, goal, Outcome::Ended(Box::new(result)))
    }

    /// A node that hasn't ended, combined of what there is of it.
    pub fn unfinished(id: &str, goal: Option<String>, so_far: AggregatedResult) -> Self {
        Self::new(id, goal, Outcome::Unfinished(Box::new(so_far)))
    }

    /// A leaf that says something: what it brought, as a task of its own.
    pub fn leaf(id: &str, goal: Option<String>, brought: TaskInput) -> Self {
        Self::new(id, goal, Outcome::Leaf(Box::new(brought)))
    }

    /// A node that hasn't ended, or a leaf that says nothing yet.
    pub fn open(id: &str, goal: Option<String>) -> Self {
        Self::new(id, goal, Outcome::Open)
    }

    /// A node that is expected and was never posted.
    pub fn missing(id: &str) -> Self {
        Self::new(id, None, Outcome::Missing)
    }

    fn task(&self, status: InputStatus) -> TaskInput {
        let (task_id, subagent) = (self.step.clone(), self.id.clone());
        TaskInput { task_id, subagent, task: self.goal.clone(), status, ..TaskInput::default() }
    }

    /// The tasks that this child brings to the node above.
    fn tasks(&self, task_type: Option<TaskType>) -> Vec<TaskInput> {
        let pending = InputStatus::Failed(FailureStatus::Pending);
        let lacks = InputStatus::Failed(self.lacks);
        let may_come = self.lacks == FailureStatus::Pending;
        // What may still end has the words of every task that may.
        let open = || (!may_come).then(|| OPEN.to_owned());
        let never = if may_come { NOT_YET } else { NEVER }.to_owned();
        match &self.outcome {
            Outcome::Open => vec![TaskInput { error: open(), ..self.task(lacks) }],
            Outcome::Missing => vec![TaskInput { error: Some(never), ..self.task(lacks) }],
            Outcome::Leaf(brought) => vec![TaskInput::clone(brought)],
            Outcome::Ended(result) => self.brought(result, task_type),
            Outcome::Unfinished(so_far) => {
                // What below it hasn't ended either is said with it; as one task it is what there is of that.
                let (silent, mut tasks): (Vec<TaskInput>, Vec<TaskInput>) =
                    self.brought(so_far, task_type).into_iter().partition(|task| task.status == pending);
                match tasks.iter_mut().find(|task| task.task_id == self.step) {
                    Some(whole) => (whole.status, whole.error) = (lacks, open()),
                    None => {
                        let subagents = Some(standing_for(&silent, &tasks));
                        tasks.push(TaskInput { subagents, error: open(), ..self.task(lacks) });
                    }
                }
                tasks
            }
        }
    }

    fn brought(&self, result: &AggregatedResult, task_type: Option<TaskType>) -> Vec<TaskInput> {
        let only_lacks = || self.only_lacks.unwrap_or_else(|| only_lacks(result));
        match task_type {
            // Of what can't be quoted there is the text.
            _ if only_lacks() && !is_written(result) => self.flattened(result),
            Some(TaskType::Reasoning) => self.as_one(result),
            // A model's prose is its own; all other prose stands in what was brought, with who brought it.
            Some(TaskType::Composition) if is_written(result) => self.as_one(result),
            Some(TaskType::Composition | TaskType::Retrieval) | None => self.flattened(result),
        }
    }

    /// The node's synthesis as one task, and its failures.
    fn as_one(&self, result: &AggregatedResult) -> Vec<TaskInput> {
        let listed = is_written(result) && !result.style.is_prose() || lists_quotations(result);
        let cited = |source: &&Source| {
            source.used || result.findings.iter().any(|found| found.sources.contains(&source.id))
        };
        let whole = TaskInput {
            content: if listed { findings_as_prose(result) } else { result.body.clone() },
            sources: result.sources.iter().filter(cited).flat_map(source_inputs).collect(),
            href: alone::href(result),
            ..self.task(InputStatus::Success)
        };
        // A node that found nothing says only what failed: its failures do so here.
        let whole = Some(whole).filter(|_| !result.results.is_empty());
        whole.into_iter().chain(self.failures(result, |_| true)).collect()
    }

    /// What the node's own tasks brought, each with its subagent.
    fn flattened(&self, result: &AggregatedResult) -> Vec<TaskInput> {
        let tasks = in_its_order(result).map(|(task, _)| self.task_of(result, task));
        let in_part = |id: &str| result.results.iter().any(|task| task.partial && task.task_id == id);
        tasks.chain(self.failures(result, |id| !in_part(id))).collect()
    }

    fn task_of(&self, result: &AggregatedResult, task: &TaskResult) -> TaskInput {
        let failure = result.failures.iter().find(|failure| task.partial && failure.task_id == task.task_id);
        let cited = result.sources.iter().filter(|source| task.sources.contains(&source.id));
        TaskInput {
            task_id: format!("{}/{}", self.step, task.task_id),
            task: task.task.clone(),
            subagent: task.subagent.clone(),
            status: match failure {
                Some(failure) => InputStatus::Failed(FailureStatus::named(&failure.status)),
                None if task.partial => InputStatus::Partial,
                None => InputStatus::Success,
            },
            content: task.whole.as_ref().unwrap_or(&task.content).clone(),
            sources: cited.flat_map(source_inputs).collect(),
            relevance: Some(task.relevance_detail.reported),
            confidence: task.confidence,
            href: task.href.clone(),
            // What it is only a part of is noted again where that is judged again.
            notes: task.notes.iter().filter(|note| !is_judged(note)).cloned().collect(),
            error: failure.map(|failure| failure.error.clone()),
            place: task.place,
            subagents: None,
        }
    }

    /// How many results it leaves out because there are too many, all of which the node above would have.
    fn beyond(&self) -> usize {
        match &self.outcome {
            Outcome::Ended(result) | Outcome::Unfinished(result) => result.beyond,
            Outcome::Leaf(_) | Outcome::Open | Outcome::Missing => 0,
        }
    }

    fn failures(&self, result: &AggregatedResult, wanted: impl Fn(&str) -> bool) -> Vec<TaskInput> {
        let failed = result.failures.iter().filter(|failure| wanted(&failure.task_id));
        let failures = failed.map(|failure| TaskInput {
            task_id: format!("{}/{}", self.step, failure.task_id),
            task: failure.task.clone(),
            subagent: failure.subagent.clone(),
            status: InputStatus::Failed(FailureStatus::named(&failure.status)),
            error: Some(failure.error.clone()),
            subagents: Some(failure.subagents),
            ..TaskInput::default()
        });
        failures.collect()
    }
}

/// Combines a node.
pub fn combine(node: Node) -> AggregatedResult {
    let Node { question, task_type, length, mut tasks, children, mut options, mut place } = node;
    let mut order: Vec<Placed> = tasks.iter().map(|own| Placed::alone(&own.task_id)).collect();
    let alone = match task_type {
        Some(TaskType::Reasoning) => alone::alone(&tasks, &children),
        _ => BTreeSet::new(),
    };
    let mut ranks = Ranks::of(&children);
    let own = tasks.len();
    let brought_by = |child: Child| {
        let is_alone = alone.contains(&child.id);
        let brought = if is_alone { child.as_it_was_said() } else { child.tasks(task_type) };
        (child, brought)
    };
    let mut below: Vec<(Child, Vec<TaskInput>)> = in_order(children).into_iter().map(brought_by).collect();
    // In a plan; other trees have no node twice, and any names.
    if place.session_id.is_some() {
        once::leave_each_once(&mut below);
    }
    for (child, brought) in below {
        place.beyond_below += child.beyond();
        order.extend(child.placed(&brought));
        ranks.note(&child.id, brought.len());
        tasks.extend(brought);
    }
    ranks.set_places(&mut tasks[own..]);
    let style = match task_type {
        Some(TaskType::Composition) => Style::Composition { order },
        Some(TaskType::Reasoning) => {
            Style::Positions { order: order.into_iter().map(|placed| placed.task_id).collect() }
        }
        Some(TaskType::Retrieval) | None => Style::Findings,
    };
    options.synthesis.target_length = options.synthesis.target_length.or(length);
    aggregate(Request { question, tasks, options, place, style })
}
