//! What testers got delivered as proven that isn't so, and what must stand beside it.

use super::cases::{drafted, finding, through};
use super::scene::{Scene, assert_judged, small, task};
use crate::domain::synthesis::draft::{Draft, DraftContradiction, DraftStatement};

fn news() -> Scene {
    let graz = "# Report\n\nThe city council of Graz banned diesel cars from the old town in June 2020 [1]. \
        If the permit is granted, construction of the tunnel may begin in 2025 [1]. \
        Revenue fell from 80 million euros in 2019 to 60 million euros in 2020 [2]. \
        Vestas built 340 turbines in Norway in 2021 [2].\n\n## References\n\n\
        [1] Council - https://graz.example/council\n[2] Report - https://reports.example/2020";
    let acme = "# Report\n\nAcme opened three factories in Ohio in 2016 [1]. Siemens delivered 95 turbines to Sweden in 2019 [1].\
        \n\n## References\n\n[1] History - https://acme.example/history";
    Scene::of("news", "What happened in Graz, and to revenue?", vec![task("graz", graz), task("acme", acme)])
}

#[test]
fn figure_stays_with_its_year_where_something_changes_from_one_to_another() {
    let right = [
        "Revenue fell from 80 million euros in 2019 to 60 million euros in 2020.",
        "Revenue was 80 million euros in 2019.",
        "In 2020, revenue was 60 million euros.",
    ];
    let wrong = ["Revenue was 80 million euros in 2020.", "Revenue was 60 million euros in 2019."];
    assert_judged(&news(), &right, &wrong);
}

#[test]
fn figure_stays_with_its_year_in_another_language() {
    let german = "# Bericht\n\nDer Umsatz von Acme fiel von 80 Millionen Euro im Jahr 2019 auf 60 Millionen Euro im Jahr 2020 [1].\
        \n\n## Quellen\n\n[1] Bericht - https://acme.example/bericht";
    let scene = Scene::of("umsatz", "Wie war der Umsatz von Acme?", vec![task("acme", german)]);
    let right = ["Der Umsatz von Acme fiel auf 60 Millionen Euro im Jahr 2020."];
    let wrong = ["Der Umsatz von Acme fiel auf 80 Millionen Euro im Jahr 2020."];
    assert_judged(&scene, &right, &wrong);
}

#[test]
fn figure_stays_with_its_year_where_one_word_is_when_and_and() {
    let spanish = "# Informe\n\nLos ingresos de Acme subieron de 30 millones de euros en 2018 a 45 millones de euros en 2019 [1].\
        \n\n## Fuentes\n\n[1] Informe - https://acme.example/informe";
    let scene = Scene::of("ingresos", "¿Cuáles fueron los ingresos de Acme?", vec![task("acme", spanish)]);
    let right = ["Los ingresos de Acme subieron a 45 millones de euros en 2019."];
    let wrong = [
        "Los ingresos de Acme subieron a 30 millones de euros en 2019.",
        "Los ingresos de Acme subieron a 45 millones de euros en 2018.",
    ];
    assert_judged(&scene, &right, &wrong);
}

#[test]
fn what_is_only_supposed_is_no_fact() {
    let right = [
        "If the permit is granted, construction of the tunnel may begin in 2025.",
        "Construction of the tunnel may begin in 2025 if the permit is granted.",
    ];
    let wrong = ["The permit is granted.", "The permit was granted."];
    assert_judged(&news(), &right, &wrong);
}

#[test]
fn what_follows_without_a_stop_is_looked_at_as_well() {
    let right = ["The city council of Graz banned diesel cars from the old town in June 2020"];
    let wrong = [
        "The city council of Graz banned diesel cars from the old town in June 2020 This has been proven beyond doubt.",
        "The city council of Graz banned diesel cars from the old town in June 2020 It was a huge mistake.",
        "The city council of Graz banned diesel cars from the old town in June 2020 - a huge mistake.",
    ];
    assert_judged(&news(), &right, &wrong);
}

