//! What of a text is compared.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::OnceLock;

use crate::domain::text::composed::is_decomposed;
use crate::domain::text::figures::{self, Figure};
use crate::domain::text::polarity::{self, Marked};
use crate::domain::text::terms::TermHasher;
use crate::domain::text::words::{Kind, Lexicon, Term, Word};

use super::joints;
use super::roles::roles;
use super::signature::{reply_apart, signature};

/// What an element is to its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A word that says something.
    Content,
    /// A Chinese or Japanese character.
    Character,
    /// A capitalised word inside a sentence.
    Name,
    /// An adverb: may be there or not.
    Adverb,
    /// A word that joins sentences (`however`, `此外`): may be there or not.
    Discourse,
    /// Part of `according to …`: may be there or not.
    Attribution,
    /// `from`, `to`, `by`, `than`: says nothing, but its place does.
    Direction,
    /// A figure: compared by its value.
    Figure,
}

/// A word, character or figure of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// What it says.
    pub term: Term,
    /// What it is to its text.
    pub role: Role,
    /// Whether it is a negation or a polarity word.
    pub marked: bool,
    /// Its first byte.
    pub start: usize,
    /// The byte after its last.
    pub end: usize,
}

impl Element {
    /// Its place in the text, in bytes.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// What of a text is compared.
#[derive(Debug, Clone)]
pub struct Features<'t> {
    /// The text itself.
    pub text: &'t str,
    /// Its words.
    pub words: Vec<Word>,
    /// Its words, characters and figures in order, without function words.
    pub elements: Vec<Element>,
    /// Its figures in order.
    pub figures: Vec<Figure>,
    /// Its negations and polarity words in order.
    pub marks: Vec<Marked>,
    /// Its distinct terms, sorted: words, and pairs of Chinese or Japanese characters; no figures, no attributions.
    pub terms: Vec<Term>,
    /// [`Self::sorted`], once somebody has asked.
    sorted: OnceLock<Vec<(Term, u32)>>,
    /// The function words that decide what is said, ascending.
    pub(super) joints: Vec<u8>,
    /// Whether it was [set apart](Self::set_apart).
    pub(super) apart: bool,
    /// Equal where all figures, all marks and all signs are.
    pub(super) signature: u64,
    /// Equal where all elements are, in order.
    pub(super) digest: u64,
}

/// Reads texts; what it has met makes it faster and changes nothing.
#[derive(Default)]
pub struct Reader {
    lexicon: Lexicon,
}

impl Reader {
    /// The words that it has met.
    pub fn lexicon(&mut self) -> &mut Lexicon {
        &mut self.lexicon
    }

    /// The features of a text. Linear in its length.
    pub fn read<'t>(&mut self, text: &'t str) -> Features<'t> {
        Features::of(&mut self.lexicon, text)
    }
}

impl<'t> Features<'t> {
    /// Those of a text, by the words that a lexicon has met.
    pub fn of(lexicon: &mut Lexicon, text: &'t str) -> Self {
        Self::of_words(text, lexicon.words(text))
    }

    /// The same, where the text's words are known.
    pub fn of_words(text: &'t str, words: Vec<Word>) -> Self {
        let figures = figures::figures(text, &words);
        let marks = polarity::polarity(text, &words);
        Self::of_read(text, (words, figures, marks))
    }

    /// The same, where its figures and marks are known, too.
    pub fn of_read(text: &'t str, (words, figures, marks): (Vec<Word>, Vec<Figure>, Vec<Marked>)) -> Self {
        let mut elements = elements(text, &words, &figures, &marks);
        roles(text, &mut elements);
        let signature = signature(&words, &figures, &marks) ^ joints::signs(text) ^ reply_apart(text, &marks);
        let joints = joints::joints(&words);
        let digest = elements.iter().fold(signature, |digest, element| mix(digest, element.term.0));
        let digest = joints.iter().fold(digest, |digest, joint| mix(digest, u64::from(*joint)));
        let terms = terms(&words, &figures, &elements);
        Self {
            text,
            words,
            elements,
            figures,
            marks,
            terms,
            sorted: OnceLock::new(),
            joints,
            apart: false,
            signature,
            digest,
        }
    }
}

impl Features<'_> {
    /// Lets a text say the same only as another with the same key.
    pub(in crate::domain) fn set_apart(&mut self, key: u64) {
        self.apart = true;
        self.signature = mix(0x0A9A_27ED, key);
        self.digest = self.signature;
    }

    /// The elements' places by term, for comparing as multisets: few texts are compared with another.
    pub(super) fn sorted(&self) -> &[(Term, u32)] {
        self.sorted.get_or_init(|| {
            let places = self.elements.iter().enumerate();
            let mut sorted: Vec<(Term, u32)> =
                places.map(|(at, element)| (element.term, at as u32)).collect();
            // One number compares faster than two.
            sorted.sort_unstable_by_key(|&(term, at)| u128::from(term.0) << 32 | u128::from(at));
            sorted
        })
    }

    /// Equal where all figures are, in any order.
    pub fn figures_digest(&self) -> u64 {
        // Most have one at most.
        if let [] | [_] = self.figures.as_slice() {
            return self.figures.first().map_or(0, |only| mix(0, digest_of(only)));
        }
        let mut all: Vec<u64> = self.figures.iter().map(digest_of).collect();
        all.sort_unstable();
        all.into_iter().fold(0, mix)
    }
}

