//! Questions for a kind of thing, and statements that tell one: `How much do the plans cost?`, `Starter: $10 per month`.
//!
//! Such a statement may have none of the question's words. It answers where no other part asks for the same kind, and where it
//! doesn't begin with a thing that nobody asked for, as `The server is $10` does.

use super::{asked_of, aspect, parts, told_besides};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{advises, demands};
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::language::Grammar;
use crate::domain::text::phrases::{begins_with_any, behind_any, has_any};
use crate::domain::text::pronouns::begins_with_pronoun;
use crate::domain::text::words::{Kind, Lexicon, Term};

mod actions;
mod needs;
mod states;
mod words;

pub use self::actions::asks_what_to_do;
pub(super) use self::states::is_of_amount;
use self::words::{
    ALLOWS, ARTICLES, ARTICLES_GERMAN, ASKED_TO_CHOOSE, BEGINS, BY_WHEN, CAUSES, CHOOSING, CHOSEN,
    CHOSEN_WITHIN, COSTS, FAILURES, FEW_WORDS_MAX, HOW_MANY, HOW_TO, KINDS, MEASURES, MENDS, OPEN_TASKS,
    RECOMMENDED, ROOT_CAUSES, SETS_UP, SHORT, SPEEDS, SUGGESTED, UNTIL,
};

/// What a part asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    Price,
    Duration,
    /// A time, or how long something is, which may be a length: only what is plainly said of the same thing answers.
    Time,
    /// How long, far, heavy … it is: in one of these units.
    Measure(&'static [&'static str]),
    /// By when something is to be done.
    Deadline,
    /// How old somebody must be.
    Age,
    /// How many of this.
    Count(Term),
    /// Which of several to take.
    Choice,
    /// Why something is so.
    Cause,
    /// Why something went wrong: what tells a cause speaks of whatever went wrong.
    Failure,
    /// Whether something is over, and who does it: questions that mostly say by a pronoun what they are of.
    State,
    Who,
    /// What is to be done.
    Action,
    /// What somebody needs.
    Need,
}

/// Words between a number and what it counts.
const BESIDE: usize = 3;

/// Whether a part asks for a kind of thing that no other part asks for, and a statement tells one.
pub(super) fn is_told_by_kind(
    query: &str,
    (part, terms): (&str, &[Term]),
    told: &[&Features<'_>],
    lexicon: &mut Lexicon,
) -> bool {
    let Some(own) = kind_of(query, part, lexicon) else { return false };
    let all = of_all_parts((query, part), lexicon);
    told.iter().any(|of| tells(own, all.as_deref().unwrap_or(terms), of))
}

/// What the whole query asks for, of a part that leaves out what of: `for how long`.
fn of_all_parts((query, part): (&str, &str), lexicon: &mut Lexicon) -> Option<Vec<Term>> {
    let lower = part.to_lowercase();
    let is_short = SHORT.iter().any(|(short, _)| *short == lower);
    is_short.then(|| asked_of(&Grammar::of(query).plain(query), lexicon))
}

/// Whether a part asks for a kind of thing.
pub(super) fn asks_for_kind(query: &str, part: &str, lexicon: &mut Lexicon) -> bool {
    asks_for((query, part), lexicon).is_some()
}

/// The kind that a part of a query asks for, with what asks in front of it.
fn asks_for((query, part): (&str, &str), lexicon: &mut Lexicon) -> Option<Asks> {
    let is_needed = || needs::asks_around(query, part).then_some(Asks::Need);
    asks(parts::asked(query, part), lexicon).or_else(is_needed)
}

/// The kind of thing that a part asks for, and no other part.
fn kind_of(query: &str, part: &str, lexicon: &mut Lexicon) -> Option<Asks> {
    let mut asks = |part: &str| asks_for((query, part), lexicon);
    let own = asks(part)?;
    let mut is_alike = |other: &str| other != part && asks(other) == Some(own);
    (!parts::parts(query).into_iter().any(&mut is_alike)).then_some(own)
}

/// Of some texts, which tell the kind of thing that a part of a query asks for; none where it asks for no kind.
pub(in crate::domain::synthesis) fn which_of_kind<'t>(
    (query, part): (&str, &str),
    texts: impl Iterator<Item = &'t str>,
    lexicon: &mut Lexicon,
) -> Vec<bool> {
    let Some(own) = kind_of(query, part, lexicon) else { return Vec::new() };
    let terms = of_all_parts((query, part), lexicon);
    let terms = terms.unwrap_or_else(|| asked_of(&Grammar::of(query).plain(part), lexicon));
    texts.map(|text| tells(own, &terms, &Features::of(lexicon, text))).collect()
}

