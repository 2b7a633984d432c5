//! Events as a person reads them: who, what, what is new.

use std::collections::HashMap;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::Value;

use super::screen::{Line, Style};

/// Turns events into lines. Remembers what each subagent had written, to say what is new.
#[derive(Debug, Default)]
pub struct Timeline {
    begun: Option<Timestamp>,
    lanes: Vec<String>,
    written: HashMap<String, usize>,
}

impl Timeline {
    /// An event's line.
    pub fn line(&mut self, event: &Value, is_replayed: bool) -> Line {
        let content = &event["content"];
        let kind = text(&event["type"]);
        if kind == "step_started" {
            self.lanes = stages(content).map(str::to_owned).collect();
        }
        let lane = content["stage"].as_str().unwrap_or("plan").to_owned();
        let (status, status_style, text, ends_with) = self.story(kind, content);
        Line {
            at: Some(self.since_begin(&event["timestamp"])),
            sequence: event["sequence"].as_u64(),
            mark: if is_replayed { '↻' } else { ' ' },
            lane_style: self.style_of(&lane),
            lane,
            status,
            status_style,
            text,
            ends_with,
        }
    }

    fn style_of(&self, lane: &str) -> Style {
        self.lanes.iter().position(|known| known == lane).map_or(Style::Bold, Style::Lane)
    }

    /// When an event was decided, from the step's beginning on.
    fn since_begin(&mut self, at: &Value) -> Duration {
        let Ok(at) = text(at).parse::<Timestamp>() else { return Duration::ZERO };
        let begun = *self.begun.get_or_insert(at);
        Duration::try_from(at.duration_since(begun)).unwrap_or_default()
    }

    fn story(&mut self, kind: &str, content: &Value) -> (String, Style, String, String) {
        let plain = |status: &str, text: String| (status.to_owned(), Style::Plain, text, String::new());
        let ending = text(&content["status"]);
        match kind {
            "step_started" => {
                plain("started", format!("expects {}", stages(content).collect::<Vec<_>>().join(", ")))
            }
            "subagent_started" => plain("started", "its first event is there".into()),
            "planner_stream" => self.output(content),
            "subagent_completed" => plain("completed", ended(content)),
            "planner_progress" => plain("progress", progress(content)),
            "step_completed" => plain("completed", counts(&content["counts"])),
            "plan_step_completed" => {
                ("end".into(), Style::Bold, format!("of the step: {ending}"), String::new())
            }
            other => plain(other, String::new()),
        }
    }

    /// An output's event: growing texts by how much they grew and how they end.
    fn output(&mut self, content: &Value) -> (String, Style, String, String) {
        let status = text(&content["status"]);
        let style = match status {
            "success" => Style::Good,
            "retry" => Style::Notable,
            "error" | "timeout" => Style::Bad,
            _ => Style::Plain,
        };
        let written = text(&content["payload"]["content"]);
        let (what, ends_with) = match status {
            "partial" | "success" => {
                let length = written.chars().count();
                let before =
                    self.written.insert(text(&content["result_key"]).to_owned(), length).unwrap_or(0);
                let sources = content["payload"]["sources"].as_array().map_or(0, Vec::len);
                let grown = length.saturating_sub(before);
                let what = match status {
                    "success" => format!("+{grown} = {} chars, {sources} sources", thousands(length)),
                    _ => format!("+{grown} chars"),
                };
                (what, plain_words(written))
            }
            "retry" => (format!("attempt {} follows: {}", content["attempt"], error(content)), String::new()),
            "error" => (format!("no attempt left: {}", error(content)), String::new()),
            "timeout" => (format!("silent until its {}", text(&content["reason"])), String::new()),
            _ => (format!("at work, attempt {}", content["attempt"]), String::new()),
        };
        let revision = &content["revision"];
        (status.to_owned(), style, format!("r{revision} {what}"), ends_with)
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn stages(content: &Value) -> impl Iterator<Item = &str> {
    content["expected"].as_array().into_iter().flatten().map(|expected| text(&expected["stage"]))
}

fn ended(content: &Value) -> String {
    let seconds = content["latency_ms"].as_f64().unwrap_or_default() / 1_000.0;
    let (revision, attempts) = (&content["revision"], &content["attempts"]);
    format!("{} after {seconds:.2} s, revision {revision}, attempt {attempts}", text(&content["status"]))
}

fn progress(content: &Value) -> String {
    let message = text(&content["message"]);
    content["percent"].as_f64().map_or(message.into(), |percent| format!("{percent:.0}%: {message}"))
}

fn error(content: &Value) -> String {
    let error = &content["error"];
    format!("{}, {}", text(&error["code"]), text(&error["message"]))
}

/// How many outputs ended how; what didn't happen is left out.
pub fn counts(counts: &Value) -> String {
    let names = ["success", "error", "timeout", "degraded", "refused", "cancelled"];
    let happened = names.into_iter().filter(|name| counts[*name].as_u64() > Some(0));
    happened.map(|name| format!("{} {name}", counts[name])).collect::<Vec<_>>().join(", ")
}

/// A number with its thousands apart.
pub fn thousands(number: usize) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", thousands(number / 1_000), number % 1_000),
    }
}

/// Markdown as words on one line, as far as the end of a line needs it.
fn plain_words(markdown: &str) -> String {
    let tail: Vec<&str> = markdown.split_whitespace().rev().take(40).collect();
    let words = tail.into_iter().rev().filter(|word| !word.chars().all(|c| "#-*>|".contains(c)));
    words.map(plain_word).collect::<Vec<_>>().join(" ")
}

/// A word without its marks, a link by its text.
fn plain_word(word: &str) -> String {
    let word = word.replace("**", "").replace('`', "");
    match (word.find("]("), word.rfind(')')) {
        (Some(text_end), Some(link_end)) if text_end < link_end => {
            format!("{}{}", word[..text_end].trim_start_matches('['), &word[link_end + 1..])
        }
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn partial(sequence: u64, at: &str, written: &str) -> Value {
        let payload = json!({"content": written, "sources": []});
        let mut content = json!({"stage": "gpt-5", "result_key": "gpt-5", "status": "partial", "attempt": 1});
        (content["revision"], content["payload"]) = (sequence.into(), payload);
        json!({"type": "planner_stream", "sequence": sequence, "timestamp": at, "content": content})
    }

    #[test]
    fn a_growing_report_is_shown_by_what_is_new() {
        let mut timeline = Timeline::default();
        let (short, long) = ("# Title\n\nÄrger", "# Title\n\nÄrger **here**:\n- `x` [link](https://x.y/)");
        timeline.line(&partial(2, "2026-01-01T00:00:00.000Z", short), false);
        let line = timeline.line(&partial(3, "2026-01-01T00:00:01.250Z", long), true);
        assert_eq!((line.at, line.sequence), (Some(Duration::from_millis(1_250)), Some(3)));
        assert_eq!((line.mark, line.lane.as_str(), line.status.as_str()), ('↻', "gpt-5", "partial"));
        assert_eq!(
            (line.text.as_str(), line.ends_with.as_str()),
            ("r3 +37 chars", "Title Ärger here: x link")
        );
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!([7, 999, 1_000, 1_234_567].map(thousands), ["7", "999", "1,000", "1,234,567"]);
        assert_eq!(
            counts(&json!({"expected": 3, "success": 2, "error": 0, "timeout": 1})),
            "2 success, 1 timeout"
        );
    }
}