/// Whether any two of some texts may say the same: whether their figures are equal, or one may be spelled otherwise. Costs less than their features.
pub(in crate::domain) fn may_repeat<'t>(texts: impl IntoIterator<Item = (&'t str, &'t [Word])>) -> bool {
    let mut seen = HashSet::new();
    texts.into_iter().any(|(text, words)| {
        is_decomposed(text) || !seen.insert(signature(&[], &figures::figures(text, words), &[]))
    })
}

pub(super) fn mix(digest: u64, with: u64) -> u64 {
    (digest.rotate_left(5) ^ with).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

fn elements(text: &str, words: &[Word], figures: &[Figure], marks: &[Marked]) -> Vec<Element> {
    // Of a run of Chinese characters there are more than pairs.
    let mut elements: Vec<Element> = Vec::with_capacity(words.len() + words.len() / 4);
    let (mut figures, mut marks) = (figures, marks);
    for (at, word) in words.iter().enumerate() {
        while let Some(figure) = figures.first().filter(|figure| figure.end <= word.start) {
            push_figure(&mut elements, figure);
            figures = &figures[1..];
        }
        if let Some(figure) = figures.first()
            && figure.start < word.end
            && !(word.kind == Kind::Cjk && word.start < figure.start)
        {
            continue;
        }
        while marks.first().is_some_and(|mark| mark.end <= word.start) {
            marks = &marks[1..];
        }
        let mark = marks.first().filter(|mark| mark.start <= word.start);
        let marked = mark.is_some();
        match word.kind {
            // The signature has it.
            Kind::Content if mark.is_some_and(|mark| mark.mark.belongs_to_negation()) => {
                push(&mut elements, word, Role::Direction, true);
            }
            Kind::Cjk => characters(text, words, at, marked, &mut elements),
            Kind::Content | Kind::Number => push(&mut elements, word, Role::Content, marked),
            Kind::Stopword if abbreviation(text, word) => push(&mut elements, word, Role::Content, marked),
            Kind::Stopword if direction(&text[word.range()]) => {
                push(&mut elements, word, Role::Direction, false)
            }
            Kind::Stopword => {}
        }
    }
    figures.iter().for_each(|figure| push_figure(&mut elements, figure));
    elements
}

fn push(elements: &mut Vec<Element>, word: &Word, role: Role, marked: bool) {
    elements.push(Element { term: word.term, role, marked, start: word.start, end: word.end });
}

fn push_figure(elements: &mut Vec<Element>, figure: &Figure) {
    let (start, end) = (figure.start, figure.end);
    elements.push(Element { term: Term(digest_of(figure)), role: Role::Figure, marked: false, start, end });
}

pub(super) fn digest_of(figure: &Figure) -> u64 {
    let mut hasher = TermHasher::default();
    figure.key().hash(&mut hasher);
    hasher.finish()
}

/// `US`, `WHO` and `IT` are names, unless the whole text shouts.
fn abbreviation(text: &str, word: &Word) -> bool {
    let written = &text[word.range()];
    written.len() > 1
        && written.bytes().all(|byte| byte.is_ascii_uppercase())
        && text.bytes().any(|byte| byte.is_ascii_lowercase())
}

fn direction(word: &str) -> bool {
    // Most function words are out by their last letter.
    let last = word.as_bytes().last().map(|last| last | 0x20);
    matches!(last, Some(b'm' | b'n' | b'o' | b'r' | b'y'))
        && ["from", "to", "by", "than", "into", "over", "under"]
            .iter()
            .any(|other| other.eq_ignore_ascii_case(word))
}

/// The characters of a pair that no earlier pair has given; function characters are left out.
fn characters(text: &str, words: &[Word], at: usize, marked: bool, elements: &mut Vec<Element>) {
    let word = &words[at];
    let last = words.get(at + 1).is_none_or(|next| next.kind != Kind::Cjk || next.start >= word.end);
    for (count, (offset, c)) in text[word.range()].char_indices().enumerate() {
        if (count == 0 || last) && !is_function(c) {
            let start = word.start + offset;
            let end = start + c.len_utf8();
            let term = Term(mix(0x5EED, u64::from(u32::from(c))));
            elements.push(Element { term, role: Role::Character, marked, start, end });
        }
    }
}

/// Chinese and Japanese characters that hold a sentence together.
#[rustfmt::skip]
fn is_function(c: char) -> bool {
    matches!(c, '的' | '了' | '在' | '是' | '和' | '与' | '也' | '都' | '而' | '对' | '等' | '之' | '其' | '将' | '及' | '并' | '且' | '就' | '着' | '过' | '把' | '被' | '以' | '于' | '为' | '地' | '得' | '所' | 'の' | 'は' | 'が' | 'を' | 'に' | 'で' | 'と' | 'も' | 'へ')
}

fn terms(words: &[Word], figures: &[Figure], elements: &[Element]) -> Vec<Term> {
    // Without growing: of a text in Chinese the pairs come on top.
    let mut terms: Vec<Term> = Vec::with_capacity(elements.len());
    let is_word = |element: &&Element| matches!(element.role, Role::Content | Role::Name | Role::Adverb);
    terms.extend(elements.iter().filter(is_word).map(|element| element.term));
    let (mut figures, mut elements) = (figures.iter().peekable(), elements.iter().peekable());
    for word in words.iter().filter(|word| word.kind == Kind::Cjk) {
        while figures.next_if(|figure| figure.end <= word.start).is_some() {}
        while elements.next_if(|element| element.end <= word.start).is_some() {}
        let is_attributed = elements.peek().is_some_and(|element| element.role == Role::Attribution);
        if figures.peek().is_none_or(|figure| figure.start >= word.end) && !is_attributed {
            terms.push(word.term);
        }
    }
    terms.sort_unstable();
    terms.dedup();
    terms
}
