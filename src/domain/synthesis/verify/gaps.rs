//! Gaps of a draft: what it says is missing may name only what was asked or what the material speaks of.

use super::Verified;
use super::connecting::is_connecting;
use super::contradictions::quotations_stand;
use super::evidence::Evidence;
use super::grave;
use super::plain::cleaned;
use crate::domain::synthesis::draft::Draft;
use crate::domain::text::language;
use crate::domain::text::terms::{TermSet, table};
use crate::domain::text::words::{Kind, Lexicon, Term, Word};
use std::sync::LazyLock;

mod answered;
mod claims;
mod commands;
mod languages;

/// Gaps of a draft that are kept.
const GAPS_MAX: usize = 20;
/// Gaps of a draft that are looked at.
const LOOKED_AT_MAX: usize = 100;
/// Characters of a gap.
const GAP_CHARS_MAX: usize = 300;
/// The share of its words that must be known.
const KNOWN_MIN: f64 = 0.6;

/// Words in which one says that something is missing.
#[rustfmt::skip]
const MISSING: &[&str] = &[
    "missing", "lack", "no", "none", "not", "nothing", "absent", "unclear", "unknown", "unspecified", "uncertain", "insufficient",
    "limited", "gap", "data", "information", "detail", "evidence", "provided", "discussed", "mentioned", "specified", "addressed",
    "covered", "specific", "material", "source", "finding", "results", "available", "stated", "given", "reported", "explain", "say",
    "without", "only", "further", "regarding", "concerning", "comparison", "direct", "explicit", "exact", "research", "needed",
];

/// Those of them that say so by themselves.
#[rustfmt::skip]
const LACKS: &[&str] = &["unclear", "unknown", "unspecified", "uncertain"];
/// Those that say so where what is lacking is something told, or what lacks it is what tells: of anything else they are a statement
/// (`the office lacks engineers`, `dismissed without notice`).
#[rustfmt::skip]
const LACKS_OF: &[&str] = &["missing", "lack", "nothing", "absent", "insufficient", "gap", "without"];
/// What is said not to be there where something is missing: `no data`.
#[rustfmt::skip]
const TOLD: &[&str] = &["information", "data", "detail", "evidence", "figure", "mention"];
/// What the material is said not to do: `the sources don't say`.
const TELLS: &[&str] = &[
    "mention", "discuss", "specify", "address", "explain", "say", "said", "state", "tell", "quantify",
    "cover", "provide", "give", "answer", "contain", "include", "name", "describe", "reveal",
];
const MATERIALS: &[&str] = &[
    "source", "material", "report", "result", "text", "finding", "document", "none", "neither", "evidence",
    "note", "sheet", "entry",
];
/// Small words that negate.
#[rustfmt::skip]
const NEGATIONS: &[&str] = &["no", "not", "none", "neither", "nor", "cannot"];

static LACKING: LazyLock<TermSet> = LazyLock::new(|| set(LACKS));
static LACKING_OF: LazyLock<TermSet> = LazyLock::new(|| set(LACKS_OF));
static NOT_TOLD: LazyLock<TermSet> = LazyLock::new(|| set(TOLD));
static TELLING: LazyLock<TermSet> = LazyLock::new(|| set(TELLS));
static TELLERS: LazyLock<TermSet> = LazyLock::new(|| set(MATERIALS));
static KNOWN: LazyLock<TermSet> = LazyLock::new(|| set(MISSING));

