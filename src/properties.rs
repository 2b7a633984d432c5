//! How many cases the properties of this library are tried with.

use proptest::prelude::ProptestConfig;

/// As many as a property usually gets, times what `PROPTEST_CASES` asks for of proptest's own 256: a number in the code
/// alone would not be raised by it.
pub(crate) fn cases(usual: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    let scaled = u64::from(usual) * u64::from(asked.cases) / 256;
    ProptestConfig { cases: u32::try_from(scaled.max(1)).unwrap_or(u32::MAX), ..asked }
}
