//! Row `relevance`: how fast results are judged, on generated text.

use tributary::domain::aggregate::relevance::relevance;
use tributary::domain::text::words::Lexicon;

use crate::clock::cpu_seconds;
use crate::figure::{Context, Figure, Target};

/// Results and words of each: about 5 MB.
const RESULTS: usize = 32;
const WORDS: u64 = 25_000;

pub fn run(_: &Context) -> Vec<Figure> {
    let texts: Vec<String> = (0..RESULTS as u64).map(generated).collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    let seconds = (0..5).map(|_| {
        let mut lexicon = Lexicon::default();
        let start = cpu_seconds();
        let terms: Vec<_> = texts.iter().map(|text| lexicon.terms(text)).collect();
        let (query, reported) = ("w12 w400 w7 converting quotes", [Some(0.5); RESULTS]);
        std::hint::black_box(relevance(&mut lexicon, query, "w3", &terms, &reported));
        cpu_seconds() - start
    });
    let ours = bytes as f64 / seconds.fold(f64::MAX, f64::min) / 1e6;
    let target = Some(Target::AtLeast(20.0));
    vec![Figure {
        row: "relevance",
        measure: "results read, CPU time",
        unit: "MB/s",
        ours,
        peers: Vec::new(),
        target,
    }]
}

/// Text with few common and many rare words, the same each time (a linear congruential generator, Knuth's MMIX).
fn generated(seed: u64) -> String {
    let mut state = seed;
    let mut text = String::new();
    for _ in 0..WORDS {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (a, b) = (state >> 40 & 0xFFF, state >> 52);
        text.push_str(&format!("w{} ", a * b / 4096));
    }
    text
}
