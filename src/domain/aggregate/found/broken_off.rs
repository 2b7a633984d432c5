//! The end of a text that was broken off: half a sentence is no finding.

use crate::domain::aggregate::gather::Kept;
use crate::domain::aggregate::take_in::{CUT_AWAY, clipped, is_cut};
use crate::domain::synthesis::claims::{Statement, json_in};

/// How the note begins on a text that was broken off.
const NOTE: &str = "clipped: ";

/// What of a result's text is searched for statements: of JSON that breaks off only what can be read as far as it goes, and no citation
/// that does.
pub(super) fn searched<'t>(kept: &Kept, text: &'t str) -> &'t str {
    match broken_off(kept, text) {
        Some("the JSON breaks off") if json_in(text).is_empty() => "",
        Some("the JSON breaks off") => text,
        Some(_) => without_open_citation(text),
        None => text,
    }
}

/// Leaves out the last of the statements that were found in a text, where the text breaks off inside it.
pub(super) fn leave_out(kept: &Kept, text: &str, said: &mut Vec<Statement<'_>>) {
    let Some(last) = said.last() else { return };
    let behind = text.get(last.start + last.text.len()..).unwrap_or_default();
    if is_json_string(text, behind) {
        if broken_off(kept, text).is_some() && !is_ended(last.text) {
            said.pop();
        }
        return;
    }
    let ends = behind.trim_start().starts_with(['.', '!', '?', '。', '！', '？']) || is_ended(last.text);
    if ends || behind.contains(char::is_alphabetic) {
        return;
    }
    let Some(how) = broken_off(kept, text) else { return };
    let line = text.get(..last.start).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
    // A last line without a stop may be whole: a bottom line, a caption.
    let is_own_line = !line.contains(char::is_alphanumeric);
    let is_paragraph = line.trim().is_empty();
    if !is_own_line || is_cut(last.text, how) || is_paragraph && runs_on(said) {
        said.pop();
    }
}

/// Whether the last of some statements is a long sentence in words, where several before it end with a stop and it doesn't.
fn runs_on(said: &[Statement<'_>]) -> bool {
    const WORDS_MIN: usize = 10;
    const ENDED_MIN: usize = 3;
    let Some((last, before)) = said.split_last() else { return false };
    last.text.ends_with(char::is_lowercase)
        && !last.text.contains([':', '*', '_', '|', '\n'])
        && last.text.split_whitespace().nth(WORDS_MIN - 1).is_some()
        && before.iter().filter(|said| is_ended(said.text)).count() >= ENDED_MIN
}

/// How a result's text was broken off, as its notes say; of one that hasn't ended they say nothing.
fn broken_off<'k>(kept: &'k Kept, text: &str) -> Option<&'k str> {
    let noted = kept.notes.iter().find_map(|note| note.strip_prefix(NOTE));
    noted.or_else(|| if kept.partial { clipped(text) } else { None })
}

/// How its subagent broke it off, as its notes say; what had no room here was whole.
pub(super) fn noted(kept: &Kept) -> Option<&str> {
    let notes = kept.notes.iter().filter(|note| *note != CUT_AWAY);
    notes.into_iter().find_map(|note| note.strip_prefix(NOTE))
}

/// Whether what stands before `behind` ends a string of a text that is JSON, bare or in a fence: behind it stands what else the
/// answer has to say of itself.
fn is_json_string(text: &str, behind: &str) -> bool {
    behind.starts_with('"') && text.trim_start().starts_with(['{', '[', '`'])
}

fn is_ended(sentence: &str) -> bool {
    let said = sentence.trim_end_matches(['"', '\'', '”', '’', '»', '」', ')', '）', ']', '】', '*', '_']);
    said.ends_with(['.', '!', '?', '…', '。', '！', '？', '．', '।'])
}

