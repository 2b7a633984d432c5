//! The cells of a line of CSV, and what makes a header of one and rows of those below it.

use std::borrow::Cow;

use crate::domain::text::scripts::is_wide;

/// The cells of a line, as those of a table in Markdown are written.
pub(super) type Cells<'t> = Vec<Cow<'t, str>>;

/// Bytes of a line: what is longer isn't read as a row.
const LINE_BYTES_MAX: usize = 600;
/// Columns of a table, at most.
const COLUMNS_MAX: usize = 40;
/// Characters and words of what heads a column: more is a sentence.
const LABEL: (usize, usize) = (48, 6);
/// Characters of a figure with its unit, and those of them that are Chinese or Japanese.
const FIGURE: (usize, usize) = (24, 2);
/// Cells of a line that one row below a header is enough for.
const COLUMNS_OF_ONE: usize = 3;
/// Rows with blanks behind their commas, at least.
const LOOSE_ROWS_MIN: usize = 2;
/// What a part of a sentence begins with.
const JOINTS: [&str; 10] = ["and", "or", "but", "which", "und", "oder", "et", "ou", "y", "e"];
/// Years that head columns, and how far they are apart at most.
const YEARS: std::ops::RangeInclusive<u16> = 1900..=2100;
const YEARS_APART_MAX: u16 = 10;
/// What stands where there is no figure, or yes and no.
const NOTHING: [&str; 10] = ["", "-", "–", "—", "?", "n/a", "na", "null", "none", "tbd"];
const VERDICTS: [&str; 8] = ["yes", "no", "true", "false", "✅", "❌", "✓", "✗"];

/// What stands between the cells of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Between {
    pub(super) mark: char,
    /// Whether blanks may follow it, as in prose.
    pub(super) is_loose: bool,
}

/// The cells of a line, two or more; `None` where it is no row: a blank follows what stands between them and mustn't, a quotation
/// doesn't end, or it is too long.
pub(super) fn cells(line: &str, Between { mark: between, is_loose }: Between) -> Option<Cells<'_>> {
    let line = line.trim_end_matches(['\n', '\r', ' ']).trim_start_matches(' ');
    if line.len() > LINE_BYTES_MAX || !line.contains(between) {
        return None;
    }
    let (mut found, mut rest) = (Vec::new(), line);
    loop {
        let (cell, behind) = cell(rest, between)?;
        found.push(cell);
        if found.len() > COLUMNS_MAX {
            return None;
        }
        match behind {
            Some(next) if is_loose => rest = next.trim_start_matches(' '),
            Some(next) if between != '\t' && next.starts_with(' ') => return None,
            Some(next) => rest = next,
            None => break,
        }
    }
    (found.len() > 1).then_some(found)
}

/// The first cell, and what stands behind the mark that ends it.
fn cell(rest: &str, between: char) -> Option<(Cow<'_, str>, Option<&str>)> {
    let Some(quoted) = rest.strip_prefix('"') else {
        let (cell, behind) = rest.split_once(between).map_or((rest, None), |(cell, rest)| (cell, Some(rest)));
        return Some((in_markdown(Cow::Borrowed(cell.trim())), behind));
    };
    // Two quotation marks are one that is written.
    let mut end = 0;
    loop {
        end += memchr::memchr(b'"', &quoted.as_bytes()[end..])?;
        if !quoted[end + 1..].starts_with('"') {
            break;
        }
        end += 2;
    }
    let behind = &quoted[end + 1..];
    let behind = if behind.is_empty() { None } else { Some(behind.strip_prefix(between)?) };
    let cell = quoted[..end].trim();
    let cell = if cell.contains("\"\"") { cell.replace("\"\"", "\"").into() } else { Cow::Borrowed(cell) };
    Some((in_markdown(cell), behind))
}

/// A bar in a cell would end it.
fn in_markdown(cell: Cow<'_, str>) -> Cow<'_, str> {
    if !cell.contains('|') {
        return cell;
    }
    cell.replace("\\|", "|").replace('|', "\\|").into()
}

/// Whether a line has cells, but not as many as those above it.
pub(super) fn is_ragged(line: &str, between: Between) -> bool {
    cells(line, between).is_some_and(|cells| between.mark == '\t' || cells.len() > 2)
}

/// Whether a column of figures is known to go on in a line that has fewer cells than those above it: then the last ones lack.
pub(super) fn lacks_last(short: &Cells<'_>, rows: &[Cells<'_>]) -> bool {
    let fits = |(at, cell): (usize, &Cow<'_, str>)| {
        let is_of_figures = rows.iter().all(|row| is_figure(&row[at]) || is_nothing(&row[at]));
        is_of_figures == (is_figure(cell) || is_nothing(cell))
    };
    rows.iter().all(|row| short.len() < row.len()) && short.iter().enumerate().all(fits)
}

