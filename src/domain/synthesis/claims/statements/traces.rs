//! What agents and consoles write of their own steps: `Thought: I need to look it up.`, `Action: search`, `Calling tool \`search\` with {…}`,
//! `3 rows returned in 0.14 s.` It states nothing; what was observed may.

use super::asides::{begins, is_small_talk};
use crate::domain::text::phrases::behind_any;

/// What a step begins with, in small letters.
const STEPS: &[&str] = &[
    "thought:",
    "action:",
    "action input:",
    "tool call:",
    "tool calls:",
    "function call:",
    "tool input:",
    "arguments:",
    "calling ",
    "invoking ",
    "observation:",
    "query executed",
    "query ok",
    "result received",
    "results received",
    "response received",
];
/// What else a text has where `Thought:` or `Action:` are steps of an agent.
const BESIDE: [&str; 6] =
    ["Action Input:", "\nObservation:", "\n**Observation:**", "Final Answer:", "\nAction: ", "Tool call:"];
/// Bytes before and behind a step in which those are looked for.
const NEAR: usize = 1_024;
/// Bytes of a sentence that only counts what a tool brought.
const COUNT_BYTES_MAX: usize = 64;
/// How a thought of a model goes on.
const THINKS: &[&str] = &["i ", "i'", "let me ", "let's ", "we need ", "now i ", "the user "];
/// What is counted that a tool brings.
const BROUGHT: [&str; 12] = [
    "result",
    "results",
    "row",
    "rows",
    "hit",
    "hits",
    "document",
    "documents",
    "match",
    "matches",
    "record",
    "records",
];
/// What was done with it.
const DONE: [&str; 9] =
    ["returned", "found", "received", "retrieved", "fetched", "selected", "affected", "in set", "in result"];

/// Whether a sentence of a text is said to who asked, or such a step.
pub(super) fn is_aside(text: &str, sentence: &str) -> bool {
    is_small_talk(sentence) || is_step(text, sentence)
}

fn is_step(text: &str, sentence: &str) -> bool {
    let said = sentence.trim_start_matches(['*', '_', '`', '(', ' ']);
    if said.starts_with(|c: char| c.is_ascii_digit()) {
        return said.len() <= COUNT_BYTES_MAX && counts_rows(said);
    }
    if !begins(said, STEPS) {
        return false;
    }
    let (label, value) = said.split_once(':').unwrap_or((said, ""));
    let value = value.trim_start_matches(['*', '_', ' ']).trim_end();
    let is_agents = || BESIDE.iter().any(|step| near(text, sentence).contains(step));
    match label.to_ascii_lowercase().as_str() {
        "thought" => begins(value, THINKS) || is_agents(),
        "action" => is_call(value) || is_word(value) && is_agents(),
        "action input" | "tool input" => true,
        "tool call" | "tool calls" | "function call" => is_call(value) || is_word(value),
        "arguments" => value.starts_with(['{', '[']),
        "observation" => counts_rows(value),
        "query executed" => true,
        _ => is_done(said) || calls_tool(said),
    }
}

/// What stands around a sentence of a text: more isn't looked through for each.
fn near<'t>(text: &'t str, sentence: &str) -> &'t str {
    let at = (sentence.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
    let begin = text.ceil_char_boundary(at.saturating_sub(NEAR));
    let end = text.floor_char_boundary((at + sentence.len() + NEAR).min(text.len()));
    text.get(begin..end).unwrap_or_default()
}

/// `search_catalog`, `` `search` ``, `search[heat pumps]`, `search("heat pumps")`.
fn is_call(value: &str) -> bool {
    let name = value.trim_start_matches('`');
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')));
    let (name, behind) = name.split_at(end.unwrap_or(name.len()));
    let is_closed = behind.trim_end_matches('.').ends_with([')', ']', '}', '`']);
    !name.is_empty()
        && (behind.is_empty() && name.contains('_') || is_closed && behind.starts_with(['(', '[', '{', '`']))
}

fn is_word(value: &str) -> bool {
    !value.is_empty() && !value.contains(char::is_whitespace) && !value.ends_with(['.', '!'])
}

