//! Bare answers: `Yes.`, `No, …`, `是的。` To a question that can be answered so they claim all that it asks, and have no word of which a
//! source could say anything.

/// Words that are an answer by themselves.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "yes", "no", "yep", "yeah", "nope", "correct", "right", "true", "false", "wrong", "indeed", "ja", "nein", "doch", "richtig", "falsch", "stimmt", "oui", "non", "si", "vrai", "faux", "sí", "cierto", "sì", "vero", "sim", "não", "nao", "nee",
    "да", "нет", "是", "是的", "不", "不是", "否", "对", "对的", "不对", "没有", "有", "可以", "不可以", "不能", "能", "会", "不会", "はい", "いいえ", "ええ", "네", "예", "아니요", "아니오",
];
/// What divides one from what follows.
const DIVIDING: [char; 8] = [',', ';', ':', '，', '、', '；', '—', '–'];

fn is_one(text: &str) -> bool {
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    WORDS.contains(&bare.as_str())
}

/// Whether a sentence is nothing but such words.
pub(in crate::domain::synthesis) fn is_bare(text: &str) -> bool {
    let mut parts =
        text.split([' ', ',', '，', '、']).filter(|part| part.contains(char::is_alphanumeric)).peekable();
    parts.peek().is_some() && parts.all(is_one)
}

/// A sentence without such a word before its first comma, with a capital where that had one.
pub(in crate::domain::synthesis) fn without_head(text: &str) -> Option<String> {
    let (head, rest) = text.split_once(DIVIDING)?;
    let rest = rest.trim_start_matches(['*', ' ', '_']);
    let mut letters = rest.chars();
    let first = letters.next().filter(|_| is_bare(head))?;
    let is_capital = head.trim_start_matches(|c: char| !c.is_alphanumeric()).starts_with(char::is_uppercase);
    Some(if is_capital { first.to_uppercase().chain(letters).collect() } else { rest.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_answers_are_known() {
        for text in ["Yes.", "No", "**Ja.**", "是的。", "はい。", "Yes, indeed.", "Sí."] {
            assert!(is_bare(text), "{text}");
        }
        for text in ["Yes it does.", "No. 5", "Norway", "是的公司", ""] {
            assert!(!is_bare(text), "{text}");
        }
        for (text, rest) in [
            ("Yes, the drug is safe.", Some("The drug is safe.")),
            ("是的，该药安全。", Some("该药安全。")),
            ("**No**, it isn't.", Some("It isn't.")),
            ("In May, it rose.", None),
        ] {
            assert_eq!(without_head(text).as_deref(), rest, "{text}");
        }
    }
}
