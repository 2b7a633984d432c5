//! Reads a draft out of a whole answer, whatever is wrong with it.
//!
//! Servers without schemas answer in fences, behind thoughts and prose, in the literals of other languages, and stop in
//! the middle. The reader takes the object that looks most like a draft: the one with most of a draft's fields, with
//! findings before all others, closed rather than cut off, and among equals the last, because models show an example or
//! correct themselves. It takes what is complete and leaves out the rest:
//!
//! * A thought is in tags (`<think>`, `<thinking>`, …) or in front of an end tag whose beginning the server has swallowed.
//!   One that never ends is all that was said, and there is no draft.
//! * A cut-off answer gives the last complete value of each field. A finding or contradiction that isn't closed is left
//!   out, whatever it says so far. Text ends at the quote that is followed by what may follow a string, so quotes that
//!   somebody forgot to escape stay in it.
//! * Of several fields of the same name the last complete one counts, as in most readers of JSON.
//! * Where a list belongs a single item will do; an item may be a bare string. What has another type isn't there.
//!
//! Time is linear in the answer, and so is memory, with a bound on the parts that are kept.

use thiserror::Error;

use self::interpret::{Rank, Shape};
use self::node::Node;
use self::note::Notes;
use super::Draft;
use super::thoughts::{Tag, behind_thought, tag};

mod closing;
mod ids;
mod interpret;
mod node;
mod note;
mod parser;
mod refusal;
mod strings;
#[cfg(test)]
mod tests;
mod values;

#[cfg(test)]
pub(super) use tests::SOUP;

/// Objects that are looked at in one answer at most.
const CANDIDATES_MAX: usize = 100_000;
/// Bytes that are read once more, from behind a bracket after which nothing could be read up to the end.
const REREAD_BYTES_MAX: usize = 1_000_000;

/// What an answer says.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// What it holds, and nothing else.
    pub draft: Draft,
    /// Whether it was read to its closing bracket and nothing in it was cut off, too long, too deep or too many.
    pub complete: bool,
    /// Whether it ends in the middle.
    pub broke_off: bool,
    /// What was odd, each once, in sentences that quote nothing of it.
    pub notes: Vec<String>,
}

/// Why an answer has no draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoDraft {
    /// It is empty, or it ends in the middle of a thought.
    #[error("the model said nothing")]
    Nothing,
    /// The model declined, in prose.
    #[error("the model refused")]
    Refusal,
    /// Nothing in it looks like a draft.
    #[error("the model wrote no object of the asked shape")]
    NoObject,
}

/// Reads `answer`, see the module.
///
/// # Errors
///
/// If there is no draft in it.
pub fn read(answer: &str) -> Result<Reading, NoDraft> {
    let said = behind_thoughts(answer);
    if said.trim().is_empty() {
        return Err(NoDraft::Nothing);
    }
    let mut search = Search::default();
    search.run(said);
    match search.reading() {
        Some(reading) => Ok(reading),
        None if refusal::refuses(said) => Err(NoDraft::Refusal),
        None => Err(NoDraft::NoObject),
    }
}

/// Whether prose declines to answer.
#[must_use]
pub fn declines(answer: &str) -> bool {
    refusal::refuses(behind_thoughts(answer))
}

/// The answer behind the thoughts that it begins with.
pub(in crate::domain) fn behind_thoughts(answer: &str) -> &str {
    let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
    let mut said = answer.trim_start_matches(blank);
    while let Some((Tag::Open, _)) = tag(said) {
        said = behind_thought(said).unwrap_or_default().trim_start_matches(blank);
    }
    if said.starts_with(['{', '[', '`']) {
        return said;
    }
    let first = memchr::memchr_iter(b'<', said.as_bytes()).find_map(|at| tag(&said[at..]));
    match first {
        Some((Tag::Close, _)) => behind_thought(said).unwrap_or_default(),
        Some((Tag::Open, _)) | None => said,
    }
}

/// The search for the best object of an answer.
#[derive(Default)]
struct Search {
    best: Option<(Rank, parser::Parsed)>,
    /// Findings that stand alone, one object after the other.
    alone: Vec<Node>,
    candidates: usize,
    /// Bytes that were read once more.
    reread: usize,
}

impl Search {
    /// Looks at every object and list of objects in `text`.
    fn run(&mut self, text: &str) {
        let mut at = 0;
        while let Some(next) = memchr::memchr3(b'{', b'[', b'<', &text.as_bytes()[at..]) {
            at += next;
            let rest = &text[at..];
            if rest.starts_with('<') {
                at = match tag(rest) {
                    Some((Tag::Open, _)) => text.len() - behind_thought(rest).unwrap_or_default().len(),
                    Some((Tag::Close, length)) => {
                        (self.best, self.alone) = (None, Vec::new()); // all of it was thought
                        at + length
                    }
                    None => at + 1,
                };
            } else if self.candidates < CANDIDATES_MAX && may_begin(rest) {
                at = self.consider(text, at);
            } else {
                at += 1;
            }
        }
    }

    /// Reads what begins at byte `at`; returns where to search on.
    fn consider(&mut self, text: &str, at: usize) -> usize {
        self.candidates += 1;
        let mut parsed = parser::parse(text, at);
        let Some(shape) = Shape::of(&parsed.node) else {
            let again = text.len() - at;
            if parsed.end < text.len() || self.reread + again > REREAD_BYTES_MAX {
                return parsed.end.max(at + 1);
            }
            self.reread += again;
            return at + 1;
        };
        let rank = shape.rank();
        if shape.is_alone() && self.alone.len() < super::ITEMS_MAX {
            self.alone.push(std::mem::replace(&mut parsed.node, Node::Broken));
        }
        let end = parsed.end.max(at + 1);
        if self.best.as_ref().is_none_or(|(best, _)| rank >= *best) {
            self.best = Some((rank, parsed));
        }
        end
    }

    /// What the best object says.
    fn reading(self) -> Option<Reading> {
        let (_, parsed) = self.best?;
        let mut notes: Notes = parsed.notes;
        let draft = match Shape::of(&parsed.node) {
            Some(shape) => shape.draft(&mut notes),
            None => interpret::alone(&self.alone, &mut notes),
        };
        let broke_off = notes.contains(&note::Note::Cut);
        let complete = !notes.iter().any(|note| note.is_loss());
        Some(Reading {
            draft,
            complete,
            broke_off,
            notes: notes.into_iter().map(|note| note.text().to_owned()).collect(),
        })
    }
}

/// Whether a bracket may begin an object or a list of objects, and not a marker or a placeholder in prose.
fn may_begin(text: &str) -> bool {
    let inner = text[1..].trim_start();
    if text.starts_with('[') {
        return inner.starts_with('{');
    }
    inner.starts_with(|c: char| strings::is_quote(c) || c.is_alphabetic() || matches!(c, '_' | '/' | '#'))
}
