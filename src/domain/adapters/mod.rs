//! Subagents' raw outputs, made regular.
