//! What of a sentence only says who says so, or why: `As the manual warns, …`, `…, the log says`, `Researchers found that …`.

use super::Token;
use super::sentence::denies;
use super::verbs::Part;

/// Words of it.
const WORDS_MAX: usize = 10;
/// What begins a sentence with who says so.
const BY: [&str; 5] = ["According", "Selon", "Según", "D'après", "Laut"];
/// With what it is unlike, or why it is so.
const BESIDE: [&str; 4] = ["Unlike", "Because", "Thanks", "Despite"];

/// Where a sentence begins without it.
pub(super) fn lead(tokens: &[Token<'_>]) -> usize {
    let Some(first) = tokens.first() else { return 0 };
    let near = &tokens[..tokens.len().min(WORDS_MAX + 1)];
    let until = |is_end: &dyn Fn(usize) -> bool| {
        let found = (1..near.len()).find(|at| is_end(*at));
        found.filter(|end| is_plain(&tokens[..*end])).unwrap_or(0)
    };
    let at_comma = until(&|at| tokens[at].sign == Some(','));
    let says = at_comma > 1 && tokens[at_comma - 1].is(Part::Says);
    if at_comma > 0 && BY.contains(&first.word) || BESIDE.contains(&first.word) || first.word == "As" && says
    {
        return at_comma;
    }
    // `Laut Geschäftsbericht erzielte …`
    if first.word == "Laut" {
        return until(&|at| tokens[at].is(Part::Verb));
    }
    // `Researchers found that …`
    let that = until(&|at| tokens[at].word == "that" && at > 1 && tokens[at - 1].is(Part::Says));
    if that == 0 { 0 } else { that + 1 }
}

/// How many words it has without it.
pub(super) fn end(tokens: &[Token<'_>]) -> usize {
    let comma = tokens.iter().rposition(|token| token.sign == Some(','));
    let Some(comma) = comma.filter(|comma| tokens.len() - comma <= WORDS_MAX) else { return tokens.len() };
    let tail = &tokens[comma..];
    let says = |at: usize| tail.get(at).is_some_and(|token| token.is(Part::Says));
    // `the log says`, `locals told us`, `a précisé la préfecture`
    let is_told = tail.len() > 1 && (says(tail.len() - 1) || says(tail.len() - 2))
        || tail.len() > 2 && tail[0].word == "a" && says(1);
    if is_told && tail[0].word != "which" && !denies(tail) { comma } else { tokens.len() }
}

/// Whether words say nothing of when, and deny nothing: what `the report never said` is no fact.
fn is_plain(tokens: &[Token<'_>]) -> bool {
    !denies(tokens) && !tokens.iter().any(|token| token.word.contains(|c: char| c.is_ascii_digit()))
}
