//! A quotation for each part of a question, and of a comparison for each thing that is compared.

use std::cmp::Reverse;

use super::compared::compared;
use super::is_data;
use crate::domain::aggregate::result::Finding;
use crate::domain::synthesis::gaps::{asked_of, aspect, head, parts, which_of_kind};
use crate::domain::text::language::Grammar;
use crate::domain::text::words::{Lexicon, Term};

/// Findings that are chosen at most, where a question has fewer parts and where it has more.
const CHOSEN_MAX: usize = 4;
pub(super) const CHOSEN_OF_MANY_MAX: usize = 8;
/// Bytes of quotations behind which no further one of many is added: a summary is short.
const BYTES_MAX: usize = 1_200;

/// What is to be quoted: of a part what it asks for, and of which of the things that are compared.
struct Slot<'q> {
    part: &'q str,
    asked: Vec<Term>,
    /// What it asks for of something: `cons` of `cons of remote work`.
    head: Vec<Term>,
    thing: Option<usize>,
}

/// What is known of the findings.
struct Read {
    said: Vec<Vec<Term>>,
    /// The same with the line above each.
    below: Vec<Vec<Term>>,
    /// Of which of the things that are compared each is, by its words or by what stands above it.
    things: Vec<Vec<usize>>,
}

/// Adds to what is chosen the best of each part of the question that it has nothing of.
pub(super) fn with_each_part(
    lexicon: &mut Lexicon,
    chosen: &mut Vec<usize>,
    (findings, said, is_open): (&[Finding], Vec<Vec<Term>>, &[bool]),
    question: &str,
) {
    let mut things = compared(question, lexicon);
    let read = Read::of(lexicon, (findings, said, is_open), &things);
    if (0..things.len()).filter(|thing| read.things.iter().any(|of| of.contains(thing))).nth(1).is_none() {
        things.clear();
    }
    let slots = slots(question, &things, lexicon);
    // What is chosen for all that it says may be of no part.
    let besides = chosen.iter().filter(|at| !slots.iter().any(|slot| read.covers(slot, **at))).count();
    let many = slots.len() > CHOSEN_MAX || !things.is_empty();
    let most = if many { (slots.len() + besides).clamp(CHOSEN_MAX, CHOSEN_OF_MANY_MAX) } else { CHOSEN_MAX };
    let is_one = things.is_empty() && slots.len() == 1;
    for slot in &slots {
        let bytes: usize = chosen.iter().map(|at| findings[*at].content.len()).sum();
        if chosen.len() >= most || chosen.len() >= CHOSEN_MAX && bytes > BYTES_MAX {
            break;
        }
        chosen.extend(read.missing(slot, chosen, (findings, question, is_one), lexicon));
    }
}

/// The slots of a question: what is only a name of something that is compared comes last.
fn slots<'q>(question: &'q str, things: &[Vec<Term>], lexicon: &mut Lexicon) -> Vec<Slot<'q>> {
    let grammar = Grammar::of(question);
    let (mut slots, mut named) = (Vec::new(), Vec::new());
    for part in parts(question) {
        let mut asked = asked_of(&grammar.plain(part), lexicon);
        let head = head(&grammar.plain(part), lexicon);
        if things.is_empty() {
            slots.push(Slot { part, asked, head, thing: None });
            continue;
        }
        let head = Vec::new();
        let is_in = |thing: &Vec<Term>| thing.iter().all(|term| asked.contains(term));
        let meant: Vec<usize> = (0..things.len()).filter(|thing| is_in(&things[*thing])).collect();
        asked.retain(|term| !things.iter().any(|thing| thing.contains(term)));
        if asked.is_empty() {
            named.extend(meant.into_iter().map(|thing| Slot {
                part,
                asked: Vec::new(),
                head: Vec::new(),
                thing: Some(thing),
            }));
        } else {
            let each = (0..things.len()).map(|thing| Slot {
                part,
                asked: asked.clone(),
                head: head.clone(),
                thing: Some(thing),
            });
            slots.extend(each);
        }
    }
    slots.extend(named);
    slots
}

