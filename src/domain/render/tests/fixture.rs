//! Results to render: a good one, and one that is hostile in every field.

use std::collections::BTreeMap;

use crate::domain::aggregate::Style;
use crate::domain::aggregate::result::*;
use crate::domain::aggregate::source_kind::SourceKind;

fn finding(content: &str, sources: &[u32], confidence: Level, contributors: &[&str]) -> Finding {
    Finding {
        topic: "heat pumps in the cold".into(),
        content: content.into(),
        sources: sources.into(),
        confidence,
        contributors: contributors.iter().map(ToString::to_string).collect(),
        verify: (confidence == Level::Low).then(|| "whether the list price includes the installation".into()),
        by_model: false,
        step: None,
    }
}

fn task(id: &str, task: &str, subagent: &str, content: &str, sources: &[u32], relevance: f64) -> TaskResult {
    TaskResult {
        task_id: id.into(),
        task: Some(task.into()),
        subagent: subagent.into(),
        whole: None,
        content: content.into(),
        sources: sources.into(),
        relevance,
        relevance_detail: RelevanceDetail { bm25: Some(relevance), reported: relevance },
        confidence: Some(0.8),
        tokens: content.len() / 4,
        truncated: false,
        href: Some(format!("/sessions/s1/steps/p1/results/{id}")),
        partial: false,
        notes: vec![],
        merged: vec![],
        place: 0,
    }
}

fn source(
    id: u32,
    url: Option<&str>,
    title: &str,
    kind: SourceKind,
    used: bool,
    cited_by: &[&str],
) -> Source {
    Source {
        id,
        url: url.map(Into::into),
        title: title.into(),
        kind,
        quality: Some(SourceQuality::High),
        used,
        cited_by: cited_by.iter().map(ToString::to_string).collect(),
        other_titles: vec![],
        snippets: if id == 1 { vec!["The median COP at −15 °C was 2.1.".into()] } else { vec![] },
    }
}

const FIELD_STUDY: &str =
    "In a field study of 550 homes, the median coefficient of performance at −15 °C was 2.1";
const GRADUAL: &str = "Capacity falls gradually, by about 30 % between 7 °C and −15 °C";
const COST: &str = "An installed air-to-water system costs between 14,000 and 22,000 euros";

/// A result of three subagents, one of which failed.
pub(super) fn good() -> AggregatedResult {
    let results = vec![
        task(
            "performance",
            "How do heat pumps perform in the cold?",
            "documentation",
            &format!(
                "## Measured performance\n\n{FIELD_STUDY} [1]. {GRADUAL} [2].\n\n| °C | COP |\n|---|---|\n| 7 | 3.8 |\n| −7 | 2.6 |\n| −15 | 2.1 |\n\n```python\n# mean over the homes\nsum(cop[1] for cop in homes) / len(homes)\n```"
            ),
            &[1, 2],
            0.92,
        ),
        task(
            "cost",
            "What do they cost?",
            "web",
            &format!(
                "{COST} [3]. {GRADUAL} [2].\n\n- Grants: up to **30 %** [3]\n- Running costs depend on the [tariff](https://tariffs.example/winter)."
            ),
            &[3, 2, 4],
            0.71,
        ),
    ];
    AggregatedResult {
        session_id: Some("s1".into()),
        plan_step_id: Some("p1".into()),
        status: "partial_failure".into(),
        body: String::new(),
        style: Style::Findings,
        beyond: 0,
        synthesis: format!(
            "### In the cold\n\n{FIELD_STUDY} [1]. {GRADUAL} [2].\n\n### Cost\n\n- {COST} [3].\n- Discussed in the team: *prices fall in spring* [4]."
        ),
        summary: format!("{FIELD_STUDY} [1]. {COST} [3]."),
        findings: vec![
            finding(&format!("{GRADUAL} [2]."), &[2], Level::High, &["documentation", "web"]),
            finding(&format!("{FIELD_STUDY} [1]."), &[1], Level::Medium, &["documentation"]),
            finding(&format!("{COST} [3]."), &[3], Level::Low, &["web"]),
        ],
        insights: vec![Insight {
            text: "Ask for the COP at −15 °C, not at 7 °C.".into(),
            lead_in: None,
            sources: vec![1],
        }],
        contradictions: vec![Contradiction {
            description: "The COP at −15 °C differs: 2.1 and 2.6.".into(),
            kind: ContradictionKind::Number,
            statements: vec![
                Statement {
                    text: "the median COP at −15 °C was 2.1".into(),
                    lead_in: None,
                    source: Some(1),
                    subagent: "documentation".into(),
                },
                Statement {
                    text: "makers state 2.6 at −15 °C".into(),
                    lead_in: None,
                    source: Some(3),
                    subagent: "web".into(),
                },
            ],
            sources: vec![1, 3],
            suggestion: "Compare the conditions of measurement: field or laboratory.".into(),
        }],
        gaps: vec!["Nothing says how noise changes in the cold.".into()],
        results,
        sources: vec![
            source(
                1,
                Some("https://fieldstudy.example/2024/cop?part=2&lang=en"),
                "Field study of 550 homes",
                SourceKind::Web,
                true,
                &["documentation"],
            ),
            source(
                2,
                Some("https://docs.google.com/document/d/x"),
                "Capacity curves",
                SourceKind::Document,
                true,
                &["documentation", "web"],
            ),
            source(
                3,
                Some("https://prices.example/heat-pumps"),
                "Price survey",
                SourceKind::Web,
                true,
                &["web"],
            ),
            source(
                4,
                Some("https://team.slack.com/archives/C1/p2"),
                "Message in #heating",
                SourceKind::Slack,
                false,
                &["web"],
            ),
        ],
        sources_by_type: BTreeMap::from([
            (SourceKind::Slack, vec![4]),
            (SourceKind::Web, vec![1, 3]),
            (SourceKind::Document, vec![2]),
        ]),
        failures: vec![Failure {
            task_id: "noise".into(),
            task: Some("How loud are they?".into()),
            status: "timeout".into(),
            error: "no answer within 30 s".into(),
            subagent: "acoustics".into(),
            subagents: 1,
        }],
        quality: quality("numeric_mismatch", "“2.6” isn't in what is cited [3]"),
        confidence: 75,
        confidence_v2: Confidence {
            score: 68,
            factors: vec![
                ConfidenceFactor {
                    factor: "base".into(),
                    effect: 100.0,
                    why: "every result starts here".into(),
                },
                ConfidenceFactor {
                    factor: "failed subagents".into(),
                    effect: -20.0,
                    why: "1 of 3 failed".into(),
                },
                ConfidenceFactor {
                    factor: "contradictions".into(),
                    effect: -12.0,
                    why: "1 between 2 sources".into(),
                },
            ],
        },
        metadata: metadata(),
    }
}

