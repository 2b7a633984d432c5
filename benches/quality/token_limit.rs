//! The token limit over all reports and limits: nothing over, nothing wasted, nothing cut that mustn't be.

use std::path::Path;

use tributary::domain::aggregate::token_limit::{limit, marker};
use tributary::domain::text::tokens::Tokenizer;

use crate::figure::{Context, Figure, Target};

mod checker;
mod generated;

const ROW: &str = "token-limit";
const LIMITS: [usize; 5] = [100, 500, 1000, 2000, 4000];
/// How much of the limit must be used.
const SHARE: f64 = 0.98;

/// Measures the reports of the data folder, or generated ones where there is none.
pub fn run(context: &Context) -> Vec<Figure> {
    let reports = context.data.as_deref().and_then(reports).unwrap_or_else(|| {
        println!("{ROW}: no reports, generated ones instead");
        generated::reports(40)
    });
    let mut measured = Measured::default();
    let tokenizer = Tokenizer::o200k();
    tokenizer.count("read the vocabulary");
    for (name, text) in &reports {
        for max in LIMITS {
            measured.one(name, text, max, &tokenizer);
        }
    }
    measured.figures()
}

/// The reports of the data folder with their names.
fn reports(folder: &Path) -> Option<Vec<(String, String)>> {
    let lines = std::fs::read_to_string(folder.join("reports.jsonl")).ok()?;
    let mut found = Vec::new();
    for line in lines.lines() {
        let value: serde_json::Value = serde_json::from_str(line).ok()?;
        for (model, text) in value["reports"].as_object()? {
            found.push((format!("{} {model}", value["id"]), text.as_str()?.to_owned()));
        }
    }
    Some(found)
}

#[derive(Default)]
struct Measured {
    runs: usize,
    over: usize,
    rule_over: usize,
    shares: Vec<f64>,
    under: usize,
    forbidden: usize,
    bytes: usize,
    nanoseconds: u64,
    tokenizer_nanoseconds: u64,
    slowest_ms: f64,
}

impl Measured {
    fn one(&mut self, name: &str, text: &str, max: usize, tokenizer: &Tokenizer) {
        let say = |omitted| marker(omitted, "r-0123456789");
        let before = cpu_nanoseconds();
        let limited = limit(text, max, &say, tokenizer);
        let spent = cpu_nanoseconds() - before;
        self.nanoseconds += spent;
        self.slowest_ms = self.slowest_ms.max(spent as f64 / 1e6);
        let before = cpu_nanoseconds();
        tokenizer.count(text);
        self.tokenizer_nanoseconds += cpu_nanoseconds() - before;
        self.bytes += text.len();
        self.runs += 1;
        let tokens = tokenizer.count(&limited.text);
        self.over += usize::from(tokens > max || tokens != limited.tokens);
        let rule: String = text.chars().take(max * 4).collect();
        self.rule_over += usize::from(tokenizer.count(&rule) > max);
        if !limited.truncated {
            assert_eq!(limited.text, text);
            return;
        }
        let share = tokens as f64 / max as f64;
        self.shares.push(share);
        let cuts = checker::forbidden(text, &limited.text);
        for cut in &cuts {
            println!("{ROW}: {name} at {max}: {cut}");
        }
        self.forbidden += cuts.len();
        if share < SHARE {
            let proof = checker::nothing_fits(text, &limited.text, max, tokenizer);
            println!(
                "{ROW}: {name} at {max}: {tokens} used; {}",
                proof.as_deref().unwrap_or("an indivisible unit prevents more")
            );
            self.under += usize::from(proof.is_some());
        }
    }

    fn figures(mut self) -> Vec<Figure> {
        self.shares.sort_by(f64::total_cmp);
        let share = |at: usize| self.shares.get(at).copied().unwrap_or(1.0);
        let rule = self.rule_over as f64 / self.runs as f64;
        let speed = self.bytes as f64 / self.nanoseconds as f64 * 1e3;
        let figure =
            |measure, unit, ours, target| Figure { row: ROW, measure, unit, ours, peers: Vec::new(), target };
        let mut over = figure(
            "reports over the limit",
            "share",
            self.over as f64 / self.runs as f64,
            Some(Target::AtMost(0.0)),
        );
        over.peers.push(("chars/4".to_owned(), rule));
        vec![
            over,
            figure("shortened", "texts", self.shares.len() as f64, None),
            figure("used of the limit, minimum", "share", share(0), Some(Target::AtLeast(SHARE))),
            figure(
                "used of the limit, median",
                "share",
                share(self.shares.len() / 2),
                Some(Target::AtLeast(SHARE)),
            ),
            figure("under 98 % where more would fit", "texts", self.under as f64, Some(Target::AtMost(0.0))),
            figure("forbidden cuts", "cuts", self.forbidden as f64, Some(Target::AtMost(0.0))),
            figure("speed (CPU)", "MB/s", speed, Some(Target::AtLeast(30.0))),
            figure(
                "speed against counting alone",
                "share",
                self.tokenizer_nanoseconds as f64 / self.nanoseconds as f64,
                None,
            ),
            figure("slowest report (CPU)", "ms", self.slowest_ms, None),
        ]
    }
}

/// The time that this thread has run, where the system tells; else the clock's.
fn cpu_nanoseconds() -> u64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let own = told.and_then(|line| line.split(' ').next().and_then(|first| first.parse().ok()));
    own.unwrap_or_else(|| {
        std::time::UNIX_EPOCH.elapsed().map_or(0, |elapsed| u64::try_from(elapsed.as_nanos()).unwrap_or(0))
    })
}
