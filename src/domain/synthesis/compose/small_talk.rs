//! What a model says to who asked, around a text that it wrote: it is no part of a document.
//!
//! Only the first paragraphs and the last ones are looked at, and only where each of their sentences is such: `Sure! Here's the section:`,
//! `I hope this helps!` The tables are shorter than those for findings (see [`claims`](super::super::claims)): what is
//! left out here by mistake is lost to a reader, and a document may well end with whom to ask, or with what it isn't.

use std::ops::Range;

use crate::domain::aggregate::take_in::announces_work;
use crate::domain::text::blocks::{Block, Kind, blocks};
use crate::domain::text::phrases::{begins_with_any, behind_any};
use crate::domain::text::sentences::sentences;

/// Bytes of a paragraph, and words of a line that announces a text.
const BYTES_MAX: usize = 300;
const WORDS_MAX: usize = 12;
/// Words within which it says what it calls the text: `the final version`.
const CALLED_WITHIN: usize = 4;

/// Whole sentences before an answer.
#[rustfmt::skip]
const NODS: [&str; 18] = [
    "sure", "sure thing", "certainly", "of course", "absolutely", "okay", "ok", "great question", "understood", "got it", "gerne", "natürlich", "selbstverständlich", "bien sûr", "claro", "por supuesto", "好的", "当然",
];
/// How a line begins that announces a text, and what it calls that.
const HERE: [&str; 8] = [
    "here's ",
    "here is ",
    "below is ",
    "below you'll find ",
    "hier ist ",
    "voici ",
    "aquí está ",
    "aquí tienes ",
];
#[rustfmt::skip]
const TEXTS: [&str; 21] = [
    "answer", "section", "chapter", "report", "draft", "text", "response", "article", "document", "version", "write-up", "paragraph",
    "antwort", "abschnitt", "kapitel", "bericht", "entwurf", "réponse", "respuesta", "sección", "informe",
];
/// How sentences behind an answer begin.
#[rustfmt::skip]
const OFFERS: [&str; 33] = [
    "i hope this helps", "i hope that helps", "hope this helps", "hope that helps", "let me know if", "let me know whether", "please let me know if", "let me know!", "feel free to ask", "feel free to let me know", "feel free to reach out",
    "would you like me to", "if you'd like me to", "if you would like me to", "if you want me to", "if you'd like, i", "if you want, i", "i'm happy to help", "i'd be happy to", "happy to help", "is there anything else",
    "ich hoffe, das hilft", "lass mich wissen, ", "lassen sie mich wissen, ", "soll ich ", "wenn du möchtest, kann ich", "wenn sie möchten, kann ich", "j'espère que cela vous", "si vous voulez, je", "espero que te sea útil", "si quieres, puedo", "希望对您有帮助", "希望对你有帮助",
];

/// A text without it; a text that is nothing else stays. Linear.
pub fn without_small_talk(text: &str) -> &str {
    let blocks = blocks(text);
    let is_talk = |block: &Block, is: fn(&str) -> bool| {
        let said = &text[block.content(text)];
        block.kind == Kind::Paragraph && says_only(said, is)
    };
    let is_rule = |block: &&Block| block.kind == Kind::Rule;
    let first = blocks.iter().take_while(|block| is_talk(block, is_before)).count();
    let last = blocks.iter().rev().take_while(|block| is_talk(block, is_behind)).count();
    if first + last == 0 || first + last >= blocks.len() {
        return text;
    }
    // Rules that set them apart go with them.
    let said = &blocks[first..blocks.len() - last];
    let before = if first > 0 { said.iter().take_while(is_rule).count() } else { 0 };
    let behind = if last > 0 { said.iter().rev().take_while(is_rule).count() } else { 0 };
    match said.get(before..said.len().saturating_sub(behind)) {
        Some([only]) => &text[only.range.clone()],
        Some([first, .., last]) => &text[first.range.start..last.range.end],
        Some([]) | None => text,
    }
}

/// Whether each sentence of a paragraph is such.
fn says_only(said: &str, is: fn(&str) -> bool) -> bool {
    said.len() <= BYTES_MAX && !said.contains(['[', '|']) && {
        let said = said.trim_matches(['*', '_', ' ']);
        let lowered = |range: Range<usize>| said[range].replace('’', "'").to_lowercase();
        sentences(said).into_iter().all(|range| is(&lowered(range)))
    }
}

fn is_before(sentence: &str) -> bool {
    let bare = sentence.trim_end_matches(['!', '.', ',', '。', '！', '，', ' ']);
    let announces = || {
        let rest = behind_any(sentence, &HERE).unwrap_or_default();
        let mut words = rest.split_whitespace().map(|word| word.trim_end_matches([':', '.', '!', ',']));
        sentence.ends_with([':', '.', '!'])
            && rest.split_whitespace().count() <= WORDS_MAX
            && words.by_ref().take(CALLED_WITHIN).any(|word| TEXTS.contains(&word))
    };
    NODS.contains(&bare) || announces() || is_at_work(sentence)
}

/// `I'll write the section now.`
fn is_at_work(sentence: &str) -> bool {
    let writes = [
        "i'll write ",
        "i will write ",
        "i'll now write ",
        "i will now write ",
        "let me write ",
        "let me draft ",
        "i'll draft ",
    ];
    let is_plan = writes.iter().any(|begin| sentence.starts_with(begin)) && !sentence.contains([':', ',']);
    is_plan && sentence.split_whitespace().count() <= WORDS_MAX || announces_work(sentence)
}

fn is_behind(sentence: &str) -> bool {
    begins_with_any(sentence, &OFFERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_who_asked_is_left_out() {
        const TEXT: &str = "# Pumps\n\nAcme sells pumps.";
        for (before, behind) in [
            ("Sure! Here's the answer:", ""),
            ("I'll write the section now.", "I hope this helps! Let me know if you need more."),
            (
                "Of course!\n\nHere is the report you asked for:\n\n---",
                "---\n\n*Would you like me to go on?*",
            ),
            ("Let me search for that.", "Soll ich das vertiefen?"),
            ("", "Let me know!"),
        ] {
            let text = format!("{before}\n\n{TEXT}\n\n{behind}");
            assert_eq!(without_small_talk(&text).trim(), TEXT, "{text}");
        }
    }

    #[test]
    fn what_says_something_stays() {
        for text in [
            "Here are the pumps:\n\n- A\n- B",
            "Here is the pump of the report:\n\nIt is blue.\n\nThis is not legal advice.",
            "Sure! It is 5.\n\nIf you have questions, call the office.",
            "I'll write the section now.",
            "It is 5.\n\nI hope this helps [1].",
            "It is 5. Let me know if it isn't.",
            "---\n\nIt is 5.\n\n---",
            "I was unable to open the page.\n\nIt is 5.",
            "",
        ] {
            assert_eq!(without_small_talk(text), text);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "(Sure!|Let me know!|---|\n|\n\n|[aé .#]){0,16}") {
            assert!(text.contains(without_small_talk(&text)));
        }
    }
}
