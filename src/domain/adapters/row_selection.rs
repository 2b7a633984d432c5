//! Table preview cards: `{title, columns: [{key, label, type}], rows, row_count, truncated, selected: [ids], query?}`,
//! and `truncation: {rows?, columns?, cells?}` where something isn't shown.
//!
//! | sent | becomes |
//! |---|---|
//! | an object | `title` from `title`, `name`, `caption`, `table_name`, `table` or `heading`; `columns` from `columns`, `fields`, `headers`, `header`, `col_keys`, `column_names`, `rowType` or `meta`; `rows` from `rows`, `data`, `records`, `results`, `result`, `items`, `values`, `preview`, `recordset`, `data_array` or `dataframe`; `row_count` from `row_count`, `rowCount`, `total_rows`, `totalRows`, `total_row_count`, `total_count`, `total`, `num_rows`, `numRows` or `count` (a text with a number in it too); `truncated` from `truncated`, `is_truncated`, `has_more` or `hasMore`; `selected` from `selected`, `selected_ids`, `selectedIds`, `selected_rows`, `selection` or `selected_id`; `query` from `query`, `sql`, `sql_query`, `generated_sql` or `statement`; then all other fields as sent, in order |
//! | `schema`, `resultSetMetaData` (Snowflake), `manifest` (Databricks) that are objects | opened: the members stand in its place |
//! | such an object in `metadata` (LlamaIndex), `output`, `response`, `result`, `results`, `data`, `table`, `dataframe` or `hits` | opened where there are no rows |
//! | an array | its rows |
//! | a text that holds such an object or array, fenced or not | as that |
//! | an object without rows whose members are all arrays of one length, or look like pandas' `dict` or `index` | its rows |
//! | another object without rows | those of a table in one of its texts, of its one list of objects, or the one that it is itself ([`unnamed`]) |
//! | a text with a table in Markdown or CSV, or with lines of JSON ([`texts`]) | that, and what stands around it as `content` |
//! | anything else | its `data` |
//!
//! Where neither rows nor columns nor a count are found the card says `recognised: false`: what was sent stands in `data`, or in
//! members of the card, and `row_count` counts none of it.
//!
//! Rows are read by [`rows`], columns by [`columns`]: records, arrays under a header, `split`, `table`, `list`, `dict`
//! and `index` of pandas' `to_dict`, BigQuery's `{f: [{v}]}`, single values.
//!
//! What is shown is bounded: [`PREVIEW_ROWS`] rows (the first, and of a list those that are selected, wherever they
//! stand), [`PREVIEW_COLUMNS`] columns, [`CELL_CHARS_MAX`] characters of a cell, [`KEY_CHARS_MAX`] of a key. `row_count` is the reported count, or those that came where they are more;
//! `truncated` is true where that is more than is shown, where the sender said so, and where anything was cut.
//! `truncation` counts the rows that aren't shown, the columns that were left out (of all rows, the most of one row
//! where columns were given), and the cells that were shortened (to a text, whatever they were).
//!
//! A selected item that is an object counts by its `id`, `row_id` or `key`; then the list as it was sent moves to
//! `unread`, as does a known name with a value of another type (`null` is left out).

use std::borrow::Cow;

use rows::{Cells, Selection};

use super::shape::{
    Field, Member, ObjectText, Picked, finished, is_array, is_note, is_number, is_object, is_text, members,
    pick,
};
use super::values::{boolean, embedded, find, is_boolean, items, number, opened, plain, reads_as_boolean};
use crate::domain::canonical_json::Text;
use crate::domain::event::RawJson;

mod cells;
mod columns;
mod kinds;
mod rows;
#[cfg(test)]
mod tests;
mod texts;
mod unnamed;

/// Rows of a card.
pub const PREVIEW_ROWS: usize = 50;
/// Columns of a card.
pub const PREVIEW_COLUMNS: usize = 50;
/// Characters of a cell, an ellipsis counted; of other values than texts, of their JSON.
pub const CELL_CHARS_MAX: usize = 500;
/// Characters of a column's key, and of its label.
pub const KEY_CHARS_MAX: usize = 200;

