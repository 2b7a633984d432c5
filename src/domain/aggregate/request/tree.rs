//! A task tree, as a list of nodes: no node holds another one, so no depth can overflow a stack.

use std::collections::{BTreeMap, BTreeSet};

use super::fields::{Fields, Issues, Place, short};
use super::options::{Which, read as read_options};
use super::results::content;
use super::tree_text::{Piece, pieces, place};
use super::{NAME_CHARS_MAX, NODES_MAX, QUERY_CHARS_MAX, TREE_BYTES_MAX};
use crate::domain::aggregate::input::SourceInput;
use crate::domain::aggregate::json::{items, member, members, text};
use crate::domain::canonical_json::canonicalize;
use crate::domain::directive::{AggregationOptions, SynthesisOptions, TaskType};
use crate::domain::requests::refusal_of;
use crate::domain::verdict::{Code, Refusal};

const KNOWN: &[&str] = &["id", "goal", "task_type", "length", "content", "depends_on", "children"];
const KNOWN_AT_ROOT: &[&str] =
    &["id", "goal", "task_type", "length", "content", "depends_on", "children", "options"];
/// Longest text that can be asked for.
const LENGTH_MAX: u32 = 100_000;

/// The body of `POST /trees`.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeRequest {
    /// Every node; the first one is the root, and each comes after its parent.
    pub nodes: Vec<TreeNode>,
    /// How results are combined.
    pub aggregation: AggregationOptions,
    /// How it is written.
    pub synthesis: SynthesisOptions,
}

/// One task of a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeNode {
    /// Its id, unique in the tree.
    pub id: String,
    /// What it is for.
    pub goal: String,
    /// How its children are combined.
    pub task_type: TaskType,
    /// How long its text should be.
    pub length: Option<u32>,
    /// What it says itself, Markdown; `None` where it hasn't said anything: an unfinished task.
    pub content: Option<String>,
    /// What its content names as sources, where it was a payload.
    pub sources: Vec<SourceInput>,
    /// What is odd about its content.
    pub notes: Vec<String>,
    /// Ids of the siblings that come before it.
    pub depends_on: Vec<String>,
    /// Its children's places in `nodes`: after those that they depend on, else as given.
    pub children: Vec<usize>,
    /// Its parent's place in `nodes`.
    pub parent: Option<usize>,
    /// Its generation; the root's is 1.
    pub depth: usize,
}

impl TreeNode {
    /// The bytes of what it says, as often as they are combined: on its own level and on each above it.
    pub fn bytes_handed_up(&self) -> usize {
        self.content.as_ref().map_or(0, String::len).saturating_mul(self.depth)
    }
}

pub(super) fn parse(text: &str) -> Result<TreeRequest, Refusal> {
    let pieces = pieces(text)?;
    let mut issues = Issues::default();
    let mut nodes = Vec::with_capacity(pieces.len());
    let mut options = (AggregationOptions::default(), SynthesisOptions::default());
    let mut objects: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); pieces.len()];
    for piece in &pieces {
        if let Some(parent) = piece.parent {
            objects[parent].insert(piece.place);
        }
    }
    for (index, piece) in pieces.iter().enumerate() {
        let at = place(&pieces, index);
        canonicalize(&piece.own, &mut Vec::new()).map_err(|fault| refusal_of(fault, &at.pointer))?;
        nodes.push(node(piece, at, &objects[index], &mut issues));
        if index == 0 {
            let root = members(&piece.own).unwrap_or_default();
            options = read_options(member(&root, "options"), Which::Both, &mut issues);
        }
    }
    link(&mut nodes, &pieces, &mut issues);
    let bytes = nodes.iter().map(TreeNode::bytes_handed_up).fold(0_usize, usize::saturating_add);
    if bytes > TREE_BYTES_MAX {
        let detail = format!(
            "the contents, each counted by its level, have {bytes} bytes; the limit is {TREE_BYTES_MAX}"
        );
        issues.add(Code::LimitReached, &Place::default(), detail);
    }
    issues.finish()?;
    Ok(TreeRequest { nodes, aggregation: options.0, synthesis: options.1 })
}

