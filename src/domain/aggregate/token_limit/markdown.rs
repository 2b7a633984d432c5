//! The outline of a Markdown text.

use std::ops::Range;

use super::listed_lines::lines_of;
use super::marks::{fence, indentation, prefix};
use super::outline::{Form, Grain, Leaf, Of, Outline, Part, Span, Tail};
use super::{emphasis, labels};
use crate::domain::text::blocks::{Block, Kind, blocks};
use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::sentences::sentences;

/// A longer heading is prose that stands above a rule by mistake. In bytes.
const HEADING_MAX: usize = 300;
/// How deep items of lists may be nested in one another; deeper ones belong to the last of these.
const DEPTH_MAX: usize = 16;
/// Labels are below all headings.
const LABEL_LEVEL: u8 = 7;

/// Parts are blocks; leaves are sentences, rows and lines.
pub(super) fn outline(text: &str) -> Outline {
    let blocks = blocks(text);
    let outline = Outline::with_room(blocks.len(), text.len());
    let mut build = Build { text, outline, headings: Vec::new(), items: Vec::new(), lead: None };
    for block in &blocks {
        build.block(block);
    }
    build.outline
}

struct Build<'t> {
    text: &'t str,
    outline: Outline,
    /// The headings above, by level; labels are below all of them.
    headings: Vec<(u8, usize)>,
    /// The items of lists that we are in, by indentation.
    items: Vec<Item>,
    /// What introduces the next block or list.
    lead: Option<usize>,
}

/// An item of a list that we are in.
struct Item {
    indent: usize,
    part: usize,
    /// Whether it is numbered and introduces something. Often the list below it isn't indented.
    leads: bool,
}

