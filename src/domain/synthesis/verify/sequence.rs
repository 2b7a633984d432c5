//! What came before what: `prices rose before the vote` for `prices rose after the vote`, `they offered a raise after the strike ended`
//! for `the strike ended after they offered a raise`.

use std::collections::BTreeSet;
use std::ops::Range;

use super::connecting::is_connecting;
use super::scope::tokens;
use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::text::words::Term;

/// Of each language the words behind which stands what came later, and those behind which stands what came first.
#[rustfmt::skip]
const WORDS: &[(&str, &[&str], &[&str])] = &[
    ("English", &["before"], &["after"]),
    ("German", &["bevor", "vor"], &["nachdem", "nach"]),
    ("French", &["avant"], &["après"]),
    ("Spanish", &["antes"], &["después", "tras"]),
    ("Italian", &["prima"], &["dopo"]),
    ("Portuguese", &["antes"], &["depois", "após"]),
    ("Dutch", &["voordat", "voor"], &["nadat", "na"]),
    ("Russian", &["до", "перед"], &["после"]),
];
/// The same in Chinese, behind what it belongs to.
const BEFORE_BEHIND: &[char] = &['前'];
const AFTER_BEHIND: &[char] = &['后', '後'];

/// Whether what a claim says came first is what the sentence says came later, and the other way round.
pub(super) fn is_turned(claim: &Features<'_>, said: &Features<'_>, language: &str) -> bool {
    let (Some(mine), Some(theirs)) = (order(claim, language), order(said, language)) else { return false };
    let crosses = |at: usize| {
        let only = |of: &[BTreeSet<Term>; 2], at: usize| -> BTreeSet<Term> {
            of[at].difference(&of[1 - at]).copied().collect()
        };
        let (own, same, other) = (only(&mine, at), only(&theirs, at), only(&theirs, 1 - at));
        let crossed = own.intersection(&other).count();
        crossed > 0 && crossed > own.intersection(&same).count()
    };
    crosses(0) && crosses(1)
}

/// What came first and what came later.
fn order(of: &Features<'_>, language: &str) -> Option<[BTreeSet<Term>; 2]> {
    let text = of.text;
    let (marker, is_after, dependent) = spoken(text, language).or_else(|| written_behind(text))?;
    let inside = |start: usize| dependent.contains(&start);
    let says = |role: Role| matches!(role, Role::Content | Role::Name | Role::Character | Role::Figure);
    let all = of.elements.iter().filter(|element| {
        let word = &text[element.start..element.end];
        says(element.role) && !marker.contains(&element.start) && !is_connecting(word)
    });
    let (of_it, others): (Vec<_>, Vec<_>) = all.partition(|element| inside(element.start));
    let terms =
        |of: Vec<&Element>| -> BTreeSet<Term> { of.into_iter().map(|element| element.term).collect() };
    let (of_it, others) = (terms(of_it), terms(others));
    Some(if is_after { [of_it, others] } else { [others, of_it] })
}

/// The first such word, whether it says `after`, and what stands behind it in its clause.
fn spoken(text: &str, language: &str) -> Option<(Range<usize>, bool, Range<usize>)> {
    let (_, before, after) = WORDS.iter().find(|(of, ..)| *of == language)?;
    let listed = |word: &str| before.contains(&word) || after.contains(&word);
    let (range, word) = tokens(text).find(|(_, word)| listed(word))?;
    let comma = text[range.end..].find([',', ';']).map(|at| range.end + at);
    // `After the vote, prices rose`: without the comma its end can't be told.
    let begins = text[..range.start].trim().is_empty();
    let end = if begins { comma? } else { comma.unwrap_or(text.len()) };
    Some((range.clone(), after.contains(&word.as_str()), range.end..end))
}

/// The same where it stands behind: `在投票前`, `投票后，`.
fn written_behind(text: &str) -> Option<(Range<usize>, bool, Range<usize>)> {
    let (at, c) = text.char_indices().find(|(_, c)| BEFORE_BEHIND.contains(c) || AFTER_BEHIND.contains(c))?;
    let end = at + c.len_utf8();
    let from = text[..at].rfind(['在', '，', '。']).map_or(0, |from| from + '在'.len_utf8());
    let is_led = text[..from].ends_with('在') || text[end..].starts_with('，');
    (is_led && from < at).then_some((at..end, AFTER_BEHIND.contains(&c), from..at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn what_came_first_came_first() {
        let mut lexicon = Lexicon::default();
        let strike = "The strike was called off after the company offered a raise";
        for (claim, said, language, turned) in [
            ("The company offered a raise after the strike was called off", strike, "English", true),
            ("The company offered a raise before the strike was called off", strike, "English", false),
            ("After the company offered a raise, the strike was called off", strike, "English", false),
            ("De prijzen stegen na de stemming", "De prijzen stegen voor de stemming", "Dutch", true),
            ("De prijzen stegen voor de bedrijven", "De prijzen stegen na de stemming", "Dutch", false),
            ("价格在投票后上涨", "价格在投票前上涨", "Chinese", true),
            ("投票前，价格上涨", "价格在投票前上涨", "Chinese", false),
            ("Los precios subieron antes del voto", "Los precios subieron tras el voto", "Spanish", true),
        ] {
            let (mine, theirs) = (Features::of(&mut lexicon, claim), Features::of(&mut lexicon, said));
            assert_eq!(is_turned(&mine, &theirs, language), turned, "{claim} / {said}");
        }
    }
}
