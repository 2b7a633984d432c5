//! Material made to fit a number of tokens, level by level.
//!
//! | level | what stands there |
//! |---|---|
//! | 1 | everything; sources that nobody cites where they have an excerpt |
//! | 2 | sources without addresses, their titles shorter, only those cited |
//! | 3 | the strongest claim of each subagent, contradictions, then claims by strength while they fit |
//! | 4… | the same with shorter and shorter texts |
//!
//! A level's lines are counted one by one and added up: a line ends with `}` and its line end, and no token of the known
//! vocabularies goes on from there into the `{` of the next. There are at most nine levels, so it ends; each is linear.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::Unit;
use super::material::Material;
use crate::domain::text::tokens::Tokenizer;

/// The shortest text that still says something, in tokens of the vocabulary.
pub(super) const TEXT_TOKENS_MIN: usize = 24;
/// What a claim's line takes beside its text, with its source, about.
pub(super) const LINE_TOKENS: usize = 80;
/// Names of subagents in a short line.
const NAMES_SHORT: usize = 3;

/// How much is told of each thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Detail {
    /// Which level this is, from 1.
    pub level: usize,
    /// Whether all has to fit.
    pub whole: bool,
    /// Whether a part of the subagents' strongest claims is enough.
    pub is_last: bool,
    /// Whether only the most needful is told of a claim.
    pub is_short: bool,
    /// Tokens of a text.
    pub text_tokens: Option<usize>,
    /// Characters of a title.
    pub title_chars: usize,
    /// Whether sources have addresses.
    pub urls: bool,
    /// Names of subagents in a line.
    pub names_max: usize,
}

/// What fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reduced {
    /// The lines.
    pub text: String,
    /// The numbers of sources that stand in them, ascending.
    pub ids: Vec<u32>,
    /// Units that stand there.
    pub shown: usize,
}

/// The levels for material that has `room` tokens of the vocabulary where all is said in short.
pub(super) fn levels(material: &Material<'_>, room: usize) -> Vec<Detail> {
    let full = Detail {
        level: 1,
        whole: true,
        is_last: false,
        is_short: false,
        text_tokens: None,
        title_chars: 300,
        urls: true,
        names_max: usize::MAX,
    };
    let fewer = Detail { level: 2, title_chars: 80, urls: false, ..full.clone() };
    let strongest = Detail { level: 3, whole: false, ..fewer.clone() };
    let share = room / needed(material).len().max(1);
    let mut lengths = vec![share.saturating_sub(LINE_TOKENS), share / 2, 150, 60, TEXT_TOKENS_MIN];
    lengths.retain(|tokens| *tokens >= TEXT_TOKENS_MIN);
    lengths.sort_unstable_by(|one, other| other.cmp(one));
    lengths.dedup();
    let last = lengths.len();
    let shorter = (1..).zip(lengths).map(|(nth, tokens)| Detail {
        level: 3 + nth,
        is_last: nth == last,
        is_short: true,
        text_tokens: Some(tokens),
        title_chars: 40,
        names_max: NAMES_SHORT,
        ..strongest.clone()
    });
    [full.clone(), fewer.clone(), strongest.clone()].into_iter().chain(shorter).collect()
}

/// The places of units that let each voice be heard once, the strongest of each.
pub(super) fn needed(material: &Material<'_>) -> Vec<usize> {
    let mut heard = BTreeSet::new();
    let is_new = |unit: &Unit<'_>, heard: &mut BTreeSet<String>| {
        // All of them, not the first that is new.
        unit.voices().into_iter().filter(|voice| heard.insert(voice.clone().into_owned())).count() > 0
    };
    (0..material.units.len()).filter(|at| is_new(&material.units[*at], &mut heard)).collect()
}

