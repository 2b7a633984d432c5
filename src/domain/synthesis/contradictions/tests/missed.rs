//! Contradictions that something beside the subject hides, and what must stay none.

use super::{Kind, kind, kinds_between};

#[test]
fn what_names_a_source_hides_no_contradiction() {
    for (one, other, expected) in [
        (
            "The CSU received 37.0% of the vote.",
            "The CSU received 31.0% of the vote (https://b.org/1).",
            Kind::Number,
        ),
        (
            "The CSU received 37.0% of the vote.",
            "According to [Reuters](https://b.org/1), the CSU received 31.0% of the vote.",
            Kind::Number,
        ),
        (
            "The drug increases mortality (Smith et al., 2019).",
            "The drug does not increase mortality (Lee et al., 2021).",
            Kind::Negation,
        ),
        (
            "In Germany the tenant's notice period is three months (§ 573c BGB).",
            "In Germany the tenant's notice period is six months.",
            Kind::Number,
        ),
        (
            "Operating margin was 12.5% in Q3 2023.",
            "Operating margin was 11.2% in Q3 2023 (Reuters).",
            Kind::Number,
        ),
        (
            "Employees get 30 vacation days per year.",
            "Employees get 28 vacation days per year (HR handbook, p. 5).",
            Kind::Number,
        ),
        (
            "Die CSU erhielt 37,0 % der Stimmen.",
            "Laut Reuters erhielt die CSU 31,0 % der Stimmen.",
            Kind::Number,
        ),
        (
            "Selon Reuters, la CSU a obtenu 37,0 % des voix.",
            "Selon Le Monde, la CSU a obtenu 31,0 % des voix.",
            Kind::Number,
        ),
        ("2023年公司营收为50亿元（新华社）。", "据路透社报道，2023年公司营收为70亿元。", Kind::Number),
    ] {
        both_ways(one, other, Some(expected));
    }
    for (one, other) in [
        ("The rate was 5% (Germany).", "The rate was 7% (France)."),
        ("The rate was 5% (net).", "The rate was 7% (gross)."),
        ("The rate was 5% (in 2019).", "The rate was 7% (in 2020)."),
        ("The dose is 5 mg (adults).", "The dose is 2 mg (children)."),
        ("The notice period is three months (§ 573c BGB).", "The notice period is six months (§ 580a BGB)."),
        (
            "The CSU received 37.0% of the vote (Reuters).",
            "The CSU received 37.0% of the vote (Smith et al., 2019).",
        ),
    ] {
        both_ways(one, other, None);
    }
}

#[test]
fn on_what_a_count_rests_hides_no_contradiction() {
    for (one, other) in [
        (
            "About 3,100 customers were affected.",
            "About 5,400 customers were affected, according to support.",
        ),
        (
            "Around 3,100 customers were affected.",
            "Roughly 5,400 customers were affected, based on abandoned carts above the usual baseline.",
        ),
    ] {
        both_ways(one, other, Some(Kind::Number));
    }
    for (one, other) in [
        ("The plan costs $10 per month, based on annual billing.", "The plan costs $12 per month."),
        ("The plan costs $10 per month, based on 20 users.", "The plan costs $12 per month."),
        ("About 3,100 customers were affected.", "About 5,400 users were billed, according to support."),
    ] {
        both_ways(one, other, None);
    }
}

#[test]
fn what_stands_behind_the_first_sentence_hides_no_contradiction() {
    for (one, other) in [
        (
            "Eine Fußbodenheizung ist zwingend erforderlich, sonst arbeitet die Wärmepumpe im Altbau nicht effizient.",
            "Eine Fußbodenheizung ist nicht zwingend erforderlich; oft genügt es, einzelne Heizkörper zu tauschen.",
        ),
        (
            "CVE-2022-22965 is exploited in the wild; added to the catalog on April 4, 2022.",
            "CVE-2022-22965 is not exploited in the wild.",
        ),
        (
            "The seal is needed for the valve, otherwise it leaks.",
            "The seal is not needed for the valve; the gasket is enough.",
        ),
    ] {
        both_ways(one, other, Some(Kind::Negation));
    }
    for (one, other) in [
        ("The bridge is open; the tunnel is not.", "The bridge is open."),
        (
            "The seal is needed if the valve is old; otherwise it isn't.",
            "The seal is not needed for new valves.",
        ),
        (
            "The library is not open on Sunday; the museum is.",
            "The museum is open on Sunday; the library isn't.",
        ),
        ("The lift costs $5; the pool is closed.", "The sauna costs $9; the pool is not heated."),
    ] {
        both_ways(one, other, None);
    }
}

