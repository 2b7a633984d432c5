//! The outline of a JSON text: every member and element is a part, so that what is kept is still JSON. A long string is a part of
//! its sentences.

use std::ops::Range;

use super::outline::{Form, Grain, Leaf, Of, Outline, Part, Span, Tail};

mod strings;

/// Whether a text is one value of JSON, at most 128 levels deep.
pub(super) fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Members that tell which object it is, the best first.
const IDENTITIES: [&str; 12] =
    ["id", "_id", "uuid", "key", "sku", "number", "name", "title", "email", "url", "code", "label"];
/// Longest value of such a member, in bytes.
const IDENTITY_BYTES_MAX: usize = 120;

/// The outline of an object or array, or of lines that each are one; none for any other text.
pub(super) fn outline(text: &str) -> Option<Outline> {
    let body = text.trim_ascii();
    let start = text.len() - text.trim_ascii_start().len();
    if !body.starts_with(['{', '[']) {
        return None;
    }
    if is_json(body) {
        let mut build = Build { text, outline: Outline::default(), open: Vec::new(), at: start };
        build.value(start..start);
        return Some(build.outline);
    }
    let lines = lines(text);
    (lines.len() > 1 && lines.iter().all(|line| is_json(&text[line.clone()]))).then(|| of_lines(text, lines))
}

/// Adds the object or array that a closed fence at `block` holds to an outline, with the fence around it; `false` where
/// it holds no JSON.
pub(super) fn fenced(outline: &mut Outline, text: &str, block: Range<usize>, parent: Option<usize>) -> bool {
    let code = &text[block.clone()];
    let (Some(first), Some(last)) = (code.find('\n'), code.trim_end().rfind('\n')) else { return false };
    let inner = code.get(first + 1..last).unwrap_or_default();
    let body = inner.trim_ascii();
    if !body.starts_with(['{', '[']) || body.len() < 3 || !is_json(body) {
        return false;
    }
    let at = block.start + first + 1 + inner.len() - inner.trim_ascii_start().len();
    let root = outline.parts.len();
    let mut build = Build { text, outline: std::mem::take(outline), open: Vec::new(), at };
    build.value(block.start..block.start);
    *outline = build.outline;
    let end = block.start + code.trim_end().len();
    let part = &mut outline.parts[root];
    part.parent = parent;
    part.head.start = block.start;
    if let Tail::Own(tail) = &mut part.tail {
        tail.end = end;
    }
    true
}

/// The lines that aren't blank; none at all where one isn't an object or array.
fn lines(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_ascii();
        if !trimmed.is_empty() {
            if !trimmed.starts_with(['{', '[']) {
                return Vec::new();
            }
            let from = start + line.len() - line.trim_ascii_start().len();
            found.push(from..from + trimmed.len());
        }
        start += line.len();
    }
    found
}

fn of_lines(text: &str, lines: Vec<Range<usize>>) -> Outline {
    let mut outline = Outline::default();
    outline.parts.push(part(Form::Lines, 0..0, 0..lines.len(), None, text.len()..text.len()));
    let mut last = 0;
    for (at, line) in lines.into_iter().enumerate() {
        let lead = if at == 0 { line.start..line.start } else { last..line.start };
        outline.spans.push(Span { start: last, of: Of::Leaf(at) });
        last = line.end;
        outline.leaves.push(piece(0, Grain::Whole, line, lead));
    }
    outline
}

fn piece(part: usize, grain: Grain, text: Range<usize>, lead: Range<usize>) -> Leaf {
    Leaf { part, grain, text, lead, strong: (false, false), introduces: false, cost: 0, score: 0.0 }
}

fn part(
    form: Form,
    head: Range<usize>,
    leaves: Range<usize>,
    parent: Option<usize>,
    gap: Range<usize>,
) -> Part {
    Part {
        form,
        head,
        tail: Tail::None,
        leaves,
        parent,
        gap,
        original: 0..0,
        cost: 0,
        score: 0.0,
        content: true,
        identity: None,
        leads: false,
    }
}

struct Build<'t> {
    text: &'t str,
    outline: Outline,
    /// The objects and arrays that are open.
    open: Vec<usize>,
    at: usize,
}

