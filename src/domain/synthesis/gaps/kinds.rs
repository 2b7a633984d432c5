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

pub use self::actions::asks_what_to_do;
pub(super) use self::states::is_of_amount;

/// What a part asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asks {
    Price,
    Duration,
    /// A time, or how long something is, which may be a length: only what is plainly said of the same thing answers.
    Time,
    /// How long, far, heavy … it is: in one of these units.
    Measure(&'static [&'static str]),
    /// How many of this.
    Count(Term),
    /// Which of several to take.
    Choice,
    /// Why something is so.
    Cause,
    /// Whether something is over, and who does it: questions that mostly say by a pronoun what they are of.
    State,
    Who,
    /// What is to be done.
    Action,
    /// What somebody needs.
    Need,
}

/// How a part begins that asks for a kind of thing.
#[rustfmt::skip]
const BEGINS: &[(&str, Asks)] = &[
    ("how much is ", Asks::Price), ("how much are ", Asks::Price), ("how much money", Asks::Price), ("how much funding", Asks::Price),
    ("how long do ", Asks::Duration), ("how long does ", Asks::Duration), ("how long did ", Asks::Duration), ("how long will ", Asks::Duration), ("for how long ", Asks::Duration), ("wie lange ", Asks::Duration),
    ("when is ", Asks::Time), ("when are ", Asks::Time), ("when was ", Asks::Time), ("when were ", Asks::Time), ("when does ", Asks::Time), ("when did ", Asks::Time), ("when will ", Asks::Time),
    ("wann ", Asks::Time), ("how long is ", Asks::Time), ("how long are ", Asks::Time),
    ("what caused ", Asks::Cause), ("what causes ", Asks::Cause), ("what is causing ", Asks::Cause), ("what triggered ", Asks::Cause), ("what led to ", Asks::Cause), ("who ", Asks::Who), ("why ", Asks::Cause), ("warum ", Asks::Cause), ("pourquoi ", Asks::Cause), ("por qué ", Asks::Cause), ("为什么", Asks::Cause), ("为何", Asks::Cause),
    ("what should ", Asks::Action), ("what must be done", Asks::Action), ("what can be done", Asks::Action), ("what needs to be done", Asks::Action), ("what can we do", Asks::Action), ("how should we ", Asks::Action),
    ("how do we fix ", Asks::Action), ("how do i fix ", Asks::Action), ("how can we fix ", Asks::Action), ("how to fix ", Asks::Action), ("how do we solve ", Asks::Action), ("how do we resolve ", Asks::Action),
    ("how can we prevent ", Asks::Action), ("how can we avoid ", Asks::Action), ("how do we prevent ", Asks::Action), ("how do we avoid ", Asks::Action), ("was sollten ", Asks::Action), ("que faire ", Asks::Action),
];
const SPEEDS: &[&str] = &["km/h", "mph", "bps"];
const LENGTHS: &[&str] = &["m", "mile", "ft", "inch", "yard"];
/// Questions for a measure, and its units.
#[rustfmt::skip]
const MEASURES: [(&str, &[&str]); 17] = [
    ("how far ", LENGTHS), ("how tall ", LENGTHS), ("how high ", LENGTHS), ("how deep ", LENGTHS), ("how wide ", LENGTHS), ("wie weit ", LENGTHS), ("wie hoch ", LENGTHS), ("wie tief ", LENGTHS),
    ("how heavy ", &["g", "lb", "oz", "ton"]), ("how much does it weigh", &["g", "lb", "oz", "ton"]), ("wie schwer ", &["g", "lb"]), ("how fast ", SPEEDS), ("wie schnell ", SPEEDS),
    ("how big ", &["m2", "ft2", "acre", "mi2"]), ("how large ", &["m2", "ft2", "acre", "mi2"]), ("how hot ", &["°C", "°F"]), ("how cold ", &["°C", "°F"]),
];
/// Questions for a price, with ` cost` behind them.
#[rustfmt::skip]
const COSTS: [(&str, &str); 7] = [
    ("what does ", " cost"), ("what do ", " cost"), ("what did ", " cost"), ("what will ", " cost"), ("was koste", ""), ("combien coûte", ""), ("cuánto cuesta", ""),
];
/// Questions that leave out what of, as another part says it: `Can we store addresses, and for how long?`
const SHORT: [(&str, Asks); 4] = [
    ("how long", Asks::Duration),
    ("for how long", Asks::Duration),
    ("wie lange", Asks::Duration),
    ("wie lang", Asks::Duration),
];
/// Who asks how to do something, and verbs of what is set up: `How do we add OAuth login?`
const HOW_TO: [&str; 6] =
    ["how do we ", "how do i ", "how can we ", "how can i ", "how should i ", "how to "];