#[test]
fn what_happens_once_has_one_date() {
    for (one, other) in [
        ("Foo 4.2 was released on 14 May 2024.", "Foo 4.2 was released on 21 May 2024."),
        ("The team will move on 1 July 2024.", "The team will move on 1 August 2024."),
        ("The product launches on 1 July 2024.", "The product launches on 1 August 2024."),
        ("The patch was deployed on 3 May 2024.", "The patch was deployed on 5 May 2024."),
        ("The first case was reported on 3 May 2024.", "The first case was reported on 5 May 2024."),
        ("Die Wahl fand am 5. November 2023 statt.", "Die Wahl fand am 8. November 2023 statt."),
        ("Le contrat a été signé le 5 mai 2023.", "Le contrat a été signé le 8 mai 2023."),
        ("La empresa se fundó en 1989.", "La empresa se fundó en 1998."),
        ("東京タワーは1958年に完成しました。", "東京タワーは1968年に完成しました。"),
    ] {
        both_ways(one, other, Some(Kind::Date));
    }
    both_ways(
        "The crash was fixed in version 5.3.2.",
        "The crash was fixed in version 5.3.4.",
        Some(Kind::Number),
    );
    for (one, other) in [
        ("Foo 4.2 was released on 14 May 2024.", "Foo 4.3 was released on 21 May 2024."),
        ("Foo 4.2 was released on 14 May 2024.", "Foo 4.25 was released on 21 May 2024."),
        ("Foo 4.2 was released on 14 May 2024.", "Foo 4.2 was released in May 2024."),
        ("The firm deployed 3 patches on 3 May 2024.", "The firm deployed 3 patches on 5 May 2024."),
        ("The tool runs on version 5.3.2.", "The tool runs on version 5.3.4."),
    ] {
        both_ways(one, other, None);
    }
}

#[test]
fn one_number_of_another_unit_is_another_amount() {
    for (one, other) in [
        ("The rate limit is 100 requests per second.", "The rate limit is 100 requests per minute."),
        ("The plan costs $10 per month.", "The plan costs $10 per year."),
        ("El plan cuesta 10 euros al mes.", "El plan cuesta 10 euros al año."),
        ("The distance is 10 km.", "The distance is 10 miles."),
        ("The package weighs 5 kg.", "The package weighs 5 lbs."),
        ("The trial lasts 14 days.", "The trial lasts 14 months."),
    ] {
        both_ways(one, other, Some(Kind::Number));
    }
    for (one, other) in [
        ("The plan costs $10 per month.", "The plan costs $120 per year."),
        ("The plan costs $10 per month.", "The team plan costs $10 per year."),
        ("The distance is 10 km.", "The distance is 6 miles."),
        ("The package weighs 5 tonnes.", "The package weighs 5 tons."),
        ("The plan costs $10 per user.", "The plan costs $10 per month."),
        ("The old limit is 100 requests per second.", "The new limit is 100 requests per minute."),
    ] {
        both_ways(one, other, None);
    }
}

#[test]
fn what_only_joins_a_figure_to_its_subject_makes_no_other_fact() {
    for (one, other) in [
        ("2025年中国GDP增速预计4.5%。", "2025年中国GDP增速预计维持5.2%。"),
        ("2025年中国GDP增速预计4.5%。", "2025年中国GDP增速预计保持在5.2%。"),
        ("2024年第三季度销售额为3.2亿元。", "2024年第三季度销售额达3.5亿元。"),
        ("2024年第三季度销售额为3.2亿元。", "2024年第三季度销售额约为5.5亿元。"),
    ] {
        both_ways(one, other, Some(Kind::Number));
    }
    for (one, other) in [
        ("2024年第三季度销售额为3.2亿元。", "2024年第三季度销售额约3.3亿元。"),
        ("2024年第三季度销售额为3.2亿元。", "2024年第三季度净利润达3.5亿元。"),
        ("2024年第三季度销售额为3.2亿元。", "2024年第三季度销售额超过3亿元。"),
        ("2025年中国GDP增速预计4.5%。", "2025年中国GDP增速上调至5.2%。"),
        ("2024年中国GDP增速预计4.5%。", "2025年中国GDP增速预计维持5.2%。"),
    ] {
        both_ways(one, other, None);
    }
}

