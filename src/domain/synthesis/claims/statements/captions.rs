//! Captions: what stands right above a table and only says what it is of, `Table 2: yields by variety`, `yield trial 2024, site: Wye`.

use super::edges::edges;
use super::labels::name;
use super::lead_in::is_list;
use crate::domain::text::blocks::{Block, Kind};

/// Words and bytes of one.
const WORDS_MAX: usize = 14;
const BYTES_MAX: usize = 140;
/// What a table is called by, with its number behind it.
const TABLES: [&str; 6] = ["table", "tabelle", "tableau", "tabla", "tabella", "tab."];
/// What tables are of.
#[rustfmt::skip]
const KINDS: [&str; 24] = [
    "trial", "comparison", "overview", "results", "summary", "prices", "pricing", "ranking", "by", "per", "breakdown", "figures", "survey", "benchmark", "schedule", "timetable", "vergleich", "übersicht", "ergebnisse", "preise",
    "comparaison", "résultats", "comparación", "resultados",
];
/// Words that make a sentence of one.
#[rustfmt::skip]
const VERBS: [&str; 52] = [
    "is", "are", "was", "were", "be", "been", "has", "have", "had", "will", "would", "can", "could", "may", "must", "should", "do", "does", "did", "not", "no", "never", "rose", "fell", "grew", "won", "lost", "beat", "beats",
    "shows", "show", "leads", "led", "costs", "cost", "takes", "took", "gets", "makes", "made", "needs", "offers", "wins", "says", "said", "ist", "sind", "war", "hat", "est", "sont", "es",
];

/// The name in bold letters that a paragraph above a list or table is, or the caption of that table, and whether it is one.
pub(super) fn name_above<'t>(body: &'t str, next: Option<&Block>) -> (Option<&'t str>, bool) {
    match caption(body, next) {
        Some(caption) => (Some(caption), true),
        None => (name(body).filter(|_| next.is_some_and(is_list)), false),
    }
}

/// Whether a word, in small letters, is a verb that makes a sentence of a line.
pub(super) fn is_verb(word: &str) -> bool {
    VERBS.contains(&word)
}

/// The caption that a paragraph above a table is.
fn caption<'t>(body: &'t str, next: Option<&Block>) -> Option<&'t str> {
    let is_above = next.is_some_and(|next| next.kind == Kind::Table);
    let line = body.trim();
    if !is_above || line.len() > BYTES_MAX || line.contains('\n') {
        return None;
    }
    let said = edges(line);
    let lower = said.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ':' | '(' | ')'))
        .filter(|word| !word.is_empty())
        .collect();
    let is_numbered = TABLES.contains(words.first()?)
        && words
            .get(1)
            .is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
    let tells = |word: &&str| VERBS.contains(word) || word.ends_with("ed") && word.len() > 4;
    let is_one = !said.ends_with(['.', '!', '?', ':', '。', '：', ']'])
        && words.len() <= WORDS_MAX
        && !words.iter().any(tells)
        && (is_numbered || words.iter().any(|word| KINDS.contains(word)));
    is_one.then_some(said)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    const TABLE: &str = "| Variety | Yield t/ha |\n|---|---|\n| Gleam | 11.6 |\n| Extase | 10.9 |";
    const BEHIND: &str = "The trial was sown in October.";

    #[test]
    fn captions_head_their_tables_and_state_nothing() {
        for caption in [
            "yield trial 2024, site: Wye",
            "**Table 2: Yields of the four varieties**",
            "Yields of wheat by variety in 2024",
        ] {
            let found = read(&format!("{caption}\n\n{TABLE}\n\n{BEHIND}"), "a");
            let texts: Vec<_> = found.iter().map(|said| said.text).collect();
            assert_eq!(texts, ["Gleam | 11.6", "Extase | 10.9", BEHIND], "{caption}");
            let section = found[0].row.map(|row| row.section);
            assert_eq!((section, found[2].heading), (Some(caption.trim_matches('*')), ""));
        }
    }

    #[test]
    fn what_says_something_above_a_table_is_stated() {
        for line in [
            "Gleam leads the trial of 2024 at Wye",
            "The results of the trial are clear",
            "Gleam yielded most by far in 2024",
            "The trial at Wye shows this. Gleam won by far.",
        ] {
            let found = read(&format!("{line}\n\n{TABLE}\n\n{BEHIND}"), "a");
            assert!(found.iter().any(|said| line.ends_with(said.text)), "{line}");
        }
        let apart = format!("yield trial 2024, site: Wye\n\n{BEHIND}\n\n{TABLE}");
        assert!(read(&apart, "a").iter().any(|said| said.text == "yield trial 2024, site: Wye"));
    }
}
