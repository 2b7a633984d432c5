//! The headings above statements: what stands below `Lifespan` is of dogs below `Dogs` and of cats below `Cats`.
//!
//! Paths are numbered as statements are read, so that two of them are mostly told to be the same by two numbers; those that aren't
//! are held against each other once, whatever statements stand below them.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use self::apart::{Rest, Told};
use super::SUBJECTS_MAX;
use crate::domain::near_duplicates::{Cluster, Features, Union};
use crate::domain::synthesis::claims::Statement;
use crate::domain::synthesis::claims::statements::OVER_MAX;
use crate::domain::text::terms::TermSet;
use crate::domain::text::words::{Lexicon, Term};

mod apart;
mod shown;
#[cfg(test)]
mod tests;

/// Its own heading, those above it, and keys.
const LINES_MAX: usize = 2 + OVER_MAX + 2;

/// The lines above a statement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Path<'t> {
    /// Who says what stands below it.
    subagent: &'t str,
    /// Headings or keys, the nearest first.
    lines: Vec<&'t str>,
    /// What tells its task from others; empty where nothing does.
    asked: &'t str,
}

/// The lines above all statements.
pub(in crate::domain::synthesis) struct Paths<'s, 't> {
    statements: &'s [Statement<'t>],
    features: Vec<&'s Features<'t>>,
    /// By statement the number of its path, from 1 on; 0 where nothing stands above it.
    of: Vec<u32>,
    known: Vec<Path<'t>>,
    /// They as they are compared, once two of them are.
    told: OnceCell<Vec<Told<'t>>>,
    /// What tells paths from each other that are of different things, once it was asked.
    compared: RefCell<BTreeMap<[u32; 2], Option<Rest>>>,
    /// By subagent all that it says.
    said: OnceCell<BTreeMap<&'t str, TermSet>>,
    /// The words that some statement has in small letters.
    lowered: OnceCell<TermSet>,
}

impl<'s, 't> Paths<'s, 't> {
    /// Numbers the paths of statements. Linear.
    pub(in crate::domain::synthesis) fn new(
        statements: &'s [Statement<'t>],
        features: impl Iterator<Item = &'s Features<'t>>,
    ) -> Self {
        let (mut of, mut known) = (Vec::with_capacity(statements.len()), Vec::new());
        let mut numbers: BTreeMap<(&str, [&str; LINES_MAX], &str), u32> = BTreeMap::new();
        let mut last = (("", [""; LINES_MAX], ""), 0);
        for said in statements {
            let key = (said.subagent, lines(said), said.around.asked);
            if key != last.0 {
                let is_bare = key.1.iter().all(|line| line.is_empty()) && key.2.is_empty();
                let number = if is_bare {
                    0
                } else {
                    *numbers.entry(key).or_insert_with(|| {
                        let lines = key.1.into_iter().filter(|line| !line.is_empty()).collect();
                        known.push(Path { subagent: key.0, lines, asked: key.2 });
                        known.len() as u32
                    })
                };
                last = (key, number);
            }
            of.push(last.1);
        }
        let (told, compared) = (OnceCell::new(), RefCell::default());
        let (said, lowered) = (OnceCell::new(), OnceCell::new());
        Self { statements, features: features.collect(), of, known, told, compared, said, lowered }
    }

    /// Whether two statements stand below headings that are of different things, and neither says itself which it is of.
    pub(in crate::domain::synthesis) fn are_of_others(&self, one: usize, other: usize) -> bool {
        let numbers = [self.of[one], self.of[other]];
        if numbers[0] == numbers[1] || numbers.contains(&0) {
            return false;
        }
        let says = |at: usize, term: Term| self.features[at].words.iter().any(|word| word.term == term);
        let is_unsaid = |terms: &Vec<Term>| terms.iter().any(|term| !says(one, *term) && !says(other, *term));
        self.told_apart(numbers).is_some_and(|rest| rest.iter().all(is_unsaid))
    }

    /// The words that tell two paths apart.
    fn told_apart(&self, mut numbers: [u32; 2]) -> Option<Rest> {
        numbers.sort_unstable();
        if let Some(known) = self.compared.borrow().get(&numbers) {
            return known.clone();
        }
        let [one, other] = numbers.map(|number| number as usize - 1);
        let rest = self.compare(one, other);
        self.compared.borrow_mut().insert(numbers, rest.clone());
        rest
    }

    /// A cluster by the paths of its members, where those are of different things. Members without one are one more.
    pub(super) fn divided(&self, cluster: Cluster) -> Vec<Cluster> {
        // By the path of each, one that has it.
        let mut distinct: BTreeMap<u32, usize> = BTreeMap::new();
        for &at in &cluster.members {
            distinct.entry(self.of[at]).or_insert(at);
        }
        if distinct.len() < 2 {
            return vec![cluster];
        }
        let (numbers, said): (Vec<u32>, Vec<usize>) = distinct.into_iter().unzip();
        let (mut union, mut differ) = (Union::new(said.len()), false);
        for (at, one) in said.iter().enumerate().take(SUBJECTS_MAX) {
            for (with, other) in said.iter().enumerate().skip(at + 1).take(SUBJECTS_MAX) {
                if self.are_of_others(*one, *other) {
                    differ = true;
                } else if numbers[at] != 0 {
                    union.join(at, with);
                }
            }
        }
        if !differ {
            return vec![cluster];
        }
        let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &member in &cluster.members {
            let place = numbers.binary_search(&self.of[member]).unwrap_or_default();
            parts.entry(union.root(place)).or_default().push(member);
        }
        let all: Vec<&Features<'_>> = self.features.clone();
        let longest = |members: &[usize]| {
            let longer = |best: usize, &at: &usize| {
                if all[at].text.len() > all[best].text.len() { at } else { best }
            };
            members.iter().fold(members[0], longer)
        };
        parts.into_values().map(|members| Cluster { representative: longest(&members), members }).collect()
    }

    fn said(&self, subagent: &str) -> Option<&TermSet> {
        let all = self.said.get_or_init(|| {
            let mut all: BTreeMap<&'t str, TermSet> = BTreeMap::new();
            for (said, of) in self.statements.iter().zip(&self.features) {
                all.entry(said.subagent).or_default().extend(of.words.iter().map(|word| word.term));
            }
            let (mut lexicon, mut read) = (Lexicon::default(), BTreeSet::new());
            for path in &self.known {
                for line in path.lines.iter().filter(|line| read.insert((path.subagent, **line))) {
                    all.entry(path.subagent).or_default().extend(lexicon.terms(line));
                }
            }
            all
        });
        all.get(subagent)
    }

    fn lowered(&self) -> &TermSet {
        self.lowered.get_or_init(|| super::lowered(self.features.iter().copied()))
    }
}

/// The lines above a statement, the nearest first; a row's own heading is that of its table.
fn lines<'t>(said: &Statement<'t>) -> [&'t str; LINES_MAX] {
    let around = &said.around;
    let heading = said.row.map_or(said.heading, |row| row.section);
    let above = [heading, around.section].into_iter().chain(around.over).chain(around.keys);
    let mut lines = [""; LINES_MAX];
    for (place, line) in lines.iter_mut().zip(above) {
        *place = line;
    }
    lines
}
