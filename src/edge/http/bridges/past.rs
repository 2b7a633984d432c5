//! What came before a reader's place: some protocols speak of a state, and whoever comes back was told of it up to there.

use crate::domain::bridges::{Event, Place};
use crate::domain::position::{Position, Sequence};
use crate::domain::verdict::{Code, Refusal};
use crate::edge::http::app::App;
use crate::edge::http::extract::Ids;
use crate::edge::http::problem::Problem;
use crate::engine::mux::{PageRequest, StartAt, View};

/// What was found.
pub struct Past {
    /// The place after the last event.
    pub end: Position,
    /// Whether these were all events; else they are a snapshot's, up to the end of the log whatever was asked for.
    pub is_whole: bool,
}

/// Gives every event of the view to `take`, up to `until` or else to the last one; `None` where there is no such step or
/// session.
///
/// # Errors
/// Where the store doesn't answer.
pub async fn past(
    app: &App,
    ids: &Ids,
    until: Option<Sequence>,
    take: &mut (dyn FnMut(&Event<'_>) + Send),
) -> Result<Option<Past>, Problem> {
    let view = View { step: ids.maybe_step().cloned(), ..View::default() };
    let limit = app.settings.page_limit_max;
    let (mut start, mut is_whole) = (StartAt::Start, true);
    loop {
        let request = PageRequest { key: ids.key.clone(), view: view.clone(), start, limit };
        let Some(page) = app.mux.page(request).await? else { return Ok(None) };
        if start != StartAt::Start && !page.recovered {
            // The log changed meanwhile: what was taken is of another one.
            let text = "the log changed while it was read; try again";
            return Err(Problem::new(Code::StoreUnavailable, text));
        }
        is_whole &= page.recovered;
        for entry in &page.events {
            let Some(event) = entry.wire().and_then(|wire| serde_json::from_slice::<Event<'_>>(wire).ok())
            else {
                continue;
            };
            if !is_whole || until.is_none_or(|until| event.sequence <= until.0) {
                take(&event);
            }
        }
        // A page may have fewer events than it could, where they are large.
        let is_all = page.events.is_empty() || page.next.sequence >= page.tail;
        let is_reached = until.is_some_and(|until| page.next.sequence >= until);
        if is_reached || !is_whole || page.closed || is_all {
            return Ok(Some(Past { end: page.next, is_whole }));
        }
        start = StartAt::Cursor(page.next);
    }
}

/// Where a reader at `place` reads on.
///
/// # Errors
/// `invalid_cursor`.
pub fn start_of(place: &Place) -> Result<StartAt, Problem> {
    let Some(cursor) = place.cursor() else { return Ok(StartAt::Start) };
    let position = cursor.parse().map(StartAt::Cursor);
    position.map_err(|error| Refusal::new(Code::InvalidCursor, format!("`{place}`: {error}")).into())
}
