//! Sentences as reports have them, put in the ways in which a model puts them: rightly, and with one thing changed.

use super::scene::{Scene, assert_judged, task, verified};

fn english() -> Scene {
    let storage = "Grid-scale lithium-ion battery costs fell by 89% between 2010 and 2023, from $1,160 per kWh to $139 per kWh [1]. \
        California had installed 10.4 GW of battery storage by the end of 2024, up from 0.5 GW in 2020 [2]. \
        Flow batteries last longer than lithium-ion cells, but their round-trip efficiency of 70% is lower [1]. \
        Moss Landing, operated by Vistra, is the largest battery plant in the state with 750 MW [2]. \
        A fire in January 2025 destroyed most of its first building, and about 1,500 people were evacuated [2]. \
        Regulators have not yet published the cause of the fire [2]. \
        Sodium-ion cells may become cheaper than lithium iron phosphate by 2030 if demand grows as expected [1].\
        \n\n## References\n\n[1] Storage costs - https://a.example/costs\n[2] California - https://a.example/ca";
    let policy = "The Inflation Reduction Act of 2022 extended the 30% investment tax credit to stand-alone storage [1]. \
        Before 2022, batteries qualified only when they were charged by solar panels [1]. \
        Germany abolished grid fees for storage that starts operating before August 2029 [2]. \
        The Federal Network Agency proposes to end the exemption early, which the industry opposes [2]. \
        According to a study by Fraunhofer ISE, Germany needs 104 GWh of storage by 2030 [2]. \
        Maria Keller, who leads the study, said: \"Without storage, prices will swing more\" [2]. \
        Neither Austria nor Switzerland charges grid fees for pumped hydro [2]. \
        Only two of the five states have set binding targets [1].\
        \n\n## References\n\n[1] US policy - https://b.example/us\n[2] German policy - https://b.example/de";
    Scene::of(
        "storage",
        "How do costs and policy shape battery storage?",
        vec![task("a", storage), task("b", policy)],
    )
}

