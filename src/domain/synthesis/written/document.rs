//! A composition's parts with their sections, and where in them what was written belongs.
//!
//! Headings, tables and program code are the parts' own, and stay where they stand; what a model wrote takes the place of the
//! prose below them. A passage stands in the section that it shares most words with, among those of who says it: whatever
//! order it was drafted in, the document keeps its own. Linear in the texts.

use std::collections::BTreeSet;

use super::WrittenFinding;
use crate::domain::aggregate::result::{AggregatedResult, Finding, TaskResult};
use crate::domain::aggregate::tree::in_its_order;
use crate::domain::synthesis::compose::{self, cited, compose_prose};
use crate::domain::text::blocks::{Kind, blocks};
use crate::domain::text::terms::TermSet;
use crate::domain::text::words::{Lexicon, Term};

/// A part and a section of it, from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Spot {
    part: usize,
    section: usize,
}

/// The parts in their order.
pub(super) struct Document<'b> {
    parts: Vec<Part<'b>>,
}

struct Part<'b> {
    result: &'b TaskResult,
    /// The chapters that it stands in.
    chapters: &'b [String],
    sections: Vec<Section<'b>>,
}

/// What stands below one heading, or before the first.
#[derive(Default)]
struct Section<'b> {
    /// Its level and the heading as it stands there.
    heading: Option<(u8, &'b str)>,
    /// The words of all of it.
    terms: TermSet,
    /// Its tables and code.
    kept: Vec<&'b str>,
}

impl<'b> Document<'b> {
    pub(super) fn of(lexicon: &mut Lexicon, baseline: &'b AggregatedResult) -> Self {
        let part = |(result, chapters): (&'b TaskResult, &'b [String])| {
            let text = result.whole.as_ref().unwrap_or(&result.content);
            Part { result, chapters, sections: sections(lexicon, text) }
        };
        Self { parts: in_its_order(baseline).map(part).collect() }
    }

    /// Findings in the order of the document, each with its place.
    pub(super) fn in_order<'w>(
        &self,
        lexicon: &mut Lexicon,
        findings: &'w [WrittenFinding],
    ) -> Vec<(Spot, &'w WrittenFinding)> {
        let mut placed: Vec<(Spot, &WrittenFinding)> =
            findings.iter().map(|finding| (self.spot(lexicon, finding), finding)).collect();
        // Stable: within a section it is the model's.
        placed.sort_by_key(|(spot, _)| *spot);
        placed
    }

    fn spot(&self, lexicon: &mut Lexicon, finding: &WrittenFinding) -> Spot {
        let terms: BTreeSet<Term> = lexicon.terms(&finding.content).into_iter().collect();
        let says = |part: &Part<'_>| finding.contributors.contains(&part.result.subagent);
        let is_known = self.parts.iter().any(says);
        let mut best: Option<(usize, Spot)> = None;
        for (part, of) in self.parts.iter().enumerate().filter(|(_, part)| !is_known || says(part)) {
            for (section, told) in of.sections.iter().enumerate() {
                let shared = terms.iter().filter(|term| told.terms.contains(term)).count();
                if best.is_none_or(|(most, _)| shared > most) {
                    best = Some((shared, Spot { part, section }));
                }
            }
        }
        best.map(|(_, spot)| spot).unwrap_or_default()
    }

    /// The prose: what `findings` say at their places, with the headings above it and the tables and code below.
    pub(super) fn prose(&self, findings: &[(Spot, &Finding)]) -> String {
        let texts: Vec<String> = (0..self.parts.len()).map(|part| self.text_of(part, findings)).collect();
        let said = self.parts.iter().zip(&texts).filter(|(_, text)| !text.is_empty());
        compose_prose(said.map(|(part, text)| compose::Part {
            chapters: part.chapters,
            title: part.result.task.as_deref(),
            text,
        }))
    }

    fn text_of(&self, part: usize, findings: &[(Spot, &Finding)]) -> String {
        let sections = &self.parts[part].sections;
        let at = |section: usize| {
            let here = Spot { part, section };
            findings.iter().filter(move |(spot, _)| *spot == here).map(|(_, finding)| *finding)
        };
        let says = |section: usize| at(section).next().is_some() || !sections[section].kept.is_empty();
        let mut out: Vec<String> = Vec::new();
        for (place, section) in sections.iter().enumerate() {
            if let Some((level, heading)) = section.heading {
                let is_below = |of: &&Section<'_>| of.heading.is_none_or(|(own, _)| own > level);
                let below = sections[place + 1..].iter().take_while(is_below).count();
                if !(place..=place + below).any(says) {
                    continue;
                }
                out.push(heading.to_owned());
            }
            out.extend(at(place).map(cited));
            out.extend(section.kept.iter().map(|kept| (*kept).to_owned()));
        }
        out.join("\n\n")
    }
}

fn sections<'b>(lexicon: &mut Lexicon, text: &'b str) -> Vec<Section<'b>> {
    let (mut found, mut open) = (Vec::new(), Section::default());
    for block in blocks(text) {
        let said = &text[block.content(text)];
        match block.kind {
            Kind::Heading { level } => {
                let next = Section { heading: Some((level, said)), ..Section::default() };
                found.push(std::mem::replace(&mut open, next));
            }
            Kind::Code { .. } | Kind::Table => open.kept.push(said),
            Kind::Paragraph | Kind::ListItem { .. } | Kind::Quote | Kind::Rule | Kind::Html => {}
        }
        open.terms.extend(lexicon.terms(said));
    }
    found.push(open);
    found
}
