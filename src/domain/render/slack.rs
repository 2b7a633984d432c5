//! A message for Slack: `{text, blocks}` for `chat.postMessage` or an incoming webhook.
//!
//! What failed comes before the answer. The synthesis is a `markdown` block where it fits, otherwise as much of it as
//! fits in sections, and says so. Every limit is kept by [`message`], every text is defused by [`escape`] and
//! [`convert`]. Addresses aren't unfurled: that would let a subagent's text make Slack fetch an address of its choice.

mod convert;
mod escape;
mod message;

use serde_json::{Value, json};

use self::convert::convert;
use self::escape::{Dialect, mrkdwn};
use self::message::{Message, SECTION_MAX};
use super::inert::NAME_MAX;
use super::passages::passages;
use super::{both_confidences, failures_heading, withheld};
use super::{cut, inert};
use crate::domain::aggregate::result::{AggregatedResult, Contradiction, Failure, Source};
use crate::domain::synthesis::compose::{gap_line, has_line};
use crate::domain::text::clean::quoted_line;

/// The notification's text, in UTF-16 units.
const FALLBACK_MAX: usize = 3_000;
const SUMMARY_MAX: usize = 1_200;
const FAILURES_MAX: usize = 1_000;
const CONTRADICTIONS_MAX: usize = 1_500;
const GAPS_MAX: usize = 600;
/// What the synthesis leaves for all that follows it.
const AFTER_SYNTHESIS: usize = 4_000;
const SOURCES_MAX: usize = 20;
const SOURCE_MAX: usize = 160;
const QUOTE_MAX: usize = 220;
/// Paragraphs are put together into sections of about this many bytes before they are converted.
const PARAGRAPH_BYTES_MIN: usize = 1_200;

/// A result as a message. Time is linear in what is shown, which is bounded.
pub fn slack(result: &AggregatedResult) -> Value {
    let mut message = Message::new();
    let headline = headline(result);
    message.header(&headline);
    let withheld = withheld(result);
    let withheld = withheld.map(|why| format!("There is no synthesis: {}", mrkdwn(why, QUOTE_MAX)));
    let withheld = withheld.unwrap_or_default();
    message.section(&withheld);
    message.fields(&fields(result));
    message.section(&lines(
        &format!("*{}*", failures_heading(result)),
        &result.failures,
        FAILURES_MAX,
        failure,
    ));
    let summary = convert(&result.summary, Dialect::Mrkdwn, SUMMARY_MAX);
    message.section(&summary.text);
    let whole = result.synthesis != result.summary && synthesis(&mut message, &result.synthesis);
    // What stands in the synthesis isn't said again.
    let untold = |line: &str, shown: fn(&str) -> String| !(whole && has_line(&result.synthesis, line, shown));
    let contradictions: Vec<&Contradiction> =
        result.contradictions.iter().filter(|found| untold(&found.description, quoted_line)).collect();
    message.section(&lines("*Sources disagree*", &contradictions, CONTRADICTIONS_MAX, |found| {
        contradiction(found)
    }));
    let gaps: Vec<&String> = result.gaps.iter().filter(|gap| untold(gap, gap_line)).collect();
    message.section(&lines("*What is missing*", &gaps, GAPS_MAX, |gap| mrkdwn(gap, QUOTE_MAX)));
    message.context(&sources(&result.sources));
    let headline = format!("{headline}\n{withheld}");
    let summary = convert(&result.summary, Dialect::Mrkdwn, FALLBACK_MAX - cut::units(&headline) - 1);
    json!({
        "text": format!("{}\n{}", headline.trim_end(), summary.text).trim_end(),
        "blocks": message.finish(),
        "unfurl_links": false,
        "unfurl_media": false,
    })
}

/// In our words only: a header and a notification aren't places for others'.
fn headline(result: &AggregatedResult) -> String {
    let counts = &result.metadata;
    let draft = if counts.is_final { "" } else { " (draft)" };
    format!("{} of {} subagents answered{draft}", counts.successful_subagents, counts.total_subagents)
}