#[test]
fn true_sentences_stand_however_they_are_put() {
    let right = [
        "Between 2010 and 2023, the cost of grid-scale lithium-ion batteries fell by 89%.",
        "Grid-scale lithium-ion battery costs dropped by 89% between 2010 and 2023.",
        "Grid-scale lithium-ion battery costs declined 89% from 2010 to 2023.",
        "From 2010 to 2023, costs of grid-scale lithium-ion batteries fell from $1,160 per kWh to $139 per kWh, or by 89%.",
        "California had installed 10.4 GW of battery storage by the end of 2024.",
        "By the end of 2024, California had installed 10.4 GW of battery storage, up from 0.5 GW in 2020.",
        "California's battery storage grew from 0.5 GW in 2020 to 10.4 GW by the end of 2024.",
        "California's installed battery storage rose from 0.5 GW in 2020 to 10.4 GW at the end of 2024.",
        "In 2020 California had 0.5 GW of battery storage; by the end of 2024 it had 10.4 GW.",
        "California had 10.4 GW of battery storage installed by the end of 2024, compared with 0.5 GW in 2020.",
        "Flow batteries last longer than lithium-ion cells but have a lower round-trip efficiency of 70%.",
        "Flow batteries have a round-trip efficiency of 70%, which is lower than that of lithium-ion cells.",
        "Although flow batteries last longer than lithium-ion cells, their round-trip efficiency is lower, at 70%.",
        "Flow batteries outlast lithium-ion cells, but their round-trip efficiency of 70% is lower.",
        "Vistra operates Moss Landing, the largest battery plant in the state with 750 MW.",
        "At 750 MW, Moss Landing is the largest battery plant in the state.",
        "Moss Landing is operated by Vistra and is the state's largest battery plant.",
        "About 1,500 people were evacuated after a fire destroyed most of its first building in January 2025.",
        "In January 2025, a fire destroyed most of the first building at Moss Landing.",
        "The January 2025 fire destroyed most of the first building, and about 1,500 people were evacuated.",
        "The cause of the fire has not yet been published by regulators.",
        "Regulators have not published the cause of the fire yet.",
        "Regulators have yet to publish the cause of the fire.",
        "Sodium-ion cells may become cheaper than lithium iron phosphate by 2030 if demand grows as expected.",
        "If demand grows as expected, sodium-ion cells may be cheaper than lithium iron phosphate by 2030.",
        "By 2030, sodium-ion cells could become cheaper than lithium iron phosphate, provided demand grows as expected.",
        "The 2022 Inflation Reduction Act extended the 30% investment tax credit to stand-alone storage.",
        "In 2022, the Inflation Reduction Act extended the 30% investment tax credit to stand-alone storage.",
        "The 30% investment tax credit was extended to stand-alone storage by the Inflation Reduction Act of 2022.",
        "Since the Inflation Reduction Act of 2022, stand-alone storage qualifies for the 30% investment tax credit.",
        "Before 2022, batteries only qualified when charged by solar panels.",
        "Batteries qualified before 2022 only when they were charged by solar panels.",
        "Until 2022, only batteries charged by solar panels qualified.",
        "Germany has abolished grid fees for storage that starts operating before August 2029.",
        "In Germany, grid fees are abolished for storage that starts operating before August 2029.",
        "Germany exempts storage that starts operating before August 2029 from grid fees.",
        "The Federal Network Agency proposes ending the exemption early, which the industry opposes.",
        "The industry opposes the Federal Network Agency's proposal to end the exemption early.",
        "The Federal Network Agency has proposed to end the exemption early, but the industry opposes this.",
        "A Fraunhofer ISE study finds that Germany needs 104 GWh of storage by 2030.",
        "Germany needs 104 GWh of storage by 2030, according to a study by Fraunhofer ISE.",
        "Germany will need 104 GWh of storage by 2030, according to Fraunhofer ISE.",
        "Fraunhofer ISE estimates that Germany needs 104 GWh of storage by 2030.",
        "\"Without storage, prices will swing more\", said Maria Keller, who leads the study.",
        "Maria Keller, who leads the study, said that without storage prices will swing more.",
        "Maria Keller leads the study.",
        "Maria Keller, the study's leader, said: \"Without storage, prices will swing more\".",
        "Maria Keller warned: \"Without storage, prices will swing more\".",
        "Austria and Switzerland charge no grid fees for pumped hydro.",
        "Neither Switzerland nor Austria charges grid fees for pumped hydro.",
        "Only two of five states have set binding targets.",
        "Of the five states, only two have set binding targets.",
        "Just two of the five states have set binding targets.",
        "Two of the five states have set binding targets.",
        "While lithium-ion battery costs fell by 89% between 2010 and 2023, flow batteries last longer.",
        "California had 10.4 GW of battery storage by the end of 2024, whereas Germany needs 104 GWh by 2030.",
        "Flow batteries last longer than lithium-ion cells, and lithium-ion battery costs fell by 89% between 2010 and 2023.",
        "Moss Landing, the state's largest battery plant with 750 MW, is operated by Vistra, and regulators have not yet published the cause of its fire.",
        "A fire in January 2025 destroyed most of the first building; about 1,500 people were evacuated, and the cause has not yet been published.",
        "The Inflation Reduction Act of 2022 extended the 30% investment tax credit to stand-alone storage, while before 2022 batteries qualified only when they were charged by solar panels.",
        "Germany abolished grid fees for storage that starts operating before August 2029, but the Federal Network Agency proposes to end the exemption early.",
        "While Germany abolished grid fees for storage that starts operating before August 2029, neither Austria nor Switzerland charges grid fees for pumped hydro.",
        "Sodium-ion cells may become cheaper than lithium iron phosphate by 2030, and Germany needs 104 GWh of storage by then.",
        "California grew from 0.5 GW of battery storage in 2020 to 10.4 GW by the end of 2024, and Moss Landing is its largest plant.",
    ];
    assert_judged(&english(), &right, &[]);
}

