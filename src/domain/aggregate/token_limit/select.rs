//! Chooses parts and leaves by salience until nothing more fits.

use super::assemble::Chosen;
use super::outline::{Form, Grain, Outline};
use super::salience;
use crate::domain::text::blocks::Kind;

/// What has been chosen of an outline.
#[derive(Clone)]
pub(super) struct Selection<'o> {
    outline: &'o Outline,
    pub(super) chosen: Chosen,
    /// The parts, the most salient first; of equal ones the earlier.
    order: Vec<usize>,
    /// The leaves of every part (at its own places), the most salient first; of code in its order.
    leaf_order: Vec<usize>,
    /// The cheapest leaf: with less left, nothing fits.
    cheapest: usize,
}

impl<'o> Selection<'o> {
    /// Nothing is chosen yet.
    pub(super) fn new(outline: &'o Outline) -> Self {
        let mut order: Vec<usize> =
            (0..outline.parts.len()).filter(|part| outline.parts[*part].content).collect();
        order.sort_by(|a, b| outline.parts[*b].score.total_cmp(&outline.parts[*a].score).then(a.cmp(b)));
        let mut leaf_order: Vec<usize> = (0..outline.leaves.len()).collect();
        for part in outline.parts.iter().filter(|part| !is_code(part.form)) {
            leaf_order[part.leaves.clone()]
                .sort_by(|a, b| outline.leaves[*b].score.total_cmp(&outline.leaves[*a].score).then(a.cmp(b)));
        }
        let chosen = Chosen {
            parts: vec![false; outline.parts.len()],
            leaves: vec![false; outline.leaves.len()],
            short: None,
        };
        let cheapest = outline.leaves.iter().map(|leaf| leaf.cost).min().unwrap_or(usize::MAX);
        Self { outline, chosen, order, leaf_order, cheapest }
    }

    /// Adds what fits into `budget` tokens, whole parts before leaves of them, and of these figures, names and citations
    /// before plain prose; whether there was anything.
    pub(super) fn fill(&mut self, budget: usize) -> bool {
        let mut left = budget;
        for least in [salience::FACT, 0.0] {
            for at in 0..self.order.len() {
                if left < self.cheapest {
                    break;
                }
                left = self.part(self.order[at], left, least);
            }
        }
        left != budget
    }

    /// Adds a part, or leaves of it with the salience `least` and more, and gives back what is left of the budget.
    fn part(&mut self, part: usize, budget: usize, least: f32) -> usize {
        let entry = &self.outline.parts[part];
        if entry.leaves.is_empty() && (self.chosen.parts[part] || is_frame(entry.form)) {
            return budget;
        }
        let open = || entry.leaves.clone().filter(|leaf| self.is_open(*leaf));
        if open().next().is_none() && !entry.leaves.is_empty() {
            return budget;
        }
        let whole = missing(self.outline, &self.chosen, part)
            + open().map(|leaf| self.outline.leaves[leaf].cost).sum::<usize>();
        if whole <= budget {
            self.open(part);
            for leaf in entry.leaves.clone().filter(|leaf| !self.outline.leaves[*leaf].introduces) {
                self.chosen.leaves[leaf] = true;
            }
            return budget - whole;
        }
        let mut left = budget;
        for at in entry.leaves.clone() {
            let leaf = self.leaf_order[at];
            if !self.is_open(leaf) || (self.outline.leaves[leaf].score < least && !is_code(entry.form)) {
                continue;
            }
            let cost = missing(self.outline, &self.chosen, part) + self.outline.leaves[leaf].cost;
            if cost <= left {
                self.open(part);
                self.chosen.leaves[leaf] = true;
                left -= cost;
            } else if is_code(entry.form) {
                break; // code without lines in its middle is another program
            }
        }
        left
    }

    /// Whether a leaf may be chosen for itself.
    fn is_open(&self, leaf: usize) -> bool {
        !self.chosen.leaves[leaf] && !self.outline.leaves[leaf].introduces
    }

