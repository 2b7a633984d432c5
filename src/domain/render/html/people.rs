//! Who was asked, who failed, who brought what.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::contributors::class;
use super::text::{bdi, line, percent};
use super::{LINE_MAX, Page};
use crate::domain::aggregate::result::{AggregatedResult, TaskResult};
use crate::domain::render::inert::NAME_MAX;
use crate::domain::render::{both_confidences, failures_heading, inert, withheld};
use crate::domain::synthesis::claims::json_in;

/// The question, and how it went.
pub(super) fn header(page: &mut Page<'_>, result: &AggregatedResult, query: Option<&str>) {
    let counts = &result.metadata;
    let title = match query.filter(|query| !query.trim().is_empty()) {
        Some(query) => bdi(query, LINE_MAX),
        None => "Aggregated result".to_owned(),
    };
    let mood = if result.status == "completed" { "good" } else { "bad" };
    page.push(&format!(
        "<header>\n<h1>{title}</h1>\n<p><span class=\"badge {mood}\">{}</span>",
        line(&result.status, NAME_MAX)
    ));
    let badge =
        |page: &mut Page<'_>, text: String| page.push(&format!("<span class=\"badge\">{text}</span>"));
    badge(page, format!("{} of {} subagents answered", counts.successful_subagents, counts.total_subagents));
    badge(page, format!("confidence {}", both_confidences(result)));
    badge(page, format!("quality {}", percent(result.quality.overall)));
    badge(page, format!("{} sources", result.sources.len()));
    if !counts.is_final {
        badge(page, "draft: more may follow".to_owned());
    }
    page.push("</p>\n");
    if let Some(why) = withheld(result) {
        page.push(&format!("<p class=\"bad\">There is no answer in one text: {}</p>\n", bdi(why, LINE_MAX)));
    }
    page.push("<nav aria-label=\"On this page\">");
    for (id, name, is_there) in [
        ("failures", "Failed", !result.failures.is_empty()),
        ("contributors", "Contributors", true),
        ("synthesis", "Answer", !result.synthesis.trim().is_empty()),
        ("findings", "Findings", !result.findings.is_empty()),
        ("contradictions", "Contradictions", !result.contradictions.is_empty()),
        ("gaps", "Gaps", !result.gaps.is_empty()),
        ("sources", "Sources", !result.sources.is_empty()),
        ("results", "Results", !result.results.is_empty()),
        ("quality", "Quality", true),
    ] {
        if is_there {
            page.push(&format!("<a href=\"#{id}\">{name}</a>"));
        }
    }
    page.push("</nav>\n</header>\n");
}

pub(super) fn failures(page: &mut Page<'_>, result: &AggregatedResult) {
    if result.failures.is_empty() {
        return;
    }
    page.open("failures", failures_heading(result));
    let failures = page.shown(&result.failures, "failures");
    page.push(
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Task</th><th scope=\"col\">Subagent</th>",
    );
    page.push("<th scope=\"col\">How</th><th scope=\"col\">Why</th></tr></thead><tbody>\n");
    for failure in failures {
        let who = page.context.contributors.named(&failure.subagent);
        let asked = failure
            .task
            .as_deref()
            .map(|task| format!("<br><span class=\"soft\">{}</span>", bdi(task, LINE_MAX)));
        page.push(&format!(
            "<tr><th scope=\"row\">{}{}</th><td>{who}</td><td class=\"bad\">{}</td><td>{}</td></tr>\n",
            bdi(&failure.task_id, NAME_MAX),
            asked.unwrap_or_default(),
            bdi(&failure.status, NAME_MAX),
            bdi(&failure.error, LINE_MAX)
        ));
    }
    page.push("</tbody></table></div>\n");
    page.close();
}

/// What one subagent did, counted.
#[derive(Default)]
struct Share<'r> {
    results: Vec<&'r TaskResult>,
    failures: usize,
    findings: usize,
}

