//! What a question compares: `Huddle` and `Meetly` of `Compare Huddle and Meetly: price, encryption.`

use crate::domain::synthesis::gaps::aspect;
use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::words::{Lexicon, Term};

/// Things that are told apart at most.
const THINGS_MAX: usize = 4;
/// Words of a thing that has no name.
const WORDS_MAX: usize = 4;
/// What joins two of them; the last few only where the question says that it compares.
const JOINTS: [&str; 11] = ["and", "or", "vs", "versus", "against", "und", "oder", "et", "ou", "y", "gegen"];
const JOINTS_OF_COMPARISONS: [&str; 6] = ["with", "to", "mit", "con", "avec", "&"];
/// How a question says that.
const COMPARES: [&str; 4] = ["compar", "vergleich", "vs", "versus"];
#[rustfmt::skip]
const ARTICLES: [&str; 15] = ["the", "a", "an", "der", "die", "das", "den", "dem", "le", "la", "les", "el", "los", "las", "both"];

/// A word of a question.
struct Token<'q> {
    text: &'q str,
    /// Whether a comma stands behind it, or what ends more than a comma does.
    listed: bool,
    ends: bool,
    /// Whether it begins a sentence.
    first: bool,
}

/// What a question compares, each by the words that the others haven't; none where it compares nothing.
pub(super) fn compared(question: &str, lexicon: &mut Lexicon) -> Vec<Vec<Term>> {
    let tokens = tokens(question);
    let says_so = tokens.iter().any(|token| compares(token.text));
    let mut things = joined(&tokens, says_so, is_name);
    if things.len() < 2 && says_so {
        things = joined(&tokens, true, |token| !compares(token.text));
        things.retain(|thing| thing.split(' ').count() <= WORDS_MAX);
    }
    let terms = |thing: &String| lexicon.terms(thing).into_iter().map(aspect).collect::<Vec<_>>();
    let things: Vec<Vec<Term>> = things.iter().take(THINGS_MAX).map(terms).collect();
    let is_others =
        |at: usize, term: &Term| things.iter().zip(0..).any(|(of, other)| other != at && of.contains(term));
    let own = things.iter().zip(0..);
    let own = own.map(|(of, at)| of.iter().filter(|term| !is_others(at, term)).copied().collect::<Vec<_>>());
    let own: Vec<Vec<Term>> = own.filter(|own| !own.is_empty()).collect();
    if own.len() > 1 { own } else { Vec::new() }
}

fn tokens(question: &str) -> Vec<Token<'_>> {
    let mut first = true;
    let tokens = question.split_whitespace().map(|word| {
        let text = word.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '&' | '+' | '#')));
        let behind = word.rfind(text).map_or("", |at| &word[at + text.len()..]);
        let is_short = text.eq_ignore_ascii_case("vs");
        let ends = behind.contains(['.', ':', ';', '?', '!', ')']) && !is_short;
        let token = Token { text, listed: behind.contains(','), ends, first };
        first = ends;
        token
    });
    tokens.filter(|token| !token.text.is_empty()).collect()
}

fn compares(word: &str) -> bool {
    let lower = word.to_lowercase();
    begins_with_any(&lower, &COMPARES)
}

fn is_name(token: &Token<'_>) -> bool {
    token.text.contains(char::is_uppercase) && token.text != "I" && !compares(token.text)
        || token.text.starts_with(|c: char| c.is_ascii_digit())
}

/// The members of the first list with a joint in it, `Huddle, Meetly and Zoom`, where what may be one is told by `is_one`. A
/// list of a comparison needs no joint.
fn joined(tokens: &[Token<'_>], says_so: bool, is_one: impl Fn(&Token<'_>) -> bool) -> Vec<String> {
    let is_joint = |token: &Token<'_>| {
        let lower = token.text.to_lowercase();
        JOINTS.contains(&lower.as_str()) || says_so && JOINTS_OF_COMPARISONS.contains(&lower.as_str())
    };
    let (mut things, mut thing, mut has_joint) = (Vec::new(), String::new(), says_so);
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        let is_article = ARTICLES.contains(&token.text.to_lowercase().as_str());
        // A sentence begins with a capital, whatever its first word is.
        let begins = token.first && next.is_some_and(|next| is_one(next) && !is_joint(next));
        if is_joint(token) && !thing.is_empty() {
            things.push(std::mem::take(&mut thing));
            has_joint = true;
        } else if is_one(token) && !is_joint(token) && !is_article && !begins {
            thing = format!("{thing} {}", token.text).trim_start().to_owned();
        } else if !(is_article && thing.is_empty()) {
            things.clear();
            thing.clear();
        }
        let is_last = token.ends || next.is_none_or(|next| !(is_joint(next) || is_one(next)));
        if !thing.is_empty() && (token.listed || is_last) {
            things.push(std::mem::take(&mut thing));
        }
        if is_last && has_joint && things.len() > 1 {
            return things;
        }
        if token.ends {
            things.clear();
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compared_is_told_by_its_names() {
        for (question, things) in [
            ("Compare Huddle and Meetly: price, participants.", &["Huddle", "Meetly"][..]),
            ("Huddle vs. Meetly", &["Huddle", "Meetly"]),
            ("Is Huddle or Meetly cheaper?", &["Huddle", "Meetly"]),
            ("What do the Pixel 9 and the Pixel 8 cost?", &["9", "8"]),
            ("Compare Alpha, Beta and Gamma for pilots: weight", &["Alpha", "Beta", "Gamma"]),
            ("Which is quieter, the Hotel Adler or the Hotel Bellevue?", &["Adler", "Bellevue"]),
            ("Compare heat pumps and gas boilers: cost, noise.", &["heat pumps", "gas boilers"]),
            ("Vergleiche Adler mit Bellevue.", &["Adler", "Bellevue"]),
            ("What are the costs and risks of Acme?", &[]),
            ("What does Acme cost, and how long does it take?", &[]),
            ("Who is the CEO of Acme?", &[]),
            ("", &[]),
        ] {
            let mut lexicon = Lexicon::default();
            let found = compared(question, &mut lexicon);
            let mut terms = |thing: &&str| lexicon.terms(thing).into_iter().map(aspect).collect();
            let expected: Vec<Vec<Term>> = things.iter().map(&mut terms).collect();
            assert_eq!(found, expected, "{question}");
        }
    }
}