    fn open(&mut self, part: usize) {
        open(self.outline, &mut self.chosen, part);
    }

    /// What is chosen, and the first words of one more leaf with all that it must not be without.
    pub(super) fn with_short(&self, leaf: usize, words: String) -> Chosen {
        let mut chosen = self.chosen.clone();
        open(self.outline, &mut chosen, self.outline.leaves[leaf].part);
        chosen.short = Some((leaf, words));
        chosen
    }

    /// Takes the least salient leaves out until `over` tokens are gained, with the parts that are empty then. Says how many
    /// were gained.
    pub(super) fn drop_least(&mut self, over: usize) -> usize {
        let mut gained = 0;
        for leaf in self.least(usize::MAX) {
            if gained >= over {
                break;
            }
            if self.take_out(leaf) {
                gained += self.outline.leaves[leaf].cost;
                gained += self.close_empty();
            }
        }
        gained
    }

    /// Adds one leaf with all that it must not be without.
    pub(super) fn add(&mut self, leaf: usize) {
        self.open(self.outline.leaves[leaf].part);
        self.chosen.leaves[leaf] = true;
    }

    /// The least salient leaves that were chosen, at most `count`.
    pub(super) fn least(&self, count: usize) -> Vec<usize> {
        let mut kept: Vec<usize> =
            (0..self.outline.leaves.len()).filter(|leaf| self.chosen.leaves[*leaf]).collect();
        kept.sort_by(|a, b| {
            self.outline.leaves[*a].score.total_cmp(&self.outline.leaves[*b].score).then(b.cmp(a))
        });
        kept.truncate(count);
        kept
    }

    /// Takes a leaf out, unless others need it.
    pub(super) fn take_out(&mut self, leaf: usize) -> bool {
        let part = self.outline.leaves[leaf].part;
        let entry = &self.outline.parts[part];
        let needed = self.is_needed(leaf, part);
        let inside = is_code(entry.form) && self.chosen.leaves[leaf + 1..entry.leaves.end].contains(&true);
        if needed || inside {
            return false;
        }
        std::mem::replace(&mut self.chosen.leaves[leaf], false)
    }

    /// Whether others are kept that must not be without a leaf of `part`.
    fn is_needed(&self, leaf: usize, part: usize) -> bool {
        let is_kept = |other: usize, above: usize| {
            other != part && self.chosen.parts[other] && self.outline.parts[other].parent == Some(above)
        };
        let object = self.outline.parts[part].parent;
        if let Some(object) = object.filter(|object| self.outline.is_along(leaf, *object)) {
            // What is in an object stands together, right behind its start.
            let parents = self.outline.parts[object + 1..].iter().map(|inner| inner.parent);
            let inside = parents.take_while(|parent| parent.is_some_and(|parent| parent >= object)).count();
            return (object + 1..object + 1 + inside).any(|other| is_kept(other, object));
        }
        self.outline.is_along(leaf, part)
            && (part + 1..self.chosen.parts.len()).any(|other| is_kept(other, part))
    }

    /// Takes out what introduces nothing any more, and parts that hold nothing; says how many tokens that gained.
    pub(super) fn close_empty(&mut self) -> usize {
        let mut needed = vec![false; self.outline.parts.len()];
        let mut gained = 0;
        for part in
            (0..self.outline.parts.len()).rev().filter(|part| self.chosen.parts[*part]).collect::<Vec<_>>()
        {
            let entry = &self.outline.parts[part];
            let last = entry.leaves.clone().next_back().filter(|_| !needed[part]);
            if let Some(last) = last.filter(|last| self.outline.leaves[*last].introduces)
                && std::mem::replace(&mut self.chosen.leaves[last], false)
            {
                gained += self.outline.leaves[last].cost;
            }
            let leaves = &self.chosen.leaves[entry.leaves.clone()];
            if !needed[part] && !leaves.contains(&true) && (is_frame(entry.form) || !leaves.is_empty()) {
                self.chosen.parts[part] = false;
                gained += entry.cost;
            } else if let Some(parent) = entry.parent {
                needed[parent] = true;
            }
        }
        gained
    }
}

