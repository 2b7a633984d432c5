//! A claim as what can be looked for in its evidence: figures, names, words, clauses.

use std::ops::Range;
use std::sync::LazyLock;

use crate::domain::text::polarity::negates;
use crate::domain::text::terms::{KnownTerms, TermMap};
use crate::domain::text::words::{self, Lexicon, Term, Word};

/// Terms of a claim that are looked at: a bit each.
pub const TERMS_MAX: usize = 128;

/// Content words that make a clause: fewer belong to the one before.
const CLAUSE_WORDS_MIN: usize = 3;

/// Words that begin a clause of their own. Sorted.
const CLAUSE_WORDS: &[&str] =
    &["after", "and", "because", "before", "but", "that", "when", "where", "which", "while", "who", "with"];

/// Numbers that are usually written as words, and their digits. "One" is left out: it is a pronoun as often.
const NUMBER_WORDS: [(&str, &str); 11] = [
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
];
/// The bytes of the longest number word.
const NUMBER_WORD_BYTES_MAX: usize = 6;

/// What a term of a claim is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number, in digits or (two to twelve) as a word.
    Figure,
    /// A capitalised word that isn't the first.
    Name,
    /// Any other word that says something.
    Word,
}

/// A term that a claim has, where it stands first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimTerm {
    pub term: Term,
    pub kind: Kind,
    pub range: Range<usize>,
}

/// A claim, taken apart.
#[derive(Debug)]
pub struct Claim {
    /// Each once, in the order of the claim, at most [`TERMS_MAX`].
    pub terms: Vec<ClaimTerm>,
    /// At least 1.
    pub clauses: usize,
    /// Whether it has a negation.
    pub negated: bool,
}

impl Claim {
    /// Whether a term is a further letter of a short form, each of which is read as a word: together they are one.
    pub(in crate::domain::synthesis) fn goes_on_with(&self, at: usize) -> bool {
        const LETTER: usize = 1;
        let is_letter = |range: &Range<usize>| range.len() == LETTER;
        let range = &self.terms[at].range;
        let before = at.checked_sub(1).map(|before| &self.terms[before].range);
        let follows = |before: &Range<usize>| is_letter(before) && range.start - before.end <= LETTER;
        is_letter(range) && before.is_some_and(follows)
    }

    /// `words` are the words of the same text.
    pub fn read(text: &str, words: &[Word]) -> Self {
        let numbers = &*NUMBERS;
        let mut terms: Vec<ClaimTerm> = Vec::new();
        for (at, word) in words.iter().enumerate().filter(|(_, word)| word.is_content()) {
            let (term, is_figure) = numbers.normal(word);
            let is_name = at > 0 && text[word.range()].starts_with(char::is_uppercase);
            let kind = match (is_figure, is_name) {
                (true, _) => Kind::Figure,
                (false, true) => Kind::Name,
                (false, false) => Kind::Word,
            };
            if terms.len() < TERMS_MAX && terms.iter().all(|known| known.term != term) {
                terms.push(ClaimTerm { term, kind, range: word.range() });
            }
        }
        let negated = negates(text, words);
        Self { terms, clauses: clauses(text, words), negated }
    }
}

/// How many clauses of at least [`CLAUSE_WORDS_MIN`] content words a sentence has.
fn clauses(text: &str, words: &[Word]) -> usize {
    let (mut closed, mut open, mut end) = (0, 0, 0);
    for word in words {
        let gap = text.get(end..word.start).unwrap_or_default();
        let mark = gap.contains([',', ';', ':', '(', ')', '—', '"', '，', '；', '：', '、']);
        if (mark || listed(CLAUSE_WORDS, &text[word.range()])) && open >= CLAUSE_WORDS_MIN {
            closed += 1;
            open = 0;
        }
        open += usize::from(word.is_content());
        end = word.end;
    }
    closed + usize::from(open >= CLAUSE_WORDS_MIN || closed == 0)
}

/// Whether a sorted list of lower-case ASCII words has a word, in whatever case.
fn listed(list: &[&str], word: &str) -> bool {
    let lowered = word.bytes().map(|byte| byte.to_ascii_lowercase());
    list.binary_search_by(|entry| entry.bytes().cmp(lowered.clone())).is_ok()
}

/// What every claim and every evidence is read with.
pub static NUMBERS: LazyLock<NumberWords> = LazyLock::new(|| NumberWords::new(&mut Lexicon::default()));

/// The terms of number words, and those of their digits.
pub struct NumberWords(KnownTerms<Term>);

impl NumberWords {
    fn new(lexicon: &mut Lexicon) -> Self {
        let mut term = |word| lexicon.words(word).first().map_or(Term(0), |word| word.term);
        let terms = NUMBER_WORDS.map(|(word, digits)| (term(word), term(digits)));
        Self(terms.into_iter().collect::<TermMap<Term>>().into())
    }

    /// The term by which a word is compared, and whether it is a figure: `two` is `2`.
    pub fn normal(&self, word: &Word) -> (Term, bool) {
        match word.kind {
            words::Kind::Number => (word.term, true),
            words::Kind::Content if word.end - word.start <= NUMBER_WORD_BYTES_MAX => {
                self.0.get(word.term).map_or((word.term, false), |&digits| (digits, true))
            }
            words::Kind::Content | words::Kind::Stopword | words::Kind::Cjk => (word.term, false),
        }
    }
}
