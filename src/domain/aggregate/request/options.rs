//! The flat `options`: fields of the aggregation and, where there is one, of the synthesis.

use std::ops::RangeInclusive;

use super::fields::{Fields, Issues, Place};
use crate::domain::aggregate::json::{member, members, number};
use crate::domain::directive::{AggregationOptions, SynthesisOptions};
use crate::domain::requests::typed;
use crate::domain::verdict::Code;

const AGGREGATION: &[&str] = &["min_relevance", "max_results", "deduplicate", "max_result_tokens"];
const SYNTHESIS: &[&str] = &[
    "mode",
    "prompt",
    "language",
    "target_length",
    "format",
    "include_contradictions",
    "include_gaps",
    "min_quality",
    "on_low_quality",
    "budget",
];

/// Ranges of numbers, as a directive has them.
const RANGES: &[(&str, RangeInclusive<f64>)] = &[
    ("min_relevance", 0.0..=1.0),
    ("max_results", 1.0..=1_000.0),
    ("max_result_tokens", 1.0..=100_000.0),
    ("target_length", 1.0..=100_000.0),
    ("min_quality", 0.0..=1.0),
];

/// Which options an operation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Those of the aggregation.
    Aggregation,
    /// Those of the synthesis too.
    Both,
}

/// The options in `json`, each absent one by default; those that are wrong are issues and count as absent.
pub(super) fn read(
    json: Option<&str>,
    which: Which,
    issues: &mut Issues,
) -> (AggregationOptions, SynthesisOptions) {
    let known: Vec<&str> = match which {
        Which::Aggregation => AGGREGATION.to_vec(),
        Which::Both => [AGGREGATION, SYNTHESIS].concat(),
    };
    let place = Place::default().below("options");
    let fields = json.and_then(|json| Fields::read(json, place, Some(&known), issues));
    let Some(fields) = fields else { return (AggregationOptions::default(), SynthesisOptions::default()) };
    let (mut aggregation, mut synthesis) = (Vec::new(), Vec::new());
    for (name, value) in
        fields.all().filter(|(name, value)| known.contains(&name.as_ref()) && value.trim() != "null")
    {
        let one = format!("{{\"{name}\":{value}}}");
        let is_of_aggregation = AGGREGATION.contains(&name.as_ref());
        let refusal = if is_of_aggregation {
            typed::<AggregationOptions>(&one, "/options").err()
        } else {
            typed::<SynthesisOptions>(&one, "/options").err()
        };
        if let Some(refusal) = refusal {
            let pointer =
                refusal.issues.first().map_or_else(|| fields.at(name).pointer, |issue| issue.pointer.clone());
            issues.add(refusal.code, &Place { index: None, pointer }, refusal.detail);
        } else if within_range(name, value, &fields.at(name), issues) {
            let member = format!("\"{name}\":{value}");
            if is_of_aggregation { aggregation.push(member) } else { synthesis.push(member) }
        }
    }
    (whole(&aggregation), whole(&synthesis))
}

/// Whether `options` say something of a name.
pub(super) fn has(options: Option<&str>, name: &str) -> bool {
    let members = options.and_then(members);
    members.is_some_and(|members| member(&members, name).is_some_and(|value| value.trim() != "null"))
}

/// Whether `options` say nothing.
pub(super) fn are_none(options: Option<&str>) -> bool {
    let said = options.and_then(members).unwrap_or_default();
    said.iter().all(|(_, value)| value.trim() == "null")
}

fn within_range(name: &str, value: &str, place: &Place, issues: &mut Issues) -> bool {
    let Some((_, range)) = RANGES.iter().find(|(ranged, _)| *ranged == name) else { return true };
    if number(value).is_none_or(|number| range.contains(&number)) {
        return true;
    }
    let detail = format!("`{name}` is {}; it can be {} to {}", value.trim(), range.start(), range.end());
    issues.add(Code::InvalidEvent, place, detail);
    false
}

/// Options of members that were read before one by one.
fn whole<T: serde::de::DeserializeOwned + Default>(members: &[String]) -> T {
    serde_json::from_str(&format!("{{{}}}", members.join(","))).unwrap_or_default()
}