#[test]
fn false_sentences_do_not_stand() {
    let wrong = [
        "Grid-scale lithium-ion battery costs fell by 98% between 2010 and 2023.",
        "Grid-scale lithium-ion battery costs rose by 89% between 2010 and 2023.",
        "Battery costs fell 89%, from $139 per kWh in 2010 to $1,160 per kWh in 2023.",
        "Flow battery costs fell by 89% between 2010 and 2023.",
        "Costs fell by 89% between 2010 and 2020.",
        "California had installed 0.5 GW of battery storage by the end of 2024, up from 10.4 GW in 2020.",
        "California's battery storage grew from 0.5 GW in 2024 to 10.4 GW in 2020.",
        "California had installed 10.4 GWh of battery storage by the end of 2024.",
        "Germany had installed 10.4 GW of battery storage by the end of 2024.",
        "California needs 104 GWh of storage by 2030.",
        "Flow batteries last longer than lithium-ion cells, and their round-trip efficiency of 70% is higher.",
        "Lithium-ion cells last longer than flow batteries.",
        "Flow batteries do not last as long as lithium-ion cells.",
        "Moss Landing operates Vistra, the largest battery plant in the state with 750 MW.",
        "Vistra is the largest battery plant in the state with 750 MW.",
        "Moss Landing is the smallest battery plant in the state with 750 MW.",
        "A fire in January 2025 destroyed all of its first building.",
        "A fire in January 2025 killed about 1,500 people.",
        "About 1,500 people were killed after a fire destroyed most of its first building in January 2025.",
        "A fire in June 2025 destroyed most of its first building.",
        "A fire in January 2025 destroyed most of its second building.",
        "Regulators have published the cause of the fire.",
        "The cause of the fire has been published by regulators.",
        "Sodium-ion cells will become cheaper than lithium iron phosphate by 2030 if demand grows as expected.",
        "Sodium-ion cells may become cheaper than lithium iron phosphate by 2030 if demand falls as expected.",
        "Sodium-ion cells may become more expensive than lithium iron phosphate by 2030 if demand grows as expected.",
        "Lithium iron phosphate may become cheaper than sodium-ion cells by 2030 if demand grows as expected.",
        "Sodium-ion cells are cheaper than lithium iron phosphate.",
        "The Inflation Reduction Act of 2022 abolished the 30% investment tax credit for stand-alone storage.",
        "The Inflation Reduction Act of 2029 extended the 30% investment tax credit to stand-alone storage.",
        "Before 2022, batteries qualified even when they were not charged by solar panels.",
        "After 2022, batteries qualified only when they were charged by solar panels.",
        "California abolished grid fees for storage that starts operating before August 2029.",
        "Germany abolished grid fees for storage that starts operating after August 2029.",
        "Germany introduced grid fees for storage that starts operating before August 2029.",
        "Germany abolished grid fees for storage.",
        "The industry proposes to end the exemption early, which the Federal Network Agency opposes.",
        "The Federal Network Agency proposes to end the exemption early, which the industry supports.",
        "The Federal Network Agency refuses to end the exemption early, which the industry opposes.",
        "According to a study by Maria Keller, Germany needs 104 GWh of storage by 2030.",
        "According to a study by Fraunhofer ISE, Austria needs 104 GWh of storage by 2030.",
        "Maria Keller, who criticised the study, said: \"Without storage, prices will swing more\".",
        "Maria Keller, who leads Vistra, said: \"Without storage, prices will swing more\".",
        "Both Austria and Switzerland charge grid fees for pumped hydro.",
        "Neither Austria nor Germany charges grid fees for pumped hydro.",
        "Austria charges grid fees for pumped hydro.",
        "Only two of the five states have not set binding targets.",
        "Only five of the two states have set binding targets.",
        "All five states have set binding targets.",
        "Three of the five states have set binding targets.",
        "At least two of the five states have set binding targets.",
        "Two of the five states have not set binding targets.",
        "The Federal Network Agency ended the exemption early.",
        "Regulators published the cause of the fire in January 2025.",
        "California had 10.4 GW of battery storage by the end of 2024, and sodium-ion cells are cheaper than lithium iron phosphate.",
        "Battery costs fell by 89% between 2010 and 2023, and regulators have published the cause of the fire.",
        "While lithium-ion battery costs rose by 89% between 2010 and 2023, flow batteries last longer than lithium-ion cells.",
        "Germany needs 104 GWh of storage by 2030, and the industry proposes to end the exemption early, which the Federal Network Agency opposes.",
        "California had 0.5 GW of battery storage by the end of 2024, while Germany needs 104 GWh of storage by 2030.",
        "Lithium-ion cells last longer than flow batteries, and Germany abolished grid fees for storage that starts operating before August 2029.",
        "All five states have set binding targets, and neither Austria nor Switzerland charges grid fees for pumped hydro.",
        "The Inflation Reduction Act of 2022 abolished the 30% investment tax credit, and Germany needs 104 GWh of storage by 2030.",
    ];
    assert_judged(&english(), &[], &wrong);
}

