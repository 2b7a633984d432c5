//! What says how to answer, and asks for nothing: `Answer in a table`, `keep it under 200 words`, `cite sources`.
//!
//! It is told by all of its words: one that isn't of a form is what is asked about, `a table of prices`. What asks with a question
//! mark is no command: `Is JSON a format?` asks about it.

use self::lists::{
    ABOUT, ASKED, AT_END, AT_END_OF_COMMANDS, BEFORE, BEGINS, BESIDE, FORMS, OUGHT, WIDE_BESIDE, WIDE_FORMS,
};
use crate::domain::text::scripts::is_wide;

mod lists;

/// Whether a clause of a query only says how to answer. `follows`: the clause before it does, so this need not say so by its
/// first word.
pub(super) fn is_form(clause: &str, is_question: bool, follows: bool) -> bool {
    if clause.contains(is_wide) {
        return !is_question && is_wide_form(clause);
    }
    let mut words = words(clause).peekable();
    let Some(first) = words.peek().map(|word| word.to_lowercase()) else { return false };
    let is = |listed: &[&str]| listed.contains(&first.as_str());
    let begins = match is_question {
        true => is(BEFORE) || is(ASKED),
        false => [BEGINS, BEFORE, ASKED, ABOUT].into_iter().any(is) || follows || is_number(&first),
    };
    let (mut has_form, mut ought) = (false, follows || !is(ABOUT));
    begins
        && words.all(|word| {
            let word = word.to_lowercase();
            has_form |= FORMS.contains(&word.as_str());
            ought |= OUGHT.contains(&word.as_str());
            is_of_form(&word)
        })
        && has_form
        && ought
}

/// A part of a query without the form at its end: `risks` of `risks in bullet points`.
pub(super) fn without_form(part: &str, is_question: bool) -> &str {
    let (mut end, mut has_form) = (part.len(), false);
    for word in words(part).rev() {
        let lower = word.to_lowercase();
        if !is_of_form(&lower) {
            break;
        }
        has_form |=
            AT_END.contains(&lower.as_str()) || !is_question && AT_END_OF_COMMANDS.contains(&lower.as_str());
        if has_form && BEFORE.contains(&lower.as_str()) {
            end = word.as_ptr() as usize - part.as_ptr() as usize;
        }
    }
    let asked = part[..end].trim_end();
    if asked.is_empty() { part } else { asked }
}

fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

fn is_of_form(word: &str) -> bool {
    [FORMS, BESIDE, BEGINS, BEFORE, ABOUT, ASKED].iter().any(|listed| listed.contains(&word))
        || is_number(word)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_wide_form(clause: &str) -> bool {
    // `来源` alone is what is asked for, `注明来源` isn't.
    let (mut rest, mut has_form, mut demands) = (clause, false, false);
    while let Some(c) = rest.chars().next() {
        let listed = |listed: &[&'static str]| listed.iter().copied().find(|word| rest.starts_with(word));
        let form = listed(WIDE_FORMS);
        let beside = listed(WIDE_BESIDE);
        has_form |= form.is_some();
        demands |= form.is_none() && (beside.is_some() || c.is_ascii_digit());
        let taken = match form.or(beside) {
            Some(word) => word.len(),
            None if c.is_alphabetic() => return false,
            None => c.len_utf8(),
        };
        rest = &rest[taken..];
    }
    has_form && demands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_form_are_told_by_all_of_their_words() {
        for form in [
            "Answer in a table",
            "Use bullet points",
            "Keep it under 200 words.",
            "cite sources",
            "Cite the sources for each claim",
            "Be concise",
            "Respond in JSON",
            "The answer should be short",
            "no more than 3 paragraphs",
            "in English please",
            "200 words max",
            "Please include links to all sources",
            "Don't use jargon",
            "Write a report",
            "Your answer should be in JSON",
            "Antworte in Stichpunkten",
            "maximal 200 Wörter",
            "auf Deutsch",
            "Réponds en français",
            "Responde en español",
            "请用表格形式回答",
            "不少于2000字",
            "并列出参考文献",
        ] {
            assert!(is_form(form, false, false), "{form}");
        }
        for asked in [
            "",
            "sources of income",
            "Use JSON or YAML for configuration",
            "Give the prices in a table",
            "Provide a list of risks",
            "Write a review of the market",
            "Tables",
            "JSON",
            "Compare JSON and YAML",
            "Make money",
            "in Japan",
            "under 20 dollars",
            "the sources",
            "来源",
            "表格的历史",
            "中文教育",
        ] {
            assert!(!is_form(asked, false, false), "{asked}");
        }
        assert!(is_form("short paragraphs", false, true) && !is_form("short paragraphs", false, false));
        assert!(is_form("Can you answer in a table", true, false) && is_form("in a table", true, false));
        for question in ["Is JSON a format", "What is a table", "Which sources", "Use of tables", "用表格"]
        {
            assert!(!is_form(question, true, true), "{question}");
        }
    }

    #[test]
    fn a_form_at_the_end_is_left_out() {
        for (part, is_question, asked) in [
            ("risks in bullet points", false, "risks"),
            ("risks in a table with two columns", false, "risks"),
            ("risks in bullet points", true, "risks"),
            ("data in JSON", true, "data in JSON"),
            ("errors in JSON", false, "errors in JSON"),
            ("data in a table", true, "data in a table"),
            ("prices in Japan", false, "prices in Japan"),
            ("prices in Japan in under 200 words", false, "prices in Japan"),
            ("in a table", false, "in a table"),
            ("sources", false, "sources"),
        ] {
            assert_eq!(without_form(part, is_question), asked, "{part}");
        }
    }
}
