//! What JSON states by its strings, and by the values beside them.

use std::ops::Range;

use super::lead_in::give;
use super::least::Least;
use super::{Said, Statement, json_values, opening, read};

pub(super) fn of_json<'t>(said: Said<'t, '_>, json: Range<usize>) -> Vec<Statement<'t>> {
    let mut found = Vec::new();
    let values = json_values::values(said.text, json.clone());
    for line in json_values::strings(said.text, &values) {
        let json_values::Line { range, addresses, above, is_listed } = line;
        let before = found.len();
        read(said, range.clone(), ("", Least::Sentence), &mut found);
        // A word alone in a string may be a mere value.
        if let Some(first) = found.get_mut(before) {
            opening::before(said, range, Some(first));
        }
        for statement in found[before..].iter_mut().filter(|statement| statement.sources.is_empty()) {
            statement.sources = addresses.iter().filter_map(|url| (said.source_of)(url)).collect();
            statement.sources.sort_unstable();
            statement.sources.dedup();
        }
        if is_listed {
            give(above, &mut found[before..]);
        }
    }
    let items = json_values::items(said, &values, &found);
    found.extend(items);
    found.sort_by_key(|statement| statement.start);
    if found.is_empty() {
        let objects = json_values::objects(said, json.clone());
        let alone = if objects.is_empty() { Vec::new() } else { json_values::alone(said, json) };
        return if alone.is_empty() { objects } else { alone };
    }
    let listed = json_values::listed(said, json.clone(), &found);
    let beside = json_values::beside(said, json, &found);
    found.extend(beside.into_iter().chain(listed));
    found.sort_by_key(|statement| statement.start);
    found
}
