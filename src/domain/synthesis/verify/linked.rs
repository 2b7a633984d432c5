//! What a claim puts between two facts: `because`, `so that`, `after`, `in order to`. A model that finds two facts beside each other makes
//! one the cause of the other.
//!
//! Such a link must be made by a sentence that says both, or by one that says the one and points back to the other; and a cause may not
//! stand where the sentence has its effect.

use std::ops::Range;

use self::links::{ALONGSIDE, CAUSING, LEADING, LINKS, Link, ORDERING, POINTING, PURPOSING, SMALL};
use super::connecting::is_connecting;
use super::meaning::{Spoken, Tongue, is_light};
use super::scope::tokens;
use crate::domain::text::phrases::begins_with_any;

mod links;

/// What a link says of what stands around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The one is why the other is so.
    Cause,
    /// The one came before the other.
    Order,
    /// The one was done for the other.
    Purpose,
}

/// What begins another statement behind one that is linked.
const NEXT_CLAUSE: [&str; 5] = [";", ", while ", ", whereas ", ", and ", ", but "];

/// Words of a side of which more than half must be said; of more, half.
const FEW: usize = 3;

/// Two facts with what is put between them.
struct Linked {
    kind: Kind,
    mark: Range<usize>,
    /// Whether it names a year.
    is_dated: bool,
    /// The words of the cause, of what came first, of what was done; then those of the other.
    sides: [Vec<String>; 2],
}

/// The words of a claim by which it links what none of some texts links so.
pub(super) fn made_up<'c>(claim: &'c str, said: &[&str], tongue: &Tongue) -> Option<&'c str> {
    let linked = read(claim, tongue.name());
    let wrong = linked.into_iter().find(|linked| !is_linked(linked, said, tongue));
    wrong.map(|wrong| &claim[wrong.mark]).or_else(|| done_for(claim, said, tongue))
}

/// `to` before what is said elsewhere than what stands before it: `closed 20 branches to save money`.
fn done_for<'c>(claim: &'c str, said: &[&str], tongue: &Tongue) -> Option<&'c str> {
    const LED: &[&str] =
        &["due", "owing", "according", "compared", "up", "close", "next", "thanks", "prior", "addition"];
    if !tongue.is_english() || said.len() < 2 {
        return None;
    }
    let words: Vec<(Range<usize>, String)> = tokens(claim).collect();
    let is_one = |at: &usize| {
        let next = &words[at + 1];
        words[*at].1 == "to"
            && !LED.contains(&words[at - 1].1.as_str())
            && claim[next.0.clone()].starts_with(char::is_lowercase)
            && !is_light(&next.1)
    };
    let at = (1..words.len().saturating_sub(1)).find(is_one)?;
    let (before, behind) = sides(claim, &words, at, at + 1);
    let shares: Vec<[usize; 2]> = said
        .iter()
        .map(|text| {
            let spoken = Spoken::of(tongue.clone(), &[text]);
            [&before, &behind].map(|words| words.iter().filter(|word| spoken.says(word, None)).count())
        })
        .collect();
    let most = |count: usize, of: usize| count * 4 >= of * 3 && count > 0;
    let says_one = shares.iter().any(|[one, other]| most(*one, before.len()) && *other == 0);
    let says_other = shares.iter().any(|[one, other]| most(*other, behind.len()) && one * 2 < before.len());
    let says_both = shares.iter().any(|[one, other]| one * 2 >= before.len() && other * 2 >= behind.len());
    (says_one && says_other && !says_both).then(|| &claim[words[at].0.clone()])
}

fn is_linked(claim: &Linked, said: &[&str], tongue: &Tongue) -> bool {
    let [first, second] = &claim.sides;
    if first.is_empty() || second.is_empty() {
        return true;
    }
    // What came when may be told by years alone.
    if claim.kind == Kind::Order && claim.is_dated {
        return true;
    }
    // Whether sentences say the one, the other, or both beside each other: else nothing can be said of what links them.
    let (mut apart, mut together) = ([false; 2], false);
    for text in said {
        let spoken = Spoken::of(tongue.clone(), &[text]);
        let count = |words: &[String]| words.iter().filter(|word| spoken.says(word, None)).count();
        let says = |words: &[String]| {
            let count = count(words);
            count > 0 && count * 2 >= words.len() + usize::from(words.len() <= FEW)
        };
        let (one, other) = (says(first), says(second));
        let all = [first, second].map(|words| says(words) && count(words) * 3 >= words.len() * 2);
        apart = [apart[0] || all[0], apart[1] || all[1]];
        together |= all == [true; 2];
        let may_link = one && other || (one || other) && points_back(text);
        if may_link && has_word(text, claim.kind) && !is_turned(claim, text, tongue) {
            return true;
        }
    }
    !together && apart != [true; 2]
}

