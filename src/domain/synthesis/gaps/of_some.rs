//! What is asked of some in particular: `Does it reduce mortality in people with diabetes?` Who answers needn't repeat of whom.

use super::asked_of;
use crate::domain::text::words::{Lexicon, Term};

/// Whether somebody says nearly all of what is asked of some in particular, `Does it help people with diabetes`, and not of whom.
pub(super) fn is_said_of_some(part: &str, said: &[Vec<Term>], lexicon: &mut Lexicon) -> bool {
    const SOME: [&str; 4] = [" in people with ", " in patients with ", " among ", " in adults with "];
    /// Terms that are asked for at least, and the share of them that is said.
    const SAID: (usize, f64) = (3, 0.75);
    let Some(head) = SOME.iter().find_map(|of| part.split_once(of)).map(|(head, _)| head) else {
        return false;
    };
    let terms = asked_of(head, lexicon);
    let most = SAID.1 * terms.len() as f64;
    let has_most = |of: &Vec<Term>| terms.iter().filter(|term| of.contains(term)).count() as f64 >= most;
    terms.len() >= SAID.0 && said.iter().any(has_most)
}