/// What of the material fits into `room` tokens of the vocabulary at a level; nothing where the level doesn't do.
pub(super) fn reduced(
    material: &Material<'_>,
    detail: &Detail,
    room: usize,
    tokenizer: &Tokenizer,
) -> Option<Reduced> {
    let mut page = Page {
        material,
        detail,
        tokenizer,
        left: room,
        units: BTreeMap::new(),
        asides: Vec::new(),
        sources: BTreeMap::new(),
    };
    let needed =
        if material.units.iter().all(|unit| unit.voices().is_empty()) { vec![0] } else { needed(material) };
    for at in &needed {
        if !page.add_unit(*at) && !detail.is_last {
            return None;
        }
    }
    if page.units.is_empty() {
        return None;
    }
    // Beside whole texts there is room for half of what is left; beside everything, for all.
    let kept_free = if detail.whole { 0 } else { page.left / 2 };
    for aside in 0..material.asides.len() {
        if !page.add_aside(aside, kept_free) && detail.whole {
            return None;
        }
    }
    for at in 0..material.units.len() {
        if !page.add_unit(at) && detail.whole {
            return None;
        }
    }
    // With everything, excerpts of sources that nobody cites too.
    if detail.level == 1 && !page.add_excerpts() {
        return None;
    }
    Some(page.written())
}

/// The tokens of a line, where they are no more than `most`. O(most).
fn counted(line: &str, most: usize, tokenizer: &Tokenizer) -> Option<usize> {
    let mut tokens = 0;
    for (_, piece) in tokenizer.pieces(line) {
        tokens += piece;
        if tokens > most {
            return None;
        }
    }
    Some(tokens)
}

/// Lines that are being chosen.
struct Page<'m, 'a> {
    material: &'m Material<'a>,
    detail: &'m Detail,
    tokenizer: &'m Tokenizer,
    left: usize,
    units: BTreeMap<usize, String>,
    asides: Vec<String>,
    sources: BTreeMap<u32, String>,
}

impl Page<'_, '_> {
    /// Adds a unit with its sources, where they fit.
    fn add_unit(&mut self, at: usize) -> bool {
        if self.units.contains_key(&at) {
            return true;
        }
        let Some(unit) = self.material.units.get(at) else { return false };
        let sources = unit.sources(self.detail, &self.material.sources);
        let line = unit.line(&sources, self.detail, self.tokenizer);
        let fits = self.add(&line, &sources, 0);
        if fits {
            self.units.insert(at, line);
        }
        fits
    }

    fn add_aside(&mut self, at: usize, kept_free: usize) -> bool {
        let aside = &self.material.asides[at];
        let line = aside.line(&self.material.sources);
        let fits = self.add(&line, &aside.sources(), kept_free);
        if fits {
            self.asides.push(line);
        }
        fits
    }

    fn add_excerpts(&mut self) -> bool {
        for (number, source) in &self.material.sources {
            if source.snippet.is_none() || self.sources.contains_key(number) {
                continue;
            }
            let line = source.line(*number, false, self.detail);
            let Some(left) = self.left.checked_sub(self.tokenizer.raw(&line)) else { return false };
            self.left = left;
            self.sources.insert(*number, line);
        }
        true
    }

    /// Takes the room that a line needs with the sources that don't stand there yet; `kept_free` has to be left.
    fn add(&mut self, line: &str, numbers: &[u32], kept_free: usize) -> bool {
        let Some(mut cost) = counted(line, self.left, self.tokenizer) else { return false };
        let mut new = BTreeMap::new();
        for number in numbers {
            if let Some(source) = self.material.sources.get(number)
                && !self.sources.contains_key(number)
                && !new.contains_key(number)
            {
                let line = source.line(*number, true, self.detail);
                cost += self.tokenizer.raw(&line);
                new.insert(*number, line);
            }
        }
        let Some(left) = self.left.checked_sub(cost).filter(|left| *left >= kept_free) else { return false };
        self.left = left;
        self.sources.append(&mut new);
        true
    }

    fn written(mut self) -> Reduced {
        let order = &self.material.reading_order;
        let shown = self.units.len();
        let mut text = String::new();
        for at in order {
            text.extend(self.units.remove(at));
        }
        text.extend(self.units.into_values().chain(self.asides));
        let ids = self.sources.keys().copied().collect();
        text.extend(self.sources.into_values());
        Reduced { text, ids, shown }
    }
}
