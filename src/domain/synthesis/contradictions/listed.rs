//! The same below opposite lines: `Breakfast` below `Included:`, and elsewhere below `Not included:`.
//!
//! Alone the two say the same. So each is told by the line above it, in its description and beside its quotation. What one result
//! says on both sides differs in more than this, and what stands below headings that name others is about others: neither is held against
//! anything. Linear in the statements; each item is compared with [`CHECKS_MAX`] others at most.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::BuildHasherDefault;

use self::lines::{Item, Line, items, lines_of};
use super::answers::Asked;
use super::differ::Difference;
use super::{CHECKS_MAX, Differing, Kind};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Statement, are_tasks_of_others, subject_terms};
use crate::domain::text::keys::in_words;
use crate::domain::text::terms::TermHasher;
use crate::domain::text::turned::Side;
use crate::domain::text::words::{Lexicon, Term};

mod lines;

/// Bytes of an item that is quoted in a description.
const TOLD_BYTES_MAX: usize = 80;

/// What was found, and how many pairs were compared.
#[derive(Default)]
pub(super) struct Listed {
    pub(super) found: Vec<Differing>,
    pub(super) pairs_checked: usize,
}

/// An item as it is compared.
struct Read<'t> {
    at: usize,
    /// Which result says it.
    result: (&'t str, usize),
    text: &'t str,
    line: &'t str,
    side: Side,
    /// What else the lines above it say, ascending.
    subject: Vec<Term>,
}

/// The items that one result denies and another affirms. `order` are the statements in an order of their own.
pub(super) fn differences<'t>(
    order: &[usize],
    (statements, features): (&[Statement<'t>], &[&Features<'_>]),
    asked: &Asked<'_>,
    lexicon: &mut Lexicon,
) -> Listed {
    let mut listed = Listed::default();
    let mut sides = Sides::default();
    // Nearly all is listed below lines that deny nothing: of that only what others deny is looked for.
    let mut denied = BTreeSet::new();
    for at in denying(statements) {
        for Item { key, lines, .. } in items(&statements[at], features[at], lexicon) {
            if sides.of(&lines, lexicon).is_some_and(|(_, side)| side.is_denied) {
                denied.insert(key);
            }
        }
    }
    if denied.is_empty() {
        return listed;
    }
    let mut same: BTreeMap<u64, [Vec<Read<'t>>; 2]> = BTreeMap::new();
    for &at in order {
        let said = &statements[at];
        for Item { text, key, lines } in items(said, features[at], lexicon) {
            if !denied.contains(&key) {
                continue;
            }
            let Some((line, side)) = sides.of(&lines, lexicon) else { continue };
            let subject = subject(&lines, line, &side, lexicon);
            let result = (said.subagent, asked.results.partition_point(|result| result.end <= at));
            let denied = usize::from(side.is_denied);
            same.entry(key).or_default()[denied].push(Read { at, result, text, line, side, subject });
        }
    }
    for [affirmed, denied] in same.values().filter(|sides| sides.iter().all(|side| !side.is_empty())) {
        let (says, denies) = (who(affirmed), who(denied));
        for one in denied.iter().filter(|read| !says.contains(&read.result)).take(CHECKS_MAX) {
            for other in affirmed.iter().filter(|read| !denies.contains(&read.result)).take(CHECKS_MAX) {
                listed.pairs_checked += 1;
                let [task, their_task] = [one, other].map(|read| statements[read.at].around.task);
                if one.side.opposes(&other.side)
                    && one_covers_other(&one.subject, &other.subject)
                    && !are_tasks_of_others(task, their_task, lexicon)
                {
                    listed.found.push(found([one, other], statements));
                }
            }
        }
    }
    listed
}

/// The statements with a line above what they list that denies it. Only below such a line is something denied.
fn denying<'s, 't>(statements: &'s [Statement<'t>]) -> impl Iterator<Item = usize> + use<'s, 't> {
    // By where the lines stand: many statements stand below one, and a place is compared faster than a text.
    let mut known: HashMap<(*const u8, usize, bool), bool, BuildHasherDefault<TermHasher>> =
        HashMap::default();
    let mut denies = move |line: Line<'t>| *known.entry(line.place()).or_insert_with(|| line.denies());
    (0..statements.len()).filter(move |at| lines_of(&statements[*at]).any(&mut denies))
}

