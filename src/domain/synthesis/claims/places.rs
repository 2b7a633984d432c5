//! Where in a sentence its sources are cited: what is cited at one place is said by all of that place.
//!
//! `Study A found a benefit [1], whereas study B found none [2]` has two sources, and no part of it has more than one.

use std::collections::BTreeSet;

use super::Statement;
use crate::domain::distinct::distinct;

/// Stand between sources of one place: `[One][1] and [Two][2]`.
const JOINING: [&str; 6] = ["and", "or", "und", "et", "y", "和"];

/// Sources of one place that are told apart: of more, `[1-50]` behind a closing sentence, nobody says which of them says it.
const TOLD_APART_MAX: usize = 15;

/// The independent domains that say the same. The sources of a text that doesn't tell them apart count like one, and like none
/// where one of them may be the other's.
pub(super) fn independent<'s, 't: 's>(
    saying: impl Iterator<Item = &'s Statement<'t>>,
    domain: &dyn Fn(usize) -> usize,
) -> Vec<usize> {
    let (mut independent, mut together) = (Vec::new(), BTreeSet::new());
    for said in saying {
        if together_of(said) > 1 {
            together.insert(domains(said, domain));
        } else if let [] | [_] = said.sources[..] {
            independent.extend(said.sources.iter().map(|&source| domain(source)));
        } else {
            independent.extend(domains(said, domain));
        }
    }
    independent.sort_unstable();
    independent.dedup();
    // Most texts tell their sources apart.
    if together.is_empty() {
        return independent;
    }
    let mut known: BTreeSet<usize> = independent.iter().copied().collect();
    for of in together {
        if !of.iter().any(|domain| known.contains(domain)) {
            independent.extend(of.first());
            known.extend(of);
        }
    }
    independent.sort_unstable();
    independent
}

/// What to check of a sentence whose text doesn't say which of its sources says it, where nobody else does.
pub(super) fn not_told_apart<'s, 't: 's>(
    saying: impl Iterator<Item = &'s Statement<'t>> + Clone,
) -> Option<String> {
    let is_apart = |said: &Statement<'t>| together_of(said) <= 1 && !said.sources.is_empty();
    if saying.clone().any(is_apart) {
        return None;
    }
    let rests_on = |said: &Statement<'t>| (!said.sources.is_empty(), together_of(said));
    let (is_cited, count) = saying.map(rests_on).filter(|(_, count)| *count > 1).max()?;
    Some(match is_cited {
        true => which_of(count),
        false => format!(
            "It rests on {count} sources, which its text doesn't tell apart; look for the one that says this."
        ),
    })
}

/// How many sources a statement rests on together, as its text doesn't say which of them says it; otherwise 0 or 1.
fn together_of(said: &Statement<'_>) -> usize {
    // Hardly any sentence cites so many.
    if said.around.rests_on > 1 || said.sources.len() <= TOLD_APART_MAX {
        return said.around.rests_on;
    }
    let most = if said.text.contains('[') {
        places(said).iter().map(Vec::len).max().unwrap_or_default()
    } else {
        said.sources.len()
    };
    if most > TOLD_APART_MAX { most } else { said.around.rests_on }
}

/// That a text doesn't say which of so many sources says something.
pub(in crate::domain::synthesis) fn which_of(count: usize) -> String {
    format!("Its text doesn't say which of its {count} sources says this; check that one does.")
}

/// The domains of the sources that say the same of a statement: those of the place with most of them, the last of several.
/// `domain` is the number of a source's domain.
fn domains(said: &Statement<'_>, domain: &dyn Fn(usize) -> usize) -> Vec<usize> {
    let of = |sources: &[usize]| distinct(sources.iter().map(|&source| domain(source)));
    let all = of(&said.sources);
    if all.len() < 2 || !said.text.contains('[') {
        return all;
    }
    let places = places(said);
    places.iter().map(|sources| of(sources)).max_by_key(Vec::len).unwrap_or(all)
}

/// The sources of each place, in the order of the text. What stands at its end isn't part of a quotation, nor are addresses.
fn places(said: &Statement<'_>) -> Vec<Vec<usize>> {
    let mut places: Vec<Vec<usize>> = Vec::new();
    let mut done = 0;
    for (start, _) in said.text.match_indices('[') {
        let Some((source, end)) = marker(said.text, start) else { continue };
        if said.sources.binary_search(&source).is_err() {
            continue;
        }
        let is_near = !says(&said.text[done..start]);
        match places.last_mut().filter(|_| is_near) {
            Some(place) => place.push(source),
            None => places.push(vec![source]),
        }
        done = end;
    }
    let inside: BTreeSet<usize> = places.iter().flatten().copied().collect();
    let rest = said.sources.iter().filter(|source| !inside.contains(source)).copied();
    match places.last_mut().filter(|_| !says(&said.text[done..])) {
        Some(place) => place.extend(rest),
        None => places.push(rest.collect()),
    }
    places
}