fn set(words: &[&'static str]) -> TermSet {
    table(words.iter().map(|word| (*word, ()))).into_keys().collect()
}

/// Keeps those that stand, each once.
pub(super) fn verify(lexicon: &mut Lexicon, evidence: &Evidence<'_>, draft: &Draft, verified: &mut Verified) {
    let mut left_out = 0;
    for gap in draft.gaps.iter().take(LOOKED_AT_MAX) {
        let (line, _) = cleaned(gap, evidence.sources, GAP_CHARS_MAX);
        if !is_gap(lexicon, evidence, &line) || verified.gaps.len() >= GAPS_MAX {
            left_out += 1;
        } else if !super::is_said(lexicon, &line, verified.gaps.iter().map(String::as_str)) {
            verified.gaps.push(line);
        }
    }
    if left_out > 0 {
        let (gaps, were) = if left_out == 1 { ("gap", "was") } else { ("gaps", "were") };
        verified.note(format!(
            "{left_out} {gaps} of the draft named what the material doesn't, or what it says, and {were} left out."
        ));
    }
}

/// Whether a text plainly says that something isn't said, claims nothing beside, and the material doesn't say it after all; it
/// isn't the form that was asked for, either.
pub(in crate::domain::synthesis) fn is_gap(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    text: &str,
) -> bool {
    says_missing(lexicon, text)
        && !claims::claims_beside(lexicon, evidence.question(), text)
        && adds_nothing(lexicon, evidence, text)
        && !answered::is_answered(lexicon, evidence, text, is_of_gaps)
        && !commands::misses_form(lexicon, evidence.question(), text, is_of_gaps)
}

/// Whether a word only says that something is missing, or where.
fn is_of_gaps(term: Term) -> bool {
    [&KNOWN, &LACKING, &LACKING_OF, &NOT_TOLD, &TELLING, &TELLERS].iter().any(|set| set.contains(&term))
        || languages::is_known(term)
}

/// Whether a text says that something is missing: a plain statement is no gap, and nobody has proven it, not even one that
/// denies something; and a question may claim what it asks about. In languages whose [words](languages) for it aren't known
/// none does.
fn says_missing(lexicon: &mut Lexicon, text: &str) -> bool {
    if text.trim_end().ends_with(['?', '？']) {
        return false;
    }
    let words = lexicon.words(text);
    let has = |set: &TermSet| words.iter().any(|word| set.contains(&word.term));
    has(&LACKING)
        || (has(&LACKING_OF) && (has(&NOT_TOLD) || has(&TELLING) || has(&TELLERS)))
        || (text.split_whitespace().any(is_negation) && (has(&NOT_TOLD) || (has(&TELLING) && has(&TELLERS))))
        || languages::says_missing(text, is_negation)
}

/// Words behind which something else is claimed.
#[rustfmt::skip]
const TURNING: &[&str] = &[
    "but", "because", "although", "since", "aber", "weil", "obwohl", "denn", "mais", "car", "pero", "porque", "aunque", "ma", "mas", "maar",
];

/// Whether a text is one clause which begins with that nothing is said: what follows claims nothing.
fn says_plainly(lexicon: &mut Lexicon, text: &str) -> bool {
    const WORDS_MAX: usize = 20;
    const OPENING_WORDS: usize = 7;
    let words: Vec<&str> = text.split_whitespace().collect();
    let opening = words[..words.len().min(OPENING_WORDS)].join(" ");
    words.len() <= WORDS_MAX
        && !text.contains([',', ';', ':', '(', '—', '–', '，', '；', '：', '（'])
        && !words.iter().any(|word| TURNING.contains(&word.to_lowercase().as_str()))
        && says_missing(lexicon, &opening)
}

/// Whether a word denies.
pub(super) fn is_negation(word: &str) -> bool {
    let bare = word.to_lowercase().replace('’', "'");
    let bare = bare.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'');
    NEGATIONS.contains(&bare) || languages::NEGATIONS.contains(&bare) || bare.ends_with("n't")
}

/// Whether a text has no figure, no name and no quotation that isn't in the material or the question, and most of its
/// words are known from there.
fn adds_nothing(lexicon: &mut Lexicon, evidence: &Evidence<'_>, text: &str) -> bool {
    let words = lexicon.words(text);
    let content: Vec<_> = words.iter().filter(|word| word.is_content()).collect();
    if content.is_empty() || text.contains("://") {
        return false;
    }
    let is_plain = says_plainly(lexicon, text);
    // Where every noun has a capital none tells a name; what is plainly not told claims nothing of it either.
    let is_german = languages::is_german(text) || language::told(text) == "German";
    let tells_names = !is_plain || !is_german;
    let (mut known, mut invented) = (0, false);
    for (at, word) in content.iter().enumerate() {
        let written = &text[word.range()];
        let is_known = evidence.knows(word.term);
        let is_name = at > 0 && tells_names && written.starts_with(char::is_uppercase);
        let is_of_gaps = is_of_gaps(word.term) || is_negation(written);
        invented |= !is_known && !is_of_gaps && (word.kind == Kind::Number || is_name);
        known += usize::from(is_known || is_of_gaps || is_connecting(written));
    }
    // `Die` does no harm where it is an article.
    let is_held = |word: &Word| is_german && is_connecting(&text[word.range()]);
    let judged: Vec<Word> = words.iter().filter(|word| !is_held(word)).cloned().collect();
    let harms = grave::unsaid(&judged, |term| evidence.knows(term)).is_some();
    // What nothing is said of has its words nowhere; a longer text must be about what is known, and one that takes something
    // for granted (`why it failed`) be known as a whole.
    let least = match (answered::presupposes(text), is_plain) {
        (true, _) => 1.0,
        (false, true) => 0.0,
        (false, false) => KNOWN_MIN,
    };
    !invented
        && !harms
        && known as f64 >= least * content.len() as f64
        && quotations_stand(lexicon, evidence, text)
}
