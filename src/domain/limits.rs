//! Bounds that decisions keep. Defaults stand in `config/default.toml`.

/// Bounds on what one session may hold and one directive may ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionLimits {
    /// Subagents of one directive.
    pub subagents_per_directive: usize,
    /// Children of one directive.
    pub children_per_directive: usize,
    /// Levels of a tree of steps, the root counted.
    pub tree_depth: usize,
    /// Steps of a session.
    pub steps_per_session: usize,
    /// Entries of a session's log, over its whole life.
    pub events_per_session: u64,
    /// Bytes of a session's log, over its whole life.
    pub bytes_per_session: u64,
    /// Longest deadline a directive may set, in milliseconds.
    pub deadline_ms: u64,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self {
            subagents_per_directive: 256,
            children_per_directive: 256,
            tree_depth: 16,
            steps_per_session: 1_000,
            events_per_session: 1_000_000,
            bytes_per_session: 1 << 30,
            deadline_ms: 86_400_000,
        }
    }
}
