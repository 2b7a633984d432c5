//! Whether prose is a refusal. Only asked where there is no draft anyway, so it decides what is reported, not more.

use crate::domain::text::phrases::has_any;

/// How far into the prose a refusal begins, in chars.
const CHARS_MAX: usize = 200;

/// What refusals say, in small letters and with straight apostrophes.
const PHRASES: &[&str] = &[
    "i'm sorry",
    "i am sorry",
    "sorry, ",
    "i apologize",
    "i can't",
    "i cannot",
    "i can not",
    "i won't",
    "i will not",
    "i'm unable",
    "i am unable",
    "i'm not able",
    "i am not able",
    "unable to comply",
    "as an ai",
    "\"refusal\"",
    "es tut mir leid",
    "ich kann nicht",
    "ich kann das nicht",
    "je suis désolé",
    "je ne peux pas",
    "lo siento",
    "no puedo",
    "desculpe",
    "mi dispiace",
    "抱歉",
    "对不起",
    "我不能",
    "我无法",
    "申し訳",
    "できません",
    "죄송",
];

/// Whether `text` begins like a refusal.
pub(super) fn refuses(text: &str) -> bool {
    let begin: String =
        text.trim_start().chars().take(CHARS_MAX).map(|c| if c == '’' { '\'' } else { c }).collect();
    let begin = begin.to_lowercase();
    has_any(&begin, PHRASES)
}
