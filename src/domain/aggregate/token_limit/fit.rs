//! Fills a limit: chooses, counts, mends, and tops up with part of a sentence.

use super::Omitted;
use super::assemble::{BREAK, Body, Chosen, assemble};
use super::outline::Outline;
use super::salience::FACT;
use super::select::{Selection, candidates, replacements};
use super::shorten;
use crate::domain::text::tokens::{Known, Tokenizer};

/// What is said where the marker doesn't fit.
pub(super) const SHORT_MARKER: &str = "[…]";
/// How often more is chosen after counting. Two rounds nearly always suffice.
const ROUNDS_MAX: usize = 6;
/// How many of the least salient leaves are tried to be exchanged for better fitting ones.
const EXCHANGES_MAX: usize = 24;
/// How many tokens all tries to top up may count together: a bound of the time.
const TRIED_TOKENS_MAX: usize = 400_000;

/// The limit and all that is needed to keep it.
pub(super) struct Fit<'a> {
    pub(super) text: &'a str,
    pub(super) max_tokens: usize,
    pub(super) of_tokens: usize,
    pub(super) marker: &'a dyn Fn(Omitted) -> String,
    pub(super) tokenizer: &'a Tokenizer,
    /// What was counted of the text.
    pub(super) known: &'a Known<'a>,
}

/// A finished text, with its marker, and its tokens.
struct Finished {
    text: String,
    tokens: usize,
}

