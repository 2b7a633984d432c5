//! A whole tree at once: every inner node from its leaves up to the root, without recursion.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::steps::steps;
use super::{Child, FailureStatus, Node, combine};
use crate::domain::aggregate::input::{InputStatus, TaskInput};
use crate::domain::aggregate::options::Options;
use crate::domain::aggregate::request::{TreeNode, TreeRequest};
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::aggregate::{Place, Question};
use crate::domain::directive::TaskType;

/// The result of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TreeResult {
    /// The root.
    pub id: String,
    /// Every inner node's result, children before the nodes above them; the root's comes last.
    pub nodes: Vec<TreeNodeResult>,
    /// The root's result.
    pub result: AggregatedResult,
    /// Figures over the tree.
    pub metrics: TreeMetrics,
}

/// The result of one inner node.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TreeNodeResult {
    /// Its name.
    pub id: String,
    /// What it was for.
    pub goal: String,
    /// How it was combined.
    pub task_type: TaskType,
    /// Its level; the root's is 1.
    pub depth: usize,
    /// The nodes below it, in the order in which they were combined.
    pub children: Vec<String>,
    /// What they came to.
    pub result: AggregatedResult,
}

/// Figures over a tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct TreeMetrics {
    /// Nodes in all.
    pub nodes: usize,
    /// Those without children.
    pub leaves: usize,
    /// Those with children.
    pub inner_nodes: usize,
    /// Levels.
    pub depth: usize,
    /// Leaves that say nothing: each is a failure of the node above it.
    pub unfinished: usize,
}

/// Combines every inner node, bottom-up. A root without children is combined from its own content.
pub fn combine_tree(request: TreeRequest) -> TreeResult {
    let mut work = TreeWork::new(request);
    loop {
        let ready = work.ready();
        if ready.is_empty() {
            return work.finish();
        }
        for (at, node) in ready {
            work.put(at, combine(node));
        }
    }
}

/// A tree that is being combined: the nodes that can be are given out, and what they come to is put back.
#[derive(Debug)]
pub struct TreeWork {
    nodes: Vec<TreeNode>,
    /// Each node's name in the paths of what it brought.
    steps: Vec<String>,
    options: Options,
    metrics: TreeMetrics,
    /// What of each node is there for the one above.
    done: Vec<Option<Child>>,
    /// How many of its children each node waits for.
    missing: Vec<usize>,
    ready: Vec<usize>,
    combined: BTreeMap<usize, AggregatedResult>,
}

impl TreeWork {
    /// The work of a tree; its leaves are done.
    pub fn new(request: TreeRequest) -> Self {
        let TreeRequest { nodes, aggregation, synthesis } = request;
        let options = Options { aggregation, synthesis };
        let metrics = TreeMetrics {
            nodes: nodes.len(),
            leaves: nodes.iter().filter(|node| node.children.is_empty()).count(),
            depth: nodes.iter().map(|node| node.depth).max().unwrap_or_default(),
            unfinished: nodes
                .iter()
                .filter(|node| node.children.is_empty() && node.content.is_none())
                .count(),
            // A leaf that is the root is combined, and stays one.
            inner_nodes: nodes.iter().filter(|node| !node.children.is_empty()).count(),
        };
        let steps = steps(&nodes);
        let is_inner = |at: usize| at == 0 || !nodes[at].children.is_empty();
        let inner_below = |node: &TreeNode| node.children.iter().filter(|&&child| is_inner(child)).count();
        let missing: Vec<usize> = nodes.iter().map(inner_below).collect();
        // Parents come first in the list: from its end, children are there before the node above them.
        let ready = (0..nodes.len()).rev().filter(|&at| is_inner(at) && missing[at] == 0).collect();
        let of_leaf = |at: usize| (!is_inner(at)).then(|| leaf(&nodes[at], &steps[at]));
        let done = (0..nodes.len()).map(of_leaf).collect();
        Self { nodes, steps, options, metrics, done, missing, ready, combined: BTreeMap::new() }
    }

    /// The nodes that can be combined now, each given out once; none: all are.
    pub fn ready(&mut self) -> Vec<(usize, Node)> {
        let ready = std::mem::take(&mut self.ready);
        let node = |at: usize| {
            let children = self.nodes[at].children.iter().filter_map(|&child| self.done[child].take());
            let children = children.collect();
            (at, inner(&self.nodes[at], &self.steps[at], children, &self.options))
        };
        ready.into_iter().map(node).collect()
    }

    /// What a node came to.
    pub fn put(&mut self, at: usize, result: AggregatedResult) {
        let node = &self.nodes[at];
        let own = Child::ended(&node.id, Some(node.goal.clone()), result.clone());
        let (step, depends_on) = (self.steps[at].clone(), node.depends_on.clone());
        self.done[at] = Some(Child { step, depends_on, ..own });
        self.combined.insert(at, result);
        if let Some(parent) = node.parent {
            self.missing[parent] -= 1;
            if self.missing[parent] == 0 {
                self.ready.push(parent);
            }
        }
    }

    /// The result, once every node is there.
    pub fn finish(self) -> TreeResult {
        let Self { nodes, metrics, combined, .. } = self;
        let told = combined.into_iter().rev().map(|(at, result)| TreeNodeResult {
            id: nodes[at].id.clone(),
            goal: nodes[at].goal.clone(),
            task_type: nodes[at].task_type,
            depth: nodes[at].depth,
            children: nodes[at].children.iter().map(|&child| nodes[child].id.clone()).collect(),
            result,
        });
        let told: Vec<TreeNodeResult> = told.collect();
        let root = told.last().expect("a parsed tree has a root");
        TreeResult { id: root.id.clone(), result: root.result.clone(), metrics, nodes: told }
    }
}

fn leaf(node: &TreeNode, step: &str) -> Child {
    let goal = Some(node.goal.clone());
    let child = match own_task(node, step) {
        Some(task) => Child::leaf(&node.id, goal, task),
        None => Child::open(&node.id, goal),
    };
    Child { step: step.to_owned(), depends_on: node.depends_on.clone(), ..child }
}

/// What a node says itself.
fn own_task(node: &TreeNode, step: &str) -> Option<TaskInput> {
    Some(TaskInput {
        task_id: step.to_owned(),
        task: Some(node.goal.clone()),
        subagent: node.id.clone(),
        status: InputStatus::Success,
        content: node.content.clone()?,
        sources: node.sources.clone(),
        notes: node.notes.clone(),
        ..TaskInput::default()
    })
}

fn inner(node: &TreeNode, step: &str, children: Vec<Child>, options: &Options) -> Node {
    // A root that says nothing and has nothing below is itself what hasn't ended.
    let unfinished = || TaskInput {
        task_id: step.to_owned(),
        task: Some(node.goal.clone()),
        subagent: node.id.clone(),
        status: InputStatus::Failed(FailureStatus::Pending),
        ..TaskInput::default()
    };
    let own = own_task(node, step).or_else(|| children.is_empty().then(unfinished));
    Node {
        question: Question { query: None, goal: Some(node.goal.clone()) },
        task_type: Some(node.task_type),
        length: node.length,
        tasks: own.into_iter().collect(),
        children,
        options: options.clone(),
        place: Place::nowhere(),
    }
}
