//! Any bytes as an answer in the protocol `a2a`.

#![no_main]

use tributary::domain::directive::Protocol;

#[path = "../checks.rs"]
mod checks;

libfuzzer_sys::fuzz_target!(|data: &[u8]| checks::answer(Protocol::A2a, data));
