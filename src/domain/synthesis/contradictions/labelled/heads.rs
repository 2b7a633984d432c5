//! What a statement says of what: a label with a colon, the subject of a sentence with one amount, a mark beside a few words (`SCIM ✅`),
//! or what somebody recommends (`I recommend Postgres.`), which is said as behind `Recommendation:`.

use super::is_own;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::phrases::behind_any;

/// Words and bytes of a label.
const LABEL: (usize, usize) = (4, 48);
/// What a sentence has between its subject and an amount of it.
const VERBS: [&str; 9] =
    [" is ", " are ", " beträgt ", " liegt bei ", " lautet ", " est de ", " es de ", " è di ", " é de "];
/// What stands before the subject of such a sentence.
const ARTICLES: [&str; 10] = ["The ", "Die ", "Der ", "Das ", "Le ", "La ", "El ", "Il ", "O ", "A "];
/// The first byte of `：`.
const WIDE_COLON: u8 = 0xEF;
/// Marks that say yes or no of what stands beside them.
const MARKS: [char; 8] = ['✅', '✔', '✓', '☑', '❌', '✗', '✘', '✖'];
/// What begins a sentence that recommends, with the name behind it.
#[rustfmt::skip]
const RECOMMENDS: [&str; 13] = [
    "I recommend ", "We recommend ", "I would recommend ", "We would recommend ", "I'd recommend ", "We'd recommend ", "My recommendation is ", "Our recommendation is ", "The recommendation is ", "Ich empfehle ", "Wir empfehlen ",
    "Je recommande ", "Recomiendo ",
];
/// The label behind which that is said.
const RECOMMENDED: &str = "recommendation";
/// What only joins it with the name.
const JOINS: [&str; 7] =
    ["to use ", "to choose ", "to go with ", "using ", "choosing ", "going with ", "the "];

/// What an amount or a state is of.
pub(super) struct Label<'s> {
    pub(super) text: &'s str,
    /// What stands between it and the amount; nothing where that is a colon.
    pub(super) verb: &'static str,
    /// The state, where it doesn't stand behind the label.
    pub(super) state: Option<&'s str>,
    /// Whether it is a sentence that recommends.
    pub(super) is_said: bool,
}

/// The label that a statement begins with, or the subject of a sentence that has one amount.
pub(super) fn label<'s>(statement: &Statement<'s>, has_amount: bool) -> Option<Label<'s>> {
    let text = statement.text;
    let head = &text[..text.floor_char_boundary(LABEL.1)];
    let mut colons = memchr::memchr2_iter(b':', WIDE_COLON, head.as_bytes());
    let (end, verb) = match colons.find(|at| head[*at..].starts_with([':', '：'])) {
        Some(end) => (end, ""),
        None if !has_amount => return beside_mark(statement).or_else(|| recommended(statement)),
        None => VERBS.iter().find_map(|verb| Some((head.find(verb)?, *verb)))?,
    };
    let subject = head[..end].trim_matches(['*', '_', ' ']);
    let article = || behind_any(subject, &ARTICLES);
    let label = if verb.is_empty() { unnumbered(subject) } else { article().unwrap_or(subject) };
    let tells = statement.row.is_none() && is_plain(label);
    tells.then_some(Label { text: label, verb, state: None, is_said: false })
}

fn is_plain(label: &str) -> bool {
    label.contains(char::is_alphabetic)
        && !label.contains(|c: char| c.is_numeric() || matches!(c, '.' | ',' | '(' | '[' | '"' | '|'))
        && label.split(' ').count() <= LABEL.0
        && !label.split(' ').any(is_own)
}

/// `SCIM ✅`, `✅ SCIM`.
fn beside_mark<'s>(statement: &Statement<'s>) -> Option<Label<'s>> {
    let text = statement.text;
    if text.len() > LABEL.1 || text.is_ascii() || statement.row.is_some() {
        return None;
    }
    let mut marks = text.match_indices(MARKS);
    let (at, mark) = marks.next().filter(|_| marks.next().is_none())?;
    let around = |c: char| c.is_whitespace() || matches!(c, '*' | '_' | '`' | '-' | '–' | '\u{FE0F}');
    let (before, behind) = (text[..at].trim_matches(around), text[at + mark.len()..].trim_matches(around));
    let label = if before.is_empty() { behind } else { before };
    let is_one = (before.is_empty() || behind.is_empty()) && is_plain(label);
    is_one.then_some(Label { text: label, verb: "", state: Some(mark), is_said: false })
}

/// `I recommend Postgres.`: nothing but names, as what stands behind them says what for.
fn recommended<'s>(statement: &Statement<'s>) -> Option<Label<'s>> {
    let text = statement.text.trim_start_matches(['*', '_', ' ']);
    if text.len() > 2 * LABEL.1 || statement.row.is_some() {
        return None;
    }
    let said = behind_any(text, &RECOMMENDS)?;
    let said = behind_any(said, &JOINS).unwrap_or(said).trim_matches(['*', '_', '.', '!', '`', ' ']);
    let is_name = |word: &str| word.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    let does = said.strip_prefix("to ").is_some_and(|verb| !verb.contains(' '));
    let says = does || !said.is_empty() && said.split(' ').all(is_name);
    says.then_some(Label { text: RECOMMENDED, verb: "", state: Some(said), is_said: true })
}

/// A label without the number of its paragraph: `Deductible` of `§ 9 Deductible`.
fn unnumbered(label: &str) -> &str {
    let Some(rest) = label.strip_prefix('§') else { return label };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' '));
    if rest.is_empty() { label } else { rest }
}
