//! What was read of an answer, before it is known what it means.

/// A value. Nothing in it is deeper than [`NESTING_MAX`](super::super::NESTING_MAX).
#[derive(Debug)]
pub(super) enum Node {
    /// Fields in their order, and whether the object was closed.
    Object(Vec<(String, Node)>, bool),
    /// Items, and whether the list was closed.
    List(Vec<Node>, bool),
    /// A string.
    Text(String),
    /// A number, a literal, or a bare word.
    Word(String),
    /// Cut off, too long or too deep.
    Broken,
}

impl Node {
    /// Whether nothing of it is missing.
    pub(super) fn is_whole(&self) -> bool {
        match self {
            Node::Object(_, closed) | Node::List(_, closed) => *closed,
            Node::Text(_) | Node::Word(_) => true,
            Node::Broken => false,
        }
    }

    /// Whether it stands for nothing: `null`, in the languages that models mix up with JSON.
    pub(super) fn is_null(&self) -> bool {
        const NULLS: [&str; 4] = ["null", "none", "undefined", "nil"];
        match self {
            Node::Word(word) => NULLS.iter().any(|null| word.eq_ignore_ascii_case(null)),
            Node::Object(..) | Node::List(..) | Node::Text(_) | Node::Broken => false,
        }
    }
}
