//! Writes the chosen parts and leaves of a text, in its order.

use super::emphasis::STRONG;
use super::outline::{Form, Outline, Part, Tail};
use crate::domain::text::blocks::Kind;
use crate::domain::text::tokens::{Known, Tokenizer};

/// What is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    /// By part: whether its head is written.
    pub(super) parts: Vec<bool>,
    /// By leaf.
    pub(super) leaves: Vec<bool>,
    /// One more leaf, in other words.
    pub(super) short: Option<(usize, String)>,
}

impl Chosen {
    fn has_leaf(&self, leaf: usize) -> bool {
        self.leaves[leaf] || self.short.as_ref().is_some_and(|(short, _)| *short == leaf)
    }
}

/// What was chosen, as text.
pub(super) struct Body {
    /// Without white space at its end.
    pub(super) text: String,
    /// Its tokens of the vocabulary with the blank line after it.
    pub(super) tokens: usize,
}

/// What stands before the marker.
pub(super) const BREAK: &str = "\n\n";

/// Writes what was chosen and counts its tokens: only of parts that aren't as they were in the text, because after a line
/// break the tokenizer begins anew.
pub(super) fn assemble(
    text: &str,
    outline: &Outline,
    chosen: &Chosen,
    counted: (&Tokenizer, &Known<'_>),
) -> Body {
    let mut write = Write { text, outline, chosen, out: String::new(), open: Vec::new() };
    let mut last: Option<(usize, usize)> = None;
    let mut tokens = 0;
    for at in 0..outline.parts.len() {
        if !chosen.parts[at] {
            continue;
        }
        let is_json = outline.parts[at].form == Form::Json;
        let is_inside = |parent: usize| outline.parts[parent].form == Form::Json;
        if is_json && outline.parts[at].parent.is_some_and(is_inside) {
            write.element(at);
            continue;
        }
        write.close(None);
        if let Some((last, start)) = last {
            write.separate(last, at);
            tokens += write.tokens(last, start, counted);
        }
        last = Some((at, write.out.len()));
        if is_json { write.element(at) } else { write.block(at) }
    }
    write.close(None);
    let end = write.out.trim_end().len();
    write.out.truncate(end);
    write.out.push_str(BREAK);
    let (last, start) = last.unwrap_or((usize::MAX, 0));
    tokens += if end == 0 { 0 } else { write.tokens(last, start.min(end), counted) };
    write.out.truncate(end);
    Body { text: write.out, tokens }
}

struct Write<'a> {
    text: &'a str,
    outline: &'a Outline,
    chosen: &'a Chosen,
    out: String,
    /// The objects and arrays that are open, and whether they have a member yet.
    open: Vec<(usize, bool)>,
}

impl Write<'_> {
    /// The tokens of a part that was written from `start` on, with what separates it from the next.
    fn tokens(&self, part: usize, start: usize, (tokenizer, known): (&Tokenizer, &Known<'_>)) -> usize {
        let written = &self.out[start..];
        let same = |entry: &&Part| self.text[entry.original.clone()] == *written;
        match self.outline.parts.get(part).filter(same) {
            Some(_) => self.outline.whole(part),
            None => tokenizer.raw_known(written, known),
        }
    }

    /// What stands between two blocks: as in the text where nothing was left out between, else a blank line, or only a line
    /// break between items of a tight list and after a heading that has none.
    fn separate(&mut self, last: usize, at: usize) {
        let before = &self.outline.parts[last];
        let gap = &self.text[before.gap.clone()];
        let tight = gap.matches('\n').count() == 1;
        let is_item = |part: &Part| matches!(part.form, Form::Block(Kind::ListItem { .. }));
        let is_heading = matches!(before.form, Form::Block(Kind::Heading { .. }));
        if last + 1 == at && !gap.is_empty() {
            self.out.push_str(gap);
        } else if tight && (is_heading || is_item(before) && is_item(&self.outline.parts[at])) {
            self.out.push('\n');
        } else {
            self.out.push_str("\n\n");
        }
    }

    fn block(&mut self, at: usize) {
        let part = &self.outline.parts[at];
        let mut head = &self.text[part.head.clone()];
        let nested = part.parent.is_some_and(|parent| {
            matches!(self.outline.parts[parent].form, Form::Block(Kind::ListItem { .. }))
        });
        // Without the item that it was nested in, indentation would make it code.
        if !nested && matches!(part.form, Form::Block(Kind::ListItem { .. } | Kind::Paragraph | Kind::Quote))
        {
            head = head.trim_ascii_start();
        }
        self.out.push_str(head);
        // Rows and lines begin on a line of their own, sentences right after the marker.
        let mut lead = matches!(part.form, Form::Block(Kind::Table | Kind::Code { fenced: true, .. }));
        let mut strong = false;
        for leaf in part.leaves.clone().filter(|leaf| self.chosen.has_leaf(*leaf)) {
            let entry = &self.outline.leaves[leaf];
            let (before, after) = entry.strong;
            if strong && !before {
                self.out.push_str(STRONG);
            }
            if lead {
                self.out.push_str(&self.text[entry.lead.clone()]);
            }
            if before && !strong {
                self.out.push_str(STRONG);
            }
            // A sentence is only shortened where no more is open than at its start.
            strong = if self.leaf(leaf) { before } else { after };
            lead = true;
        }
        if strong {
            self.out.push_str(STRONG);
        }
        match &part.tail {
            Tail::None => {}
            Tail::Own(tail) => self.out.push_str(&self.text[tail.clone()]),
            Tail::Fence(fence) => {
                self.out.push('\n');
                self.out.push_str(&self.text[fence.clone()]);
            }
        }
    }

    /// Writes a leaf; whether only its first words.
    fn leaf(&mut self, leaf: usize) -> bool {
        let short = self.chosen.short.as_ref().filter(|(short, _)| *short == leaf);
        let words = short.map_or(&self.text[self.outline.leaves[leaf].text.clone()], |(_, words)| words);
        self.out.push_str(words);
        short.is_some()
    }

    /// An element of JSON with its leaf, or the start of an object or array.
    fn element(&mut self, at: usize) {
        let part = &self.outline.parts[at];
        self.close(part.parent);
        if let Some((_, has_member)) = self.open.last_mut() {
            if *has_member {
                self.out.push(',');
            }
            *has_member = true;
        }
        self.out.push_str(&self.text[part.gap.clone()]);
        self.out.push_str(&self.text[part.head.clone()]);
        let kept: Vec<usize> = part.leaves.clone().filter(|leaf| self.chosen.has_leaf(*leaf)).collect();
        for (place, leaf) in kept.iter().enumerate() {
            // The first one follows the quote.
            if place > 0 {
                self.out.push_str(&self.text[self.outline.leaves[*leaf].lead.clone()]);
            }
            self.leaf(*leaf);
        }
        // A string that isn't all there says so itself.
        if kept.len() < part.leaves.len() && !self.out.ends_with('…') {
            self.out.push_str(" …");
        }
        if part.tail != Tail::None {
            self.open.push((at, false));
        }
    }

    /// Closes objects and arrays until `parent` is the innermost one.
    fn close(&mut self, parent: Option<usize>) {
        while let Some((open, _)) = self.open.last().filter(|(open, _)| Some(*open) != parent) {
            if let Tail::Own(tail) = &self.outline.parts[*open].tail {
                self.out.push_str(&self.text[tail.clone()]);
            }
            self.open.pop();
        }
    }
}
