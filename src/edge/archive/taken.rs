//! Of the rows of an answer as many as are wanted.

use futures::stream::{Stream, TryStreamExt};

use super::database::Row;

/// The rows up to the first that is enough.
pub(super) async fn taken(
    mut rows: impl Stream<Item = Result<Row, sqlx::Error>> + Unpin,
    mut is_enough: impl FnMut(&Row) -> bool,
) -> Result<Vec<Row>, sqlx::Error> {
    let mut taken = Vec::new();
    while let Some(row) = rows.try_next().await? {
        let is_last = is_enough(&row);
        taken.push(row);
        if is_last {
            break;
        }
    }
    Ok(taken)
}
