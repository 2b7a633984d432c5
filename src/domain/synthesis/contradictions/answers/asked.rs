//! Whether a question asks one thing, to which there is one answer.

use std::collections::BTreeSet;

use super::bare::{Bare, words};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::contradictions::differ::negations;
use crate::domain::synthesis::gaps::parts;
use crate::domain::text::phrases::{ends_with_any, has_any};
use crate::domain::text::words::{Kind, Lexicon};

/// What asks for a thing of a kind.
const OPEN: &[&str] =
    &["which", "what", "welche", "welcher", "welches", "quel", "quels", "quelles", "qué", "cuáles"];
/// What else asks for a figure.
#[rustfmt::skip]
const ASKS: &[&str] = &["how", "what's", "wie", "was", "wieviel", "combien", "quelle", "cuánto", "cuánta", "cuántos", "cuántas", "cuál", "quanto", "quanti"];
const ASKS_CJK: &[&str] = &["多", "几", "何", "哪", "什么"];
/// What says that there may be several, or that some will do.
#[rustfmt::skip]
const SEVERAL: &[&str] = &[
    "list", "lists", "example", "examples", "some", "any", "several", "various", "ideas", "suggestion", "suggestions", "options", "alternatives",
    "beispiel", "beispiele", "einige", "mehrere", "exemple", "exemples", "plusieurs", "ejemplo", "ejemplos", "algunos",
];
/// The same as the first word.
const ASK_FOR_SOME: &[&str] = &["list", "name", "suggest", "mention", "nenne", "liste", "cite"];
/// What asks for an answer of each.
const EACH: &[&str] = &["each", "every", "jeder", "jede", "jedes", "chaque", "cada", "jeweils"];
/// What asks for several by its verb.
const ARE: &[&str] = &["are", "were", "sind", "waren", "sont", "son"];
/// What ends like a plural and is none.
const SINGULAR: &[&str] = &["does", "says"];
/// The same in Chinese, where words aren't apart.
const SEVERAL_CJK: &[&str] = &["哪些", "列举", "举例", "例子", "一些", "列出", "分别"];
/// What asks for a time.
#[rustfmt::skip]
const TIME: &[&str] = &[
    "when", "date", "year", "month", "day", "time", "deadline", "since", "until", "wann", "datum", "jahr", "monat", "tag", "quand", "année", "mois", "jour", "cuándo", "fecha", "año", "mes", "día",
];
const TIME_CJK: &[&str] = &["何时", "时候", "时间", "日期", "年", "月"];
/// What offers a choice, to which neither yes nor no is an answer.
const OR: &[&str] = &["or", "oder", "ou"];

/// What asks for a thing by its name, beside those.
const WHO: &[&str] =
    &["who", "whose", "what's", "wer", "qui", "quién", "chi", "quale", "qual", "cuál", "quelle"];
const WHO_CJK: &[&str] = &["谁", "哪", "什么", "何"];
/// What there may be several of, however it is asked for.
#[rustfmt::skip]
const OPEN_ENDED: &[&str] = &[
    "why", "how", "where", "cause", "caused", "causes", "reason", "reasons", "purpose", "effect", "effects", "impact", "difference", "benefit", "risk", "role", "mean", "meaning", "define", "definition", "happens", "happened",
    "example", "kind", "type", "sort", "warum", "wie", "wo", "ursache", "grund", "pourquoi", "cause", "raison", "comment", "por", "causa", "razón", "cómo",
];

/// Which answers to a question exclude each other.
pub(super) struct Allowed {
    replies: bool,
    figures: bool,
    /// Whether it asks for a figure, and whether for a time.
    figure: bool,
    time: bool,
    /// Whether it asks for one thing by its name.
    name: bool,
    /// The words of the question, in small letters.
    pub(super) words: BTreeSet<String>,
}

impl Allowed {
    pub(super) fn by(query: &str) -> Self {
        let query = &query.replace(" or not", "").replace("yes or no", "").replace("Yes or no", "");
        let said: Vec<String> = words(query).map(str::to_lowercase).collect();
        let has = |listed: &[&str]| said.iter().any(|word| listed.contains(&word.as_str()));
        let asks = parts(query).into_iter().filter(|part| part.contains(char::is_alphabetic)).count();
        let is_some = has(OPEN) && has(SEVERAL)
            || said.first().is_some_and(|first| ASK_FOR_SOME.contains(&first.as_str()))
            || has_any(query, SEVERAL_CJK);
        let is_one = !said.is_empty() && asks <= 1 && !is_some;
        let is_turned = || {
            let is_denied = negations(&Features::of(&mut Lexicon::default(), query)) > 0;
            is_denied || has(OR) || query.contains("还是")
        };
        Self {
            replies: is_one && !is_turned(),
            figures: is_one && !has(EACH) && !has(SEVERAL) && !are_several(&said),
            figure: has(OPEN) || has(ASKS) || has_any(query, ASKS_CJK),
            time: has(TIME) || has_any(query, TIME_CJK),
            name: is_one
                && says_of_what(query)
                && !has(EACH)
                && !has(SEVERAL)
                && !are_several(&said)
                && !has(OPEN_ENDED)
                && (has(OPEN) || has(WHO) || has_any(query, WHO_CJK)),
            words: said.into_iter().collect(),
        }
    }

    /// Whether answers of that kind are the only ones to the question. `is_all`: the result says nothing else.
    pub(super) fn may_differ(&self, bare: &Bare<'_>, is_all: bool) -> bool {
        match bare {
            Bare::Reply { .. } | Bare::Said { .. } => self.replies,
            // What a report begins with may be a heading of its own.
            Bare::Named(_) => self.name && is_all,
            // What a report begins with may be its own date, or what it found most telling.
            Bare::Figure(amount) => {
                self.figures && (is_all || if amount.is_date() { self.time } else { self.figure })
            }
        }
    }
}

/// Whether a question says what it is about: `Who is it?` is about what was said before.
fn says_of_what(query: &str) -> bool {
    Lexicon::default().words(query).iter().any(|word| matches!(word.kind, Kind::Content | Kind::Cjk))
}

/// Whether a question asks for several things: `Which books should I read?`
pub(in super::super) fn asks_for_several(query: &str) -> bool {
    let said: Vec<String> = words(query).map(str::to_lowercase).collect();
    let has = |listed: &[&str]| said.iter().any(|word| listed.contains(&word.as_str()));
    has(SEVERAL) || has(EACH) || has_any(query, SEVERAL_CJK) || are_several(&said)
}

/// `What are the prices`, `Which years`.
fn are_several(said: &[String]) -> bool {
    said.windows(2).any(|pair| {
        let next = pair[1].as_str();
        let is_plural = next.len() > 3
            && next.ends_with('s')
            && !ends_with_any(next, &["ss", "us", "is", "'s", "’s"])
            && !SINGULAR.contains(&next);
        OPEN.contains(&pair[0].as_str()) && (ARE.contains(&next) || is_plural)
    })
}
