//! What a short statement is about stands around it: `Wireless charging is supported.` under `Pixel 9` and under `iPhone 16` are two.
//!
//! Headings are worded freely, and what two reports say is the same under `Costs` and under `Pricing`. So only names and figures tell
//! subjects apart, and only where each heading has one that neither the other heading nor the statement has. Linear in the
//! statements; of one cluster [`SUBJECTS_MAX`] headings are held against each other.

use std::collections::{BTreeMap, BTreeSet};

use self::named::{lowered, names, names_of_task};
use super::Statement;
use crate::domain::aggregate::near_duplicates::{Cluster, Features, Union};
use crate::domain::synthesis::contradictions::differ;
use crate::domain::text::language::told;
use crate::domain::text::terms::TermSet;
use crate::domain::text::words::{Lexicon, Term};

mod generic;
mod named;

/// Content terms of a statement that says itself what it is about.
pub(in crate::domain::synthesis) const LONG: usize = 8;
/// Different subjects of one cluster that are held against each other: beyond them each is one.
const SUBJECTS_MAX: usize = 32;

/// What tells a statement's subject from others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Subject {
    /// The names and figures of what stands around it, sorted.
    names: Vec<Term>,
    /// Of a task all else: only tasks that are the same but for a name tell subjects apart.
    rest: Option<Vec<Term>>,
}

impl Subject {
    fn of(statement: &Statement<'_>, lexicon: &mut Lexicon, known: &Known<'_>) -> Self {
        let around = &statement.around;
        let of_line = |line: &str, lexicon: &mut Lexicon| {
            let mut names = names(line, lexicon, known.lowered);
            names.retain(|name| !known.says.words.iter().any(|word| word.term == *name));
            names
        };
        let mut found = Self::default();
        for line in [around.announced, statement.heading] {
            if found.names.is_empty() && !line.is_empty() {
                found.names = of_line(line, lexicon);
            }
        }
        if statement.heading.is_empty() && around.announced.is_empty() && !around.task.is_empty() {
            let (mut names, rest) = names_of_task(around.task, lexicon);
            names.retain(|name| !known.says.words.iter().any(|word| word.term == *name));
            found = Self { names, rest: Some(rest) };
        }
        found
    }

    /// Whether each has a name that the other hasn't.
    fn is_other_than(&self, other: &Self) -> bool {
        let lacks = |of: &[Term], other: &[Term]| of.iter().any(|name| other.binary_search(name).is_err());
        self.rest == other.rest && lacks(&self.names, &other.names) && lacks(&other.names, &self.names)
    }
}

/// What is known beside a heading.
struct Known<'f> {
    /// What the statement says.
    says: &'f Features<'f>,
    /// Words that some statement has in small letters: they are no names.
    lowered: &'f TermSet,
}

/// Whether two statements stand under lines, or answer tasks, that are about others.
pub(in crate::domain::synthesis) fn are_about_others(
    (a, one): (&Statement<'_>, &Features<'_>),
    (b, other): (&Statement<'_>, &Features<'_>),
    lexicon: &mut Lexicon,
) -> bool {
    if (a.heading, a.around.announced, a.around.task) == (b.heading, b.around.announced, b.around.task)
        || is_long(one)
        || is_long(other)
        || has_other_capitals(one)
    {
        return false;
    }
    let lowered = lowered([one, other].into_iter());
    let mine = Subject::of(a, lexicon, &Known { says: one, lowered: &lowered });
    let theirs = Subject::of(b, lexicon, &Known { says: other, lowered: &lowered });
    mine.is_other_than(&theirs)
}

fn is_long(of: &Features<'_>) -> bool {
    differ::content(of).len() >= LONG
}

/// Whether a text is in a language that writes all nouns with a capital.
fn has_other_capitals(of: &Features<'_>) -> bool {
    told(of.text) == "German"
}

