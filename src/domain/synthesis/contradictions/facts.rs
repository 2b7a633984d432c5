//! The clauses of statements that are compared, and tell several facts.

use std::ops::Range;

use super::clauses;
use super::reading::Reading;
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::words::Lexicon;

/// What the clauses of some statements say.
pub(super) struct Told {
    texts: Vec<String>,
    /// By statement, which of the texts are its own.
    ranges: Vec<Range<usize>>,
}

impl Told {
    /// Of those statements that `pairs` are of. Rows and members of JSON have none.
    pub(super) fn of(
        pairs: &[(usize, usize)],
        statements: &[Statement<'_>],
        features: &[&Features<'_>],
    ) -> Self {
        let mut is_asked = vec![false; statements.len()];
        for &(one, other) in pairs {
            is_asked[one] = true;
            is_asked[other] = true;
        }
        let (mut texts, mut ranges) = (Vec::new(), Vec::with_capacity(statements.len()));
        for (at, statement) in statements.iter().enumerate() {
            let from = texts.len();
            if is_asked[at] && statement.row.is_none() {
                texts.append(&mut clauses::facts(features[at].text));
            }
            ranges.push(from..texts.len());
        }
        Self { texts, ranges }
    }

    /// The place of the statement that each text is of.
    fn origins(&self) -> impl Iterator<Item = usize> {
        self.ranges.iter().enumerate().flat_map(|(at, range)| range.clone().map(move |_| at))
    }
}

/// The clauses, as statements of who says the whole.
pub(super) struct Facts<'a> {
    told: &'a Told,
    statements: Vec<Statement<'a>>,
    features: Vec<Features<'a>>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(told: &'a Told, wholes: &[Statement<'a>], lexicon: &mut Lexicon) -> Self {
        let both = told.texts.iter().zip(told.origins());
        let statements = both.map(|(text, at)| Statement { text, ..wholes[at].clone() }).collect();
        let features = told.texts.iter().map(|text| Features::of(lexicon, text)).collect();
        Self { told, statements, features }
    }

    /// What is read of each, in the order of the texts.
    pub(super) fn readings(&self) -> Vec<Reading<'_, 'a>> {
        let both = self.statements.iter().zip(&self.features);
        both.map(|(said, of)| Reading::new(said, of)).collect()
    }

    /// Which of the readings are those of a statement.
    pub(super) fn of(&self, statement: usize) -> Range<usize> {
        self.told.ranges[statement].clone()
    }
}
