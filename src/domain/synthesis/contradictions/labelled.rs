//! Labels with another amount, day or time each: `Price: $10` and `Price: $12`, or a label and a sentence that is as short: `The price is $12`.
//!
//! What they are about stands in none of their words. So it must be the same heading, and one that names a thing, or each must
//! be all that its subagent says, or one of some labels that are, or what names the thing stands beside it, `name: checkout`, or two others, and
//! all else that both have is the same.
//! Where one says several amounts under a label, they are told apart by more than it. The same holds of states (`Status: open`,
//! `Severity: high`) and of what is chosen (`Recommendation: Postgres`); what says the verdict of all that its subagent says is also held
//! against that of who had the same task.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use self::heads::label;
use self::sheets::Sheets;
pub(super) use self::sheets::asks_one;
use self::told::Told;
use super::CHECKS_MAX;
use super::answers::asks_for_several;
use super::differ::Difference;
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Statement, are_tasks_of_others, is_subject};
use crate::domain::text::words::Lexicon;

mod heads;
mod sheets;
mod states;
mod told;

/// What each may say another amount of: of itself, or of a place in its own text.
#[rustfmt::skip]
const OWN: [&str; 16] = [
    "confidence", "relevance", "score", "page", "pages", "section", "step", "id", "no", "rank", "results", "sources", "konfidenz", "seite", "quellen", "treffer",
];

/// Labels of what names a thing, beside the kinds of things.
pub(super) const NAMES: [&str; 6] = ["name", "title", "service", "host", "hotel", "titel"];

/// A statement as it is compared.
struct Read<'s> {
    at: usize,
    statement: &'s Statement<'s>,
    told: Told<'s>,
    /// Whether its label has a colon.
    is_label: bool,
    /// Whether it stands below nothing that names a thing, beside others.
    is_loose: bool,
    /// Whether it says in words what all that its subagent says comes to.
    is_verdict: bool,
    /// Whether it is a sentence that recommends: of several things each may be.
    is_said: bool,
}

impl Read<'_> {
    /// Whether what it says need not be told by the task: many things are in the same state, and few have the same amount.
    fn is_of_a_thing(&self) -> bool {
        let Statement { heading, around, .. } = self.statement;
        !self.told.is_word() || !heading.is_empty() || !around.announced.is_empty()
    }

    fn has_task_of(&self, other: &Self) -> bool {
        let task = self.statement.around.task;
        !task.is_empty() && task == other.statement.around.task
    }
}

/// What a label is and below what it stands.
type Key<'s> = (String, &'s str, &'s str);

/// The pairs that differ, and how many were compared. `order` are the statements in an order of their own.
pub(super) fn differences(
    order: &[usize],
    (statements, features): (&[Statement<'_>], &[&Features<'_>]),
    query: &str,
) -> (Vec<([usize; 2], Difference)>, usize) {
    let (same, sheets, said) = read(order, statements, features);
    let (mut found, mut checked) = (Vec::new(), 0);
    let mut lexicon = Lexicon::default();
    // Many labels are of the same two.
    let mut known: BTreeMap<[&str; 2], bool> = BTreeMap::new();
    let says = |who: &str| said.get(who).copied().unwrap_or_default();
    let mut are_of_one = |one, other| {
        *known.entry([one, other]).or_insert_with(|| sheets.are_of_one(one, other, (query, &says)))
    };
    let asks_one = LazyCell::new(|| sheets::asks_one(query));
    let asks_for_several = LazyCell::new(|| asks_for_several(query));
    for ((_, heading, _), all) in same.iter().filter(|(_, all)| all.len() > 1) {
        if !heading.is_empty() && !is_subject(heading, &mut lexicon) {
            continue;
        }
        let is_alone = |read: &&Read<'_>| {
            let by = |other: &&Read<'_>| other.statement.subagent == read.statement.subagent;
            all.iter().filter(by).count() == 1
        };
        let alone: Vec<&Read<'_>> = all.iter().take(CHECKS_MAX).filter(is_alone).collect();
        for (place, one) in alone.iter().enumerate() {
            for other in &alone[place + 1..] {
                checked += 1;
                let [task, their_task] = [one, other].map(|read| read.statement.around.task);
                let are_told = match [one, other].map(|read| (read.is_loose, read.statement.subagent)) {
                    _ if one.is_said || other.is_said => {
                        !*asks_for_several && (one.has_task_of(other) || *asks_one)
                    }
                    _ if one.is_verdict && other.is_verdict && one.has_task_of(other) => true,
                    [(false, _), (false, _)] => one.is_of_a_thing() || one.has_task_of(other) || *asks_one,
                    [(true, a), (true, b)] => are_of_one(a, b),
                    _ => false,
                };
                let kind =
                    one.told.differ(&other.told).filter(|_| are_told && (one.is_label || other.is_label));
                if let Some(kind) = kind
                    && !are_tasks_of_others(task, their_task, &mut lexicon)
                {
                    let [one_is, other_is] = [one, other].map(|read| read.told.written.to_owned());
                    found.push(([one.at, other.at], Difference::new(kind, one_is, other_is)));
                }
            }
        }
    }
    (found, checked)
}

