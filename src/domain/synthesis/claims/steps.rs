//! Steps of a numbered list: where most of them tell what to do, all are told, in the list's order. One step out of several may harm.

use std::collections::BTreeMap;

use super::{Claims, Finding};

/// A list: whose result it is in, whose it is, and where it begins.
pub type List<'t> = (usize, &'t str, usize);

/// The numbered list that a statement is of.
pub(super) fn list_of<'t>(claims: &Claims<'t>, at: usize) -> Option<List<'t>> {
    let said = &claims.statements[at];
    let place = claims.places.get(at).copied().unwrap_or_default();
    said.around.numbered.map(|list| (place, said.subagent, list))
}

/// Where findings stand in their numbered lists: of each the list, by its place among all lists, and its own.
pub fn places<'t>(claims: &Claims<'t>, findings: &[Finding<'t>]) -> Vec<Option<(usize, usize)>> {
    let mut lists: Vec<List<'t>> = Vec::new();
    let step = |finding: &Finding<'t>| {
        let list = list_of(claims, finding.shown)?;
        let known = lists.iter().position(|known| *known == list).unwrap_or(lists.len());
        if known == lists.len() {
            lists.push(list);
        }
        Some((known, claims.statements[finding.shown].start))
    };
    findings.iter().map(step).collect()
}

/// The lists of several steps of which half or more tell what to do.
pub(super) fn told<'t>(claims: &Claims<'t>, tells: impl Fn(&str) -> bool) -> Vec<List<'t>> {
    let mut lists: BTreeMap<List<'t>, (usize, usize)> = BTreeMap::new();
    for (at, said) in claims.statements.iter().enumerate() {
        if let Some(list) = list_of(claims, at) {
            let (steps, telling) = lists.entry(list).or_default();
            *steps += 1;
            *telling += usize::from(tells(said.text));
        }
    }
    let is_told = |(list, (steps, telling))| (steps > 1 && 2 * telling >= steps).then_some(list);
    lists.into_iter().filter_map(is_told).collect()
}

/// Puts what is of one list, and equal, in the order of the list, in the places that it has among all. `list` tells of each the list, by
/// how strong it is, and where it stands there.
pub(super) fn in_order<T, K: Ord>(found: Vec<T>, list: impl Fn(&T) -> Option<(K, usize)>) -> Vec<T> {
    let mut lists: BTreeMap<K, Vec<(usize, usize)>> = BTreeMap::new();
    for (at, of) in found.iter().enumerate() {
        if let Some((key, start)) = list(of) {
            lists.entry(key).or_default().push((start, at));
        }
    }
    let mut order: Vec<usize> = (0..found.len()).collect();
    for steps in lists.into_values() {
        let mut places: Vec<usize> = steps.iter().map(|(_, at)| *at).collect();
        places.sort_unstable();
        let mut steps = steps;
        steps.sort_unstable();
        places.into_iter().zip(steps).for_each(|(place, (_, at))| order[place] = at);
    }
    let mut found: Vec<Option<T>> = found.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| found[at].take()).collect()
}
