//! What a model is given to work with: the claims of a result, what stands against them, what is missing.
//!
//! Claims come with their numbers, so that a line means the same wherever it stands. A result of which no sentence is a
//! claim (a table, a program) stands there as a whole: whoever brought it is heard too.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::{Aside, SourceInfo, Sources, Unit};
use crate::domain::aggregate::result::AggregatedResult;
use crate::domain::aggregate::tree::{in_its_order, positions};
use crate::domain::directive::{SynthesisOptions, TaskType};

/// Lines beside the claims at most, of each kind.
const ASIDES_MAX: usize = 20;

/// The material, before it is made to fit.
#[derive(Debug, Clone, Default)]
pub(super) struct Material<'a> {
    /// By strength, the strongest first.
    pub units: Vec<Unit<'a>>,
    /// The places of `units` in the order in which they are written; by strength where it is empty.
    pub reading_order: Vec<usize>,
    /// The most important first.
    pub asides: Vec<Aside<'a>>,
    /// By number.
    pub sources: Sources<'a>,
}

impl<'a> Material<'a> {
    /// That of a result.
    pub(super) fn of(
        result: &'a AggregatedResult,
        options: &SynthesisOptions,
        task: Option<TaskType>,
    ) -> Self {
        let units = units(result);
        let reading_order = match task {
            Some(TaskType::Composition) => reading_order(&units, result),
            Some(TaskType::Reasoning) => by_position(&units, result),
            None | Some(TaskType::Retrieval) => Vec::new(),
        };
        Self { units, reading_order, asides: asides(result, options), sources: sources(result) }
    }

    /// That of a document: its parts in their order, each as a whole; `None` where the task is another, or no part says
    /// anything.
    pub(super) fn of_parts(
        result: &'a AggregatedResult,
        options: &SynthesisOptions,
        task: Option<TaskType>,
    ) -> Option<Self> {
        let units = match task {
            Some(TaskType::Composition) => parts(result),
            None | Some(TaskType::Retrieval | TaskType::Reasoning) => Vec::new(),
        };
        let of = Self {
            units,
            reading_order: Vec::new(),
            asides: asides(result, options),
            sources: sources(result),
        };
        (!of.is_empty()).then_some(of)
    }

    /// Whether there is nothing to write about.
    pub(super) fn is_empty(&self) -> bool {
        self.units.is_empty()
    }
}

/// The claims, then the results that nobody's claim stands for.
pub(super) fn units(result: &AggregatedResult) -> Vec<Unit<'_>> {
    let said = |text: &str| !text.trim().is_empty();
    let mut units: Vec<Unit<'_>> = (1..)
        .zip(&result.findings)
        .filter(|(_, finding)| said(&finding.content))
        .map(|(number, finding)| Unit::Claim(number, finding))
        .collect();
    let heard: BTreeSet<&str> = result
        .findings
        .iter()
        .filter(|finding| said(&finding.content))
        .flat_map(|finding| &finding.contributors)
        .map(String::as_str)
        .collect();
    let silent = (1..)
        .zip(&result.results)
        .filter(|(_, brought)| said(&brought.content) && !heard.contains(brought.subagent.as_str()));
    units.extend(silent.map(|(number, brought)| Unit::Result(number, brought)));
    units
}

/// The parts of a document, in its order.
fn parts(result: &AggregatedResult) -> Vec<Unit<'_>> {
    let parts = in_its_order(result).map(|(part, _)| part).zip(1..);
    let parts = parts.map(|(part, number)| Unit::Part(number, part));
    parts.filter(|part| !part.said().trim().is_empty()).collect()
}

/// A composition is read in the order of its parts, which its body has.
fn reading_order(units: &[Unit<'_>], result: &AggregatedResult) -> Vec<usize> {
    let place = |unit: &Unit<'_>| match unit {
        Unit::Claim(_, finding) => result.body.find(finding.content.trim()).unwrap_or(usize::MAX),
        Unit::Result(..) | Unit::Part(..) | Unit::Entry(..) => usize::MAX,
    };
    let mut order: Vec<(usize, usize)> = units.iter().map(place).zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, at)| at).collect()
}

/// Positions are read one after the other, as they are shown, each by strength. What several hold stands with the first of
/// them: its line names the others.
fn by_position(units: &[Unit<'_>], result: &AggregatedResult) -> Vec<usize> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (place, held) in positions(result).into_iter().enumerate() {
        places.entry(held.subagent.as_str()).or_insert(place);
    }
    let place = |unit: &Unit<'_>| {
        let held = unit.voices().into_iter().filter_map(|voice| places.get(voice.as_ref()).copied());
        held.min().unwrap_or(usize::MAX)
    };
    let mut order: Vec<(usize, usize)> = units.iter().map(place).zip(0..).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, at)| at).collect()
}

fn asides<'a>(result: &'a AggregatedResult, options: &SynthesisOptions) -> Vec<Aside<'a>> {
    let contradictions = (1..)
        .zip(&result.contradictions)
        .filter(|_| options.include_contradictions)
        .map(|(number, said)| Aside::Contradiction(number, said));
    let failures = result.failures.iter().map(Aside::Failure);
    let gaps = result.gaps.iter().filter(|_| options.include_gaps).map(|gap| Aside::Gap(gap));
    contradictions.take(ASIDES_MAX).chain(failures.take(ASIDES_MAX)).chain(gaps.take(ASIDES_MAX)).collect()
}

fn sources(result: &AggregatedResult) -> Sources<'_> {
    let mut sources = Sources::new();
    for source in &result.sources {
        sources.entry(source.id).or_insert_with(|| SourceInfo::of(source));
    }
    sources
}