/// What stands behind labels, by the labels; who says several such things; how much everybody says.
fn read<'s>(
    order: &[usize],
    statements: &'s [Statement<'s>],
    features: &'s [&'s Features<'s>],
) -> (BTreeMap<Key<'s>, Vec<Read<'s>>>, Sheets<'s>, BTreeMap<&'s str, usize>) {
    let mut said: BTreeMap<&str, usize> = BTreeMap::new();
    let mut same: BTreeMap<Key<'s>, Vec<Read<'s>>> = BTreeMap::new();
    let mut sheets = Sheets::default();
    // Without a colon only one amount is compared.
    let has_amount = |at: usize| features[at].figures.len() == 1;
    let labelled = order.iter().filter_map(|&at| Some((at, label(&statements[at], has_amount(at))?)));
    for (at, label) in labelled {
        let statement = &statements[at];
        if said.is_empty() {
            statements.iter().for_each(|said_by| *said.entry(said_by.subagent).or_default() += 1);
        }
        let is_whole = statement.heading.is_empty()
            && statement.around.announced.is_empty()
            && said.get(statement.subagent) == Some(&1);
        let is_loose = !is_whole && statement.heading.is_empty();
        let is_label = label.verb.is_empty();
        if is_loose && is_label && !label.is_said {
            sheets.add(statement.subagent, label.text, statement.text, Told::of(features[at], &label));
        }
        if let Some(told) = Told::of(features[at], &label).filter(|_| !is_loose || is_label) {
            let key = (label.text.to_lowercase(), statement.heading, statement.around.announced);
            let is_verdict = told.is_word() && states::is_verdict(label.text);
            let is_said = label.is_said;
            let read = Read { at, statement, told, is_label, is_loose, is_verdict, is_said };
            same.entry(key).or_default().push(read);
        }
    }
    (same, sheets, said)
}