#[test]
fn states_and_outcomes_exclude_each_other() {
    for (one, other) in [
        ("The north door is open.", "The north door is closed."),
        ("The museum is open on Mondays.", "The museum is closed on Mondays."),
        ("The court upheld the ruling.", "The court overturned the ruling."),
        ("The integration test passed.", "The integration test failed."),
        ("Aspirin is safe in pregnancy.", "Aspirin is contraindicated in pregnancy."),
        (r#""service":"billing","status":"up""#, r#""service":"billing","status":"down""#),
        ("Marseille is larger than Lyon.", "Lyon is larger than Marseille."),
        ("Coal power is more expensive than solar power.", "Solar power is more expensive than coal power."),
        ("Lyon est plus grande que Lille.", "Lille est plus grande que Lyon."),
        ("FC Alpha beat FC Beta on 3 May 2024.", "FC Beta beat FC Alpha on 3 May 2024."),
        ("Acme acquired Zeta in 2020.", "Zeta acquired Acme in 2020."),
        ("By 2030, more than 50% of devices will comply.", "By 2030, less than 50% of devices will comply."),
        (
            "The average price of a home fell below 300,000 dollars in 2022.",
            "The average price of a home fell above 300,000 dollars in 2022.",
        ),
    ] {
        both_ways(one, other, Some(Kind::Polarity));
    }
    for (one, other) in [
        ("The museum is open on Saturdays.", "The museum is closed on Sundays."),
        ("The project is open source.", "The project is closed."),
        ("The north door is open.", "The south door is closed."),
        ("Status: up", "Status: down"),
        ("The bill passed the Senate.", "The bill failed to pass the Senate committee on trade."),
        ("Acme acquired Zeta in 2020.", "Zeta was acquired by Acme in 2020."),
        ("Acme acquired the software division of Zeta.", "Zeta acquired the software division of Acme."),
        ("Acme acquired Zeta's software division.", "Zeta acquired Acme's software division."),
        ("Alpha beat Beta in 2024.", "Beta beat Alpha in 2024."),
        ("Marseille is not larger than Lyon.", "Lyon is not larger than Marseille."),
        ("Marseille is larger than Lyon.", "Marseille is larger than Nice."),
    ] {
        both_ways(one, other, None);
    }
}

#[test]
fn what_names_another_thing_in_other_languages() {
    for (one, other) in [
        (
            "Au premier trimestre, le bénéfice de la société était de 5 millions d'euros.",
            "Au deuxième trimestre, le bénéfice de la société était de 7 millions d'euros.",
        ),
        (
            "En el primer trimestre, la empresa vendió 500 coches nuevos.",
            "En el segundo trimestre, la empresa vendió 700 coches nuevos.",
        ),
        (
            "La température maximale à Paris était de 30 °C.",
            "La température minimale à Paris était de 18 °C.",
        ),
        ("La temperatura máxima en Madrid fue de 30 °C.", "La temperatura mínima en Madrid fue de 18 °C."),
        (
            "Le chiffre d'affaires de la société Acme était de 5 millions d'euros.",
            "Le bénéfice de la société Acme était de 2 millions d'euros.",
        ),
        ("Le salaire moyen des hommes est de 2500 euros.", "Le salaire moyen des femmes est de 2100 euros."),
        (
            "El salario medio de los hombres es de 2500 euros.",
            "El salario medio de las mujeres es de 2100 euros.",
        ),
        ("上半年公司营收为50亿元。", "下半年公司营收为70亿元。"),
        ("2023年公司汽车产量为50万辆。", "2023年公司汽车销量为70万辆。"),
        ("小米14 Pro售价为4999元。", "小米14售价为3999元。"),
        ("上り列車は1日に50本あります。", "下り列車は1日に40本あります。"),
        ("Acme tiene 1.250 empleados.", "Acme tiene más de 1.200 empleados."),
        ("Plus de 10.000 personnes travaillent chez Acme.", "12.400 personnes travaillent chez Acme."),
        ("Jusqu’à 500 personnes travaillent chez Acme.", "450 personnes travaillent chez Acme."),
        ("MÁS DE 10.000 personas trabajan en Acme.", "12.400 personas trabajan en Acme."),
        ("Über 500 Personen arbeiten bei Acme in Köln.", "550 Personen arbeiten bei Acme in Köln."),
    ] {
        both_ways(one, other, None);
    }
    for (one, other) in [
        ("Acme tiene 1.250 empleados.", "Acme tiene más de 1.400 empleados."),
        (
            "Le bénéfice de la société Acme était de 5 millions d'euros.",
            "Le bénéfice de la société Acme était de 2 millions d'euros.",
        ),
        ("上半年公司营收为50亿元。", "上半年公司营收为70亿元。"),
        ("小米14售价为4999元。", "小米14售价为3999元。"),
    ] {
        both_ways(one, other, Some(Kind::Number));
    }
}

#[test]
fn what_is_denied_in_chinese_and_japanese() {
    for (one, other) in [
        ("该药物已获批准。", "该药物未获批准。"),
        ("该药物未获批准。", "该药物获批准。"),
        ("公司盈利了。", "公司没有盈利。"),
        ("该药是安全的。", "该药是不安全的。"),
        ("製品は安全です。", "製品は安全ではありません。"),
        ("製品は安全だ。", "製品は安全ではない。"),
    ] {
        both_ways(one, other, Some(Kind::Negation));
    }
    for (one, other) in [
        ("公司盈利了。", "工厂没有盈利。"),
        ("製品は安全です。", "工場は安全ではありません。"),
        ("製品は安全です。", "製品は安全だ。"),
        ("该药物已获批准。", "该药物获批准。"),
    ] {
        both_ways(one, other, None);
    }
}

#[test]
fn kinds_that_have_something_and_kinds_that_have_not_are_others() {
    for (one, other) in [
        ("有机肥料能改善土壤结构。", "无机肥料不能改善土壤结构。"),
        ("2023年有机肥料产量为500万吨。", "2023年无机肥料产量为800万吨。"),
        ("施用有机肥料后产量提高了20%。", "施用无机肥料后产量提高了30%。"),
        ("有限责任公司的账目必须公开。", "无限责任公司的账目必须公开。"),
        ("公司的有形资产增长了很多。", "公司的无形资产增长了很多。"),
        ("有氧运动有助于减肥。", "无氧运动有助于减肥。"),
    ] {
        both_ways(one, other, None);
    }
    for (one, other, expected) in [
        ("有机肥料能改善土壤结构。", "有机肥料不能改善土壤结构。", Kind::Negation),
        ("2023年有机肥料产量为500万吨。", "2023年有机肥料产量为800万吨。", Kind::Number),
        ("该方案对公司有效。", "该方案对公司无效。", Kind::Negation),
        ("该公司是有限责任公司。", "该公司是无限责任公司。", Kind::Negation),
        ("该资源的数量有限。", "该资源的数量无限。", Kind::Negation),
        ("该计划对产量有限制。", "该计划对产量无限制。", Kind::Negation),
    ] {
        both_ways(one, other, Some(expected));
    }
}

fn both_ways(one: &str, other: &str, expected: Option<Kind>) {
    assert_eq!(kind(one, other), expected, "{one} / {other}");
    assert_eq!(kind(other, one), expected, "{other} / {one}");
}

#[test]
fn other_units_limits_and_languages_hide_no_contradiction() {
    for (one, other, expected) in [
        ("The speed limit is 100 km/h.", "The speed limit is 100 mph.", Kind::Number),
        ("The wind speed is 20 m/s.", "The wind speed is 20 km/h.", Kind::Number),
        ("The battery lasts up to 10 hours.", "The battery lasts up to 12 hours.", Kind::Number),
        ("The area of the lake is 50 km².", "The area of the lake is 50 square miles.", Kind::Number),
        (
            "The central bank raised rates by 50 basis points.",
            "The central bank raised rates by 50 percentage points.",
            Kind::Number,
        ),
        (
            "The central bank raised rates by 25 basis points.",
            "The central bank raised rates by 50 basis points.",
            Kind::Number,
        ),
        (
            "The tunnel was completed in 1998 after ten years of work.",
            "The tunnel was completed in 1989 after ten years of work.",
            Kind::Date,
        ),
        ("Компания была основана в 1998 году.", "Компания была основана в 2001 году.", Kind::Date),
        ("تأسست الشركة في عام 1998.", "تأسست الشركة في عام 2001.", Kind::Date),
        ("Sales doubled in 2023.", "Sales halved in 2023.", Kind::Polarity),
        ("Sales doubled in 2023.", "Sales fell in 2023.", Kind::Polarity),
        ("인구는 500만 명이다.", "인구는 600만 명이다.", Kind::Number),
        ("다리의 길이는 5km이다.", "다리의 길이는 7km이다.", Kind::Number),
        ("该市人口约为2000万。", "该市人口为2600万。", Kind::Number),
    ] {
        both_ways(one, other, Some(expected));
    }
    for (one, other) in [
        ("The speed limit is 100 km/h.", "The speed limit is 62 mph."),
        ("The battery lasts up to 10 hours.", "The battery lasts 8 hours."),
        ("The area of the lake is 50 km².", "The area of the lake is 50 square kilometres."),
        ("The area of the lake is 50 km².", "The area of the lake is 19 square miles."),
        (
            "The central bank raised rates by 50 basis points.",
            "The central bank raised rates by 0.5 percentage points.",
        ),
        (
            "The tunnel was completed in 1998 after ten years of work.",
            "The tunnel was completed in 1989 after nine years of work.",
        ),
        ("Sales doubled in 2023.", "Sales halved in 2024."),
        ("Sales doubled in 2023.", "Sales grew in 2023."),
        ("The firm opened 3 plants in 1998.", "The firm opened 3 plants in 1989."),
        ("该市人口约为2000万。", "该市人口为2100万。"),
        ("该市人口约为2000万。", "该市人口2100万。"),
    ] {
        both_ways(one, other, None);
    }
}

#[test]
fn a_law_bans_or_allows_one_thing() {
    for (one, other) in [
        ("The law bans scooters on sidewalks.", "The law allows scooters on sidewalks."),
        ("The new law prohibits fracking.", "The new law permits fracking."),
        ("The authorities forbid fracking.", "The authorities permit fracking."),
        ("The law bans X.", "The law allows X."),
    ] {
        both_ways(one, other, Some(Kind::Polarity));
    }
    for (one, other) in [
        ("The law bans scooters on sidewalks.", "The law allows scooters on bike lanes."),
        ("The law bans scooters on sidewalks.", "The law allows bicycles on sidewalks."),
        ("The law bans scooters on sidewalks.", "The law prohibits scooters on sidewalks."),
    ] {
        both_ways(one, other, None);
    }
}

#[test]
fn clauses_of_sentences_contradict() {
    for (one, other, expected) in [
        (
            "The kiln, a relic of the porcelain works, was built in 1898 and has three chambers.",
            "The kiln was built in 1911.",
            Kind::Date,
        ),
        (
            "As the manual warns, the parser isn't thread-safe, so callers need a lock.",
            "The parser is thread-safe.",
            Kind::Negation,
        ),
        (
            "The tram from the station to the zoo costs €3 and takes half an hour, locals told us.",
            "Visitors pay €5 for the tram from the station to the zoo.",
            Kind::Number,
        ),
        (
            "Unlike its predecessor, the R5 has a headphone socket and weighs 180 g.",
            "The R5 has no headphone socket, making adapters a must.",
            Kind::Negation,
        ),
    ] {
        both_ways(one, other, Some(expected));
    }
    for (one, other) in [
        // What the clause says the other says as well.
        ("The firm has 3,200 staff, and its plant has 2,900 staff.", "The plant has 2,900 staff."),
        (
            "The bill was signed on 1 July 2025, and it takes effect on 1 January 2027.",
            "The bill was signed on 1 July 2025.",
        ),
        ("The game costs €60 and includes a poster.", "The game costs €50."),
        ("The bridge was planned for 2019 and opened in 2021.", "The bridge opened in 2019, as planned."),
    ] {
        both_ways(one, other, None);
    }
}

#[test]
fn sections_of_an_answer_hide_no_contradiction() {
    let (one, other) = ("The outage of 12 May lasted 72 minutes.", "The outage of 12 May lasted 47 minutes.");
    for (mine, theirs) in [("Timeline", "Impact"), ("Root cause", "Status"), ("History", "Financials")] {
        let [one, other] =
            [(mine, one), (theirs, other)].map(|(heading, said)| format!("## {heading}\n\n{said}"));
        assert_eq!(kinds_between(&one, &other), [Kind::Number], "{mine} / {theirs}");
    }
    let [one, other] =
        ["Huddle", "Meetly"].map(|name| format!("## {name}\n\nThe price is ${} a month.", name.len()));
    assert_eq!(kinds_between(&one, &other), []);
}

#[test]
fn ranges_are_read_in_other_languages() {
    for (one, other, expected) in [
        ("Die Lieferung dauert 3 bis 5 Tage.", "Die Lieferung dauert 7 Tage.", Some(Kind::Number)),
        ("Die Lieferung dauert 3 bis 5 Tage.", "Die Lieferung dauert 4 Tage.", None),
        (
            "El plazo de entrega es de 3 a 5 días laborables.",
            "El plazo de entrega es de 7 días laborables.",
            Some(Kind::Number),
        ),
        (
            "El plazo de entrega es de 3 a 5 días laborables.",
            "El plazo de entrega es de 5 días laborables.",
            None,
        ),
    ] {
        assert_eq!((kind(one, other), kind(other, one)), (expected, expected), "{one} / {other}");
    }
}