impl Build<'_> {
    fn block(&mut self, block: &Block) {
        let content = block.content(self.text);
        let long = content.len() > HEADING_MAX && matches!(block.kind, Kind::Heading { .. });
        let kind = if long { Kind::Paragraph } else { block.kind };
        let is_label = kind == Kind::Paragraph && labels::is_label(self.text[content.clone()].trim());
        self.place(kind, &content);
        if self.items.is_empty() && (is_label || kind == Kind::Rule) {
            self.close_headings(LABEL_LEVEL);
        }
        let index = self.outline.parts.len();
        let parent = self.parent(kind, index);
        if kind == (Kind::Code { fenced: true, closed: true })
            && self.items.is_empty()
            && super::json::fenced(&mut self.outline, self.text, content.clone(), parent)
        {
            return;
        }
        let first_leaf = self.outline.leaves.len();
        self.outline.parts.push(Part {
            form: Form::Block(kind),
            head: content.start..content.start,
            tail: Tail::None,
            leaves: first_leaf..first_leaf,
            parent,
            gap: content.end..block.range.end,
            original: content.start..block.range.end,
            cost: 0,
            score: 0.0,
            content: true,
            identity: None,
            leads: false,
        });
        self.outline.spans.push(Span { start: block.range.start, of: Of::Part(index) });
        self.fill(kind, index, content);
        self.outline.parts[index].leaves.end = self.outline.leaves.len();
        self.goes_on(kind, index, is_label);
    }

    /// What a block must not be without.
    fn parent(&mut self, kind: Kind, index: usize) -> Option<usize> {
        let is_heading = matches!(kind, Kind::Heading { .. } | Kind::Rule);
        let is_in_list = !self.items.is_empty() || matches!(kind, Kind::ListItem { .. });
        // A lead-in introduces the next block, or all items of the next list.
        let lead = self.lead.filter(|lead| !is_heading && (is_in_list || lead + 1 == index));
        self.lead = lead.filter(|_| is_in_list);
        let item = self.items.last().map(|item| item.part);
        let after = index.checked_sub(1).filter(|last| !is_heading && !is_in_list && self.is_open(*last));
        item.or(after).or(lead).or(self.headings.last().map(|(_, heading)| *heading))
    }

    /// Whether an item introduces the block behind its list: by a colon, or by a label alone in its list.
    fn is_open(&self, item: usize) -> bool {
        let parts = &self.outline.parts;
        let is_item = |at: usize| matches!(parts[at].form, Form::Block(Kind::ListItem { .. }));
        let ends_with_colon = || labels::leads(self.text[parts[item].original.clone()].trim_end());
        let is_alone = || item == 0 || !is_item(item - 1);
        is_item(item) && parts[item].leads && (ends_with_colon() || is_alone())
    }

    /// Notes what the blocks behind a block may belong to.
    fn goes_on(&mut self, kind: Kind, index: usize, is_label: bool) {
        let leads = self.outline.parts[index].leads;
        match kind {
            Kind::Heading { level } => self.headings.push((level, index)),
            Kind::ListItem { indent, ordered } => {
                if self.items.len() < DEPTH_MAX {
                    self.items.push(Item { indent, part: index, leads: leads && ordered });
                }
            }
            Kind::Paragraph if leads && self.items.is_empty() => {
                if is_label {
                    self.headings.push((LABEL_LEVEL, index));
                } else {
                    self.lead = Some(index);
                }
            }
            Kind::Paragraph | Kind::Quote | Kind::Code { .. } | Kind::Table | Kind::Rule | Kind::Html => {}
        }
    }

    /// Leaves the headings and items that a block doesn't belong to.
    fn place(&mut self, kind: Kind, content: &Range<usize>) {
        match kind {
            Kind::Heading { level } => {
                self.items.clear();
                self.close_headings(level);
            }
            Kind::ListItem { indent, ordered } => {
                // An item that is less than two columns further in is a sister.
                let is_sister = |above: &Item| {
                    above.indent + 2 > indent && !(above.leads && !ordered && above.indent <= indent)
                };
                while self.items.last().is_some_and(is_sister) {
                    self.items.pop();
                }
            }
            Kind::Paragraph | Kind::Quote | Kind::Code { .. } | Kind::Table | Kind::Rule | Kind::Html => {
                let indent = indentation(&self.text[content.clone()]);
                while self.items.last().is_some_and(|above| above.indent + 2 > indent) {
                    self.items.pop();
                }
            }
        }
    }

    fn close_headings(&mut self, level: u8) {
        while self.headings.last().is_some_and(|(above, _)| *above >= level) {
            self.headings.pop();
        }
    }

    fn fill(&mut self, kind: Kind, index: usize, content: Range<usize>) {
        match kind {
            Kind::Heading { .. } => self.outline.parts[index].head = content,
            Kind::Rule => self.outline.parts[index].content = false,
            Kind::Html => {
                let block = self.text[content.clone()].trim_start().to_ascii_lowercase_start();
                self.outline.parts[index].content =
                    !begins_with_any(&block, &["<!", "<?", "<script", "<style"]);
                self.leaf(index, Grain::Whole, content.clone(), content.start..content.start, None);
            }
            Kind::Paragraph | Kind::ListItem { .. } | Kind::Quote => self.prose(index, content),
            Kind::Table => self.lines(index, content, 2, false),
            Kind::Code { fenced: true, closed } => {
                self.lines(index, content.clone(), 1, closed);
                if !closed {
                    self.outline.parts[index].tail = Tail::Fence(fence(self.text, content.start));
                }
            }
            Kind::Code { fenced: false, .. } => self.lines(index, content, 0, false),
        }
    }

    /// Sentences after the marker of the item or the quotation. JSON in a paragraph isn't prose.
    fn prose(&mut self, index: usize, content: Range<usize>) {
        let start = content.start + prefix(&self.text[content.clone()]);
        self.outline.parts[index].head = content.start..start;
        let body = &self.text[start..content.end];
        if body.starts_with(['{', '[']) && super::json::is_json(body) {
            return self.leaf(index, Grain::Whole, start..content.end, start..start, None);
        }
        if labels::is_label(body) {
            self.outline.parts[index].leads = true;
            return self.leaf(index, Grain::Whole, start..content.end, start..start, None);
        }
        let first_leaf = self.outline.leaves.len();
        let mut last = start;
        for range in sentences(body).into_iter().flat_map(|range| lines_of(body, range)) {
            let range = start + range.start..start + range.end;
            let lead = last..range.start;
            // The tokenizer joins the space after the marker to the first word.
            let joined = last == start && self.text[..start].ends_with(' ') && start > content.start;
            let span = if joined { start - 1 } else { last };
            last = range.end;
            self.leaf(index, Grain::Sentence, range, lead, Some(span));
        }
        let leaves = &mut self.outline.leaves[first_leaf..];
        let is_quote = matches!(self.outline.parts[index].form, Form::Block(Kind::Quote));
        self.outline.parts[index].leads = !is_quote && !leaves.is_empty() && labels::leads(body);
        if leaves.len() > 1 {
            emphasis::mark(self.text, leaves);
        }
    }

    /// Lines: the first `head` of them, and the last where `tail` is set, stay with what is kept of the others.
    fn lines(&mut self, index: usize, content: Range<usize>, head: usize, tail: bool) {
        let ends =
            memchr::memchr_iter(b'\n', self.text[content.clone()].as_bytes()).map(|at| content.start + at);
        let ends: Vec<usize> = ends.chain([content.end]).collect();
        if head > 0 {
            let end = ends[(head - 1).min(ends.len() - 1)];
            self.outline.parts[index].head = content.start..self.trimmed(content.start, end);
        }
        let last = if tail { ends.len() - 1 } else { ends.len() };
        // Where the line before ends, and what was last written.
        let mut before = head.checked_sub(1).map_or(content.start, |line| ends[line.min(ends.len() - 1)]);
        let mut from = head;
        while from < last {
            let start = if from == 0 { content.start } else { ends[from - 1] + 1 };
            let end = self.trimmed(start, ends[from]);
            // Blank lines go with the line before them where another follows.
            let mut to = from;
            while to + 1 < last && self.text[ends[to] + 1..ends[to + 1]].trim().is_empty() {
                to += 1;
            }
            self.leaf(index, Grain::Whole, start..end, before..start, Some(start));
            before = end;
            from = to + 1;
        }
        if tail && ends.len() > 1 {
            let start = ends[ends.len() - 2];
            self.outline.parts[index].tail = Tail::Own(start..content.end);
            self.outline.spans.push(Span { start: start + 1, of: Of::Part(index) });
        }
    }

    /// Without a carriage return at the end.
    fn trimmed(&self, start: usize, end: usize) -> usize {
        start + self.text[start..end].trim_end_matches('\r').len()
    }

    fn leaf(
        &mut self,
        part: usize,
        grain: Grain,
        text: Range<usize>,
        lead: Range<usize>,
        span: Option<usize>,
    ) {
        let of = Of::Leaf(self.outline.leaves.len());
        let start = span.unwrap_or(text.start);
        self.outline.leaves.push(Leaf {
            part,
            grain,
            text,
            lead,
            strong: (false, false),
            introduces: false,
            cost: 0,
            score: 0.0,
        });
        self.outline.spans.push(Span { start, of });
    }
}

/// The first bytes of a block in lower case, enough for the name of a tag.
trait LowercaseStart {
    fn to_ascii_lowercase_start(&self) -> String;
}

impl LowercaseStart for str {
    fn to_ascii_lowercase_start(&self) -> String {
        self.chars().take(8).map(|c| c.to_ascii_lowercase()).collect()
    }
}
