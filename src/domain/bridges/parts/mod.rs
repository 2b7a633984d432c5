//! What bridges have in common: reading what events say, and telling what is new of it.

mod draft;
mod growth;
mod instant;
mod phase;
mod place;
mod problem;
mod said;
mod sources;

pub use draft::{Draft, Piece};
pub use growth::{Grown, Growth};
pub use instant::unix_ms;
pub use phase::Phase;
pub use place::Place;
pub use problem::Problem;
pub use said::{Ended, OutputSaid, Said, said};
pub use sources::{Source, cited, sources};

#[cfg(test)]
pub mod tests;
