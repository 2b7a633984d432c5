//! Rows of tables with the same first cell below the same heads that differ in one other cell, or in two where the first names a thing of
//! its own and none is another in every test: `Berlin | 3.7 million` and `Berlin | 2.1 million` below `City | Population`.
//!
//! What a table is about often stands in none of its cells, so this needs more than two sentences do: what the first cell names
//! must be a thing of its own, or another row must be the same in both tables, or of the only row that both have another figure
//! is. Where two tables differ in more rows than they share, they are about different things. Rows of other years or quarters are
//! of other things. Each row is compared with [`CHECKS_MAX`] others at most.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::converted::agrees;
use super::differ::Difference;
use super::{CHECKS_MAX, Kind, amounts};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Row, Statement, are_tasks_of_others, cells, plain, verdict};
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::words::Lexicon;

/// What heads a column of names that say by themselves what they name; a plan, a feature or a quarter is one of something.
#[rustfmt::skip]
pub(super) const NAMING: &[&str] = &[
    "city", "town", "country", "state", "province", "company", "firm", "vendor", "provider", "manufacturer", "brand", "product", "model", "device", "phone", "gpu", "cpu", "chip", "processor", "laptop", "camera", "car", "language", "framework",
    "library", "database", "tool", "bank", "university", "airport", "airline", "river", "mountain", "planet", "drug", "person", "player", "team", "material", "element",
    "stadt", "land", "firma", "unternehmen", "anbieter", "hersteller", "produkt", "modell", "gerät", "sprache", "ville", "pays", "entreprise", "fournisseur", "produit", "modèle", "ciudad", "país",
    "empresa", "proveedor", "producto", "modelo", "城市", "国家", "公司", "产品", "型号", "都市", "国", "会社", "製品",
];

/// What heads a column of names that others have as well: another figure has to be the same.
#[rustfmt::skip]
const NAMING_BESIDE: &[&str] = &[
    "name", "region", "district", "county", "area", "place", "location", "site", "store", "branch", "station", "school", "hospital", "hotel", "restaurant", "museum", "park", "lake", "island", "bridge",
    "village", "municipality", "continent", "employee", "customer", "supplier", "bezirk", "landkreis", "ort", "standort", "filiale", "région", "département", "commune", "región", "distrito", "município", "地区", "区域", "地域", "姓名", "名称", "名前",
];

/// What heads a column that says of which time a row is.
#[rustfmt::skip]
pub(super) const TIMES: &[&str] = &[
    "year", "fiscal year", "quarter", "month", "week", "date", "period", "jahr", "geschäftsjahr", "quartal", "monat", "woche", "datum", "zeitraum",
    "année", "trimestre", "mois", "semaine", "période", "año", "mes", "semana", "fecha", "período", "年", "年份", "年度", "季度", "月份", "月", "日期",
];

/// Cells that differ in what is said of a thing of its own.
const DIFFERING_MAX: usize = 2;

/// A row as it is compared.
struct Read<'s> {
    at: usize,
    subagent: &'s str,
    /// What it was asked for.
    task: &'s str,
    /// The first cell, and those that say of which time it is.
    name: Vec<String>,
    cells: Vec<String>,
    /// The byte of each cell in the row.
    starts: Vec<usize>,
    /// Which table it may stand in: equal where what heads the columns and the table is.
    table: usize,
    is_named: bool,
    /// Whether the same figure beside it tells that the first cell names the same.
    is_named_beside: bool,
}

/// What two rows are to each other.
enum Found {
    Same,
    Differ(Difference),
    Unlike,
}