impl Fit<'_> {
    /// The text within the limit and its tokens.
    pub(super) fn run(&self, outline: &Outline) -> (String, usize) {
        let empty = self.counted(self.finished(Body { text: String::new(), tokens: 0 }));
        let Some(room) = self.max_tokens.checked_sub(empty.tokens) else { return self.without_marker() };
        let mut selection = Selection::new(outline);
        let mut budget = self.tokenizer.raw_limit(room);
        let mut attempted = None;
        for _ in 0..ROUNDS_MAX {
            let added = selection.fill(budget);
            let tokens = self.attempt_once(outline, &selection.chosen, &mut attempted).tokens;
            match self.max_tokens.checked_sub(tokens) {
                Some(left) => budget = self.tokenizer.raw_limit(left),
                // Seams cost more than was thought.
                None => {
                    selection.drop_least(self.tokenizer.raw_limit(tokens - self.max_tokens).max(1));
                    budget = 0;
                }
            }
            if !added {
                break;
            }
        }
        let best = self.exact(outline, &mut selection, attempted).unwrap_or(empty);
        let best = self.topped_up(outline, selection, best);
        (best.text, best.tokens)
    }

    fn without_marker(&self) -> (String, usize) {
        let tokens = self.tokenizer.count(SHORT_MARKER);
        if tokens <= self.max_tokens { (SHORT_MARKER.to_owned(), tokens) } else { (String::new(), 0) }
    }

    /// What is chosen, counted by parts.
    fn attempt(&self, outline: &Outline, chosen: &Chosen) -> Finished {
        self.finished(assemble(self.text, outline, chosen, (self.tokenizer, self.known)))
    }

    /// The same, unless it is what was last attempted.
    fn attempt_once<'l>(
        &self,
        outline: &Outline,
        chosen: &Chosen,
        last: &'l mut Option<(Chosen, Finished)>,
    ) -> &'l Finished {
        let known = last.take().filter(|(known, _)| known == chosen);
        let (_, found) =
            last.insert(known.unwrap_or_else(|| (chosen.clone(), self.attempt(outline, chosen))));
        found
    }

    /// What is chosen, counted as a whole; leaves are taken out where that is over the limit after all.
    fn exact(
        &self,
        outline: &Outline,
        selection: &mut Selection<'_>,
        mut attempted: Option<(Chosen, Finished)>,
    ) -> Option<Finished> {
        for _ in 0..ROUNDS_MAX {
            let known = attempted.take().filter(|(known, _)| *known == selection.chosen);
            let found = known.map_or_else(|| self.attempt(outline, &selection.chosen), |(_, found)| found);
            let found = self.counted(found);
            if found.tokens <= self.max_tokens {
                return Some(found);
            }
            selection.drop_least(self.tokenizer.raw_limit(found.tokens - self.max_tokens).max(1));
        }
        None
    }

    /// A body with its marker, which tells what the body leaves out.
    fn finished(&self, body: Body) -> Finished {
        let tokens = self.of_tokens.saturating_sub(self.tokenizer.of_raw(body.tokens));
        let marker = (self.marker)(Omitted { tokens, of_tokens: self.of_tokens });
        let tokens = self.tokenizer.of_raw(body.tokens + self.tokenizer.raw(&marker));
        match (body.text.is_empty(), marker.is_empty()) {
            (true, _) => Finished { text: marker, tokens },
            (false, true) => Finished { text: body.text, tokens },
            (false, false) => Finished { text: body.text + BREAK + &marker, tokens },
        }
    }

    fn counted(&self, finished: Finished) -> Finished {
        let raw = self.tokenizer.raw_known(&finished.text, self.known);
        Finished { tokens: self.tokenizer.of_raw(raw), text: finished.text }
    }

    /// Fills what is left: with the first words of a salient sentence, or by exchanging one of the least salient leaves for
    /// one that fills the limit better, or both.
    fn topped_up(&self, outline: &Outline, selection: Selection<'_>, best: Finished) -> Finished {
        let enough = self.max_tokens - self.max_tokens / 50;
        if best.tokens >= enough {
            return best;
        }
        let left = self.tokenizer.raw_limit(self.max_tokens - best.tokens);
        let mut tries = TRIED_TOKENS_MAX / self.max_tokens.max(1) + 8;
        let mut best = self.shortened(outline, &selection, left, enough, best, (0.0, &mut tries));
        let least = selection.least(EXCHANGES_MAX);
        for leaf in least {
            if best.tokens >= enough || tries == 0 {
                break;
            }
            let mut other = selection.clone();
            if !other.take_out(leaf) {
                continue;
            }
            // A figure, a name or a citation never makes way for plain prose.
            let least_score = if outline.leaves[leaf].score >= FACT { FACT } else { 0.0 };
            let room = left + outline.leaves[leaf].cost + other.close_empty();
            for replacement in replacements(outline, &other.chosen, room, least_score)
                .into_iter()
                .filter(|other| *other != leaf)
            {
                let mut exchanged = other.clone();
                exchanged.add(replacement);
                tries = tries.saturating_sub(1);
                let found = self.counted(self.attempt(outline, &exchanged.chosen));
                if found.tokens <= self.max_tokens && found.tokens > best.tokens {
                    best = found;
                }
            }
            if best.tokens < enough {
                best = self.shortened(outline, &other, room, enough, best, (least_score, &mut tries));
            }
        }
        best
    }

    /// The best of what was chosen with the first words of one more sentence, and of `best`.
    fn shortened(
        &self,
        outline: &Outline,
        selection: &Selection<'_>,
        left: usize,
        enough: usize,
        mut best: Finished,
        (least, tries): (f32, &mut usize),
    ) -> Finished {
        let all = candidates(outline, &selection.chosen, left, least);
        // Between characters a sentence is cut only where nothing would be left otherwise.
        let mut has_some = selection.chosen.leaves.contains(&true);
        for or_characters in [false, true] {
            if or_characters && has_some {
                break;
            }
            for &(leaf, room) in &all {
                *tries = tries.saturating_sub(1);
                let sentence = &self.text[outline.leaves[leaf].text.clone()];
                for short in shorten::versions(sentence, room, or_characters, self.tokenizer) {
                    *tries = tries.saturating_sub(1);
                    let found = self.counted(self.attempt(outline, &selection.with_short(leaf, short)));
                    if found.tokens <= self.max_tokens {
                        has_some = true;
                        if found.tokens > best.tokens {
                            best = found;
                        }
                        break;
                    }
                }
                if best.tokens >= enough || *tries == 0 {
                    return best;
                }
            }
        }
        best
    }
}
