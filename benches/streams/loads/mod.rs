//! Loads that any server can be put under, whichever table wants to know.

pub mod fanout;
pub mod memory;
pub mod replay;
pub mod streams;
