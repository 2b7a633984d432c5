//! The rows below a header of CSV, and what becomes of the one that has another number of cells.

use super::rows::{Between, Cells, cells, lacks_last};

/// Rows that must stand around one of another number of cells.
const EVEN_MIN: usize = 3;

/// The lines below a header, as far as they are rows.
pub(super) struct Below<'t> {
    pub(super) rows: Vec<Cells<'t>>,
    /// One with more cells than the header.
    pub(super) ragged: Option<&'t str>,
    /// How many lines they are.
    pub(super) taken: usize,
}

impl<'t> Below<'t> {
    /// Those with as many cells as the header, and one that hasn't. Linear: it ends at the second of those.
    pub(super) fn read(lines: &[&'t str], between: Between, columns: usize) -> Self {
        let (mut rows, mut odd) = (Vec::new(), None);
        let mut taken = 0;
        for line in lines {
            let Some(row) = cells(line, between) else { break };
            if row.len() == columns {
                rows.push(row);
            } else if odd.is_none() && !rows.is_empty() {
                odd = Some((taken, *line, row));
            } else {
                break;
            }
            taken += 1;
        }
        let even = Self { rows, ragged: None, taken };
        match odd {
            Some(odd) => even.with(odd, columns),
            None => even,
        }
    }

    /// With the line of another number of cells, or only what stands above that.
    fn with(mut self, (at, line, mut row): (usize, &'t str, Cells<'t>), columns: usize) -> Self {
        // What stands behind the last row may be no row.
        let is_within = at < self.rows.len();
        let is_row =
            if row.len() < columns { is_within && lacks_last(&row, &self.rows) } else { row.len() > 2 };
        if self.rows.len() < EVEN_MIN || !is_row {
            self.rows.truncate(at);
            return Self { taken: at, ..self };
        }
        if row.len() < columns {
            row.resize(columns, "".into());
            self.rows.insert(at, row);
        } else {
            self.ragged = Some(line.trim());
        }
        self
    }
}