/// `Calling tool \`search\` with {…}`: not `Calling tool support is free.`
fn calls_tool(said: &str) -> bool {
    let mut words = said.split_whitespace();
    let kind = words.nth(1).unwrap_or_default();
    let name = if matches!(kind, "tool" | "function") { words.next().unwrap_or_default() } else { kind };
    let with = words.next().unwrap_or_default();
    let is_named = name.starts_with('`') || name.contains('_');
    is_named && (with.is_empty() || matches!(with, "with" | "…" | "..." | "using"))
}

/// `Result received.`, `Query OK, 3 rows affected`.
fn is_done(said: &str) -> bool {
    let bare = said.trim_end_matches(['.', '!', '*', ' ']).to_ascii_lowercase();
    let behind = bare.strip_prefix("query ok").map(|behind| behind.trim_start_matches([',', ' ']));
    matches!(bare.as_str(), "result received" | "results received" | "response received")
        || behind.is_some_and(|behind| behind.is_empty() || counts_rows(behind))
        || bare == "query executed successfully"
}

/// `3 rows returned in 0.14 s.`, `2 rows in set (0.01 sec)`, `3 results`: nothing of what was asked.
fn counts_rows(said: &str) -> bool {
    let said = said.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',');
    let said = said.trim_end_matches(['.', ')', ' ']).to_ascii_lowercase();
    let Some(rest) = said.strip_prefix(' ') else { return false };
    let (brought, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let done = behind_any(rest, &DONE).map(str::trim_start);
    let is_time = |rest: &str| {
        let rest = rest.trim_start_matches("in ").trim_start_matches('(');
        let unit = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').trim_start();
        unit.len() < rest.len() && matches!(unit, "s" | "sec" | "secs" | "second" | "seconds" | "ms")
    };
    BROUGHT.contains(&brought)
        && (rest.is_empty() || done.is_some_and(|rest| rest.is_empty() || is_time(rest)))
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    const SAID: &str = "The S200 takes a 35 mm cartridge.";

    fn stated(text: &str) -> Vec<&'static str> {
        read(text, "a").into_iter().map(|said| said.text).collect()
    }

    #[test]
    fn steps_of_agents_state_nothing() {
        for steps in [
            "Thought: I need to look up the cartridge.\nAction: search\nAction Input: S200 cartridge",
            "**Thought:** The cartridge must be looked up.\n**Action:** search\n**Action Input:** S200 cartridge",
            "Action: search_catalog(\"S200\")",
            "Tool call: search_catalog\nArguments: {\"q\": \"S200\"}\nObservation: 3 results",
            "Calling tool `search_catalog` with {\"query\": \"Aquaflow S200 cartridge\"}...\nResult received.",
            "Query executed: `SELECT count(*) FROM orders`\n3 rows returned in 0.14 s.",
            "Query OK, 3 rows affected (0.01 sec)",
        ] {
            assert_eq!(stated(&format!("{steps}\n\n{SAID}")), [SAID], "{steps}");
        }
        let whole = "Thought: I need to look up the cartridge.\nAction: search\nAction Input: S200 cartridge\nObservation: The S200 is made in Ulm.\nThought: I now know the final answer.\nFinal Answer: The S200 takes a 35 mm cartridge.";
        assert_eq!(stated(whole), ["Observation: The S200 is made in Ulm.", SAID]);
        assert_eq!(stated("**Final Answer:** The S200 takes a 35 mm cartridge."), [SAID]);
        assert_eq!(stated("Final Answer: 35 mm"), ["Final Answer: 35 mm"]);
    }

    #[test]
    fn what_says_something_is_no_step() {
        for text in [
            "Thought: the heart of the book is a theory of mind.",
            "Action: replace the cartridge of the S200.",
            "Observation: the cartridge was worn on both sides.",
            "Arguments: the tenant paid late and the roof leaks.",
            "Calling tool support is free of charge on weekdays.",
            "Calling back within a day is promised by the firm.",
            "3 rows of seats were returned to the theatre in May.",
            "40 results of the survey were found to be wrong.",
            "Results received by the board were wrong in 2024.",
        ] {
            assert_eq!(stated(&format!("{text}\n\n{SAID}")), [text, SAID], "{text}");
        }
    }
}
