//! Statements about the same that can't both be true: another number, another date, a negation, the opposite word.
//!
//! Precision comes before recall: two statements are held against each other only where nearly all that they say is the
//! same but for one thing. Another year of context, overlapping ranges, rounding, bounds that fit and other names aren't contradictions. Bare
//! answers share nothing but the question, and are compared where that asks one thing. Nobody is declared right. Candidates share rare terms; each statement is compared with [`CHECKS_MAX`] others at most.

use std::collections::BTreeSet;

use crate::domain::aggregate::near_duplicates::Features;
use crate::domain::synthesis::claims::{Row, Statement};
use crate::domain::text::words::Lexicon;
use crate::domain::wanted::still_wanted;

use self::anchored::Anchors;
pub use self::answers::Asked;
pub(super) use self::answers::is_called_answer;
use self::candidates::candidates;
use self::described::describe;
use self::mentions::Bare;
use self::reading::Reading;

mod alternatives;
mod ambiguous;
mod amounts;
mod anchored;
mod answers;
mod apart;
mod besides;
mod bounds;
mod bracketed;
mod candidates;
mod compared;
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
mod free;
mod holders;
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
mod numbered;
mod open_dates;
mod opposites;
mod outlets;
mod plain;
mod priced_objects;
mod rates;
mod reading;
mod refuted;
mod reversed;
mod rights;
mod rows;
mod rules;
mod scheduled;
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

/// The same of statements without what only names a source; `section` is that of the law which one rests on.
fn between<'b>(
    statements: &[Statement<'_>],
    features: &[&Features<'_>],
    mut order: Vec<usize>,
    section: &dyn Fn(usize) -> Option<&'b str>,
    asked: &Asked<'_>,
    lexicon: &mut Lexicon,
) -> Compared {
    order.sort_by(|&a, &b| {
        let (a, b) = (&statements[a], &statements[b]);
        a.text.cmp(b.text).then_with(|| key(a).cmp(&key(b)))
    });
    let texts = texts(&order, statements);
    let (mut found, mut pairs_checked, mut seen) = (Vec::new(), 0, BTreeSet::<[usize; 2]>::new());
    let all = statements.iter().zip(features);
    let readings: Vec<Reading<'_, '_>> = all.map(|(said, of)| Reading::new(said, of)).collect();
    let may_contradict = |one: usize, other: usize| independent(&statements[one], &statements[other]);
    let worth = candidates(&order, &readings, &may_contradict);
    for (one, other) in worth.pairs {
        still_wanted();
        let other_rule = section(one).zip(section(other)).is_some_and(|(mine, theirs)| mine != theirs);
        if other_rule {
            continue;
        }
        pairs_checked += 1;
        // The same two sentences again, of others.
        let both = [texts[one], texts[other]];
        if seen.contains(&both) {
            continue;
        }
        let (mine, theirs) = (&readings[one], &readings[other]);
        if let Some(difference) = rules::difference(mine, theirs)
            && !elsewhere::are_of_others((mine.said, mine.of), (theirs.said, theirs.of), lexicon)
            && seen.insert(both)
        {
            found.push(Differing::new([one, other], difference));
        }
    }
    let (between_rows, of_rows) = rows::differences(&order, statements, features);
    let (between_labels, of_labels) = labelled::differences(&order, statements, features);
    let (between_objects, of_objects) = priced_objects::differences(&order, statements);
    let (between_amounts, of_amounts) = amounts::differences(&order, statements, features, lexicon);
    let (between_measured, of_measured) = measured::differences(&order, statements, features, lexicon);
    let answers = answers::differences(asked, statements, features);
    let listed = listed::differences(&order, (statements, features), asked, lexicon);
    pairs_checked += of_rows
        + of_labels
        + of_objects
        + of_amounts
        + of_measured
        + answers.pairs_checked
        + listed.pairs_checked;
    let others = between_rows.into_iter().chain(between_labels).chain(between_objects);
    let others = others
        .chain(between_amounts)
        .chain(between_measured)
        .chain(answers.found)
        .map(|(places, difference)| Differing::new(places, difference));
    for differing in others.chain(listed.found) {
        if seen.insert(differing.places.map(|at| texts[at])) {
            found.push(differing);
        }
    }
    let anchors = Anchors::new(statements);
    found.retain(|differing| !anchors.are_of_others(differing.places));
    found.sort_by(|a, b| sort_key(statements, a).cmp(&sort_key(statements, b)));
    Compared { found, pairs_checked, unchecked: worth.unchecked + answers.unchecked }
}

/// By statement which text it has, as a number: equal texts stand side by side in `order`.
fn texts(order: &[usize], statements: &[Statement<'_>]) -> Vec<usize> {
    let mut texts = vec![0; statements.len()];
    for (rank, &at) in order.iter().enumerate().skip(1) {
        let before = order[rank - 1];
        texts[at] = texts[before] + usize::from(statements[before].text != statements[at].text);
    }
    texts
}

fn key<'s, 't>(of: &'s Statement<'t>) -> (&'s str, &'s str, &'s [usize], &'s str, Option<Row<'t>>) {
    (of.text, of.subagent, &of.sources, of.heading, of.row)
}

fn sort_key<'t>(statements: &[Statement<'t>], of: &Differing) -> (Kind, &'t str, &'t str) {
    let [one, other] = of.places.map(|at| statements[at].text);
    (of.kind(), one, other)
}

/// Whether they come from different subagents, or from different sources.
fn independent(one: &Statement<'_>, other: &Statement<'_>) -> bool {
    let apart = !one.sources.is_empty()
        && !other.sources.is_empty()
        && one.sources.iter().all(|source| !other.sources.contains(source));
    one.subagent != other.subagent || apart
}
