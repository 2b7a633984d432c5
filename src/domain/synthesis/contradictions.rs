//! Statements about the same that can't both be true: another number, another date, a negation, the opposite word.
//!
//! Precision comes before recall: two statements are held against each other only where nearly all that they say is the
//! same but for one thing. Another year of context, overlapping ranges, rounding, bounds that fit and other names aren't contradictions. Bare
//! answers share nothing but the question, and are compared where that asks one thing. Nobody is declared right. Candidates share rare terms; each statement is compared with [`CHECKS_MAX`] others at most.

use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::words::Lexicon;

pub use self::answers::Asked;
pub(super) use self::answers::{is_called_answer, replies};
use self::between::between;
use self::described::describe;
use self::mentions::Bare;

mod alternatives;
mod ambiguous;
mod amounts;
mod anchored;
mod another;
mod answers;
mod apart;
mod besides;
mod between;
mod bounds;
mod bracketed;
mod candidates;
mod circumstances;
mod clauses;
mod compared;
mod contents;
mod converted;
mod copula;
mod counted;
mod crowded;
mod dates;
mod denied;
mod derived;
mod described;
pub(in crate::domain) mod differ;
mod elsewhere;
mod exchanged;
mod existing;
mod facts;
mod flags;
mod free;
mod gist;
mod holders;
mod korean;
mod labelled;
mod light;
mod listed;
mod main_clause;
mod measured;
mod mentions;
mod named;
mod narrowed;
mod near;
mod none;
mod not_before;
mod numbered;
mod offices;
mod open_dates;
mod opposites;
mod outlets;
pub(super) mod plain;
mod priced_objects;
mod rates;
mod reading;
mod refuted;
mod reversed;
mod rights;
mod rows;
mod rules;
mod scheduled;
mod sellers;
mod since;
mod spans;
mod superlatives;
mod swapped;
mod tails;
#[cfg(test)]
mod tests;
mod trailing;
mod turned;
mod units;
mod weekdays;

/// With how many others one statement is compared at most.
pub const CHECKS_MAX: usize = 16;
/// What differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A number of the same unit.
    Number,
    /// A date, where nothing else differs.
    Date,
    /// One is the negation of the other.
    Negation,
    /// One has the opposite word.
    Polarity,
    /// Another answer in words to what was asked.
    Answer,
    /// What only one can be is said of another.
    Holder,
}

/// A statement, verbatim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The sentence.
    pub text: String,
    /// The line above it that makes it contradict the other, where that doesn't stand in it.
    pub lead_in: Option<String>,
    /// Its first source, where it has one.
    pub source: Option<usize>,
    /// Who says it.
    pub subagent: String,
}

/// Two statements that can't both be true.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// What differs, in a sentence.
    pub description: String,
    /// What kind of thing differs.
    pub kind: Kind,
    /// Both statements, ordered by their texts.
    pub statements: [Said; 2],
    /// All sources of both, ascending.
    pub sources: Vec<usize>,
    /// What to do about it, in a sentence.
    pub suggestion: String,
    /// The places of both statements in the input.
    pub places: [usize; 2],
}

/// What was found, and how much was compared.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contradictions {
    /// Ordered by kind and texts.
    pub found: Vec<Contradiction>,
    /// How many pairs were compared.
    pub pairs_checked: usize,
    /// How many statements are like more others than they were compared with.
    pub unchecked: usize,
}

/// A contradiction that isn't put into words yet: of many only some are shown.
pub struct Differing {
    /// The places of both statements in the input.
    pub places: [usize; 2],
    difference: differ::Difference,
    /// The lines above both, where they differ by those.
    lead_ins: [String; 2],
}

impl Differing {
    fn new(places: [usize; 2], difference: differ::Difference) -> Self {
        Self { places, difference, lead_ins: Default::default() }
    }

    /// What kind of thing differs.
    pub fn kind(&self) -> Kind {
        self.difference.kind
    }

    /// The same in words.
    pub fn described(self, statements: &[Statement<'_>]) -> Contradiction {
        describe(statements, self)
    }
}

/// Finds contradictions between statements of different subagents or sources. `features` belong to the same places.
pub fn contradictions(statements: &[Statement<'_>], features: &[Features<'_>]) -> Contradictions {
    let (order, asked) = ((0..statements.len()).collect(), Asked::default());
    let Compared { found, pairs_checked, unchecked } = differing(statements, features, order, &asked);
    let found = found.into_iter().map(|differing| differing.described(statements)).collect();
    Contradictions { found, pairs_checked, unchecked }
}

/// The same, not in words yet.
pub struct Compared {
    /// What was found.
    pub found: Vec<Differing>,
    /// How many pairs were compared.
    pub pairs_checked: usize,
    /// How many statements are like more others than they were compared with.
    pub unchecked: usize,
}

/// Finds the same, and between bare answers to what was `asked`, and puts nothing into words. `order` are all places, in any order: that
/// of the texts is the fastest.
pub fn differing(
    statements: &[Statement<'_>],
    features: &[Features<'_>],
    order: Vec<usize>,
    asked: &Asked<'_>,
) -> Compared {
    // What only names a source says nothing of the subject.
    let bare: Vec<Option<Bare>> = features.iter().map(|of| mentions::without(of.text)).collect();
    let mut lexicon = Lexicon::default();
    let texts = bare.iter().map(|bare| bare.as_ref().map(|bare| bare.text.as_str()));
    let read: Vec<Option<Features<'_>>> =
        texts.map(|text| text.map(|text| Features::of(&mut lexicon, text))).collect();
    let features: Vec<&Features<'_>> =
        features.iter().zip(&read).map(|(of, read)| read.as_ref().unwrap_or(of)).collect();
    let section = |at: usize| bare[at].as_ref().and_then(|bare| bare.section.as_deref());
    between(statements, &features, order, &section, asked, &mut lexicon)
}
