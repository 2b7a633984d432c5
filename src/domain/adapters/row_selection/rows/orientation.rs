//! Tables that are objects: pandas' `list`, `dict` and `index`.

use std::borrow::Cow;
use std::collections::HashMap;

use super::super::super::shape::{Member, is_array, is_object, members, quoted};
use super::super::super::values::items;
use super::super::PREVIEW_ROWS;
use super::{Row, Slot};

/// Names by which an object tells that it holds a table rather than being one.
const NAMES_OF_TABLES: [&str; 5] = ["columns", "rows", "data", "records", "fields"];

/// How a table that is an object is turned.
#[derive(Clone, Copy)]
enum Orientation {
    /// `{"a": [1, 2]}`: columns of values.
    List,
    /// `{"a": {"0": 1, "1": 2}}`: columns of values by label.
    Dict,
    /// `{"0": {"a": 1}}`: rows by label.
    Index,
}

/// Whether an object is a table.
pub(in super::super) fn is_oriented(value: &str) -> bool {
    members(value).is_some_and(|members| orientation(&members).is_some())
}

fn is_label(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn orientation(table: &[Member<'_>]) -> Option<Orientation> {
    let (first, holds) =
        (table.first()?, |member: &Member<'_>| NAMES_OF_TABLES.contains(&member.key.0.as_ref()));
    if table.iter().any(holds) {
        return None;
    }
    if is_array(first.value) {
        let count = items(first.value).map(|values| values.len()).filter(|count| *count > 0)?;
        let as_long = |member: &Member<'_>| items(member.value).is_some_and(|values| values.len() == count);
        // One list of objects is a list of records under a name of its own.
        let are_records =
            || items(first.value).is_some_and(|values| values.iter().all(|value| is_object(value)));
        let is_list = table.iter().all(as_long) && !(table.len() == 1 && are_records());
        return is_list.then_some(Orientation::List);
    }
    let (mut all_below, mut all_above) = (true, true);
    for member in table {
        let below = members(member.value).filter(|below| !below.is_empty())?;
        all_below &= below.iter().all(|below| is_label(&below.key.0));
        all_above &= is_label(&member.key.0);
    }
    // Where both are labels, a frame has numbers for columns, and `dict` is what pandas gives unasked.
    if all_below { Some(Orientation::Dict) } else { all_above.then_some(Orientation::Index) }
}

/// The first rows of a table that is an object, and how many there are.
pub(super) fn turned(value: &str) -> Option<(Vec<Row<'_>>, u64)> {
    let table = members(value)?;
    let (mut rows, came) = match orientation(&table)? {
        Orientation::List => by_place(table),
        Orientation::Dict => by_label(table),
        Orientation::Index => {
            let came = table.len();
            let row =
                |(_, row): (Cow<'_, str>, _)| members(row).map(|row| row.into_iter().map(cell).collect());
            let labels = table.iter().map(|row| row.key.0.to_string()).collect::<Vec<_>>();
            let rows = table.into_iter().take(PREVIEW_ROWS).map(|member| (member.key.0, member.value));
            let mut rows: Vec<Row<'_>> = rows.map(|member| row(member).unwrap_or_default()).collect();
            label(&mut rows, &labels);
            (rows, came)
        }
    };
    rows.truncate(PREVIEW_ROWS);
    Some((rows, came as u64))
}

fn cell(member: Member<'_>) -> (Slot<'_>, Cow<'_, str>) {
    (Slot::Called(member.key.0), Cow::Borrowed(member.value))
}

fn by_place(table: Vec<Member<'_>>) -> (Vec<Row<'_>>, usize) {
    let (mut rows, mut came): (Vec<Row<'_>>, _) = (Vec::new(), 0);
    for Member { key, value } in table {
        let values = items(value).unwrap_or_default();
        came = came.max(values.len());
        rows.resize_with(came.min(PREVIEW_ROWS), Vec::new);
        for (row, value) in rows.iter_mut().zip(values) {
            row.push((Slot::Called(key.0.clone()), Cow::Borrowed(value)));
        }
    }
    (rows, came)
}

fn by_label(table: Vec<Member<'_>>) -> (Vec<Row<'_>>, usize) {
    let (mut rows, mut labels): (Vec<Row<'_>>, _) = (Vec::new(), Vec::new());
    let mut places: HashMap<String, usize> = HashMap::new();
    for Member { key, value } in table {
        for below in members(value).unwrap_or_default() {
            let next = places.len();
            let place = *places.entry(below.key.0.to_string()).or_insert(next);
            if place >= PREVIEW_ROWS {
                continue;
            }
            if place == rows.len() {
                rows.push(Vec::new());
                labels.push(below.key.0.into_owned());
            }
            rows[place].push((Slot::Called(key.0.clone()), Cow::Borrowed(below.value)));
        }
    }
    label(&mut rows, &labels);
    (rows, places.len())
}

/// Keeps labels that say more than the rows' places.
fn label(rows: &mut [Row<'_>], labels: &[String]) {
    if labels.iter().enumerate().any(|(place, label)| *label != place.to_string()) {
        for (row, label) in rows.iter_mut().zip(labels) {
            row.push((Slot::Called("index".into()), Cow::Owned(quoted(label))));
        }
    }
}
