//! What the lines above an item make of it: `travel insurance` below `Not included:` says the opposite of the same below `Included:`.

use std::collections::BTreeMap;

use super::longest;
use crate::domain::near_duplicates::{Cluster, Features};
use crate::domain::synthesis::claims::{Around, Statement};
use crate::domain::text::turned::{Turn, is_untrue, turn, turn_of_heading};

/// How a statement is meant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::domain::synthesis::claims) enum Sense {
    /// As it is written.
    Said,
    /// As something that isn't so, isn't there, or isn't to be done.
    Denied,
    /// As what is so where this holds.
    Under(String),
}

impl Sense {
    /// Of an item by the line above its list; by the heading where that is all that makes it one of a kind, or says so plainly:
    /// a sentence below `Problems that are not fixed` says itself what is so.
    pub(in crate::domain::synthesis::claims) fn of(said: &Statement<'_>) -> Self {
        if !said.around.is_listed {
            return Self::Said;
        }
        if !said.around.lead.is_empty() {
            return Self::below(said.around.lead, turn(said.around.lead));
        }
        // Where an outer one does, its own doesn't.
        let outer = Some(said.around.outer).filter(|outer| !outer.is_empty());
        let line = outer.unwrap_or_else(|| said.row.map_or(said.heading, |row| row.section));
        if line.is_empty() || !said.is_turned_below(line) {
            return Self::Said;
        }
        Self::below(line, turn_of_heading(line))
    }

    fn below(line: &str, turned: Option<Turn>) -> Self {
        match turned {
            None => Self::Said,
            Some(Turn::Denies) => Self::Denied,
            Some(Turn::Restricts) => Self::Under(line.to_lowercase()),
        }
    }

    /// Whether what is said is said to be untrue, or is led in by what denies it: then it advises nothing.
    pub(in crate::domain::synthesis::claims) fn is_no_advice(said: &Statement<'_>) -> bool {
        let Around { lead, is_listed, outer, .. } = said.around;
        let is_untrue = || is_untrue(said.heading) || is_untrue(outer);
        is_listed && if lead.is_empty() { is_untrue() } else { turn(lead) == Some(Turn::Denies) }
    }

    /// The line above an item that says when it holds.
    pub(in crate::domain::synthesis::claims) fn condition_of<'t>(said: &Statement<'t>) -> Option<&'t str> {
        let line = Some(said.turned_by()).filter(|line| !line.is_empty());
        matches!(Self::of(said), Self::Under(_)).then(|| line.unwrap_or(said.heading))
    }

    /// Whether two statements are meant otherwise.
    pub(super) fn differ(one: &Statement<'_>, other: &Statement<'_>) -> bool {
        !are_below_same(one, other) && Self::of(one) != Self::of(other)
    }
}

fn are_below_same<'t>(one: &Statement<'t>, other: &Statement<'t>) -> bool {
    let lines = |said: &Statement<'_>| (said.around.is_listed, said.around.lead.len(), said.heading.len());
    let all = |said: &Statement<'t>| (said.around.lead, said.heading, said.row, said.around.outer);
    lines(one) == lines(other) && all(one) == all(other)
}

/// A cluster by how its members are meant.
pub(super) fn divided(
    cluster: Cluster,
    statements: &[Statement<'_>],
    features: &[Features<'_>],
) -> Vec<Cluster> {
    let shown = &statements[cluster.representative];
    if cluster.members.iter().all(|&at| !Sense::differ(&statements[at], shown)) {
        return vec![cluster];
    }
    let mut parts: BTreeMap<Sense, Vec<usize>> = BTreeMap::new();
    for &at in &cluster.members {
        parts.entry(Sense::of(&statements[at])).or_default().push(at);
    }
    let parts = parts.into_values();
    parts.map(|members| Cluster { representative: longest(&members, features), members }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use crate::domain::near_duplicates::Reader;
    use crate::domain::synthesis::claims::Claims;

    /// How many clusters two texts make that say one thing each.
    fn clusters([one, other]: [&str; 2]) -> usize {
        let said = read(one, "a").into_iter().chain(read(other, "b")).collect();
        Claims::new(said, &mut Reader::default()).clusters.len()
    }

    #[test]
    fn items_below_lines_that_turn_them_are_others() {
        let item = "\n- travel insurance for the whole trip";
        for (one, other, expected) in [
            ("Not included:", "Included:", 2),
            ("Not covered:", "Covered:", 2),
            ("**Not covered:**", "**Covered:**", 2),
            ("## Excluded services", "## Covered services", 2),
            ("### Contraindicated", "### Recommended", 2),
            ("### Required", "### Optional", 2),
            ("It is paid only if you book a year ahead:", "It is paid only if you book a flight:", 2),
            ("It is paid only if you book a year ahead:", "It is paid:", 2),
            ("Not included:", "Excluded:", 1),
            ("Included:", "## Included", 1),
            ("Covered:", "The plan has:", 1),
            ("### Key findings", "### Results", 1),
        ] {
            let texts = [one, other].map(|line| format!("{line}{item}"));
            assert_eq!(clusters([&texts[0], &texts[1]]), expected, "{one} / {other}");
        }
        assert_eq!(clusters(["### Removed\n- Support for Python 3.8", "Python 3.8 is supported."]), 2);
        assert_eq!(clusters(["### Features\n- Support for Python 3.8", "Python 3.8 is supported."]), 1);
        let long = "- travel insurance for the whole trip with luggage, sports, rental cars, delays and cancellation of tickets";
        assert_eq!(clusters([&format!("Not included:\n{long}"), &format!("Included:\n{long}")]), 2);
    }

    #[test]
    fn sentences_say_themselves_what_is_so() {
        let said = "Vaccines cause autism in children.";
        for (heading, expected) in
            [("Myths", 2), ("If you are under 26", 2), ("Claims that were not checked", 1), ("Results", 1)]
        {
            assert_eq!(clusters([&format!("## {heading}\n- {said}"), said]), expected, "{heading}");
        }
        assert_eq!(clusters([&format!("The following claims are false:\n- {said}"), said]), 2);
        assert_eq!(clusters([&format!("## Myths\n\n{said}"), said]), 1);
    }

    #[test]
    fn rows_below_lines_that_turn_them_are_others() {
        let table = "\n\n| Feature | Limit |\n|---|---|\n| SSO | 5 users |";
        let texts = ["The free plan does not support:", "The free plan supports:"]
            .map(|line| format!("{line}{table}"));
        assert_eq!(clusters([&texts[0], &texts[1]]), 2);
        assert_eq!(clusters([&texts[0], &texts[0]]), 1);
    }
}