/// Lines that were asked about, and their sides: many statements stand below one.
#[derive(Default)]
struct Sides<'t> {
    known: BTreeMap<Line<'t>, Option<Side>>,
}

impl<'t> Sides<'t> {
    fn side(&mut self, line: Line<'t>, lexicon: &mut Lexicon) -> Option<&Side> {
        let of = || Side::of(line.text, lexicon).filter(|side| !side.is_denied || line.turns());
        self.known.entry(line).or_insert_with(of).as_ref()
    }

    /// The nearest line that says on which side an item is; none where a line says when it is, or an outer one denies what that affirms.
    fn of(&mut self, lines: &[Line<'t>], lexicon: &mut Lexicon) -> Option<(&'t str, Side)> {
        let mut all = Vec::with_capacity(lines.len());
        for &line in lines {
            all.push((line.text, self.side(line, lexicon)?.clone()));
        }
        let nearest = all.iter().position(|(_, side)| side.is_denied || side.is_plain()).unwrap_or_default();
        let is_mixed = !all[nearest].1.is_denied && all.iter().any(|(_, side)| side.is_denied);
        (!is_mixed).then(|| all.swap_remove(nearest))
    }
}

/// Which results say something.
fn who<'t>(reads: &[Read<'t>]) -> BTreeSet<(&'t str, usize)> {
    reads.iter().map(|read| read.result).collect()
}

