//! Of the rows of an answer as many as are wanted.

use futures::stream::{Stream, TryStreamExt};

use super::database::Row;

/// The rows up to the first that is enough.
pub(super) async fn first_rows(
    mut rows: impl Stream<Item = Result<Row, sqlx::Error>> + Unpin,
    mut is_enough: impl FnMut(&Row) -> bool,
) -> Result<Vec<Row>, sqlx::Error> {
    let mut first = Vec::new();
    while let Some(row) = rows.try_next().await? {
        let is_last = is_enough(&row);
        first.push(row);
        if is_last {
            break;
        }
    }
    Ok(first)
}
