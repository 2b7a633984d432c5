//! How fast, on reports of an ordinary kind; and the pages for a look in a browser. Both are run by hand:
//! `cargo test --release -- --ignored --nocapture`.

use super::fixture::{good, hostile};
use super::{QUERY, anthropic, html, llm, slack};
use crate::domain::aggregate::result::AggregatedResult;

/// Nanoseconds that this thread has been on a processor.
fn on_cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse().unwrap()
}

fn measure(name: &str, bytes: usize, mut work: impl FnMut() -> usize) {
    let start = on_cpu();
    let mut rounds = 0;
    while on_cpu() - start < 5e8 {
        std::hint::black_box(work());
        rounds += 1;
    }
    let seconds = (on_cpu() - start) / 1e9;
    println!("{name}: {:.0} MB/s of {bytes} bytes", (bytes * rounds) as f64 / 1e6 / seconds);
}

fn large() -> (AggregatedResult, usize) {
    let mut result = good();
    let content = result.results[0].content.clone() + "\n\n" + &result.results[1].content + "\n\n";
    let (one, two) = (result.results[0].clone(), result.results[1].clone());
    result.results = (0..8).map(|at| if at % 2 == 0 { one.clone() } else { two.clone() }).collect();
    for task in &mut result.results {
        task.content = content.repeat(100);
    }
    result.synthesis = (result.synthesis.clone() + "\n\n").repeat(50);
    let bytes = result.results.iter().map(|task| task.content.len()).sum::<usize>() + result.synthesis.len();
    (result, bytes)
}

#[test]
#[ignore = "measures"]
fn speed() {
    let (result, bytes) = large();
    measure("llm", bytes, || llm(&result, Some(QUERY)).len());
    measure("anthropic", bytes, || anthropic(&result).as_array().unwrap().len());
    measure("slack", bytes, || slack(&result)["blocks"].as_array().unwrap().len());
    measure("html", bytes, || html(&result, Some(QUERY)).len());
    let small = good();
    let bytes = serde_json::to_string(&small).unwrap().len();
    measure("slack, small", bytes, || slack(&small)["blocks"].as_array().unwrap().len());
    measure("html, small", bytes, || html(&small, Some(QUERY)).len());
}

#[test]
#[ignore = "writes pages for a browser"]
fn pages() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/pages");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("good.html"), html(&good(), Some(QUERY))).unwrap();
    let wide =
        format!("\n\n|{}\n|{}\n|{}\n\n", "a|".repeat(10_000), "-|".repeat(10_000), "b|".repeat(10_000));
    let text = super::hostile::all() + &wide;
    std::fs::write(folder.join("hostile.html"), html(&hostile(&text), Some(&text))).unwrap();
}
