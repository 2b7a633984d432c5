//! A log that outlives its cache.
//!
//! ```text
//! coordinator ──append──► ArchivedCache ──► ResultCache ◄──read── Archiver ──write──► Archive
//!                              │  notes        ▲                     ▲ │
//!                              └───────────────┼──► Backlog ─────────┘ └─ archived(position) ─► ResultCache
//! readers ──load, read──► ArchivedCache ───────┴──────── what is gone there ──────────────────► Archive
//! ```
//!
//! [`ArchivedCache`] is a `ResultCache` like any other: coordinator and readers don't know that there are two stores. The
//! [`Archiver`] is a cursor on each log. It holds nothing that it couldn't find again: how far it is, the archive says;
//! what is missing there, the cache still has, because it doesn't let go of it before.

mod ahead;
mod archiver;
mod backlog;
mod cache;
mod cut;
mod fold;
mod forgetting;
mod locate;
mod locks;
mod lost;
mod newest;
mod recover;
mod retention;
mod waking;

pub use archiver::{Archiver, ArchiverSettings};
pub use backlog::Backlog;
pub use cache::ArchivedCache;
pub use retention::{RetentionSettings, keep_pruned};
pub use waking::LookAfter;
