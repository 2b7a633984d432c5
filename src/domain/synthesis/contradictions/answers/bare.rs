//! What makes a statement a bare answer, and when two differ.

use super::asked::Allowed;
use super::named::{Named, name_of_it, named};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::contradictions::differ::{Difference, agree};
use crate::domain::synthesis::contradictions::units::{same_numeral, same_written};
use crate::domain::synthesis::contradictions::{Kind, converted};
use crate::domain::text::figures::{Bound, Figure, Unit};
use crate::domain::text::first_letters::Beginnings;
use crate::domain::text::phrases::{begins_with_any, has_any};
use crate::domain::text::polarity::reply;
use crate::domain::text::pronouns::begins_with_pronoun;
use crate::domain::text::words::{Kind as WordKind, Term};

/// What denies a sentence about `it`, and leaves it as it is otherwise.
const DENIALS: [&str; 3] = ["not", "never", "nicht"];
/// Bytes of an answer with the sentence behind it.
pub(super) const BYTES_MAX: usize = 240;
/// Words of a sentence about `it`.
const SAID_MAX: usize = 10;
/// Words behind a number that say what is counted.
const COUNTED_MAX: usize = 2;
/// How far a figure must be from one that is only about so much.
const ABOUT: f64 = 1.5;

/// Further words for yes and no.
#[rustfmt::skip]
const REPLIES: &[(&str, bool)] = &[
    ("true", true), ("yep", true), ("sì", true), ("可以", true), ("能", true), ("对", true),
    ("false", false), ("nope", false), ("否", false), ("不可以", false), ("不能", false), ("不对", false),
];
/// What may stand before an answer with a colon.
#[rustfmt::skip]
const LABELS: &[&str] = &[
    "answer", "short answer", "final answer", "direct answer", "result", "verdict", "conclusion", "antwort", "kurzantwort", "ergebnis", "réponse", "respuesta", "risposta", "答案", "回答", "结论",
];
/// The same in a sentence.
static CALLED: Beginnings = Beginnings::new(&[
    "the answer is ",
    "the final answer is ",
    "the correct answer is ",
    "the short answer is ",
    "my answer is ",
    "die antwort ist ",
    "die antwort lautet ",
    "la réponse est ",
    "la respuesta es ",
    "la risposta è ",
]);
/// What makes an answer hold in part, at times, or under a condition; or less than sure.
#[rustfmt::skip]
const HEDGES: &[&str] = &[
    "if", "unless", "only", "except", "but", "however", "when", "whenever", "depends", "depending", "partly", "partially", "mostly", "usually", "generally", "sometimes", "often", "typically",
    "maybe", "perhaps", "probably", "possibly", "likely", "unclear", "unknown", "some", "most", "provided", "although", "though", "while", "whereas", "technically", "theoretically", "normally", "currently",
    "might", "could", "until", "limited", "conditions", "wenn", "nur", "außer", "aber", "falls", "sofern", "meist", "meistens", "teilweise", "vielleicht", "wahrscheinlich",
    "si", "sauf", "mais", "seulement", "parfois", "selon", "pero", "salvo", "excepto", "depende", "solo", "sólo", "quizás", "jein", "estimated", "example", "nothing",
];
const HEDGES_CJK: &[&str] = &["但", "除", "如果", "仅", "只", "可能", "部分", "视", "一般"];
/// What says directly behind yes or no for whom, or where, or takes it back, or that who answers speaks of himself.
#[rustfmt::skip]
const SCOPES: &[&str] = &[
    "and", "und", "i", "we", "here", "let", "ich", "wir", "hier", "je", "voici", "for", "in", "on", "at", "with", "under", "within", "as", "by", "after", "before", "since", "für", "bei", "mit", "im", "pour", "en", "dans", "para", "con",
];
/// What may stand around a figure and says nothing beside it.
#[rustfmt::skip]
const FRAME: &[&str] = &[
    "it", "it's", "that", "is", "was", "in", "on", "at", "the", "a", "total", "of", "exactly", "just", "takes", "took", "costs", "es", "ist", "war", "am", "im", "genau", "c'est", "le", "el", "fue", "exactement", "answer",
];

