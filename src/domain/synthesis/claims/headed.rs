//! What a finding is about, by the lines above those who say it: its heading, with those above that where the same heading stands
//! above other things, too: `Dogs: Lifespan` beside `Cats: Lifespan`.

use std::borrow::Cow;

use super::topic::{self, Frequency};
use super::{Claims, Statement};
use crate::domain::near_duplicates::Cluster;
use crate::domain::text::keys::in_words;

/// The topic of a cluster. `over` are of each statement the lines that tell its heading from the same of other things, the outermost
/// first.
pub(super) fn topic<'t>(
    claims: &Claims<'t>,
    cluster: &Cluster,
    frequency: &Frequency<'_, 't>,
    over: &[Vec<&'t str>],
) -> String {
    let (said, shown) = (&claims.statements, &claims.statements[cluster.representative]);
    let first = |line: fn(&Statement<'t>) -> &'t str| {
        let lines = cluster.members.iter().map(|&at| line(&said[at]));
        lines.filter(|line| !line.is_empty()).min()
    };
    let heading = first(|said| said.heading);
    let under = |at: &&usize| heading.is_none_or(|heading| said[**at].heading == heading);
    let over =
        cluster.members.iter().filter(under).map(|&at| &over[at]).filter(|over| !over.is_empty()).min();
    let within = cluster.members.iter().filter(|at| heading.is_some() && under(at));
    let within = within.map(|&at| said[at].around.within).filter(|label| !label.is_empty()).min();
    let heading = heading.or_else(|| first(|said| said.around.label()));
    // Members of an object in another say what of that they are: `"amount": 249.90` below `total`.
    let key = if heading.is_none() { first(Statement::key) } else { None };
    // What was asked says what an answer is of that stands below nothing.
    let asked = || first(|said| said.around.asked).filter(|_| over.is_none());
    let heading = heading
        .or(key)
        .map(|heading| if key.is_some() { in_words(heading) } else { heading.into() })
        .or_else(|| asked().map(as_heading));
    let lead = first(Statement::turned_by);
    let above = topic::Above {
        heading: heading.as_deref().unwrap_or_default(),
        lead: lead.unwrap_or_default(),
        within: within.unwrap_or_default(),
        is_outer: shown.row.is_some() || lead.is_some_and(|lead| lead == shown.around.outer),
    };
    let topic = topic::topic_below(above, &claims.features[cluster.representative], frequency);
    let topic = match over {
        Some(over) => topic::below_all(over, topic),
        None => topic,
    };
    in_unit(topic, shown.row.map_or("", |row| row.unit))
}

/// A topic with the unit of a row's figures, where it doesn't say it: `region | rev (in $M)`.
fn in_unit(topic: String, unit: &str) -> String {
    if unit.is_empty() || topic.is_empty() || topic.contains(unit) {
        return topic;
    }
    format!("{topic} ({unit})")
}

/// The name of a task as a heading has it: `adults` is `Adults`, `vendor A` is `Vendor A`, and `iPhone` stays.
fn as_heading(name: &str) -> Cow<'_, str> {
    let is_small = name.split(' ').next().is_some_and(|word| word.chars().all(char::is_lowercase));
    let mut rest = name.chars();
    match rest.next() {
        Some(first) if is_small => first.to_uppercase().chain(rest).collect::<String>().into(),
        Some(_) | None => name.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::as_heading;

    #[test]
    fn the_name_of_a_task_is_written_as_a_heading() {
        for (name, heading) in [
            ("adults", "Adults"),
            ("vendor A", "Vendor A"),
            ("iPhone 16", "iPhone 16"),
            ("Berlin", "Berlin"),
            ("2023", "2023"),
            ("A公司", "A公司"),
            ("", ""),
        ] {
            assert_eq!(as_heading(name), heading);
        }
    }
}