/// Chooses a part's head and all that it must not be without.
fn open(outline: &Outline, chosen: &mut Chosen, part: usize) {
    let mut at = Some(part);
    while let Some(part) = at {
        let known = std::mem::replace(&mut chosen.parts[part], true);
        at = outline.parts[part].parent;
        for leaf in at.into_iter().flat_map(|parent| outline.leaves_along(parent)) {
            chosen.leaves[leaf] = true;
            // Of an object it has a part of its own; else that is the parent, whose turn comes with what is above it.
            let own = outline.leaves[leaf].part;
            chosen.parts[own] |= Some(own) != at;
        }
        if known {
            break;
        }
    }
}

/// The tokens of a part's head and of all that it must not be without, as far as they aren't chosen.
pub(super) fn missing(outline: &Outline, chosen: &Chosen, part: usize) -> usize {
    let mut cost = 0;
    let mut at = Some(part);
    while let Some(part) = at.filter(|part| !chosen.parts[*part]) {
        cost += outline.parts[part].cost;
        at = outline.parts[part].parent;
        let along = at.into_iter().flat_map(|parent| outline.leaves_along(parent));
        for leaf in along.filter(|leaf| !chosen.leaves[*leaf]) {
            cost += outline.leaves[leaf].cost;
            let own = outline.leaves[leaf].part;
            if Some(own) != at && own != part {
                cost += outline.parts[own].cost;
            }
        }
    }
    cost
}

/// How many sentences are tried when one is to be shortened.
const CANDIDATES_MAX: usize = 256;

/// Sentences that aren't chosen, of a salience of `least` or more, the most salient first, each with the tokens that `budget` leaves it.
pub(super) fn candidates(
    outline: &Outline,
    chosen: &Chosen,
    budget: usize,
    least: f32,
) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, leaf) in outline.leaves.iter().enumerate() {
        if leaf.grain == Grain::Sentence
            && !leaf.introduces
            && leaf.score >= least
            && !chosen.leaves[at]
            && outline.parts[leaf.part].content
        {
            let room = budget.saturating_sub(missing(outline, chosen, leaf.part));
            if room > 0 {
                found.push((at, room));
            }
        }
    }
    found.sort_by(|(a, _), (b, _)| {
        outline.leaves[*b].score.total_cmp(&outline.leaves[*a].score).then(a.cmp(b))
    });
    found.truncate(CANDIDATES_MAX);
    found
}

/// How many leaves are tried in the place of another.
const REPLACEMENTS_MAX: usize = 8;

/// Leaves that aren't chosen and would take nearly all of `room`, the most salient first. Lines of code aren't among them.
pub(super) fn replacements(outline: &Outline, chosen: &Chosen, room: usize, least: f32) -> Vec<usize> {
    let nearly = room.saturating_sub(room / 50 + 1);
    let fits = |leaf: &usize| {
        let entry = &outline.leaves[*leaf];
        let part = &outline.parts[entry.part];
        !chosen.leaves[*leaf]
            && !entry.introduces
            && part.content
            && !is_code(part.form)
            && entry.cost <= room
            && entry.score >= least
            && (nearly..=room).contains(&(entry.cost + missing(outline, chosen, entry.part)))
    };
    let mut found: Vec<usize> = (0..outline.leaves.len()).filter(fits).collect();
    found.sort_by(|a, b| outline.leaves[*b].score.total_cmp(&outline.leaves[*a].score).then(a.cmp(b)));
    found.truncate(REPLACEMENTS_MAX);
    found
}

fn is_code(form: Form) -> bool {
    matches!(form, Form::Block(Kind::Code { .. }))
}

/// Whether a part is kept only for what belongs to it.
fn is_frame(form: Form) -> bool {
    matches!(form, Form::Block(Kind::Heading { .. }) | Form::Json | Form::Lines)
}
