//! What stands between statements: lines that only name a source, and what a model says to who asked.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::RandomState;

use super::boilerplate::is_boilerplate;
use super::entries::is_address;
use super::few_words::may_answer;
use super::least::states_something;
use crate::domain::text::first_letters::{Heads, head};
use crate::domain::text::leads::{self, is_one_source, is_source};
use crate::domain::text::phrases::{begins_with_any, behind_any, ends_with_any};

/// Bytes of spaces and emphasis behind the word for a source, at most.
const ASIDE: usize = 8;

/// How small talk begins, in lower case: it is about the answer, and says nothing of what was asked.
#[rustfmt::skip]
const SMALL_TALK: &[&str] = &[
    "of course!", "sure thing", "great question", "good question!", "that's a great question", "absolutely!", "certainly!", "thank you for your question", "thanks for your question", "gute frage!", "gerne kann ich ", "gern kann ich ", "auf wunsch kann ich ", "bei bedarf kann ich ", "selbstverständlich!", "natürlich!", "certo!", "certamente!", "claro!", "com certeza!", "bei fragen melde", "bei rückfragen", "bien sûr !", "bien sûr!", "avec plaisir", "¡por supuesto!", "¡claro!",
    "feel free to ", "let me know if ", "let me know whether ", "let me know!", "i hope this ", "hope this helps", "please let me know", "if you have any other questions",
    "if you have any questions", "if you'd like", "would you like me to", "happy to help", "is there anything else", "here is a summary of", "here is the summary", "here's a summary of",
    "if you want, i", "if you want me to", "if you tell me", "if you give me", "if it helps, i", "i'll look into", "i will look into", "i'll search", "i will search", "i'll start by",
    "as an ai, i", "as an ai language model, i", "i'll help you", "i will help you", "let me think.", "let me think about", "thought: i ", "thought: let me ", "action: search[", "action: lookup[", "action input:", "let me search", "let me look", "let me start by", "i've searched", "wenn du möchtest, kann ich", "wenn sie möchten, kann ich", "soll ich ", "si vous voulez, je", "si quieres, puedo", "如果你愿意，我", "如果您愿意，我", "如果你需要，我", "如果您需要，我", "需要我帮", "需要我进一步",
    "i'd be happy to", "i'm happy to", "hier ist die zusammenfassung", "hier ist eine zusammenfassung", "ich hoffe, das hilft", "ich hoffe, dass ", "lass mich wissen", "lassen sie mich wissen",
    "bei weiteren fragen", "wenn du weitere fragen", "wenn sie weitere fragen", "voici le résumé", "voici un résumé", "n'hésitez pas", "j'espère que", "espero que esto", "aquí está el resumen",
    "aquí tienes", "no dudes en", "希望这些", "希望以上", "希望这", "如果您有任何", "如果你有任何", "如果您有其他", "如果你有其他", "如果您有更多", "如果你有更多", "如果您有疑问", "如果你有疑问", "如有任何", "如需更多", "如需进一步", "如需其他", "如需我", "以下是总结", "ご不明な点",
    "thanks for your call", "thank you for your call", "thanks for your email", "thank you for your email", "thanks for your message", "thank you for your message", "thanks for getting in touch", "thank you for getting in touch", "vielen dank für ihre nachricht", "vielen dank für ihre anfrage", "vielen dank für ihren anruf", "lgtm overall!",
    "thanks for reaching out", "thank you for reaching out", "let's walk through it", "let's walk through this", "let's go through it", "let's go through this", "let's break it down", "let's break this down", "let's dive in",
    "hope that clears", "i hope that clears", "hope this clears", "hope that helps", "as an ai language model i ",
    "here's what i found.", "here is what i found.", "let me break this down for you.", "let me break it down for you.", "let me break this down.", "i searched the web for this.", "voici la réponse.", "voici ma réponse.", "hier ist die antwort.", "espero que te sea útil", "espero que le sea útil", "espero que sea útil",
    "希望对您有帮助", "希望对你有帮助", "希望能帮到您", "希望能帮到你", "如有其他问题，请随时", "如有其他疑问，请随时", "承知しました", "かしこまりました", "お役に立てれば", "他にご質問", "何かご質問",
];

/// Words that only say that something was done.
#[rustfmt::skip]
const DONE: &[&str] = &[
    "acknowledged", "completed", "created", "deleted", "done", "finished", "logged", "noted", "ok", "okay", "received", "saved", "sent", "submitted", "success", "thanks", "understood",
    "updated", "erledigt", "fertig", "gespeichert", "verstanden", "terminé", "fait", "hecho", "listo", "完成", "已完成", "收到", "好的", "明白", "了解", "完了",
];

