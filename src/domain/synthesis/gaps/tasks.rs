//! Parts of a question that were the task of one who answered: `Risks` of `benefits and risks of microservices`. What it says
//! of them hardly ever has the word.

use super::asked_of;
use super::aspects::aspect;
use crate::domain::text::words::{Lexicon, Term};

/// Words behind which stands what all parts of a question are about.
#[rustfmt::skip]
const ABOUT: [&str; 11] = [" of ", " for ", " in ", " to ", " from ", " with ", " between ", " von ", " bei ", " de ", " di "];

/// The tasks of those who brought something, by their terms.
pub(super) struct Tasks(Vec<Vec<Term>>);

impl Tasks {
    /// Those that are some of the parts, not all: a question that everybody got says nothing about who answers what.
    pub fn of(tasks: &[&str], parts: &[&str], lexicon: &mut Lexicon) -> Self {
        if parts.len() < 2 {
            return Self(Vec::new());
        }
        let heads: Vec<Vec<Term>> = parts.iter().map(|part| head(part, lexicon)).collect();
        let mut terms: Vec<Vec<Term>> = tasks.iter().map(|task| terms(task, lexicon)).collect();
        terms.retain(|task| !heads.iter().all(|head| has_all(task, head)));
        Self(terms)
    }

    /// Whether one of them is this part.
    pub fn name(&self, part: &str, lexicon: &mut Lexicon) -> bool {
        if self.0.is_empty() {
            return false;
        }
        // `Train or plane from Munich` is the task of whoever has one of them.
        let mut either = of_something(part).split(" or ");
        either.any(|one| {
            let head = asked_of(one, lexicon);
            let is_bidden = |task: &Vec<Term>| is_bidden(one, &head, task);
            !head.is_empty() && self.0.iter().any(|task| has_all(task, &head) || is_bidden(task))
        })
    }
}

/// `Check CI`, which whoever is called `ci` did: a verb that tells to look, and a name.
fn is_bidden(part: &str, head: &[Term], task: &[Term]) -> bool {
    const LOOKS: [&str; 6] = ["check ", "look at ", "inspect ", "test ", "verify ", "read "];
    let lower = part.to_ascii_lowercase();
    let named = LOOKS.iter().any(|look| lower.starts_with(look));
    named && !task.is_empty() && head.len() <= task.len() + 1 && has_all(head, task)
}

fn has_all(task: &[Term], head: &[Term]) -> bool {
    head.iter().all(|term| task.contains(term))
}

/// What a part asks for of what it is about: `noise` of `noise of heat pumps`.
pub(in crate::domain::synthesis) fn head(part: &str, lexicon: &mut Lexicon) -> Vec<Term> {
    asked_of(of_something(part), lexicon)
}

fn of_something(part: &str) -> &str {
    let end = ABOUT.iter().filter_map(|word| part.find(word)).min().unwrap_or(part.len());
    &part[..end]
}

fn terms(text: &str, lexicon: &mut Lexicon) -> Vec<Term> {
    lexicon.terms(text).into_iter().map(aspect).collect()
}
