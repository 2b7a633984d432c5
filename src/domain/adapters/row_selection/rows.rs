//! A table's rows, as objects by their columns' keys.
//!
//! | sent | becomes |
//! |---|---|
//! | objects | themselves; without given columns those are the members of the rows that are shown, in order |
//! | arrays, with columns | by place; what is beyond them is `column_` and its place |
//! | arrays, without columns, the first one of distinct texts | that one is the header |
//! | `{f: [{v}]}` (BigQuery) | as arrays |
//! | `{"a": [1, 2]}` (pandas' `list`), `{"a": {"0": 1}}` (`dict`), `{"0": {"a": 1}}` (`index`) | rows; labels other than 0, 1, … are in `index` |
//! | anything else | its `value` |
//!
//! With given columns, a row's other members (an id that isn't shown) stay too, as far as there is room.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::super::shape::{Member, ObjectText, is_array, is_object, is_text, members};
use super::super::values::{find, items, plain, says_something, shortened};
use super::columns::Columns;
use super::kinds::Kind;
use super::{KEY_CHARS_MAX, PREVIEW_COLUMNS, PREVIEW_ROWS, cells};
use orientation::turned;

mod orientation;
mod selection;
pub(super) use orientation::is_oriented;
pub(super) use selection::Selection;

/// Where a cell belongs.
enum Slot<'a> {
    /// In the column at that place.
    At(usize),
    /// In the one of that name.
    Called(Cow<'a, str>),
}

/// A row: its cells, each where it belongs.
type Row<'a> = Vec<(Slot<'a>, Cow<'a, str>)>;

/// Rows that have been read.
#[derive(Default)]
pub(super) struct Cells<'a> {
    /// Those that are shown, as JSON.
    pub rows: Vec<String>,
    /// How many came.
    pub came: u64,
    columns: Columns<'a>,
    /// Where each name that was met stands among the columns; `None` for those that were left out.
    places: HashMap<String, Option<usize>>,
    /// How many columns were given, or stood in the header.
    given: usize,
    shortened: u64,
    left_out: usize,
}

impl<'a> Cells<'a> {
    /// Reads rows of any shape under the columns `given`.
    pub(super) fn read(rows: Option<&'a str>, given: Option<Vec<&'a str>>, selection: &Selection) -> Self {
        let mut cells = Self::default();
        let turned = rows.filter(|rows| is_object(rows)).and_then(turned);
        let mut list = rows.and_then(items).unwrap_or_default();
        let headed = if given.is_none() { header(&list) } else { None };
        if headed.is_some() {
            list.remove(0);
        }
        let given = given.or(headed).unwrap_or_default();
        cells.given = given.len();
        for column in given {
            let (sent, place) = cells.columns.give(column);
            cells.places.entry(sent).or_insert(place);
        }
        cells.came = turned.as_ref().map_or(list.len() as u64, |(_, came)| *came);
        let keys: Vec<&str> = cells.columns.list.iter().map(|column| column.key.as_str()).collect();
        let shown = selection.shown(list, &keys);
        shown.into_iter().for_each(|row| cells.push(row));
        for (row, _) in turned.into_iter().flat_map(|(rows, _)| rows).zip(0..PREVIEW_ROWS) {
            cells.write(row);
        }
        cells
    }

    /// The columns as an array.
    pub(super) fn columns(&self) -> String {
        format!("[{}]", self.columns.list.iter().map(|column| column.written()).collect::<Vec<_>>().join(","))
    }

    /// What isn't shown of `total` rows; `None` where everything is.
    pub(super) fn truncation(&self, total: u64) -> Option<String> {
        let rows = total.saturating_sub(self.rows.len() as u64);
        let columns = (self.columns.left_out + self.left_out) as u64;
        let mut notes = ObjectText::new(48);
        for (name, count) in [("rows", rows), ("columns", columns), ("cells", self.shortened)] {
            if count > 0 {
                notes.member(name, &count.to_string());
            }
        }
        (rows + columns + self.shortened > 0).then(|| notes.finish())
    }

