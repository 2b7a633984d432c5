//! Faults made by hand in the heart of the code, to show that tests notice them.
//!
//! `mutant!("late-result-wins")` stands where the fault would be. It is `false`, and no code, unless the crate is built with the
//! feature `mutants`; then it is whether the variable `MUTANT` names that fault (not `TRIBUTARY_…`: those are configuration).
//! `tests/mutants.toml` says of each what the fault is and which test kills it, `scripts/mutants` shows that it does.

#[cfg(all(feature = "mutants", not(debug_assertions)))]
compile_error!(
    "the feature `mutants` puts faults into the service: it is for tests, not for a build with optimisations"
);

/// Whether the fault of that name is switched on.
macro_rules! mutant {
    ($name:literal) => {
        $crate::mutants::is_on($name)
    };
}

#[cfg(not(feature = "mutants"))]
#[inline(always)]
pub(crate) const fn is_on(_name: &str) -> bool {
    false
}

#[cfg(feature = "mutants")]
pub(crate) fn is_on(name: &str) -> bool {
    use std::sync::LazyLock;

    static CHOSEN: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("MUTANT").ok());
    CHOSEN.as_deref() == Some(name)
}
