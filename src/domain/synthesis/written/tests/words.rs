//! A word put for another, what is supposed told as done, and what is said of one told of another, in ten languages.

use super::scene::{Scene, assert_judged, sources, task, verified};

#[path = "../../../../../benches/quality/verification/claims.rs"]
mod claims;

/// What may be said and is refused: verbs that take what they are about with them, what holds it told as where it is.
const REFUSED: &[&str] = &[
    "The mill exports half of the 900 tonnes of grain that it processes annually.",
    "Kestrel Bank gave the airline a loan to purchase new planes.",
    "A weather station is housed in the old lighthouse at Kap Arn.",
];

/// Of a set's claims those that may be said and are refused, and those that may not and stand.
fn misjudged(set: claims::Set) -> (Vec<String>, Vec<String>) {
    let (mut refused, mut stands) = (Vec::new(), Vec::new());
    for case in claims::cases(set, false) {
        let scene = sources(&case.said);
        let written: Vec<&str> = case.claims.iter().map(|(claim, _)| *claim).collect();
        for ((claim, why), (_, may)) in verified(&scene, &written).into_iter().zip(&case.claims) {
            match (why, may) {
                (Some(_), true) => refused.push(claim.to_string()),
                (None, false) => stands.push(claim.to_string()),
                (Some(_), false) | (None, true) => {}
            }
        }
    }
    (refused, stands)
}

#[test]
fn word_that_nothing_says_is_no_claim_of_it() {
    let (refused, stands) = misjudged(claims::Set::Words);
    assert!(refused == REFUSED && stands.is_empty(), "refused: {refused:#?}\nstands: {stands:#?}");
}

/// Sentences that are told anew: honest ones that are refused, and misleading ones that stand, grow no more.
#[test]
fn most_paraphrases_stand_and_few_misleading_sentences() {
    const REFUSED_MAX: usize = 29;
    const STANDING_MAX: usize = 5;
    let (refused, stands) = misjudged(claims::Set::Paraphrased);
    assert!(refused.len() <= REFUSED_MAX, "{refused:#?}");
    assert!(stands.len() <= STANDING_MAX, "{stands:#?}");
}

/// Parts of a sentence in another order, and the passive for the active.
#[test]
fn what_is_said_in_another_order_and_form_stands() {
    for (said, right, wrong) in [
        (
            "Die Stadt eröffnete 2023 in Graz einen neuen Radweg.",
            &[
                "2023 wurde in Graz ein neuer Radweg eröffnet.",
                "In Graz wurde 2023 ein neuer Radweg eröffnet.",
            ][..],
            &[
                "2023 wurde in Graz ein neuer Radweg geschlossen.",
                "2022 wurde in Graz ein neuer Radweg eröffnet.",
            ][..],
        ),
        (
            "市政府2023年在格拉茨开通了一条新的自行车道。",
            &[
                "在格拉茨，新的自行车道于2023年由市政府开通。",
                "格拉茨的新自行车道由市政府于2023年开通。",
                "2023年，格拉茨开通了一条新的自行车道。",
            ],
            &["格拉茨的新自行车道由市政府于2023年关闭。", "格拉茨的旧自行车道由市政府于2023年开通。"],
        ),
        (
            "The museum in Ghent, which reopened in May after two years of renovation, shows 300 paintings by local artists.",
            &[
                "The museum in Ghent, which shows 300 paintings by local artists, reopened in May after two years of renovation.",
            ],
            &[
                "The museum in Ghent, which reopened in May after 300 years of renovation, shows two paintings by local artists.",
            ],
        ),
        (
            "In Ohio, Acme's annual revenue grew by 42% in 2020.",
            &["Annual revenue of Acme in Ohio grew by 42% in 2020."],
            &["Annual revenue of Acme in Ohio fell by 42% in 2020."],
        ),
        (
            "La coopérative vend son café à des torréfacteurs de Gênes et paie les paysans d'avance.",
            &["La coopérative paie les paysans d'avance et vend son café à des torréfacteurs de Gênes."],
            &["La coopérative paie les torréfacteurs d'avance et vend son café à des paysans de Gênes."],
        ),
    ] {
        assert_judged(&sources(&[said]), right, wrong);
    }
}

/// Two statements of one report, of a source each, and of one source.
fn together(one: &str, other: &str) -> [Scene; 2] {
    let list = "\n\n## References\n\n[1] One - https://one.example/\n[2] Other - https://other.example/";
    [(1, 2), (1, 1)].map(|(first, second)| {
        let text = format!("{one} [{first}]. {other} [{second}].{list}");
        Scene::of("together", "What is known?", vec![task("agent", &text)])
    })
}

#[test]
fn what_is_said_of_one_is_not_told_of_another_of_the_same_report() {
    let offices = together("Acme raised 5 million dollars in May", "Beta opened an office in Oslo");
    for scene in &offices {
        let right = ["In Oslo, Beta opened an office."];
        let wrong = ["Acme opened an office in Oslo.", "In Oslo, Acme opened an office."];
        assert_judged(scene, &right, &wrong);
    }
    let houses = together(
        "The museum in Ghent reopened after two years of renovation",
        "The library in Bruges was damaged by a flood",
    );
    for scene in &houses {
        let right = ["After two years of renovation, the museum in Ghent reopened."];
        let wrong =
            ["The museum in Ghent was damaged by a flood.", "The museum in Ghent reopened after a flood."];
        assert_judged(scene, &right, &wrong);
    }
}

/// What a sentence says of it, the next one says of the same.
#[test]
fn sentence_that_points_back_belongs_to_what_it_points_to() {
    let scenes = together("The Sorn bridge opened in 1932", "It was closed to lorries in May");
    for scene in &scenes {
        assert_judged(
            scene,
            &["The Sorn bridge was closed to lorries in May."],
            &["The Sorn bridge was closed to cyclists in May."],
        );
    }
}

#[test]
fn copy_of_much_may_have_a_word_of_its_own() {
    let text = "The observatory on the island was finished in 1911 by the physicist Elin Dahl [1]. It holds a telescope of 60 centimetres, \
        with which she photographed the comet in 1912 [1]. Storms broke its dome twice before the war [1].\
        \n\n## References\n\n[1] Page - https://a.example/";
    let scene = Scene::of("island", "What is known?", vec![task("agent", text)]);
    let right = [
        "Elin Dahl finished the renowned observatory on the island in 1911 and photographed the comet with its telescope of 60 centimetres in 1912.",
    ];
    let wrong =
        ["Elin Dahl photographed the eclipse in 1912.", "Storms repaired its dome twice before the war."];
    assert_judged(&scene, &right, &wrong);
}
