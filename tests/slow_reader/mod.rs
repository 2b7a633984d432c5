//! Readers who don't read: they cost the service a bounded part of its memory, the others nothing, and themselves only
//! what a later event replaces.

mod coalescing;
mod stalled;
