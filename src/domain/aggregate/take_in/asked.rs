//! Answers of a single word that say nothing, or that something failed, unless just that was asked.

use super::plain::{begins, plain};
use crate::domain::text::phrases::has_any;

/// How a question begins that is answered with yes or no.
const WHETHER: &[&str] = &["is ", "are ", "was ", "were ", "does ", "do ", "may ", "must ", "should "];
/// What a question is about that is answered with `Forbidden`.
const ALLOWANCE: &[&str] = &["allowed", "permitted", "forbidden", "prohibited", "legal"];
/// How a question begins that is answered with `None.`.
const COUNTED: &[&str] = &["how many ", "which "];

/// Whether `content` answers `asked`: `Forbidden` to `Is export allowed?`, `None.` to `Which plans include it?`.
///
/// `none` without its stop is a missing value written out, and `403 Forbidden` an error.
pub(super) fn answers(content: &str, asked: &str) -> bool {
    match content.trim() {
        "Forbidden" | "Forbidden." => {
            let asked = plain(asked);
            begins(&asked, WHETHER) && has_any(&asked, ALLOWANCE)
        }
        "None." => begins(&plain(asked), COUNTED),
        _ => false,
    }
}
