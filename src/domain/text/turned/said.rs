//! What the words of a line do, read in one go: every heading is asked, and nearly all do nothing.

use std::sync::LazyLock;

use super::stems::{DENYING, NOT_DENYING, PHRASE_WORDS, RESTRICTING, SIDES, UNTRUE};
use super::wide::Wide;
use super::{is_called_none, is_capital, is_in_wide, words};
use crate::domain::text::scripts::is_wide;

/// What the words of a line do.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// One restricts what follows.
    pub(super) restricts: bool,
    /// One is of a phrase that does.
    pub(super) may_restrict: bool,
    denies: bool,
    /// One is `non`, which may deny the next.
    has_non: bool,
}

/// What a word does, or a word that begins with it.
#[derive(Clone, Copy)]
enum Effect {
    /// The whole word.
    Restricts,
    /// The whole word.
    MayRestrict,
    /// Whatever begins with it.
    Denies,
    /// The whole word.
    Non,
}

/// All such words by their first byte.
static BY_FIRST: LazyLock<[Vec<(&str, Effect)>; 256]> = LazyLock::new(|| {
    let mut by_first = [const { Vec::new() }; 256];
    let mut list = |all: &[&'static str], effect| {
        for word in all {
            by_first[usize::from(word.as_bytes()[0])].push((*word, effect));
        }
    };
    list(RESTRICTING, Effect::Restricts);
    list(PHRASE_WORDS, Effect::MayRestrict);
    for stems in denying() {
        list(stems, Effect::Denies);
    }
    list(&["non"], Effect::Non);
    by_first
});

/// Those of them that are written without spaces.
static WIDE_DENYING: LazyLock<Wide> =
    LazyLock::new(|| Wide::of(denying().flatten().copied().filter(|stem| stem.starts_with(is_wide))));

/// The beginnings of all words that deny.
fn denying() -> impl Iterator<Item = &'static [&'static str]> {
    SIDES.iter().map(|sides| sides.denying).chain([DENYING, UNTRUE])
}

impl Said {
    /// `lowered` is the line in lower case.
    pub(super) fn of(line: &str, lowered: &str) -> Self {
        let mut said = Self::default();
        for word in words(lowered) {
            for (known, effect) in &BY_FIRST[usize::from(word.as_bytes()[0])] {
                match effect {
                    // `SI` is a name.
                    Effect::Restricts => {
                        said.restricts |= word == *known && (word.len() > 2 || !is_capital(line, word));
                    }
                    Effect::MayRestrict => said.may_restrict |= word == *known,
                    Effect::Denies => {
                        said.denies |= word.starts_with(known) && !NOT_DENYING.contains(&word);
                    }
                    Effect::Non => said.has_non |= word == *known,
                }
            }
        }
        said
    }

    /// Whether there is a word that denies, and none that only looks like it.
    pub(super) fn names_denial(&self, line: &str, lowered: &str) -> bool {
        let is_wide_one =
            || WIDE_DENYING.is_in(line) && !NOT_DENYING.iter().any(|word| is_in_wide(line, word));
        self.denies
            || self.has_non && is_called_none(lowered)
            || !line.is_ascii() && line.contains(is_wide) && is_wide_one()
    }
}

#[cfg(test)]
mod tests {
    use super::super::stems::RESTRICTING_PHRASES;
    use super::*;

    #[test]
    fn each_phrase_that_restricts_is_looked_for() {
        for phrase in RESTRICTING_PHRASES {
            assert!(Said::of(phrase, phrase).may_restrict, "{phrase}");
        }
        assert!(!Said::of("Key findings", "key findings").may_restrict);
    }

    #[test]
    fn words_that_only_begin_like_another_do_nothing() {
        let said = Said::of("Iffy solos, exclusive offers", "iffy solos, exclusive offers");
        assert!(!said.restricts && !said.denies && !said.has_non);
        assert!(Said::of("Exclusions", "exclusions").denies && Said::of("If", "if").restricts);
        assert!(
            !Said::of("SI units", "si units").restricts && Said::of("Non compris", "non compris").has_non
        );
    }
}
