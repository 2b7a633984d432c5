//! What an amount came to, whichever way it moved: `Orders rose 12.4 % on a comparable basis to €15.8 billion` and `orders fell slightly to
//! 14.2 billion euros`.
//!
//! What stands before the verb in its clause must be the same words, and so must what stands behind the amount.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::super::amounts::Value;
use super::scope::is_meant_otherwise;
use super::{Class, Mention, Told};
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::phrases::{before_any, ends_with_any};
use crate::domain::text::words::Term;

/// Verbs of what moves: the amount that it moves to stands behind `to`.
#[rustfmt::skip]
const MOVES: [&str; 22] = [
    "rose", "fell", "increased", "decreased", "climbed", "dropped", "grew", "declined", "jumped", "slipped", "surged", "shrank", "edged", "improved", "rises", "falls", "advanced", "widened", "narrowed", "doubled",
    "went", "slid",
];
/// And of what it is: right behind them.
const IS: [&str; 8] = [
    " was ",
    " were ",
    " came in at ",
    " stood at ",
    " reached ",
    " totaled ",
    " totalled ",
    " amounted to ",
];
/// What divides clauses.
const DIVIDES: [&str; 7] = [", while ", " while ", "; ", ", whereas ", ", and ", ", but ", ", as "];
/// What moves all the time: both may be true.
const RESTLESS: [&str; 12] = [
    "share",
    "shares",
    "stock",
    "stocks",
    "price",
    "prices",
    "temperature",
    "index",
    "bitcoin",
    "yield",
    "yields",
    "odds",
];
/// What leads in a part of it.
const PARTS: [&str; 6] = [" in ", " for ", " from ", " at ", " of ", " with "];
/// Words of what moves, at most.
const WORDS_MAX: usize = 4;

/// The amounts that the clauses of a sentence tell.
pub(super) fn of_sentence<'a>((at, _, of): (usize, &Statement<'_>, &'a Features<'_>)) -> Vec<Mention<'a>> {
    // Most figures stand behind other words.
    let is_amount = |figure: &&Figure| {
        let before = || &of.text[..figure.start];
        let is_led = || before().ends_with(" to ") || ends_with_any(before(), &IS);
        matches!(figure.unit, Unit::Money(_) | Unit::Percent) && is_led()
    };
    if !of.figures.iter().any(|figure| is_amount(&figure)) || is_meant_otherwise(of) {
        return Vec::new();
    }
    let clauses = clauses(of.text);
    let mentions = clauses.into_iter().filter_map(|clause| {
        let inside = |figure: &&Figure| clause.start <= figure.start && figure.end <= clause.end;
        let amounts = of.figures.iter().filter(is_amount).filter(inside);
        let (figure, subject) =
            amounts.filter_map(|figure| Some((figure, subject(of, &clause, figure)?))).next()?;
        let mut core = terms(of, &subject)?;
        let beside = terms(of, &(figure.end..clause.end)).unwrap_or_default();
        let called: Vec<u8> =
            core.iter().chain(&[Term(0)]).chain(&beside).flat_map(|term| term.0.to_le_bytes()).collect();
        core.dedup();
        let told = Told::Amount(Value::new(of, figure, None));
        Some(Mention { at, class: Class::Moved, key: Term(xxh3_64(&called)), core, told })
    });
    mentions.collect()
}

/// What stands before the verb of a clause, where that says what the figure is.
fn subject(of: &Features<'_>, clause: &Range<usize>, figure: &Figure) -> Option<Range<usize>> {
    let before = &of.text[clause.start..figure.start];
    if let Some(said) = before_any(before, &IS) {
        return Some(clause.start..clause.start + said.len());
    }
    let moved = before.strip_suffix(" to ")?;
    let mut at = clause.start;
    for word in moved.split(' ') {
        if MOVES.contains(&word) {
            return (at > clause.start).then(|| clause.start..at - 1);
        }
        at += word.len() + 1;
    }
    None
}

/// The words of a piece that say what it is of, ascending, but for names; `None` where there are none, too many, or it is what never
/// stands still.
fn terms(of: &Features<'_>, piece: &Range<usize>) -> Option<Vec<Term>> {
    let inside = |element: &&Element| piece.start <= element.start && element.end <= piece.end;
    // Whose it is may be left out, but not where it is: `Orders in Germany`.
    let is_part = PARTS.iter().any(|word| of.text[piece.clone()].contains(word));
    let says = |element: &&Element| match element.role {
        Role::Content | Role::Figure | Role::Direction => true,
        Role::Name => is_part,
        Role::Character | Role::Adverb | Role::Discourse | Role::Attribution => false,
    };
    let said: Vec<&Element> = of.elements.iter().filter(inside).filter(says).collect();
    let is_restless =
        |element: &&Element| RESTLESS.contains(&of.text[element.range()].to_lowercase().as_str());
    if said.is_empty() || said.len() > WORDS_MAX || said.iter().any(is_restless) {
        return None;
    }
    let mut terms: Vec<Term> = said.into_iter().map(|element| element.term).collect();
    terms.sort_unstable();
    Some(terms)
}

/// The clauses of a sentence.
fn clauses(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    while let Some((at, mark)) =
        DIVIDES.iter().filter_map(|mark| Some((start + text[start..].find(mark)?, *mark))).min()
    {
        found.push(start..at);
        start = at + mark.len();
    }
    found.push(start..text.trim_end_matches(['.', ' ']).len().max(start));
    found
}

#[cfg(test)]
mod tests {
    use crate::domain::synthesis::contradictions::Kind;
    use crate::domain::synthesis::contradictions::tests::kinds_between as kinds;

    #[test]
    fn what_came_to_another_amount_contradicts() {
        const ORDERS: &str = "Orders rose 12.4% on a comparable basis to €15.8 billion.";
        for (one, other) in [
            (ORDERS, "Orders fell slightly to 14.2 billion euros."),
            (
                ORDERS,
                "Quarterly revenue climbed 8.1% to 10.9 billion euros, while orders fell slightly to 14.2 billion euros, Reuters reported.",
            ),
            (
                "Net income was €284 million.",
                "Net income rose by a fifth to €310 million, and the margin was 6.2%.",
            ),
        ] {
            assert_eq!(kinds(one, other), [Kind::Number], "{one} / {other}");
            assert_eq!(kinds(other, one), [Kind::Number], "{one} / {other}");
        }
    }

    #[test]
    fn what_is_of_another_thing_time_or_part_does_not() {
        const ORDERS: &str = "Orders rose 12.4% on a comparable basis to €15.8 billion.";
        for other in [
            "Orders rose to 15.8 billion euros.",
            "Revenue fell slightly to 14.2 billion euros.",
            "Orders in Germany fell slightly to 2.2 billion euros.",
            "Orders fell slightly to 2.2 billion euros in Germany.",
            "Orders fell slightly to 14.2 billion euros in 2024.",
            "Orders for turbines fell slightly to 4.2 billion euros.",
            "Orders were expected to rise to 14.2 billion euros.",
            "Acme's orders were €14.2 million a day.",
            "Orders fell by 14.2 billion euros.",
        ] {
            assert_eq!(kinds(ORDERS, other), [], "{other}");
        }
        assert_eq!(kinds("Shares rose to $120.", "Shares slid by a tenth to $110."), []);
    }
}
