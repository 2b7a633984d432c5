//! What stands between statements: lines that only name a source, and what a model says to who asked.

use crate::domain::text::leads::{self, is_source};

/// Bytes of spaces and emphasis behind the word for a source, at most.
const ASIDE: usize = 8;

/// How small talk begins, in lower case: it is about the answer, and says nothing of what was asked.
#[rustfmt::skip]
const SMALL_TALK: &[&str] = &[
    "feel free to ", "let me know if ", "let me know whether ", "i hope this ", "hope this helps", "please let me know", "if you have any other questions",
    "if you have any questions", "if you'd like", "would you like me to", "happy to help", "is there anything else", "here is a summary of", "here is the summary", "here's a summary of",
    "if you want, i", "if you want me to", "if you tell me", "if you give me", "if it helps, i", "i'll look into", "i will look into", "i'll search", "i will search", "i'll start by",
    "let me search", "let me look", "let me start by", "i've searched", "wenn du möchtest, kann ich", "wenn sie möchten, kann ich", "soll ich ", "si vous voulez, je", "si quieres, puedo", "如果你愿意，我", "如果您愿意，我", "如果你需要，我", "如果您需要，我", "需要我帮", "需要我进一步",
    "i'd be happy to", "i'm happy to", "hier ist die zusammenfassung", "hier ist eine zusammenfassung", "ich hoffe, das hilft", "ich hoffe, dass ", "lass mich wissen", "lassen sie mich wissen",
    "bei weiteren fragen", "wenn du weitere fragen", "wenn sie weitere fragen", "voici le résumé", "voici un résumé", "n'hésitez pas", "j'espère que", "espero que esto", "aquí está el resumen",
    "aquí tienes", "no dudes en", "希望这些", "希望以上", "希望这", "如果您有任何", "如果你有任何", "如果您有其他", "如果你有其他", "如果您有更多", "如果你有更多", "如果您有疑问", "如果你有疑问", "如有任何", "如需更多", "如需进一步", "如需其他", "如需我", "以下是总结", "ご不明な点",
];

/// Whether a line names the source of what stands before it, and says nothing else: `(Source: https://…)`.
pub(super) fn names_source(line: &str) -> bool {
    let line = line.trim_start_matches(['(', '（', '*', '_', '—', '–', '-', ' ']);
    let head = &line[..line.floor_char_boundary(leads::BYTES_MAX + ASIDE)];
    let Some((lead, _)) = head.split_once([':', '：']) else { return false };
    is_source(lead.trim_matches(['*', ' ']))
}

/// Whether a sentence is said to who asked.
pub(super) fn is_small_talk(sentence: &str) -> bool {
    let Some(first) = lowered(sentence).next() else { return false };
    let begins = |lead: &&str| lead.starts_with(first) && begins_with(sentence, lead);
    SMALL_TALK.iter().any(begins)
}

/// Whether a sentence begins so, whatever its case.
fn begins_with(sentence: &str, lead: &str) -> bool {
    let mut said = lowered(sentence);
    lead.chars().all(|c| said.next() == Some(c))
}

/// The characters of a sentence in lower case, with straight apostrophes.
fn lowered(sentence: &str) -> impl Iterator<Item = char> {
    let straight = |c| if c == '’' { '\'' } else { c };
    sentence.chars().flat_map(char::to_lowercase).map(straight)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asides_are_told_from_statements() {
        for line in [
            "Source: https://a.org/x",
            "(Quelle: [1])",
            "*Source: [Alpha](https://a.org)*",
            "来源：https://a.org",
        ] {
            assert!(names_source(line), "{line}");
        }
        assert!(!names_source("Sources of error: the clock and the operator."));
        for line in [
            "Feel free to ask if you have more questions!",
            "Let me know if I’d better go deeper.",
            "If you tell me your current version, I can sketch a plan.",
            "I'll look into this for you.",
            "希望这些信息对您有帮助！",
            "如果您有其他问题，请随时告诉我。",
        ] {
            assert!(is_small_talk(line), "{line}");
        }
        for line in [
            "Here the market grew by 5 %.",
            "Lettuce is healthy.",
            "如果您有糖尿病，应少吃糖。",
            "如需高性能，应选择甲。",
        ] {
            assert!(!is_small_talk(line), "{line}");
        }
    }
}
