//! What outsiders got delivered as proven that isn't so, a word or a turn of the sentence each, and what may be said instead.

use super::scene::{assert_judged, sources};

/// What a source says, what may be said for it, and what may not.
type Cases = &'static [(&'static str, &'static [&'static str], &'static [&'static str])];

fn assert_all(cases: Cases) {
    for (said, right, wrong) in cases {
        assert_judged(&sources(&[said]), right, wrong);
    }
}

#[test]
fn caution_stays_where_who_says_so_stays() {
    #[rustfmt::skip]
    const CASES: Cases = &[
        ("The decline in bees may be linked to warmer winters.",
            &["The decline in bees could be linked to warmer winters."],
            &["The decline in bees is linked to warmer winters."]),
        ("Vitamin D may be linked to lower blood pressure.",
            &[],
            &["Vitamin D is linked to lower blood pressure."]),
        ("Researchers at the University of Graz suggest that the decline in bees may be linked to warmer winters, although the evidence is preliminary.",
            &["Researchers at the University of Graz suggest that the decline in bees may be linked to warmer winters."],
            &["Researchers at the University of Graz have shown that the decline in bees is linked to warmer winters."]),
        ("Laut einer Studie könnten Kaltwasserbäder den Blutdruck senken.",
            &["Kaltwasserbäder könnten laut einer Studie den Blutdruck senken."],
            &["Laut einer Studie senken Kaltwasserbäder den Blutdruck.", "Einer Studie zufolge senken Kaltwasserbäder den Blutdruck."]),
        ("Il farmaco potrebbe ridurre il dolore.",
            &[],
            &["Il farmaco riduce il dolore."]),
        ("Il farmaco può ridurre il dolore.",
            &[],
            &["Il farmaco riduce il dolore."]),
        ("O remédio pode reduzir a dor.",
            &["O remédio poderia reduzir a dor."],
            &["O remédio reduz a dor."]),
        ("Препарат может снижать давление.",
            &[],
            &["Препарат снижает давление."]),
        ("Het middel kan de pijn verminderen.",
            &[],
            &["Het middel vermindert de pijn."]),
        ("Laut einer Studie der Universität Jena könnten Kaltwasserbäder den Blutdruck senken.",
            &["Kaltwasserbäder könnten laut einer Studie der Universität Jena den Blutdruck senken."],
            &[]),
    ];
    assert_all(CASES);
}

#[test]
fn what_somebody_is_asked_to_do_is_not_done() {
    #[rustfmt::skip]
    const CASES: Cases = &[
        ("The tribunal ordered Beltran Foods to pay 2.4 million pesos to 31 workers.",
            &["Beltran Foods was ordered to pay 2.4 million pesos to 31 workers.", "Beltran Foods must pay 2.4 million pesos to 31 workers."],
            &["Beltran Foods paid 2.4 million pesos to 31 workers.", "The tribunal ordered Beltran Foods to pay 2.4 million pesos to each of 31 workers."]),
        ("The union urged the hospital to hire 40 nurses.",
            &["The hospital was urged by the union to hire 40 nurses."],
            &["The hospital hired 40 nurses."]),
        ("The minister asked the airline to refund 300 passengers.",
            &[],
            &["The airline refunded 300 passengers."]),
        ("The regulator told Novar Bank to close 14 branches.",
            &["Novar Bank has to close 14 branches."],
            &["Novar Bank closed 14 branches."]),
        ("El tribunal ordenó a la empresa pagar 3 millones de pesos.",
            &["El tribunal ordenó a la empresa pagar 3 millones de pesos."],
            &["La empresa pagó 3 millones de pesos."]),
        ("法院命令该公司支付300万元。",
            &[],
            &["该公司支付了300万元。"]),
        ("Суд обязал компанию выплатить 3 миллиона рублей.",
            &[],
            &["Компания выплатила 3 миллиона рублей."]),
        ("Die Gewerkschaft forderte die Klinik auf, 40 Pfleger einzustellen.",
            &["Die Gewerkschaft forderte die Klinik auf, 40 Pfleger einzustellen."],
            &["Die Klinik stellte 40 Pfleger ein."]),
        ("Le syndicat a exhorté l'hôpital à embaucher 40 infirmières.",
            &[],
            &["L'hôpital a embauché 40 infirmières."]),
    ];
    assert_all(CASES);
}

