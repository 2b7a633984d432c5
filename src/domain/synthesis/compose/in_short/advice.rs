//! What others recommend beside what one does, and what others answer in a word: a summary makes no winner of what to do either.

use crate::domain::aggregate::result::Finding;

/// Those that are chosen at most where several recommend something, or answer.
const ADVISED_MAX: usize = 5;
/// Words and bytes of an answer that says nothing else.
const BARE_MAX: (usize, usize) = (3, 24);
/// How a sentence begins that recommends something in its author's name.
#[rustfmt::skip]
const ADVICE: [&str; 41] = [
    "i recommend ", "i'd recommend ", "i would recommend ", "we recommend ", "we'd recommend ", "we would recommend ", "i suggest ", "i'd suggest ", "we suggest ", "i advise ", "i'd advise ", "we advise ", "i would choose ", "i'd choose ", "i'd go with ", "i would go with ",
    "my recommendation ", "our recommendation ", "ich empfehle ", "wir empfehlen ", "je recommande ", "recomiendo ",
    "recommendation:", "my recommendation:", "our recommendation:", "my pick", "our pick", "top pick", "winner:", "verdict:", "best choice:", "empfehlung:", "mein favorit", "recommandation :", "recomendación:", "i'd pick ", "i would pick ", "i'd go for ", "honestly i'd ", "go for ", "go with ",
];
/// How one begins that does so where it was asked which to take: elsewhere `We should …` tells what to do, beside which others may do more.
#[rustfmt::skip]
const CHOICES: [&str; 38] = [
    "we should ", "you should ", "i'd ", "we'd ", "i would ", "decision:", "our decision:", "use ", "choose ", "pick ", "hire ", "buy ", "rent ", "adopt ", "stick with ", "wir sollten ", "entscheidung:", "ich würde ", "nehmt ", "nous devrions ", "on devrait ", "décision :", "décision:", "deberíamos ", "decisión:",
    "consiglio ", "dovremmo ", "decisione:", "recomendo ", "devemos ", "decisão:", "ik raad ", "we moeten ", "besluit:", "建议", "推荐", "决定：", "おすすめは",
];
/// What a question has that asks which to take.
#[rustfmt::skip]
const ASKS_WHICH: [&str; 24] = [
    "should", "which", "recommend", "better", "best", "welche", "sollte", "empf", "besser", "quel", "faut", "devons", "cuál", "deber", "mejor", "quale", "dovre", "miglior", "qual ", "devemos", "welk", "哪", "どれ", "どの",
];

/// Adds to what somebody recommends what others do: a summary makes no winner of what to do either.
pub(super) fn with_other_advice(chosen: &mut Vec<usize>, findings: &[Finding], question: &str) {
    let lower = question.to_lowercase();
    let is_choice = ASKS_WHICH.iter().any(|word| lower.contains(word));
    let is_one = |at: &usize| recommends(&findings[*at].content, is_choice);
    if !chosen.iter().any(is_one) {
        return;
    }
    for at in (0..findings.len()).filter(is_one) {
        let heard = chosen.iter().filter(|at| is_one(at)).flat_map(|at| &findings[*at].contributors);
        let is_heard = findings[at].contributors.iter().any(|name| heard.clone().any(|other| other == name));
        if !is_heard && chosen.len() < ADVISED_MAX {
            chosen.push(at);
        }
    }
}

/// Whether a sentence says what its author recommends, where that was asked also in other words.
fn recommends(text: &str, is_choice: bool) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric()).replace("**", "").replace('’', "'");
    let head = |advice: &str| text.get(..advice.len());
    let choices = if is_choice { &CHOICES[..] } else { &[] };
    ADVICE
        .iter()
        .chain(choices)
        .any(|advice| head(advice).is_some_and(|head| head.eq_ignore_ascii_case(advice)))
}

/// Adds what else is all that somebody says, in a word or two, to a question that is one part: `No.` beside `Partially: …`.
pub(super) fn with_bare_answers(chosen: &mut Vec<usize>, (findings, is_open): (&[Finding], &[bool])) {
    let is_bare = |at: &usize| {
        let text = &findings[*at].content;
        text.len() <= BARE_MAX.1 && text.split_whitespace().count() <= BARE_MAX.0
    };
    let says_more = |name: &String, at: usize| {
        let mut others = findings.iter().enumerate().filter(|(other, _)| *other != at);
        others.any(|(_, other)| other.contributors.contains(name))
    };
    for at in (0..findings.len()).filter(is_bare) {
        let is_all = findings[at].contributors.iter().all(|name| !says_more(name, at));
        if is_all && !is_open[at] && !chosen.contains(&at) && chosen.len() < ADVISED_MAX {
            chosen.push(at);
        }
    }
}
