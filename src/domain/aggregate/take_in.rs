//! Judges what a task brought: is there a result in it?
//!
//! A success that says nothing ("N/A", "Let me search for that."), that only points elsewhere ("see above"), that is an error
//! ("connection refused", a gateway's page) or that declines ("I can't help with that") is no result, and is never passed off as one: it becomes a failure that says so. The judgement falls only
//! where that is (almost) all there is; an answer that begins with an apology and then answers is an answer. What ends
//! in the middle is kept, with a note. In doubt a text is usable: a bad result that is shown does less harm than a good
//! one that is lost.
//!
//! By rules and tables in English, Chinese, German, French and
//! Spanish; refusals also in Portuguese, Italian, Dutch, Polish, Russian, Japanese and Korean. Only texts of at most [`SAYS_NOTHING_BYTES_MAX`] are looked through for phrases, so judging is linear with
//! one pass over a long text. Late results never come here.

use super::input::{FailureStatus, InputStatus, TaskInput};
use crate::domain::synthesis::draft::behind_thoughts;
use crate::domain::text::clean::one_line;

#[rustfmt::skip] // tables of words: a line each would be a thousand lines
mod announced;
mod asked;
mod clipped;
mod csv_tables;
mod errors;
mod html_tables;
mod json_escapes;
mod lacking;
mod nothing;
#[rustfmt::skip] // tables of words: a line each would be a thousand lines
mod phrases;
mod plain;
mod refusal;
mod saved;
mod shell_tables;
mod small_talk;
mod sought;
mod stops;
#[cfg(test)]
mod tests;
mod tokens;
mod unknown;
mod unreached;
mod unseen;
mod wrapped;

pub(super) use self::csv_tables::write_csv;
pub(super) use self::html_tables::write_tables;
pub(super) use self::json_escapes::resolve_escapes;
pub(super) use self::shell_tables::write_shell_tables;
use self::tokens::leave_out_tokens;
use self::unseen::leave_out_unseen;
pub use self::wrapped::unwrapped;

/// Longest text that may be judged to say nothing, in bytes: above it, something is said besides.
pub const SAYS_NOTHING_BYTES_MAX: usize = 2_048;

/// Characters of a task's own error that are shown.
pub const ERROR_CHARS_MAX: usize = 2_000;

/// What was judged of one task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// There is a result.
    Usable {
        /// What is odd about it, a line each; begins with `clipped:`, `partial:` or `error:` where that is so.
        notes: Vec<String>,
        /// How the task failed, where this is only what there was until then: it counts as a failure too.
        failed: Option<(FailureStatus, String)>,
    },
    /// There is none.
    Unusable {
        /// How it ended, or in which way it says nothing.
        status: FailureStatus,
        /// Why, in words.
        error: String,
    },
}

/// Begins the note on a result of which an aggregation had room for nothing: its text isn't known here, and it isn't empty.
pub(super) const CUT_AWAY: &str = "clipped: its text was left out for its length";
/// What stands for such a text.
pub(super) const CUT_AWAY_TEXT: &str = "[…]";

/// Judges one task, given what was asked: a bare `Forbidden` is an error unless that is the question.
///
/// A task that failed, or is still running, keeps what it had said, marked as partial; where that is nothing, it is
/// unusable with its own status (`pending` while it runs).
pub fn judge(input: &TaskInput, query: Option<&str>) -> Judged {
    let questions = || input.task.as_deref().into_iter().chain(query);
    let nothing = says_nothing(&input.content)
        .filter(|_| !is_cut_away(input) && !questions().any(|asked| asked::answers(&input.content, asked)));
    let (status, failed) = match (input.status, nothing) {
        (InputStatus::Failed(status), Some(_)) => (Some(status), None),
        (InputStatus::Partial, Some(_)) => (Some(FailureStatus::Pending), None),
        (InputStatus::Success, Some(nothing)) => (Some(nothing), None),
        (InputStatus::Failed(status), None) => (None, Some((status, reason(input, status)))),
        (InputStatus::Success | InputStatus::Partial, None) => (None, None),
    };
    match status {
        // What it calls its result says what went wrong.
        Some(FailureStatus::Error) if input.status == InputStatus::Success && said(input).is_none() => {
            Judged::Unusable {
                status: FailureStatus::Error,
                error: one_line(errors::page(&input.content).unwrap_or(&input.content), ERROR_CHARS_MAX),
            }
        }
        Some(FailureStatus::Empty) if input.status == InputStatus::Success && said(input).is_none() => {
            let error = reason(input, FailureStatus::Empty) + &quoted(&input.content);
            Judged::Unusable { status: FailureStatus::Empty, error }
        }
        Some(status) => Judged::Unusable { status, error: reason(input, status) },
        None => Judged::Usable { notes: notes(input, failed.as_ref()), failed },
    }
}

fn is_cut_away(input: &TaskInput) -> bool {
    input.content.trim() == CUT_AWAY_TEXT && input.notes.iter().any(|note| note == CUT_AWAY)
}

/// Leaves out what no reader is meant to see: thoughts, a fence around all of it, a chat's own citations, comments and scripts.
pub fn leave_out(input: &mut TaskInput) {
    leave_out_thoughts(input);
    wrapped::unwrap(input);
    leave_out_tokens(input);
    leave_out_unseen(input);
}