/// How a line begins that only says where there is more, and its words with the address.
const MORE: [&str; 4] = ["read more at ", "learn more at ", "read more on ", "see more at "];
const MORE_WORDS: usize = 4;

/// Bytes of a question before its answer, at most.
const QUESTION_BYTES_MAX: usize = 600;
/// What a question and its answer begin with.
const ASKS: [&str; 4] = ["Q:", "Q：", "问：", "问:"];
const ANSWERS: [&str; 7] = ["A: ", "A：", "**A:** ", "**A**: ", "**A：**", "答：", "**答：**"];

/// A sentence at `start` without what says that it answers a question, where one stands before it: `A: No, only some.` below
/// `Q: May I?`. A word alone says nothing without the question: both, and where they begin. Without `Final Answer:`, too.
pub(super) fn answered<'t>(text: &'t str, start: usize, sentence: &'t str) -> (usize, &'t str) {
    if let Some(answer) = final_answer(sentence) {
        return (start + sentence.len() - answer.len(), answer);
    }
    let Some(answer) = behind_any(sentence, &ANSWERS) else {
        return (start, sentence);
    };
    let Some(line) = asked_above(text, start) else { return (start, sentence) };
    let (answer, end) = (answer.trim_start(), start + sentence.len());
    let asked = line.as_ptr() as usize - text.as_ptr() as usize;
    match text.get(asked..end) {
        Some(both) if !states_something(answer, true) && may_answer(answer, true) && !both.contains("**") => {
            (asked, both)
        }
        _ => (end - answer.len(), answer),
    }
}

/// The question above what begins at `start`: the line with its mark, without others.
fn asked_above(text: &str, start: usize) -> Option<&str> {
    let before = &text[..start];
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(QUESTION_BYTES_MAX))..];
    let line = near.trim_end_matches('*').trim_end().rsplit('\n').next().unwrap_or_default();
    let line = line.trim_start_matches(['-', '*', '>', '#', ' ']);
    begins_with_any(line, &ASKS).then_some(line)
}

/// The question that what begins at `start` answers, where that says so: it is about nothing else.
pub(super) fn question(text: &str, start: usize) -> Option<&str> {
    let said = text[start..].trim_start();
    if !begins_with_any(said, &ANSWERS) {
        return None;
    }
    let line = asked_above(text, start)?;
    let asked = line.split_once([':', '：'])?.1.trim_matches(['*', ' ']);
    asked.ends_with(['?', '？']).then_some(asked)
}

/// The sentence behind `Final Answer:`.
fn final_answer(sentence: &str) -> Option<&str> {
    const LABEL: &str = "final answer:";
    let bare = sentence.trim_start_matches('*');
    let behind = bare.get(LABEL.len()..).filter(|_| begins_with(bare, LABEL))?;
    let answer = behind.trim_start_matches(['*', ' ']);
    (states_something(answer, answer.ends_with(['.', '!'])) && !answer.contains("**")).then_some(answer)
}

/// Whether a text is a word that only says that something was done.
pub(super) fn is_done(text: &str) -> bool {
    let word = text.trim_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    DONE.contains(&word.as_str())
}

/// How a line begins that only links to more.
const FURTHER: [&str; 8] = [
    "further details",
    "further reading",
    "further information",
    "more details",
    "more information",
    "weitere informationen",
    "pour en savoir plus",
    "más información",
];

