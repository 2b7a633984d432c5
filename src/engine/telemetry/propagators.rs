//! Which headers carry a trace in and out.

/// What is read from callers, and handed on to subagents that are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Propagators {
    /// `traceparent` and `tracestate` (W3C Trace Context).
    pub trace_context: bool,
    /// `baggage` (W3C Baggage).
    pub baggage: bool,
}

impl Default for Propagators {
    fn default() -> Self {
        Self { trace_context: true, baggage: true }
    }
}

impl Propagators {
    /// Whether a header of that name may carry something; of others nothing is said.
    pub fn carry(self, header: &str) -> bool {
        match header {
            "traceparent" | "tracestate" => self.trace_context,
            "baggage" => self.baggage,
            _ => true,
        }
    }
}
