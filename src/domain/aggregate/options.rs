//! How results are combined and the answer is written: both halves of a request's `options`.

use crate::domain::directive::{AggregationOptions, SynthesisOptions};

/// Options of an aggregation and of its synthesis.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// How results are combined.
    pub aggregation: AggregationOptions,
    /// How the answer is written.
    pub synthesis: SynthesisOptions,
}
