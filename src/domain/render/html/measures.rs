//! How good the answer is, and how sure: measured, item by item.

use super::text::{bdi, percent};
use super::{LINE_MAX, Page};
use crate::domain::aggregate::result::{AggregatedResult, Gate, Quality};
use crate::domain::render::inert::NAME_MAX;

pub(super) fn quality(page: &mut Page<'_>, quality: &Quality) {
    page.open("quality", "Quality");
    let gate = match quality.gate {
        Gate::Pass => "good enough to deliver",
        Gate::Warn => "delivered with a warning",
        Gate::Block => "not good enough to deliver",
    };
    let verified = if quality.verified { "verified" } else { "not verified" };
    page.push(&format!("<p>Overall {}: {gate}, {verified}.</p>\n", percent(quality.overall)));
    page.push(
        "<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Measure</th><th scope=\"col\">Value</th>",
    );
    page.push("<th scope=\"col\">What it says</th></tr></thead><tbody>\n");
    for (name, value, meaning) in [
        ("Citation rate", quality.citation_rate, "sentences that cite a source"),
        ("Citation precision", quality.citation_precision, "citations whose source supports the sentence"),
        ("Citation recall", quality.citation_recall, "sentences that their citations support together"),
        ("Numeric fidelity", quality.numeric_fidelity, "figures that stand in what is cited"),
        ("Quote fidelity", quality.quote_fidelity, "quotations that are verbatim"),
        ("Coverage", quality.coverage, "what of the results the answer covers"),
        ("Balance", quality.balance, "how evenly the subagents contribute"),
        ("Density", quality.density, "how much is said in the words of the results"),
        ("Coherence", quality.coherence, "how well neighbouring sentences hang together"),
        ("Completeness", quality.completeness, "what of the question is answered"),
        ("Redundancy", quality.redundancy, "what is said twice; less is better"),
    ] {
        let value = value.map_or_else(|| "not measured".to_owned(), percent);
        page.push(&format!("<tr><th scope=\"row\">{name}</th><td>{value}</td><td>{meaning}</td></tr>\n"));
    }
    page.push("</tbody></table></div>\n");
    if !quality.issues.is_empty() {
        page.push("<h3>Found wanting</h3>\n");
        let issues = page.shown(&quality.issues, "issues");
        page.push("<ul>\n");
        for issue in issues {
            page.push(&format!(
                "<li>{}: {}</li>\n",
                bdi(&issue.code, NAME_MAX),
                bdi(&issue.detail, LINE_MAX)
            ));
        }
        page.push("</ul>\n");
    }
    page.close();
}

/// Both versions; the second with its factors.
pub(super) fn confidence(page: &mut Page<'_>, result: &AggregatedResult) {
    let confidence = &result.confidence_v2;
    page.open("confidence", "Confidence");
    page.push(&format!(
        "<p>By the published rule: {} of 100. Version 2: {} of 100.</p>\n",
        result.confidence, confidence.score
    ));
    if !confidence.factors.is_empty() {
        let factors = page.shown(&confidence.factors, "factors");
        page.push("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Factor</th><th scope=\"col\">Effect</th>");
        page.push("<th scope=\"col\">Why</th></tr></thead><tbody>\n");
        for factor in factors {
            page.push(&format!(
                "<tr><th scope=\"row\">{}</th><td>{:+.1}</td><td>{}</td></tr>\n",
                bdi(&factor.factor, NAME_MAX),
                factor.effect,
                bdi(&factor.why, LINE_MAX)
            ));
        }
        page.push("</tbody></table></div>\n");
    }
    page.close();
}
