//! Questions with what several subagents answered to each, and how they are asked of the service.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

/// A real model on two cores takes its time.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// A line of the file: `{id, query, reports: {subagent: text}}`.
#[derive(Debug, Clone)]
pub struct Question {
    pub id: String,
    pub query: String,
    /// What each subagent says, with its references.
    pub reports: Vec<(String, String)>,
}

/// Excerpts of real reports, and three small questions.
pub fn own_questions() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/real_model/questions.jsonl")
}

/// The questions of a file.
pub fn questions(file: &Path) -> std::io::Result<Vec<Question>> {
    let text = std::fs::read_to_string(file)?;
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).map(|line| question(&line)).collect())
}

fn question(line: &Value) -> Question {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let reports = line["reports"].as_object().into_iter().flatten();
    Question {
        id: text(&line["id"]),
        query: text(&line["query"]),
        reports: reports.map(|(subagent, report)| (subagent.clone(), text(report))).collect(),
    }
}

impl Question {
    /// The result that the service delivers; `Err` says how it answered otherwise.
    pub async fn ask(&self, service: &str) -> Result<Value, String> {
        let result = |(subagent, report): &(String, String)| json!({"task_id": subagent, "subagent": subagent, "success": true, "content": report});
        let results: Vec<Value> = self.reports.iter().map(result).collect();
        let body = json!({"query": self.query, "results": results, "options": {"mode": "llm"}});
        let client = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build();
        let client = client.map_err(|error| error.to_string())?;
        let post = client.post(format!("{service}/syntheses")).header("content-type", "application/json");
        let answer = post.body(body.to_string()).send().await.map_err(|error| error.to_string())?;
        let status = answer.status();
        let text = answer.text().await.map_err(|error| error.to_string())?;
        let value = serde_json::from_str(&text).map_err(|error| format!("{status}: {error}: {text}"))?;
        if status == 200 { Ok(value) } else { Err(format!("{status}: {text}")) }
    }
}