/// Whether rows with blanks behind their commas are none of prose: several, with a column of figures alone, and no cell goes on as a
/// sentence does.
pub(super) fn are_loose_rows(head: &Cells<'_>, rows: &[Cells<'_>]) -> bool {
    let is_column = |at: usize| rows.iter().all(|row| is_figure(&row[at]));
    let goes_on = |cell: &Cow<'_, str>| {
        let first = cell.split(' ').next().unwrap_or_default();
        JOINTS.contains(&first.to_lowercase().as_str())
    };
    rows.len() >= LOOSE_ROWS_MIN
        && head.len() >= COLUMNS_OF_ONE
        && (0..head.len()).any(is_column)
        && !head.iter().chain(rows.iter().flatten()).any(goes_on)
}

/// Whether these head columns: each has a label of its own, but for the first, which may be empty, or a year.
pub(super) fn is_head(cells: &Cells<'_>) -> bool {
    let is_open = cells.last().is_some_and(|last| last.ends_with(['.', '!', '?', ':', ',', ';']));
    let heads = |(at, cell): (usize, &Cow<'_, str>)| {
        is_label(cell) || at > 0 && year(cell).is_some() || at == 0 && cell.is_empty()
    };
    let mut sorted: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    sorted.sort_unstable();
    !is_open
        && cells.iter().enumerate().all(heads)
        && sorted.windows(2).all(|pair| pair[0] != pair[1])
        && are_steps(&cells.iter().filter_map(|cell| year(cell)).collect::<Vec<_>>())
}

fn is_label(cell: &str) -> bool {
    let begins = |c: char| c.is_alphabetic() || matches!(c, '#' | '%' | '(' | '_' | '*' | '@');
    // `2023 revenue`
    let (year_of, behind) = cell.split_once(' ').unwrap_or_default();
    let is_of_year = year(year_of).is_some() && behind.starts_with(char::is_alphabetic);
    (cell.starts_with(begins) || is_of_year)
        && cell.chars().nth(LABEL.0).is_none()
        && cell.split_whitespace().nth(LABEL.1).is_none()
        && !says_whether(cell)
}

fn year(cell: &str) -> Option<u16> {
    let is_of_digits = cell.len() == 4 && cell.bytes().all(|byte| byte.is_ascii_digit());
    cell.parse().ok().filter(|year| is_of_digits && YEARS.contains(year))
}

/// Whether years are as far apart each, in one direction.
fn are_steps(years: &[u16]) -> bool {
    let mut steps = years.windows(2).map(|pair| i32::from(pair[1]) - i32::from(pair[0]));
    let first = steps.next();
    first.is_none_or(|first| {
        (1..=YEARS_APART_MAX.into()).contains(&first.abs()) && steps.all(|step| step == first)
    })
}

/// Whether these are what stands below a header: something is named, and a column has nothing but figures, or yes and no.
pub(super) fn are_rows(head: &Cells<'_>, rows: &[Cells<'_>]) -> bool {
    let rows_min = if head.len() < COLUMNS_OF_ONE || head[0].contains(is_wide) { 2 } else { 1 };
    let column = |at: usize| rows.iter().map(move |row| row[at].as_ref());
    let tells = |at: usize| {
        let is_figure = |cell| is_figure(cell) || says_whether(cell);
        column(at).all(|cell| is_figure(cell) || is_nothing(cell)) && column(at).any(is_figure)
    };
    let names =
        |cell: &str| cell.starts_with(char::is_alphabetic) && !says_whether(cell) && !is_nothing(cell);
    // `Obama,2009,2017` may be the first of more such rows.
    let of_years = |at: &usize| year(&head[*at]).is_some();
    let are_years = (0..head.len()).any(|at| of_years(&at))
        && (0..head.len()).filter(of_years).all(|at| column(at).all(|cell| year(cell).is_some()));
    rows.len() >= rows_min
        && !are_years
        && (0..head.len()).any(tells)
        && rows.iter().flatten().any(|cell| names(cell))
}

/// Whether a cell is a figure, with its sign, currency or unit.
fn is_figure(cell: &str) -> bool {
    let is_sign = |c: char| "$€£¥+-−~<>≈≥≤±(".contains(c);
    let number = cell.trim_start_matches(is_sign).trim_start_matches("US$");
    number.starts_with(|c: char| c.is_ascii_digit())
        && cell.chars().nth(FIGURE.0).is_none()
        && number.chars().filter(|c| is_wide(*c)).nth(FIGURE.1).is_none()
}

fn says_whether(cell: &str) -> bool {
    VERDICTS.iter().any(|word| word.eq_ignore_ascii_case(cell))
}

fn is_nothing(cell: &str) -> bool {
    NOTHING.iter().any(|word| word.eq_ignore_ascii_case(cell))
}