/// Whether a line is such words and links: `Further details: [the docs](https://…), [a blog][2]`.
pub(super) fn links_further(line: &str) -> bool {
    let Some((_, links)) = line.split_once(':').filter(|_| begins(line, &FURTHER)) else { return false };
    let (mut depth, mut outside) = (0_usize, 0);
    for word in links.split_inclusive([' ', '[', ']', '(', ')']) {
        let is_said = depth == 0 && word.contains(char::is_alphabetic) && !word.contains("://");
        outside += usize::from(is_said);
        match word.chars().last() {
            Some('[' | '(') => depth += 1,
            Some(']' | ')') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    // `and`
    links.contains(['[', '/']) && outside <= 1
}

/// Whether a line names the source of what stands before it, and says nothing else: `(Source: https://…)`, `Read more at https://…`.
pub(super) fn names_source(line: &str) -> bool {
    if begins(line, &MORE) && !line.trim_end().contains('\n') {
        return line.split_whitespace().count() == MORE_WORDS && line.contains("://");
    }
    let line = line.trim_start_matches(['(', '（', '*', '_', '—', '–', '-', ' ']);
    let head = &line[..line.floor_char_boundary(leads::BYTES_MAX + ASIDE)];
    // Sooner looked for than a character of any width: `：` begins with this byte.
    if memchr::memchr2(b':', 0xEF, head.as_bytes()).is_none() {
        return false;
    }
    let Some((lead, _)) = head.split_once([':', '：']) else { return false };
    let word = lead.trim_matches(['*', ' ']);
    // A title with its address in a line below is an entry of a list, and that is of the whole text.
    let behind = line[lead.len()..].trim_start_matches([':', '：', '*', ' ', '\r']);
    let is_entry = || behind.contains("://") && !is_address(behind.trim_start());
    let is_list = behind.starts_with('\n') && !is_one_source(word) && is_entry();
    is_source(word) && !is_list
}

/// Whether a sentence is said to who asked.
pub(in crate::domain::synthesis) fn is_small_talk(sentence: &str) -> bool {
    let Some(first) = lowered(sentence).next() else { return false };
    let begins =
        || BY_FIRST.get(&first).is_some_and(|leads| leads.iter().any(|lead| begins_with(sentence, lead)));
    // Nearly all are out by their first letters, compared as one number.
    HEADS.may_begin(sentence) && begins() || announces_more(sentence) || is_boilerplate(sentence)
}

/// `Hikers report the following.`
fn announces_more(sentence: &str) -> bool {
    const BYTES_MAX: usize = 80;
    const ENDS: [&str; 6] = [
        " the following.",
        " as follows.",
        " folgendes.",
        " lo siguiente.",
        " ce qui suit.",
        " il seguente.",
    ];
    sentence.len() <= BYTES_MAX
        && ends_with_any(sentence, &ENDS)
        && !sentence.contains(|c: char| c.is_ascii_digit() || matches!(c, ',' | ':' | ';'))
}

/// [`SMALL_TALK`] by its first character: every sentence is asked about.
static BY_FIRST: LazyLock<HashMap<char, Vec<&str>, RandomState>> = LazyLock::new(|| {
    let mut by_first: HashMap<char, Vec<&str>, RandomState> = HashMap::default();
    for lead in SMALL_TALK {
        by_first.entry(lead.chars().next().unwrap_or_default()).or_default().push(lead);
    }
    by_first
});

/// The first letters of [`SMALL_TALK`].
static HEADS: LazyLock<Heads<4>> = LazyLock::new(|| Heads::of(&[SMALL_TALK]));

/// Whether a sentence begins with one of some phrases in lower case, whatever its own. Every sentence is asked about: most phrases are out
/// by their first letter.
pub(in crate::domain::synthesis::claims) fn begins(sentence: &str, phrases: &[&str]) -> bool {
    let Some(first) = sentence.bytes().next().map(|first| first.to_ascii_lowercase()) else { return false };
    phrases.iter().any(|phrase| phrase.as_bytes().first() == Some(&first) && begins_with(sentence, phrase))
}

/// Whether a sentence begins so, whatever its case.
pub(in crate::domain::synthesis::claims) fn begins_with(sentence: &str, lead: &str) -> bool {
    // Most are out by their first letter.
    let firsts = sentence.bytes().next().zip(lead.bytes().next());
    if firsts.is_some_and(|(said, lead)| said.is_ascii() && !said.eq_ignore_ascii_case(&lead)) {
        return false;
    }
    begins_with_letters(sentence, lead)
}

/// The same where the first letter fits.
fn begins_with_letters(sentence: &str, lead: &str) -> bool {
    // Most are out by their first letters, compared as one number.
    if head::<4>(sentence).zip(head(lead)).is_some_and(|(said, lead)| said != lead) {
        return false;
    }
    if let Some((said, lead)) = sentence.as_bytes().first_chunk::<8>().zip(lead.as_bytes().first_chunk::<8>())
        && said.is_ascii()
        && !said.eq_ignore_ascii_case(lead)
    {
        return false;
    }
    if let Some(begin) = sentence.as_bytes().get(..lead.len()).filter(|begin| begin.is_ascii()) {
        return begin.eq_ignore_ascii_case(lead.as_bytes());
    }
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
    fn answers_stand_without_who_speaks() {
        for (before, sentence, answer) in [
            ("Q: May I?\n", "A: No, only approved ones.", "No, only approved ones."),
            ("- **Q: May I?**\n  ", "**A:** No, only approved ones.", "No, only approved ones."),
            ("Q: May I?\n", "A: No.", "Q: May I?\nA: No."),
            ("- Q: May I? ", "A: No.", "Q: May I? A: No."),
            ("问：可以吗？\n\n", "答：不可以。", "问：可以吗？\n\n答：不可以。"),
            ("问：可以吗？\n\n", "答：当然不可以。", "当然不可以。"),
            ("Plans:\n", "A: No, only approved ones.", "A: No, only approved ones."),
            ("Q: May I?\n", "As said, no.", "As said, no."),
        ] {
            let text = format!("{before}{sentence}");
            let (start, said) = answered(&text, before.len(), &text[before.len()..]);
            assert_eq!((said, &text[start..start + said.len()]), (answer, answer), "{text}");
        }
    }

    #[test]
    fn answers_stand_below_their_questions() {
        let headed = |text: &str| {
            let found = super::super::super::tests::read(text, "a").into_iter();
            found.map(|said| (said.heading, said.text)).collect::<Vec<_>>()
        };
        let pairs = "Q: Can I freeze sourdough bread?\nA: Yes. Slice it first.\n\nQ: Why is my loaf dense?\nA: It is usually underproofed. Let it ferment longer.";
        let (freeze, dense) = ("Can I freeze sourdough bread?", "Why is my loaf dense?");
        assert_eq!(
            headed(pairs),
            [
                (freeze, "Q: Can I freeze sourdough bread?\nA: Yes."),
                (freeze, "Slice it first."),
                (dense, "It is usually underproofed."),
                (dense, "Let it ferment longer."),
            ]
        );
        let bold = "**Q: Why is my loaf dense?**\nA: It is usually underproofed. Let it ferment longer.\n\n**Q: Who bakes it?**\nA: The neighbours bake it.";
        assert_eq!(
            headed(bold),
            [
                (dense, "It is usually underproofed."),
                (dense, "Let it ferment longer."),
                ("Who bakes it?", "The neighbours bake it."),
            ]
        );
        let plans = "Plans of the shop:\n\nA: It is usually the best one of them.";
        assert_eq!(headed(plans)[0].0, "");
    }

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
        assert!(
            names_source("Read more at https://a.org/x.")
                && !names_source("Read more at https://a.org: it rose.")
        );
        assert!(!names_source("Sources of error: the clock and the operator."));
        for line in [
            "Further details: [A2A docs][1], [a blog](https://b.example)",
            "More information: https://a.example",
        ] {
            assert!(links_further(line), "{line}");
        }
        for line in
            ["Further details: the fee is 5 euros [1].", "Further reading is done by hand.", "Details: [1]"]
        {
            assert!(!links_further(line), "{line}");
        }
        assert!(names_source("Source:\nAlpha: https://a.org/x") && names_source("Sources:\nhttps://a.org/x"));
        assert!(!names_source("**Sources:**\nAlpha: https://a.org/x"));
        for line in [
            "Feel free to ask if you have more questions!",
            "Let me know if I’d better go deeper.",
            "Let me know!",
            "If you tell me your current version, I can sketch a plan.",
            "I'll look into this for you.",
            "希望这些信息对您有帮助！",
            "如果您有其他问题，请随时告诉我。",
            "如有其他问题，请随时告诉我。",
            "Certo!",
            "Bei Fragen melden Sie sich gerne!",
            "Sure — here is an overview.",
            "本文将全面梳理全球南方合作在推动文明交流互鉴中的作用。",
            "本报告聚焦三种方法的原理与应用。",
            "Here's what I found.",
            "As an AI, I am not a doctor.",
            "I'll help you with that.",
            "Let me think.",
            "Thought: I need to search",
            "Action: search[heat pumps]",
            "お役に立てれば幸いです。",
            "Thanks for reaching out.",
            "thanks for your call.",
            "LGTM overall!",
            "Let's walk through it step by step.",
            "Hope that clears things up!",
            "Gerne kann ich ein Musterschreiben entwerfen.",
            "Hikers report the following.",
            "As an AI language model I am not a tax professional, but here is a summary.",
        ] {
            assert!(is_small_talk(line), "{line}");
        }
        for line in [
            "Here the market grew by 5 %.",
            "Lettuce is healthy.",
            "Gern gesehen ist das nicht.",
            "Hikers report 3 of the following.",
            "The rule is the following: nobody pays.",
            "Let's walk through the park of the castle in May.",
            "Thanks for reaching the goal of the campaign went to all.",
            "Hope that prices fall is small.",
            "As an AI company, it is listed.",
            "Action: the firm searches for a successor.",
            "如果您有糖尿病，应少吃糖。",
            "如需高性能，应选择甲。",
            "Here's what I found about prices in 2024: they rose.",
            "本文发现，结合补贴使价格下降。",
            "本报告显示，将有三家公司退出。",
            "Sure, it works.",
            "Certain parts are missing.",
        ] {
            assert!(!is_small_talk(line), "{line}");
        }
    }
}
