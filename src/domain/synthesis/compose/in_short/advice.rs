//! What others recommend beside what one does, and what others answer in a word: a summary makes no winner of what to do either.

use crate::domain::aggregate::result::Finding;

/// Those that are chosen at most where several recommend something, or answer.
const ADVISED_MAX: usize = 5;
/// Words and bytes of an answer that says nothing else.
const BARE_MAX: (usize, usize) = (3, 24);
/// How a sentence begins that recommends something in its author's name.
#[rustfmt::skip]
const ADVICE: [&str; 43] = [
    "i recommend ", "i'd recommend ", "i would recommend ", "we recommend ", "we'd recommend ", "we would recommend ", "i suggest ", "i'd suggest ", "we suggest ", "i advise ", "i'd advise ", "we advise ", "i would choose ", "i'd choose ", "i'd go with ", "i would go with ",
    "my recommendation ", "our recommendation ", "my advice ", "our advice ", "ich empfehle ", "wir empfehlen ", "je recommande ", "recomiendo ",
    "recommendation:", "my recommendation:", "our recommendation:", "my pick", "our pick", "top pick", "winner:", "verdict:", "best choice:", "empfehlung:", "mein favorit", "recommandation :", "recomendación:", "i'd pick ", "i would pick ", "i'd go for ", "honestly i'd ", "go for ", "go with ",
];
/// How one begins that does so where it was asked which to take: elsewhere `We should …` tells what to do, beside which others may do more.
#[rustfmt::skip]
const CHOICES: [&str; 39] = [
    "we should ", "you should ", "i'd ", "we'd ", "i would ", "decision:", "our decision:", "use ", "choose ", "pick ", "hire ", "buy ", "take ", "rent ", "adopt ", "stick with ", "wir sollten ", "entscheidung:", "ich würde ", "nehmt ", "nous devrions ", "on devrait ", "décision :", "décision:", "deberíamos ", "decisión:",
    "consiglio ", "dovremmo ", "decisione:", "recomendo ", "devemos ", "decisão:", "ik raad ", "we moeten ", "besluit:", "建议", "推荐", "决定：", "おすすめは",
];
/// What a question has that asks which to take.
#[rustfmt::skip]
const ASKS_WHICH: [&str; 24] = [
    "should", "which", "recommend", "better", "best", "welche", "sollte", "empf", "besser", "quel", "faut", "devons", "cuál", "deber", "mejor", "quale", "dovre", "miglior", "qual ", "devemos", "welk", "哪", "どれ", "どの",
];

/// What says so of one of several.
#[rustfmt::skip]
const VERDICTS: [&str; 14] = [
    " is the better fit", " is the best fit", " is the better choice", " is the best choice", " is the safer choice", " is the right choice", " is the stronger choice", " is the better option", " is the best option", " is the safer option",
    " is a better fit", " is the way to go", " ist die bessere wahl", " est le meilleur choix",
];
/// What begins a sentence that sums up, in front of what it recommends.
#[rustfmt::skip]
const SUMS_UP: [&str; 10] = [
    "on balance, ", "overall, ", "in summary, ", "in short, ", "all in all, ", "in conclusion, ", "bottom line: ", "conclusion: ", "therefore, ", "insgesamt ",
];
/// How a question begins that is to be decided, and what one about which has then.
#[rustfmt::skip]
const DECIDES: [&str; 9] = ["should we ", "should i ", "should our ", "should one ", "do we go with ", "sollten wir ", "soll ich ", "sollen wir ", "devrions-nous "];
const DECIDED: [&str; 8] =
    [" should ", " choose", " pick ", " recommend", " buy", " take ", " adopt ", " hire "];
/// Words of a question that asks for nothing but which: `Which plan?`
const WHICH_WORDS_MAX: usize = 3;

/// Adds to what somebody recommends what others do: a summary makes no winner of what to do either.
pub(super) fn with_other_advice(
    chosen: &mut Vec<usize>,
    (findings, is_unsaid): (&[Finding], &[bool]),
    question: &str,
) {
    let lower = question.to_lowercase();
    let is_choice = ASKS_WHICH.iter().any(|word| lower.contains(word));
    let is_one = |at: &usize| recommends(&findings[*at].content, is_choice);
    if !chosen.iter().any(is_one) {
        // What was to be decided is answered by who decides it.
        let first = (0..findings.len()).find(|at| is_one(at) && is_to_be_decided(&lower) && !is_unsaid[*at]);
        let Some(first) = first else { return };
        chosen.push(first);
    }
    for at in (0..findings.len()).filter(is_one) {
        let heard = chosen.iter().filter(|at| is_one(at)).flat_map(|at| &findings[*at].contributors);
        let is_heard = findings[at].contributors.iter().any(|name| heard.clone().any(|other| other == name));
        if !is_heard && chosen.len() < ADVISED_MAX {
            chosen.push(at);
        }
    }
}

/// Whether a question in small letters asks what to decide.
fn is_to_be_decided(question: &str) -> bool {
    let asks_which = question.starts_with("which ") || question.starts_with("what ");
    DECIDES.iter().any(|begin| question.starts_with(begin))
        || asks_which && DECIDED.iter().any(|word| question.contains(word))
        || question.starts_with("which ") && question.split_whitespace().count() <= WHICH_WORDS_MAX
}

/// Whether a sentence says what its author recommends, where that was asked also in other words.
fn recommends(text: &str, is_choice: bool) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric()).replace("**", "").replace('’', "'");
    let text = SUMS_UP.iter().find_map(|sums| behind(&text, sums)).unwrap_or(&text);
    let head = |advice: &str| text.get(..advice.len());
    let choices = if is_choice { &CHOICES[..] } else { &[] };
    ADVICE
        .iter()
        .chain(choices)
        .any(|advice| head(advice).is_some_and(|head| head.eq_ignore_ascii_case(advice)))
        || is_choice && VERDICTS.iter().any(|verdict| text.to_lowercase().contains(verdict))
}

fn behind<'t>(text: &'t str, begin: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(begin.len())?;
    head.eq_ignore_ascii_case(begin).then_some(rest)
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
