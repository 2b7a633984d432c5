//! Who noticed something: `detected by an alert`, `first reported by a customer`.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::{Class, Mention, Scoped, Told};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::phrases::has_any;
use crate::domain::text::words::Term;

const NOTICED: [&str; 9] = [
    "detected by ",
    "noticed by ",
    "reported by ",
    "discovered by ",
    "spotted by ",
    "identified by ",
    "flagged by ",
    "raised by ",
    "found by ",
];
/// What stands in all of these: sooner looked for than each of them.
static DONE_BY: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("d by "));
/// Who or what may notice that something is down, by kind.
const BY: [&[&str]; 4] = [
    &["alert", "alerting", "monitor", "monitoring", "alarm", "probe", "healthcheck", "check"],
    &["customer", "customers", "user", "users", "client", "clients", "caller", "merchant"],
    &["engineer", "engineers", "operator", "employee", "employees", "developer", "technician"],
    &["researcher", "researchers", "auditor", "auditors", "journalist", "journalists"],
];
/// Words between `by` and who.
const WORDS_MAX: usize = 4;
/// What says that others noticed it as well.
const ALSO: [&str; 5] = ["also ", "later ", "not ", "as well", "again "];

/// The kind of who noticed what a sentence tells of.
pub(super) fn of_sentence<'a>((at, _, of): (usize, &Statement<'_>, &'a Features<'_>)) -> Option<Mention<'a>> {
    DONE_BY.find(of.text.as_bytes())?;
    if !of.text.contains("ed by ") && !of.text.contains("found by ") {
        return None;
    }
    let lower = of.text.to_lowercase();
    let behind = NOTICED.iter().filter_map(|word| lower.find(word).map(|at| at + word.len())).min()?;
    if has_any(&lower, &ALSO) {
        return None;
    }
    let words = lower[behind..].split(|c: char| !c.is_alphanumeric() && c != '-').take(WORDS_MAX);
    let kind_of = |word: &str| BY.iter().position(|all| all.contains(&word));
    let (word, kind) = words.into_iter().find_map(|word| Some((word, kind_of(word)?)))?;
    Some(Mention {
        at,
        class: Class::Scoped(Scoped::Noticed),
        key: Term(0),
        core: Vec::new(),
        told: Told::Exactly { written: word.to_owned(), is: [u32::try_from(kind).ok()?, 0] },
    })
}
