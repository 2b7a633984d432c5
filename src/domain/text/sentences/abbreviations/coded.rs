//! Abbreviations before a code or a letter that names one: `part no. AF-40C`, `ref. B12`, `fig. B`, `die Nr. A-17`.

/// Those that a letter or a code goes on with, in lower case.
const CODED: &[&str] = &[
    "ref", "refs", "fig", "figs", "nr", "abb", "ziff", "rn", "sect", "chap", "kap", "para", "vol", "núm",
    "uabs", "unterabs",
];
/// The same where a capital tells them from words: `Abs. B`, not `Train your abs. B12 helps.`
const CAPITAL: &[&str] = &["Abs", "Sec", "Cl", "Tab"];
/// Those of pictures and numbers, which a sentence about one hardly ends with: `fig. A` is no article.
const LETTERED: &[&str] = &["fig", "figs", "nr", "abb", "ziff"];
/// What has a number, before `no`: without it that is an answer.
#[rustfmt::skip]
const NUMBERED: &[&str] = &[
    "part", "order", "serial", "model", "item", "catalogue", "catalog", "cat", "article", "art", "product", "invoice", "reference", "ref", "case", "account", "customer", "contract", "ticket", "batch", "lot",
    "registration", "reg", "document", "doc", "drawing", "page", "flight", "room", "policy", "vat", "cas", "company", "application", "patent", "file", "id",
];
/// Bytes of a code.
const CODE_BYTES_MAX: usize = 24;

/// Whether the sentence goes on behind `word` and its stop with a code or a letter; `before` stands before the word.
pub(super) fn goes_on(word: &str, before: &str, following: &str) -> bool {
    let Some(code) = code(following) else { return false };
    let lower = word.to_lowercase();
    let name = lower.rsplit('-').next().unwrap_or_default();
    let is_article = code == "A" && !LETTERED.contains(&name);
    !is_article
        && (CODED.contains(&name)
            || name.ends_with("nr")
            || CAPITAL.contains(&word)
            || matches!(name, "no" | "nos") && is_numbered(before))
}

/// Whether a text ends with what has a number: `part` of `part no. AF-40C`.
fn is_numbered(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '.']);
    let at = before.rfind(|c: char| !c.is_alphabetic()).map_or(0, |at| at + 1);
    before.get(at..).is_some_and(|last| NUMBERED.contains(&last.to_lowercase().as_str()))
}

/// The code that a text begins with: capitals and figures, or a single capital.
fn code(following: &str) -> Option<&str> {
    if !following.starts_with(|c: char| c.is_ascii_uppercase()) {
        return None;
    }
    let is_of_code = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '.' | '_');
    let end = following.find(|c: char| !is_of_code(c)).unwrap_or(following.len());
    let code = following[..end].trim_end_matches(['.', '-', '/', '_']);
    let is_one = code.len() == 1
        || code.len() <= CODE_BYTES_MAX
            && code.contains(|c: char| c.is_ascii_digit())
            && !code.contains(|c: char| c.is_ascii_lowercase());
    // `J. Smith` is somebody, and `I` who speaks.
    let is_initial = code.len() == 1 && following[1..].starts_with(". ") && following.len() > 3;
    let is_ended =
        following[code.len()..].chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '\'' && c != '’');
    (is_one && !is_initial && is_ended && code != "I").then_some(code)
}
