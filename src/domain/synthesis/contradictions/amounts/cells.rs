//! Amounts in cells: `Qdrant | 12 ms` below `Database | p99 latency`, `p99 latency | 12 ms` below `Metric | Qdrant`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::super::labelled::is_own;
use super::super::rows::{NAMING, TIMES};
use super::lines::Lines;
use super::value::{Apart, Value, is_amount, may_count};
use super::words::{are_of_thing, said};
use super::{All, Amount, Called, Form};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Row, cells, plain};
use crate::domain::text::words::{Lexicon, Term};

/// What heads a column that says of which case a row is.
#[rustfmt::skip]
pub(super) const QUALIFYING: &[&str] = &[
    "dataset", "benchmark", "region", "country", "market", "segment", "version", "release", "plan", "tier", "edition", "size", "environment", "env", "workload", "scenario", "case", "condition", "conditions",
    "configuration", "config", "setup", "hardware", "instance", "mode", "type", "category", "variant", "group", "class", "method", "test", "phase", "status", "for", "audience", "season", "location", "city", "datensatz",
    "umgebung", "variante", "bedingung",
];
/// What heads a column of what stands in the others.
pub(super) const UNITS: [&str; 6] = ["unit", "units", "currency", "einheit", "währung", "unité"];
/// What heads a column that says nothing of a thing.
#[rustfmt::skip]
pub(super) const ASIDE: &[&str] = &[
    "#", "source", "sources", "note", "notes", "comment", "comments", "reference", "references", "ref", "link", "links", "rank", "ranking", "change", "delta", "difference", "diff", "trend", "growth", "quelle", "anmerkung",
];

/// What heads a column.
struct Head {
    words: Vec<Term>,
    is_thing: bool,
    unit: Option<Apart>,
    of: What,
    is_empty: bool,
}

/// What the cells of a column say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Amounts,
    Case,
    Unit,
    Aside,
}

/// The amounts in all rows.
pub(super) fn of_rows<'a, 't>(
    order: &[usize],
    all: &All<'a, 't>,
    lines: &mut Lines<'t>,
    lexicon: &mut Lexicon,
) -> Vec<Amount<'a>> {
    let mut tables: BTreeMap<&str, Rc<[Head]>> = BTreeMap::new();
    let mut found = Vec::new();
    for &at in order {
        let Some(Row { columns, .. }) = all.statements[at].row else { continue };
        let heads = tables.entry(columns).or_insert_with(|| heads(columns, lexicon)).clone();
        let is_named = cells(columns).next().is_some_and(|first| NAMING.contains(&plain(first).as_str()));
        found.extend(of_row((at, all), (&heads, is_named), lines, lexicon));
    }
    found
}

fn of_row<'a, 't>(
    (at, all): (usize, &All<'a, 't>),
    (heads, is_named): (&[Head], bool),
    lines: &mut Lines<'t>,
    lexicon: &mut Lexicon,
) -> Vec<Amount<'a>> {
    let (statement, of) = (&all.statements[at], all.features[at]);
    let mut ranges = ranges(of.text);
    let (Some(first), Some(head)) = (ranges.next(), heads.first()) else { return Vec::new() };
    let label = said(of, first.clone(), None);
    if label.is_empty() || head.of == What::Aside || !of.text[first.clone()].contains(char::is_alphabetic) {
        return Vec::new();
    }
    let is_thing = are_of_thing(of, first);
    let cells: Vec<(Range<usize>, &Head)> = ranges.zip(&heads[1..]).collect();
    let with = |what: What| cells.iter().filter(move |(_, head)| head.of == what);
    let case: Vec<Term> = with(What::Case).flat_map(|(range, _)| said(of, range.clone(), None)).collect();
    let unit = with(What::Unit).find_map(|(range, _)| Apart::of(&of.text[range.clone()], lexicon));
    let mut found = Vec::new();
    for (range, column) in with(What::Amounts) {
        let mut inside =
            of.figures.iter().filter(|figure| figure.start >= range.start && figure.end <= range.end);
        let amount = inside.next().filter(|figure| is_amount(figure) || may_count(of, figure));
        let Some(figure) = amount else { continue };
        if inside.next().is_some() {
            continue;
        }
        let rest = said(of, range.clone(), Some(figure.start));
        let own = [label.as_slice(), &column.words, &rest, &case].concat();
        // `Survey | ` above `Response rate | 48%`: the other column's head names the thing.
        let is_of_first = column.is_empty && head.is_thing && cells.len() == 1;
        let own_words = if is_of_first { [own.as_slice(), &head.words].concat() } else { own };
        let is_own = is_thing && (column.is_thing || is_of_first);
        let mut called = lines.called(&own_words, is_own, statement, lexicon);
        // `The database Qdrant has …`
        let kinds = called.iter().filter(|_| !head.words.is_empty() && head.of == What::Amounts);
        let with_kind: Vec<Called> = kinds
            .map(|called| Called {
                words: super::words::joined(&[&called.words, &head.words]),
                ..called.clone()
            })
            .collect();
        called.extend(with_kind);
        if !called.is_empty() {
            let value = Value::new(of, figure, column.unit.as_ref().or(unit.as_ref()));
            found.push(Amount { at, form: Form::Cell, called, value, is_named });
        }
    }
    found
}

/// The bytes of each cell of a row.
fn ranges(row: &str) -> impl Iterator<Item = Range<usize>> {
    cells(row).scan(0, |start, cell| {
        let range = *start..*start + cell.len();
        *start = range.end + 1;
        Some(range)
    })
}

fn heads(columns: &str, lexicon: &mut Lexicon) -> Rc<[Head]> {
    cells(columns).enumerate().map(|(at, cell)| head(cell, at == 0, lexicon)).collect()
}

fn head(cell: &str, is_first: bool, lexicon: &mut Lexicon) -> Head {
    let shown = cell.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`'));
    let (words, unit) = apart(shown, lexicon);
    let plain = plain(words);
    let is_listed = |all: &[&str]| all.contains(&plain.as_str());
    let of = match () {
        () if is_listed(ASIDE) || !plain.is_empty() && plain.split(' ').all(is_own) => What::Aside,
        () if is_first => What::Amounts,
        () if is_listed(&UNITS) => What::Unit,
        () if is_listed(QUALIFYING) || is_listed(TIMES) => What::Case,
        () => What::Amounts,
    };
    let read = Features::of(lexicon, words);
    let is_thing = are_of_thing(&read, 0..words.len());
    Head { words: said(&read, 0..words.len(), None), is_thing, unit, of, is_empty: shown.is_empty() }
}

/// What a head, or a label, says, and the unit that it has: `Latency (ms)`, `Revenue in million EUR`, `Price per month`.
pub(super) fn apart<'h>(head: &'h str, lexicon: &mut Lexicon) -> (&'h str, Option<Apart>) {
    if let Some((words, inside)) = head.strip_suffix([')', ']']).and_then(|head| head.rsplit_once(['(', '[']))
    {
        let is_number = inside.bytes().all(|byte| byte.is_ascii_digit());
        let unit = Apart::of(inside.trim_start_matches("in "), lexicon);
        // What cites says nothing.
        if unit.is_some() || is_number && head.ends_with(']') {
            return (words.trim_end(), unit);
        }
    }
    for (joint, skipped) in [(" in ", " in ".len()), (", ", ", ".len()), (" per ", 1), (" / ", 1), (" %", 1)]
    {
        if let Some(place) = head.rfind(joint)
            && let Some(unit) = Apart::of(&head[place + skipped..], lexicon)
        {
            return (&head[..place], Some(unit));
        }
    }
    (head, None)
}