/// The pairs of rows that differ, and how many were compared. `order` are the statements in an order of their own.
pub(super) fn differences(
    order: &[usize],
    statements: &[Statement<'_>],
    features: &[&Features<'_>],
) -> (Vec<([usize; 2], Difference)>, usize) {
    let rows = read(order, statements);
    let counting = OnceCell::new();
    let counts = |table: usize, column: usize| {
        counting.get_or_init(|| columns_of_counts(&rows, features)).contains(&(table, column))
    };
    let mut same: BTreeMap<(usize, &[String]), Vec<&Read<'_>>> = BTreeMap::new();
    for row in &rows {
        same.entry((row.table, &row.name)).or_default().push(row);
    }
    // By table and who has it, how many rows are the same and how many aren't.
    let mut tallies: BTreeMap<(usize, [&str; 2]), (usize, usize)> = BTreeMap::new();
    let (mut found, mut checked) = (Vec::new(), 0);
    for rows in same.values() {
        // Where one has several rows of a thing, they are told apart by more than it.
        let is_alone = |row: &&Read<'_>| {
            !rows.iter().any(|other| other.subagent == row.subagent && other.cells != row.cells)
        };
        let alone: Vec<&Read<'_>> = rows.iter().copied().take(CHECKS_MAX).filter(is_alone).collect();
        for (place, &one) in alone.iter().enumerate() {
            for &other in alone[place + 1..].iter().filter(|other| other.subagent != one.subagent) {
                checked += 1;
                let mut both = [one.subagent, other.subagent];
                both.sort_unstable();
                let tally = tallies.entry((one.table, both)).or_default();
                match compare((one, features[one.at]), (other, features[other.at]), &counts) {
                    Found::Same => tally.0 += 1,
                    Found::Unlike => tally.1 += 1,
                    Found::Differ(difference) => {
                        tally.1 += 1;
                        found.push((one, other, both, difference));
                    }
                }
            }
        }
    }
    let mut lexicon = Lexicon::default();
    let mut stands = |one: &Read<'_>, other: &Read<'_>, both: [&str; 2]| {
        let (same, others) = tallies.get(&(one.table, both)).copied().unwrap_or_default();
        let mut is_told_beside = || {
            one.is_named_beside
                && share_figure(one, other)
                && !are_tasks_of_others(one.task, other.task, &mut lexicon)
        };
        others <= same || others == 1 && (one.is_named || is_told_beside())
    };
    let found = found.into_iter().filter(|(one, other, both, _)| stands(one, other, *both));
    (found.map(|(one, other, _, difference)| ([one.at, other.at], difference)).collect(), checked)
}

/// The rows with two cells or more, the first of which has a letter.
fn read<'s>(order: &[usize], statements: &'s [Statement<'_>]) -> Vec<Read<'s>> {
    let mut tables: BTreeMap<(Vec<String>, String), usize> = BTreeMap::new();
    let of = |&at: &usize| {
        let Statement { text, subagent, row, around, .. } = &statements[at];
        let Row { section, .. } = (*row)?;
        let heads = (*row)?.heads(text);
        let (mut starts, mut start) = (Vec::new(), 0);
        for cell in cells(text) {
            starts.push(start);
            start += cell.len() + 1;
        }
        let cells: Vec<String> = cells(text).map(plain).collect();
        if cells.len() < 2 || !cells[0].contains(char::is_alphabetic) || heads.iter().all(String::is_empty) {
            return None;
        }
        let is_named = NAMING.contains(&heads[0].as_str());
        let is_named_beside = NAMING_BESIDE.contains(&heads[0].as_str());
        let of_time = cells.iter().zip(&heads).skip(1).filter(|(_, head)| TIMES.contains(&head.as_str()));
        let name = cells.iter().take(1).chain(of_time.map(|(cell, _)| cell)).cloned().collect();
        let next = tables.len();
        let table = *tables.entry((heads, plain(section))).or_insert(next);
        Some(Read { at, subagent, task: around.task, name, cells, starts, table, is_named, is_named_beside })
    };
    order.iter().filter_map(of).collect()
}

/// Whether two rows have a figure in common behind their first cells.
fn share_figure(one: &Read<'_>, other: &Read<'_>) -> bool {
    let mut pairs = one.cells.iter().zip(&other.cells).skip(1);
    pairs.any(|(mine, theirs)| mine == theirs && mine.contains(|c: char| c.is_ascii_digit()))
}

/// How two rows with the same first cell differ. Which columns of which tables count something says `counts`.
fn compare(
    (one, mine): (&Read<'_>, &Features<'_>),
    (other, theirs): (&Read<'_>, &Features<'_>),
    counts: &dyn Fn(usize, usize) -> bool,
) -> Found {
    let is_other = |at: &usize| {
        let (a, b) = (one.cells[*at].as_str(), other.cells[*at].as_str());
        a != b && verdict(a).is_none_or(|said| verdict(b) != Some(said))
    };
    let written = |of: &Features<'_>, at: usize| cells(of.text).nth(at).unwrap_or_default().trim().to_owned();
    let lasts = |at: &usize| figure(one, mine, *at).is_none_or(|(figure, _)| !amounts::varies(figure));
    let differing: Vec<usize> = (1..one.cells.len()).filter(is_other).take(DIFFERING_MAX + 1).collect();
    let may_be_two = one.is_named && differing.len() <= DIFFERING_MAX && differing.iter().all(lasts);
    if differing.len() > 1 && !may_be_two {
        return Found::Unlike;
    }
    let mut found: Option<Difference> = None;
    for at in differing {
        let differ = match (verdict(&one.cells[at]), verdict(&other.cells[at])) {
            (Some(_), Some(_)) => Some(Kind::Polarity),
            _ => match cells_agree((one, mine), (other, theirs), at, counts) {
                Some(true) => None,
                Some(false) => Some(Kind::Number),
                None => return Found::Unlike,
            },
        };
        let difference = differ.map(|kind| Difference::new(kind, written(mine, at), written(theirs, at)));
        found = found.or(difference);
    }
    found.map_or(Found::Same, Found::Differ)
}

/// Whether a cell of two rows says the same amount; `None` where they can't be compared.
fn cells_agree(
    (one, mine): (&Read<'_>, &Features<'_>),
    (other, theirs): (&Read<'_>, &Features<'_>),
    at: usize,
    counts: &dyn Fn(usize, usize) -> bool,
) -> Option<bool> {
    if let (Some((a, around)), Some((b, beside))) = (figure(one, mine, at), figure(other, theirs, at)) {
        return if around == beside { agrees((mine, a), (theirs, b)) } else { None };
    }
    // Four digits may be a year, but not below what counts something in other rows.
    let digits = |cell: &str| cell.replace(',', "").parse::<u64>().ok();
    let both = digits(&one.cells[at]).zip(digits(&other.cells[at]));
    both.filter(|_| counts(one.table, at)).map(|(mine, theirs)| mine == theirs)
}

/// The columns of tables that have a bare number that is no year.
fn columns_of_counts(rows: &[Read<'_>], features: &[&Features<'_>]) -> BTreeSet<(usize, usize)> {
    let of_row = |row: &Read<'_>| -> Vec<(usize, usize)> {
        let counts =
            |at: &usize| figure(row, features[row.at], *at).is_some_and(|(of, _)| of.unit == Unit::Plain);
        (1..row.cells.len()).filter(counts).map(|at| (row.table, at)).collect()
    };
    rows.iter().flat_map(of_row).collect()
}

/// The only figure of a cell, where it is an amount, and what stands around it.
fn figure<'f>(row: &Read<'_>, of: &'f Features<'_>, at: usize) -> Option<(&'f Figure, String)> {
    let start = row.starts[at];
    let end = start + cells(of.text).nth(at)?.len();
    let mut inside = of.figures.iter().filter(|figure| figure.start >= start && figure.end <= end);
    let figure = inside.next()?;
    let is_amount = matches!(
        figure.unit,
        Unit::Plain | Unit::Percent | Unit::Points | Unit::Money(_) | Unit::Measure { .. } | Unit::Times
    );
    if inside.next().is_some() || !is_amount {
        return None;
    }
    Some((figure, plain(&[&of.text[start..figure.start], &of.text[figure.end..end]].join(" "))))
}

