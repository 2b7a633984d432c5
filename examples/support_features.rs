//! Prints what is measured of each claim of a WiCE file, for `scripts/fit_support.py`: a JSON line each,
//! `{"label", "features": […], "names": […]}`.
//!
//! `cargo run --release --example support_features -- wice-dev.jsonl`

use std::error::Error;

use serde_json::{Value, json};
use tributary::domain::synthesis::support::{Evidence, support};
use tributary::domain::text::words::Lexicon;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("the path of a WiCE file is missing")?;
    let mut lexicon = Lexicon::default();
    for line in std::fs::read_to_string(path)?.lines() {
        let item: Value = serde_json::from_str(line)?;
        let claim = item["claim"].as_str().ok_or("a claim is missing")?;
        let sentences = item["evidence"].as_array().ok_or("the evidence is missing")?;
        let sentences: Vec<&str> = sentences.iter().filter_map(Value::as_str).collect();
        let evidence = Evidence::new(&mut lexicon, &sentences);
        let found = support(&mut lexicon, claim, &[&evidence]);
        let names = ["pairs", "passage", "figures", "names_missing", "clauses"];
        let line = json!({
            "label": item["label"], "names": names, "features": found.features.as_array(),
            "score": found.score, "negation_differs": found.negation_differs, "verbatim": found.verbatim,
        });
        println!("{line}");
    }
    Ok(())
}
