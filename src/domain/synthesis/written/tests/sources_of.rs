//! What several sources say: one that says something else is no support, and no clause is made of two.

use super::scene::{assert_judged, sources, supported_by};
use crate::domain::synthesis::draft::{Draft, DraftFinding};
use crate::domain::synthesis::verify::{Evidence, summary, verify};
use crate::domain::text::words::Lexicon;

#[test]
fn source_that_says_something_else_is_taken_out_of_a_finding() {
    for (claim, other) in [
        ("The trial in Oslo showed a 12% benefit.", "The trial in Oslo showed no benefit."),
        ("The law was passed in 2019 in Norway.", "The law was never passed in Norway."),
        ("The bridge in Porto cost 40 million euros.", "The bridge in Porto cost 55 million euros."),
        ("Sales of the firm rose in Spain in 2020.", "Sales of the firm fell in Spain in 2020."),
        (
            "The plant made 4,200 tonnes of hydrogen in 2023.",
            "The plant made 3,900 tonnes of hydrogen in 2023.",
        ),
        ("The bridge in Porto opened in 2019.", "The port of Vigo was closed in 2021 after a storm."),
    ] {
        let scene = sources(&[claim, other]);
        assert_eq!(supported_by(&scene, claim), [claim], "{claim} / {other}");
    }
}

#[test]
fn sources_that_say_the_same_or_a_part_of_it_each_stay() {
    let said = [
        "The plant made 4,200 tonnes of hydrogen in 2023.",
        "In 2023 the plant made 4,200 tonnes of hydrogen.",
    ];
    assert_eq!(supported_by(&sources(&said), said[0]).len(), 2);
    let said = ["Acme had 120 employees in 2020.", "Acme had 340 employees in 2023."];
    assert_eq!(
        supported_by(&sources(&said), "Acme had 120 employees in 2020 and 340 employees in 2023.").len(),
        2
    );
}

#[test]
fn clause_is_said_by_one_source_as_a_whole() {
    let scene = sources(&[
        "The bridge in Porto opened in 2019 at a cost of 40 million euros.",
        "The port of Vigo was closed in 2021 after a storm.",
    ]);
    let right = [
        "The bridge in Porto opened in 2019.",
        "The bridge in Porto opened in 2019, and the port of Vigo was closed in 2021.",
        "The port of Vigo was closed after a storm, while the bridge in Porto cost 40 million euros.",
    ];
    let wrong = [
        "The port of Vigo opened in 2019.",
        "The storm cost 40 million euros.",
        "The port of Vigo was closed in 2021 at a cost of 40 million euros.",
        "The bridge in Porto and the port of Vigo opened in 2019.",
        "The bridge in Porto was closed in 2021.",
        "The bridge in Porto opened after a storm.",
    ];
    assert_judged(&scene, &right, &wrong);
}

#[test]
fn sentence_of_a_summary_cites_only_what_says_it() {
    let said = [
        "The bridge in Porto opened in 2019 at a cost of 40 million euros.",
        "The port of Vigo was closed in 2021 after a storm.",
    ];
    let scene = sources(&said);
    let mut lexicon = Lexicon::default();
    let evidence = Evidence::of(&mut lexicon, &scene.baseline, &scene.question);
    let finding = |(at, content): (usize, &&str)| DraftFinding {
        topic: String::new(),
        content: (*content).to_owned(),
        source_ids: vec![at as u32 + 1],
        confidence: None,
        transition: None,
    };
    let draft = Draft { findings: said.iter().enumerate().map(finding).collect(), ..Draft::default() };
    let kept = verify(&mut lexicon, &evidence, &draft).kept;
    let findings: Vec<_> = kept.into_iter().map(|(_, finding)| finding).collect();
    for (text, expected) in [
        ("The bridge in Porto opened in 2019 [1][2].", "The bridge in Porto opened in 2019. [1]"),
        ("The bridge in Porto was closed in 2021 [2].", ""),
        ("The bridge in Porto opened after a storm. [1][2]", ""),
    ] {
        assert_eq!(summary(&mut lexicon, &evidence, text, &findings).0, expected, "{text}");
    }
}
