//! Comparisons and judgements that nobody makes, and those that are turned round.

use super::scene::{assert_judged, sources};

/// What a source says, what it supports, and what it doesn't.
type Case = (&'static str, &'static [&'static str], &'static [&'static str]);

/// One thing put for the other.
#[rustfmt::skip]
const TURNED: &[Case] = &[
    ("The red pill was safer than the blue pill.", &["The red pill was safer than the blue pill."], &["The blue pill was safer than the red pill."]),
    ("Drug A was safer than drug B in the trial.", &["In the trial, drug A was safer than drug B."], &["Drug B was safer than drug A in the trial."]),
    ("Drug A was as safe as drug B in the trial.", &["In the trial, drug A was as safe as drug B."], &["Drug A was safer than drug B in the trial."]),
    ("The north had 40 cases, the south 75.", &[], &["The north had more cases than the south."]),
    ("Peter told Paul that Mary had resigned in June.", &["Peter told Paul that Mary had resigned in June."], &["Paul had resigned in June."]),
    ("The EU banned the additive, whereas the UK allowed it.", &["The EU banned the additive.", "The EU banned the additive, whereas the UK allowed it."], &["The UK banned the additive.", "The UK banned it."]),
    ("The tax was cut from 20% to 15% in 2022.", &["The tax was cut to 15% in 2022."], &["The tax was cut to 20% in 2022."]),
    ("The first reactor was shut down in 2011, the second in 2021.", &["The first reactor was shut down in 2011."], &["Both reactors were shut down in 2011."]),
    ("Unemployment fell by 2 percentage points in 2022.", &["Unemployment fell by 2 percentage points in 2022."], &["Unemployment fell by 2% in 2022."]),
    ("The lake lost 30 percent of its water between 2010 and 2020.", &["Between 2010 and 2020 the lake lost 30 percent of its water."], &["The lake loses 30 percent of its water a year."]),
    ("Deaths per 1,000 births fell to 12 in 2020.", &["Deaths per 1,000 births fell to 12 in 2020."], &["Deaths fell to 12 in 2020."]),
    ("销售额同比增长12%。", &["销售额同比增长12%。"], &["销售额环比增长12%。"]),
    ("公司营收为340亿元，净利润没有增长。", &["公司营收为340亿元。"], &["公司净利润为340亿元。"]),
    ("Berlin and Paris recorded 79 and 71 cases, respectively.", &["Berlin recorded 79 cases."], &["Paris recorded 79 cases.", "Berlin recorded 71 cases."]),
    ("Der Konzern übernahm Brandt im Jahr 2019.", &["Im Jahr 2019 übernahm der Konzern Brandt."], &["Brandt übernahm den Konzern im Jahr 2019."]),
    ("部分金融机构风险管理能力不足。", &["部分金融机构风险管理能力不足。"], &["部分金融机构风险管理能力足。"]),
    ("If the tariff is raised to 25%, exports could fall by 8%.", &["Exports could fall by 8% if the tariff is raised to 25%."], &[]),
];

#[test]
fn what_is_compared_or_changes_is_not_turned_round() {
    for (said, right, wrong) in TURNED {
        assert_judged(&sources(&[said]), right, wrong);
    }
}

#[test]
fn comparison_or_judgement_that_nobody_makes_is_not_added() {
    let scene = sources(&["The bridge in Porto opened in 2019 at a cost of 40 million euros."]);
    let right = ["The bridge in Porto, which cost 40 million euros, opened in 2019."];
    let wrong = [
        "The bridge in Porto opened in 2019, more than any other.",
        "The bridge in Porto opened in 2019 at a cost of 40 million euros, more than any other bridge.",
        "The bridge in Porto opened in 2019, making it the safest bridge.",
        "The bridge in Porto cost 40 million euros, which is too much.",
        "The controversial bridge in Porto opened in 2019.",
        "The beautiful bridge in Porto opened in 2019 at a cost of 40 million euros.",
    ];
    assert_judged(&scene, &right, &wrong);
}

#[test]
fn gap_is_what_the_material_does_not_say() {
    use crate::domain::synthesis::draft::Draft;
    use crate::domain::synthesis::verify::{Evidence, verify};
    use crate::domain::text::words::Lexicon;

    let scene = sources(&[
        "The bridge in Porto opened in 2019 at a cost of 40 million euros.",
        "Nordgas makes 4,200 tonnes of hydrogen a year.",
    ]);
    let mut lexicon = Lexicon::default();
    let evidence = Evidence::of(&mut lexicon, &scene.baseline, &scene.question);
    for (gap, stands) in [
        ("Nothing is said about who designed it.", true),
        ("The sources do not say how long the bridge is.", true),
        ("The material doesn't say when Nordgas was founded.", true),
        ("No source says when the bridge opened.", false),
        ("No source says how many tonnes of hydrogen Nordgas makes.", false),
        ("It is unclear why Nordgas lied.", false),
        ("The bridge is ugly.", false),
    ] {
        let draft = Draft { gaps: vec![gap.to_owned()], ..Draft::default() };
        assert_eq!(!verify(&mut lexicon, &evidence, &draft).gaps.is_empty(), stands, "{gap}");
    }
}

#[test]
fn a_form_that_was_asked_for_is_no_gap() {
    use crate::domain::synthesis::draft::Draft;
    use crate::domain::synthesis::verify::{Evidence, verify};
    use crate::domain::text::words::Lexicon;

    let scene = sources(&["The bridge in Porto opened in 2019 at a cost of 40 million euros."]);
    let mut lexicon = Lexicon::default();
    for (question, gap, stands) in [
        (
            "When did the bridge open? Answer in a table.",
            "The material has no information in a table.",
            false,
        ),
        ("When did the bridge open? Answer in JSON.", "The sources don't provide JSON.", false),
        (
            "Which tables does it have? Answer in a table.",
            "The material has no information in a table.",
            true,
        ),
        (
            "When did the bridge open? Answer in a table.",
            "Nothing is said about the tolls of the bridge.",
            true,
        ),
        ("Does it export JSON?", "The sources don't mention JSON.", true),
    ] {
        let evidence = Evidence::of(&mut lexicon, &scene.baseline, question);
        let draft = Draft { gaps: vec![gap.to_owned()], ..Draft::default() };
        assert_eq!(!verify(&mut lexicon, &evidence, &draft).gaps.is_empty(), stands, "{question} {gap}");
    }
}
