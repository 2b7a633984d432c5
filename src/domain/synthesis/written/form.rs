//! What was written, in the form that its task asks for, which is that of the extractive result.

use super::WrittenFinding;
use super::document::{Document, Spot};
use crate::domain::aggregate::Style;
use crate::domain::aggregate::result::{AggregatedResult, Finding};
use crate::domain::aggregate::tree::positions;
use crate::domain::directive::SynthesisOptions;
use crate::domain::synthesis::compose::{
    Parts, Position, Set, compose_written, compose_written_positions, with_parts_below,
};
use crate::domain::text::words::Lexicon;

/// How a result is set out.
pub(super) enum Form<'b> {
    /// Findings by topic.
    Findings,
    /// Conflicts, then positions.
    Positions(Vec<Position<'b>>),
    /// Prose. The lines are what the extractive result tells below its own.
    Prose { document: Document<'b>, lines: Vec<&'b str> },
}

/// A text for the step above, and the whole of it for readers.
pub(super) struct Told {
    pub(super) body: String,
    pub(super) whole: String,
}

impl<'b> Form<'b> {
    pub(super) fn of(lexicon: &mut Lexicon, baseline: &'b AggregatedResult) -> Self {
        match &baseline.style {
            Style::Findings => Self::Findings,
            Style::Positions { .. } => Self::Positions(in_positions(baseline)),
            Style::Composition { .. } => {
                let is_told = |gap: &&String| baseline.synthesis.contains(&format!("\n\n*{gap}*"));
                let lines = baseline.gaps.iter().filter(is_told).map(String::as_str).collect();
                Self::Prose { document: Document::of(lexicon, baseline), lines }
            }
        }
    }

    /// Findings in their order, each with its place.
    pub(super) fn in_order<'w>(
        &self,
        lexicon: &mut Lexicon,
        findings: &'w [WrittenFinding],
    ) -> Vec<(Spot, &'w WrittenFinding)> {
        match self {
            Self::Findings | Self::Positions(_) => {
                findings.iter().map(|finding| (Spot::default(), finding)).collect()
            }
            Self::Prose { document, .. } => document.in_order(lexicon, findings),
        }
    }

    /// The text. `spots` are those of `set`.
    pub(super) fn told(
        &self,
        (set, spots): (&[Set<'_>], &[Spot]),
        parts: Parts<'_>,
        options: &SynthesisOptions,
    ) -> Told {
        let one = |text: String| Told { body: text.clone(), whole: text };
        match self {
            Self::Findings => one(compose_written(set, parts, options)),
            Self::Positions(positions) => one(compose_written_positions(set, parts, positions, options)),
            Self::Prose { document, lines } => {
                let said: Vec<(Spot, &Finding)> =
                    spots.iter().zip(set).map(|(spot, set)| (*spot, set.finding)).collect();
                let body = document.prose(&said);
                // As below the extractive one: what is missing in prose stands beside it.
                let below = with_parts_below(&body, Parts { gaps: &[], ..parts }, options);
                let whole = lines.iter().fold(below, |told, line| format!("{told}\n\n*{line}*"));
                Told { body, whole }
            }
        }
    }
}

/// The positions in their order: who holds each, and what it was asked.
fn in_positions(baseline: &AggregatedResult) -> Vec<Position<'_>> {
    let results = positions(baseline).into_iter();
    results.map(|result| Position { subagent: &result.subagent, title: result.task.as_deref() }).collect()
}
