//! A cause, an order or a purpose that a claim puts between facts, and that nothing of what it was made from does.

use super::{Near, Sentence};
use crate::domain::synthesis::verify::against::Against;
use crate::domain::synthesis::verify::linked::made_up;
use crate::domain::synthesis::verify::predicate::of_another;
use crate::domain::synthesis::verify::reason::{Reason, named, verb};

/// Related sentences in which the link is looked for.
const NEAR_MAX: usize = 16;

impl Sentence<'_> {
    /// What it says of one, and what it was made from only says of another.
    pub(super) fn said_of_another(&self, against: Against<'_, '_>, near: &Near<'_>) -> Option<Reason> {
        let names = |word: &str| {
            let known = self.words.iter().find(|own| self.text[own.range()] == *word);
            known.is_some_and(|own| against.evidence.is_name(own.term)) || near.names(word)
        };
        let word = of_another(self.text, near.texts(), names)?;
        let sources = named(against.chosen, against.evidence.sources);
        Some(Reason::new(
            "names_swapped",
            format!("{sources} {} “{word}” of another", verb(against.chosen, "says", "say")),
        ))
    }

    pub(super) fn linked(&self, against: Against<'_, '_>) -> Option<Reason> {
        let tongue = self.tongue.as_ref()?;
        let near = self.of(against).take(NEAR_MAX);
        let texts: Vec<&str> = near.map(|(at, _)| against.evidence.said[at].text.as_ref()).collect();
        let words = made_up(self.text, &texts, tongue)?;
        let (sources, says) =
            (named(against.chosen, against.evidence.sources), verb(against.chosen, "links", "link"));
        let detail = format!("nothing that {sources} {says} is told by “{words}”");
        Some(Reason::new("unsupported", detail))
    }
}