/// The kind that a part asks for.
fn asks(part: &str, lexicon: &mut Lexicon) -> Option<Asks> {
    let lower = part.to_lowercase();
    if let Some((_, asks)) = SHORT.iter().find(|(short, _)| *short == lower) {
        return Some(*asks);
    }
    let is_failure = || FAILURES.iter().any(|word| lower.contains(word));
    let begins = |(begin, asks): &(&str, Asks)| {
        let begun = lower.starts_with(begin).then_some(*asks);
        begun.map(|asks| if matches!(asks, Asks::Cause) && is_failure() { Asks::Failure } else { asks })
    };
    // `How much memory does it need?` asks for no price.
    let costs = || {
        let rest = lower.strip_prefix("how much ")?;
        let is_price =
            begins_with_any(rest, &["do ", "does ", "did ", "will ", "would "]) && rest.contains(" cost");
        is_price.then_some(Asks::Price)
    };
    let is_price =
        |(begin, verb): &(&str, &str)| lower.strip_prefix(begin).is_some_and(|rest| rest.contains(verb));
    let prices = || COSTS.iter().any(is_price).then_some(Asks::Price);
    let measures = || {
        let found = MEASURES.iter().find(|(begin, _)| lower.starts_with(begin));
        found.map(|(_, units)| Asks::Measure(units))
    };
    let counts = lower.strip_prefix(HOW_MANY).and_then(|rest| {
        let counted = lexicon.words(rest).into_iter().find(|word| word.kind == Kind::Content)?;
        Some(Asks::Count(aspect(counted.term)))
    });
    let chooses = || {
        let asked = ASKED_TO_CHOOSE.iter().find_map(|asked| lower.split_once(asked))?;
        let is_choice = asked.1.split(' ').take(CHOSEN_WITHIN).any(|word| CHOOSING.contains(&word));
        (is_choice && !asked.0.contains("how")).then_some(Asks::Choice)
    };
    let sets_up = || {
        let done = behind_any(&lower, &HOW_TO)?;
        begins_with_any(done, &SETS_UP).then_some(Asks::Action)
    };
    let needs = || needs::is_about(&lower).then_some(Asks::Need);
    let states = || states::asks(&lower).then_some(Asks::State);
    let kinds = || BEGINS.iter().find_map(begins).or_else(states).or_else(needs);
    counts.or_else(chooses).or_else(sets_up).or_else(kinds).or_else(costs).or_else(prices).or_else(measures)
}

/// Whether a statement tells that kind of a part with these terms.
fn tells(asks: Asks, part: &[Term], of: &Features<'_>) -> bool {
    match asks {
        Asks::Price => {
            of.figures.iter().any(|figure| matches!(figure.unit, Unit::Money(_))) && !is_of_another(part, of)
        }
        Asks::Duration => {
            let is_one = |figure: &Figure| {
                let before = of.text[..figure.start].trim_end();
                let is_until = UNTIL.iter().any(|until| before.ends_with(until));
                is_duration(of, figure) && (!is_until || shares(part, of))
            };
            of.figures.iter().any(is_one) && !is_of_another(part, of)
        }
        Asks::Deadline => {
            let lower = of.text.to_lowercase();
            of.figures.iter().any(|figure| figure.unit == Unit::Date)
                && BY_WHEN.iter().any(|word| lower.contains(word))
        }
        Asks::Age => of.figures.iter().any(|figure| is_duration(of, figure)) && shares(part, of),
        Asks::Time => {
            let is_time = |figure: &Figure| {
                matches!(figure.unit, Unit::Date | Unit::Weekday) || is_duration(of, figure)
            };
            of.figures.iter().any(is_time) && begins_with_pronoun(of.text)
        }
        Asks::Measure(units) => {
            let is_one = |figure: &Figure| {
                let Unit::Measure { base, per } = figure.unit else { return false };
                units.contains(&base) && per == 0 || per != 0 && units == SPEEDS
            };
            of.figures.iter().any(is_one) && !is_of_another(part, of)
        }
        Asks::Count(what) => counts(what, of) || states::is_count(of),
        Asks::State => states::tells(&of.text.to_lowercase()),
        Asks::Who => states::names_somebody(of, part) && is_of_asked(part, of),
        Asks::Choice => {
            let lower = of.text.to_lowercase();
            let first = lower.split(' ').map(|word| word.trim_matches([',', '*', '.', ':', '`']));
            let first: Vec<&str> = first.take(CHOSEN_WITHIN + 1).collect();
            let is_chosen =
                |at: usize| CHOSEN.contains(&first[at]) && !(at > 0 && ALLOWS.contains(&first[at - 1]));
            (0..first.len()).any(is_chosen) || has_any(&lower, &RECOMMENDED)
        }
        Asks::Cause => {
            let lower = of.text.to_lowercase().replace('_', " ");
            has_any(&lower, &ROOT_CAUSES) || has_any(&lower, &CAUSES) && is_of_asked(part, of)
        }
        Asks::Failure => {
            let lower = of.text.to_lowercase().replace('_', " ");
            has_any(&lower, &ROOT_CAUSES) || has_any(&lower, &CAUSES)
        }
        Asks::Need => needs::is_about(&of.text.to_lowercase()) || needs::names_things(of.text),
        Asks::Action => {
            let lower = of.text.to_lowercase();
            advises(of.text, false)
                || demands(of.text)
                || OPEN_TASKS.iter().chain(&MENDS).any(|begins| lower.starts_with(begins))
                || has_any(&lower, &SUGGESTED)
        }
    }
}