/// What the lines above an item say beside on which side it is.
fn subject(lines: &[Line<'_>], line: &str, side: &Side, lexicon: &mut Lexicon) -> Vec<Term> {
    let mut terms = side.subject().to_vec();
    for other in lines.iter().filter(|other| other.text != line) {
        terms.extend(subject_terms(other.text, lexicon));
    }
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// Whether one of both says nothing that the other doesn't.
fn one_covers_other(one: &[Term], other: &[Term]) -> bool {
    let has_all = |of: &[Term], other: &[Term]| other.iter().all(|term| of.binary_search(term).is_ok());
    has_all(one, other) || has_all(other, one)
}

fn found([one, other]: [&Read<'_>; 2], statements: &[Statement<'_>]) -> Differing {
    // What cites belongs to no description.
    let line =
        |read: &Read<'_>| in_words(read.line.split('[').next().unwrap_or_default().trim()).into_owned();
    let told = |read: &Read<'_>| match read.text.len() > TOLD_BYTES_MAX || read.text.contains('[') {
        true => line(read),
        false => format!("{}: {}", line(read), read.text),
    };
    let lead_in = |read: &Read<'_>| {
        let stands = statements[read.at].text.contains(read.line);
        if stands { String::new() } else { line(read) }
    };
    let difference = Difference::new(Kind::Negation, told(one), told(other));
    Differing { places: [one.at, other.at], difference, lead_ins: [lead_in(one), lead_in(other)] }
}

#[cfg(test)]
mod tests {
    use super::super::{Contradiction, Kind, contradictions};
    use crate::domain::near_duplicates::Reader;
    use crate::domain::synthesis::claims::{Said, statements};

    /// What contradicts in the answers of two subagents.
    fn found(one: &str, other: &str) -> Vec<Contradiction> {
        let mut all = statements(Said { subagent: "a", ..Said::uncited(one) });
        all.extend(statements(Said { subagent: "b", ..Said::uncited(other) }));
        let mut reader = Reader::default();
        let features: Vec<_> = all.iter().map(|said| reader.read(said.text)).collect();
        contradictions(&all, &features).found
    }

    fn are_found(one: &str, other: &str) -> usize {
        let found = [found(one, other), found(other, one)].map(|found| found.len());
        assert_eq!(found[0], found[1], "{one} / {other}");
        found[0]
    }

    const BOTH: [&str; 2] = ["Breakfast in the restaurant", "Parking in the garage"];

    #[test]
    fn the_same_below_opposite_lines_contradicts() {
        for (one, other) in [
            ("Included:\n", "Not included:\n"),
            ("**Included:**\n", "**Not included**\n\n"),
            ("## What's covered\n", "## Not covered\n"),
            ("Allowed:\n", "Prohibited:\n"),
            ("### Supported\n", "### Unsupported\n"),
            ("Included:\n", "Exclusions:\n"),
            ("## Recommended\n\n### Food\n\n", "## Not recommended\n\n### Food\n\n"),
            ("# Hotel Gracery\n\nIncluded:\n", "# Hotel Gracery\n\nNot included:\n"),
            ("# A guide to Hotel Gracery\n\nIncluded:\n", "# Hotel Gracery: a briefing\n\nNot included:\n"),
            ("Enthalten:\n", "Nicht enthalten:\n"),
            ("The price includes:\n", "The price does not include:\n"),
        ] {
            let lists = [one, other].map(|line| format!("{line}- {}\n- {}", BOTH[0], "Wifi in the rooms"));
            assert_eq!(are_found(&lists[0], &lists[1]), 2, "{one} / {other}");
            let lists = [format!("{one}- Breakfast"), format!("{other}- Breakfast")];
            assert_eq!(are_found(&lists[0], &lists[1]), 1, "{one} / {other}");
            let table = "\n| Item | Limit |\n|---|---|\n| Breakfast | 2 guests |";
            let tables = [one, other].map(|line| format!("{line}{table}"));
            assert_eq!(are_found(&tables[0], &tables[1]), 1, "{one} / {other}");
        }
        for (one, other) in [
            (r#"{"included": ["Breakfast"]}"#, r#"{"not_included": ["Breakfast"]}"#),
            (r#"{"included": ["Breakfast"]}"#, "Not included:\n- Breakfast"),
            ("**Included:** breakfast, wifi and parking", "**Not included:** dinner, parking"),
            ("Included:\n- Breakfast\n- Wifi", "Not included:\n- Breakfast\n- Dinner"),
            (
                "<p>Included:</p><ul><li>Breakfast buffet</li></ul>",
                "<p>Not included:</p><ul><li>Breakfast buffet</li></ul>",
            ),
        ] {
            assert_eq!(are_found(one, other), 1, "{one} / {other}");
        }
    }

    #[test]
    fn both_are_told_with_the_lines_above_them() {
        let found = found("Included:\n- Breakfast buffet", r#"{"not_included": ["Breakfast buffet"]}"#);
        let [Contradiction { description, kind, statements, .. }] = found.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!(*kind, Kind::Negation);
        assert!(
            description.contains("“Included: Breakfast buffet” and “not included: Breakfast buffet”")
                || description.contains("“not included: Breakfast buffet” and “Included: Breakfast buffet”"),
            "{description}"
        );
        let said = statements.each_ref().map(|said| (said.text.as_str(), said.lead_in.as_deref()));
        assert!(said.contains(&("Breakfast buffet", Some("Included"))), "{said:?}");
        assert!(said.contains(&("Breakfast buffet", Some("not included"))), "{said:?}");
    }

    #[test]
    fn what_may_be_of_something_else_contradicts_nothing() {
        for (one, other) in [
            // Of other plans, and of a plan of two.
            ("## Free plan\n\nNot included:\n- Single sign-on", "## Pro plan\n\nIncluded:\n- Single sign-on"),
            (
                "## Free plan\n\nNot included:\n- Single sign-on\n\n## Pro plan\n\nIncluded:\n- Single sign-on",
                "Included:\n- Single sign-on",
            ),
            (
                "Not included in the free plan:\n- Single sign-on",
                "Included in the pro plan:\n- Single sign-on",
            ),
            ("Not included:\n- Single sign-on", "Included only if you pay more:\n- Single sign-on"),
            (
                "## Free plan\n\n**Not included:**\n- SSO\n- Logs",
                "## Pro plan\n\n**Included:**\n- SSO\n- Logs",
            ),
            ("# Hotel Gracery guide\n\nIncluded:\n- Wifi", "# Hotel Hyatt guide\n\nNot included:\n- Wifi"),
            // Of other kinds, and other things.
            ("Not included:\n- Dogs on a leash", "Allowed:\n- Dogs on a leash"),
            ("Not included:\n- 5 GB of storage", "Included:\n- 50 GB of storage"),
            ("Not included:\n- Single sign-on", "Key findings:\n- Single sign-on"),
            ("Cons:\n- Single sign-on", "Pros:\n- Single sign-on"),
            ("Not included:\n- None", "Included:\n- None"),
            ("Not covered:\n- Theft of bikes", "## Not covered\n\nCovered by others:\n- Theft of bikes"),
        ] {
            assert_eq!(are_found(one, other), 0, "{one} / {other}");
        }
        let same = "Included:\n- Breakfast buffet\n\nNot included:\n- Breakfast buffet";
        assert_eq!(are_found(same, "The hotel has 970 rooms."), 0);
    }
}
