//! Citation rewriting: the same output for every cut, its speed, that it is linear, what it finds.

use std::collections::BTreeMap;
use std::path::Path;

use tributary::domain::synthesis::citations::{Numbering, Report, Rewriter, references, rewrite};

use crate::figure::{Context, Figure, Target};

const ROW: &str = "citations";
/// Seconds of CPU that a hostile text is measured for, at least.
const MEASURED: f64 = 0.25;
/// Random cuts of each text.
const CUTS: usize = 100;

/// Measures the row.
pub fn run(context: &Context) -> Vec<Figure> {
    let mut figures = hostile();
    let generated = generated();
    figures.extend(rows(
        &generated,
        ["generated: differences over 100 cuts", "generated: speed", "generated: held back"],
    ));
    match context.data.as_deref().and_then(reports) {
        None => println!("{ROW}: no reports.jsonl, its figures are skipped"),
        Some(reports) => {
            figures.extend(rows(
                &reports,
                ["reports: differences over 100 cuts", "reports: speed", "reports: held back"],
            ));
            figures.extend(found(&reports));
        }
    }
    figures
}

fn figure(measure: &'static str, unit: &'static str, ours: f64, target: Option<Target>) -> Figure {
    Figure { row: ROW, measure, unit, ours, peers: Vec::new(), target }
}

