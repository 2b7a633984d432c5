//! Sentences that nobody would write, put together of words by which rules tell them apart.

use proptest::collection::vec;
use proptest::sample::select;

use super::scene::{Scene, task};
use crate::domain::synthesis::draft::{Draft, DraftFinding};
use crate::domain::synthesis::verify::{Evidence, verify};
use crate::domain::text::words::Lexicon;
use crate::properties::cases;

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "More", "Less", "Fewer", "Higher", "lower", "than", "as", "the", "one", "of", "among", "most", "second", "largest", "120", "1,200", "5 %", "in 2016", "until", "since", "not", "no", "never", "only", "and", "but", "or", ",", "may", "must",
    "will", "to", "plans", "decided", "about", "opened", "opens", "was", "is", "said", "that", "who", "which", "because", "Acme", "Zeta", "Acme's", "Ohio", "the CEO of", "İstanbul", "factories", "men", "women", "people", "died", "applied", "It",
    "als", "que", "plus", "más", "nicht", "ein", "der", "三", "。", "(", ")", "“", "”", "-", "’",
];

proptest::proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn anything_is_checked(said in vec(vec(select(WORDS), 1..10), 1..4), claims in vec(vec(select(WORDS), 0..10), 1..6)) {
        let text = |words: &Vec<&str>| format!("{}.", words.join(" "));
        let content: Vec<String> = said.iter().map(|words| format!("{} [1].", words.join(" "))).collect();
        let content = format!("{}\n\n## References\n\n[1] Page - https://a.example/", content.join(" "));
        let scene = Scene::of("anything", "What is known?", vec![task("agent", &content)]);
        // What is said as it stands, and turned round, comes nearest to what rules look at.
        let turned = said.iter().map(|words| text(&words.iter().rev().copied().collect()));
        let claims: Vec<String> = claims.iter().map(text).chain(said.iter().map(text)).chain(turned).collect();
        let mut lexicon = Lexicon::default();
        let evidence = Evidence::of(&mut lexicon, &scene.baseline, &scene.question);
        for claim in &claims {
            let finding = DraftFinding { content: claim.clone(), source_ids: vec![1], ..DraftFinding::default() };
            verify(&mut lexicon, &evidence, &Draft { findings: vec![finding], ..Draft::default() });
        }
    }
}
