//! Row `summaries`: two sentences of many (opinosis), ROUGE F1 with stemming, averaged over a topic's gold summaries and
//! then over the topics; the referee is `rouge-score`. Peers: sumy's SumBasic, LexRank, LSA and TextRank.

use serde_json::{Value, json};
use tributary::domain::synthesis::extract::{Sentence, summarise};
use tributary::domain::text::words::Lexicon;

use crate::figure::{Context, Figure, Target};
use crate::peers;

const SENTENCES: usize = 2;
const MEASURES: [(&str, &str, f64); 3] =
    [("ROUGE-1", "rouge1", 0.33), ("ROUGE-2", "rouge2", 0.11), ("ROUGE-L", "rougeL", 0.27)];

pub fn run(context: &Context) -> Vec<Figure> {
    let items = peers::items(context, "opinosis-dev.jsonl");
    if items.is_empty() {
        println!("summaries: skipped, opinosis-dev.jsonl isn't there");
        return Vec::new();
    }
    let mut lexicon = Lexicon::default();
    let lines: Vec<Value> = items.iter().map(|item| line(&mut lexicon, item)).collect();
    match peers::ask(context, "summaries", &lines) {
        Ok(answers) => MEASURES.iter().map(|measure| figure(measure, &answers)).collect(),
        Err(error) => {
            println!("summaries: skipped, there is no referee: {error}");
            Vec::new()
        }
    }
}

fn line(lexicon: &mut Lexicon, item: &Value) -> Value {
    let texts = peers::texts(item, "sentences");
    let sentences: Vec<_> = texts.iter().map(|text| Sentence { text, weight: 1.0, group: 0 }).collect();
    let chosen = summarise(lexicon, &sentences, SENTENCES);
    let summary: Vec<&str> = chosen.iter().map(|&at| texts[at]).collect();
    json!({"sentences": texts, "gold": item["gold"], "ours": summary.join("\n"), "count": SENTENCES})
}

fn figure(&(measure, key, least): &(&'static str, &str, f64), answers: &[Value]) -> Figure {
    let names =
        answers.first().and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name.clone());
    let mean = |name: &str| {
        answers.iter().map(|answer| answer[name][key].as_f64().unwrap_or_default()).sum::<f64>()
            / answers.len() as f64
    };
    let peers = names.filter(|name| name != "ours").map(|name| (name.clone(), mean(&name))).collect();
    Figure {
        row: "summaries",
        measure,
        unit: "F1",
        ours: mean("ours"),
        peers,
        target: Some(Target::AtLeast(least)),
    }
}