/// Leaves out what a model thought before it answered: `<think>…</think>`.
fn leave_out_thoughts(input: &mut TaskInput) {
    let said = behind_thoughts(&input.content);
    if said.len() < input.content.trim_start().len() {
        input.content = said.to_owned();
        input.notes.push("reasoning: what it thought before its answer was left out".to_owned());
    }
}

/// What an empty result says: `: “I couldn't find anything.”`. A reader wants to see it, and of a word or two that it was taken for none.
fn quoted(content: &str) -> String {
    let line = one_line(content, ERROR_CHARS_MAX);
    let is_said = line.contains(char::is_alphanumeric) && !line.starts_with(['{', '[', '<', '`', '#']);
    match line.split_whitespace().nth(2) {
        _ if !is_said => String::new(),
        Some(_) => format!(": “{line}”"),
        None => format!(": “{line}” was taken for a placeholder"),
    }
}

/// In which way a text says nothing; `None` where it says something.
///
/// `Empty`, `Error`, `Pointer` or `Refusal`.
pub fn says_nothing(content: &str) -> Option<FailureStatus> {
    let content = content.trim();
    if errors::page(content).is_some() {
        return Some(FailureStatus::Error);
    }
    if content.len() > SAYS_NOTHING_BYTES_MAX {
        return nothing::is_invisible(content).then_some(FailureStatus::Empty);
    }
    let words = plain::plain(content);
    if nothing::is_empty(content, &words) || announced::is_announced(content, &words) {
        Some(FailureStatus::Empty)
    } else if errors::is_error(content, &words) {
        Some(FailureStatus::Error)
    } else if nothing::is_pointer(&words) || saved::is_saved(&words) {
        Some(FailureStatus::Pointer)
    } else {
        refusal::judge(&words)
    }
}

/// Where and how a text was broken off; `None` where it seems to be whole.
pub fn clipped(content: &str) -> Option<&'static str> {
    clipped::clipped(content)
}

/// Whether a sentence only tells how its author failed: `I was unable to access the website.`
pub fn tells_own_failure(sentence: &str) -> bool {
    unreached::tells_own_failure(sentence)
}

/// Whether a sentence says that it isn't known what was asked, `It is unclear how long it takes.`: nobody who asked is answered by it.
pub fn leaves_open(sentence: &str) -> bool {
    unknown::leaves_open(sentence)
}

/// Whether a sentence only says what its author is about to do: `Let me check the tests.`
pub fn announces_work(sentence: &str) -> bool {
    announced::is_sentence(&plain::plain(sentence))
}

/// Whether a sentence that is a line of its own was broken off, given that its text may have been.
pub fn is_cut(sentence: &str, how: &str) -> bool {
    how != clipped::INSIDE_SENTENCE || clipped::ends_open(sentence)
}

fn notes(input: &TaskInput, failed: Option<&(FailureStatus, String)>) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some((status, error)) = failed {
        notes.push(format!("partial: what there was before the task failed ({}: {error})", status.as_str()));
    } else if input.status == InputStatus::Partial {
        notes.push("partial: the task hasn't ended".to_owned());
    }
    notes.extend(input.notes.iter().cloned());
    let is_noted = notes.iter().any(|note| note.starts_with("clipped:"));
    // What is still being written ends somewhere in any case.
    let stops_short = || failed.is_some() && clipped::stops_short(&input.content);
    let how = || clipped(&input.content).or_else(|| stops_short().then_some(clipped::WITHOUT_STOP));
    if let Some(how) = how().filter(|_| !is_noted && input.status != InputStatus::Partial) {
        notes.push(format!("clipped: {how}"));
    }
    if let (InputStatus::Success, Some(error)) = (input.status, said(input)) {
        notes.push(format!("error: {error}"));
    }
    notes.extend(
        clamped("relevance", input.relevance).into_iter().chain(clamped("confidence", input.confidence)),
    );
    notes
}

/// Who reports 85 of 100 is to see what became of it.
fn clamped(name: &str, reported: Option<f64>) -> Option<String> {
    let value = reported.filter(|value| *value < 0.0 || *value > 1.0)?;
    Some(format!("clamped: a {name} of {value:?} counts as {}, as it is 0 to 1", value.clamp(0.0, 1.0)))
}

/// The task's own error, on one line.
fn said(input: &TaskInput) -> Option<String> {
    input.error.as_deref().map(|error| one_line(error, ERROR_CHARS_MAX)).filter(|error| !error.is_empty())
}

/// Why there is nothing of what may still end.
pub(super) const NOT_ENDED: &str = "it hasn't ended";

fn reason(input: &TaskInput, status: FailureStatus) -> String {
    said(input).unwrap_or_else(|| {
        match status {
            FailureStatus::Error => "it reported an error without saying which",
            FailureStatus::Timeout => "it didn't end in time",
            FailureStatus::Degraded => "it wasn't available",
            FailureStatus::Refused => "a safety decision ended it",
            FailureStatus::Cancelled => "it was cancelled",
            FailureStatus::Pending => NOT_ENDED,
            FailureStatus::Empty => "it ended without a result",
            FailureStatus::Pointer => "its result only points at another text",
            FailureStatus::Refusal => "it declined to answer",
            FailureStatus::Lost => "it succeeded, and the store lost its result",
        }
        .to_owned()
    })
}
