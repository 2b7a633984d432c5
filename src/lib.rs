//! Tributary: many agents in, one ordered, replayable stream out.
//!
//! ```text
//! planner ──POST directive──►  AggregationCoordinator ──append──►  ResultCache
//!                                  ▲   │                               │ tail
//!  subagents ──events──► adapters ─┘   │                               ▼
//!                                                                  StreamMux ──frames──► SSE · NDJSON · JSON page
//!      ▲──────────────calls───────────┘
//! ```
//!
//! **One log per session; everything else is a cursor on it.** [`domain`] decides, [`engine`] waits, [`edge`] touches
//! the world; imports point from right to left in `domain ← engine ← edge`, and [`bootstrap`] joins them. [`demo`] plays
//! a plan against the whole through its HTTP interface, and [`simulate`] runs subagents that behave as they are told.

// First: the macro in it is used by all that follows.
#[macro_use]
mod mutants;

pub mod bootstrap;
pub mod config;
pub mod demo;
pub mod dependencies;
pub mod domain;
pub mod edge;
pub mod engine;
pub mod health;
pub mod lifecycle;
#[cfg(test)]
mod properties;
pub mod simulate;
