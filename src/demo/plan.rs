//! What is played: the question, the reports of three models, the directive, and how fast.

use std::time::Duration;

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Value, json};

/// Excerpts of real reports; the file names their source and licence.
const REPORTS: &str = include_str!("../../examples/reports.json");
/// The session of the demo.
pub const SESSION: &str = "demo";
/// The only step of its plan.
pub const STEP: &str = "compare";
/// The subagent that fails.
pub const SEARCH: &str = "web_search";
/// How long that one takes to say that it can't, in milliseconds at the real pace.
const SEARCH_ANSWER_MS: u64 = 2_200;
/// The subagent that is silent until it is too late.
pub const SILENT: &str = "row_selection";
/// When the silent one's time is over, in milliseconds at the real pace.
pub const SILENT_DEADLINE_MS: u64 = 8_000;
/// Characters after which a growing report is worth a partial at the next line's end.
const PARTIAL_CHARS: usize = 160;

/// How fast it is played.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    divisor: u64,
}

impl Pace {
    /// As fast as models write.
    pub const REAL: Self = Self { divisor: 1 };
    /// For tests.
    pub const FAST: Self = Self { divisor: 10 };

    /// What is left of so many milliseconds.
    pub fn ms(self, ms: u64) -> u64 {
        ms / self.divisor
    }

    /// Waits so many milliseconds of the real pace.
    pub async fn wait(self, ms: u64) {
        tokio::time::sleep(Duration::from_millis(self.ms(ms))).await;
    }
}

/// The question and its reports.
#[derive(Debug, Deserialize)]
pub struct Plan {
    /// What the user asked.
    pub query: String,
    /// Who wrote what about it.
    pub reports: Vec<Report>,
}

/// One model's report.
#[derive(Debug, Deserialize)]
pub struct Report {
    /// Who wrote it.
    pub model: String,
    /// What it wrote.
    pub markdown: String,
    /// What it cites: `{id, title, url}`.
    pub sources: Vec<Value>,
}

impl Plan {
    /// The plan that is built in.
    pub fn read() -> anyhow::Result<Self> {
        serde_json::from_str(REPORTS).context("examples/reports.json can't be read")
    }

    /// What the planner posts: three models, a search at `search` that is called and may be tried twice, a look-up with a
    /// deadline of its own.
    pub fn directive(&self, pace: Pace, search: &str) -> Value {
        let model = |report: &Report| json!({"key": report.key(), "task": "Write a report on the question"});
        let mut expected: Vec<Value> = self.reports.iter().map(model).collect();
        let answer_ms = pace.ms(SEARCH_ANSWER_MS);
        let url = format!("{search}?status=503&latency_ms={answer_ms}");
        expected.push(json!({
            "key": SEARCH,
            "task": "Find announcements of the last weeks",
            "max_attempts": 2,
            "invoke": {"url": url, "protocol": "json"},
        }));
        expected.push(json!({
            "key": SILENT,
            "task": "Which of our projects use either protocol?",
            "deadline_ms": pace.ms(SILENT_DEADLINE_MS),
        }));
        json!({
            "plan_step_id": STEP,
            "expected_subagents": expected,
            "query": self.query,
            "task_type": "retrieval",
            "deadline_ms": 60_000,
        })
    }
}

impl Report {
    /// The model's name as a subagent's key.
    pub fn key(&self) -> String {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | ':' | '-');
        self.model.chars().map(|c| if fits(c) { c } else { '-' }).collect()
    }

    /// The report as it grows, paragraph by paragraph; the last one is the whole of it.
    pub fn growth(&self) -> Vec<&str> {
        let text = self.markdown.as_str();
        let (mut grown, mut shown) = (Vec::new(), 0);
        for (end, _) in text.match_indices('\n') {
            let line = text[..end].rsplit('\n').next().unwrap_or_default();
            let is_heading = line.starts_with('#') || line.starts_with("---");
            if !line.trim().is_empty() && !is_heading && text[shown..end].chars().count() >= PARTIAL_CHARS {
                grown.push(&text[..end]);
                shown = end;
            }
        }
        grown.push(text);
        grown
    }
}

/// Where directives go.
pub fn steps_path() -> String {
    format!("/planner/sessions/{SESSION}/steps")
}

/// The step's state.
pub fn step_path() -> String {
    format!("{}/{STEP}", steps_path())
}

/// The step's events, to be read.
pub fn events_path() -> String {
    format!("{}/events", step_path())
}

/// All of the step's events as one page.
pub fn page_path() -> String {
    format!("{}?limit=5000", events_path())
}

/// Where a subagent sends its events.
pub fn subagent_path(key: &str) -> String {
    format!("{}/subagents/{key}/events", step_path())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_grow_to_their_whole_length_at_ends_of_paragraphs() {
        let plan = Plan::read().unwrap();
        assert_eq!(plan.reports.len(), 3);
        for report in &plan.reports {
            let grown = report.growth();
            assert!((8..20).contains(&grown.len()), "{}: {}", report.model, grown.len());
            assert_eq!(grown.last().copied(), Some(report.markdown.as_str()));
            for pair in grown.windows(2) {
                assert!(pair[1].starts_with(pair[0]) && pair[1].len() > pair[0].len());
                assert!(report.markdown[pair[0].len()..].starts_with('\n'));
            }
            assert!(report.key().parse::<crate::domain::ids::SubagentKey>().is_ok());
            assert!(!report.sources.is_empty());
        }
    }
}
