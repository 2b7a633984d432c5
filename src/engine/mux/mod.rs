//! `StreamMux`: readers as cursors.
//!
//! A reader is a place in a log and a view of it. It takes what is there, in frames that say what they cover, and waits
//! at the tail. Replay and live are the same code; a slow reader is a cursor that moves slowly; there is no queue per
//! reader. What was trimmed, late or forked under a reader gets a verdict and a snapshot, never a silent hole.

mod account;
mod behind;
mod changed;
mod frames;
mod framing;
mod marks;
mod missing;
mod open;
mod opened;
mod page;
mod reader;
mod settings;
mod snapshot;
mod stride;
mod tail;
mod verdict;
mod view;
mod wake_list;
mod window;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::Waker;
use std::time::Duration;

use parking_lot::Mutex;

pub use changed::changed;
pub use framing::Framing;
pub use missing::{add_missing, misses_after};
pub use page::{Page, PageRequest, Source};
pub use reader::Reader;
pub use settings::MuxSettings;
pub use snapshot::{Latest, snapshot_slot};
pub use tail::{Tail, WindowBounds};
pub use verdict::Reason;
pub use view::{StartAt, View};
pub use window::LogWindow;

use crate::domain::ids::SessionKey;
use crate::domain::span::SpanPlace;
use crate::engine::ports::result_cache::{ResultCache, StoreError};
use crate::engine::telemetry::Telemetry;
use wake_list::{WakeList, WakeSlot};

/// What a reader asks for.
#[derive(Debug, Clone)]
pub struct ReadRequest {
    /// The session.
    pub key: SessionKey,
    /// What of it.
    pub view: View,
    /// From where.
    pub start: StartAt,
    /// In which form.
    pub framing: Framing,
    /// Events a frame at most; `None`: as configured.
    pub batch: Option<usize>,
    /// Whether partials may be skipped when the reader lags.
    pub coalesce: bool,
    /// Its caller's place in a trace, where that is known.
    pub caller: Option<SpanPlace>,
    /// How long it may read; `None`: as long as it likes.
    pub lives: Option<Duration>,
}

/// Why a reader wasn't let in.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The store didn't answer.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There are too many readers.
    #[error("{0}")]
    OverCapacity(String),
    /// The service is stopping.
    #[error("the service is stopping")]
    Draining,
}

/// Lets readers in, and out again when the service stops.
#[derive(Clone)]
pub struct StreamMux {
    shared: Arc<Shared>,
}

pub(super) struct Shared {
    cache: Arc<dyn ResultCache>,
    settings: MuxSettings,
    readers: AtomicUsize,
    draining: AtomicBool,
    leaving: Mutex<WakeList>,
    telemetry: Telemetry,
}

impl StreamMux {
    /// A mux over a store.
    pub fn new(cache: Arc<dyn ResultCache>, settings: MuxSettings, telemetry: Telemetry) -> Self {
        let (readers, draining, leaving) = Default::default();
        Self { shared: Arc::new(Shared { cache, settings, readers, draining, leaving, telemetry }) }
    }

    /// Lets a reader in.
    ///
    /// # Errors
    /// Where the store doesn't answer, there are too many readers, or the service is stopping.
    pub async fn open(&self, request: ReadRequest) -> Result<Reader, OpenError> {
        if self.shared.draining.load(Ordering::Acquire) {
            return Err(OpenError::Draining);
        }
        let window = self.shared.cache.follow(&request.key).await?;
        let mut seat = Seat::take(&self.shared, window)?;
        let cache = &*self.shared.cache;
        let (window, opened) = open::locate(cache, &request.key, &request.view, request.start).await?;
        seat.move_to(window);
        Ok(Reader::new(seat, request, opened))
    }

    /// Readers at present.
    pub fn readers(&self) -> usize {
        self.shared.readers.load(Ordering::Relaxed)
    }

    /// Sends all readers away, spread over the configured time, each with its place.
    pub fn drain(&self) {
        self.shared.draining.store(true, Ordering::Release);
        let woken = self.shared.leaving.lock().take();
        woken.into_iter().for_each(Waker::wake);
    }
}

/// A reader's place among the others; given back when it leaves.
pub(super) struct Seat {
    shared: Arc<Shared>,
    window: Arc<LogWindow>,
    tail_slot: WakeSlot,
    drain_slot: WakeSlot,
}

impl Seat {
    fn take(shared: &Arc<Shared>, window: Arc<LogWindow>) -> Result<Self, OpenError> {
        let most = shared.settings.readers;
        if shared.readers.fetch_add(1, Ordering::Relaxed) >= most {
            shared.readers.fetch_sub(1, Ordering::Relaxed);
            return Err(OpenError::OverCapacity(format!("there are {most} readers already")));
        }
        if let Err(count) = window.enter(shared.settings.readers_per_session) {
            shared.readers.fetch_sub(1, Ordering::Relaxed);
            return Err(OpenError::OverCapacity(format!("the session has {count} readers already")));
        }
        Ok(Self {
            shared: shared.clone(),
            window,
            tail_slot: WakeSlot::default(),
            drain_slot: WakeSlot::default(),
        })
    }

    /// Takes the same place at another window. `false` where it is the same.
    fn move_to(&mut self, window: Arc<LogWindow>) -> bool {
        if Arc::ptr_eq(&self.window, &window) {
            return false;
        }
        self.window.leave(&mut self.tail_slot);
        // The reader was let in before: it isn't turned away for where it moves to.
        let _ = window.enter(usize::MAX);
        self.window = window;
        true
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.window.leave(&mut self.tail_slot);
        self.shared.leaving.lock().leave(&mut self.drain_slot);
        self.shared.readers.fetch_sub(1, Ordering::Relaxed);
    }
}
