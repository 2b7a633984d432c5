//! What a language model wrote and verification let stand, in the same order and under the same headings as quotations.
//!
//! Structured: first what says itself what it is about, then a heading for each topic, below it `- content [1][3] — *subagent*`;
//! what there is to check of several stands once below all. Narrative: paragraphs by topic, with
//! what leads over to them. Quotations among them stay quotations. What is shown first of a subagent is shown however long
//! the text gets: nobody is left out for the wanted length.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::labels::Labels;
use super::{
    Asked, Parts, cite, gap_line, heading, in_short, led, led_among, length, more, names, plain, quotation,
    told, with_the_rest,
};
use crate::domain::aggregate::result::Finding;
use crate::domain::directive::{SynthesisFormat, SynthesisOptions};
use crate::domain::text::clean::quoted_line;
use crate::domain::text::words::Lexicon;

/// A finding, and how it is set.
#[derive(Debug, Clone, Copy)]
pub struct Set<'a> {
    /// The finding.
    pub finding: &'a Finding,
    /// What leads over to it.
    pub transition: Option<&'a str>,
}

/// Writes a synthesis; `parts.findings` decide the language only where nobody names one.
pub fn compose_written(set: &[Set<'_>], parts: Parts<'_>, options: &SynthesisOptions) -> String {
    let shown = within_length(set, options.target_length);
    set_out((&shown, set.len()), parts, options, gap_line)
}

/// What is shown of `all` findings, and what stands behind them.
pub(super) fn set_out(
    (shown, all): (&[Set<'_>], usize),
    parts: Parts<'_>,
    options: &SynthesisOptions,
    gap_line: fn(&str) -> String,
) -> String {
    let labels = Labels::of(options.language.as_deref(), parts.findings);
    let mut out = String::new();
    match options.format {
        SynthesisFormat::Structured => structured(&mut out, shown, labels),
        SynthesisFormat::Narrative => narrative(&mut out, shown),
    }
    more(&mut out, all - shown.len(), labels);
    with_the_rest(out, parts, options, (labels, gap_line))
}

/// The answer in short where the model's own summary doesn't stand: of its findings, in the form in which they are shown.
pub fn summarise_written(lexicon: &mut Lexicon, findings: &[Finding], asked: Asked<'_>) -> String {
    let said =
        |finding: &Finding| if finding.by_model { said(finding) } else { led_among(finding, findings) };
    in_short(lexicon, findings, asked).into_iter().map(said).collect::<Vec<_>>().join(" ")
}

pub(super) fn within_length<'s>(set: &[Set<'s>], target_length: Option<u32>) -> Vec<Set<'s>> {
    let most = target_length.map_or(usize::MAX, |words| words as usize);
    let (mut words, mut heard) = (0, BTreeSet::new());
    let fits = |set: &&Set<'s>| {
        words += length(&set.finding.content);
        let new = set.finding.contributors.iter().filter(|name| heard.insert(name.as_str())).count() > 0;
        new || words <= most
    };
    set.iter().filter(fits).copied().collect()
}

/// `content [1][3] — *subagent*`, or a quotation.
pub(super) fn said(finding: &Finding) -> String {
    if !finding.by_model {
        return quotation(finding);
    }
    let mut out = cited(finding);
    let _ = write!(out, " — *{}*", names(&finding.contributors));
    out
}

fn cited(finding: &Finding) -> String {
    let mut out = quoted_line(&finding.content);
    if !finding.sources.is_empty() {
        out.push(' ');
        cite(&mut out, &finding.sources);
    }
    out
}

fn structured(out: &mut String, set: &[Set<'_>], labels: &Labels) {
    heading(out, labels.findings, set.is_empty());
    let mut topics: Vec<(&str, Vec<&Finding>)> = Vec::new();
    for finding in set.iter().map(|set| set.finding) {
        match topics.iter_mut().find(|(topic, _)| *topic == finding.topic) {
            Some((_, below)) => below.push(finding),
            None => topics.push((&finding.topic, vec![finding])),
        }
    }
    let several = told_of_several(set);
    let is_own =
        |(topic, below): &&(&str, Vec<&Finding>)| below.iter().all(|finding| says(&finding.content, topic));
    let own: Vec<&Finding> =
        topics.iter().filter(is_own).flat_map(|(_, below)| below.iter().copied()).collect();
    items(out, &own, &several, labels);
    for (topic, below) in topics.iter().filter(|topic| !is_own(topic)) {
        let _ = writeln!(out, "### {}\n", quoted_line(topic));
        items(out, below, &several, labels);
    }
    if !several.is_empty() {
        let _ = writeln!(out, "**{}**\n", labels.verify);
        for (verify, count) in several {
            let _ = writeln!(out, "- {}", told::verify_several(verify, count == set.len(), labels));
        }
        out.push('\n');
    }
}

fn items(out: &mut String, findings: &[&Finding], several: &[(&str, usize)], labels: &Labels) {
    for finding in findings {
        let _ = writeln!(out, "- {}", said(finding));
        let own = finding.verify.as_deref().filter(|own| several.iter().all(|(verify, _)| verify != own));
        if let Some(verify) = own {
            let _ = writeln!(out, "  - {}", told::verify(verify, labels));
        }
    }
    if !findings.is_empty() {
        out.push('\n');
    }
}

/// What there is to check of two findings or more, with their number: it stands once, and not below each.
fn told_of_several<'s>(set: &[Set<'s>]) -> Vec<(&'s str, usize)> {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    let verify = set.iter().filter_map(|set| set.finding.verify.as_deref());
    for verify in verify.filter(|verify| told::is_of_several(verify)) {
        match counted.iter_mut().find(|(known, _)| *known == verify) {
            Some((_, count)) => *count += 1,
            None => counted.push((verify, 1)),
        }
    }
    counted.retain(|(_, count)| *count > 1);
    counted
}

/// Whether a text has all words of a topic: as a heading it would only say them twice.
fn says(text: &str, topic: &str) -> bool {
    let text = text.to_lowercase();
    topic.to_lowercase().split_whitespace().all(|word| text.contains(word))
}

/// A paragraph for neighbours of one topic; who says it stands at its end.
pub(super) fn narrative(out: &mut String, set: &[Set<'_>]) {
    let begins = out.len();
    for paragraph in set.chunk_by(|one, other| one.finding.topic == other.finding.topic) {
        let mut who: BTreeSet<&str> = BTreeSet::new();
        for set in paragraph {
            // Nothing leads over to the first.
            if let Some(transition) = set.transition.filter(|_| out.len() > begins) {
                let _ = write!(out, "{transition}: ");
            }
            if set.finding.by_model {
                who.extend(set.finding.contributors.iter().map(String::as_str));
                let _ = write!(out, "{} ", cited(set.finding));
            } else {
                let _ = write!(out, "{} ", led(set.finding));
            }
        }
        out.truncate(out.trim_end().len());
        if !who.is_empty() {
            let _ = write!(out, " — *{}*", who.into_iter().map(plain).collect::<Vec<_>>().join(", "));
        }
        out.push_str("\n\n");
    }
}
