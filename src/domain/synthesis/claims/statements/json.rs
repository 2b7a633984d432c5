//! What JSON states by its strings, and by the values beside them.

use std::ops::Range;

use super::json_values::{self, Told, Value};
use super::lead_in::give;
use super::least::Least;
use super::{Said, Statement, opening, read};

pub(super) fn of_json<'t>(said: Said<'t, '_>, json: Range<usize>) -> Vec<Statement<'t>> {
    let mut found = Vec::new();
    let values = json_values::values(said.text, json.clone());
    for line in json_values::strings(said.text, &values) {
        let json_values::Line { range, addresses, above, is_listed, of, over } = line;
        let before = found.len();
        read(said, range.clone(), (of, Least::Sentence), &mut found);
        // A word alone in a string may be a mere value.
        if let Some(first) = found.get_mut(before) {
            opening::before(said, range, Some(first));
        }
        for statement in found[before..].iter_mut().filter(|statement| statement.sources.is_empty()) {
            statement.sources = addresses.iter().filter_map(|url| (said.source_of)(url)).collect();
            statement.sources.sort_unstable();
            statement.sources.dedup();
        }
        for statement in &mut found[before..] {
            statement.around.over = over;
        }
        if is_listed {
            give(above, &mut found[before..]);
        }
    }
    let items = json_values::items(said, &values, &found);
    found.extend(items);
    found.sort_by_key(|statement| statement.start);
    if found.is_empty() {
        return of_objects(said, json, &values);
    }
    let listed = json_values::listed(said, json.clone(), &found);
    let words = Told::by(found.iter().map(|statement| statement.text));
    let beside = json_values::beside(said, json, &found, words);
    found.extend(beside.into_iter().chain(listed));
    found.sort_by_key(|statement| statement.start);
    found
}

/// What JSON without a sentence states: its objects, with what stands beside them, or the one word or number that it is.
fn of_objects<'t>(said: Said<'t, '_>, json: Range<usize>, values: &[Value]) -> Vec<Statement<'t>> {
    let mut objects = json_values::objects(said, json.clone());
    objects.retain(|object| !json_values::is_source(object, values));
    if objects.is_empty() {
        return objects;
    }
    let alone = json_values::alone(said, json.clone());
    if !alone.is_empty() {
        return alone;
    }
    // The words of other members aren't what one says.
    let beside = json_values::beside(said, json, &objects, Told::by(std::iter::empty()));
    let room = json_values::OBJECTS_MAX.saturating_sub(objects.len());
    objects.extend(beside.into_iter().take(room));
    objects.sort_by_key(|statement| statement.start);
    objects
}
