//! Any bytes as a JWT, and as what a signed one says.

#![no_main]

#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::token(data));
