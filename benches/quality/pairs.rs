//! Pairs of sentences that say the same or don't, made with fixed seeds: from templates, and from real sentences where
//! they are there.

use std::path::Path;

mod mutations;
mod templates;

pub use mutations::MUTATIONS;

/// A pair and what is known about it.
pub struct Pair {
    /// A sentence.
    pub one: String,
    /// The same sentence, mutated.
    pub other: String,
    /// Whether both say the same.
    pub same: bool,
    /// What was done to it.
    pub mutation: &'static str,
    /// Whether its template, sentence or mutation was never looked at while tuning.
    pub held_out: bool,
}

/// A small generator of random numbers (SplitMix64, Steele et al. 2014).
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// One of a list.
    pub fn of<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }
}

/// All pairs: every mutation that fits, for sentences of templates and of reports.
pub fn all(data: Option<&Path>) -> Vec<Pair> {
    let mut random = Random(4);
    let mut bases: Vec<(String, bool)> = templates::sentences(&mut random);
    if let Some(data) = data {
        bases.extend(real(data, &mut random));
    }
    let mut pairs = Vec::new();
    for (base, held) in bases {
        for (at, mutation) in MUTATIONS.iter().enumerate() {
            if let Some(other) = (mutation.apply)(&base, &mut random).filter(|other| *other != base) {
                let held_out = held || at % 3 == 2;
                pairs.push(Pair {
                    one: base.clone(),
                    other,
                    same: mutation.same,
                    mutation: mutation.name,
                    held_out,
                });
            }
        }
    }
    pairs
}

/// Sentences of real reports: some of each.
fn real(data: &Path, random: &mut Random) -> Vec<(String, bool)> {
    let Ok(lines) = std::fs::read_to_string(data.join("reports.jsonl")) else { return Vec::new() };
    let mut found = Vec::new();
    for line in lines.lines() {
        let Ok(question) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let Some(reports) = question["reports"].as_object() else { continue };
        for report in reports.values().filter_map(|report| report.as_str()) {
            let sentences: Vec<&str> = tributary::domain::text::sentences::sentences(report)
                .into_iter()
                .map(|range| report[range].trim_matches(['*', '-', ' ', '#']))
                .filter(|text| is_prose(text))
                .collect();
            for _ in 0..sentences.len().min(5) {
                let sentence = strip_markers(sentences[random.below(sentences.len())]);
                found.push((sentence, random.below(3) == 0));
            }
        }
    }
    found.sort();
    found.dedup_by(|one, other| one.0 == other.0);
    found
}

fn is_prose(text: &str) -> bool {
    let length = text.chars().count();
    (20..300).contains(&length)
        && !text.contains(['|', '`', '\n', '*'])
        && !text.contains("http")
        && text.ends_with(['.', '。', ']'])
}

fn strip_markers(text: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '[' => depth += 1,
            ']' if depth > 0 => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}
