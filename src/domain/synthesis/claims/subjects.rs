//! What a short statement is about stands around it: `Wireless charging is supported.` under `Pixel 9` and under `iPhone 16` are two.
//!
//! Headings are worded freely, and what two reports say is the same under `Costs` and under `Pricing`. So only names and figures tell
//! subjects apart, and only where each heading has one that neither the other heading nor the statement has. Linear in the
//! statements; of one cluster [`SUBJECTS_MAX`] headings are held against each other.

use std::collections::{BTreeMap, BTreeSet};

use self::antecedent::Antecedent;
pub(in crate::domain) use self::asked::told_apart;
use self::bare::bare;
use self::generic::is_generic;
pub(in crate::domain::synthesis) use self::headed::are_headed_alike;
use self::named::{lowered, names, names_of_task, subject_of_task};
use self::ordered::asks;
use self::own::own;
pub(in crate::domain::synthesis) use self::paths::Paths;
pub(super) use self::sense::Sense;
use self::sources::without_sources;
use super::Statement;
use crate::domain::near_duplicates::{Cluster, Features, Role, Union};
use crate::domain::synthesis::contradictions::differ;
use crate::domain::text::language::told;
use crate::domain::text::polarity::{Mark, polarity};
use crate::domain::text::pronouns::begins_with_pronoun;
use crate::domain::text::terms::TermSet;
use crate::domain::text::turned::turn_of_heading;
use crate::domain::text::words::{Kind, Lexicon, Term};

mod antecedent;
mod asked;
mod bare;
mod generic;
mod headed;
mod named;
mod ordered;
mod own;
mod paths;
mod places;
mod sense;
mod sources;
#[cfg(test)]
mod tests;

/// Content terms of a statement that says itself what it is about.
pub(in crate::domain::synthesis) const LONG: usize = 8;
/// Different subjects of one cluster that are held against each other: beyond them each is one.
const SUBJECTS_MAX: usize = 32;

/// What tells a statement's subject from others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Subject {
    /// The names and figures of what stands around it, sorted.
    names: Vec<Term>,
    /// Of a task all else: only tasks that are the same but for a name tell subjects apart.
    rest: Option<Vec<Term>>,
    /// The words of the line above an item that have an opposite.
    marks: Vec<Mark>,
    /// Of a statement that begins with a pronoun, what that stands for, where no name tells.
    meant: Option<Antecedent>,
}

impl Subject {
    fn of(statement: &Statement<'_>, lexicon: &mut Lexicon, known: &Known<'_>) -> Self {
        let around = &statement.around;
        let own = own(known.says);
        let of_line = |line: &str, lexicon: &mut Lexicon| {
            let mut names = names(&without_sources(line, own), lexicon, known.lowered, known.are_capital);
            names.retain(|name| !known.says.words.iter().any(|word| word.term == *name));
            names
        };
        let mut found = Self::default();
        for line in [around.announced, statement.heading] {
            if found.names.is_empty() && !line.is_empty() {
                found.names = of_line(line, lexicon);
            }
        }
        if statement.heading.is_empty() && around.announced.is_empty() && known.may_name(around.task, lexicon)
        {
            let (mut names, rest) = subject_of_task(&without_sources(around.task, own), lexicon);
            names.retain(|name| !known.says.words.iter().any(|word| word.term == *name));
            found = Self { names, rest: Some(rest), ..Self::default() };
        }
        if around.is_listed && statement.row.is_none() {
            found.marks = marks(statement, lexicon);
        }
        if found.names.is_empty() {
            found.meant = Antecedent::of(statement, lexicon);
        }
        found
    }

    fn is_known(&self) -> bool {
        !self.names.is_empty() || !self.marks.is_empty() || self.meant.is_some()
    }

    /// Whether each has a name that the other hasn't, or they stand below opposites, or their pronouns stand for others.
    fn is_other_than(&self, other: &Self) -> bool {
        let lacks = |of: &[Term], other: &[Term]| of.iter().any(|name| other.binary_search(name).is_err());
        let are_named = lacks(&self.names, &other.names) && lacks(&other.names, &self.names);
        let are_meant =
            || matches!((&self.meant, &other.meant), (Some(one), Some(other)) if one.is_other_than(other));
        let are_opposed = || self.marks.iter().any(|mark| other.marks.iter().any(|of| mark.replaces(*of)));
        self.rest == other.rest && (are_named || are_opposed() || are_meant())
    }
}