const FIELDS: [Field; 8] = [
    Field { name: "title", aliases: &["name", "caption", "table_name", "table", "heading"], fits: is_text },
    Field {
        name: "columns",
        aliases: &["fields", "headers", "header", "col_keys", "column_names", "rowType", "meta"],
        fits: is_array,
    },
    Field {
        name: "rows",
        aliases: &[
            "data",
            "records",
            "results",
            "result",
            "items",
            "values",
            "preview",
            "recordset",
            "data_array",
            "dataframe",
        ],
        fits: |value| is_array(value) || rows::is_oriented(value),
    },
    Field {
        name: "row_count",
        aliases: &[
            "rowCount",
            "total_rows",
            "totalRows",
            "total_row_count",
            "total_count",
            "total",
            "num_rows",
            "numRows",
            "count",
        ],
        fits: |value| count(value).is_some(),
    },
    Field { name: "truncated", aliases: &["is_truncated", "has_more", "hasMore"], fits: reads_as_boolean },
    Field {
        name: "selected",
        aliases: &["selected_ids", "selectedIds", "selected_rows", "selection", "selected_id"],
        fits: |value| is_array(value) || is_id(value),
    },
    Field { name: "query", aliases: &["sql", "sql_query", "generated_sql", "statement"], fits: is_text },
    Field { name: "truncation", aliases: &[], fits: is_object },
];

/// What is opened in any case, the outermost first.
const ABOUT: [&[&str]; 2] = [&["resultSetMetaData", "manifest"], &["schema"]];
/// What is opened where there are no rows, the outermost first.
const ENVELOPES: [&[&str]; 2] =
    [&["metadata", "output", "response"], &["result", "results", "data", "table", "dataframe", "hits"]];

fn is_id(value: &str) -> bool {
    is_text(value) || is_number(value)
}

/// A count of rows, or the one in a text; none that a double can't hold exactly.
fn count(value: &str) -> Option<u64> {
    let exact = |count: &f64| (0.0..9e15).contains(count) && count.fract() == 0.0;
    number(value).filter(exact).map(|count| count as u64)
}

/// The regular form of `raw`.
pub(super) fn normalise(raw: &RawJson) -> RawJson {
    if members(raw.get()).is_some_and(|members| is_regular(&pick(members, &FIELDS))) {
        return raw.clone();
    }
    let held = embedded(raw.get()).or_else(|| in_text(raw.get()));
    let text = held.as_deref().unwrap_or(raw.get());
    let found = unnamed_rows(text);
    let text = found.as_deref().unwrap_or(text);
    let object = members(text);
    let is_table = object.as_deref().map_or(is_array(text), |object| is_all_rows(object, text));
    let is_data = object.is_none() && !is_table;
    let members = object.filter(|_| !is_table).map(opened_for_rows).unwrap_or_default();
    let picked = pick(members, &FIELDS);
    let data = is_data.then_some(text);
    finished(written(picked, is_table.then_some(text), data, text.len()), raw)
}

/// The table in a text.
fn in_text(text: &str) -> Option<String> {
    if is_text(text) { texts::table_in(&plain(text)) } else { None }
}

/// An object with the rows that stood under no name of theirs.
fn unnamed_rows(text: &str) -> Option<String> {
    if has_own_table(text) {
        return None;
    }
    unnamed::with_rows(&members(text)?, &opened_for_rows(members(text)?))
}

/// Whether an object has rows or columns, by whatever name; none at all of either is a table too.
pub(super) fn has_table(raw: &RawJson) -> bool {
    let opened = || members(raw.get()).map(opened_for_rows).unwrap_or_default();
    has_own_table(raw.get()) || unnamed::has_rows(&opened())
}

/// The same by one of their names.
fn has_own_table(text: &str) -> bool {
    let Some(members) = members(text) else { return false };
    let is_columns = |member: &Member<'_>| member.key.0 == FIELDS[1].name && is_array(member.value);
    members.iter().any(is_columns) || is_all_rows(&members, text) || !has_no_rows(&opened_for_rows(members))
}

/// Whether a card shows less than what it was made of: then it says how much.
pub(super) fn cuts(raw: &RawJson, card: &RawJson) -> bool {
    let told = |text: &str| members(text).and_then(|members| find(&members, "truncation").map(str::to_owned));
    raw.get() != card.get() && told(card.get()).is_some_and(|notes| told(raw.get()) != Some(notes))
}