fn fields(result: &AggregatedResult) -> Vec<String> {
    let used = result.sources.iter().filter(|source| source.used).count();
    vec![
        format!("*Status*\n{}", mrkdwn(&result.status, NAME_MAX)),
        format!("*Confidence*\n{}", both_confidences(result)),
        format!("*Quality*\n{} %", (result.quality.overall.clamp(0.0, 1.0) * 100.0).round()),
        format!("*Sources*\n{used} used, {} not", result.sources.len() - used),
    ]
}

fn failure(failure: &Failure) -> String {
    format!(
        "{} ({}): {}, {}",
        mrkdwn(&failure.task_id, NAME_MAX),
        mrkdwn(&failure.subagent, NAME_MAX),
        mrkdwn(&failure.status, NAME_MAX),
        mrkdwn(&failure.error, QUOTE_MAX)
    )
}

/// Both statements side by side: there is no winner.
fn contradiction(contradiction: &Contradiction) -> String {
    let mut line = mrkdwn(&contradiction.description, QUOTE_MAX);
    for statement in &contradiction.statements {
        let number = statement.source.map(|source| format!(" [{source}]")).unwrap_or_default();
        let above = statement.lead_in.as_deref();
        let above = above.map(|line| format!("{}: ", mrkdwn(line, NAME_MAX))).unwrap_or_default();
        line.push_str(&format!(
            "\n    {}{number}: {above}“{}”",
            mrkdwn(&statement.subagent, NAME_MAX),
            mrkdwn(&statement.text, QUOTE_MAX)
        ));
    }
    line
}

/// Items below a heading, as many as fit, with the number of those that don't.
fn lines<T>(heading: &str, items: &[T], limit: usize, write: impl Fn(&T) -> String) -> String {
    if items.is_empty() {
        return String::new();
    }
    let mut out = heading.to_owned();
    // The room for the last line, whatever its number.
    let (limit, mut used) = (limit - 40, cut::units(heading));
    for (at, item) in items.iter().enumerate() {
        let line = write(item);
        let length = cut::units(&line) + 3;
        if used + length > limit {
            out.push_str(&format!("\n… and {} more", items.len() - at));
            break;
        }
        used += length;
        out.push_str("\n• ");
        out.push_str(&line);
    }
    out
}

/// The synthesis as Markdown where it fits, otherwise its beginning; whether it is there whole.
fn synthesis(message: &mut Message, synthesis: &str) -> bool {
    let room = message.room().saturating_sub(AFTER_SYNTHESIS);
    let whole = convert(synthesis, Dialect::Markdown, room);
    if !whole.is_cut {
        message.markdown(&whole.text);
        return true;
    }
    let mut left = room.saturating_sub(60);
    let mut is_cut = false;
    for passage in passages(synthesis, PARAGRAPH_BYTES_MIN) {
        let section = convert(passage, Dialect::Mrkdwn, left.min(SECTION_MAX));
        left = left.saturating_sub(cut::units(&section.text));
        message.section(&section.text);
        is_cut |= section.is_cut;
        if left < 200 {
            is_cut = true;
            break;
        }
    }
    if is_cut {
        message.context(&["Shortened: the whole synthesis is in the result.".to_owned()]);
    }
    !is_cut
}

fn sources(sources: &[Source]) -> Vec<String> {
    let mut elements: Vec<String> = sources.iter().take(SOURCES_MAX).map(source).collect();
    if let Some(more @ 1..) = sources.len().checked_sub(SOURCES_MAX) {
        // It takes the place of the last one: 20 elements fill two blocks.
        elements.pop();
        elements.push(format!("… and {} more sources", more + 1));
    }
    elements
}

fn source(source: &Source) -> String {
    let link = source.url.as_deref().and_then(inert::web_link);
    let title = mrkdwn(&source.title, if link.is_some() { SOURCE_MAX / 2 } else { SOURCE_MAX });
    let title = if title.is_empty() { "untitled".to_owned() } else { title };
    let not = if source.used { "" } else { " (not used)" };
    match link.map(|link| link.replace('&', "&amp;")).filter(|link| link.len() <= SOURCE_MAX) {
        Some(link) => format!("[{}] <{link}|{title}>{not}", source.id),
        None => format!("[{}] {title}{not}", source.id),
    }
}
