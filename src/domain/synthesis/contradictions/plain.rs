//! A statement as its bare words in order, by which a negation and what it denies can be laid side by side: without articles and
//! auxiliaries, and with verbs in their base form (`has not been held`, `was held`).
//!
//! What stands behind the words that both have in common is a [tail](tail): a reason, or since when.

use std::cell::OnceCell;
use std::sync::LazyLock;

pub(super) use self::irregular::base;
pub(in crate::domain::synthesis) use self::irregular::base_of;
use crate::domain::near_duplicates::Features;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::{Kind, Lexicon, Term, Word};

mod irregular;
pub(super) mod tail;

/// Longer statements aren't read.
const BYTES_MAX: usize = 300;
/// What begins a statement and says nothing of it.
const LEADS: [&str; 5] = ["Known issue: ", "Note: ", "Update: ", "Important: ", "Status: "];

/// What a word that is left out says of the words behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Light {
    /// An article, or an adverb that says nothing of its own.
    Nothing,
    /// It is so.
    Now,
    /// It was so.
    Past,
    /// Neither, as `been`.
    Joins,
    /// Not so far.
    Yet,
}

#[rustfmt::skip]
const LIGHT: &[(Light, &str)] = &[
    (Light::Nothing, "a an the already also actually"),
    (Light::Now, "is are am has have remains remain stays stay still currently now do does ist sind bleibt est sont reste es está son están sigue"),
    (Light::Past, "was were had did remained stayed war waren wurde wurden était étaient fue fueron era"),
    (Light::Joins, "be been being"),
    (Light::Yet, "yet"),
];
/// Auxiliaries with a negation that keep what they say beside it.
#[rustfmt::skip]
const DENIED_MODALS: [(&str, &str); 12] = [
    ("can't", "can"), ("can’t", "can"), ("cannot", "can"), ("couldn't", "could"), ("couldn’t", "could"), ("won't", "will"), ("won’t", "will"), ("wouldn't", "would"), ("mustn't", "must"),
    ("shouldn't", "should"), ("needn't", "need"), ("mayn't", "may"),
];
const DENIED_NOW: [&str; 10] =
    ["isn't", "aren't", "hasn't", "haven't", "doesn't", "isn’t", "aren’t", "hasn’t", "haven’t", "doesn’t"];
const DENIED_PAST: [&str; 6] = ["wasn't", "weren't", "didn't", "wasn’t", "weren’t", "didn’t"];
/// Negations that deny what follows them and nothing else.
const PLAIN: [&str; 8] = ["not", "cannot", "never", "nicht", "ne", "n'", "pas", "non"];

static KNOWN: LazyLock<KnownTerms<Light>> = LazyLock::new(|| {
    let all = LIGHT.iter().flat_map(|(light, words)| words.split(' ').map(|word| (word, *light)));
    terms::table(all).into()
});
static MODALS: LazyLock<KnownTerms<Term>> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    let mut term = |word: &str| lexicon.words(word).first().map_or(Term(0), |word| word.term);
    let all: Vec<(&str, Term)> = DENIED_MODALS.iter().map(|(word, modal)| (*word, term(modal))).collect();
    terms::table(all).into()
});

/// A word that says something.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain {
    pub(super) term: Term,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) is_content: bool,
    /// Whether it is a negation.
    pub(super) denies: bool,
    /// Whether an auxiliary or a negation stands directly before it.
    pub(super) is_predicate: bool,
    /// The sign before it.
    pub(super) sign: Option<char>,
}

/// A statement as its bare words.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// In order, with the negations.
    pub(super) all: Vec<Plain>,
    /// Without the negations, where there are any.
    said: OnceCell<Vec<Plain>>,
    /// Where something first says that it is so now, or was.
    now: Option<usize>,
    past: Option<usize>,
    pub(super) is_yet: bool,
    /// Where all negations only deny what follows them, how many there are.
    pub(super) denials: Option<usize>,
}