/// The members with rows among them, should those stand in an envelope.
fn opened_for_rows(members: Vec<Member<'_>>) -> Vec<Member<'_>> {
    let members = ABOUT.into_iter().fold(members, opened);
    let open = |members: Vec<_>, names: &[&str]| {
        if has_no_rows(&members) { opened(members, names) } else { members }
    };
    ENVELOPES.into_iter().fold(members, open)
}

/// Whether an object is nothing but rows.
fn is_all_rows(members: &[Member<'_>], text: &str) -> bool {
    let is_known = |member: &Member<'_>| FIELDS.iter().any(|field| field.name == member.key.0);
    !members.iter().any(is_known) && has_no_rows(members) && rows::is_oriented(text)
}

fn has_no_rows(members: &[Member<'_>]) -> bool {
    let [_, _, Field { name, aliases, fits }, ..] = FIELDS;
    !members.iter().any(|Member { key: Text(key), value }| {
        (key == name || aliases.contains(&key.as_ref())) && fits(value)
    })
}

/// The card; `whole` is what the rows are where they weren't a member.
fn written(picked: Picked<'_, 8>, whole: Option<&str>, data: Option<&str>, bytes: usize) -> String {
    let Picked {
        values: [title, columns, rows, reported, truncated, selected, query, told],
        rest,
        mut unread,
        ..
    } = picked;
    let given = columns.and_then(items).filter(|given| !given.is_empty());
    let has_table = [columns, rows, reported, whole].iter().any(Option::is_some);
    let is_recognised = has_table || data.is_none() && unread.is_empty() && rest.iter().all(is_note);
    let (ids, all) = selected.map_or((Cow::Borrowed("[]"), true), ids);
    let table = Cells::read(rows.or(whole), given, &Selection::of(&ids));
    let shown = table.rows.len() as u64;
    let total = reported.and_then(count).unwrap_or(0).max(table.came);
    let reports_less = reported.filter(|value| count(value) != Some(total));
    unread.extend(reports_less.map(|value| member("row_count", value)));
    unread.extend(selected.filter(|_| !all).map(|value| member("selected", value)));
    let notes = table.truncation(total);
    unread.extend(told.filter(|_| notes.is_some()).map(|value| member("truncation", value)));
    let cut = notes.is_some() || total > shown || truncated.and_then(boolean) == Some(true);

    let mut object = ObjectText::new(bytes.min(1 << 16) + 160);
    object.member("title", title.unwrap_or("\"\""));
    object.member("columns", &table.columns());
    object.member("rows", &format!("[{}]", table.rows.join(",")));
    object.member("row_count", &total.to_string());
    object.member("truncated", if cut { "true" } else { "false" });
    object.member("selected", &ids);
    if let Some(query) = query {
        object.member("query", query);
    }
    if let Some(notes) = notes.as_deref().or(told) {
        object.member("truncation", notes);
    }
    object.members(&rest);
    if let Some(data) = data {
        object.member("data", data);
    }
    if !is_recognised {
        object.beside("recognised", "false", &rest);
    }
    object.unread(&unread, &rest);
    object.finish()
}

fn member<'a>(key: &'a str, value: &'a str) -> Member<'a> {
    Member { key: Text(Cow::Borrowed(key)), value }
}

fn is_regular(picked: &Picked<'_, 8>) -> bool {
    let [title, columns, rows, reported, truncated, selected, _, _] = picked.values;
    let (Some(columns), Some(rows), Some(reported)) = (columns, rows, reported) else { return false };
    let Some(shown) = cells::regular_rows(rows) else { return false };
    let Some(total) = count(reported).filter(|total| *total >= shown as u64 && is_plain_count(reported))
    else {
        return false;
    };
    picked.as_named
        && title.is_some()
        && columns::are_regular(columns)
        && truncated.is_some_and(|cut| is_boolean(cut) && (cut == "true" || total == shown as u64))
        && selected.and_then(items).is_some_and(|ids| ids.into_iter().all(is_id))
}

/// Whether a count is written as digits: `5.0` and `5e0` are counts too, but no integers to every reader.
fn is_plain_count(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit())
}

/// The ids of a selection, as an array, and whether that is all that was sent.
fn ids(selected: &str) -> (Cow<'_, str>, bool) {
    let Some(list) = items(selected) else { return (Cow::Owned(format!("[{selected}]")), true) };
    if list.iter().all(|item| is_id(item)) {
        return (Cow::Borrowed(selected), true);
    }
    let id = |item: &&'_ str| {
        if is_id(item) {
            return Some((*item).to_owned());
        }
        let members = members(item)?;
        let found =
            ["id", "row_id", "key"].iter().find_map(|name| find(&members, name).filter(|id| is_id(id)));
        found.map(str::to_owned)
    };
    (Cow::Owned(format!("[{}]", list.iter().filter_map(id).collect::<Vec<_>>().join(","))), false)
}