/// A bare answer.
pub(super) enum Bare<'t> {
    /// Yes or no, as it is written.
    Reply { is_yes: bool, written: &'t str },
    /// What is said of `it`, but for whether it is denied.
    Said { words: Vec<Term>, is_denied: bool, denied_by: &'t str },
    /// A figure and nothing else.
    Figure(Amount<'t>),
    /// A few words and nothing else.
    Named(Named<'t>),
}

/// A figure, and what is counted.
pub(super) struct Amount<'t> {
    figure: Figure,
    written: &'t str,
    counted: Vec<String>,
}

/// What a statement answers, where it is a bare answer.
pub(super) fn bare<'f>(of: &'f Features<'_>) -> Option<Bare<'f>> {
    if of.text.len() > BYTES_MAX {
        return None;
    }
    let text: &'f str = of.text;
    let called = || name_of_it(text).and_then(|name| named(of, name)).map(Bare::Named);
    let of_words =
        || called().or_else(|| said(of)).or_else(|| named(of, without_label(text)).map(Bare::Named));
    reply_of(text).or_else(|| amount(of).map(Bare::Figure)).or_else(of_words)
}

impl Bare<'_> {
    /// Whether both are of one kind: a result that says several gives more than one answer.
    pub(super) fn is_like(&self, other: &Bare<'_>) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// How they differ, where one can't be right if the other is. Both are of classes that exclude each other.
    pub(super) fn difference(
        &self,
        other: &Bare<'_>,
        features: [&Features<'_>; 2],
        allowed: &Allowed,
    ) -> Option<Difference> {
        match (self, other) {
            (Bare::Reply { written, .. }, Bare::Reply { written: theirs, .. }) => {
                Some(Difference::new(Kind::Polarity, *written, *theirs))
            }
            (Bare::Said { denied_by, .. }, Bare::Said { denied_by: theirs, .. }) => {
                Some(Difference::new(Kind::Negation, *denied_by, *theirs))
            }
            (Bare::Figure(mine), Bare::Figure(theirs)) => mine.difference(theirs, features, allowed),
            (Bare::Named(mine), Bare::Named(theirs)) => mine.difference(theirs),
            (Bare::Reply { .. } | Bare::Said { .. } | Bare::Figure(_) | Bare::Named(_), _) => None,
        }
    }
}

/// The words of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’')).filter(|word| !word.is_empty())
}

/// Whether nothing in it says that what was answered holds in part only.
pub(super) fn is_plain(text: &str) -> bool {
    !words(text).any(|word| HEDGES.contains(&word.to_lowercase().as_str()))
        && (text.is_ascii() || !has_any(text, HEDGES_CJK))
}

/// `Yes`, `Yes, it does`, `No. The licence doesn't cover it`.
pub(super) fn reply_of(text: &str) -> Option<Bare<'_>> {
    let start = without_label(text).trim_start_matches(['*', '_', '"', '“', '`', ' ']);
    let end = start.find(|c: char| !c.is_alphabetic()).unwrap_or(start.len());
    let (written, rest) = start.split_at(end);
    let word = written.to_lowercase();
    let known = REPLIES.iter().find(|(known, _)| *known == word).map(|(_, is_yes)| *is_yes);
    let is_yes = known.or_else(|| reply(&format!("{word},")))?;
    let behind = rest.trim_start_matches(['*', '_', '"', '”', '`']);
    let ends =
        behind.trim_start().is_empty() || behind.starts_with([',', '.', '!', ';', '，', '。', '！', '、']);
    let rest = behind.trim_start_matches(|c: char| !c.is_alphanumeric());
    let next = words(rest).find(|word| !matches!(word.to_lowercase().as_str(), "not" | "nicht" | "pas"));
    // `Yes, we are affected` answers for those who ask, `Yes, we suggest it` speaks of who answers.
    let is_asked = || {
        let lower = rest.get(..rest.floor_char_boundary(8)).unwrap_or_default().to_lowercase();
        begins_with_any(&lower, &["we are ", "we have ", "we do ", "wir sind "])
    };
    let is_scoped = next.is_some_and(|next| SCOPES.contains(&next.to_lowercase().as_str())) && !is_asked();
    // `No. 5` is a number.
    let says = ends && !rest.starts_with(|c: char| c.is_ascii_digit()) && !is_scoped && is_plain(rest);
    says.then_some(Bare::Reply { is_yes, written })
}

/// Whether a statement is called the answer: `Final answer: 6`.
pub(in crate::domain::synthesis) fn is_called_answer(text: &str) -> bool {
    text.len() <= BYTES_MAX && without_label(text).len() < text.len()
}

/// `Yes` of `**Answer:** Yes`, `Paris` of `The answer is Paris`.
fn without_label(text: &str) -> &str {
    // Sooner looked for than a character of any width: `：` begins with this byte.
    let colon = memchr::memchr2(b':', 0xEF, text.as_bytes()).and_then(|_| text.split_once([':', '：']));
    let Some((label, answer)) = colon else {
        let begin = text.trim_start_matches(['*', '_', ' ']);
        let told = CALLED.like(begin).find_map(|called| {
            let head = begin.get(..called.len()).filter(|head| head.eq_ignore_ascii_case(called))?;
            Some(&begin[head.len()..])
        });
        return told.unwrap_or(text);
    };
    let bare = label.trim_matches(['*', '_', ' ']).to_lowercase();
    if LABELS.contains(&bare.as_str()) { answer } else { text }
}

/// `It is allowed`, `It isn't allowed`.
fn said<'f>(of: &'f Features<'_>) -> Option<Bare<'f>> {
    let is_short = of.words.len() <= SAID_MAX && of.figures.is_empty();
    if !is_short || !begins_with_pronoun(of.text) || of.words.iter().any(|word| word.kind == WordKind::Cjk) {
        return None;
    }
    let negations = || of.marks.iter().filter(|marked| marked.mark.is_negation());
    if negations().nth(1).is_some() || !is_plain(of.text) {
        return None;
    }
    let denied_by = negations().next().map(|marked| marked.written(of.text)).unwrap_or_default();
    // What joins a verb to its negation is the same without one.
    let helps = |word: &str| {
        let plain = word.to_lowercase();
        let plain =
            plain.strip_suffix("n't").or_else(|| plain.strip_suffix("n’t")).unwrap_or(&plain).to_owned();
        matches!(plain.as_str(), "is" | "are" | "do" | "does" | "it's")
    };
    let is_negation = |start: usize| negations().any(|marked| marked.start == start);
    let mut words = Vec::new();
    for word in &of.words {
        let written = &of.text[word.range()];
        match is_negation(word.start) {
            _ if helps(written) => {}
            // `wasn't`, `cannot`: another time, or another verb.
            true if !DENIALS.contains(&written.to_lowercase().as_str()) => return None,
            true => {}
            false => words.push(word.term),
        }
    }
    let is_said = words.len() > 1;
    is_said.then_some(Bare::Said { words, is_denied: !denied_by.is_empty(), denied_by })
}

/// `5 days`, `about $5 million`, `March 2021`, `in 2021`, `5 users`.
fn amount<'f>(of: &'f Features<'_>) -> Option<Amount<'f>> {
    let figure = *of.figures.first()?;
    let head = end_of_head(of.text, figure.end);
    let is_only = of.figures.get(1).is_none_or(|next| next.start >= head);
    let counts = matches!(
        figure.unit,
        Unit::Plain | Unit::Percent | Unit::Points | Unit::Money(_) | Unit::Measure { .. } | Unit::Times
    );
    let is_date = matches!(figure.unit, Unit::Date | Unit::Weekday);
    if !is_only || !(counts || is_date) || !is_plain(&of.text[head..]) {
        return None;
    }
    let frameless = |text: &str| {
        let all = words(text).map(str::to_lowercase);
        all.filter(|word| !FRAME.contains(&word.as_str())).collect::<Vec<String>>()
    };
    let from = of.text.len() - without_label(of.text).len();
    let before = frameless(of.text.get(from..figure.start)?);
    let counted = frameless(&of.text[figure.end..head]);
    // `$6$` is no price.
    if of.text[figure.start..].starts_with('$') && of.text[figure.end..].starts_with('$') {
        return None;
    }
    // `about 5`, `up to 5` were read with the figure.
    let is_bare = (before.is_empty() || figure.bound != Bound::Exact && before.len() <= 3)
        && counted.len() <= if is_date { 0 } else { COUNTED_MAX }
        && !negates(of, head)
        && is_plain(&of.text[figure.end..head]);
    is_bare.then(|| Amount { figure, written: &of.text[figure.range()], counted })
}

/// Where the first sentence of an answer ends that begins with a figure.
fn end_of_head(text: &str, from: usize) -> usize {
    let ends = [". ", "! ", ".\n", "\n", "。"];
    ends.iter().filter_map(|end| text[from..].find(end)).min().map_or(text.len(), |at| from + at)
}

fn negates(of: &Features<'_>, head: usize) -> bool {
    // `no more than 5` is a bound.
    of.marks.iter().any(|marked| marked.mark.is_negation() && marked.start < head)
}

impl Amount<'_> {
    pub(super) fn is_date(&self) -> bool {
        matches!(self.figure.unit, Unit::Date | Unit::Weekday)
    }

    fn difference(
        &self,
        other: &Self,
        [one, theirs]: [&Features<'_>; 2],
        allowed: &Allowed,
    ) -> Option<Difference> {
        let (a, b) = (&self.figure, &other.figure);
        let is_other_unit = || same_numeral(a, b) || same_written((one, a), (theirs, b));
        let differ = match converted::may_agree((one, a), (theirs, b)) {
            Some(may_agree) => !may_agree,
            None if a.comparable(b) => !agree(a, b) && !is_about(a, b),
            None => is_other_unit(),
        };
        // What is asked for need not be said: `How many users?`, `5`.
        let counted = |of: &Self| {
            of.counted.iter().filter(|word| !allowed.words.contains(*word)).cloned().collect::<Vec<_>>()
        };
        (differ && counted(self) == counted(other)).then(|| {
            Difference::new(
                if self.is_date() { Kind::Date } else { Kind::Number },
                self.written,
                other.written,
            )
        })
    }
}

/// Whether one is only about so much, and the other not far from it.
fn is_about(a: &Figure, b: &Figure) -> bool {
    let below = a.high.approximate().min(b.high.approximate());
    let above = a.low.approximate().max(b.low.approximate());
    (a.bound == Bound::About || b.bound == Bound::About) && above < below * ABOUT
}