impl Words {
    /// Those of a statement; `None` where it is no plain sentence.
    pub(super) fn of(of: &Features<'_>) -> Option<Self> {
        let text = of.text;
        if text.len() > BYTES_MAX || has_mark(text) || text.starts_with('"') {
            return None;
        }
        let from = LEADS.iter().find(|lead| text.starts_with(**lead)).map_or(0, |lead| lead.len());
        let all = Vec::with_capacity(of.words.len());
        let mut words = Self { all, denials: Some(0), ..Self::default() };
        let (mut end, mut sign, mut is_predicate) = (from, None, false);
        for word in of.words.iter().filter(|word| word.start >= from) {
            let gap = text.get(end..word.start).unwrap_or_default();
            if gap != " " {
                sign = gap.chars().find(|c| matches!(c, ',' | ';' | ':' | '(' | '–' | '—')).or(sign);
            }
            end = word.end;
            is_predicate = words.take(of, word, (sign, is_predicate));
            if words.all.last().is_some_and(|last| last.start == word.start) {
                sign = None;
            }
        }
        Some(words)
    }

    /// Takes in a word; whether what follows is what it says of the subject.
    fn take(&mut self, of: &Features<'_>, word: &Word, (sign, is_predicate): (Option<char>, bool)) -> bool {
        let written = &of.text[word.range()];
        let plain = Plain {
            term: base(word.term),
            start: word.start,
            end: word.end,
            is_content: word.kind != Kind::Stopword,
            denies: false,
            is_predicate,
            sign,
        };
        let at = of.marks.partition_point(|marked| marked.end <= word.start);
        let mark = of.marks.get(at).filter(|marked| marked.start <= word.start).map(|marked| marked.mark);
        if let Some(mark) = mark.filter(|mark| mark.belongs_to_negation()) {
            if mark.is_negation() {
                self.deny(written, word.term, plain);
            }
            return true;
        }
        let Some(light) = KNOWN.get(word.term) else {
            self.all.push(plain);
            return false;
        };
        match light {
            Light::Now => _ = self.now.get_or_insert(word.start),
            Light::Past => _ = self.past.get_or_insert(word.start),
            Light::Yet => self.is_yet = true,
            Light::Nothing | Light::Joins => {}
        }
        *light != Light::Nothing || is_predicate && !matches!(written, "a" | "an" | "the")
    }

    /// Takes in a negation, and the modal verb that it stands in.
    fn deny(&mut self, written: &str, term: Term, plain: Plain) {
        let lower = written.to_lowercase();
        let lower = lower.as_str();
        let is_plain = PLAIN.contains(&lower) || lower.ends_with("n't") || lower.ends_with("n’t");
        self.denials = self.denials.filter(|_| is_plain).map(|count| count + 1);
        let modal = MODALS.get(term);
        if DENIED_PAST.contains(&lower) {
            self.past.get_or_insert(plain.start);
        } else if modal.is_some() || DENIED_NOW.contains(&lower) {
            self.now.get_or_insert(plain.start);
        }
        self.all.extend(modal.map(|modal| Plain { term: *modal, is_content: false, ..plain }));
        self.all.push(Plain { denies: true, ..plain });
    }

    /// Without the negations.
    pub(super) fn said(&self) -> &[Plain] {
        if self.denials == Some(0) {
            return &self.all;
        }
        self.said.get_or_init(|| self.all.iter().filter(|word| !word.denies).copied().collect())
    }

    /// Whether something before `end` says that it was so.
    pub(super) fn is_past(&self, end: usize) -> bool {
        self.past.is_some_and(|at| at < end)
    }

    /// Whether something before `end` says that it is so.
    pub(super) fn is_now(&self, end: usize) -> bool {
        self.now.is_some_and(|at| at < end)
    }

    /// Whether it tells of now, and before `end` of nothing that was.
    pub(super) fn tells_of_now(&self, end: usize) -> bool {
        (self.is_now(end) || self.is_yet) && !self.is_past(end)
    }
}

/// Whether a statement has a mark that no plain sentence has.
fn has_mark(text: &str) -> bool {
    // All bytes at once are asked faster than one after the other.
    text.bytes().fold(false, |any, byte| any | matches!(byte, b'|' | b'?' | b'{' | b'\n'))
}

/// The words of a phrase, as a statement has them.
pub(super) fn phrase(lexicon: &mut Lexicon, phrase: &str) -> Vec<Term> {
    lexicon.words(phrase).iter().map(|word| base(word.term)).collect()
}

/// Whether words begin with a phrase.
pub(super) fn begin_with(words: &[Plain], phrase: &[Term]) -> bool {
    words.len() >= phrase.len() && words.iter().zip(phrase).all(|(word, term)| word.term == *term)
}

/// How many words two have in common at their beginning.
pub(super) fn common(one: &[Plain], other: &[Plain]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one.term == other.term).count()
}
