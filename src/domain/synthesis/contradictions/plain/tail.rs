//! What stands behind a fact and takes nothing of it back: a reason, since when, the rule that says so, when and in which version it
//! was done.

use std::sync::LazyLock;

use super::Plain;
use crate::domain::text::phrases::has_any;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::{Lexicon, Term};

/// What a tail is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::domain::synthesis::contradictions) enum Tail {
    /// There is none.
    None,
    Reason,
    Since,
    /// `under Section A`.
    Rule,
    /// `until further notice`.
    Open,
    /// `, only in Paris`.
    Only,
    /// When, in which version, by whom.
    Done,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cue {
    Because,
    Since,
    /// What makes the fact hold only sometimes, or of a part.
    Hedge,
    /// What begins a clause of its own.
    Begins,
    Only,
    /// `in`, `on`, `with`.
    At,
    /// What belongs to a time or a version.
    Time,
    By,
    Rule,
}

#[rustfmt::skip]
const CUES: &[(Cue, &str)] = &[
    (Cue::Because, "because weil car porque"),
    (Cue::Since, "since depuis seit desde"),
    (Cue::Hedge, "if unless when until till except but however without while before after may might could would should provided although though partly partially beta preview draft some most other otherwise than wenn falls außer aber sauf mais si pero excepto again"),
    (Cue::Begins, "it they this that these those its their there we he she the"),
    (Cue::Only, "only seulement nur solo sólo uniquement"),
    (Cue::At, "in on at to with as of and from le la el au de dem der"),
    (Cue::Time, "version release build patch update production prod january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday today yesterday week month year last early late morning evening afternoon noon utc gmt cet cest am pm today's spring summer autumn winter q1 q2 q3 q4 janvier février mars avril mai juin juillet août septembre octobre novembre décembre januar februar märz juni juli august september oktober november dezember enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre 1er"),
    (Cue::By, "by"),
    (Cue::Rule, "section clause article paragraph part rule"),
];

static KNOWN: LazyLock<KnownTerms<Cue>> = LazyLock::new(|| {
    let all = CUES.iter().flat_map(|(cue, words)| words.split(' ').map(|word| (word, *cue)));
    terms::table(all).into()
});
/// `under`, `until further notice`.
static WORDS: LazyLock<[Term; 4]> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    ["under", "until", "further", "notice"]
        .map(|word| lexicon.words(word).first().map_or(Term(0), |word| word.term))
});

/// Words of who did it.
const AGENT_MAX: usize = 5;
/// Words of a clause of its own.
const CLAUSE_MIN: usize = 3;

/// What the words behind a fact are; `None` where they may take something of it back.
pub(in crate::domain::synthesis::contradictions) fn tail(text: &str, words: &[Plain]) -> Option<Tail> {
    let Some(first) = words.first() else { return Some(Tail::None) };
    let [under, until, further, notice] = *WORDS;
    let cue = |word: &Plain| KNOWN.get(word.term).copied();
    let terms: Vec<Term> = words.iter().map(|word| word.term).collect();
    if terms == [until, further, notice] {
        return Some(Tail::Open);
    }
    if terms[0] == under {
        return (words.len() <= 3 && words.get(1).and_then(cue) == Some(Cue::Rule)).then_some(Tail::Rule);
    }
    let is_time = |word: &Plain| {
        let written = &text[word.start..word.end];
        written.contains(|c: char| c.is_ascii_digit())
            || written == "May"
            || matches!(cue(word), Some(Cue::At | Cue::Time))
    };
    match cue(first) {
        Some(Cue::Since) => {
            let rest = &words[1..];
            return (!rest.is_empty() && rest.iter().all(is_time)).then_some(Tail::Since);
        }
        Some(Cue::Only) if first.sign == Some(',') => return Some(Tail::Only),
        _ => {}
    }
    if words.iter().any(|word| cue(word) == Some(Cue::Hedge) && !is_time(word)) {
        return None;
    }
    match (cue(first), first.sign) {
        (Some(Cue::Because), _) => {
            // `not … because of rain` may deny the reason.
            let of = text[first.end..].trim_start();
            (!of.starts_with("of ")).then_some(Tail::Reason)
        }
        (Some(Cue::At | Cue::Time), None) if words.iter().all(is_time) && says_when(text, words) => {
            Some(Tail::Done)
        }
        (Some(Cue::By), None)
            if words.len() <= AGENT_MAX + 1 && words.iter().all(|word| word.sign.is_none()) =>
        {
            Some(Tail::Done)
        }
        (Some(Cue::Begins), Some(',')) | (_, Some(':' | ';' | '–' | '—')) => {
            is_clause(text, words).then_some(Tail::Reason)
        }
        // The article of what follows the comma is no word here.
        (None, Some(',')) if begins_with_article(text, first) => {
            is_clause(text, words).then_some(Tail::Reason)
        }
        _ => None,
    }
}

/// Whether a time or a version stands among the words: `in it` says nothing of when.
fn says_when(text: &str, words: &[Plain]) -> bool {
    words.iter().any(|word| {
        text[word.start..word.end].contains(|c: char| c.is_ascii_digit())
            || KNOWN.get(word.term) == Some(&Cue::Time)
    })
}

fn begins_with_article(text: &str, first: &Plain) -> bool {
    let before = text[..first.start].trim_end();
    before.rsplit([',', ' ']).next() == Some("the")
}

/// Whether words are a clause with a verb, and no list.
fn is_clause(text: &str, words: &[Plain]) -> bool {
    const VERBS: [&str; 8] = [" is ", " are ", " was ", " were ", " has ", " have ", " had ", " does "];
    let Some(first) = words.first() else { return false };
    let rest = &text[first.start..];
    let is_list = words.iter().skip(1).any(|word| word.sign.is_some());
    let has_verb = has_any(rest, &VERBS);
    !is_list && (has_verb || first.sign == Some(',') && words.len() >= CLAUSE_MIN)
}