    fn push(&mut self, row: &'a str) {
        let row = match members(row) {
            Some(members) => match find(&members, "f").and_then(values).filter(|_| members.len() == 1) {
                Some(values) => self.by_place(values),
                None => members
                    .into_iter()
                    .map(|Member { key, value }| (Slot::Called(key.0), value.into()))
                    .collect(),
            },
            None if is_array(row) => self.by_place(items(row).unwrap_or_default()),
            None => vec![(Slot::Called("value".into()), row.into())],
        };
        self.write(row);
    }

    /// The values of a row that has no names.
    fn by_place(&mut self, values: Vec<&'a str>) -> Row<'a> {
        let room = self.given.max(PREVIEW_COLUMNS);
        self.left_out = self.left_out.max(values.len().saturating_sub(room));
        let slot = |place| {
            if place < self.given {
                Slot::At(place)
            } else {
                Slot::Called(format!("column_{}", place + 1).into())
            }
        };
        values.into_iter().take(room).enumerate().map(|(place, value)| (slot(place), value.into())).collect()
    }

    fn write(&mut self, row: Row<'a>) {
        let (mut object, mut written, mut left_out) = (ObjectText::new(128), HashSet::new(), 0);
        for (slot, value) in row {
            let (place, name) = match slot {
                Slot::At(place) => {
                    (Some(Some(place).filter(|place| *place < self.columns.list.len())), Cow::Borrowed(""))
                }
                Slot::Called(name) => (self.place(&name), name),
            };
            let key = match place {
                Some(Some(place)) => Cow::Owned(self.columns.list[place].key.clone()),
                Some(None) => continue,
                None => shortened(&name, KEY_CHARS_MAX).map_or(name, Cow::Owned),
            };
            if written.len() >= PREVIEW_COLUMNS
                || (place.is_none() && self.is_key(&key))
                || written.contains(&*key)
            {
                left_out += 1;
                continue;
            }
            let short = cells::cut(&value);
            self.shortened += u64::from(short.is_some());
            let cell = short.as_deref().unwrap_or(&value);
            if let Some(column) = place.flatten().and_then(|place| self.columns.list.get_mut(place)) {
                column.cells = column.cells.and(Kind::of(cell));
            }
            object.member(&key, cell);
            written.insert(key.into_owned());
        }
        self.left_out = self.left_out.max(left_out);
        self.rows.push(object.finish());
    }

    /// Where a name stands among the columns; none where columns were given and it isn't one of them.
    fn place(&mut self, name: &str) -> Option<Option<usize>> {
        if let Some(place) = self.places.get(name) {
            return Some(*place);
        }
        if self.given > 0 {
            return None;
        }
        let place = self.columns.find(name);
        self.places.insert(name.to_owned(), place);
        Some(place)
    }

    fn is_key(&self, key: &str) -> bool {
        self.columns.list.iter().any(|column| column.key == key)
    }
}

/// The header of arrays without one: the first of them, where it is distinct texts and another follows.
fn header<'a>(rows: &[&'a str]) -> Option<Vec<&'a str>> {
    if rows.len() < 2 || !rows.iter().take(PREVIEW_ROWS + 1).all(|row| is_array(row)) {
        return None;
    }
    let names = items(rows.first()?).filter(|names| !names.is_empty())?;
    let mut seen = HashSet::new();
    let is_name =
        |name: &&str| is_text(name) && says_something(name) && seen.insert(plain(name).into_owned());
    names.iter().all(is_name).then_some(names)
}

/// The values in BigQuery's `[{v: …}]`.
fn values(array: &str) -> Option<Vec<&str>> {
    items(array)?.into_iter().map(only_value).collect()
}

fn only_value(item: &str) -> Option<&str> {
    let members = members(item)?;
    let [Member { key, value }] = members.as_slice() else { return None };
    (key.0 == "v").then_some(*value)
}
