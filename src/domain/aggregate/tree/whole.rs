//! A whole tree at once: every inner node from its leaves up to the root, without recursion.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Child, Node, combine};
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
    /// Those that were combined.
    pub inner_nodes: usize,
    /// Levels.
    pub depth: usize,
    /// Leaves that say nothing: each is a failure of the node above it.
    pub unfinished: usize,
}

/// Combines every inner node, bottom-up. A root without children is combined from its own content.
pub fn combine_tree(request: TreeRequest) -> TreeResult {
    let TreeRequest { nodes, aggregation, synthesis } = request;
    let options = Options { aggregation, synthesis };
    let mut metrics = TreeMetrics { nodes: nodes.len(), ..TreeMetrics::default() };
    let mut done: Vec<Option<Child>> = vec![None; nodes.len()];
    let mut combined = Vec::new();
    // Parents come first in the list: from its end, children are there before the node above them.
    for (at, node) in nodes.iter().enumerate().rev() {
        metrics.depth = metrics.depth.max(node.depth);
        let is_leaf = node.children.is_empty();
        metrics.leaves += usize::from(is_leaf);
        metrics.unfinished += usize::from(is_leaf && node.content.is_none());
        if is_leaf && at > 0 {
            done[at] = Some(leaf(node));
            continue;
        }
        let children = node.children.iter().filter_map(|&child| done[child].take()).collect();
        let result = combine(inner(node, children, &options));
        let own = Child::ended(&node.id, Some(node.goal.clone()), result.clone());
        done[at] = Some(Child { depends_on: node.depends_on.clone(), ..own });
        combined.push(TreeNodeResult {
            id: node.id.clone(),
            goal: node.goal.clone(),
            task_type: node.task_type,
            depth: node.depth,
            children: node.children.iter().map(|&child| nodes[child].id.clone()).collect(),
            result,
        });
    }
    metrics.inner_nodes = combined.len();
    let root = combined.last().expect("a parsed tree has a root");
    TreeResult { id: root.id.clone(), result: root.result.clone(), metrics, nodes: combined }
}

fn leaf(node: &TreeNode) -> Child {
    let goal = Some(node.goal.clone());
    let child = match own_task(node) {
        Some(task) => Child::leaf(&node.id, goal, task),
        None => Child::open(&node.id, goal),
    };
    Child { depends_on: node.depends_on.clone(), ..child }
}

/// What a node says itself.
fn own_task(node: &TreeNode) -> Option<TaskInput> {
    Some(TaskInput {
        task_id: node.id.clone(),
        task: Some(node.goal.clone()),
        subagent: node.id.clone(),
        status: InputStatus::Success,
        content: node.content.clone()?,
        sources: node.sources.clone(),
        notes: node.notes.clone(),
        ..TaskInput::default()
    })
}

fn inner(node: &TreeNode, children: Vec<Child>, options: &Options) -> Node {
    Node {
        question: Question { query: None, goal: Some(node.goal.clone()) },
        task_type: Some(node.task_type),
        length: node.length,
        tasks: own_task(node).into_iter().collect(),
        children,
        options: options.clone(),
        place: Place::nowhere(),
    }
}