/// The legend, with what of each result the answer covers.
pub(super) fn contributions(page: &mut Page<'_>, result: &AggregatedResult) {
    let contributors = page.context.contributors;
    let mut shares: BTreeMap<&str, Share<'_>> = BTreeMap::new();
    for one in &result.results {
        shares.entry(&one.subagent).or_default().results.push(one);
    }
    for failure in &result.failures {
        shares.entry(&failure.subagent).or_default().failures += 1;
    }
    for name in result.findings.iter().flat_map(|finding| &finding.contributors) {
        shares.entry(name).or_default().findings += 1;
    }
    page.open("contributors", "Who contributed");
    let names = page.shown(contributors.names(), "subagents");
    page.push("<div class=\"scroll\"><table><caption>Each subagent has a letter, a colour and a pattern on this page. ");
    page.push("Coverage: how much of a result the answer covers.</caption>\n<thead><tr><th scope=\"col\">Subagent</th>");
    page.push("<th scope=\"col\">Pattern</th><th scope=\"col\">Findings</th><th scope=\"col\">Results and coverage</th></tr></thead><tbody>\n");
    for (number, name) in names.iter().enumerate() {
        let share = shares.remove(name).unwrap_or_default();
        let (class, who) = (class(number), contributors.named(name));
        page.push(&format!(
            "<tr><th scope=\"row\">{who}</th><td><span class=\"swatch {class}\" aria-hidden=\"true\"></span></td><td>{}</td><td>",
            share.findings
        ));
        let mut lines: Vec<String> =
            share.results.iter().take(20).map(|one| coverage(result, one, class)).collect();
        if share.results.len() > 20 {
            lines.push(format!("and {} more results", share.results.len() - 20));
        }
        if share.failures > 0 {
            lines.push(format!("<span class=\"bad\">{} failed</span>", share.failures));
        }
        page.push(&match lines.is_empty() {
            // What it found is listed, so it had one: another result says the same.
            true if share.findings > 0 => "the same as another result".to_owned(),
            true => "no result".to_owned(),
            false => lines.join("<br>"),
        });
        page.push("</td></tr>\n");
    }
    page.push("</tbody></table></div>\n");
    page.close();
}

/// A bar and the same as text.
fn coverage(result: &AggregatedResult, one: &TaskResult, class: &str) -> String {
    let task = bdi(&one.task_id, NAME_MAX);
    match result.quality.per_result_coverage.get(&one.task_id).filter(|share| share.is_finite()) {
        Some(share) => format!(
            "<span class=\"bar {class}\" aria-hidden=\"true\"><span style=\"width:{:.0}%\"></span></span>{} of {task}",
            share.clamp(0.0, 1.0) * 100.0,
            percent(*share)
        ),
        None => format!("{task}: not measured"),
    }
}

/// The results as they came, folded.
pub(super) fn results(page: &mut Page<'_>, results: &[TaskResult]) {
    if results.is_empty() {
        return;
    }
    page.open("results", "Results, as the subagents gave them");
    for result in page.shown(results, "results") {
        let who = page.context.contributors.named(&result.subagent);
        let asked = result.task.as_deref().unwrap_or(&result.task_id);
        page.push(&format!("<details>\n<summary><h3>{who}: {}</h3></summary>\n", bdi(asked, LINE_MAX)));
        page.push(&format!("<p class=\"note\">Task {}", bdi(&result.task_id, NAME_MAX)));
        page.push(&format!(", relevance {}", percent(result.relevance)));
        if let Some(confidence) = result.confidence {
            page.push(&format!(", its own confidence {}", percent(confidence)));
        }
        page.push(&format!(", {} tokens", result.tokens));
        page.push(if result.partial { ", a part only" } else { "" });
        page.push(if result.truncated { ", shortened" } else { "" });
        if let Some(href) = result.href.as_deref().and_then(inert::own_link) {
            page.push(&format!(", <a href=\"{}\">the full original</a>", line(&href, usize::MAX)));
        }
        let merged: Vec<String> = result.merged.iter().take(20).map(|task| bdi(task, NAME_MAX)).collect();
        if !merged.is_empty() {
            page.push(&format!("; the same was said by {}", merged.join(", ")));
        }
        page.push(".</p>\n");
        for note in result.notes.iter().take(20) {
            page.push(&format!("<p class=\"note\">Note: {}</p>\n", bdi(note, LINE_MAX)));
        }
        page.markdown(&as_code(&result.content), |_, _| Vec::new());
        page.push("</details>\n");
    }
    page.close();
}

/// A result that is JSON is shown as code: its brackets are data, and no numbers of sources on this page.
fn as_code(content: &str) -> Cow<'_, str> {
    let is_json = json_in(content).first().is_some_and(|json| json.len() == content.trim().len());
    if is_json && !content.contains("```") {
        Cow::Owned(format!("```json\n{content}\n```"))
    } else {
        Cow::Borrowed(content)
    }
}