impl Build<'_> {
    fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    fn skip_space(&mut self) -> Range<usize> {
        let start = self.at;
        while self.byte().is_ascii_whitespace() {
            self.at += 1;
        }
        start..self.at
    }

    /// Passes over a string, whose first byte is the quote.
    fn skip_string(&mut self) {
        self.at += 1;
        while let Some(found) =
            memchr::memchr2(b'"', b'\\', &self.text.as_bytes()[self.at.min(self.text.len())..])
        {
            self.at += found;
            if self.byte() == b'"' {
                self.at += 1;
                return;
            }
            self.at += 2;
        }
        self.at = self.text.len();
    }

    /// Values until the outermost one is closed. The text is known to be JSON; were it not, this ends all the same, since
    /// every round goes on by a byte.
    fn value(&mut self, root: Range<usize>) {
        let mut gap = root;
        while self.at < self.text.len() {
            let start = self.at;
            if self
                .open
                .last()
                .is_some_and(|open| self.text[self.outline.parts[*open].head.clone()].ends_with('{'))
            {
                self.skip_string();
                self.skip_space();
                self.at += 1; // the colon
                self.skip_space();
            }
            if let Some(inner) = self.one(start, gap) {
                gap = inner;
                continue;
            }
            loop {
                let space = self.skip_space();
                if self.at >= self.text.len() || !matches!(self.byte(), b'}' | b']') {
                    break;
                }
                let Some(open) = self.open.pop() else { return };
                self.at += 1;
                self.outline.parts[open].tail = Tail::Own(space.start..self.at);
                self.outline.spans.push(Span { start: space.start, of: Of::Part(open) });
            }
            if self.open.is_empty() || self.byte() != b',' {
                return;
            }
            self.at += 1;
            gap = self.skip_space();
        }
    }

    /// One value that begins here, its member at `start`: a leaf, or the start of an object or array
    /// that isn't empty: then the white space before its first member.
    fn one(&mut self, start: usize, gap: Range<usize>) -> Option<Range<usize>> {
        let index = self.outline.parts.len();
        let leaf = self.outline.leaves.len();
        let parent = self.open.last().copied();
        self.outline.spans.push(Span { start: gap.start, of: Of::Part(index) });
        match self.byte() {
            b'{' | b'[' => {
                self.at += 1;
                let head = start..self.at;
                let inner = self.skip_space();
                if !matches!(self.byte(), b'}' | b']') {
                    let mut opened = part(Form::Json, head, leaf..leaf, parent, gap);
                    opened.tail = Tail::Own(inner.end..inner.end);
                    self.outline.parts.push(opened);
                    self.open.push(index);
                    return Some(inner);
                }
                self.at += 1;
            }
            b'"' => {
                let quote = self.at;
                self.skip_string();
                let said = strings::sentences_of(self.text, quote..self.at);
                if said.len() > 1 {
                    self.string(start..quote + 1, said, gap);
                    return None;
                }
            }
            _ => {
                while self.at < self.text.len()
                    && !matches!(self.byte(), b',' | b'}' | b']')
                    && !self.byte().is_ascii_whitespace()
                {
                    self.at += 1;
                }
            }
        }
        self.outline.parts.push(part(Form::Json, start..start, leaf..leaf + 1, parent, gap));
        if let Some(rank) =
            parent.and_then(|_| self.rank(start)).filter(|_| self.at - start <= IDENTITY_BYTES_MAX)
            && let Some(object) = parent.map(|parent| &mut self.outline.parts[parent])
            && object.identity.is_none_or(|(known, _)| rank < known)
        {
            object.identity = Some((rank, leaf));
        }
        self.outline.spans.push(Span { start, of: Of::Leaf(leaf) });
        self.outline.leaves.push(piece(index, Grain::Whole, start..self.at, start..start));
        None
    }

    /// A string that was just passed over, of so many sentences; `head` is what stands before them.
    fn string(&mut self, head: Range<usize>, said: Vec<Range<usize>>, gap: Range<usize>) {
        let (index, leaf) = (self.outline.parts.len(), self.outline.leaves.len());
        let mut own = part(Form::Json, head.clone(), leaf..leaf + said.len(), self.open.last().copied(), gap);
        own.tail = Tail::Own(self.at - 1..self.at);
        self.outline.parts.push(own);
        let mut last = head.end;
        for range in said {
            self.outline.spans.push(Span { start: range.start, of: Of::Leaf(self.outline.leaves.len()) });
            let lead = last..range.start;
            last = range.end;
            self.outline.leaves.push(piece(index, Grain::Sentence, range, lead));
        }
        self.outline.spans.push(Span { start: self.at - 1, of: Of::Part(index) });
    }

    /// How well the member that begins at `start` tells which object it is in.
    fn rank(&self, start: usize) -> Option<usize> {
        let key = self.text[start..self.at].strip_prefix('"')?.split_once("\":")?.0;
        let named = IDENTITIES.iter().position(|known| key.eq_ignore_ascii_case(known));
        named.or((key.ends_with("_id") || key.ends_with("Id")).then_some(IDENTITIES.len()))
    }
}
