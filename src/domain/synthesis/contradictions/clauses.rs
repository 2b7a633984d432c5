//! The facts of a sentence that tells several: `Acme, a maker of pumps, was founded in 1987 and employs 3,200 people` tells when it was
//! founded, and how many it employs.
//!
//! Two sentences about the same seldom say the same besides, so that their clauses are compared as well. A clause is taken out only
//! where the rest takes nothing of it back: no condition, no plan, nothing that says where or when and may belong to both. Which words are
//! verbs is known of some only ([`verbs`]); what isn't understood stays whole. Linear in the text.

use self::sentence::Sentence;
use self::verbs::{Part, Parts, parts};
use crate::domain::text::phrases::has_any;

mod attribution;
mod sentence;
mod verbs;

/// Bytes of a sentence that is looked at.
const BYTES: std::ops::RangeInclusive<usize> = 24..=600;
/// Facts of one sentence.
const FACTS_MAX: usize = 4;

/// What is had for the same price is part of it.
const BUNDLED: [&str; 4] = ["includes", "included", "comes", "contains"];

/// A word, without the signs around it.
#[derive(Debug, Clone, Copy)]
struct Token<'t> {
    word: &'t str,
    start: usize,
    end: usize,
    /// The sign between it and the word before.
    sign: Option<char>,
    /// What it may do.
    parts: Parts,
}

impl Token<'_> {
    fn is(&self, part: Part) -> bool {
        self.parts.has(part)
    }

    fn is_verb(&self) -> bool {
        self.is(Part::Verb) || self.is(Part::MaybeVerb)
    }

    fn is_name(&self) -> bool {
        self.word.starts_with(char::is_uppercase)
    }

    /// The same of the first word of a sentence, which is written large.
    fn leads(&self, part: Part) -> bool {
        parts(&self.word.to_lowercase()).has(part)
    }
}

/// What one clause says.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Fact {
    /// What it is about, where the clause itself doesn't say so.
    about: String,
    start: usize,
    end: usize,
    /// Whether it hangs on what all clauses are about.
    is_shared: bool,
}

/// What the clauses of a sentence say, each as a sentence; none where it has only one, or where they can't be told apart.
pub(super) fn facts(text: &str) -> Vec<String> {
    let may_tell = BYTES.contains(&text.len())
        && !text.starts_with(['"', '|'])
        && !text.contains(['?', '\n', '|', '"', '“', '„', '«']);
    if !may_tell || !may_have_several(text) {
        return Vec::new();
    }
    let Some(tokens) = tokens(text) else { return Vec::new() };
    let end = attribution::end(&tokens);
    let tokens = &tokens[attribution::lead(&tokens).min(end)..end];
    let facts = Sentence::of(text, tokens).map_or_else(|| whole(tokens), |sentence| sentence.facts());
    let whole = text.trim_end_matches('.');
    let narrowed = facts.last().is_some_and(|last| last.is_shared && is_narrowed(tokens, last));
    let stands = |(at, fact): &(usize, &Fact)| {
        *at + 1 == facts.len() || !narrowed || !fact.is_shared || is_narrowed(tokens, fact)
    };
    let said = facts.iter().enumerate().filter(stands).map(|(_, fact)| fact.written(text));
    said.filter(|said| said.trim_end_matches('.') != whole).take(FACTS_MAX).collect()
}

/// Whether a word in small letters may be a verb.
pub(super) fn is_verb(word: &str) -> bool {
    let parts = parts(word);
    parts.has(Part::Verb) || parts.has(Part::MaybeVerb)
}

/// What is left of a sentence whose verb isn't known.
fn whole(tokens: &[Token<'_>]) -> Vec<Fact> {
    let [first, .., last] = tokens else { return Vec::new() };
    vec![Fact { about: String::new(), start: first.start, end: last.end, is_shared: false }]
}

/// Whether a text has what stands between clauses: most are ruled out by that.
fn may_have_several(text: &str) -> bool {
    const BETWEEN: [&str; 10] =
        [", ", "; ", " and ", " but ", " because ", " und ", " et ", " y ", " e ", " that "];
    has_any(text, &BETWEEN)
}

/// Bytes of signs with which a word begins: nearly none does.
fn signs_before(word: &str) -> usize {
    if word.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return 0;
    }
    word.len() - word.trim_start_matches(['(', '[', '*', '_']).len()
}

fn without_signs(word: &str) -> &str {
    if word.ends_with(|c: char| c.is_ascii_alphanumeric()) {
        return word;
    }
    word.trim_end_matches([',', ';', ':', '.', ')', ']', '*', '_'])
}

