//! Letters and Roman numerals that tell things of a kind apart: of `group A` isn't told what is said of `group B`. `A` alone is an
//! article to the words of a text, and `I` a pronoun.

use std::ops::Range;

use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::synthesis::verify::scope::{clauses, tokens};

/// Words that join the clauses of two things.
const JOINTS: &[&str] = &["whereas", "while", "but", "and", "und", "et", "y"];
/// Words that no letter tells apart.
const NO_KINDS: &[&str] = &["and", "or", "that", "when", "but", "as", "if", "what", "than"];

/// A thing of a kind: `group`, `A`.
struct Designated<'t> {
    kind: String,
    mark: &'t str,
    range: Range<usize>,
}

/// What a claim tells of another of a kind than the sentence does; both as they are written.
pub(super) fn of_another<'t>(claim: &Features<'t>, said: &Features<'t>) -> Option<(&'t str, &'t str)> {
    let mine = designated(claim.text);
    if mine.is_empty() {
        return None; // the usual case
    }
    let theirs = designated(said.text);
    let has = |all: &[Designated<'_>], mark: &str| all.iter().any(|one| one.mark == mark);
    mine.iter().find_map(|own| {
        let mut rivals = theirs.iter().filter(|other| other.kind == own.kind && other.mark != own.mark);
        let rival = rivals.find(|other| !has(&mine, other.mark))?;
        let same = theirs.iter().find(|other| other.kind == own.kind && other.mark == own.mark);
        let is_another = match same {
            None => !stands_alone(said.text, own.mark),
            Some(same) => mine.len() == 1 && speaks_of(claim, said, rival, same),
        };
        is_another.then(|| (&claim.text[own.range.clone()], &said.text[rival.range.clone()]))
    })
}

/// Whether what a claim takes of two clauses stands in that of the rival alone.
fn speaks_of(
    claim: &Features<'_>,
    said: &Features<'_>,
    rival: &Designated<'_>,
    own: &Designated<'_>,
) -> bool {
    let parts = clauses(said.text, |word| JOINTS.contains(&word));
    let clause = |at: usize| parts.iter().position(|part| part.contains(&at));
    let (Some(theirs), Some(mine)) = (clause(rival.range.start), clause(own.range.start)) else {
        return false;
    };
    let says = |role: Role| matches!(role, Role::Content | Role::Name | Role::Figure);
    let count = |of: usize, other: usize| {
        let words = claim.elements.iter().filter(|element| says(element.role));
        let places = |element: &&Element| {
            let same = said.elements.iter().filter(|known| known.term == element.term);
            let places: Vec<Option<usize>> = same.map(|known| clause(known.start)).collect();
            places.contains(&Some(of)) && !places.contains(&Some(other))
        };
        words.filter(places).count()
    };
    theirs != mine && count(theirs, mine) > 0 && count(mine, theirs) == 0
}

/// The things of a text that a letter or a Roman numeral tells apart.
fn designated(text: &str) -> Vec<Designated<'_>> {
    if !text.as_bytes().windows(2).any(|two| two[0] == b' ' && two[1].is_ascii_uppercase()) {
        return Vec::new();
    }
    let words: Vec<(Range<usize>, String)> = tokens(text).collect();
    let pairs = words.windows(2).filter(|two| {
        let (kind, mark) = (&two[0], &two[1]);
        text[kind.0.end..mark.0.start] == *" "
            && kind.0.len() > 2
            && !NO_KINDS.contains(&kind.1.as_str())
            && is_mark(&text[mark.0.clone()])
            // `Zone A3`, `A.` of a name that goes on.
            && !text[mark.0.end..].starts_with(|c: char| c.is_ascii_digit() || matches!(c, '&' | '+'))
            && !text[mark.0.end..].starts_with(". ")
    });
    pairs
        .map(|two| Designated {
            kind: two[0].1.trim_end_matches('s').to_owned(),
            mark: &text[two[1].0.clone()],
            range: two[0].0.start..two[1].0.end,
        })
        .collect()
}

fn is_mark(word: &str) -> bool {
    let is_roman = || word.len() <= 4 && word.bytes().all(|byte| matches!(byte, b'I' | b'V' | b'X'));
    word.len() == 1 && word.as_bytes()[0].is_ascii_uppercase() || is_roman()
}

/// Whether a text has a letter by itself behind its first word: of `groups A and B`, `B`.
fn stands_alone(text: &str, mark: &str) -> bool {
    tokens(text).skip(1).any(|(range, _)| text[range] == *mark)
}