/// Without `[1` or `[1, ` at the end.
fn without_open_citation(text: &str) -> &str {
    let open = text.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ',' | ' ' | '^'));
    open.strip_suffix(['[', '【', '［']).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::aggregate::input::TaskInput;
    use crate::domain::aggregate::options::Options;
    use crate::domain::aggregate::{Place, Question, Request, Style, aggregate};

    #[test]
    fn an_open_citation_goes_and_other_ends_stay() {
        for (text, searched) in [
            ("It rose by 17 % in 2024.[1", "It rose by 17 % in 2024."),
            ("It rose.[1][2, ", "It rose.[1]"),
            ("It rose.[1]", "It rose.[1]"),
            ("It rose in 2024", "It rose in 2024"),
        ] {
            assert_eq!(without_open_citation(text), searched);
        }
    }

    #[test]
    fn the_end_of_a_string_of_json_is_told_from_the_end_of_the_json() {
        let text =
            r#"{"choices":[{"message":{"content":"It leads. It grows by 20"},"finish_reason":"length"}]}"#;
        let behind = |said: &str| &text[text.find(said).unwrap() + said.len()..];
        assert!(is_json_string(text, behind("It grows by 20")));
        assert!(!is_json_string(text, behind("It leads.")) && !is_json_string("He said “20”\" so", "\" so"));
    }

    #[test]
    fn half_a_sentence_of_json_is_no_finding() {
        for (content, last) in [
            (
                r#"{"choices":[{"finish_reason":"length","message":{"content":"BYD is second in the world. The market is to reach 500 by 20"}}]}"#,
                "BYD is second in the world.",
            ),
            (
                r#"{"choices":[{"finish_reason":"length","message":{"content":"BYD is second in the world. The market grows."}}]}"#,
                "The market grows.",
            ),
            (
                r#"{"choices":[{"finish_reason":"stop","message":{"content":"BYD is second in the world. The market is to reach 500"}}]}"#,
                "The market is to reach 500",
            ),
            (
                r#"{"answer":"BYD is second in the world. The market grows.","more":"The market is to reach 500 by 20"#,
                "The market grows.",
            ),
            (
                r#"{"answer":"BYD is second in the world. The market is to reach 500 by 20"#,
                "BYD is second in the world.",
            ),
        ] {
            let task = TaskInput {
                task_id: "t".to_owned(),
                subagent: "a".to_owned(),
                content: content.to_owned(),
                ..TaskInput::default()
            };
            let found = aggregate(Request {
                question: Question::default(),
                tasks: vec![task],
                options: Options::default(),
                place: Place::nowhere(),
                style: Style::Findings,
            });
            let found = found.findings;
            assert!(found.iter().any(|finding| finding.content == last), "{found:?}");
            assert!(found.iter().all(|finding| !finding.content.ends_with("by 20")), "{found:?}");
        }
    }

    #[test]
    fn half_a_sentence_that_stands_alone_is_neither_a_finding_nor_an_insight() {
        for (whole, half) in [
            ("The pump is quiet. It has a warranty of five years.\n\n", "The main reason is that the"),
            ("The pump is quiet.\n\n- It is cheap to run\n- ", "You should also consider that the"),
            ("这个水泵很便宜而且很安静。它有五年的保修期限。\n\n", "用户应该注意的主要原因是因为"),
        ] {
            let task = TaskInput {
                task_id: "t".to_owned(),
                subagent: "a".to_owned(),
                content: format!("{whole}{half}"),
                ..TaskInput::default()
            };
            let (question, options) = (Question::default(), Options::default());
            let (place, style) = (Place::nowhere(), Style::Findings);
            let found = aggregate(Request { question, tasks: vec![task], options, place, style });
            assert!(!found.findings.is_empty());
            assert!(found.findings.iter().all(|finding| finding.content != half), "{half}");
            assert!(found.insights.iter().all(|insight| insight.text != half), "{half}");
        }
    }

    #[test]
    fn a_text_that_breaks_off_is_a_gap() {
        let gaps = |content: &str| {
            let task = TaskInput {
                task_id: "t".to_owned(),
                subagent: "web".to_owned(),
                content: content.to_owned(),
                ..TaskInput::default()
            };
            let (question, options) = (Question::default(), Options::default());
            let (place, style) = (Place::nowhere(), Style::Findings);
            aggregate(Request { question, tasks: vec![task], options, place, style }).gaps
        };
        const WHOLE: &str = "The Pro plan costs $29 per user.";
        for cut in [
            "The Enterprise plan includes a dedicated account manager, a 99.95% SLA, and",
            "The Enterprise plan includes a dedicated account manager and 24/7 suppo",
            "\n\n1. SSO for every member of the team\n2. A 99.95% SLA with",
        ] {
            let expected = "web brought only a part of its result (clipped): it ends inside a sentence";
            assert_eq!(gaps(&format!("{WHOLE} {cut}")), [expected], "{cut}");
        }
        assert_eq!(gaps(WHOLE), <[&str; 0]>::default());
        assert_eq!(gaps(&format!("{WHOLE}\n\n- SSO for all\n- A 99.95% SLA")), <[&str; 0]>::default());
    }

    #[test]
    fn a_long_last_paragraph_without_its_end_is_no_finding_where_all_others_end() {
        let last = |content: &str| {
            let task = TaskInput {
                task_id: "t".to_owned(),
                subagent: "a".to_owned(),
                content: content.to_owned(),
                ..TaskInput::default()
            };
            let (question, options) = (Question::default(), Options::default());
            let (place, style) = (Place::nowhere(), Style::Findings);
            let found = aggregate(Request { question, tasks: vec![task], options, place, style });
            let end = content.trim_end_matches('*');
            found.findings.iter().any(|finding| end.ends_with(&finding.content))
        };
        const WHOLE: &str = "Chili keeps for 3 days. It freezes well. Reheat it to 74 °C.\n\n";
        assert!(!last(&format!("{WHOLE}Chili with yogurt should not be frozen, since the yogurt will sep")));
        for whole in [
            "Bottom line: keep it in the fridge for no more than three days",
            "**Keep the chili in the fridge for no more than three whole days**",
            "Keep it in the fridge and eat it within three or 4",
            "Cold chili tastes best on the second day",
            "Chili with yogurt should not be frozen, since the yogurt will separate.",
        ] {
            assert!(last(&format!("{WHOLE}{whole}")), "{whole}");
        }
        // Nothing shows how its sentences end.
        assert!(last("Chili keeps for 3 days.\n\nIt is best to eat it within the first two or three days"));
    }

    #[test]
    fn a_sentence_ends_with_a_stop_and_what_closes_it() {
        assert!(is_ended("It rose.”") && is_ended("上涨。") && is_ended("**It rose!**"));
        assert!(!is_ended("It rose by 17") && !is_ended("It rose (by 17)"));
    }
}
