//! What one result states.

use std::cell::RefCell;
use std::ops::Range;

use super::{broken_off, rests};
use crate::domain::aggregate::gather::Kept;
use crate::domain::aggregate::numbered::{Numbered, Text};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Mark, Said, Statement, statements, tells_scope};
use crate::domain::text::sentences::sentences;
use crate::domain::text::words::{Lexicon, Term, Word};
use crate::domain::wanted::still_wanted;

/// How a gap begins that says that nothing of a result is quoted.
pub(super) const NOTHING_OF: &str = "Nothing of ";

/// What one result states.
pub(super) struct Searched<'t> {
    pub said: Vec<Statement<'t>>,
    pub features: Vec<Features<'t>>,
    /// Quotations as they may stand in the result, where that is otherwise than they do.
    pub guarded: Vec<(&'t str, String)>,
    /// The sentence with which it says what it is on.
    pub scope: Option<&'t str>,
    /// What of it isn't found, in a sentence.
    pub silent: Option<String>,
    /// Where in it markers go for what it names and doesn't cite.
    pub rests: Vec<(usize, Vec<u32>)>,
}

impl<'t> Searched<'t> {
    /// Reads the first `share` bytes of a result.
    pub fn of(
        (kept, told_apart): (&'t Kept, &'t str),
        text: &'t Text,
        words: &[Word],
        share: usize,
        numbered: &Numbered<'t>,
        (asked, lexicon): (&[Term], &mut Lexicon),
    ) -> Self {
        still_wanted();
        let Kept { input, twin_of, partial, .. } = kept;
        let source_of = |url: &str| numbered.draft_of(url);
        let whole = broken_off::searched(kept, &text.content);
        let searched = head(whole, share);
        let subagent = &input.subagent;
        let known = RefCell::new(&mut *lexicon);
        let asked = |line: &str| how_many(asked, known.borrow_mut().terms(line));
        let marks = &text.marks;
        let mut said =
            statements(Said { text: searched, subagent, marks, source_of: &source_of, asked: &asked });
        if searched.len() == whole.len() {
            broken_off::leave_out(kept, searched, &mut said);
        }
        // What was asked tells what an answer is about that doesn't say it.
        for statement in said.iter_mut().filter(|statement| statement.heading.is_empty()) {
            statement.around.task = input.task.as_deref().unwrap_or_default();
        }
        said.iter_mut().for_each(|statement| statement.around.asked = told_apart);
        let read = |statement: &Statement<'t>| {
            let part = statement.start..statement.start + statement.text.len();
            let mut said = lexicon.words_within(&text.content, words, part.clone());
            leave_out_markers(&mut said, part, (&text.content, &text.marks));
            Features::of_words(statement.text, said)
        };
        still_wanted();
        let features = said.iter().map(read).collect();
        let is_called = |number: u32, name: &str| numbered.is_called(number, name);
        match text.closing {
            Some(only) => rests::on_the_one_at_its_end(&mut said, only, &|name| is_called(only, name)),
            None => rests::on_what_it_names(&mut said, &text.named, &is_called),
        }
        let rests = rests::markers(&text.content, &said);
        let guarded = said.iter().filter_map(|Statement { text: quotation, start, .. }| {
            Some((*quotation, numbered.guarded(quotation, *start, &text.marks)?))
        });
        let guarded = guarded.collect();
        let name = || format!("{} ({})", input.subagent, input.task_id);
        let silent = if searched.len() < whole.len() {
            let kib = searched.len() / 1024;
            Some(format!("Only the first {kib} KiB of {} were searched for findings.", name()))
        } else if said.is_empty() && twin_of.is_none() {
            let has_none = if *partial { "it has no whole sentence" } else { "it has no sentences" };
            Some(format!("{NOTHING_OF}{} is quoted: {has_none}.", name()))
        } else {
            None
        };
        let scope = scope(searched).filter(|_| !said.is_empty());
        Self { said, features, guarded, scope, silent, rests }
    }
}

/// How many of some terms are among others; `asked` is sorted.
fn how_many(asked: &[Term], mut terms: Vec<Term>) -> usize {
    terms.sort_unstable();
    terms.dedup();
    terms.iter().filter(|term| asked.binary_search(term).is_ok()).count()
}

/// The first sentence of a text, where that only says what its author worked on.
fn scope(text: &str) -> Option<&str> {
    const BYTES_MAX: usize = 200;
    let line = text.trim_start().lines().next()?;
    let line = &line[..line.floor_char_boundary(BYTES_MAX)];
    let first = sentences(line).into_iter().next().and_then(|range| line.get(range))?;
    tells_scope(first).then_some(first)
}

/// Takes the numbers of citation markers out of the words of a part of a text, in which these stand by their places in the part:
/// who says it is no part of what is said.
fn leave_out_markers(words: &mut Vec<Word>, part: Range<usize>, (text, marks): (&str, &[Mark])) {
    let from = marks.partition_point(|mark| mark.range.end <= part.start);
    let mut inside = marks[from..].iter().take_while(|mark| mark.range.start < part.end).peekable();
    if inside.peek().is_none() || are_named(&mut inside.clone(), text) {
        return;
    }
    words.retain(|word| {
        let at = part.start + word.start;
        while inside.next_if(|mark| mark.range.end <= at).is_some() {}
        inside.peek().is_none_or(|mark| at < mark.range.start)
    });
}

/// Whether a sentence may speak of its sources: `[1] found more than [2]`. Two places or more have a word behind them.
fn are_named(marks: &mut dyn Iterator<Item = &Mark>, text: &str) -> bool {
    let has_word = |mark: &&Mark| {
        text.get(mark.range.end..)
            .is_some_and(|rest| rest.trim_start_matches(' ').starts_with(char::is_alphanumeric))
    };
    marks.filter(has_word).nth(1).is_some()
}

/// As many whole lines of a text as fit, or a part of the first.
fn head(text: &str, bytes_max: usize) -> &str {
    if text.len() <= bytes_max {
        return text;
    }
    let most = text.floor_char_boundary(bytes_max);
    &text[..text[..most].rfind('\n').unwrap_or(most)]
}
