//! Whether anybody still waits for a long computation. Where nobody does it ends at the next place that asks.
//!
//! What is computed never depends on it: either all of it is done, or nothing of it is seen. So pure functions need no
//! argument for it, nor another way to return: the computation unwinds, as a panic does, but without a message.

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static GONE: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// What a computation ends with that nobody waits for any more.
#[derive(Debug)]
pub struct Unwanted;

/// Whoever waits: when it is dropped, nobody does.
#[derive(Debug, Default)]
pub struct Waiting(Arc<AtomicBool>);

impl Waiting {
    /// By what a computation knows that nobody waits any more.
    pub fn gone(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Computes, on this thread, what is wanted until `gone` is set.
pub fn unless_gone<T>(gone: Arc<AtomicBool>, compute: impl FnOnce() -> T) -> T {
    /// However the computation ends, the next one of this thread is another's.
    struct Over;
    impl Drop for Over {
        fn drop(&mut self) {
            GONE.set(None);
        }
    }
    GONE.set(Some(gone));
    let _over = Over;
    still_wanted();
    compute()
}

/// Goes on where somebody waits for what this thread computes. Asked between phases, and for each text or sentence of
/// many; never where something is made once for the whole process, which would stay unmade.
///
/// # Panics
/// With [`Unwanted`] and without a message, where nobody does.
pub fn still_wanted() {
    let is_gone = GONE.with_borrow(|gone| gone.as_ref().is_some_and(|gone| gone.load(Ordering::Relaxed)));
    if is_gone {
        resume_unwind(Box::new(Unwanted));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn computation_ends_where_nobody_waits_and_the_next_one_does_not() {
        let waiting = Waiting::default();
        assert_eq!(unless_gone(waiting.gone(), || (still_wanted(), 7).1), 7);
        let gone = waiting.gone();
        let ended = catch_unwind(|| {
            unless_gone(gone, || {
                drop(waiting);
                still_wanted();
            })
        });
        assert!(ended.unwrap_err().is::<Unwanted>());
        still_wanted();
    }
}