/// Whether a text between two markers says something: `, ` and ` and ` don't, nor does the title of the next, `, [The title][2]`.
fn says(between: &str) -> bool {
    let mut depth = 0_usize;
    let outside = |c: &char| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    };
    let plain: String = between.chars().filter(outside).collect();
    let mut words = plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.any(|word| !JOINING.contains(&word))
}

/// The number of a marker that begins at a bracket, and its end.
fn marker(text: &str, start: usize) -> Option<(usize, usize)> {
    // Ten digits at most.
    let inside = &text[start + 1..text.floor_char_boundary(text.len().min(start + 12))];
    let (number, _) = inside.split_once(']')?;
    Some((number.parse().ok()?, start + number.len() + 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::synthesis::claims::Around;

    #[test]
    fn sources_of_one_place_say_the_same() {
        let most = |text: &str, sources: &[usize]| {
            let said = Statement { text, subagent: "a", sources: sources.to_vec(), ..Statement::default() };
            domains(&said, &|source| source % 10).into_iter().collect::<Vec<_>>()
        };
        assert_eq!(most("A found a benefit [1], whereas B found none", &[1, 2]), [2]);
        assert_eq!(most("A found a benefit [1][2], whereas B found none", &[1, 2, 3]), [1, 2]);
        assert_eq!(most("A found a benefit [1], [2], whereas B found none", &[1, 2, 3]), [1, 2]);
        assert_eq!(most("A found a benefit [1],", &[1, 2]), [1, 2], "what follows stood at the end");
        assert_eq!(most("A found a benefit [1], whereas B found none", &[1, 2, 3]), [2, 3]);
        assert_eq!(most("A found a benefit ([One][1], [Two][2]), and B found none", &[1, 2]), [1, 2]);
        assert_eq!(most("By [One][1] and [Two][2] a benefit is found", &[1, 2]), [1, 2]);
        assert_eq!(most("A found a benefit ([One][1], [Two]", &[1, 2]), [1, 2]);
        assert_eq!(most("A found a benefit in `list[7]`", &[1, 2]), [1, 2], "no source, no marker");
        assert_eq!(most("A found a benefit", &[1, 11]), [1]);
    }

    #[test]
    fn sources_that_are_not_told_apart_count_like_one() {
        let count = |all: &[(&[usize], usize)]| {
            let said = |(sources, rests_on): &(&[usize], usize)| Statement {
                text: "It rose.",
                start: 0,
                heading: "",
                around: Around { rests_on: *rests_on, ..Around::default() },
                subagent: "a",
                sources: sources.to_vec(),
                row: None,
            };
            let said: Vec<Statement<'_>> = all.iter().map(said).collect();
            (independent(said.iter(), &|source| source).len(), not_told_apart(said.iter()))
        };
        let (domains, verify) = count(&[(&[1, 2, 3], 3)]);
        assert_eq!((domains, verify.unwrap().contains("which of its 3 sources")), (1, true));
        let (domains, verify) = count(&[(&[], 12)]);
        assert_eq!((domains, verify.unwrap().contains("rests on 12 sources")), (0, true));
        assert_eq!(count(&[(&[1, 2], 2), (&[2, 3], 2)]).0, 1, "both may have it from 2");
        assert_eq!(count(&[(&[1, 2], 2), (&[3, 4], 2)]).0, 2);
        assert_eq!(count(&[(&[1, 2], 2), (&[2], 0)]), (1, None));
        assert_eq!(count(&[(&[1, 2], 2), (&[3], 1)]).0, 2);
        assert_eq!(count(&[(&[1, 2], 0)]), (2, None), "cited side by side");
        let many: Vec<usize> = (1..=47).collect();
        assert_eq!(count(&[(&many[..15], 0)]), (15, None));
        let (domains, verify) = count(&[(&many, 0)]);
        assert_eq!((domains, verify.unwrap().contains("which of its 47 sources")), (1, true), "`[1-47]`");
        assert_eq!(count(&[(&many, 0), (&[3], 0)]), (1, None), "3 may be all that says it");
        assert_eq!(count(&[(&many, 0), (&[60], 0)]), (2, None));
    }
}