#[cfg(test)]
mod tests {
    use super::super::contradictions;
    use super::*;
    use crate::domain::near_duplicates::Reader;
    use crate::domain::synthesis::claims::{Said, statements};

    /// What contradicts in two tables of two subagents.
    fn found(one: &str, other: &str) -> Vec<(Kind, String)> {
        let mut all = statements(Said { subagent: "a", ..Said::uncited(one) });
        all.extend(statements(Said { subagent: "b", ..Said::uncited(other) }));
        let mut reader = Reader::default();
        let features: Vec<_> = all.iter().map(|said| reader.read(said.text)).collect();
        let found = contradictions(&all, &features).found;
        found.into_iter().map(|found| (found.kind, found.description)).collect()
    }

    fn table(head: &str, rows: &[&str]) -> String {
        let line = "|---".repeat(head.matches('|').count() + 1);
        format!("| {head} |\n{line}|\n| {} |\n", rows.join(" |\n| "))
    }

    #[test]
    fn one_cell_that_differs_contradicts() {
        for (head, one, other, expected) in [
            ("City | Population", ["Berlin | 3.7 million", ""], ["Berlin | 2.1 million", ""], Kind::Number),
            (
                "Quarter | Revenue",
                ["Q1 2023 | 1,204", "Q2 2023 | 1,300"],
                ["Q1 2023 | 1,402", "Q2 2023 | 1,300"],
                Kind::Number,
            ),
            (
                "Plan | Price | Users",
                ["Basic | $10 | 5", "Pro | $25 | 9"],
                ["Basic | $12 | 5", "**Pro** | $25 | 9"],
                Kind::Number,
            ),
            (
                "Museum | Open | Since",
                ["Ulm | 9–17 | 1950", "Bonn | 8–16 | 1960"],
                ["Ulm | 10–18 | 1950", "Bonn | 8–16 | 1960"],
                Kind::Number,
            ),
            ("Phone | NFC", ["Pixel 9 | ✅", ""], ["Pixel 9 | no", ""], Kind::Polarity),
            (
                "Model | Price | Weight",
                ["Zephyr X2 | €499 | 1.2 kg", ""],
                ["Zephyr X2 | €549 | 1.4 kg", ""],
                Kind::Number,
            ),
            (
                "Region | Failed orders",
                ["EMEA | 1240", "APAC | 310"],
                ["EMEA | 1840", "APAC | 310"],
                Kind::Number,
            ),
            ("GPU | Price", ["RTX 4070 | $549", ""], ["RTX 4070 | $599", ""], Kind::Number),
            (
                "Region | Population | Year",
                ["North | 3100 | 2024", ""],
                ["North | 3400 | 2024", ""],
                Kind::Number,
            ),
            (
                "Region | Year | Sales",
                ["North | 2023 | 3100", "North | 2024 | 3200"],
                ["North | 2023 | 3100", "North | 2024 | 3900"],
                Kind::Number,
            ),
        ] {
            let (one, other) = (table(head, &one), table(head, &other));
            let kinds =
                |found: Vec<(Kind, String)>| found.into_iter().map(|found| found.0).collect::<Vec<_>>();
            assert_eq!(kinds(found(&one, &other)), [expected], "{one}{other}");
            assert_eq!(kinds(found(&other, &one)), [expected], "{one}{other}");
        }
        let [one, other] =
            ["Berlin | 3.7 million", "Berlin | 2.1 million"].map(|row| table("City | Population", &[row]));
        assert!(
            found(&one, &other)[0].1.ends_with("give different numbers: “2.1 million” and “3.7 million”.")
        );
    }