/// The words with an opposite in the line that an item stands below.
fn marks(statement: &Statement<'_>, lexicon: &mut Lexicon) -> Vec<Mark> {
    let line = if statement.heading.is_empty() { statement.around.label() } else { statement.heading };
    // What a line denies or restricts is told apart by that.
    if turn_of_heading(line).is_some() {
        return Vec::new();
    }
    let marked = polarity(line, &lexicon.words(line));
    let mut found: Vec<Mark> = marked.into_iter().map(|marked| marked.mark).collect();
    found.retain(|mark| !mark.belongs_to_negation());
    found.sort_unstable();
    found.dedup();
    found
}

/// What is known beside a heading.
struct Known<'f> {
    /// What the statement says.
    says: &'f Features<'f>,
    /// Words that some statement has in small letters: they are no names.
    lowered: &'f TermSet,
    /// Whether it is in a language that writes all nouns with a capital.
    are_capital: bool,
}

impl<'f> Known<'f> {
    fn new(says: &'f Features<'f>, lowered: &'f TermSet) -> Self {
        Self { says, lowered, are_capital: told(says.text) == "German" }
    }

    /// Whether a task may tell what it is about: where all nouns have a capital only one that is a name and nothing else.
    fn may_name(&self, task: &str, lexicon: &mut Lexicon) -> bool {
        !task.is_empty() && (!self.are_capital || bare(task, lexicon).is_some())
    }
}

/// Whether two statements stand under lines, or answer tasks, that are about others.
pub(in crate::domain::synthesis) fn are_about_others(
    (a, one): (&Statement<'_>, &Features<'_>),
    (b, other): (&Statement<'_>, &Features<'_>),
    lexicon: &mut Lexicon,
) -> bool {
    if Sense::differ(a, b) {
        return true;
    }
    if (a.heading, a.around.announced, a.around.task) == (b.heading, b.around.announced, b.around.task)
        || is_long(one)
        || is_long(other)
    {
        return false;
    }
    let lowered = lowered([one, other].into_iter());
    let mine = Subject::of(a, lexicon, &Known::new(one, &lowered));
    let theirs = Subject::of(b, lexicon, &Known::new(other, &lowered));
    mine.is_other_than(&theirs)
}

/// Whether a heading names a thing: in Latin letters, with a word that isn't one of those that headings are made of.
pub(in crate::domain::synthesis) fn is_subject(heading: &str, lexicon: &mut Lexicon) -> bool {
    let words = lexicon.words(heading);
    words.iter().any(|word| word.kind == Kind::Content && !is_generic(word.term))
}

/// Whether a topic names a thing: `Pixel 9`, and what tasks that are names may be, `2023` and `Production`.
pub(in crate::domain::synthesis) fn names_a_thing(topic: &str, lexicon: &mut Lexicon) -> bool {
    is_subject(topic, lexicon) || bare(topic, lexicon).is_some()
}

/// The names and figures of a line that tell what it is about from others.
pub(in crate::domain::synthesis) fn names_in(line: &str, lexicon: &mut Lexicon) -> Vec<Term> {
    names(line, lexicon, &TermSet::default(), false)
}

/// The words of a heading that isn't one of those that headings are made of.
pub(in crate::domain::synthesis) fn subject_terms(heading: &str, lexicon: &mut Lexicon) -> Vec<Term> {
    let words = lexicon.words(heading).into_iter();
    words.filter(|word| word.is_content() && !is_generic(word.term)).map(|word| word.term).collect()
}

