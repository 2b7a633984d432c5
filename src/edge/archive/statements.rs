//! Statements with as many rows as there are, of few different texts: a connection prepares each text once.

use std::fmt::Write;

/// Rows of one statement at most: 64 of 17 values stay far below both databases' bounds of placeholders.
const ROWS_MAX: usize = 64;

/// Rows that go into one statement.
pub(super) struct Group<'r, T> {
    pub(super) rows: &'r [T],
}

/// Cuts rows into groups whose sizes are powers of two.
pub(super) fn in_groups<T>(rows: &[T]) -> impl Iterator<Item = Group<'_, T>> {
    let mut rest = rows;
    std::iter::from_fn(move || {
        let size = ROWS_MAX.min(1 << rest.len().checked_ilog2()?);
        let (rows, left) = rest.split_at(size);
        rest = left;
        Some(Group { rows })
    })
}

impl<T> Group<'_, T> {
    /// `begin VALUES ($1, …<more>), … end`, with `columns` placeholders a row.
    pub(super) fn insert(&self, begin: &str, columns: usize, more: &str, end: &str) -> String {
        let mut sql = String::with_capacity(self.rows.len() * columns * 6 + 256);
        sql.push_str(begin);
        sql.push_str(" VALUES ");
        self.tuples(&mut sql, columns, more);
        sql.push_str(end);
        sql
    }

    /// `($1, $2<more>), ($3, $4<more>)`.
    pub(super) fn tuples(&self, sql: &mut String, columns: usize, more: &str) {
        for row in 0..self.rows.len() {
            sql.push_str(if row == 0 { "(" } else { ", (" });
            for column in 1..=columns {
                let comma = if column == 1 { "" } else { ", " };
                // Writing to a text can't fail.
                let _ = write!(sql, "{comma}${}", row * columns + column);
            }
            sql.push_str(more);
            sql.push(')');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_cut_into_few_sizes_and_none_is_left_out() {
        for count in [0, 1, 2, 3, 63, 64, 65, 200] {
            let rows: Vec<usize> = (0..count).collect();
            let groups: Vec<_> = in_groups(&rows).collect();
            assert!(groups.iter().all(|g| g.rows.len().is_power_of_two() && g.rows.len() <= ROWS_MAX));
            assert_eq!(groups.iter().flat_map(|g| g.rows).copied().collect::<Vec<_>>(), rows);
        }
    }

    #[test]
    fn placeholders_are_numbered_through() {
        let group = Group { rows: &[(), ()] };
        let sql = group.insert("INSERT INTO t (a, b, c)", 2, ", TRUE", " END");
        assert_eq!(sql, "INSERT INTO t (a, b, c) VALUES ($1, $2, TRUE), ($3, $4, TRUE) END");
    }
}