/// Whether a statement has a word of a part.
fn shares(part: &[Term], of: &Features<'_>) -> bool {
    of.words.iter().any(|word| part.contains(&aspect(word.term)))
}

/// Whether a statement is of what a part asks for: by a word of it, by a pronoun, or because it says too little to be of anything else.
fn is_of_asked(part: &[Term], of: &Features<'_>) -> bool {
    // `Who owns them` has no word but the verb.
    part.len() <= 1
        || shares(part, of)
        || begins_with_pronoun(of.text)
        || of.text.split_whitespace().nth(FEW_WORDS_MAX).is_none()
}

fn is_duration(of: &Features<'_>, figure: &Figure) -> bool {
    let behind = of.text[figure.end..].trim_start();
    let before = of.text[..figure.start].trim_end();
    let begins = |words: &[&str]| begins_with_any(behind, words);
    // When something was, or how old it is.
    let is_age = begins(&["ago", "old", "alt"]) || before.ends_with("vor") || behind.ends_with(" alt.");
    let is_counted = matches!(figure.unit, Unit::Measure { base: "s" | "month", per: 0 })
        || figure.unit == Unit::Plain && begins(&["Tag"]);
    is_counted && !is_age
}

fn first_words<'f>(of: &'f Features<'_>) -> impl Iterator<Item = (&'f str, Term)> {
    of.words.iter().map(|word| (&of.text[word.range()], word.term))
}

/// Whether a statement begins with a thing that wasn't asked for: `The server`.
fn is_of_another(part: &[Term], of: &Features<'_>) -> bool {
    let mut words = first_words(of);
    let Some(article) = words.next().map(|(word, _)| word.to_lowercase()) else { return false };
    let is_german = ARTICLES_GERMAN.contains(&article.as_str());
    let is_article = is_german || ARTICLES.contains(&article.as_str());
    let Some((mut thing, mut term)) = words.next().filter(|_| is_article) else { return false };
    // `The list price`, `The full fee`.
    if KINDS.contains(&thing.to_lowercase().as_str()) {
        (thing, term) = words.next().unwrap_or((thing, term));
    }
    let thing_is = aspect(term);
    let is_asked =
        part.contains(&thing_is) || told_besides(of, |told| told == thing_is).any(|told| told == thing_is);
    // A name says which one of those is meant that were asked for.
    (is_german || thing.starts_with(char::is_lowercase)) && !is_asked
}

/// Whether a number stands before what is counted.
fn counts(what: Term, of: &Features<'_>) -> bool {
    of.figures.iter().filter(|figure| figure.unit == Unit::Plain).any(|figure| {
        let behind = of.words.iter().filter(|word| word.start >= figure.end && word.kind != Kind::Number);
        behind.take(BESIDE).any(|word| aspect(word.term) == what)
    })
}
