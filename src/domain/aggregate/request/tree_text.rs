//! The text of a tree, cut into its nodes without recursion.
//!
//! A node's JSON nests two levels a generation, so a tree of 64 levels is deeper than readers of JSON allow. One pass
//! over the bytes finds where nodes begin and end; each comes out with its children replaced by `null`, short and flat
//! enough for the usual way. The text as a whole is JSON exactly where each of the pieces is: what is broken is found
//! there. Linear; the stack of open brackets has a bound.

use super::fields::Place;
use super::{NODES_MAX, TREE_DEPTH_MAX};
use crate::domain::canonical_json::DEPTH_MAX;
use crate::domain::verdict::{Code, Refusal};

/// Brackets that may be open at once.
const OPEN_MAX: usize = 2 * TREE_DEPTH_MAX + DEPTH_MAX;

/// One node's own text.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Piece {
    /// Its JSON, with `null` for each child that is an object.
    pub own: String,
    /// The node that it is a child of.
    pub parent: Option<usize>,
    /// Its place in its parent's `children`.
    pub place: usize,
    /// Its generation; the root's is 1.
    pub depth: usize,
}

/// The nodes, in the order in which they begin; the first one is the root.
pub(super) fn pieces(text: &str) -> Result<Vec<Piece>, Refusal> {
    let mut cut =
        Cut { text, pieces: vec![Piece { depth: 1, ..Piece::default() }], copied: vec![0], open: Vec::new() };
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let end = string_end(bytes, at);
                cut.string(at, end);
                at = end;
                continue;
            }
            b'{' | b'[' => cut.open(at, *byte)?,
            b'}' | b']' => cut.close(at, *byte)?,
            b',' => cut.comma(),
            b':' => cut.colon(),
            _ => {}
        }
        at += 1;
    }
    if !cut.open.is_empty() {
        return Err(broken("it ends inside an object or an array"));
    }
    cut.copy(0, text.len());
    Ok(cut.pieces)
}

/// Where a node stands in the body.
pub(super) fn place(pieces: &[Piece], node: usize) -> Place {
    let mut steps = Vec::new();
    let mut at = Some(node);
    while let Some(piece) = at.and_then(|at| pieces.get(at)) {
        if piece.parent.is_some() {
            steps.push(piece.place);
        }
        at = piece.parent;
    }
    let pointer = steps.iter().rev().map(|step| format!("/children/{step}")).collect();
    Place { index: Some(node), pointer }
}

/// An open bracket.
enum Open {
    Object { node: Option<usize>, key: Option<(usize, usize)>, in_value: bool },
    Array { children_of: Option<usize>, place: usize },
}

struct Cut<'a> {
    text: &'a str,
    pieces: Vec<Piece>,
    /// Up to where each piece's text was copied.
    copied: Vec<usize>,
    open: Vec<Open>,
}

impl Cut<'_> {
    fn copy(&mut self, node: usize, to: usize) {
        let text = self.text.get(self.copied[node]..to).unwrap_or_default();
        self.pieces[node].own.push_str(text);
        self.copied[node] = to;
    }

    fn string(&mut self, start: usize, end: usize) {
        if let Some(Open::Object { key, in_value: false, .. }) = self.open.last_mut() {
            *key = Some((start, end));
        }
    }

    fn colon(&mut self) {
        if let Some(Open::Object { in_value, .. }) = self.open.last_mut() {
            *in_value = true;
        }
    }

    fn comma(&mut self) {
        match self.open.last_mut() {
            Some(Open::Object { in_value, .. }) => *in_value = false,
            Some(Open::Array { place, .. }) => *place += 1,
            None => {}
        }
    }

    fn open(&mut self, at: usize, byte: u8) -> Result<(), Refusal> {
        if self.open.len() >= OPEN_MAX {
            return Err(broken("it is nested too deeply"));
        }
        let opened = match (byte, self.open.last()) {
            (b'{', None) => Open::Object { node: Some(0), key: None, in_value: false },
            (b'{', Some(Open::Array { children_of: Some(parent), place })) => {
                let (parent, place) = (*parent, *place);
                let node = Some(self.child(parent, place, at)?);
                Open::Object { node, key: None, in_value: false }
            }
            (b'{', Some(_)) => Open::Object { node: None, key: None, in_value: false },
            (_, Some(Open::Object { node, key: Some((start, end)), .. }))
                if self.is_children(*start, *end) =>
            {
                Open::Array { children_of: *node, place: 0 }
            }
            (_, _) => Open::Array { children_of: None, place: 0 },
        };
        self.open.push(opened);
        Ok(())
    }

    fn is_children(&self, start: usize, end: usize) -> bool {
        let key = self.text.get(start..end).unwrap_or_default();
        key == "\"children\""
            || (key.contains('\\') && serde_json::from_str::<String>(key).is_ok_and(|key| key == "children"))
    }

    fn child(&mut self, parent: usize, place: usize, at: usize) -> Result<usize, Refusal> {
        let (node, depth) = (self.pieces.len(), self.pieces[parent].depth + 1);
        let under = || self::place(&self.pieces, parent).pointer;
        if depth > TREE_DEPTH_MAX {
            let detail = format!("the tree has more than {TREE_DEPTH_MAX} levels");
            return Err(Refusal::at(Code::LimitReached, under(), detail));
        }
        if node >= NODES_MAX {
            let detail = format!("the tree has more than {NODES_MAX} nodes");
            return Err(Refusal::at(Code::LimitReached, under(), detail));
        }
        self.copy(parent, at);
        self.pieces[parent].own.push_str("null");
        self.pieces.push(Piece { own: String::new(), parent: Some(parent), place, depth });
        self.copied.push(at);
        Ok(node)
    }

    fn close(&mut self, at: usize, byte: u8) -> Result<(), Refusal> {
        match (byte, self.open.pop()) {
            (b'}', Some(Open::Object { node, .. })) => {
                if let Some((node, parent)) = node.and_then(|node| Some((node, self.pieces[node].parent?))) {
                    self.copy(node, at + 1);
                    self.copied[parent] = at + 1;
                }
                Ok(())
            }
            (b']', Some(Open::Array { .. })) => Ok(()),
            (_, _) => Err(broken("a bracket is closed that wasn't opened")),
        }
    }
}

fn broken(why: &str) -> Refusal {
    Refusal::at(Code::InvalidJson, "", format!("this isn't valid JSON: {why}"))
}

/// Where the string that begins at `start` ends; the end of the text where it doesn't.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found + 1;
        if bytes[at - 1] == b'"' {
            return at;
        }
        at += 1;
    }
    bytes.len()
}
