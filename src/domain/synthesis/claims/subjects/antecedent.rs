//! What a pronoun stands for at a statement's beginning: `The Pixel 8 is big. It weighs 171 g.`

use super::generic::is_generic;
use super::named::without_number;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::pronouns::begins_with_pronoun;
use crate::domain::text::words::{Kind, Lexicon, Term, Word};

/// Bytes of a line that is looked at.
const BYTES_MAX: usize = 2_048;

/// The sentence before a statement, or its heading, and what that is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Antecedent {
    subject: Term,
    /// All its words, sorted.
    words: Vec<Term>,
}

impl Antecedent {
    /// That of a statement which begins with a pronoun; `None` where nothing tells.
    pub(super) fn of(statement: &Statement<'_>, lexicon: &mut Lexicon) -> Option<Self> {
        if !begins_with_pronoun(statement.text) {
            return None;
        }
        let before = statement.around.before;
        let (line, is_heading) = match before.is_empty() {
            true => (without_number(statement.heading), true),
            false => (before, false),
        };
        if line.is_empty() || line.len() > BYTES_MAX || begins_with_pronoun(line) {
            return None;
        }
        let words = lexicon.words(line);
        let content = || words.iter().filter(|word| word.kind == Kind::Content && !is_generic(word.term));
        let is_name = |word: &&Word| line[word.start..].starts_with(char::is_uppercase);
        let subject = content().find(is_name).or_else(|| content().next().filter(|_| !is_heading))?.term;
        let mut words: Vec<Term> = words.iter().map(|word| word.term).collect();
        words.sort_unstable();
        Some(Self { subject, words })
    }

    /// Whether neither tells of what the other is about.
    pub(super) fn is_other_than(&self, other: &Self) -> bool {
        let has = |of: &Self, term: &Term| of.words.binary_search(term).is_ok();
        !has(other, &self.subject) && !has(self, &other.subject)
    }
}
