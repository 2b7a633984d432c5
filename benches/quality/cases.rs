//! Questions with what their subagents brought: real reports, and eight generated ones.

use std::path::Path;

use serde_json::Value;
use tributary::domain::aggregate::input::TaskInput;
use tributary::domain::text::tokens::Tokenizer;

const TASK_TOKENS: usize = 2_000;
const TASKS: usize = 8;

/// A question with what its subagents brought.
pub struct Case {
    pub query: String,
    pub tasks: Vec<TaskInput>,
}

/// Those of a folder: three finished reports for each question.
pub fn reports(folder: &Path) -> Vec<Case> {
    let Ok(text) = std::fs::read_to_string(folder.join("reports.jsonl")) else { return Vec::new() };
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let case = |line: Value| {
        let reports = line["reports"].as_object().cloned().unwrap_or_default();
        let tasks =
            reports.into_iter().map(|(model, report)| task(&model, report.as_str().unwrap_or_default()));
        Case { query: line["query"].as_str().unwrap_or_default().to_owned(), tasks: tasks.collect() }
    };
    lines.map(case).collect()
}

fn task(subagent: &str, content: &str) -> TaskInput {
    TaskInput {
        task_id: subagent.to_owned(),
        subagent: subagent.to_owned(),
        content: content.to_owned(),
        ..TaskInput::default()
    }
}

/// Sentences out of a small vocabulary, with figures, citations and a list of references.
pub fn eight_tasks() -> Case {
    let mut random = fastrand::Rng::with_seed(42);
    let subjects = ["The service", "Each replica", "The archive", "A reader", "The planner", "The cache"];
    let verbs = ["stores", "streams", "replays", "orders", "verifies", "rejects", "retries"];
    let objects = ["events", "results", "sources", "frames", "directives", "citations", "requests"];
    let tails = ["under load", "after a restart", "within the limit", "in every region", "on request"];
    let tokenizer = Tokenizer::o200k();
    let tasks = (0..TASKS).map(|number| {
        let mut text = String::from("# Report\n\n");
        // What follows are the references: 30 tokens each.
        while tokenizer.count(&text) < TASK_TOKENS - 8 * 30 {
            let pick =
                |random: &mut fastrand::Rng, words: &[&'static str]| words[random.usize(..words.len())];
            let (subject, verb) = (pick(&mut random, &subjects), pick(&mut random, &verbs));
            let (object, tail) = (pick(&mut random, &objects), pick(&mut random, &tails));
            let (count, share, source) = (random.u32(2..9_999), random.u32(1..100), random.u32(1..9));
            text.push_str(&format!(
                "{subject} {verb} {count} {object} {tail}, which is {share}% of all [{source}]. "
            ));
            if random.u8(..8) == 0 {
                text.push_str("\n\n");
            }
        }
        text.push_str("\n\n## References\n\n");
        for source in 1..9 {
            text.push_str(&format!(
                "[{source}] Source {source} - https://example{number}.org/page/{source}\n"
            ));
        }
        task(&format!("agent-{number}"), &text)
    });
    Case { query: "What does the service do under load?".to_owned(), tasks: tasks.collect() }
}