#[test]
fn two_clauses_keep_their_figures_and_subjects() {
    #[rustfmt::skip]
    const CASES: Cases = &[
        ("The red line opened in 2010 and the blue line in 2014.",
            &["The red line opened in 2010.", "The blue line opened in 2014."],
            &["The red line opened in 2014.", "The blue line opened in 2010."]),
        ("The suspect was arrested on Monday and released on Wednesday.",
            &["The suspect was arrested on Monday.", "The suspect was released on Wednesday."],
            &["The suspect was arrested on Wednesday.", "The suspect was released on Monday."]),
        ("Lena is faster than Omar, but Omar is stronger than Lena.",
            &["Lena is faster than Omar.", "Omar is stronger than Lena."],
            &["Lena is stronger than Omar.", "Omar is faster than Lena."]),
        ("Solar panels are cheaper than wind turbines, but wind turbines produce more power.",
            &["Wind turbines produce more power.", "Solar panels are cheaper than wind turbines."],
            &["Solar panels produce more power than wind turbines.", "Solar panels produce more power."]),
        ("The factory was last inspected in 2011 and had 34 defects in August.",
            &["The factory had 34 defects in August.", "The factory was last inspected in 2011."],
            &["The factory had 34 defects in 2011."]),
        ("Le promoteur a vendu la tour, mais la mairie a gardé le terrain.",
            &["Le promoteur a vendu la tour.", "La mairie a gardé le terrain."],
            &["La mairie a vendu la tour.", "Le promoteur a gardé le terrain."]),
        ("Die rote Linie wurde 2010 eröffnet, die blaue Linie 2014.",
            &["Die blaue Linie wurde 2014 eröffnet.", "Die rote Linie wurde 2010 eröffnet."],
            &["Die blaue Linie wurde 2010 eröffnet.", "Die rote Linie wurde 2014 eröffnet."]),
        ("La ligne rouge a ouvert en 2010 et la ligne bleue en 2014.",
            &["La ligne bleue a ouvert en 2014."],
            &["La ligne bleue a ouvert en 2010."]),
        ("La línea roja abrió en 2010 y la línea azul en 2014.",
            &["La línea azul abrió en 2014."],
            &["La línea azul abrió en 2010."]),
        ("红线于2010年开通，蓝线于2014年开通。",
            &["蓝线于2014年开通。"],
            &["蓝线于2010年开通。"]),
        ("赤い線は2010年に、青い線は2014年に開通した。",
            &["青い線は2014年に開通した。"],
            &["青い線は2010年に開通した。"]),
        ("The editor said the minister lied; the minister said the editor was biased.",
            &["The editor said the minister lied.", "The minister said the editor was biased."],
            &["The minister lied.", "The minister said the editor lied.", "The editor was biased."]),
    ];
    assert_all(CASES);
}

#[test]
fn what_is_said_of_some_is_not_told_of_all() {
    #[rustfmt::skip]
    const CASES: Cases = &[
        ("Most of the surveyed teachers support the reform.",
            &["Most of the teachers surveyed support the reform."],
            &["Most teachers support the reform."]),
        ("Some of the tested batteries caught fire.",
            &["Some of the batteries that were tested caught fire.", "Several of the tested batteries caught fire."],
            &["The tested batteries caught fire."]),
        ("一部の電池が発火した。",
            &[],
            &["すべての電池が発火した。", "電池が発火した。"]),
    ];
    assert_all(CASES);
}