/// The words of a text; `None` where one may take something back.
fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut tokens = Vec::with_capacity(text.len() / 5);
    let (mut at, mut sign) = (0, None);
    let ends = memchr::memchr_iter(b' ', text.as_bytes()).chain(std::iter::once(text.len()));
    for end in ends {
        let piece = &text[at..end];
        let lead = signs_before(piece);
        let word = without_signs(&piece[lead..]);
        let behind = &piece[lead + word.len()..];
        if piece[..lead].contains(['(', '[']) {
            sign = Some('(');
        }
        if word.is_empty() || matches!(word, "-" | "–" | "—") {
            sign = piece.chars().next().or(sign);
        } else {
            let (start, parts) = (at + lead, parts(word));
            if parts.has(Part::Hedge) {
                return None;
            }
            tokens.push(Token { word, start, end: start + word.len(), sign, parts });
            sign = behind.chars().find(|c| matches!(c, ',' | ';' | ':' | ')' | '.'));
            // `Inc. was`, `approx. 5`: no sentence ends within one.
            sign = sign.filter(|c| *c != '.');
        }
        at = end + 1;
    }
    Some(tokens)
}

impl Fact {
    fn written(&self, text: &str) -> String {
        let mut said = String::with_capacity(self.about.len() + self.end - self.start + 2);
        said.push_str(&self.about);
        if !self.about.is_empty() {
            said.push(' ');
        }
        said.push_str(&text[self.start..self.end]);
        said.push('.');
        said
    }
}

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a clause says where or in which time, or what comes with the rest.
fn is_narrowed(tokens: &[Token<'_>], fact: &Fact) -> bool {
    let mut own = tokens.iter().filter(|token| token.start >= fact.start && token.end <= fact.end).peekable();
    if own.peek().is_some_and(|verb| BUNDLED.contains(&verb.word)) {
        return true;
    }
    let mut before: Option<&Token<'_>> = None;
    for token in own {
        if before.is_some_and(|before| before.is(Part::Narrowing)) && (token.is_name() || is_year(token.word))
        {
            return true;
        }
        // `in the US`
        if !token.is(Part::Article) {
            before = Some(token);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_taken_apart_into_its_facts() {
        for (text, expected) in [
            (
                "Acme, a German maker of pumps, was founded in 1987 and employs 3,200 people.",
                &["Acme was founded in 1987.", "Acme employs 3,200 people."][..],
            ),
            (
                "Acme, which was founded in 1987, employs 3,200 people.",
                &["Acme was founded in 1987.", "Acme employs 3,200 people."],
            ),
            (
                "Under the simplified method, the deduction is $5 per square foot, so the maximum deduction is $1,500.",
                &[
                    "Under the simplified method, the deduction is $5 per square foot.",
                    "the maximum deduction is $1,500.",
                ],
            ),
            (
                "The bridge was designed by Carl Pihl and opened on 25 July 1879.",
                &["The bridge was designed by Carl Pihl.", "The bridge opened on 25 July 1879."],
            ),
            (
                "The phone weighs 180 g, making it the lightest of the year, and it has 12 GB of memory.",
                &["The phone weighs 180 g.", "The phone has 12 GB of memory."],
            ),
            (
                "The war ended in 1918 and killed millions.",
                &["The war ended in 1918.", "The war killed millions."],
            ),
            (
                "The price of a room is €90, and the costs of parking are €12.",
                &["The price of a room is €90.", "the costs of parking are €12."],
            ),
            (
                "Acme was founded in 1987, and its headquarters are in Berlin.",
                &["Acme was founded in 1987.", "Acme's headquarters are in Berlin."],
            ),
            (
                "Notion grew fastest in 2024, with revenue up 60% to $400 million.",
                &["Notion grew fastest in 2024."],
            ),
        ] {
            assert_eq!(facts(text), expected, "{text}");
        }
    }

    #[test]
    fn what_may_take_something_back_stays_whole() {
        for text in [
            "Acme employs 3,200 people and sells pumps if the plant is open.",
            "The plant was planned for 2019 and opened in 2021.",
            "The company employs 3,200 people.",
            "Bread and butter are cheap.",
            "In Ulm, Acme said that",
            "If it rains, the game is off and tickets are refunded.",
            "The report never said that the bridge is safe.",
            "Nobody at the ministry found that the bridge is safe.",
            "The bridge is safe, the ministry falsely told locals.",
            "",
        ] {
            assert!(facts(text).is_empty(), "{text}: {:?}", facts(text));
        }
        // Where the second happened may be where the first did.
        assert_eq!(
            facts("Acme employs 3,200 people and has five plants in Germany."),
            ["Acme has five plants in Germany."]
        );
    }
}