/// One node; where something is wrong the issues say so, and what is returned isn't used. `objects` are the places of its
/// children, which stand as `null` in its text.
fn node(piece: &Piece, at: Place, objects: &BTreeSet<usize>, issues: &mut Issues) -> TreeNode {
    let mut node = TreeNode {
        id: String::new(),
        goal: String::new(),
        task_type: TaskType::Composition,
        length: None,
        content: None,
        sources: Vec::new(),
        notes: Vec::new(),
        depends_on: Vec::new(),
        children: Vec::new(),
        parent: piece.parent,
        depth: piece.depth,
    };
    let known = if piece.parent.is_none() { KNOWN_AT_ROOT } else { KNOWN };
    let Some(fields) = Fields::read(&piece.own, at, Some(known), issues) else { return node };
    node.id = fields.required_text("id", NAME_CHARS_MAX, issues).unwrap_or_default();
    node.goal = fields.required_text("goal", QUERY_CHARS_MAX, issues).unwrap_or_default();
    fields.require("task_type", issues);
    let named = |json: &str| serde_json::from_str(json).ok();
    let what = "`retrieval`, `reasoning` or `composition`";
    node.task_type = fields.typed("task_type", what, named, issues).unwrap_or(TaskType::Composition);
    let length =
        |json: &str| serde_json::from_str(json).ok().filter(|length| (1..=LENGTH_MAX).contains(length));
    node.length = fields.typed("length", "a whole number from 1 to 100000", length, issues);
    if let Some(json) = fields.get("content") {
        let read = content(json, &fields.at("content"), issues);
        (node.content, node.sources, node.notes) = (Some(read.content), read.sources, read.notes);
    }
    for (place, json) in
        fields.array("depends_on", NODES_MAX, issues).unwrap_or_default().into_iter().enumerate()
    {
        match text(json) {
            Some(id) => node.depends_on.push(id),
            None => issues.add(
                Code::InvalidEvent,
                &fields.at("depends_on").below(&place.to_string()),
                "an id is a string",
            ),
        }
    }
    let children = fields.typed("children", "an array", items, issues).unwrap_or_default();
    for place in (0..children.len()).filter(|place| !objects.contains(place)) {
        issues.add(
            Code::InvalidEvent,
            &fields.at("children").below(&place.to_string()),
            "a child has to be an object",
        );
    }
    node
}

/// For a node, those on which it depends.
type Edges = BTreeMap<usize, BTreeSet<usize>>;

/// Gives each node its children in the order of `depends_on`, and finds ids that are there twice, ids that no sibling
/// has, and cycles.
fn link(nodes: &mut [TreeNode], pieces: &[Piece], issues: &mut Issues) {
    let mut ids: BTreeMap<&str, usize> = BTreeMap::new();
    let mut siblings: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if !node.id.is_empty() && ids.insert(&node.id, index).is_some() {
            let detail = format!("the id `{}` is there twice", short(&node.id));
            issues.add(Code::InvalidEvent, &place(pieces, index).below("id"), detail);
        }
        if let Some(parent) = node.parent {
            siblings[parent].push(index);
        }
    }
    let mut before = Edges::new();
    for (index, node) in nodes.iter().enumerate() {
        for (which, id) in node.depends_on.iter().enumerate() {
            match ids.get(id.as_str()) {
                Some(other) if nodes[*other].parent == node.parent && node.parent.is_some() => {
                    before.entry(index).or_default().insert(*other);
                }
                found => {
                    let is = if found.is_some() { "isn't a sibling" } else { "isn't in the tree" };
                    let detail = format!("`{}` depends on `{}`, which {is}", short(&node.id), short(id));
                    issues.add(
                        Code::InvalidEvent,
                        &place(pieces, index).below("depends_on").below(&which.to_string()),
                        detail,
                    );
                }
            }
        }
    }
    for (parent, siblings) in siblings.iter().enumerate() {
        let (order, left) = peel(siblings, &before);
        let cyclic: BTreeSet<usize> = left.iter().copied().collect();
        let mut after = Edges::new();
        for index in &left {
            for other in before.get(index).into_iter().flatten().filter(|other| cyclic.contains(other)) {
                after.entry(*other).or_default().insert(*index);
            }
        }
        // What is left depends on a cycle; peeled from the other end too, only what stands between cycles is left.
        for index in peel(&left, &after).1 {
            let detail = format!("`{}` depends on itself, through `depends_on`", short(&nodes[index].id));
            issues.add(Code::InvalidEvent, &place(pieces, index).below("depends_on"), detail);
        }
        nodes[parent].children = order;
    }
}

/// `nodes` in an order in which each comes after those `before` it, the earliest first (Kahn 1962), and those for which
/// there is none. `O((n + e) log n)`.
fn peel(nodes: &[usize], before: &Edges) -> (Vec<usize>, Vec<usize>) {
    let mut waiting: BTreeMap<usize, usize> = nodes.iter().map(|node| (*node, 0)).collect();
    let mut after: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for node in nodes {
        for other in before.get(node).into_iter().flatten().filter(|other| waiting.contains_key(other)) {
            after.entry(*other).or_default().push(*node);
        }
    }
    for node in after.values().flatten() {
        *waiting.entry(*node).or_default() += 1;
    }
    let mut ready: BTreeSet<usize> =
        waiting.iter().filter(|(_, count)| **count == 0).map(|(node, _)| *node).collect();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(node) = ready.pop_first() {
        waiting.remove(&node);
        order.push(node);
        for next in after.get(&node).map(Vec::as_slice).unwrap_or_default() {
            if let Some(count) = waiting.get_mut(next) {
                *count -= 1;
                if *count == 0 {
                    ready.insert(*next);
                }
            }
        }
    }
    (order, waiting.into_keys().collect())
}
