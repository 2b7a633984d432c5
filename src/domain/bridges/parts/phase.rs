//! How far a stream of another protocol is.

/// How far. Every edge goes one down, or from any to `Over`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Nothing was written.
    #[default]
    Before,
    /// The run or message has started, its step hasn't.
    Begun,
    /// The step has started.
    InStep,
    /// The last event was written.
    Over,
}
