//! What was found, where it is disputed, what is missing, and from which sources.

use super::contributors::class;
use super::text::{bdi, web_link};
use super::{LINE_MAX, Page, SOURCES_MAX};
use crate::domain::aggregate::result::{
    AggregatedResult, Contradiction, ContradictionKind, Finding, Insight, Level, Source, SourceQuality,
};
use crate::domain::aggregate::source_kind::SourceKind;
use crate::domain::render::inert;

pub(super) fn findings(page: &mut Page<'_>, findings: &[Finding]) {
    if findings.is_empty() {
        return;
    }
    page.open("findings", "Findings, the best supported first");
    let findings = page.shown(findings, "findings");
    page.push("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Finding</th><th scope=\"col\">Confidence</th>");
    page.push("<th scope=\"col\">Said by</th><th scope=\"col\">Sources</th></tr></thead><tbody>\n");
    for finding in findings {
        page.push("<tr><td>");
        match finding.by_model {
            true => page.unquoted(&finding.content),
            false => page.quote(&finding.content),
        }
        if !finding.topic.trim().is_empty() {
            page.push(&format!("<br><span class=\"soft\">About: {}</span>", bdi(&finding.topic, LINE_MAX)));
        }
        if let Some(verify) = &finding.verify {
            page.push(&format!("<br><span class=\"soft\">To check: {}</span>", bdi(verify, LINE_MAX)));
        }
        let sure = match finding.confidence {
            Level::Low => "low",
            Level::Medium => "medium",
            Level::High => "high",
        };
        let who = page.context.contributors.all_named(&finding.contributors);
        page.push(&format!("</td><td>{sure}</td><td>{who}</td><td>"));
        page.citations(&finding.sources);
        page.push("</td></tr>\n");
    }
    page.push("</tbody></table></div>\n");
    page.close();
}

pub(super) fn insights(page: &mut Page<'_>, insights: &[Insight]) {
    if insights.is_empty() {
        return;
    }
    page.open("insights", "What to do");
    let insights = page.shown(insights, "items");
    page.push("<ul>\n");
    for insight in insights {
        page.push("<li>");
        if let Some(line) = &insight.lead_in {
            page.push(&format!("{}: ", bdi(line, LINE_MAX)));
        }
        page.quote(&insight.text);
        page.push(" ");
        page.citations(&insight.sources);
        page.push("</li>\n");
    }
    page.push("</ul>\n");
    page.close();
}

/// Both sides side by side: there is no winner.
pub(super) fn contradictions(page: &mut Page<'_>, contradictions: &[Contradiction]) {
    if contradictions.is_empty() {
        return;
    }
    page.open("contradictions", "Where they disagree");
    for contradiction in page.shown(contradictions, "contradictions") {
        let kind = match contradiction.kind {
            ContradictionKind::Number => "number",
            ContradictionKind::Date => "date",
            ContradictionKind::Negation => "negation",
            ContradictionKind::Polarity => "opposite words",
            ContradictionKind::Reported => "what they say",
        };
        let description = bdi(&contradiction.description, LINE_MAX);
        page.push(&format!(
            "<h3>{description} <span class=\"badge\">{kind}</span></h3>\n<div class=\"sides\">\n"
        ));
        for statement in contradiction.statements.iter().take(10) {
            let contributors = page.context.contributors;
            let class = contributors.number(&statement.subagent).map(class).unwrap_or_default();
            let who = contributors.named(&statement.subagent);
            page.push(&format!("<div class=\"{class}\"><p><strong>{who}</strong></p>\n<p>"));
            if let Some(line) = &statement.lead_in {
                page.push(&format!("{}: ", bdi(line, LINE_MAX)));
            }
            page.quote(&statement.text);
            page.push(" ");
            page.citations(statement.source.as_slice());
            page.push("</p></div>\n");
        }
        page.push("</div>\n");
        if !contradiction.suggestion.trim().is_empty() {
            page.push(&format!("<p>How to settle it: {}</p>\n", bdi(&contradiction.suggestion, LINE_MAX)));
        }
    }
    page.close();
}

pub(super) fn gaps(page: &mut Page<'_>, gaps: &[String]) {
    if gaps.is_empty() {
        return;
    }
    page.open("gaps", "What is missing");
    let gaps = page.shown(gaps, "gaps");
    page.push("<ul>\n");
    for gap in gaps {
        page.push(&format!("<li>{}</li>\n", bdi(gap, LINE_MAX)));
    }
    page.push("</ul>\n");
    page.close();
}

/// The sources by type, those that the answer cites first.
pub(super) fn sources(page: &mut Page<'_>, result: &AggregatedResult) {
    if result.sources.is_empty() {
        return;
    }
    let shown = &result.sources[..result.sources.len().min(SOURCES_MAX)];
    page.open("sources", "Sources");
    if shown.len() < result.sources.len() {
        page.note(&format!("Shown in part: {SOURCES_MAX} of {} sources.", result.sources.len()));
    }
    let mut anchored = std::collections::BTreeSet::new();
    for (kind, heading) in [
        (SourceKind::Web, "Web"),
        (SourceKind::Document, "Documents"),
        (SourceKind::Confluence, "Confluence"),
        (SourceKind::Slack, "Slack"),
        (SourceKind::Other, "Other"),
    ] {
        let mut of_kind: Vec<&Source> = shown.iter().filter(|source| source.kind == kind).collect();
        of_kind.sort_by_key(|source| !source.used);
        if of_kind.is_empty() {
            continue;
        }
        let used = of_kind.iter().filter(|source| source.used).count();
        page.push(&format!(
            "<h3>{heading} <span class=\"soft\">{used} used, {} not</span></h3>\n",
            of_kind.len() - used
        ));
        page.push("<ol class=\"sources\">\n");
        for one in of_kind {
            // A number is an anchor once, even where the result has it twice.
            source(page, one, anchored.insert(one.id));
        }
        page.push("</ol>\n");
    }
    page.close();
}

fn source(page: &mut Page<'_>, source: &Source, is_anchor: bool) {
    let id = if is_anchor { format!(" id=\"source-{}\"", source.id) } else { String::new() };
    let class = if source.used { "used" } else { "unused" };
    let url = source.url.as_deref().unwrap_or_default();
    let title = if source.title.trim().is_empty() { url } else { &source.title };
    let link = web_link(title, Some(url), LINE_MAX);
    page.push(&format!("<li{id} class=\"{class}\"><span class=\"n\">[{}]</span>{link}", source.id));
    if let Some(host) = inert::authority(url) {
        page.push(&format!(" <small class=\"host\">{}</small>", bdi(host, 60)));
    }
    let quality = match source.quality {
        Some(SourceQuality::High) => ", quality high",
        Some(SourceQuality::Medium) => ", quality medium",
        Some(SourceQuality::Low) => ", quality low",
        Some(SourceQuality::Rejected) => ", rejected",
        None => "",
    };
    let used = if source.used { "used" } else { "not used" };
    let who = page.context.contributors.all_named(&source.cited_by);
    page.push(&format!(" <span class=\"soft\">({used}{quality}; cited by {who})</span></li>\n"));
}
