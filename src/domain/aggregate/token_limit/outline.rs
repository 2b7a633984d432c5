//! A text as parts (its blocks) with leaves (what may be left out: sentences, rows, lines, elements).

use std::ops::Range;

use crate::domain::text::blocks::Kind;

/// What a leaf is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grain {
    /// A sentence: may be shortened between words.
    Sentence,
    /// A row, a line, an element: whole or not at all.
    Whole,
}

/// The smallest thing that is kept or left out.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) part: usize,
    pub(super) grain: Grain,
    /// What is written.
    pub(super) text: Range<usize>,
    /// What is written before, where another leaf of the part is.
    pub(super) lead: Range<usize>,
    /// Whether strong emphasis (`**`) is open where it begins, and where it ends.
    pub(super) strong: (bool, bool),
    /// Whether it says nothing without what it introduces, and therefore is kept with that or not at all.
    pub(super) introduces: bool,
    /// Tokens, with the white space that follows or precedes it.
    pub(super) cost: usize,
    /// Salience.
    pub(super) score: f32,
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A block of Markdown.
    Block(Kind),
    /// An array or object of JSON, with its brackets as head and tail.
    Json,
    /// A text of lines of JSON.
    Lines,
}

/// What ends a part where something of it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// Nothing.
    None,
    /// Bytes of the text, with the line break or space before.
    Own(Range<usize>),
    /// The closing fence that the text lacks: the marks are those bytes.
    Fence(Range<usize>),
}

/// A block.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) form: Form,
    /// What comes before its leaves: a heading's text, a list marker, header and delimiter row, an opening fence.
    pub(super) head: Range<usize>,
    pub(super) tail: Tail,
    /// Its leaves in [`Outline::leaves`].
    pub(super) leaves: Range<usize>,
    /// What must be kept with it: its heading or label, the sentence that introduces it, the list item that it is nested in,
    /// or the object it is a member of.
    pub(super) parent: Option<usize>,
    /// The white space after it in the text; before it, in JSON.
    pub(super) gap: Range<usize>,
    /// All its bytes in the text, with the white space after it: what its tokens were counted of.
    pub(super) original: Range<usize>,
    /// Tokens of head and tail.
    pub(super) cost: usize,
    /// Salience of its leaves together.
    pub(super) score: f32,
    /// Whether it may be kept. Rules and comments aren't.
    pub(super) content: bool,
    /// Of an object of JSON, the leaf of the member that tells which one it is, with its rank: the lowest names best.
    pub(super) identity: Option<(usize, usize)>,
    /// Whether its last leaf introduces what belongs to it: a label, or a sentence that ends with a colon.
    pub(super) leads: bool,
}

/// Where tokens are counted: from `start` to the next one's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) of: Of,
}

/// Whose tokens they are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Of {
    Part(usize),
    Leaf(usize),
}

/// A text's parts, leaves and the places where their tokens begin, all in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) parts: Vec<Part>,
    pub(super) leaves: Vec<Leaf>,
    pub(super) spans: Vec<Span>,
}

impl Outline {
    /// Nothing yet, with room for what a text of so many blocks and bytes mostly has.
    pub(super) fn with_room(blocks: usize, bytes: usize) -> Self {
        const LEAF_BYTES: usize = 128;
        let leaves = blocks + bytes / LEAF_BYTES;
        Self {
            parts: Vec::with_capacity(blocks),
            leaves: Vec::with_capacity(leaves),
            spans: Vec::with_capacity(blocks + leaves),
        }
    }

    /// Gives every part and leaf its tokens. A piece that the tokenizer doesn't divide belongs to where it begins. A heading or
    /// an item that would take a quarter of `limit` no longer has to be kept, nor has a lead-in that would take a third.
    pub(super) fn weigh(&mut self, pieces: &[(usize, usize)], limit: usize) {
        let mut left = pieces;
        for (at, span) in self.spans.iter().enumerate() {
            let next = self.spans.get(at + 1).map_or(usize::MAX, |next| next.start);
            let count = left.iter().position(|(start, _)| *start >= next).unwrap_or(left.len());
            let (own, behind) = left.split_at(count);
            let tokens: usize = own.iter().map(|(_, tokens)| tokens).sum();
            match span.of {
                Of::Part(part) => self.parts[part].cost += tokens,
                Of::Leaf(leaf) => self.leaves[leaf].cost += tokens,
            }
            left = behind;
        }
        for at in 0..self.parts.len() {
            let Some(parent) = self.parts[at].parent else { continue };
            let cost = self.with_leaves_along(parent);
            let long = match self.parts[parent].form {
                Form::Block(Kind::Heading { .. }) => cost > limit / 4,
                // Code in an item would not be code without it.
                Form::Block(Kind::ListItem { .. })
                    if matches!(self.parts[at].form, Form::Block(Kind::Code { .. })) =>
                {
                    false
                }
                Form::Block(_) => cost > limit / if self.parts[parent].leads { 3 } else { 4 },
                Form::Json | Form::Lines => false,
            };
            if long {
                self.parts[at].parent = self.parts[parent].parent;
            } else if self.parts[parent].leads {
                let last = self.parts[parent].leaves.end - 1;
                self.leaves[last].introduces = true;
            }
        }
    }

    /// The tokens of a part with all its leaves.
    pub(super) fn whole(&self, part: usize) -> usize {
        let part = &self.parts[part];
        part.cost + self.leaves[part.leaves.clone()].iter().map(|leaf| leaf.cost).sum::<usize>()
    }

    /// The tokens of a part as the parent of others: its head and tail, and the leaves that come along.
    fn with_leaves_along(&self, part: usize) -> usize {
        let leaves: usize = self.leaves_along(part).map(|leaf| self.leaves[leaf].cost).sum();
        self.parts[part].cost + leaves
    }

    /// The leaves that come along with a part because others belong to it: of an object the member that tells which one it is
    /// (that leaf has a part of its own), else of an item the first sentence, and what introduces them.
    pub(super) fn leaves_along(&self, part: usize) -> impl Iterator<Item = usize> + use<> {
        let part = &self.parts[part];
        let identity = part.identity.map(|(_, leaf)| leaf);
        let is_item = matches!(part.form, Form::Block(Kind::ListItem { .. }));
        let first = (is_item && !part.leaves.is_empty()).then_some(part.leaves.start);
        let last = part.leads.then(|| part.leaves.end - 1).filter(|last| first != Some(*last));
        let of_block = if identity.is_none() { [first, last] } else { [identity, None] };
        of_block.into_iter().flatten()
    }

    /// Whether a leaf comes along with a part.
    pub(super) fn is_along(&self, leaf: usize, part: usize) -> bool {
        self.leaves_along(part).any(|along| along == leaf)
    }
}
