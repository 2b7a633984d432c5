//! A table's columns.
//!
//! | sent | becomes |
//! |---|---|
//! | a text or a number | its `key` and `label` |
//! | an object | `key` from `key`, `field`, `name`, `column_name`, `column`, `accessor`, `dataIndex` or `id` (a number becomes a text); `label` from `label`, `headerName`, `header`, `title`, `display_name` or `caption`; `type` from `type`, `dataType`, `data_type`, `type_text`, `type_name`, as one of ours (the word itself is kept in `type_reported`); then all other fields as sent |
//! | anything else | its `data`; the `key` is `column_` and its place from 1 |
//!
//! Keys are made distinct by `_2`, `_3`, … and cut. A missing label is the key, a missing or unknown type is that of
//! the cells.

use std::borrow::Cow;
use std::collections::HashSet;

use super::super::shape::{Field, ObjectText, is_array, is_number, is_text, members, pick, quoted};
use super::super::values::{items, plain, shortened};
use super::kinds::Kind;
use super::{KEY_CHARS_MAX, PREVIEW_COLUMNS, is_id};

const FIELDS: [Field; 3] = [
    Field {
        name: "key",
        aliases: &["field", "name", "column_name", "column", "accessor", "dataIndex", "id"],
        fits: is_id,
    },
    Field {
        name: "label",
        aliases: &["headerName", "header", "title", "display_name", "caption"],
        fits: is_text,
    },
    Field { name: "type", aliases: &["dataType", "data_type", "type_text", "type_name"], fits: is_text },
];

/// A column of a card.
pub(super) struct Column<'a> {
    /// What it is called in the rows as sent; positions count where those are arrays.
    pub sent: Cow<'a, str>,
    /// What it is called in the card: cut, and distinct.
    pub key: String,
    label: Option<&'a str>,
    reported: Option<&'a str>,
    known: Option<Kind>,
    /// The column as sent, where it is an object.
    object: Option<&'a str>,
    data: Option<&'a str>,
    /// What its cells are.
    pub cells: Kind,
}

/// Whether columns can go on as they were sent.
pub(super) fn are_regular(value: &str) -> bool {
    let mut keys = HashSet::new();
    let fits = |text: &str| shortened(&plain(text), KEY_CHARS_MAX).is_none();
    let mut is_regular = |column: &str| {
        let Some(members) = members(column) else { return false };
        let picked = pick(members, &FIELDS);
        let [key, label, kind] = picked.values;
        picked.as_named
            && key.is_some_and(|key| is_text(key) && fits(key) && keys.insert(plain(key).into_owned()))
            && label.is_some_and(fits)
            && kind.is_some_and(|kind| Kind::named(&plain(kind)).is_some())
    };
    let columns = if is_array(value) { items(value) } else { None };
    columns
        .is_some_and(|columns| columns.len() <= PREVIEW_COLUMNS && columns.into_iter().all(&mut is_regular))
}

/// Columns under construction: hands out distinct keys.
#[derive(Default)]
pub(super) struct Columns<'a> {
    pub list: Vec<Column<'a>>,
    taken: HashSet<String>,
    /// Those that were left out.
    pub left_out: usize,
}

impl<'a> Columns<'a> {
    /// A column that was given: what it is called in the rows, and its place, should there be room.
    pub(super) fn give(&mut self, value: &'a str) -> (String, Option<usize>) {
        let place = format!("column_{}", self.list.len() + self.left_out + 1);
        let is_name = is_text(value) || is_number(value);
        let Some(members) = members(value) else {
            let sent = if is_name { plain(value) } else { Cow::Owned(place) };
            return self.add(sent, |column| column.data = (!is_name).then_some(value));
        };
        let [key, label, reported] = pick(members, &FIELDS).values;
        let known = reported.map(plain).and_then(|name| Kind::named(&name).or_else(|| Kind::reported(&name)));
        self.add(key.map_or(Cow::Owned(place), plain), |column| {
            (column.label, column.reported, column.known, column.object) =
                (label, reported, known, Some(value));
        })
    }

    /// A column that the rows have, called `sent` there: its place, should there be room.
    pub(super) fn find(&mut self, sent: &str) -> Option<usize> {
        self.add(Cow::Owned(sent.to_owned()), |_| {}).1
    }

    fn add(&mut self, sent: Cow<'a, str>, fill: impl FnOnce(&mut Column<'a>)) -> (String, Option<usize>) {
        let name = sent.to_string();
        if self.list.len() >= PREVIEW_COLUMNS {
            self.left_out += 1;
            return (name, None);
        }
        let key = self.free(&sent);
        let mut column = Column {
            sent,
            key,
            label: None,
            reported: None,
            known: None,
            object: None,
            data: None,
            cells: Kind::Null,
        };
        fill(&mut column);
        self.list.push(column);
        (name, Some(self.list.len() - 1))
    }

    /// A key for the card that no other column has: at most 50 are tried, since there are no more columns.
    fn free(&mut self, name: &str) -> String {
        let base = shortened(name, KEY_CHARS_MAX - 4);
        let whole = shortened(name, KEY_CHARS_MAX).is_none();
        let mut key = base.clone().filter(|_| !whole).unwrap_or_else(|| name.to_owned());
        // Room for a number behind it.
        let base = base.unwrap_or_else(|| name.to_owned());
        let mut number = 2;
        while !self.taken.insert(key.clone()) {
            key = format!("{base}_{number}");
            number += 1;
        }
        key
    }
}

impl Column<'_> {
    /// The column as JSON.
    pub(super) fn written(&self) -> String {
        let picked = self.object.and_then(members).map(|members| pick(members, &FIELDS));
        let (rest, unread) = picked.map_or_else(Default::default, |picked| (picked.rest, picked.unread));
        let kind = self.known.unwrap_or(self.cells).as_str();
        let label = self.label.map_or(Cow::Borrowed(self.sent.as_ref()), plain);
        let mut object = ObjectText::new(64);
        object.member("key", &quoted(&self.key));
        object.member(
            "label",
            &quoted(&shortened(&label, KEY_CHARS_MAX).unwrap_or_else(|| label.into_owned())),
        );
        object.member("type", &quoted(kind));
        object.members(&rest);
        if let Some(reported) = self.reported.filter(|reported| plain(reported) != kind) {
            object.beside("type_reported", reported, &rest);
        }
        if let Some(data) = self.data {
            object.member("data", data);
        }
        object.unread(&unread, &rest);
        object.finish()
    }
}
