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
    /// What must be kept with it: its heading or the list item that it is nested in, or the object it is a member of.
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
    /// Gives every part and leaf its tokens. A piece that the tokenizer doesn't divide belongs to where it begins. A heading
    /// that would take a quarter of `limit` no longer has to be kept.
    pub(super) fn weigh(&mut self, pieces: &[(usize, usize)], limit: usize) {
        let mut current = 0;
        for &(start, tokens) in pieces {
            while self.spans.get(current + 1).is_some_and(|next| next.start <= start) {
                current += 1;
            }
            match self.spans.get(current).map(|span| span.of) {
                Some(Of::Part(part)) => self.parts[part].cost += tokens,
                Some(Of::Leaf(leaf)) => self.leaves[leaf].cost += tokens,
                None => {}
            }
        }
        for at in 0..self.parts.len() {
            let Some(parent) = self.parts[at].parent else { continue };
            let cost = self.with_first_leaf(parent);
            let long = match self.parts[parent].form {
                Form::Block(Kind::Heading { .. }) => cost > limit / 4,
                // Code in an item would not be code without it.
                Form::Block(_) => {
                    cost > limit / 8 && !matches!(self.parts[at].form, Form::Block(Kind::Code { .. }))
                }
                Form::Json | Form::Lines => false,
            };
            if long {
                self.parts[at].parent = self.parts[parent].parent;
            }
        }
    }

    /// The tokens of a part with all its leaves.
    pub(super) fn whole(&self, part: usize) -> usize {
        let part = &self.parts[part];
        part.cost + self.leaves[part.leaves.clone()].iter().map(|leaf| leaf.cost).sum::<usize>()
    }

    /// The tokens of a part as the parent of others: its head and tail, and its first sentence.
    pub(super) fn with_first_leaf(&self, part: usize) -> usize {
        self.parts[part].cost + self.first_leaf(part).map_or(0, |leaf| self.leaves[leaf].cost)
    }

    /// The leaf that comes along with a part because others are nested in it: of an item its first sentence, of an object
    /// the member that tells which one it is (that leaf has a part of its own).
    pub(super) fn first_leaf(&self, part: usize) -> Option<usize> {
        let part = &self.parts[part];
        if let Some((_, leaf)) = part.identity {
            return Some(leaf);
        }
        matches!(part.form, Form::Block(Kind::ListItem { .. }))
            .then_some(part.leaves.start)
            .filter(|leaf| *leaf < part.leaves.end)
    }
}