/// The same clusters, but that statements about different subjects are in one each.
pub(super) fn apart(
    clusters: Vec<Cluster>,
    statements: &[Statement<'_>],
    features: &[Features<'_>],
) -> Vec<Cluster> {
    let around = |at: usize| {
        let statement = &statements[at];
        (statement.heading, statement.around.announced, statement.around.task)
    };
    let may_differ = |cluster: &Cluster| {
        let first = around(cluster.representative);
        cluster.members.iter().any(|&at| around(at) != first)
            && !is_long(&features[cluster.representative])
            && !has_other_capitals(&features[cluster.representative])
    };
    if !clusters.iter().any(may_differ) {
        return clusters;
    }
    let (lowered, mut lexicon) = (lowered(features.iter()), Lexicon::default());
    let mut found = Vec::with_capacity(clusters.len());
    for cluster in clusters {
        if may_differ(&cluster) {
            let known = Known { says: &features[cluster.representative], lowered: &lowered };
            let subjects: Vec<Subject> = (cluster.members.iter())
                .map(|&at| Subject::of(&statements[at], &mut lexicon, &known))
                .collect();
            found.extend(divided(cluster, &subjects, features));
        } else {
            found.push(cluster);
        }
    }
    found
}

/// A cluster by the subjects of its members. Those without one are one more, where there are others.
fn divided(cluster: Cluster, subjects: &[Subject], features: &[Features<'_>]) -> Vec<Cluster> {
    let named = subjects.iter().filter(|subject| !subject.names.is_empty());
    let distinct: Vec<&Subject> = named.collect::<BTreeSet<_>>().into_iter().collect();
    let mut union = Union::new(distinct.len());
    for (at, one) in distinct.iter().enumerate().take(SUBJECTS_MAX) {
        for (with, other) in distinct.iter().enumerate().skip(at + 1).take(SUBJECTS_MAX) {
            if !one.is_other_than(other) {
                union.join(at, with);
            }
        }
    }
    let mut parts: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for (&member, subject) in cluster.members.iter().zip(subjects) {
        let place = distinct.binary_search(&subject).ok();
        parts.entry(place.map(|place| union.root(place))).or_default().push(member);
    }
    if parts.keys().filter(|part| part.is_some()).count() < 2 {
        return vec![cluster];
    }
    let longest = |members: &[usize]| {
        let longer = |best: usize, &at: &usize| {
            if features[at].text.len() > features[best].text.len() { at } else { best }
        };
        members.iter().fold(members[0], longer)
    };
    let parts = parts.into_values();
    parts.map(|members| Cluster { representative: longest(&members), members }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::read;
    use crate::domain::aggregate::near_duplicates::Reader;
    use crate::domain::synthesis::claims::Claims;

    /// In how many clusters it is said that something is supported.
    fn clustered(texts: &[&str]) -> usize {
        let agents = ["a", "b", "c"];
        let said = texts.iter().zip(agents).flat_map(|(text, agent)| read(text, agent)).collect();
        let claims = Claims::new(said, &mut Reader::default());
        let is_it = |at: &usize| claims.statements[*at].text.contains("is supported");
        claims.clusters.iter().filter(|cluster| cluster.members.iter().any(is_it)).count()
    }

    #[test]
    fn short_statements_under_the_names_of_others_are_others() {
        let said = "Wireless charging is supported.";
        let under = |heading: &str| format!("## {heading}\n\n{said}");
        for (one, other) in [
            ("Pixel 9", "iPhone 16"),
            ("Berlin", "Paris"),
            ("1. Berlin", "2. Paris"),
            ("Notice period in Berlin", "Notice period in Paris"),
            ("Results of 2023", "Results of 2024"),
        ] {
            assert_eq!(clustered(&[&under(one), &under(other)]), 2, "{one} / {other}");
            assert_eq!(clustered(&[&format!("{}\n\n{}", under(one), under(other))]), 2, "{one} / {other}");
            assert_eq!(clustered(&[&under(one), &under(other), said]), 3, "{one} / {other}");
            assert_eq!(clustered(&[&under(one), &under(one), said]), 1, "{one}");
        }
        for (one, other) in [
            ("Overview", "Berlin"),
            ("Key findings", "Charging"),
            ("Costs", "Pricing"),
            ("Market Size", "Industry Trends"),
            ("Berlin", "Berlin and its rules"),
            ("1. Summary", "2. Details"),
            ("Wireless Charging", "What Is Supported"),
        ] {
            assert_eq!(clustered(&[&under(one), &under(other)]), 1, "{one} / {other}");
        }
        let long = "Wireless charging of phones and watches by cars and desks is supported in Europe, Asia and Africa.";
        let under = |heading: &str| format!("## {heading}\n\n{long}");
        assert_eq!(clustered(&[&under("Berlin"), &under("Paris")]), 1);
    }

    #[test]
    fn items_stand_under_the_item_that_they_are_nested_in() {
        let list =
            "- Berlin:\n  - Wireless charging is supported\n- Paris:\n  - Wireless charging is supported";
        assert_eq!(clustered(&[list]), 2);
        assert_eq!(clustered(&[&list.replace("Paris", "Facts").replace("Berlin", "Overview")]), 1);
        let said = read(list, "a");
        let announced: Vec<_> = said.iter().map(|statement| statement.around.announced).collect();
        assert_eq!(announced, ["Berlin", "Paris"]);
    }
}
