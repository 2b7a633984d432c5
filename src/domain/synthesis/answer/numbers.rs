//! The numbers of a sheet whose ids are numbers themselves.
//!
//! Markers are numbers by first use, and `[n]` is the n-th reference. Where the ids of what is cited are 1, 2, 3, …, each keeps its
//! own: else `[1]` would be the source with the id 2.

use super::Reference;

/// The places of references in the order of their ids, where those are all numbers from 1 and stand in another order.
pub(super) fn by_id(references: &[Reference]) -> Option<Vec<usize>> {
    let mut places = vec![None; references.len()];
    for (at, reference) in references.iter().enumerate() {
        let id = reference.id.to_string();
        let number = id.parse::<usize>().ok().filter(|number| number.to_string() == id)?;
        *places.get_mut(number.checked_sub(1)?)? = Some(at);
    }
    let order = places.into_iter().collect::<Option<Vec<usize>>>()?;
    (!order.is_sorted()).then_some(order)
}
