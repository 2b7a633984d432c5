//! What in a statement only names where it is from: `(Reuters)`, `(Smith et al., 2019)`, `(§ 573c BGB)`, `Selon Reuters,`.
//!
//! Who wrote it, when, and on which page says nothing of the subject, and would make two statements about the same look as if
//! they were about others. Parentheses that say something of the subject, such as `(Berlin)`, `(in 2019)` and `(net)`, stay.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::named::names_source;
use super::outlets::begins_with_outlet;
use crate::domain::text::phrases::{before_any, behind_any};

/// A statement without them.
pub(super) struct Bare {
    pub(super) text: String,
    /// The section of a law that it names: another one is another rule.
    pub(super) section: Option<String>,
}

/// Parentheses at the end of one statement that are looked at.
const TRAILING_MAX: usize = 4;
/// Bytes of parentheses at most, which may hold an address.
const PARENTHESES_BYTES_MAX: usize = 1_024;

/// A statement without what only names its source; `None` where there is no such thing.
pub(super) fn without(text: &str) -> Option<Bare> {
    let (body, section) = without_trailing(text);
    let shown =
        if LINKED.find(body.as_bytes()).is_some() { Cow::Owned(unlinked(body)) } else { Cow::Borrowed(body) };
    let shown = unglossed(&shown).map_or(shown, Cow::Owned);
    let said = without_tail(without_lead(&shown));
    let is_same = body.len() == text.len() && said.len() == body.len();
    // What is left says something.
    let says = || said.split_whitespace().nth(1).is_some() || !said.is_ascii();
    (!is_same && says()).then(|| Bare { text: said.to_owned(), section })
}

fn without_trailing(text: &str) -> (&str, Option<String>) {
    let (mut body, mut section) = (text, None);
    for _ in 0..TRAILING_MAX {
        let rest = body.trim_end_matches(['.', '。', '!', '！', ' ', '*', '_']);
        let Some((before, inside)) = last_parentheses(rest) else { break };
        if !names_source(inside) {
            break;
        }
        if inside.trim_start().starts_with('§') {
            section = Some(inside.trim().to_owned());
        }
        body = before.trim_end();
    }
    (body, section)
}

/// The parentheses that a text ends with: what stands before them, and inside.
fn last_parentheses(text: &str) -> Option<(&str, &str)> {
    let close = text.chars().next_back().filter(|c| matches!(c, ')' | '）'))?;
    let mut depth = 0;
    for (at, c) in text.char_indices().rev() {
        match c {
            ')' | '）' => depth += 1,
            '(' | '（' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&text[..at], &text[at + c.len_utf8()..text.len() - close.len_utf8()]));
        }
        if text.len() - at > PARENTHESES_BYTES_MAX {
            return None;
        }
    }
    None
}

/// With the labels of its links alone.
fn unlinked(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("](http") {
        let (before, target) = rest.split_at(at);
        let Some(end) = target.find(')') else { break };
        match before.rfind('[') {
            Some(open) => [&before[..open], &before[open + 1..]].iter().for_each(|part| shown.push_str(part)),
            None => shown.push_str(before),
        }
        rest = &target[end + 1..];
    }
    shown + rest
}

static LINKED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("](http"));
static NUMBERED: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("CVE-"));

/// Without what the first vulnerability is called besides its number: `CVE-2021-44228 (Log4Shell)`. `None` where it has no name.
fn unglossed(text: &str) -> Option<String> {
    let start = NUMBERED.find(text.as_bytes())?;
    let end =
        text[start..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).map(|end| start + end)?;
    let inside = text[end..].strip_prefix(" (")?;
    let name = inside.split_once(')')?.0;
    let is_name =
        !name.is_empty() && name.chars().all(char::is_alphanumeric) && name.contains(char::is_alphabetic);
    is_name.then(|| format!("{}{}", &text[..end], &inside[name.len() + 1..]))
}

/// What begins a statement with its source: with a comma behind it, or in German without.
const LEADS: [&str; 6] = ["Selon ", "D'après ", "D’après ", "Según ", "Secondo ", "Segons "];
const ARTICLES: [&str; 10] = ["le", "la", "les", "l'", "el", "los", "las", "il", "lo", "the"];
/// Words of a source's name at most.
const NAME_WORDS_MAX: usize = 6;

fn without_lead(text: &str) -> &str {
    if let Some(rest) = text.strip_prefix("Laut ") {
        return begins_with_outlet(rest).map_or(text, |length| rest[length..].trim_start_matches([',', ' ']));
    }
    let named = behind_any(text, &LEADS).and_then(|rest| rest.split_once(", "));
    named.filter(|(name, _)| is_name(name)).map_or(text, |(_, said)| said)
}

/// What a statement ends with that only says who said so.
const SAID: [&str; 10] = [
    "said so",
    "says so",
    "said",
    "says",
    "reported",
    "reports",
    "announced",
    "confirmed",
    "told reporters",
    "wrote",
];
/// Words of who that is.
const SPEAKER_WORDS_MAX: usize = 6;

