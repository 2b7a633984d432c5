//! What the statements of a result rest on that names one source.

use crate::domain::synthesis::claims::Statement;
use crate::domain::text::sentences::authors_and_year;

/// Bytes of brackets with authors and a year.
const BYTES_MAX: usize = 96;

/// A result that names one source and cites it nowhere rests on that one: there is no other that its sentences could be from,
/// but for those that show an address of their own, or authors that the source isn't called by. Of several, which of them says a
/// sentence isn't known, and isn't guessed.
pub(super) fn on_the_only_source(
    said: &mut [Statement<'_>],
    only: Option<u32>,
    is_called: &dyn Fn(u32, &str) -> bool,
) {
    let Some(only) = only else { return };
    let place = only as usize;
    if said.iter().all(|statement| !statement.sources.contains(&place)) {
        let is_own = |name: &str| is_called(only, name);
        let silent = said.iter_mut().filter(|statement| statement.sources.is_empty());
        silent
            .filter(|statement| !names_others(statement.text, &is_own))
            .for_each(|statement| statement.sources.push(place));
    }
}

/// Whether a sentence says that others say so: `(Smith, 2020)`, `[Smith et al., 2020]`.
fn names_others(text: &str, is_own: &dyn Fn(&str) -> bool) -> bool {
    let brackets = text.match_indices(['(', '（', '[']);
    brackets.into_iter().any(|(at, open)| {
        let inside = &text[at + open.len()..text.floor_char_boundary(at + BYTES_MAX)];
        let Some(end) = inside.find([')', '）', ']']) else { return false };
        let inside = &inside[..end];
        let has_authors = inside.contains("et al") || inside.contains([',', '，', '&']);
        let name: String =
            inside.chars().take_while(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect();
        let dated = || authors_and_year(&format!("({inside})")).is_some();
        has_authors && !name.is_empty() && dated() && !is_own(&name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_are_named_for_rests_on_them() {
        let is_own = |name: &str| name == "ecb";
        for (text, expected) in [
            ("The rate is 3.5% (ECB, 2024).", false),
            ("The rate is 3.5% (Smith et al., 2020).", true),
            ("[Smith & Jones, 2020a] found the same.", true),
            ("It rose (March 2023) and fell (in Rome, too).", false),
            ("It rose.", false),
        ] {
            assert_eq!(names_others(text, &is_own), expected, "{text}");
        }
    }
}
