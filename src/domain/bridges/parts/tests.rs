//! What the tests of bridges have in common: connections, recorded and invented.

pub mod invented;
pub mod recorded;