/// Without who said so at its end: `…, Reuters reported`, `…, the WHO said so in 1991`.
fn without_tail(text: &str) -> &str {
    let Some(comma) = memchr::memrchr(b',', text.as_bytes()) else { return text };
    let (said, tail) = (&text[..comma], &text[comma + 1..]);
    let Some(tail) = tail.strip_prefix(' ') else { return text };
    if is_evidence(tail) {
        return said;
    }
    let tail = tail.trim_end_matches(['.', ' ']);
    // When it was said, where that is a year.
    let parts = tail.len().checked_sub(4).and_then(|at| tail.split_at_checked(at));
    let dated = parts.filter(|(_, year)| year.parse::<u16>().is_ok());
    let tail = dated.and_then(|(before, _)| before.strip_suffix(" in ")).unwrap_or(tail);
    let speaker = before_any(tail, &SAID).and_then(|who| who.strip_suffix(' '));
    let is_speaker = |who: &str| {
        let bare = who.strip_prefix("the ").unwrap_or(who);
        bare.starts_with(char::is_uppercase) && who.split(' ').count() <= SPEAKER_WORDS_MAX
    };
    if speaker.is_some_and(is_speaker) { said } else { text }
}

/// What makes an attribution a measure: by another one the figure is another.
#[rustfmt::skip]
const MEASURES: [&str; 22] = [
    "line", "definition", "method", "measure", "index", "criteria", "standard", "scale", "classification", "model", "scenario", "plan", "schedule", "rule", "law", "price", "billing", "type", "size", "whether", "if", "assuming",
];
/// What a count rests on.
const EVIDENCE: [&str; 10] = [
    "data",
    "figures",
    "reports",
    "records",
    "logs",
    "telemetry",
    "estimates",
    "surveys",
    "tickets",
    "carts",
];
/// Bytes of such a tail.
const EVIDENCE_BYTES_MAX: usize = 80;

/// Whether a statement's end only says by whom it is known: `according to support`, `based on abandoned carts`.
fn is_evidence(tail: &str) -> bool {
    let is_plain = |rest: &str| {
        let lower = rest.to_lowercase();
        rest.len() <= EVIDENCE_BYTES_MAX
            && !rest.contains(|c: char| c.is_ascii_digit())
            && !lower.split(|c: char| !c.is_alphabetic()).any(|word| MEASURES.contains(&word))
    };
    let rests = |rest: &str| rest.split(' ').any(|word| EVIDENCE.contains(&word.trim_end_matches('.')));
    tail.strip_prefix("according to ").is_some_and(is_plain)
        || tail.strip_prefix("based on ").is_some_and(|rest| is_plain(rest) && rests(rest))
}

/// A capitalised name: no date, no number, and no `contrat A`.
fn is_name(name: &str) -> bool {
    let mut words = name.split(' ').skip_while(|word| ARTICLES.contains(word)).peekable();
    let is_capital = words.peek().is_some_and(|first| first.starts_with(char::is_uppercase));
    let words: Vec<&str> = words.collect();
    is_capital
        && words.len() <= NAME_WORDS_MAX
        && words.iter().all(|word| word.len() > 1 && !word.contains(|c: char| c.is_numeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_names_a_source_is_told_from_what_is_said() {
        for source in [
            "https://b.org/1_(x)",
            "[Reuters](https://b.org/1)",
            "Smith et al., 2019",
            "Smith & Jones, 2019",
            "Smith and Jones 2019",
            "Lee et al. 2021, p. 4",
            "Reuters",
            "Reuters, 2024",
            "Reuters, 5 May 2024",
            "via Statista",
            "Source: Acme",
            "§ 573c BGB",
            "HR handbook, p. 5",
            "HR handbook",
            "Smith 2019, pp. 4–6",
            "S. 12",
            "Reuters; Smith et al., 2019",
            "路透社",
        ] {
            let said = without(&format!("The rate was 5% ({source}).")).map(|bare| bare.text);
            assert_eq!(said.as_deref(), Some("The rate was 5%"), "{source}");
        }
        for said in [
            "Berlin",
            "in 2019",
            "net",
            "adults",
            "Germany",
            "Germany, 2019",
            "France and Spain, 2019",
            "Sales & Marketing, 2019",
            "2019",
            "Q3",
            "per year",
            "5 GB",
            "Reuters staff",
            "model 5, p. 3",
            "§",
            "Plan A",
            "Acme & Co",
        ] {
            assert!(without(&format!("The rate was 5% ({said}).")).is_none(), "{said}");
        }
        assert!(without("(Reuters)").is_none());
    }

    #[test]
    fn leads_and_targets_of_links_are_left_out() {
        for (text, said) in [
            ("Selon Reuters, le taux est de 5 %.", "le taux est de 5 %."),
            ("Según el Banco Central, la tasa es del 5 %.", "la tasa es del 5 %."),
            ("Laut Reuters lag der Satz bei 5 %.", "lag der Satz bei 5 %."),
            ("Coffee causes cancer, the WHO said so in 1991.", "Coffee causes cancer"),
            ("Orders fell to 14.2 billion euros, Reuters reported.", "Orders fell to 14.2 billion euros"),
            ("According to [Reuters](https://b.org/1), it rose.", "According to Reuters, it rose."),
        ] {
            assert_eq!(without(text).map(|bare| bare.text).as_deref(), Some(said));
        }
        for text in [
            "Laut Vertrag beträgt die Frist drei Monate.",
            "Selon le contrat A, la durée est d'un mois.",
            "Selon le recensement de 2019, la ville compte 5 000 habitants.",
            "Segundo lugar, el tren.",
            "Orders fell, as he said in May.",
            "It fell, and then it rose, which nobody said.",
        ] {
            assert!(without(text).is_none(), "{text}");
        }
    }
}