/// Whether each of two tasks names a thing that the other doesn't, or has a word that the other hasn't where none names any.
pub(in crate::domain::synthesis) fn are_tasks_of_others(
    one: &str,
    other: &str,
    lexicon: &mut Lexicon,
) -> bool {
    if one == other || one.is_empty() || other.is_empty() {
        return false;
    }
    let lacks = |of: &[Term], other: &[Term]| of.iter().any(|name| other.binary_search(name).is_err());
    if let Some(((_, mine), (_, theirs))) = bare(one, lexicon).zip(bare(other, lexicon)) {
        return lacks(&mine, &theirs) && lacks(&theirs, &mine);
    }
    let ((mine, mut words), (theirs, mut their_words)) =
        (names_of_task(one, lexicon), names_of_task(other, lexicon));
    [&mut words, &mut their_words].into_iter().for_each(|words| words.retain(|word| !asks(*word)));
    let is_named = !(mine.is_empty() && theirs.is_empty());
    let (mine, theirs) = if is_named { (mine, theirs) } else { (words, their_words) };
    lacks(&mine, &theirs) && lacks(&theirs, &mine)
}

fn is_long(of: &Features<'_>) -> bool {
    // Two Chinese or Japanese characters count as a word.
    let characters = of.elements.iter().filter(|element| element.role == Role::Character).count();
    let content = differ::content(of).len();
    content - characters.min(content) / 2 >= LONG
}

/// The same clusters, but that statements about different subjects, and those that are meant otherwise, are in one each.
pub(super) fn apart(
    clusters: Vec<Cluster>,
    (statements, paths): (&[Statement<'_>], &Paths<'_, '_>),
    features: &[Features<'_>],
) -> Vec<Cluster> {
    let divided_by_sense = |cluster| sense::divided(cluster, statements, features);
    let clusters = clusters.into_iter().flat_map(divided_by_sense);
    let clusters: Vec<Cluster> = clusters.flat_map(|cluster| paths.divided(cluster)).collect();
    let around = |at: usize| {
        let statement = &statements[at];
        (statement.heading, statement.around.announced, statement.around.task)
    };
    let may_differ = |cluster: &Cluster| {
        let shown = cluster.representative;
        let (first, before) = (around(shown), statements[shown].around.before);
        let refers = cluster.members.len() > 1 && begins_with_pronoun(statements[shown].text);
        let differs = |at: usize| around(at) != first || refers && statements[at].around.before != before;
        cluster.members.iter().any(|&at| differs(at)) && !is_long(&features[shown])
    };
    if !clusters.iter().any(may_differ) {
        return clusters;
    }
    let (lowered, mut lexicon) = (lowered(features.iter()), Lexicon::default());
    let mut found = Vec::with_capacity(clusters.len());
    for cluster in clusters {
        if may_differ(&cluster) {
            let known = Known::new(&features[cluster.representative], &lowered);
            let subjects: Vec<Subject> = (cluster.members.iter())
                .map(|&at| Subject::of(&statements[at], &mut lexicon, &known))
                .collect();
            found.extend(divided(cluster, &subjects, features));
        } else {
            found.push(cluster);
        }
    }
    found
}

/// A cluster by the subjects of its members. Those without one are one more, where there are others.
fn divided(cluster: Cluster, subjects: &[Subject], features: &[Features<'_>]) -> Vec<Cluster> {
    let named = subjects.iter().filter(|subject| subject.is_known());
    let distinct: Vec<&Subject> = named.collect::<BTreeSet<_>>().into_iter().collect();
    let mut union = Union::new(distinct.len());
    for (at, one) in distinct.iter().enumerate().take(SUBJECTS_MAX) {
        for (with, other) in distinct.iter().enumerate().skip(at + 1).take(SUBJECTS_MAX) {
            if !one.is_other_than(other) {
                union.join(at, with);
            }
        }
    }
    let mut parts: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for (&member, subject) in cluster.members.iter().zip(subjects) {
        let place = distinct.binary_search(&subject).ok();
        parts.entry(place.map(|place| union.root(place))).or_default().push(member);
    }
    if parts.keys().filter(|part| part.is_some()).count() < 2 {
        return vec![cluster];
    }
    let parts = parts.into_values();
    parts.map(|members| Cluster { representative: longest(&members, features), members }).collect()
}

/// The longest of some statements, the first of those.
fn longest(members: &[usize], features: &[Features<'_>]) -> usize {
    let longer = |best: usize, &at: &usize| {
        if features[at].text.len() > features[best].text.len() { at } else { best }
    };
    members.iter().fold(members[0], longer)
}
