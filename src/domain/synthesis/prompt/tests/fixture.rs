//! Results to ask about.

use std::collections::BTreeMap;

use crate::domain::aggregate::Style;
use crate::domain::aggregate::result::*;
use crate::domain::aggregate::source_kind::SourceKind;

fn finding(topic: &str, content: &str, sources: &[u32], confidence: Level, said_by: &[&str]) -> Finding {
    Finding {
        topic: topic.into(),
        content: content.into(),
        sources: sources.into(),
        confidence,
        contributors: said_by.iter().map(ToString::to_string).collect(),
        verify: None,
        by_model: false,
        step: None,
    }
}

pub(super) fn task(id: &str, subagent: &str, content: &str) -> TaskResult {
    TaskResult {
        task_id: id.into(),
        task: Some("Show the table".into()),
        subagent: subagent.into(),
        whole: None,
        content: content.into(),
        sources: vec![],
        relevance: 0.5,
        relevance_detail: RelevanceDetail { bm25: None, reported: 0.5 },
        confidence: None,
        tokens: content.len() / 4,
        truncated: false,
        href: None,
        partial: false,
        notes: vec![],
        merged: vec![],
        place: 0,
    }
}

pub(super) fn source(id: u32, title: &str, url: Option<&str>, snippets: &[&str]) -> Source {
    Source {
        id,
        url: url.map(Into::into),
        title: title.into(),
        kind: SourceKind::Other,
        quality: Some(SourceQuality::High),
        used: true,
        cited_by: vec![],
        other_titles: vec![],
        snippets: snippets.iter().map(ToString::to_string).collect(),
    }
}

/// A result of three subagents, one of which failed, and of a fourth that brought a table only.
pub(super) fn good() -> AggregatedResult {
    let side = |text: &str, source, subagent: &str| Statement {
        text: text.into(),
        lead_in: None,
        source,
        subagent: subagent.into(),
    };
    AggregatedResult {
        findings: vec![
            finding(
                "capacity",
                "Capacity falls gradually [2].",
                &[2],
                Level::High,
                &["documentation", "web"],
            ),
            finding("cost", "It costs 14,000 euros [3].", &[3, 999], Level::Low, &["web"]),
        ],
        contradictions: vec![Contradiction {
            description: "The COP differs.".into(),
            kind: ContradictionKind::Number,
            statements: vec![
                side("the COP was 2.1", Some(1), "documentation"),
                side("makers state 2.6", Some(99), "web"),
            ],
            sources: vec![1],
            suggestion: String::new(),
        }],
        gaps: vec!["Nothing says how noise changes.".into()],
        results: vec![
            task("a", "documentation", "Capacity falls gradually [2]."),
            task("b", "web", "It costs 14,000 euros [3]."),
            task("c", "tables", "| °C | COP |\n|---|---|\n| 7 | 3.8 |"),
        ],
        sources: vec![
            source(1, "Field study", Some("https://fieldstudy.example/cop"), &["The COP was 2.1."]),
            source(2, "Capacity curves", Some("https://curves.example/"), &[]),
            source(3, "Price survey", None, &[]),
            source(4, "Noise", Some("https://noise.example/"), &["Noise rises."]),
            source(5, "Nobody cites it", Some("https://unused.example/"), &[]),
        ],
        failures: vec![Failure {
            task_id: "noise".into(),
            task: Some("How loud are they?".into()),
            status: "timeout".into(),
            error: "no answer within 30 s".into(),
            subagent: "acoustics".into(),
            subagents: 1,
        }],
        ..empty()
    }
}

/// As many claims, by as many subagents in turn, each with a source of its own.
pub(super) fn claims(claims: usize, subagents: usize) -> AggregatedResult {
    let text =
        |at: usize| format!("Unrelated observation {at} concerns subject {at}.{}", " more".repeat(at % 13));
    AggregatedResult {
        findings: (0..claims)
            .map(|at| {
                let name = format!("agent-{}", at % subagents.max(1));
                finding(&format!("topic {at}"), &text(at), &[100 + at as u32, 2], Level::Medium, &[&name])
            })
            .collect(),
        sources: (0..claims)
            .map(|at| source(100 + at as u32, &format!("Title {at}"), Some("https://s.example/p"), &[]))
            .chain([source(2, "Shared", None, &[])])
            .collect(),
        ..empty()
    }
}

pub(super) fn empty() -> AggregatedResult {
    AggregatedResult {
        session_id: None,
        plan_step_id: None,
        status: "completed".into(),
        synthesis: String::new(),
        body: String::new(),
        style: Style::Findings,
        beyond: 0,
        summary: String::new(),
        findings: vec![],
        insights: vec![],
        contradictions: vec![],
        gaps: vec![],
        results: vec![],
        sources: vec![],
        sources_by_type: BTreeMap::new(),
        failures: vec![],
        quality: Quality {
            citation_rate: None,
            citation_precision: None,
            citation_recall: None,
            numeric_fidelity: None,
            quote_fidelity: None,
            coverage: None,
            per_result_coverage: BTreeMap::new(),
            balance: None,
            density: None,
            coherence: None,
            completeness: None,
            redundancy: None,
            overall: 1.0,
            verified: true,
            gate: Gate::Pass,
            issues: vec![],
        },
        confidence: 50,
        confidence_v2: Confidence { score: 50, factors: vec![] },
        metadata: Metadata {
            total_subagents: 0,
            successful_subagents: 0,
            failed_subagents: 0,
            total_sources: 0,
            truncated_results: 0,
            total_input_results: 0,
            filtered_results: 0,
            deduplicated_count: 0,
            average_relevance: 0.0,
            source_type_distribution: BTreeMap::new(),
            pairs_checked: 0,
            method: Method::Extractive,
            reason: None,
            model: None,
            prompt_version: None,
            synthesis: None,
            trace_id: None,
            is_final: true,
        },
    }
}