#[test]
fn what_came_first_and_what_a_figure_is_stays() {
    #[rustfmt::skip]
    const CASES: Cases = &[
        ("De prijzen stegen voor de stemming.",
            &[],
            &["De prijzen stegen na de stemming."]),
        ("价格在投票前上涨。",
            &["投票前，价格上涨。"],
            &["价格在投票后上涨。"]),
        ("El hospital de Murcia redujo los tiempos de espera tras contratar a 12 cirujanos.",
            &["Tras contratar a 12 cirujanos, el hospital de Murcia redujo los tiempos de espera."],
            &["El hospital de Murcia redujo los tiempos de espera antes de contratar a 12 cirujanos."]),
        ("El paro bajó de 14 a 11 por ciento tras la reforma.",
            &["El paro bajó a 11 por ciento tras la reforma."],
            &["El paro bajó un 11 por ciento tras la reforma."]),
        ("The new engine uses 30 percent less fuel than the old one.",
            &[],
            &["The new engine uses 30 percent of the fuel of the old one."]),
        ("The strike was called off after the company offered a 6 percent raise.",
            &["After the company offered a 6 percent raise, the strike was called off."],
            &["The strike was called after the company offered a 6 percent raise.", "The company offered a 6 percent raise after the strike was called off."]),
        ("The hospital cut waiting times from 90 to 55 days.",
            &["Waiting times at the hospital fell from 90 to 55 days."],
            &[]),
    ];
    assert_all(CASES);
}

#[test]
fn a_bare_answer_is_no_finding() {
    let said = "The vaccine is not safe for children";
    let scene = sources(&[said, "The vaccine was approved in 2020 for adults"]);
    let mut lexicon = crate::domain::text::words::Lexicon::default();
    let evidence = super::Evidence::of(&mut lexicon, &scene.baseline, &scene.question);
    let findings = [
        "Yes.",
        "Yes. The vaccine was approved in 2020 for adults.",
        "No, the vaccine was approved in 2020 for adults.",
    ];
    let findings = findings.map(|content| super::cases::finding(content, &[2])).to_vec();
    let draft = super::Draft { findings, ..super::Draft::default() };
    let kept = super::verify(&mut lexicon, &evidence, &draft).kept;
    let kept: Vec<&str> = kept.iter().map(|(_, finding)| finding.content.as_str()).collect();
    assert_eq!(kept, ["The vaccine was approved in 2020 for adults."]);
}

#[test]
fn a_gap_makes_no_statement() {
    #[rustfmt::skip]
    const CASES: Cases = &[
        ("The drug reduced strokes by 18 percent without raising the rate of bleeding.",
            &["The sources don't say what the drug costs.", "It is unclear whether the drug is safe for children.", "No data on children is provided.", "The reports lack information on its price."],
            &["The drug increased strokes by 18 percent without reducing the rate of bleeding.", "The drug reduced bleeding by 18 percent without raising the rate of strokes.", "The drug increased strokes, and its price is unknown.", "The sources give no price, but the drug raised the rate of bleeding."]),
        ("The court ordered Beltran Foods to pay 2.4 million pesos to 31 workers whom it had dismissed without notice.",
            &[],
            &["The court acquitted Beltran Foods, which had dismissed 31 workers without notice.", "The court ordered Beltran Foods to pay 2.4 billion pesos to 31 workers whom it had dismissed without notice."]),
        ("The Lisbon office opened in May 2019 and employs 45 engineers.",
            &[],
            &["The Lisbon office lacks 45 engineers.", "The Lisbon office is without a licence."]),
        ("La plupart des lycées manquent de professeurs, selon le syndicat.",
            &[],
            &["Tous les lycées manquent de professeurs, selon le syndicat."]),
    ];
    for (said, right, wrong) in CASES {
        let scene = sources(&[said]);
        let mut lexicon = crate::domain::text::words::Lexicon::default();
        let evidence = super::Evidence::of(&mut lexicon, &scene.baseline, &scene.question);
        for (gaps, stand) in [(right, true), (wrong, false)] {
            for gap in *gaps {
                let draft = super::Draft { gaps: vec![(*gap).to_owned()], ..super::Draft::default() };
                let kept = super::verify(&mut lexicon, &evidence, &draft).gaps;
                assert_eq!(!kept.is_empty(), stand, "{gap} / {said}");
            }
        }
    }
}
