//! `AggregationCoordinator`: order, group commit, and that acknowledged means stored, whatever the store does.
//!
//! It runs over the embedded store behind a script of faults ([`scripted`]). Time is tokio's and stands still unless a
//! test waits; a submission is polled by hand where it matters what is in the inbox when.

#![expect(clippy::wildcard_enum_match_arm, reason = "tests look for one variant; another fails them")]
#![allow(clippy::unwrap_used, reason = "a test may")]

mod acknowledged;
mod announcing;
mod deadlines;
mod draining;
mod faults;
#[path = "../fixtures/mod.rs"]
mod fixtures;
mod forgetting;
mod full;
mod group_commit;
mod leases;
mod many_ends;
mod order;
mod pages;
mod passivation;
mod reading;
mod replicas;
mod scene;
mod scripted;
mod vocabulary;
