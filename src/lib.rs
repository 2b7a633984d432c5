//! Tributary: many agents in, one ordered, replayable stream out.
