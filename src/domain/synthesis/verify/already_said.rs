//! Whether some findings have all that a text says, in other words or another order: what is then said of it says nothing new.
//!
//! The text is held against the findings as a draft is against its sources, so a figure or a name that none of them has keeps
//! it apart. It has a lexicon of its own: what it learns of a few findings is nobody else's.

use super::evidence::{Evidence, Said};
use super::sentence::Sentence;
use crate::domain::text::sentences::sentences;
use crate::domain::text::words::Lexicon;

/// What findings say, ready to be asked.
pub(in crate::domain::synthesis) struct Told {
    lexicon: Lexicon,
    evidence: Evidence<'static>,
}

impl Told {
    /// Reads their texts. O(words · log words).
    pub fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Self {
        let of_text = |text: &'t str| sentences(text).into_iter().filter_map(move |range| text.get(range));
        let read = |text: &str| Said { text: text.to_owned().into(), by: Vec::new(), places: vec![0] };
        let said: Vec<Said<'static>> = texts.flat_map(of_text).map(read).collect();
        let places = vec![(0..said.len()).collect()];
        let mut lexicon = Lexicon::default();
        let evidence = Evidence::assembled(&mut lexicon, said, places, 1, "");
        Self { lexicon, evidence }
    }

    /// Whether they have each sentence of a text.
    pub fn has(&mut self, text: &str) -> bool {
        let Self { lexicon, evidence } = self;
        let parts = sentences(text).into_iter().filter_map(|range| text.get(range));
        let (mut all, mut any) = (true, false);
        for part in parts {
            let sentence = Sentence::read(lexicon, evidence, part);
            any |= sentence.states;
            all &= sentence.check(lexicon, evidence.at(&[0])).is_ok();
            if !all {
                break;
            }
        }
        all && any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_in_other_words_is_told_and_what_is_more_or_other_is_not() {
        let kept = [
            "Acme's annual revenue in Ohio grew by 42% in 2020.",
            "Acme opened three factories in Ohio. They employ 1,200 people.",
        ];
        let mut told = Told::of(kept.into_iter());
        for (text, expected) in [
            ("Annual revenue of Acme in Ohio rose by 42 % in 2020.", true),
            ("Acme opened three factories in Ohio.", true),
            ("Annual revenue of Acme in Ohio rose by 24 % in 2020.", false),
            ("Annual revenue of Acme in Ohio fell by 42 % in 2020.", false),
            ("Acme opened three factories in Ohio in 2016.", false),
            ("Acme opened three factories in Ohio. Zeta mines copper in Peru.", false),
            ("", false),
        ] {
            assert_eq!(told.has(text), expected, "{text}");
        }
    }
}