fn rows(texts: &[String], names: [&'static str; 3]) -> Vec<Figure> {
    let (differences, held) = differences(texts);
    vec![
        figure(names[0], "texts", differences as f64, Some(Target::AtMost(0.0))),
        figure(names[1], "MB/s", speed(texts), Some(Target::AtLeast(100.0))),
        figure(names[2], "bytes at most", held as f64, Some(Target::AtMost(64.0))),
    ]
}

/// The reports of all models.
fn reports(folder: &Path) -> Option<Vec<String>> {
    let lines = std::fs::read_to_string(folder.join("reports.jsonl")).ok()?;
    let mut texts = Vec::new();
    for line in lines.lines() {
        let row: serde_json::Value = serde_json::from_str(line).ok()?;
        texts.extend(row["reports"].as_object()?.values().filter_map(|text| Some(text.as_str()?.to_owned())));
    }
    Some(texts)
}

/// A small generator of random numbers with a fixed seed (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Reports made of prose, markers, code and references.
fn generated() -> Vec<String> {
    const PIECES: [&str; 16] = [
        "The market grew by 4.5% in 2024",
        "增长了百分之五",
        " [1]",
        "[2, 3]",
        "【4】",
        "[5-7]",
        "[99]",
        " ([98])",
        ". ",
        "。",
        "\n\n",
        "\n- ",
        "`a[1]`",
        "$x_1$",
        "[link](https://e.org/a[1])",
        "\n```\n[1]\n```\n",
    ];
    let mut random = Random(0x5EED);
    let text = |random: &mut Random| {
        let mut text: String = (0..400).map(|_| PIECES[random.below(PIECES.len())]).collect();
        text.push_str("\n\n## Sources\n\n");
        (1..30).for_each(|n| text.push_str(&format!("[{n}] Title {n}: https://e.org/{n}\n")));
        text
    };
    (0..50).map(|_| text(&mut random)).collect()
}

/// How many texts come out differently for any of the cuts, and how much was held back at most.
fn differences(texts: &[String]) -> (usize, usize) {
    let mut random = Random(0xC17A);
    let (mut different, mut held) = (0, 0);
    for text in texts {
        let map = map_of(text);
        let whole = rewrite(text, &map, &mut Numbering::new());
        let mut same = true;
        for round in 0..CUTS {
            let longest = [1, 8, 64, 512, 4096][round % 5];
            let (cut, most) = in_pieces(text, &map, || 1 + random.below(longest));
            same &= cut == whole;
            held = held.max(most);
        }
        different += usize::from(!same);
    }
    (different, held)
}

fn in_pieces(
    text: &str,
    map: &BTreeMap<u32, u32>,
    mut piece: impl FnMut() -> usize,
) -> ((String, Report), usize) {
    let mut numbering = Numbering::new();
    let mut rewriter = Rewriter::new(map, &mut numbering);
    let (mut out, mut start, mut held) = (String::new(), 0, 0);
    while start < text.len() {
        let end = text.ceil_char_boundary(start + piece());
        rewriter.push(&text[start..end], &mut out);
        held = held.max(rewriter.held());
        start = end;
    }
    let report = rewriter.finish(&mut out);
    ((out, report), held)
}

/// The numbers that the text itself defines; those of generated texts and of reports alike.
fn map_of(text: &str) -> BTreeMap<u32, u32> {
    references(text)
        .definitions
        .into_iter()
        .filter_map(|definition| definition.number)
        .map(|n| (n, n))
        .collect()
}

/// MB a second, in pieces of 4 KiB; the best of several rounds.
fn speed(texts: &[String]) -> f64 {
    let maps: Vec<_> = texts.iter().map(|text| map_of(text)).collect();
    let bytes: usize = texts.iter().map(String::len).sum();
    let mut out = String::new();
    let rounds = 20;
    let start = cpu_seconds();
    for _ in 0..rounds {
        for (text, map) in texts.iter().zip(&maps) {
            streamed(text, map, &mut out);
        }
    }
    bytes as f64 * f64::from(rounds) / 1e6 / (cpu_seconds() - start)
}

/// The time that this thread has been running on a processor (the machine may have other work), in seconds.
fn cpu_seconds() -> f64 {
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux has schedstat");
    let nanoseconds = line.split(' ').next().and_then(|word| word.parse::<f64>().ok());
    nanoseconds.expect("its first word is a number") / 1e9
}

/// Rewrites a text in pieces of 4 KiB, taking the output away after each like a stream does.
fn streamed(text: &str, map: &BTreeMap<u32, u32>, out: &mut String) {
    let mut numbering = Numbering::new();
    let mut rewriter = Rewriter::new(map, &mut numbering);
    let mut start = 0;
    while start < text.len() {
        let end = text.ceil_char_boundary(start + 4096);
        out.clear();
        rewriter.push(&text[start..end], out);
        std::hint::black_box(&out);
        start = end;
    }
    std::hint::black_box(rewriter.finish(out));
}

/// Whether hostile texts take time in proportion to their length.
fn hostile() -> Vec<Figure> {
    let mut worst: (f64, &str) = (0.0, "");
    let mut slowest: (f64, &str) = (f64::INFINITY, "");
    for unit in [
        "[",
        "`",
        "[1",
        "$",
        "[1][1]",
        " [9]",
        "\\[",
        "<",
        "\n",
        "Sources\n",
        "\n[1] x | [2] y",
        "[1, ",
        "`` `",
        "\n)",
        " ",
    ] {
        let (one, ten) = (unit.repeat(1_000_000 / unit.len()), unit.repeat(10_000_000 / unit.len()));
        let map = (1..=60).map(|n| (n, n)).collect();
        let mut out = String::new();
        // The clock goes in ticks of a few milliseconds.
        let mut time = |text: &str| {
            let (start, mut rounds) = (cpu_seconds(), 0.0);
            while cpu_seconds() < start + MEASURED {
                streamed(text, &map, &mut out);
                rounds += 1.0;
            }
            (cpu_seconds() - start) / rounds
        };
        let (small, large) = (time(&one), time(&ten));
        let ratio = large / small / 10.0;
        if std::env::var_os("QUALITY_VERBOSE").is_some() {
            println!("{unit:?}: {:.0} MB/s, ratio {ratio:.2}", 10.0 / large);
        }
        if ratio > worst.0 {
            worst = (ratio, unit);
        }
        if 10.0 / large < slowest.0 {
            slowest = (10.0 / large, unit);
        }
    }
    println!("{ROW}: least linear on {:?}, slowest on {:?}", worst.1, slowest.1);
    vec![
        figure(
            "hostile texts: time(10 MB) / time(1 MB) / 10, the worst",
            "ratio",
            worst.0,
            Some(Target::AtMost(1.3)),
        ),
        figure("hostile texts: speed, the worst", "MB/s", slowest.0, None),
    ]
}

/// What is found in the reports, on average.
fn found(texts: &[String]) -> Vec<Figure> {
    let (mut citations, mut dangling, mut defined, mut stripped) = (0, 0, 0, 0);
    for text in texts {
        let (_, report) = rewrite(text, &map_of(text), &mut Numbering::new());
        citations += report.citations.len();
        dangling += report.dangling.len();
        defined += report.definitions.len();
        stripped += usize::from(!report.stripped_sections.is_empty());
    }
    let count = texts.len() as f64;
    vec![
        figure("reports: citations", "each", citations as f64 / count, None),
        figure("reports: dangling", "each", dangling as f64 / count, None),
        figure("reports: definitions", "each", defined as f64 / count, None),
        figure("reports: with a reference section left out", "%", stripped as f64 / count * 100.0, None),
    ]
}