#[rustfmt::skip]
const SETS_UP: [&str; 14] = [
    "add ", "set up ", "install ", "configure ", "implement ", "integrate ", "deploy ", "connect ", "enable ", "migrate ", "upgrade ", "set ", "secure ", "test ",
];
const HOW_MANY: &str = "how many ";
/// Verbs of who has a choice, and what asks for one.
const CHOOSING: [&str; 14] = [
    "choose", "use", "pick", "buy", "adopt", "take", "select", "prefer", "migrate", "switch", "go", "order",
    "rent", "hire",
];
const ASKED_TO_CHOOSE: [&str; 4] = ["should we ", "should i ", "should one ", "should our "];
/// What tells a choice, as one of a statement's first words, and anywhere in it.
const CHOSEN: [&str; 10] =
    ["use", "choose", "pick", "buy", "adopt", "take", "select", "prefer", "go", "stick"];
#[rustfmt::skip]
const RECOMMENDED: [&str; 11] = [
    "recommend", "winner", "best choice", "best option", "best fit", "suits ", "opt for ", "i'd pick ", "i'd choose ", "i'd go with ", "my pick",
];
const CHOSEN_WITHIN: usize = 4;

/// What tells why something is so.
#[rustfmt::skip]
const CAUSES: [&str; 23] = [
    "because", "caused", "root cause", "due to", "reason", "triggered by", "resulted from", "owing to", "led to", "as a result of", "weil ", "wegen ", "aufgrund ", "ursache", "parce que", "à cause de", "en raison de", "porque",
    "debido a", "因为", "由于", "原因", "导致",
];
/// What tells what is to be done, beside advice: a task that is open, or what somebody suggests.
const OPEN_TASKS: [&str; 3] = ["[ ]", "☐", "todo:"];
const SUGGESTED: [&str; 3] = ["suggest", "propose", "follow-up"];
/// How a step begins that mends something, or sets it up.
#[rustfmt::skip]
const MENDS: [&str; 27] = [
    "roll back ", "revert ", "restart ", "redeploy ", "upgrade ", "downgrade ", "increase ", "reduce ", "raise ", "lower ", "disable ", "enable ", "replace ", "remove ", "limit ", "patch ", "rotate ",
    "install ", "reinstall ", "clear ", "add ", "use ", "set ", "create ", "configure ", "run ", "deploy ",
];

/// What a thing stands behind that is named by no name.
const ARTICLES: [&str; 6] = ["the", "a", "an", "our", "your", "each"];
/// The same in a language that writes all nouns with a capital.
const ARTICLES_GERMAN: [&str; 6] = ["der", "die", "das", "ein", "eine", "jeder"];
/// What stands before a price and says of which kind it is.
#[rustfmt::skip]
const KINDS: [&str; 16] = [
    "list", "base", "basic", "total", "full", "retail", "net", "gross", "monthly", "annual", "yearly", "standard", "average", "current", "regular", "usual",
];
/// Words between a number and what it counts.
const BESIDE: usize = 2;

/// Whether a part asks for a kind of thing that no other part asks for, and a statement tells one.
pub(super) fn is_told_by_kind(
    query: &str,
    (part, terms): (&str, &[Term]),
    told: &[&Features<'_>],
    lexicon: &mut Lexicon,
) -> bool {
    let Some(own) = kind_of(query, part, lexicon) else { return false };
    told.iter().any(|of| tells(own, terms, of))
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
    let terms = asked_of(&Grammar::of(query).plain(part), lexicon);
    texts.map(|text| tells(own, &terms, &Features::of(lexicon, text))).collect()
}

/// The kind that a part asks for.
fn asks(part: &str, lexicon: &mut Lexicon) -> Option<Asks> {
    let lower = part.to_lowercase();
    if let Some((_, asks)) = SHORT.iter().find(|(short, _)| *short == lower) {
        return Some(*asks);
    }
    let begins = |(begin, asks): &(&str, Asks)| lower.starts_with(begin).then_some(*asks);
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
        Asks::Duration => of.figures.iter().any(|figure| is_duration(of, figure)) && !is_of_another(part, of),
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
        Asks::Who => states::names_somebody(of, part),
        Asks::Choice => {
            let lower = of.text.to_lowercase();
            let is_chosen = |(word, _): (&str, Term)| CHOSEN.contains(&word.to_lowercase().as_str());
            first_words(of).take(CHOSEN_WITHIN).any(is_chosen) || has_any(&lower, &RECOMMENDED)
        }
        Asks::Cause => {
            let lower = of.text.to_lowercase().replace('_', " ");
            has_any(&lower, &CAUSES)
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
