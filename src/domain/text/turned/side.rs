//! On which side of a question a line puts what is listed below it: `Included` and `Not included`, `Allowed` and `Prohibited`.

use std::ops::Range;

use super::stems::{GENERIC, NAMES, NOT_DENYING, SIDES, Sides};
use super::{Turn, turn, words};
use crate::domain::distinct::distinct;
use crate::domain::text::keys::in_words;
use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::polarity::polarity;
use crate::domain::text::words::{Kind, Lexicon, Term, Word};

/// What a line says of what is listed below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Side {
    /// Whether it says that it isn't so.
    pub is_denied: bool,
    /// What it is about, by the place in [`SIDES`].
    kind: Option<usize>,
    /// What else it says, ascending.
    terms: Vec<Term>,
}

impl Side {
    /// `None` for a line that says neither, as all do that restrict, and those that deny twice: `Not excluded`.
    pub fn of(line: &str, lexicon: &mut Lexicon) -> Option<Self> {
        let line = &*in_words(line);
        let is_denied = match turn(line) {
            Some(Turn::Restricts) => return None,
            turned => turned == Some(Turn::Denies),
        };
        let said: Vec<(Range<usize>, String)> = in_lower_case(line).collect();
        let kind = SIDES.iter().position(|sides| places(line, &said, sides).next().is_some());
        let denies = |sides: &Sides| said.iter().any(|(_, word)| begins_with_any(word, sides.denying));
        if kind.is_some_and(|kind| denies(&SIDES[kind])) && super::negates(line, false) {
            return None;
        }
        let named: Vec<Range<usize>> =
            kind.map_or_else(Vec::new, |kind| places(line, &said, &SIDES[kind]).collect());
        let is_name = |range: &Range<usize>| NAMES.contains(&&*line[range.clone()].to_lowercase());
        if !is_denied && !named.is_empty() && named.iter().all(is_name) {
            return None;
        }
        let says = |range: &Range<usize>| {
            let is_named = named.iter().any(|named| named.start < range.end && range.start < named.end);
            !is_named && !begins_with_any(&line[range.clone()].to_lowercase(), GENERIC)
        };
        let found = lexicon.words(line);
        let marked = polarity(line, &found);
        let negates = |word: &Word| marked.iter().any(|of| of.mark.is_negation() && of.start == word.start);
        let is_content = |word: &Word| word.kind != Kind::Stopword && !negates(word) && says(&word.range());
        let content = found.iter().filter(|word| is_content(word));
        let terms: Vec<Term> = distinct(content.map(|word| word.term));
        (kind.is_some() || !terms.is_empty()).then_some(Self { is_denied, kind, terms })
    }

    /// Whether it is about what all lists may be of: `Included`.
    pub fn is_plain(&self) -> bool {
        self.kind.is_some()
    }

    /// Whether what is listed below one isn't below the other, if both are about the same.
    pub fn opposes(&self, other: &Self) -> bool {
        self.is_denied != other.is_denied
            && self.kind == other.kind
            && (self.kind.is_some() || self.terms == other.terms)
    }

    /// What it says of whose list this is: `free plan` in `Not included in the free plan`.
    pub fn subject(&self) -> &[Term] {
        if self.kind.is_some() { &self.terms } else { &[] }
    }
}

/// The words of a line, each with its place.
fn in_lower_case(line: &str) -> impl Iterator<Item = (Range<usize>, String)> {
    words(line).map(|word| {
        let start = word.as_ptr() as usize - line.as_ptr() as usize;
        (start..start + word.len(), word.to_lowercase())
    })
}

/// Where the words of a kind stand in a line, with the negation before those that are written without spaces.
fn places<'l>(
    line: &'l str,
    said: &'l [(Range<usize>, String)],
    sides: &'l Sides,
) -> impl Iterator<Item = Range<usize>> + 'l {
    let is_one = |word: &&str| {
        !NOT_DENYING.contains(word)
            && (begins_with_any(word, sides.denying) || begins_with_any(word, sides.affirming))
    };
    let whole = said.iter().filter(move |(_, word)| is_one(&word.as_str())).map(|(range, _)| range.clone());
    let stems = sides.denying.iter().chain(sides.affirming).filter(|stem| super::is_in_wide(line, stem));
    let wide = stems.flat_map(move |stem| line.match_indices(*stem)).map(move |(at, stem)| {
        let before = line[..at].trim_end_matches(['不', '未', '没', '无']);
        before.len()..at + stem.len()
    });
    whole.chain(wide)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(line: &str) -> Option<Side> {
        Side::of(line, &mut Lexicon::default())
    }

    fn oppose(one: &str, other: &str) -> bool {
        let (one, other) = (side(one), side(other));
        one.zip(other).is_some_and(|(one, other)| one.opposes(&other) && other.opposes(&one))
    }

    #[test]
    fn lists_that_cannot_have_the_same_in_them_are_known() {
        for (one, other) in [
            ("Included", "Not included"),
            ("What's covered", "Not covered"),
            ("The policy covers", "The policy does not cover"),
            ("Covered services", "Exclusions"),
            ("Allowed", "Prohibited"),
            ("Permitted items", "Not allowed"),
            ("Supported platforms", "Unsupported platforms"),
            ("Compatible devices", "Not supported"),
            ("Recommended", "Contraindicated"),
            ("It supports", "It does not support"),
            ("Required", "Not required"),
            ("Affected", "Not affected"),
            ("included", "not_included"),
            ("included", "notIncluded"),
            ("Enthalten", "Nicht enthalten"),
            ("Erlaubt", "Verboten"),
            ("Compris", "Non compris"),
            ("Incluido", "No incluido"),
            ("包含", "不包含"),
            ("费用包含", "费用不包含"),
            ("支持", "不支持"),
        ] {
            assert!(oppose(one, other), "{one} / {other}");
        }
        for (one, other) in [
            ("Included", "Covered"),
            ("Not included", "Excluded"),
            ("Included", "Not allowed"),
            ("Recommended", "Not covered"),
            ("Required", "Not affected"),
            ("Included", "Included only if you pay"),
            ("Not excluded", "Included"),
            ("Pros", "Cons"),
            ("Key findings", "Not covered"),
            ("Exclusive offers", "Excluded"),
            ("", "Not"),
            ("Support", "Not supported"),
            ("Permits", "Not permitted"),
        ] {
            assert!(!oppose(one, other), "{one} / {other}");
        }
    }

    #[test]
    fn whose_list_it_is_stands_beside_what_it_says() {
        let subject = |line: &str| side(line).unwrap().subject().len();
        assert_eq!(subject("Not included in the free plan"), 2);
        assert_eq!(
            (subject("What's included"), subject("Not covered services"), subject("费用不包含")),
            (0, 0, 1)
        );
        assert_eq!(subject("Not required"), 0);
    }
}
