//! Any bytes as the output of a subagent, through every adapter.

#![no_main]

#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::adapters(data));