impl Read {
    fn of(
        lexicon: &mut Lexicon,
        (findings, said, is_open): (&[Finding], Vec<Vec<Term>>, &[bool]),
        things: &[Vec<Term>],
    ) -> Self {
        // What says that nobody knows says nothing of any part.
        let said =
            said.into_iter().zip(is_open).map(|(said, is_open)| if *is_open { Vec::new() } else { said });
        let said: Vec<Vec<Term>> = said.collect();
        let topics = findings.iter().map(|finding| lexicon.terms(&finding.topic));
        let below = said.iter().zip(topics).map(|(said, topic)| {
            let topic = if said.is_empty() { Vec::new() } else { topic };
            said.iter().copied().chain(topic.into_iter().map(aspect)).collect::<Vec<_>>()
        });
        let below: Vec<Vec<Term>> = below.collect();
        let has = |of: &Vec<Term>, thing: usize| things[thing].iter().all(|term| of.contains(term));
        let things = below.iter().map(|of| (0..things.len()).filter(|thing| has(of, *thing)).collect());
        let things = things.collect();
        Self { said, below, things }
    }

    /// Whether a finding has enough of what a slot asks for, and is of its thing.
    fn covers(&self, slot: &Slot<'_>, at: usize) -> bool {
        let shared = slot.asked.iter().filter(|term| self.said[at].contains(term)).count();
        slot.thing.is_none_or(|thing| self.things[at].contains(&thing))
            && (slot.asked.is_empty()
                || shared > 0 && 2 * shared >= slot.asked.len()
                || !slot.head.is_empty() && slot.head.iter().all(|term| self.below[at].contains(term)))
    }

    /// The best for a slot, unless what is chosen has one that is as good.
    fn missing(
        &self,
        slot: &Slot<'_>,
        chosen: &[usize],
        (findings, question, is_one): (&[Finding], &str, bool),
        lexicon: &mut Lexicon,
    ) -> Option<usize> {
        let is_of = |at: usize| slot.thing.is_none_or(|thing| self.things[at].contains(&thing));
        let shared = |at: usize| slot.asked.iter().filter(|term| self.said[at].contains(term)).count();
        let covers = |at: usize| self.covers(slot, at);
        let all = 0..findings.len();
        let mut told = || {
            let texts = findings.iter().map(|finding| finding.content.as_str());
            which_of_kind((question, slot.part), texts, lexicon)
        };
        let is_new = |at: &usize| !chosen.contains(at);
        // Words that aren't the question's may tell what it asks for: `How can we prevent it?`, `Add an alert.`
        if is_one || !all.clone().any(covers) {
            let is_met = chosen.iter().any(|at| covers(*at));
            let told = if is_met { Vec::new() } else { told() };
            // One who is named is enough, of several causes none is.
            if !is_one && chosen.iter().any(|at| is_of(*at) && told.get(*at) == Some(&true)) {
                return None;
            }
            return all.clone().find(|at| is_of(*at) && told.get(*at) == Some(&true)).filter(is_new);
        }
        let told = told();
        let is_told = |at: usize| told.get(at) == Some(&true);
        // Of a kind that only others tell they are what was asked for: `Why was it down?`, `It was caused by a migration.`
        if told.contains(&true) && !all.clone().any(|at| covers(at) && is_told(at)) {
            let other = all.clone().find(|at| is_of(*at) && is_told(*at));
            return other.filter(is_new);
        }
        let best = all
            .filter(|at| covers(*at))
            .max_by_key(|at| (is_told(*at), !is_data(&findings[*at]), shared(*at), Reverse(*at)))?;
        let is_as_good = |at: usize| {
            covers(at)
                && is_told(at) >= is_told(best)
                && (shared(at) >= shared(best) || 4 * shared(at) >= 3 * slot.asked.len())
        };
        (!chosen.iter().any(|at| is_as_good(*at))).then_some(best)
    }
}