#[test]
fn other_languages_are_held_to_the_same() {
    let german = "Die Kosten von Batteriespeichern sanken zwischen 2010 und 2023 um 89 % [1]. \
        Natrium-Zellen könnten bis 2030 billiger werden als Lithium-Zellen, wenn die Nachfrage wächst [1]. \
        Das Werk in Salzgitter beschäftigt 1.200 Menschen und wurde 2019 von Volkswagen gegründet [1]. \
        Die Behörde hat die Ursache des Brandes noch nicht veröffentlicht [1]. \
        Kritiker behaupten, dass die Firma zahlungsunfähig ist [1].\
        \n\n## References\n\n[1] Speicher - https://a.example/de";
    let chinese = "2010年至2023年，电池储能成本下降了89%[1]。如果需求增长，钠电池可能比锂电池更便宜[1]。\
        该工厂于2019年由大众汽车建立，雇用了1200人[1]。监管机构尚未公布火灾的原因[1]。\
        \n\n## References\n\n[1] 储能 - https://a.example/zh";
    let scenes = [german, chinese].map(|text| Scene::of("other", "Speicher 储能", vec![task("a", text)]));
    let right: [&[&str]; 2] = [
        &[
            "Zwischen 2010 und 2023 sanken die Kosten von Batteriespeichern um 89 %.",
            "Bis 2030 könnten Natrium-Zellen billiger werden als Lithium-Zellen, wenn die Nachfrage wächst.",
            "Das Werk in Salzgitter wurde 2019 von Volkswagen gegründet und beschäftigt 1.200 Menschen.",
            "Volkswagen gründete das Werk in Salzgitter 2019.",
            "Die Ursache des Brandes hat die Behörde noch nicht veröffentlicht.",
            "Kritiker behaupten, die Firma sei zahlungsunfähig.",
            "Die Kosten der Batteriespeicher sanken zwischen 2010 und 2023 um 89 %.",
            "Die Behörde hat die Ursachen des Brands noch nicht veröffentlicht.",
            "Laut Kritikern ist die Firma zahlungsunfähig.",
            "Von Kritikern wird behauptet, dass die Firma zahlungsunfähig ist.",
            "Das Salzgitter Werk beschäftigt 1.200 Menschen.",
            "Die Kosten von Batteriespeichern sind zwischen 2010 und 2023 um 89 % gesunken.",
            "Zwischen 2010 und 2023 sind die Kosten der Batteriespeicher um 89 % gesunken.",
        ],
        &[
            "电池储能成本在2010年至2023年下降了89%。",
            "如果需求增长，钠电池可能会比锂电池更便宜。",
            "该工厂雇用了1200人，于2019年由大众汽车建立。",
            "火灾的原因监管机构尚未公布。",
        ],
    ];
    let wrong: [&[&str]; 2] = [
        &[
            "Zwischen 2010 und 2023 stiegen die Kosten von Batteriespeichern um 89 %.",
            "Natrium-Zellen werden bis 2030 billiger als Lithium-Zellen.",
            "Natrium-Zellen sind billiger als Lithium-Zellen.",
            "Die Behörde hat die Ursache des Brandes veröffentlicht.",
            "Die Firma ist zahlungsunfähig.",
            "Volkswagen beschäftigt 1.200 Menschen in Wolfsburg.",
            "Laut Gewerkschaftern ist die Firma zahlungsunfähig.",
            "Die Behörden haben die Ursache des Brandes veröffentlicht.",
            "Die Kosten der Brennstoffzellen sanken zwischen 2010 und 2023 um 89 %.",
            "Das Werk in Salzgitter wurde 2010 von Volkswagen gegründet.",
            "Das Werk in Salzgitter beschäftigt 1.200 Menschen, und die Behörde hat die Ursache des Brandes veröffentlicht.",
        ],
        &[
            "2010年至2023年，电池储能成本上升了89%。",
            "钠电池比锂电池更便宜。",
            "监管机构已公布火灾的原因。",
            "该工厂于2010年由大众汽车建立。",
        ],
    ];
    for (at, scene) in scenes.iter().enumerate() {
        assert_judged(scene, right[at], wrong[at]);
    }
}

