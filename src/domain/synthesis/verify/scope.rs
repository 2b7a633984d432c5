//! The clauses of a sentence, and which of them a claim takes over: what stands in a clause that it leaves out says nothing
//! of it.

use std::ops::Range;

use crate::domain::near_duplicates::{Element, Features, Role};
use crate::domain::synthesis::quality::quotes;

/// Words that begin a clause which another one can do without.
#[rustfmt::skip]
const JOINTS: &[&str] = &[
    "and", "but", "while", "whereas", "although", "though", "who", "whose", "which", "where", "when", "because", "und", "aber", "während", "obwohl", "weil", "et", "mais",
    "qui", "tandis", "y", "pero", "mientras", "porque",
];
/// Those that join statements of their own.
const JOINING: &[&str] = &[
    "and", "but", "while", "whereas", "although", "though", "und", "aber", "während", "obwohl", "et", "mais",
    "tandis", "y", "pero", "mientras", "aunque",
];
/// So many words of a clause are no chance.
const SHARED_MIN: usize = 3;

/// The letters of a text that stand together, lowered, and where.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = (Range<usize>, String)> + '_ {
    let is_inner = |c: char| c.is_alphabetic() || matches!(c, '\'' | '’' | '-');
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(char::is_alphabetic)?;
        let end = text[start..].find(|c| !is_inner(c)).map_or(text.len(), |length| start + length);
        at = end;
        Some((start..end, text[start..end].to_lowercase()))
    })
}

/// The clauses of a sentence, in its order; `joints` begin one too. A comma between digits divides nothing.
pub(super) fn clauses(text: &str, joints: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    let mut cuts: Vec<usize> = tokens(text)
        .filter(|(_, word)| JOINTS.contains(&word.as_str()) || joints(word))
        .map(|(range, _)| range.start)
        .collect();
    // In Japanese it divides clauses, in Chinese what is listed.
    let is_japanese = text.contains(|c| matches!(c, '\u{3040}'..='\u{309F}'));
    let mark = |(at, c): (usize, char)| {
        let next = || text[at + c.len_utf8()..].chars().next();
        let divides = match c {
            ',' | ':' => !next().is_some_and(|next| next.is_ascii_digit()),
            ';' | '(' | ')' | '—' | '–' | '，' | '；' | '：' | '（' | '）' | '"' | '“' | '”' => {
                true
            }
            '、' => is_japanese,
            _ => false,
        };
        divides.then_some(at)
    };
    cuts.extend(text.char_indices().filter_map(mark));
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2).map(|two| two[0]..two[1]).collect()
}

/// The statements that a sentence joins, if it joins any; nothing is divided inside a quotation.
pub(super) fn joined(text: &str) -> Vec<Range<usize>> {
    let quoted: Vec<Range<usize>> = quotes(text)
        .into_iter()
        .filter_map(|quote| text.find(quote).map(|at| at..at + quote.len()))
        .collect();
    let is_quoted = |at: usize| quoted.iter().any(|range| range.contains(&at));
    let is_joint = |word: &str| JOINING.contains(&word);
    let words = tokens(text).filter(|(_, word)| is_joint(word)).map(|(range, _)| range.start);
    // `While it rained, we left`: what comes after the comma is the other statement.
    let subordinate = tokens(text).next().is_some_and(|(_, word)| is_joint(&word));
    let comma = text.find(", ").filter(|_| subordinate).map(|at| at + 1);
    let marks = text.match_indices([';', '；']).map(|(at, _)| at);
    let mut cuts: Vec<usize> = words.chain(comma).chain(marks).filter(|at| !is_quoted(*at)).collect();
    if cuts.iter().all(|at| *at == 0) {
        return Vec::new();
    }
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2).map(|two| two[0]..two[1]).collect()
}

/// Whether a claim takes over a part of a sentence: it has most of what the part says, or half of it is there. A part that
/// says nothing by itself belongs to the others.
pub(super) fn is_taken(claim: &Features<'_>, said: &Features<'_>, part: &Range<usize>) -> bool {
    let joins = |element: &Element| JOINTS.contains(&said.text[element.range()].to_lowercase().as_str());
    let inside = said.elements.iter().filter(|element| part.contains(&element.start) && says(element));
    let theirs = inside.filter(|element| !joins(element));
    let theirs: Vec<&Element> = theirs.collect();
    let mine: Vec<&Element> = claim.elements.iter().filter(|element| says(element)).collect();
    let shared = |of: &[&Element], with: &[&Element]| {
        of.iter().filter(|element| with.iter().any(|other| other.term == element.term)).count()
    };
    let (of_part, of_claim) = (shared(&theirs, &mine), shared(&mine, &theirs));
    of_part == theirs.len()
        || (of_part >= SHARED_MIN && of_part * 2 >= theirs.len())
        || (of_claim > 0 && of_claim * 2 >= mine.len())
}

fn says(element: &Element) -> bool {
    matches!(element.role, Role::Content | Role::Name | Role::Character | Role::Figure)
}

/// Whether a sentence has an odd number of negations in what a claim takes over of it.
pub(super) fn is_negated(claim: &Features<'_>, said: &Features<'_>) -> bool {
    let parts = clauses(said.text, |_| false);
    let taken: Vec<&Range<usize>> = parts.iter().filter(|part| is_taken(claim, said, part)).collect();
    let negations = said.marks.iter().filter(|marked| marked.mark.is_negation());
    negations.filter(|marked| taken.iter().any(|part| part.contains(&marked.start))).count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn clauses_are_cut_at_marks_and_joints() {
        let cut = |text| -> Vec<&str> {
            clauses(text, |word| word == "if").into_iter().map(|part| &text[part]).collect()
        };
        assert_eq!(cut("1,500 people left, and 3 stayed"), ["1,500 people left", ", ", "and 3 stayed"]);
        assert_eq!(cut("It pays off if demand grows"), ["It pays off ", "if demand grows"]);
        assert_eq!(cut("成本下降，但需求上升"), ["成本下降", "，但需求上升"]);
    }

    #[test]
    fn negation_of_a_clause_that_is_left_out_does_not_count() {
        let mut lexicon = Lexicon::default();
        let said = "Maria Keller, who leads the study, said: “Without storage, prices swing more”";
        let said = Features::of(&mut lexicon, said);
        for (claim, negated) in
            [("Maria Keller leads the study", false), ("Storage makes prices swing", true)]
        {
            let claim = Features::of(&mut lexicon, claim);
            assert_eq!(is_negated(&claim, &said), negated, "{}", claim.text);
        }
    }
}