    #[test]
    fn what_may_be_about_something_else_contradicts_nothing() {
        for (heads, one, other) in [
            // Of another plan, another firm, another time.
            (["Plan | Price"; 2], ["Basic | $10", "Pro | $25"], ["Basic | $12", "Pro | $30"]),
            (["Plan | Price"; 2], ["Basic | $10", ""], ["Basic | $12", ""]),
            (["Quarter | Revenue"; 2], ["Q1 2023 | 1,204", ""], ["Q1 2023 | 1,402", ""]),
            (["Country | Revenue"; 2], ["France | 5 %", "Spain | 7 %"], ["France | 6 %", "Spain | 8 %"]),
            (["Region | Sales"; 2], ["North | 3100", ""], ["North | 3400", ""]),
            (["Metric | Sales | Year"; 2], ["Total | 3100 | 2024", ""], ["Total | 3400 | 2024", ""]),
            (["Region | Sales | Year"; 2], ["North | 3100 | 2023", ""], ["North | 3400 | 2024", ""]),
            (
                ["Region | Sales | Year"; 2],
                ["North | 3100 | 2024", "South | 1 | 2024"],
                ["North | 3400 | 2024", "South | 2 | 2024"],
            ),
            (["City | Notice", "City | Deposit"], ["Berlin | 30", ""], ["Berlin | 40", ""]),
            (["Plan | Size | People"; 2], ["Basic | 5 km | 7", ""], ["Basic | 6 km | 8", ""]),
            (["City | Size | People | Trees"; 2], ["Rome | 5 km | 7 | 30", ""], ["Rome | 6 km | 8 | 40", ""]),
            (["Database | p99 | Recall"; 2], ["Qdrant | 5 ms | 97%", ""], ["Qdrant | 6 ms | 96%", ""]),
            (["City | Size | Mayor"; 2], ["Rome | 5 km | Ada", ""], ["Rome | 6 km | Bea", ""]),
            // The same, and what can't be compared.
            (["City | People"; 2], ["Rome | 2.8 million", ""], ["Rome | about 2.75 million", ""]),
            (["City | Rent"; 2], ["Rome | 5 EUR", ""], ["Rome | 5 USD", ""]),
            (["City | Founded"; 2], ["Rome | 1950", ""], ["Rome | 1960", ""]),
            (["City | Rent"; 2], ["Rome | 5 EUR (old)", ""], ["Rome | 7 EUR (new)", ""]),
            (["City | Rent"; 2], ["Rome | 5 EUR", "Rome | 7 EUR"], ["Rome | 7 EUR", ""]),
            (["Phone | NFC"; 2], ["Pixel | ✅", ""], ["Pixel | yes", ""]),
            (["No. | Rent"; 2], ["1 | 5 EUR", ""], ["1 | 7 EUR", ""]),
        ] {
            let (one, other) = (table(heads[0], &one), table(heads[1], &other));
            assert_eq!(found(&one, &other), [], "{one}{other}");
        }
        let [one, other] = [("Acme", 5), ("Globex", 7)].map(|(firm, rent)| {
            format!("## {firm}\n\n{}", table("City | Rent", &[&format!("Rome | {rent} EUR")]))
        });
        assert_eq!(found(&one, &other), []);
    }
}
