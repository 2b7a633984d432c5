//! The text where nothing else is left: that there is no answer, and what failed and why, in the language of the headings.
//!
//! What others wrote, names, tasks and errors, stands there as they wrote it.

use super::order;
use super::words::{Words, of};
use crate::domain::aggregate::input::FailureStatus;
use crate::domain::aggregate::result::Failure;
use crate::domain::synthesis::compose::Language;
use crate::domain::text::clean::{escape_inline, one_line};

/// Failures that are listed one by one.
pub const LINES_MAX: usize = 50;
/// Characters of a name that are shown.
const NAME_CHARS_MAX: usize = 128;
/// Characters of a task or a query that are shown.
const TASK_CHARS_MAX: usize = 300;
/// Characters of an error that are shown in a line.
const ERROR_CHARS_MAX: usize = 500;

/// What stands where nothing was found that can be quoted, and who asks for no gaps isn't told by them.
pub fn nothing_quotable(language: Option<Language>) -> &'static str {
    of(language).nothing_quotable
}

/// The answer where there is no result: that there is none, and what failed and why.
///
/// The failures come in any order; beyond [`LINES_MAX`] they are counted. Of `total` tasks `filtered` were left
/// out for their relevance, and so many are still `running`. A failure that is no task's, a safety decision, is listed only.
pub fn fallback(
    failures: &[Failure],
    (total, filtered): (usize, usize),
    running: usize,
    query: Option<&str>,
    language: Option<Language>,
) -> String {
    let words = of(language);
    let mut sorted: Vec<&Failure> = failures.iter().collect();
    sorted.sort_by(|a, b| order(a).cmp(&order(b)));
    let query =
        query.map(|query| escape_inline(&one_line(query, TASK_CHARS_MAX))).filter(|query| !query.is_empty());
    let (none, none_to) = if running > 0 { words.yet } else { words.none };
    let none = query.map_or_else(|| none.to_owned(), |query| none_to.replace("{}", &query));
    let why = why(words, (total, filtered), running, sorted.is_empty());
    let mut text = format!("{none}{}{why}", words.colon);
    if sorted.is_empty() {
        return text;
    }
    text.push('\n');
    for failure in sorted.iter().take(LINES_MAX) {
        text.push('\n');
        text.push_str(&line(failure, words));
    }
    if let Some(more) = sorted.len().checked_sub(LINES_MAX).filter(|more| *more > 0) {
        text.push_str(&format!("\n- {}", filled(words.more, more)));
    }
    text
}

/// Why there is no answer, in one sentence.
fn why(words: &Words, (total, filtered): (usize, usize), running: usize, is_silent: bool) -> String {
    let left_out = match filtered {
        0 => String::new(),
        1 => words.left_out.0.to_owned(),
        count => filled(words.left_out.1, count),
    };
    match total.saturating_sub(filtered) {
        1 if running > 0 => words.only_runs.to_owned(),
        count if running >= count && running > 0 => filled(words.all_run, count),
        count if running == 1 => filled(words.one_runs, count),
        count if running > 0 => filled(words.some_run, count).replacen("{}", &running.to_string(), 1),
        0 if filtered > 0 => format!("{left_out}{}", words.stop),
        1 if filtered > 0 => format!("{left_out}{}", words.others.0),
        count if filtered > 0 => format!("{left_out}{}", filled(words.others.1, count)),
        0 if is_silent => words.nothing_told.to_owned(),
        0 => words.nothing.to_owned(),
        1 => words.only.to_owned(),
        2 => words.neither.to_owned(),
        count => filled(words.of_many, count),
    }
}

/// One failure as an item of a Markdown list, without a line break.
fn line(failure: &Failure, words: &Words) -> String {
    let shown = |text: &str, max| escape_inline(&one_line(text, max));
    let task = failure.task.as_deref().map(|task| shown(task, TASK_CHARS_MAX));
    let asked = match task.filter(|task| !task.is_empty()) {
        Some(task) => words.asked.replacen("{}", &task, 1),
        None => words.task.replacen("{}", &shown(&failure.task_id, NAME_CHARS_MAX), 1),
    };
    let (name, happened) =
        (shown(&failure.subagent, NAME_CHARS_MAX), words.happened(FailureStatus::named(&failure.status)));
    let error = shown(&failure.error, ERROR_CHARS_MAX);
    let error = match error.trim_end_matches('.') {
        "" => String::new(),
        error => words.why.replacen("{}", error, 1),
    };
    format!("- **{name}**{asked}{}{happened}{error}{}", words.colon, words.stop)
}

