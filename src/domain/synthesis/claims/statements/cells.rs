//! What a row of a table says: its cells under what heads them, as they are compared.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::domain::text::cased::cased;

/// What a row stands under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row<'t> {
    /// What heads its columns, from the first that is quoted on.
    pub columns: &'t str,
    /// The heading that its table stands under; empty where there is none.
    pub section: &'t str,
    /// The unit of its figures that a line beside its table says; empty where none does.
    pub unit: &'t str,
}

impl Row<'_> {
    /// What heads the cells of a row, one for each.
    pub(in crate::domain::synthesis) fn heads(&self, row: &str) -> Vec<String> {
        let mut heads = cells(self.columns).map(plain);
        cells(row).map(|_| heads.next().unwrap_or_default()).collect()
    }

    /// Equal where rows have the same cells under the same heads, in the same order.
    pub(in crate::domain::synthesis) fn digest(&self, row: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.heads(row).hash(&mut hasher);
        self.unit.hash(&mut hasher);
        cells(row).map(plain).collect::<Vec<_>>().hash(&mut hasher);
        cased(row).for_each(|identifier| identifier.hash(&mut hasher));
        hasher.finish()
    }
}

/// The cells between bars that have no backslash before them, as they stand.
pub(in crate::domain::synthesis) fn cells(row: &str) -> impl Iterator<Item = &str> {
    let mut escaped = false;
    row.split(move |c: char| {
        let is_bar = c == '|' && !escaped;
        escaped = c == '\\' && !escaped;
        is_bar
    })
}

/// A cell in lower case, without marks of emphasis, numbers in brackets that cite, and white space around.
pub(in crate::domain::synthesis) fn plain(cell: &str) -> String {
    let mut plain = String::with_capacity(cell.len());
    let mut rest = cell;
    while let Some((before, behind)) = rest.split_once('[') {
        plain.push_str(before);
        rest = match behind.split_once(']') {
            Some((number, behind)) if number.bytes().all(|byte| byte.is_ascii_digit()) => behind,
            _ => {
                plain.push('[');
                behind
            }
        };
    }
    plain.push_str(rest);
    let is_shown = |c: &char| !matches!(c, '*' | '`' | '\u{FE0F}');
    let mut shown = String::with_capacity(plain.len());
    shown.extend(plain.chars().filter(is_shown).flat_map(char::to_lowercase));
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a cell says yes or no, and which.
pub(in crate::domain::synthesis) fn verdict(plain: &str) -> Option<bool> {
    match plain {
        "yes" | "✅" | "✓" | "✔" | "☑" | "ja" | "oui" | "sí" | "是" | "有" => Some(true),
        "no" | "❌" | "✗" | "✘" | "✖" | "nein" | "non" | "否" | "无" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_the_same_by_their_cells_and_heads_in_order() {
        let digest = |columns, row| Row { columns, section: "", unit: "" }.digest(row);
        let one = digest("City | Notice (days)", "**Berlin** | 30 days [1]");
        assert_eq!(one, digest(" city |  Notice  (days) | Source", "Berlin | 30 days"));
        assert_ne!(one, digest("City | Deposit", "Berlin | 30 days"));
        assert_ne!(one, digest("Notice (days) | City", "Berlin | 30 days"));
        assert_ne!(one, digest("City | Notice (days)", "Berlin | 31 days"));
        assert_ne!(digest("City | Key", "Berlin | Abc123"), digest("City | Key", "Berlin | abc123"));
        assert_ne!(digest("A | B | C", "x | yes | no"), digest("A | B | C", "x | no | yes"));
    }

    #[test]
    fn cells_are_plain_without_what_cites() {
        for (cell, expected) in
            [(" **Pro**  plan [12]", "pro plan"), ("a [b] c", "a [b] c"), ("✔️", "✔"), ("[", "[")]
        {
            assert_eq!(plain(cell), expected);
        }
        assert_eq!(
            (verdict(&plain(" ✔️ ")), verdict("no"), verdict("maybe")),
            (Some(true), Some(false), None)
        );
    }
}