#[test]
fn sentence_that_only_points_back_says_nothing_that_can_be_looked_up() {
    let wrong = [
        "Vestas built 340 turbines in Norway in 2021. Siemens did too.",
        "The city council of Graz banned diesel cars from the old town in June 2020. They did so secretly.",
        "The city council of Graz banned diesel cars from the old town in June 2020. It is.",
    ];
    assert_judged(&news(), &["Vestas built 340 turbines in Norway in 2021."], &wrong);
}

#[test]
fn name_that_ends_like_an_adverb_is_one() {
    let right = ["Notably, Acme opened three factories in Ohio in 2016."];
    let wrong =
        ["Lilly opened three factories in Ohio in 2016.", "Kelly opened three factories in Ohio in 2016."];
    assert_judged(&news(), &right, &wrong);
}

#[test]
fn topic_says_nothing_that_its_finding_does_not() {
    let scene = small();
    let topics = |topic: &str| {
        let mut item = finding("Acme opened three factories in Ohio in 2016.", &[1]);
        item.topic = topic.to_owned();
        through(&scene, &drafted(vec![item]), None).0.kept[0].1.topic.clone()
    };
    for topic in ["Factories in Ohio", "Overview", "Acme: factories opened", "Timeline of Acme"] {
        assert_eq!(topics(topic), topic);
    }
    for topic in [
        "Acme closed its factories",
        "Unlawful factories",
        "Acme bribed Zeta",
        "Factories in Peru",
        "No factories",
        "5,000 factories",
    ] {
        assert_eq!(topics(topic), "Acme opened three factories in Ohio", "{topic}");
    }
}

#[test]
fn topic_of_a_finding_without_spaces_is_its_beginning() {
    let content = "# 报告\n\n格拉茨市议会于2020年6月禁止柴油车进入老城，批评者认为该禁令违法 [1]。\n\n## 参考文献\n\n[1] 市议会 - https://graz.example/zh";
    let scene = Scene::of("chinese", "格拉茨发生了什么？", vec![task("graz", content)]);
    let mut item = finding("格拉茨市议会于2020年6月禁止柴油车进入老城，批评者认为该禁令违法。", &[1]);
    item.topic = "禁令被取消".to_owned();
    let (verified, _) = through(&scene, &drafted(vec![item]), None);
    assert_eq!(verified.kept[0].1.topic, "格拉茨市议会于2020年6月禁止柴油车进入老城");
}

#[test]
fn gap_is_no_statement_and_no_question() {
    let kept = |gap: &str| {
        let gaps = vec![gap.to_owned()];
        let draft = Draft { gaps, ..drafted(vec![finding("Zeta mines copper in Peru.", &[])]) };
        !through(&small(), &draft, None).0.gaps.is_empty()
    };
    for gap in [
        "Nothing says how much copper Zeta mines.",
        "There is no information on the revenue of Zeta.",
        "The sources don't say what the factories of Acme cost.",
        "It is unclear where Acme mines copper.",
    ] {
        assert!(kept(gap), "{gap}");
    }
    for gap in [
        "Zeta does not mine copper in Peru.",
        "Did Acme bribe Zeta?",
        "Nothing says who bribed Zeta.",
        "Zeta never sold copper to Brazil.",
    ] {
        assert!(!kept(gap), "{gap}");
    }
}

#[test]
fn contradiction_is_described_by_its_statements_alone() {
    let statement = |quote: &str| DraftStatement { quote: quote.to_owned(), source_id: None };
    let contradiction = DraftContradiction {
        description: "Zeta mines copper in Brazil".to_owned(),
        statements: vec![
            statement("Zeta mines copper in Peru"),
            statement("Zeta sold 9,000 tonnes of copper to Brazil in 2019"),
        ],
    };
    let draft = Draft {
        contradictions: vec![contradiction],
        ..drafted(vec![finding("Zeta mines copper in Peru.", &[])])
    };
    let (verified, _) = through(&small(), &draft, None);
    let [found] = &*verified.contradictions else { panic!("{:?}", verified.notes) };
    assert!(!found.description.contains("Zeta"), "{}", found.description);
}
