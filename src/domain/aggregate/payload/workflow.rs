//! Confirmation cards and transcripts.

use super::{Member, Read, boolean, items, member, members, scalar, share, text};
use crate::domain::text::clean::{escape_inline, one_line};

/// Parameters that are shown.
const PARAMETERS_MAX: usize = 200;
/// Characters of a value in a list that are shown.
const VALUE_CHARS_MAX: usize = 2_000;

/// Words of a summary that is no sentence without a stop.
const SHORT_WORDS_MAX: usize = 4;

/// `{action, state, summary, parameters, requires_confirmation, undo?}`; `None` where none of them says anything.
pub(super) fn action(card: &[Member<'_>]) -> Option<Read> {
    let mut summary = member(card, "summary").and_then(text).unwrap_or_default();
    let mut list = String::new();
    if is_short(&summary) {
        item(&mut list, "", "summary", &serde_json::Value::String(std::mem::take(&mut summary)).to_string());
    }
    let must_confirm = member(card, "requires_confirmation").and_then(boolean) == Some(true);
    match (member(card, "action").and_then(scalar), member(card, "state").and_then(scalar)) {
        // One line, which says by itself how far it is: what is only proposed isn't done.
        (Some(action), Some(state)) => {
            let confirm = if must_confirm { ", requires confirmation" } else { "" };
            list.push_str(&format!("- **{}:** {}{confirm}\n", words_of(&action), words_of(&state)));
        }
        (action, state) => {
            for (name, value) in [("action", action), ("state", state)] {
                list.extend(value.map(|value| format!("- {name}: {}\n", words_of(&value))));
            }
            if must_confirm {
                list.push_str("- requires confirmation: yes\n");
            }
        }
    }
    if let Some(parameters) = member(card, "parameters") {
        write_parameters(&mut list, parameters);
    }
    if let Some(undo) = member(card, "undo") {
        item(&mut list, "", "undo", undo);
    }
    let parts: Vec<&str> =
        [summary.trim(), list.trim_end()].into_iter().filter(|part| !part.is_empty()).collect();
    let content = parts.join("\n\n");
    let (relevance, confidence) = (member(card, "relevance"), member(card, "confidence"));
    (!content.is_empty()).then(|| Read {
        content,
        relevance: relevance.and_then(share),
        confidence: confidence.and_then(share),
        ..Read::default()
    })
}

/// Whether a summary is a few words without a stop: above the list they would be a title, and titles aren't quoted.
fn is_short(summary: &str) -> bool {
    summary.trim_end().ends_with(char::is_alphanumeric)
        && summary.split_whitespace().count() <= SHORT_WORDS_MAX
}

fn write_parameters(list: &mut String, parameters: &str) {
    let Some(named) = members(parameters) else { return item(list, "", "parameters", parameters) };
    if named.is_empty() {
        return;
    }
    list.push_str("- parameters:\n");
    for (name, value) in named.iter().take(PARAMETERS_MAX) {
        item(list, "  ", name, value);
    }
    if let Some(more) = named.len().checked_sub(PARAMETERS_MAX).filter(|more| *more > 0) {
        list.push_str(&format!("  - and {more} more\n"));
    }
}

fn item(list: &mut String, indent: &str, name: &str, value: &str) {
    let words = scalar(value).unwrap_or_else(|| value.to_owned());
    list.push_str(&format!("{indent}- {}: {}\n", words_of(name), words_of(&words)));
}

/// A line in which nothing is markup.
fn words_of(text: &str) -> String {
    escape_inline(&one_line(text, VALUE_CHARS_MAX))
}

/// A short member as an item with a label: `error_rate` stands there as `error rate`.
pub(super) fn labelled(list: &mut String, name: &str, value: &str) {
    let words = match items(value) {
        Some(items) => items.into_iter().filter_map(scalar).collect::<Vec<_>>().join(", "),
        None => scalar(value).unwrap_or_default(),
    };
    list.push_str(&format!("- **{}:** {}\n", words_of(&name.replace('_', " ")), words_of(&words)));
}

/// `{transcript, final, confidence?, segments: [{text}], call_status?}`; `None` without any words.
pub(super) fn voice(call: &[Member<'_>]) -> Option<Read> {
    let whole = member(call, "transcript").and_then(text).filter(|words| !words.trim().is_empty());
    let content = whole.or_else(|| segments(call))?;
    let unfinished = member(call, "final").and_then(boolean) == Some(false);
    let notes = unfinished.then(|| "partial: the transcript isn't final".to_owned());
    Some(Read {
        content,
        relevance: member(call, "relevance").and_then(share),
        confidence: member(call, "confidence").and_then(share),
        notes: notes.into_iter().collect(),
        ..Read::default()
    })
}

fn segments(call: &[Member<'_>]) -> Option<String> {
    let segments = member(call, "segments").and_then(items)?;
    let words = |segment: &str| members(segment).and_then(|segment| member(&segment, "text").and_then(text));
    let words: Vec<String> = segments.into_iter().filter_map(words).collect();
    Some(words.join(" ")).filter(|words| !words.trim().is_empty())
}