fn quality(code: &str, detail: &str) -> Quality {
    Quality {
        citation_rate: Some(0.95),
        citation_precision: Some(0.9),
        citation_recall: Some(0.88),
        numeric_fidelity: Some(0.93),
        quote_fidelity: Some(1.0),
        coverage: Some(0.7),
        per_result_coverage: BTreeMap::from([("performance".into(), 0.83), ("cost".into(), 0.57)]),
        balance: Some(0.8),
        density: Some(0.97),
        coherence: None,
        completeness: Some(0.75),
        redundancy: Some(0.04),
        overall: 0.86,
        verified: true,
        gate: Gate::Warn,
        issues: vec![QualityIssue { code: code.into(), detail: detail.into() }],
    }
}

fn metadata() -> Metadata {
    Metadata {
        total_subagents: 3,
        successful_subagents: 2,
        failed_subagents: 1,
        total_sources: 4,
        truncated_results: 0,
        total_input_results: 3,
        filtered_results: 0,
        deduplicated_count: 0,
        average_relevance: 0.8,
        source_type_distribution: BTreeMap::new(),
        pairs_checked: 12,
        method: Method::Extractive,
        reason: None,
        model: None,
        prompt_version: None,
        synthesis: None,
        trace_id: None,
        is_final: true,
    }
}

/// The same text in every field that a subagent may have written; numbers are as bad as they can be.
pub(super) fn hostile(text: &str) -> AggregatedResult {
    let own = || text.to_owned();
    let mut all = good();
    all.status = own();
    all.synthesis = format!("{text}\n\nSaid [1]: {text} [2].");
    all.summary = own();
    all.gaps = vec![own()];
    all.findings = vec![Finding {
        topic: own(),
        content: own(),
        sources: vec![1, 999],
        confidence: Level::High,
        contributors: vec![own(), "web".into()],
        verify: Some(own()),
        by_model: false,
        step: None,
    }];
    all.insights = vec![Insight { text: own(), lead_in: Some(own()), sources: vec![0, u32::MAX] }];
    all.contradictions[0].description = own();
    all.contradictions[0].suggestion = own();
    all.contradictions[0].statements = vec![
        Statement { text: own(), lead_in: Some(own()), source: None, subagent: own() },
        Statement { text: own(), lead_in: None, source: Some(7), subagent: own() },
    ];
    for result in &mut all.results {
        (result.task_id, result.subagent, result.task) = (own(), own(), Some(own()));
        result.content = format!("start\n{text}\n\n[1]: {text}\n\n[1] [x][1] [a]({text}) <{text}>");
        result.href = Some(own());
        result.notes = vec![own()];
        result.merged = vec![own()];
        (result.relevance, result.confidence) = (f64::NAN, Some(f64::INFINITY));
    }
    for source in &mut all.sources {
        (source.title, source.url) = (own(), Some(own()));
        source.cited_by = vec![own()];
        source.snippets = vec![own(), " ".into()];
    }
    all.sources[3].url = Some(format!("https://e.example/{text}"));
    all.sources[2].id = 1;
    all.failures[0] = Failure {
        task_id: own(),
        task: Some(own()),
        status: own(),
        error: own(),
        subagent: own(),
        subagents: 1,
    };
    all.quality = quality(text, text);
    all.quality.per_result_coverage = BTreeMap::from([(own(), -3.5)]);
    all.quality.overall = f64::NAN;
    all.confidence_v2.factors =
        vec![ConfidenceFactor { factor: own(), effect: f64::NEG_INFINITY, why: own() }];
    all
}