/// Without a bound on what is compared word by word this takes minutes.
#[test]
fn list_without_stops_is_compared_by_its_beginning() {
    let unit = "Acme may sell 12 pumps if Globex buys them and Vistra ";
    let text = format!("{} [1].\n\n## References\n\n[1] List - https://a.example/x", unit.repeat(4_000));
    let scene = Scene::of("list", "pumps", vec![task("a", &text)]);
    let claim = unit.repeat(30);
    let found = verified(&scene, &["Globex sells 12 pumps if Acme buys them.", claim.trim()]);
    assert!(found[0].1.is_some(), "{found:?}");
}

#[test]
fn names_may_be_written_otherwise_and_not_exchanged() {
    let text = "In 2023 the U.S. government paid 4.2 billion dollars to battery makers [1]. \
        Chinese makers supply 75% of the cells that are sold in Germany [1]. \
        The European Union wants to produce 40% of its cells itself by 2030 [1]. \
        Britain and the US signed a treaty on lithium in May 2022 [1].\
        \n\n## References\n\n[1] Makers - https://a.example/makers";
    let scene = Scene::of("makers", "Who makes batteries?", vec![task("a", text)]);
    let right = [
        "In 2023, the US government paid 4.2 billion dollars to battery makers.",
        "The United States government paid battery makers 4.2 billion dollars in 2023.",
        "Makers from China supply 75% of the cells sold in Germany.",
        "China's makers supply 75% of the cells that are sold in Germany.",
        "The EU wants to produce 40% of its cells itself by 2030.",
        "By 2030, the EU wants to produce 40% of its cells itself.",
        "The British and the U.S. signed a treaty on lithium in May 2022.",
    ];
    let wrong = [
        "In 2023, the UK government paid 4.2 billion dollars to battery makers.",
        "German makers supply 75% of the cells that are sold in China.",
        "Korean makers supply 75% of the cells that are sold in Germany.",
        "The US wants to produce 40% of its cells itself by 2030.",
        "The UN wants to produce 40% of its cells itself by 2030.",
        "France and the US signed a treaty on lithium in May 2022.",
    ];
    assert_judged(&scene, &right, &wrong);
}

/// So it does where a claim has as many figures, clauses and brackets as it likes.
#[test]
fn claim_of_many_clauses_is_compared_with_bounds() {
    let clause =
        |n: usize| format!("Acme (AB) sold {n} pumps last year and Globex sold {n} tonnes a month, ");
    let said: String = (0..2_000).map(clause).collect();
    let text =
        format!("{said} {} [1].\n\n## References\n\n[1] List - https://a.example/x", "(AB".repeat(200_000));
    let scene = Scene::of("list", "pumps", vec![task("a", &text)]);
    let claim: String = (3_000..3_024).map(clause).collect();
    let found = verified(&scene, &[claim.trim(), "Globex sold 7 tonnes a week."]);
    assert!(found.iter().all(|(_, why)| why.is_some()), "{found:?}");
}