/// A sentence with a number in the place of its first `{}`.
fn filled(sentence: &str, number: usize) -> String {
    sentence.replacen("{}", &number.to_string(), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(task_id: &str, task: Option<&str>, status: &str, error: &str) -> Failure {
        let (task_id, task) = (task_id.to_owned(), task.map(str::to_owned));
        Failure {
            task_id,
            task,
            status: status.to_owned(),
            error: error.to_owned(),
            subagent: "crm_agent".to_owned(),
            subagents: 1,
        }
    }

    #[test]
    fn the_fallback_says_what_failed_and_why_in_the_order_of_tasks() {
        let failures = [
            failed("b", Some("How?\n# Heading"), "timeout", "after 8 s."),
            failed("a", None, "error", "<b>503</b>\nfrom `crm`"),
        ];
        let text = "There is no answer to “Why \\*so\\*?”: neither of the 2 tasks brought a usable result.\n\n\
            - **crm_agent**, task a: an error (\\<b\\>503\\</b\\> from \\`crm\\`).\n\
            - **crm_agent** was to answer “How? # Heading”: no answer in time (after 8 s).";
        assert_eq!(fallback(&failures, (2, 0), 0, Some("Why *so*?"), None), text);
        let [first, second] = failures;
        assert_eq!(fallback(&[second, first], (2, 0), 0, Some("Why *so*?"), None), text);
    }

    #[test]
    fn all_that_the_service_says_itself_is_in_the_language_that_is_asked_for() {
        let failures = [
            failed("b", Some("Wie?"), "timeout", "after 8 s."),
            failed("a", None, "error", ""),
            failed("c", None, "refusal", "no"),
        ];
        for (language, expected) in [
            (
                Language::German,
                "Es gibt keine Antwort auf „Why?“: Keine der 3 Aufgaben hat ein brauchbares Resultat geliefert.\n\n\
                - **crm_agent**, Aufgabe a: ein Fehler.\n\
                - **crm_agent** sollte „Wie?“ beantworten: keine rechtzeitige Antwort (after 8 s).\n\
                - **crm_agent**, Aufgabe c: hat die Antwort abgelehnt (no).",
            ),
            (
                Language::Chinese,
                "没有关于“Why?”的答案：3 个任务均未给出可用的结果。\n\n\
                - **crm_agent**，任务 a：出错。\n\
                - **crm_agent** 负责回答“Wie?”：未按时回答（after 8 s）。\n\
                - **crm_agent**，任务 c：拒绝回答（no）。",
            ),
        ] {
            assert_eq!(fallback(&failures, (3, 0), 0, Some("Why?"), Some(language)), expected);
        }
    }

    #[test]
    fn every_sentence_has_its_numbers_in_each_language() {
        let english = [Some(Language::English)];
        for language in [Language::German, Language::Chinese].map(Some) {
            for (total, filtered, running) in
                [(0, 0, 0), (1, 0, 1), (4, 0, 4), (5, 0, 1), (5, 0, 3), (1, 1, 0)].into_iter().chain([
                    (4, 4, 0),
                    (3, 2, 0),
                    (7, 2, 0),
                    (1, 0, 0),
                    (2, 0, 0),
                    (6, 0, 0),
                ])
            {
                let digits = |language| -> Vec<char> {
                    let text = fallback(&[], (total, filtered), running, None, language);
                    assert!(!text.contains("{}"), "{text}");
                    text.chars().filter(char::is_ascii_digit).collect()
                };
                let (told, expected) = (digits(language), digits(english[0]));
                assert!(expected.iter().all(|digit| told.contains(digit)), "{told:?} {expected:?}");
            }
        }
    }

    #[test]
    fn what_is_still_running_brings_no_answer_yet() {
        let failures = [failed("a", None, "pending", "it is still running")];
        for (total, begins) in [
            (
                1,
                "There is no answer to “Why?” yet: the only task is still running.\n\n- **crm_agent**, task a: not finished",
            ),
            (3, "There is no answer to “Why?” yet: of the 3 tasks 1 is still running.\n\n- "),
        ] {
            let text = fallback(&failures, (total, 0), 1, Some("Why?"), None);
            assert!(text.starts_with(begins), "{text}");
        }
    }

    #[test]
    fn many_failures_are_counted() {
        let failures: Vec<Failure> = (0..60).map(|n| failed(&format!("t{n}"), None, "empty", "")).collect();
        let text = fallback(&failures, (failures.len(), 0), 0, None, None);
        assert!(text.starts_with("There is no answer: none of the 60 tasks"), "{text}");
        assert!(text.ends_with("\n- and 10 more"), "{text}");
        assert_eq!(
            fallback(&[], (0, 0), 0, None, None),
            "There is no answer: no task brought a result, and none reported a failure."
        );
    }

    #[test]
    fn safety_decision_is_listed_and_is_no_task() {
        let task = failed("a", None, "refused", "ended by a safety decision");
        let decision = failed("safety", None, "refused", "p: no");
        let text = fallback(&[task, decision.clone()], (1, 0), 0, None, None);
        assert!(text.starts_with("There is no answer: the only task brought no usable result."), "{text}");
        assert!(text.contains("p: no"), "{text}");
        let text = fallback(&[decision], (0, 0), 0, None, None);
        assert!(
            text.starts_with("There is no answer: no task brought a result.\n") && text.contains("p: no"),
            "{text}"
        );
    }
}
