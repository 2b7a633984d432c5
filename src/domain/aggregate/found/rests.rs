//! What the statements of a result rest on that names sources and cites none.

use crate::domain::synthesis::claims::{Statement, json_in};
use crate::domain::text::sentences::authors_and_year;

/// Bytes of brackets with authors and a year.
const BYTES_MAX: usize = 96;

/// Sources of a result at most that each of its sentences is given.
const TOGETHER_MAX: usize = 5;

/// A result that names one source and cites it nowhere rests on that one: there is no other that its sentences could be from,
/// but for those that show an address of their own, or authors that the source isn't called by. One that names several and cites
/// nothing at all rests on all of them together: which of them says a sentence isn't known, isn't guessed, and is said.
pub(super) fn on_what_it_names(
    said: &mut [Statement<'_>],
    named: &[u32],
    is_called: &dyn Fn(u32, &str) -> bool,
) {
    match named {
        [] => {}
        &[only] => on_the_only_source(said, only, &|name| is_called(only, name)),
        several => on_all_together(said, several),
    }
}

fn on_the_only_source(said: &mut [Statement<'_>], only: u32, is_own: &dyn Fn(&str) -> bool) {
    let place = only as usize;
    if said.iter().all(|statement| !statement.sources.contains(&place)) {
        on_the_one_at_its_end(said, only, is_own);
    }
}

/// A result whose only address stands at its end, for all of it, rests on that one, though its last sentence alone cites it.
pub(super) fn on_the_one_at_its_end(said: &mut [Statement<'_>], only: u32, is_own: &dyn Fn(&str) -> bool) {
    let silent = said.iter_mut().filter(|statement| statement.sources.is_empty());
    silent.filter(|statement| !names_others(statement.text, is_own)).for_each(|statement| {
        statement.sources.push(only as usize);
        statement.around.rests_on = 1;
    });
}

fn on_all_together(said: &mut [Statement<'_>], several: &[u32]) {
    let cites = |said: &Statement<'_>| !said.sources.is_empty() || names_others(said.text, &|_| false);
    if said.iter().any(cites) {
        return;
    }
    for statement in said {
        statement.around.rests_on = several.len();
        if several.len() <= TOGETHER_MAX {
            statement.sources.extend(several.iter().map(|number| *number as usize));
        }
    }
}

/// Where in a text markers go for what it doesn't cite itself, with the sources, in the order of the text.
pub(super) fn markers(text: &str, said: &[Statement<'_>]) -> Vec<(usize, Vec<u32>)> {
    let rest = said.iter().filter(|said| said.around.rests_on > 0 && !said.sources.is_empty());
    let mut places: Vec<(usize, Vec<u32>)> = rest
        .map(|said| (end(text, said), said.sources.iter().map(|number| *number as u32).collect()))
        .collect();
    // No marker in the values of data.
    if places.is_empty() || !json_in(text).is_empty() {
        return Vec::new();
    }
    places.sort();
    places.dedup_by_key(|(at, _)| *at);
    places
}

/// Where a marker of a sentence stands: before its stop, but behind one that may be a part of its last word, or is quoted.
fn end(text: &str, said: &Statement<'_>) -> usize {
    let end = said.start + said.text.len();
    let open = said.text.trim_end_matches(['.', '!', '?', '。', '！', '？', '।']);
    let last = open.rsplit(char::is_whitespace).next().unwrap_or_default();
    let stops = said.text[open.len()..].chars().count();
    if said.row.is_none() && stops == 1 && !last.contains('.') && open.ends_with(char::is_alphanumeric) {
        return said.start + open.len();
    }
    let ticks = said.text.bytes().filter(|byte| *byte == b'`').count();
    // A code span is closed behind the words.
    let behind = &text[end..];
    let closing = behind.len() - behind.trim_start_matches('`').len();
    if ticks % 2 == 1 { end + closing } else { end }
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
    use crate::domain::synthesis::claims::{Said, statements};

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

    fn read(text: &str) -> Vec<Statement<'_>> {
        statements(Said { subagent: "a", ..Said::uncited(text) })
    }

    #[test]
    fn several_that_are_named_and_not_cited_hold_together() {
        let rested = |text, named: &[u32]| {
            let mut said = read(text);
            on_what_it_names(&mut said, named, &|_, _| false);
            said.into_iter().map(|said| (said.sources, said.around.rests_on)).collect::<Vec<_>>()
        };
        let text = "The tower is 324 m high. It was built in 1889.";
        assert_eq!(rested(text, &[1, 3]), vec![(vec![1, 3], 2); 2]);
        assert_eq!(rested(text, &[7]), vec![(vec![7], 1); 2]);
        assert_eq!(rested(text, &[1, 2, 3, 4, 5, 6]), vec![(vec![], 6); 2]);
        assert_eq!(rested(text, &[]), vec![(vec![], 0); 2]);
        let authors = "The tower is 324 m high (Smith, 2020). It was built in 1889.";
        assert_eq!(rested(authors, &[1, 3]), vec![(vec![], 0); 2], "it says of some who says so");
    }

    #[test]
    fn a_marker_stands_where_its_sentence_ends() {
        for (text, expected) in [
            (
                "**The limit is 5 MB.** It grew in the U.S.",
                "**The limit is 5 MB[1].** It grew in the U.S.[1]",
            ),
            (
                "He said: \"It works well today.\" So be it.",
                "He said: \"It works well today.\"[1] So be it[1].",
            ),
            ("- **Price**: 5 euros\n- **Limit**: 5 MB", "- **Price**: 5 euros[1]\n- **Limit**: 5 MB[1]"),
            ("| City | Days |\n|---|---|\n| Berlin | 30 |", "| City | Days |\n|---|---|\n| Berlin | 30[1] |"),
            ("The server is restarted with `make run`.", "The server is restarted with `make run`.[1]"),
            ("{\"answer\": \"The limit is 5 MB.\"}", "{\"answer\": \"The limit is 5 MB.\"}"),
        ] {
            let mut said = read(text);
            on_what_it_names(&mut said, &[1], &|_, _| false);
            let mut marked = text.to_owned();
            for (at, _) in markers(text, &said).into_iter().rev() {
                marked.insert_str(at, "[1]");
            }
            assert_eq!(marked, expected);
        }
    }
}
