//! A table of HTML as one of Markdown (GFM, section 4.10).

use super::WHOLE;
use super::cell::Cell;
use crate::domain::text::tags::Tags;

/// Columns of a table, at most, and rows that head them.
const COLUMNS_MAX: usize = 40;
const HEADS_MAX: usize = 3;
/// Bytes of a row: what is longer isn't read as one.
const ROW_BYTES_MAX: usize = 600;
/// How much longer than the HTML the Markdown may be: what spans many columns or rows is written for each.
const GROWTH_MAX: usize = 2;
const GROWTH_BYTES: usize = 400;

/// The table that `html` is, from its first tag to its last, with a line for its caption above it. `None` where Markdown has no
/// such table: one column, text beside the cells, what is no line in them, or no row.
pub(super) fn markdown(html: &str) -> Option<String> {
    let Read { mut rows, caption, .. } = read(html)?;
    let width = rows.iter().map(Row::width).max()?;
    // A first row of one cell stands above the columns.
    let is_title = rows.len() > 2 && rows[0].cells.len() == 1 && rows[0].width() == width;
    let title = if is_title { rows.remove(0).cells.pop() } else { None };
    if !(2..=COLUMNS_MAX).contains(&width) || rows.len() * width > html.len() {
        return None;
    }
    let heads = heads(&rows);
    let is_lone = heads == rows.len() || heads > HEADS_MAX;
    let grid = (!is_lone).then(|| grid(&rows, width))?;
    let (above, below) = grid.split_at(heads);
    let mut out = String::with_capacity(html.len());
    for line in [caption, title].into_iter().flatten().filter(|line| !line.text.is_empty()) {
        out.push_str(&line.text.replace("\\|", "|"));
        out.push_str("\n\n");
    }
    let head: Vec<String> = (0..width).map(|column| heading(above, column)).collect();
    write_row(&mut out, head.iter().map(String::as_str));
    out.push_str("\n|");
    (0..width).for_each(|_| out.push_str("---|"));
    for row in below {
        let from = out.len();
        out.push('\n');
        write_row(&mut out, row.iter().copied());
        let is_long = out.len() - from > ROW_BYTES_MAX + 3 * width;
        if is_long || out.len() > GROWTH_MAX * html.len() + GROWTH_BYTES {
            return None;
        }
    }
    Some(out)
}

#[derive(Debug, Default)]
struct Row<'t> {
    cells: Vec<Cell<'t>>,
    /// Whether it stands in `<thead>`.
    is_in_head: bool,
}

impl Row<'_> {
    fn width(&self) -> usize {
        self.cells.iter().fold(0, |width, cell| width.saturating_add(cell.columns))
    }

    /// Whether all cells that say something are headings, by their tags or as all of them are bold.
    fn is_head(&self, is_first: bool) -> bool {
        let mut said = self.cells.iter().filter(|cell| !cell.text.is_empty()).peekable();
        let is_bold = |cell: &Cell<'_>| cell.text.starts_with("**") && cell.text.ends_with("**");
        let has_some = said.peek().is_some();
        self.is_in_head || is_first && has_some && said.all(|cell| cell.is_head || is_bold(cell))
    }
}

/// How many rows head the columns.
fn heads(rows: &[Row<'_>]) -> usize {
    rows.iter().enumerate().take_while(|(at, row)| row.is_head(*at == 0)).count()
}

/// What heads a column: what stands in the rows above, each once.
fn heading(above: &[Vec<&str>], column: usize) -> String {
    let mut said: Vec<&str> = above.iter().filter_map(|row| row.get(column).copied()).collect();
    said.dedup();
    said.retain(|cell| !cell.is_empty());
    said.join(" ")
}

/// Writes a row of Markdown.
pub(in crate::domain::aggregate::take_in) fn write_row<'c>(
    out: &mut String,
    cells: impl Iterator<Item = &'c str>,
) {
    out.push('|');
    for cell in cells {
        out.push(' ');
        out.push_str(cell);
        out.push_str(" |");
    }
}

/// The cells by row and column. What spans columns or rows stands in each of them, but what spans all columns heads the rows below
/// it and stands in the first.
fn grid<'r>(rows: &'r [Row<'_>], width: usize) -> Vec<Vec<&'r str>> {
    let mut spanning: Vec<(usize, &str)> = vec![(0, ""); width];
    let line = |row: &'r Row<'_>| {
        let mut line = Vec::with_capacity(width);
        let mut cells = row.cells.iter().flat_map(|cell| {
            let repeats = cell.columns < width || row.is_in_head;
            (0..cell.columns.min(width)).map(move |at| {
                if at == 0 || repeats { (cell.rows, cell.text.as_str()) } else { (cell.rows, "") }
            })
        });
        for (left, above) in &mut spanning {
            if *left == 0 {
                (*left, *above) = cells.next().unwrap_or((1, ""));
            }
            line.push(*above);
            *left -= 1;
        }
        line
    };
    rows.iter().map(line).collect()
}

/// A table as far as it is read.
#[derive(Debug, Default)]
struct Read<'t> {
    rows: Vec<Row<'t>>,
    caption: Option<Cell<'t>>,
    cell: Option<Cell<'t>>,
    is_in_caption: bool,
    is_in_head: bool,
}

impl<'t> Read<'t> {
    /// Ends the cell or the caption that is read.
    fn end(&mut self) {
        let Some(cell) = self.cell.take().map(Cell::finish) else { return };
        if std::mem::take(&mut self.is_in_caption) {
            self.caption = Some(cell);
        } else if let Some(row) = self.rows.last_mut() {
            row.cells.push(cell);
        }
    }

    fn row(&mut self) {
        self.rows.push(Row { cells: Vec::new(), is_in_head: self.is_in_head });
    }
}

fn read(html: &str) -> Option<Read<'_>> {
    let (mut read, mut done) = (Read::default(), 0);
    for tag in Tags::of(html, &WHOLE) {
        let text = &html[done..tag.start];
        match &mut read.cell {
            Some(cell) => cell.push(text)?,
            None if text.trim().is_empty() => {}
            None => return None,
        }
        done = tag.end;
        let is_part = tag.is_one_of(&["table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"]);
        if !is_part {
            match &mut read.cell {
                Some(cell) => cell.push_tag(&tag)?,
                None if tag.name == "!--" || tag.is_one_of(&["col", "colgroup"]) => {}
                None => return None,
            }
            continue;
        }
        if read.cell.as_ref().is_some_and(|cell| cell.is_in_code) {
            return None;
        }
        read.end();
        match tag {
            _ if tag.is_one_of(&["thead", "tbody", "tfoot"]) => {
                read.is_in_head = tag.is("thead") && !tag.closes;
            }
            _ if tag.closes => {}
            _ if tag.is("tr") => read.row(),
            _ if tag.is("caption") => (read.cell, read.is_in_caption) = (Some(Cell::default()), true),
            _ if tag.is_one_of(&["td", "th"]) => {
                if read.rows.is_empty() {
                    read.row();
                }
                read.cell = Some(Cell::of(&tag));
            }
            _ => {}
        }
    }
    read.rows.retain(|row| !row.cells.is_empty());
    Some(read)
}