/// Whether what stands on the one side of each link of a kind in a text stands on the other in a claim.
fn is_turned(claim: &Linked, text: &str, tongue: &Tongue) -> bool {
    let theirs: Vec<Linked> =
        read(text, tongue.name()).into_iter().filter(|linked| linked.kind == claim.kind).collect();
    let shared = |mine: usize, theirs: &[String]| {
        let joined = theirs.join(" ");
        let spoken = Spoken::of(tongue.clone(), &[&joined]);
        claim.sides[mine].iter().filter(|word| spoken.says(word, None)).count()
    };
    !theirs.is_empty()
        && theirs.iter().all(|other| {
            let kept = shared(0, &other.sides[0]) + shared(1, &other.sides[1]);
            let crossed = [shared(0, &other.sides[1]), shared(1, &other.sides[0])];
            crossed.iter().sum::<usize>() > kept && !crossed.contains(&0)
        })
}

/// The links of a text in a language.
fn read(text: &str, language: &str) -> Vec<Linked> {
    let Some((_, links)) = LINKS.iter().find(|(of, _)| *of == language) else { return Vec::new() };
    let words: Vec<(Range<usize>, String)> = tokens(text).collect();
    let mut found: Vec<Linked> = Vec::new();
    for at in 0..words.len() {
        let link = links.iter().find(|link| stands_at(text, &words, at, link));
        let Some(link) = link else { continue };
        let end = at + link.words.split(' ').count();
        let mark = words[at].0.start..words[end - 1].0.end;
        let (before, behind) = sides(text, &words, at, end);
        // What stands behind the mark is the cause, what came first, or what it was done for.
        let sides = if link.is_first_behind { [behind, before] } else { [before, behind] };
        let is_year = |word: &str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
        let is_dated = text.split(|c: char| !c.is_alphanumeric()).any(is_year);
        found.push(Linked { kind: link.kind, mark, is_dated, sides });
    }
    found
}

/// Whether a link stands at a word.
fn stands_at(text: &str, words: &[(Range<usize>, String)], at: usize, link: &Link) -> bool {
    if !link.words.starts_with(words[at].1.as_str()) {
        return false; // the usual case, for which nothing is divided
    }
    let parts: Vec<&str> = link.words.split(' ').collect();
    let fits = words.len() > at + parts.len()
        && parts.iter().zip(&words[at..]).all(|(part, (_, word))| part == word)
        || words.len() == at + parts.len()
            && parts.iter().zip(&words[at..]).all(|(part, (_, word))| part == word);
    if !fits {
        return false;
    }
    let before = text[..words[at].0.start].trim_end();
    let behind = text[words[at + parts.len() - 1].0.end..].trim_start();
    let next = words.get(at + parts.len()).map_or("", |(_, word)| word.as_str());
    let is_dated = behind.starts_with(|c: char| c.is_ascii_digit());
    !is_dated
        && (!link.needs_comma || before.is_empty() || before.ends_with([',', ';']))
        && !link.not_before.split(' ').any(|word| !word.is_empty() && word == next)
}

/// The words that say something before a mark and behind it: one that begins a sentence ends at its comma.
fn sides(text: &str, words: &[(Range<usize>, String)], at: usize, end: usize) -> (Vec<String>, Vec<String>) {
    let mark_end = words[end - 1].0.end;
    let begins = at == 0;
    let comma = text[mark_end..].find([',', ';']).map(|place| mark_end + place);
    let clause = || {
        let ends = NEXT_CLAUSE.iter().filter_map(|word| text[mark_end..].find(*word));
        ends.min().map(|place| mark_end + place)
    };
    let inner = if begins { comma } else { clause() }.unwrap_or(text.len());
    let saying = |from: usize, to: usize| -> Vec<String> {
        let within = words.iter().filter(|(range, _)| range.start >= from && range.end <= to);
        let says = |word: &str| {
            !is_light(word)
                && !is_connecting(word)
                && !SMALL.contains(&word)
                && !CAUSING_ALONE.contains(&word)
        };
        within.map(|(_, word)| word.clone()).filter(|word| says(word)).collect()
    };
    let behind = saying(mark_end, inner);
    let before = if begins { saying(inner, text.len()) } else { saying(0, words[at].0.start) };
    // What both say tells nothing.
    let only = |one: &[String], other: &[String]| -> Vec<String> {
        one.iter().filter(|word| !other.contains(word)).cloned().collect()
    };
    (only(&before, &behind), only(&behind, &before))
}

/// Words that link and say nothing else.
const CAUSING_ALONE: &[&str] = &["result", "rise", "fact", "reason"];

/// Whether a text has a word that links so.
fn has_word(text: &str, kind: Kind) -> bool {
    let listed = match kind {
        Kind::Cause => CAUSING,
        Kind::Order => ORDERING,
        Kind::Purpose => PURPOSING,
    };
    let is = |word: &str| {
        let one =
            |entry: &&str| entry.strip_suffix('*').map_or(**entry == *word, |stem| word.starts_with(stem));
        listed.iter().any(&one) || (kind == Kind::Purpose && CAUSING.iter().any(one))
    };
    let has = |listed: &[&str]| tokens(text).any(|(_, word)| listed.contains(&word.as_str()));
    tokens(text).any(|(_, word)| is(&word)) || kind == Kind::Cause && has(LEADING) && !has(ALONGSIDE)
}

/// Whether a text begins with what was said before it: `As a result`, `This led to`.
fn points_back(text: &str) -> bool {
    let lowered = text.to_lowercase();
    begins_with_any(&lowered, POINTING)
}
