//! Contradictions in words.

use super::{Contradiction, Differing, Kind, Said};
use crate::domain::distinct::distinct;
use crate::domain::synthesis::claims::Statement;

/// A contradiction in words.
pub(super) fn describe(statements: &[Statement<'_>], differing: Differing) -> Contradiction {
    let Differing { places, difference, lead_ins } = differing;
    let (one, other) = (&difference.one, &difference.other);
    let what = match difference.kind {
        Kind::Number => "give different numbers",
        Kind::Date => "give different dates",
        Kind::Negation => "differ in a negation",
        Kind::Polarity => "say the opposite",
        Kind::Answer => "answer the question differently",
        Kind::Holder => "name different ones",
    };
    let suggestion = match difference.kind {
        Kind::Number => {
            "Check in both sources which number applies, and whether scope, unit and year are the same."
        }
        Kind::Date => "Check the date in both sources, or in a primary source.",
        Kind::Negation | Kind::Polarity | Kind::Answer | Kind::Holder => {
            "Read both sources, and check whether they speak of the same conditions."
        }
    };
    let said = |(at, lead_in): (usize, String)| Said {
        text: statements[at].text.to_owned(),
        lead_in: Some(lead_in).filter(|line| !line.is_empty()).or_else(|| label(&statements[at])),
        source: statements[at].sources.first().copied(),
        subagent: statements[at].subagent.to_owned(),
    };
    let [first, second] = lead_ins;
    let sources: Vec<usize> = distinct(places.iter().flat_map(|&at| statements[at].sources.iter().copied()));
    let who = if difference.kind == Kind::Answer {
        "Two statements"
    } else {
        "Two statements about the same subject"
    };
    // With room for all of it: of many contradictions each is put into words.
    let mut description = String::with_capacity(96 + one.len() + other.len());
    description.extend([who, " ", what]);
    match (one.as_str(), other.as_str()) {
        ("", "") => {}
        (only, "") | ("", only) => description.extend([": “", only, "” stands in one only"]),
        (one, other) => description.extend([": “", one, "” and “", other, "”"]),
    }
    description.push('.');
    Contradiction {
        description,
        kind: difference.kind,
        statements: [(places[0], first), (places[1], second)].map(said),
        sources,
        suggestion: suggestion.to_owned(),
        places,
    }
}

/// What an item stands below that doesn't say it itself: `3.3 million inhabitants` below `Madrid`.
fn label(of: &Statement<'_>) -> Option<String> {
    let around = &of.around;
    let is_item = around.is_listed && of.row.is_none();
    let labels = [around.within, around.label(), of.heading];
    let label = labels.into_iter().find(|label| !label.is_empty()).filter(|_| is_item)?;
    (!of.text.contains(label)).then(|| label.to_owned())
}