/// Whether a word of a label says what each may say another amount of.
pub(super) fn is_own(word: &str) -> bool {
    OWN.contains(&word.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::super::contradictions;
    use crate::domain::near_duplicates::Reader;
    use crate::domain::synthesis::claims::{Said, statements};

    /// What contradicts in the answers of two subagents to two tasks.
    fn found(one: (&str, &str), other: (&str, &str)) -> Vec<String> {
        let mut all = Vec::new();
        for ((text, task), subagent) in [(one, "a"), (other, "b")] {
            let mut said = statements(Said { subagent, ..Said::uncited(text) });
            said.iter_mut().for_each(|statement| statement.around.task = task);
            all.extend(said);
        }
        let mut reader = Reader::default();
        let features: Vec<_> = all.iter().map(|said| reader.read(said.text)).collect();
        contradictions(&all, &features).found.into_iter().map(|found| found.description).collect()
    }

    fn are_found(one: &str, other: &str) -> usize {
        found((one, ""), (other, "")).len()
    }

    #[test]
    fn labels_with_another_amount_of_the_same_thing_contradict() {
        for (one, other) in [
            ("Price: $10", "Price: $12"),
            ("**Price:** $10 per month", "Price: $12 per month"),
            ("## Acme Pro\n\n- Price: $10\n- Users: 5", "## Acme Pro\n\n- Price: $12\n- Users: 5"),
            ("Preis: 10 Euro", "Preis: 12 Euro"),
            ("name: checkout\nreplicas: 3\nzone: a", "name: checkout\nreplicas: 5\nzone: a"),
            ("replicas: 3\nimage: app:1.2\nzone: a", "replicas: 5\nimage: app:1.2\nzone: a"),
            ("- Name: Acme Pro\n- Price: $10", "- Name: Acme Pro\n- Price: $12\n- Users: 5"),
            ("Runway: 12 months.", "Runway is 9 months."),
            ("replicas: 3\nzone: a", "replicas: 5\nzone: a"),
            ("- Price: $10\n- Users: 5", "- Price: $12\n- Users: 5"),
            ("Deadline: 31 March 2025", "Deadline: 30 June 2025"),
            ("**Deadline:** 2025-03-31", "**Deadline:** 2025-06-30"),
            ("Start: 14:05", "Start: 16:20"),
            ("Price: $10", "Price: about $16"),
            ("Duration: 26 minutes.", "Duration: approximately 45 minutes."),
            ("**Price:** $10 per month", "The price is $12 per month."),
            ("§ 9 Deductible: EUR 250 per claim.", "The deductible is EUR 500 per claim."),
            ("Kaltmiete: 890 €", "Die Kaltmiete beträgt 920 €."),
            ("ETA: 11 April 2025", "ETA: 9 April 2025"),
        ] {
            assert_eq!(are_found(one, other), 1, "{one} / {other}");
            assert_eq!(are_found(other, one), 1, "{other} / {one}");
        }
        for (one, other) in [
            ("- Revenue: $3.2 million\n- Employees: 120", "- Revenue: $4.1 million\n- Employees: 140"),
            ("- **价格**：499元\n- **重量**：1.2千克", "- **价格**：549元\n- **重量**：1.4千克"),
        ] {
            assert_eq!(are_found(one, other), 2, "{one} / {other}");
        }
        let described = found(("Price: $10", ""), ("Price: $12", ""));
        assert!(described[0].ends_with("give different numbers: “$10” and “$12”."), "{described:?}");
    }

    #[test]
    fn states_of_one_thing_contradict() {
        let task = "Ticket 4711";
        for (one, other) in [
            ("Status: open", "Status: closed"),
            ("**Severity:** high", "Severity: low"),
            ("Verdict: pass", "Verdict: fail"),
            ("Recommendation: Postgres", "Recommendation: MySQL"),
            ("I recommend Postgres.", "I recommend MongoDB."),
            ("We recommend going with Postgres.", "Recommendation: MongoDB"),
            ("It is slow. My recommendation is to buy.", "My recommendation is to sell."),
            ("- Owner: Ana\n- SCIM ✅", "- Owner: Ana\n- SCIM ❌"),
            ("- Owner: Ana\n- ✅ SCIM", "- Owner: Ana\n- SCIM: No"),
            ("Recommendation: Sennheiser Momentum 4", "Recommendation: Sony WH-1000XM4"),
            ("My pick: Sennheiser Momentum 4", "My pick: Sony WH-1000XM4"),
            ("Severity: P1", "Severity: P3"),
            ("状态：开放", "状态：已关闭"),
            ("Gravité : élevée", "Gravité : faible"),
            ("- Owner: Ana\n- Status: open", "- Owner: Ana\n- Status: closed"),
            ("It was read in the tracker.\n\nStatus: open", "Status: closed"),
        ] {
            assert_eq!(found((one, task), (other, task)).len(), 1, "{one} / {other}");
        }
        let below = ["## Ticket 4711\n\n- Status: open\n- Owner: Ana", "## Ticket 4711\n\n- Status: closed"];
        assert_eq!(are_found(below[0], below[1]), 1);
        for (one, other) in [
            ("Status: open", "Status: in progress"),
            ("Status: open", "Priority: low"),
            ("I recommend Postgres for orders.", "I recommend MongoDB for logs."),
            ("I recommend Postgres.", "I recommend Redis as a cache."),
            ("I recommend Postgres.", "I recommend Postgres 17."),
            ("- SCIM ✅", "- LDAP ❌"),
            ("- SCIM ✅", "- ✅ SCIM"),
            ("Confidence: high", "Confidence: low"),
            ("It is slow.\n\n- Severity: high", "It is old.\n\n- Severity: low"),
        ] {
            assert_eq!(found((one, task), (other, task)).len(), 0, "{one} / {other}");
        }
        assert_eq!(found(("Status: open", task), ("Status: closed", "Ticket 4712")).len(), 0);
        assert_eq!(are_found("Status: open", "Status: closed"), 0);
        assert_eq!(are_found("## Findings\n\n- Severity: high", "## Findings\n\n- Severity: low"), 0);
    }

    #[test]
    fn labels_of_what_may_be_another_thing_contradict_nothing() {
        for (one, other) in [
            ("Price: $10", "Price: about $10"),
            ("name: checkout\nreplicas: 3\nzone: a", "name: billing\nreplicas: 5\nzone: a"),
            ("name: checkout\nreplicas: 3\nzone: a", "name: checkout\nreplicas: 5\nzone: b"),
            ("replicas: 3\nzone: a", "replicas: 5\nzone: b"),
            ("- Price: $10\n- Users: 5", "- Price: $12\n- Users: 5\n- Seats: 7"),
            ("- Price: $10\n- Users: 5\n- Seats: 7", "- Price: $12\n- Users: 6\n- Seats: 8"),
            ("- Price: $10\n- Users: 5\n\nIt is small.", "- Price: $12\n- Users: 6"),
            ("Published: 31 March 2025", "Published: 30 June 2025"),
            ("Deadline: 31 March 2025", "Deadline: March 2025"),
            ("Start: 14:05", "Start: 2:05 pm"),
            ("Time: 14:05", "Time: 16:20"),
            ("Runway: 12 months.", "Runway is 12 months."),
            ("§ 9 Deductible: EUR 250 per claim.", "The deductible is EUR 250 per claim."),
            ("Kaltmiete: 890 €", "Die Kaltmiete beträgt 920 € mit Stellplatz."),
            ("Recommendation: Pixel 8", "Recommendation: Pixel 8 Pro"),
            ("Runway: 12 months.", "Runway is below 9 months."),
            ("Runway: 12 months.", "Runway is 9 months at twice the burn."),
            ("Runway: 12 months.", "The runway of Acme is 9 months."),
            ("Runway: 12 months.", "Runway was 9 months."),
            ("Price: $10", "Price: €12"),
            ("Price: $10 per month", "Price: $100 per year"),
            ("Price: $10", "Cost: $12"),
            ("Confidence: 80%", "Confidence: 90%"),
            ("Founded: 2015", "Founded: 2017"),
            ("## Acme Pro\n\n- Price: $10\n- Users: 5", "## Acme Max\n\n- Price: $12\n- Users: 5"),
            ("## Pricing\n\n- Price: $10\n- Users: 5", "## Pricing\n\n- Price: $12\n- Users: 5"),
            ("## Acme Pro\n\n- Price: $10\n- Price: $15", "## Acme Pro\n\n- Price: $12\n- Users: 5"),
        ] {
            assert_eq!(are_found(one, other), 0, "{one} / {other}");
        }
        let tasks = ["The price of Acme", "The price of Globex"];
        assert_eq!(found(("Price: $10", tasks[0]), ("Price: $12", tasks[1])).len(), 0);
        assert_eq!(found(("Price: $10", tasks[0]), ("Price: $12", tasks[0])).len(), 1);
    }
}
