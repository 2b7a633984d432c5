//! What was measured or counted, told in other words: `18,240 checkout requests failed` and `Failed checkouts: 12,400`.
//!
//! Other rules ask that nearly all of two statements is the same. Here it is what the figure is of, whatever else is said: what was
//! counted and what became of it, how long something was down, how a vote ended, when something is open or begins, by whom it was
//! noticed, and the characters before a figure. In turn nothing may say that they are of others: no other name, time, place or part
//! ([`Scope`]), no other heading, and who tells two of the same tells them apart by more than is read here.
//! Time is linear in the statements; of those that are called the same [`CHECKS_MAX`] are compared.

use std::collections::{BTreeMap, BTreeSet};

use self::scope::{Lines, Scope};
pub(super) use self::times::clock_times;
use self::told::Told;
use super::another::is_another;
use super::differ::Difference;
use super::elsewhere::are_of_others;
use super::{CHECKS_MAX, Kind, alternatives, circumstances, numbered};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Statement, are_headed_alike, are_tasks_of_others, names_differ};
use crate::domain::text::words::{Lexicon, Term};
use crate::domain::wanted::still_wanted;

mod attributes;
mod characters;
pub(super) mod counts;
mod cues;
mod dated;
mod deaths;
mod founded;
mod hours;
mod lasting;
mod moved;
mod noticed;
mod periods;
mod roles;
mod scope;
#[cfg(test)]
mod tests;
mod times;
mod told;
mod votes;

/// Longer statements aren't read.
const BYTES_MAX: usize = 600;

/// What a figure is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// What may be of another thing, time or part, by what stands around it.
    Scoped(Scoped),
    /// What an amount came to.
    Moved,
    /// When it came to be.
    Founded,
    /// What something was caused by.
    Cause,
    /// Who or what is what only one is.
    Role,
    /// How long, heavy, dear … it is.
    Attribute,
    /// The characters before a figure.
    Characters,
}

/// What a figure is of, where a [`Scope`] tells it from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Scoped {
    /// What was counted, and what became of it.
    Count,
    /// How long something was down.
    Lasting,
    /// How long someone has for something.
    Period,
    Vote,
    Hours,
    /// When a law applies from.
    Effect,
    /// When something begins.
    Start,
    /// When something is open again.
    Reopening,
    /// Who noticed something.
    Noticed,
    /// How long, heavy, dear … something is: now, or at all times.
    Attribute,
    Constant,
}

/// Something measured.
struct Mention<'f> {
    at: usize,
    class: Class,
    /// What is counted.
    key: Term,
    /// The words that say so, which say nothing of where or when, ascending.
    core: Vec<Term>,
    told: Told<'f>,
}

impl Class {
    fn kind(self) -> Kind {
        match self {
            Self::Scoped(Scoped::Effect | Scoped::Start | Scoped::Reopening) | Self::Founded => Kind::Date,
            Self::Scoped(Scoped::Noticed) | Self::Cause | Self::Role => Kind::Holder,
            Self::Scoped(
                Scoped::Count
                | Scoped::Lasting
                | Scoped::Period
                | Scoped::Vote
                | Scoped::Hours
                | Scoped::Attribute
                | Scoped::Constant,
            )
            | Self::Moved
            | Self::Attribute
            | Self::Characters => Kind::Number,
        }
    }
}

