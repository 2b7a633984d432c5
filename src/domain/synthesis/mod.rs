//! The answer that is written from many results, and how it is checked.

pub mod answer;
pub mod budget;
pub mod citations;
pub mod claims;
pub mod compose;
pub mod confidence;
pub mod contradictions;
pub mod draft;
pub mod examine;
pub mod explanation;
pub mod extract;
pub mod gaps;
pub mod prompt;
pub mod quality;
pub mod support;
pub mod verify;
pub mod written;
