//! What holds after every story, each with its own name.

mod again;
mod calls;
mod fields;
mod life;
mod log;
mod missing;
mod model;
mod repeats;
mod wire;
mod writing;

use proptest::prelude::ProptestConfig;

/// Enough stories to meet every edge many times, few enough for every run of the tests. `PROPTEST_CASES` asks for more.
fn stories() -> ProptestConfig {
    let asked = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { asked.cases } else { 128 };
    ProptestConfig { cases, failure_persistence: None, ..asked }
}
