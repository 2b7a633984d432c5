//! A page: what is there now, in one answer. Pages never coalesce.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::StreamMux;
use super::open::locate_in_store;
use super::opened::Opened;
use super::snapshot::shown;
use super::stride::{FETCH, Stride};
use super::verdict::Reason;
use super::view::{StartAt, View};
use super::window::LogWindow;
use crate::domain::entry::Entry;
use crate::domain::ids::SessionKey;
use crate::domain::position::{Position, Sequence};
use crate::engine::ports::result_cache::{Read, StoreError};

/// Bytes of a page, about: what a session keeps in memory where nobody says otherwise. Behind that, in Redis or an archive, it may
/// have a hundred times as much.
const PAGE_BYTES: usize = 16 << 20;

/// What a page is asked for.
#[derive(Debug, Clone)]
pub struct PageRequest {
    /// The session.
    pub key: SessionKey,
    /// What of it.
    pub view: View,
    /// From where.
    pub start: StartAt,
    /// Events at most.
    pub limit: usize,
}

/// Where the events of a page were found; of several the farthest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = EventsSource)]
pub enum Source {
    /// In this process.
    #[default]
    Ring,
    /// In the store.
    Cache,
    /// In the archive.
    Archive,
}

impl Source {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ring => "ring",
            Self::Cache => "cache",
            Self::Archive => "archive",
        }
    }
}

/// A page.
#[derive(Debug, Clone)]
pub struct Page {
    /// Why these events.
    pub reason: Reason,
    /// Whether they follow the asked place without a hole.
    pub recovered: bool,
    /// What the page's first sequence follows.
    pub from: Sequence,
    /// The place after what the page covers.
    pub next: Position,
    /// The session's last sequence.
    pub tail: Sequence,
    /// The session's oldest entry that can be read.
    pub oldest: Sequence,
    /// The events.
    pub events: Vec<Arc<Entry>>,
    /// Whether nothing follows, now or later.
    pub closed: bool,
    /// Where the events were found.
    pub source: Source,
    /// Whether nothing is kept, so that nobody knows which steps there were.
    pub is_expired: bool,
}

impl StreamMux {
    /// Reads a page; `None` where there is no such session or step.
    ///
    /// # Errors
    /// Where the store doesn't answer.
    pub async fn page(&self, request: PageRequest) -> Result<Option<Page>, StoreError> {
        let cache = &*self.shared.cache;
        let PageRequest { key, view, start, limit } = request;
        // Who has just been told that an event is stored finds it here, whichever replica stored it.
        let (window, opened) = locate_in_store(cache, &key, &view, start).await?;
        let Some(place) = opened.start else { return Ok(None) };
        if opened.reason == Reason::Trimmed {
            // That is for good. Where only an archive is away that has it, the read fails, and the caller comes again.
            cache.read(&key, opened.oldest.previous().previous(), 1).await?;
        }
        let mut page = Page {
            reason: opened.reason,
            recovered: opened.recovered,
            from: opened.from,
            next: place,
            tail: opened.tail,
            oldest: opened.oldest,
            events: Vec::new(),
            closed: opened.finished,
            source: Source::Ring,
            is_expired: opened.step.is_none(),
        };
        if let Some(snapshot) = &opened.snapshot {
            page.source = if snapshot.is_archived { Source::Archive } else { Source::Ring };
            page.events = shown(&snapshot.entries, &view).into_iter().cloned().collect();
        } else if !opened.finished {
            self.fill(&mut page, &key, &window, &view, limit).await?;
        }
        page.closed |= is_closed(&page, &opened, &window, &view);
        Ok(Some(page))
    }

    async fn fill(
        &self,
        page: &mut Page,
        key: &SessionKey,
        window: &LogWindow,
        view: &View,
        limit: usize,
    ) -> Result<(), StoreError> {
        let (mut stride, mut bytes) = (Stride::default(), 0);
        // What isn't shown doesn't count.
        let at_once = if view.shows_all() { limit } else { limit.max(FETCH) };
        while page.events.len() < limit {
            let after = page.next.sequence;
            let (entries, source) = match window.after(after, at_once) {
                Some(entries) => (entries, Source::Ring),
                None => match self.shared.cache.read(key, after, stride.entries(at_once)).await? {
                    Read::Entries(entries) => (entries, Source::Cache),
                    Read::Archived(entries) => (entries, Source::Archive),
                    Read::Trimmed { .. } => return Ok(()),
                },
            };
            stride.learn(&entries);
            let continues = |entry: &&Arc<Entry>| entry.previous_chain == page.next.chain;
            if entries.first().filter(continues).is_none() {
                return Ok(());
            }
            page.source = page.source.max(source);
            for entry in entries {
                page.next = entry.position(page.next.epoch);
                page.tail = page.tail.max(entry.sequence);
                let ends = view.ends_with(&entry);
                if view.shows(&entry) {
                    bytes += entry.weight();
                    page.events.push(entry);
                }
                if ends || page.events.len() >= limit || bytes >= PAGE_BYTES {
                    page.closed |= ends;
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

fn is_closed(page: &Page, opened: &Opened, window: &LogWindow, view: &View) -> bool {
    let at_tail = window.tail().position.is_none_or(|tail| tail == page.next);
    match (&view.step, opened.reason) {
        (None, _) => at_tail && window.tail().ended,
        (Some(_), Reason::Expired) => at_tail,
        (Some(_), _) if opened.is_over && at_tail => true,
        (Some(_), _) => opened.step_end.is_some_and(|end| page.next.sequence >= end.sequence),
    }
}
