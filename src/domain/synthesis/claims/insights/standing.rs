//! What stands around a cue, by which it advises, or tells what was advised, is expected, or would have been better.

use super::super::statements::begins;
use super::warnings::{is_risk, warns};
use crate::domain::text::phrases::{ends_with_any, has_any};

/// What somebody only says who should: `It should be noted that`, `I should mention that`.
const NOTED: &[&str] = &[
    " be noted",
    " be mentioned",
    " be said",
    " be pointed out",
    " be stressed",
    " be emphasised",
    " be emphasized",
    " be added",
];
const NOTES: &[&str] = &[" note", " mention", " add", " say", " point out", " clarify", " stress"];
/// What says before `need to` that nobody has to.
const NEEDLESS: &[&str] = &["n't ", "n’t ", " not ", " no ", " no longer ", " never ", " without the "];

/// What somebody recommends to whom it isn't said: a price, or nothing.
const RECOMMENDED: &[&str] = &[" retail ", " price", " dose", " dosage", " daily ", " no "];
/// What recommends to others, or is called so.
const RECOMMENDS: &[&str] =
    &[" engine", " system", " algorithm", " model", " letter", " service", " feature", "-based"];
/// What is expected of a timetable.
const EXPECTED: &[&str] = &[" arrive", " land ", " depart", " be ready", " be available", " be back"];
/// What is expected of an amount: `Revenue should reach $5 million`, not `You should reach out`.
const FORECAST: &[&str] =
    &[" rise ", " grow ", " fall ", " drop to ", " total ", " reach $", " reach €", " reach £"];
/// Participles that don't end in `ed`.
#[rustfmt::skip]
const PARTICIPLES: &[&str] = &[
    "been", "sold", "had", "gone", "done", "made", "taken", "known", "seen", "given", "come", "won", "lost", "bought", "left", "got", "gotten", "kept", "held", "built", "paid", "begun", "become", "written",
    "broken", "chosen", "fallen", "grown", "risen", "said", "told", "found", "brought", "thought", "led", "met", "spent", "sent", "caught",
];
/// What an effect on a risk wasn't, and what says that there is none.
#[rustfmt::skip]
const NO_EFFECT: &[&str] = &["not reduce", "not lower", "not increase", "not affect", "not change", "not raise", "not decrease", "not alter", "not significantly"];
const NO_RISK: &[&str] = &[
    " no ",
    " no increased ",
    " no higher ",
    " no significant ",
    " without the ",
    " without ",
    " lower ",
    " reduced ",
    " decreased ",
    " smaller ",
];
/// Who says what must be so where that is only told, and what begins a reason.
const TOLD: &[&str] = &["ruled that", "argued that", "claimed that", "alleged that"];
const REASONS: &[&str] = &[" since ", " because "];

/// Whether a cue advises where it stands, rather than tells what was advised, is expected, or would have been better.
pub(super) fn is_advice(cue: &str, before: &str, after: &str) -> bool {
    match cue {
        "should" => {
            let is_expected = begins(after, EXPECTED) || begins(after, FORECAST);
            !is_past(after) && !is_expected && !is_note(before, after)
        }
        "need to" | "needs to" => !NEEDLESS.iter().any(|no| ends_with(before, no)),
        // `se debe a una avería`: it is due to one.
        "debe" | "deben" => {
            !(ends_with(before, "se ") && begins(after, &[" a ", " al ", " principalmente a "]))
        }
        // A `must-have` is none, nor is `a must`.
        "must" => {
            !is_past(after) && !is_told(before) && !after.starts_with("-ha") && !ends_with(before, " a ")
        }
        "recommendation" => !begins(after, RECOMMENDS) && !is_none(before),
        // What isn't told to the reader begins otherwise: `We consider paginating.`
        "consider" => {
            let before = before.trim_end();
            before.is_empty()
                || before.ends_with([';', ':', '–', '—', '.', '!'])
                || ends_with(before, " please")
        }
        "recommended" => !begins(after, RECOMMENDED),
        "risk of" | "risks" => {
            let before = before.to_ascii_lowercase();
            if !warns(&before) {
                return false;
            }
            let before = before.strip_suffix("the ").unwrap_or(&before);
            !ends_with_any(before, NO_RISK) && !has_any(before, NO_EFFECT)
        }
        cue if is_risk(cue) => warns(&before.to_lowercase()),
        _ => true,
    }
}

/// Whether what stands before says that there is none: `no recommendation`, `no routine recommendation`.
fn is_none(before: &str) -> bool {
    let mut last = before.trim_end().rsplit(' ').take(2);
    last.any(|word| ["no", "not", "without", "any"].iter().any(|no| word.eq_ignore_ascii_case(no)))
}

/// `It should be noted that prices change`, `I should note that I couldn't verify it`: not `The date should be noted on the label.`
fn is_note(before: &str, after: &str) -> bool {
    let who = before.trim_end().rsplit(' ').next().unwrap_or_default();
    who.eq_ignore_ascii_case("it") && begins(after, NOTED) || who == "I" && begins(after, NOTES)
}

/// Whether a text ends so, whatever its case.
fn ends_with(text: &str, end: &str) -> bool {
    let tail = text.len().checked_sub(end.len()).and_then(|at| text.get(at..));
    tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end))
}

/// Whether what stands before a cue in its clause tells what somebody said, or why something is so: `since the file must be opened`.
fn is_told(before: &str) -> bool {
    let clause = before.rsplit([';', ':']).next().unwrap_or(before);
    TOLD.iter().chain(REASONS).any(|told| clause.contains(told))
}

/// `have sold`, `have been interrupted`; not `have a licence`.
fn is_past(after: &str) -> bool {
    let Some(after) = after.strip_prefix(" have ") else { return false };
    let word = after.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    word.len() > 3 && word.ends_with("ed") || PARTICIPLES.contains(&word)
}