/// The pairs that differ, and how many were compared. `order` are the statements in an order of their own.
pub(super) fn differences<'t>(
    order: &[usize],
    statements: &[Statement<'t>],
    features: &[&Features<'t>],
    lexicon: &mut Lexicon,
) -> (Vec<([usize; 2], Difference)>, usize) {
    let mut mentions = Vec::with_capacity(order.len());
    for &at in order {
        let (statement, of) = (&statements[at], features[at]);
        if of.text.len() <= BYTES_MAX && !asks(of.text) {
            read((at, statement, of), &mut mentions, lexicon);
        }
    }
    let key = |mention: &Mention<'_>| (mention.class, mention.key);
    let mut grouped: Vec<&Mention<'_>> = mentions.iter().collect();
    grouped.sort_by_key(|mention| key(mention));
    let (mut found, mut seen, mut checked) = (Vec::new(), BTreeSet::new(), 0);
    let mut lines = Lines::default();
    for group in grouped.chunk_by(|a, b| key(a) == key(b)).filter(|group| group.len() > 1) {
        still_wanted();
        let subagent = |mention: &Mention<'_>| statements[mention.at].subagent;
        let alone = alone(group, &subagent, lexicon);
        for (rank, one) in alone.iter().enumerate() {
            for other in &alone[rank + 1..] {
                let places = [one.at.min(other.at), one.at.max(other.at)];
                if subagent(one) == subagent(other) || !seen.insert(places) {
                    continue;
                }
                checked += 1;
                if one.told.agrees(&other.told, lexicon) == Some(false)
                    && !are_apart([one, other], (statements, features), &mut lines, lexicon)
                    && !is_another(features[one.at], features[other.at])
                {
                    found.push(described(one, other, statements));
                }
            }
        }
    }
    (found, checked)
}

fn asks(text: &str) -> bool {
    // Sooner looked for than a character of any width: `？` begins with this byte.
    memchr::memchr2(b'?', 0xEF, text.as_bytes()).is_some() && text.contains(['?', '？'])
}

fn read<'a, 't>(
    said: (usize, &Statement<'t>, &'a Features<'t>),
    mentions: &mut Vec<Mention<'a>>,
    lexicon: &mut Lexicon,
) {
    let (_, statement, of) = said;
    let cues = cues::cues(of);
    let may = |cue: u16| cues & cue != 0;
    let is_json = of.text.starts_with('"');
    if may(cues::ROLES) || is_json {
        mentions.extend(roles::of_sentence(said));
    }
    if is_json {
        mentions.extend(counts::of_members(said, lexicon));
        return;
    }
    mentions.extend(noticed::of_sentence(said));
    if statement.row.is_some() || of.figures.is_empty() {
        return;
    }
    if may(cues::ATTRIBUTES) || attributes::is_size(of) {
        mentions.extend(attributes::of_sentence(said));
    }
    if may(cues::CHARACTERS) {
        mentions.extend(characters::of_sentence(said));
    }
    if may(cues::DATED) {
        mentions.extend(dated::of_sentence(said));
    }
    if may(cues::FOUNDED) {
        mentions.extend(founded::of_sentence(said));
    }
    if may(cues::LASTING) {
        mentions.extend(lasting::of_sentence(said));
    }
    mentions.extend(counts::of_sentence(said));
    if super::differ::negations(of) != 0 {
        return;
    }
    if may(cues::DEATHS) {
        mentions.extend(deaths::of_sentence(said));
    }
    mentions.extend(moved::of_sentence(said));
    mentions.extend(periods::of_sentence(said));
    if may(cues::VOTES) {
        mentions.extend(votes::of_sentence(said));
    }
    if may(cues::HOURS) {
        mentions.extend(hours::of_sentence(said));
    }
}

/// Of those that are called the same the first, but for those of who tells several of it.
fn alone<'m, 'f>(
    group: &[&'m Mention<'f>],
    subagent: &dyn Fn(&Mention<'_>) -> &'m str,
    lexicon: &mut Lexicon,
) -> Vec<&'m Mention<'f>> {
    let mut by: BTreeMap<&str, Vec<&Mention<'f>>> = BTreeMap::new();
    for mention in group.iter().take(CHECKS_MAX) {
        by.entry(subagent(mention)).or_default().push(mention);
    }
    by.retain(|_, own| {
        let rest = &own[1..];
        // What stands before the characters tells these apart.
        let class = own[0].class;
        class == Class::Characters
            || rest.iter().all(|other| own[0].told.agrees(&other.told, lexicon) == Some(true))
            || class == Class::Attribute && attributes::are_told_apart(own)
    });
    by.into_values().flatten().collect()
}

/// Whether something says that they are of others, of other times or parts, or meant otherwise.
fn are_apart<'t>(
    [one, other]: [&Mention<'_>; 2],
    (statements, features): (&[Statement<'t>], &[&Features<'t>]),
    lines: &mut Lines<'t>,
    lexicon: &mut Lexicon,
) -> bool {
    let [a, b] = [one, other].map(|mention| (&statements[mention.at], features[mention.at]));
    let mut apart = |lexicon: &mut Lexicon| match one.class {
        Class::Characters => characters::are_of_others([one, other], [a.1, b.1]),
        // Who it is tells them apart already.
        Class::Founded => founded::are_labels(a.1, b.1),
        Class::Cause | Class::Role => roles::are_of_others([one, other], [a.1, b.1]),
        Class::Attribute => attributes::are_of_others([one, other], [a, b], lines, lexicon),
        // Its clause says all.
        Class::Moved => scope::are_of_other_times(a.1, b.1),
        Class::Scoped(class) => {
            let [mine, theirs] = [(one, a), (other, b)]
                .map(|(mention, said)| Scope::of(class, &mention.core, said, lines, lexicon));
            mine.is_apart(&theirs)
        }
    };
    // What costs most comes last.
    !matches!(one.class, Class::Founded | Class::Role | Class::Cause) && names_differ(a.1, b.1)
        || numbered::are_others(a.1, b.1)
        || alternatives::are_others(a.1, b.1)
        || super::apart::are_apart(a.1, b.1)
        || super::rates::are_per_others(a.1, b.1)
        || !are_headed_alike(a, b)
        || apart(lexicon)
        || are_of_others(a, b, lexicon)
        || are_tasks_of_others(a.0.around.task, b.0.around.task, lexicon)
        || one.class.kind() != Kind::Holder && circumstances::differ(a.1, b.1)
}

/// Both in the order of their texts, as all pairs are.
fn described(
    one: &Mention<'_>,
    other: &Mention<'_>,
    statements: &[Statement<'_>],
) -> ([usize; 2], Difference) {
    let mut both = [one, other];
    both.sort_by_key(|mention| statements[mention.at].text);
    let [one, other] = both;
    let difference = Difference::new(one.class.kind(), one.told.written(), other.told.written());
    ([one.at, other.at], difference)
}
