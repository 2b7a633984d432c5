//! Computations whose mistake ends them alone. A rule over texts that anybody may send is one of hundreds; where it panics, that
//! must not take away what the others find.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::wanted::Unwanted;

/// What a computation gives; `None` where it panics, which is logged by then. What it could change must not be used again.
///
/// # Panics
/// With [`Unwanted`], where nobody waits for it any more.
pub fn contained<T>(compute: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(compute)) {
        Ok(value) => Some(value),
        Err(why) if why.is::<Unwanted>() => resume_unwind(why),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, resume_unwind};

    use super::*;

    #[test]
    fn mistake_ends_what_made_it_and_who_is_gone_ends_all() {
        assert_eq!(contained(|| 7), Some(7));
        assert_eq!(contained(|| if true { panic!("a mistake") } else { 7 }), None);
        let gone = catch_unwind(|| contained(|| -> u8 { resume_unwind(Box::new(Unwanted)) }));
        assert!(gone.unwrap_err().is::<Unwanted>());
    }
}
