//! What narrows a statement, and is said with it or not at all.

use super::scene::{assert_judged, sources};

/// What a source says, what it supports, and what it doesn't.
type Case = (&'static str, &'static [&'static str], &'static [&'static str]);

/// Of few, or so many of so many.
#[rustfmt::skip]
const RARE: &[Case] = &[
    ("Only three of the twelve hospitals reported any case.", &["Only three of the twelve hospitals reported any case.", "Of the twelve hospitals, only three reported a case.", "Three of the twelve hospitals reported a case."], &["Twelve hospitals reported a case.", "The twelve hospitals reported cases."]),
    ("Few analysts expect the rate to fall this year.", &["Few analysts expect the rate to fall this year.", "The rate is expected to fall this year by few analysts."], &["Analysts expect the rate to fall this year."]),
    ("Hardly any student passed the test in 2022.", &["Hardly any student passed the test in 2022."], &["Students passed the test in 2022."]),
    ("Prices rarely change within a day.", &["Within a day, prices rarely change."], &["Prices change within a day."]),
    ("Kaum ein Patient erholte sich vollständig.", &["Kaum ein Patient erholte sich vollständig."], &["Ein Patient erholte sich vollständig."]),
    ("In the study, 12 of 1,000 patients died within a year.", &["In the study, 12 of 1,000 patients died within a year.", "12 patients of 1,000 died within a year in the study."], &["In the study, 1,000 patients died within a year."]),
    ("Every second child in the district reads at home.", &["Every second child in the district reads at home."], &["Every child in the district reads at home."]),
    ("Nobody but Acme met the 2020 target.", &["Nobody but Acme met the 2020 target."], &["Acme met no 2020 target.", "Nobody met the 2020 target."]),
    ("Most users under 30 prefer short videos.", &["Most users under 30 prefer short videos."], &["Most users prefer short videos."]),
    ("部分金融机构风险管理能力不足。", &["部分金融机构风险管理能力不足。"], &["金融机构风险管理能力不足。"]),
    ("Peu d'hôpitaux ont signalé des cas en 2021.", &["Peu d'hôpitaux ont signalé des cas en 2021."], &["Des hôpitaux ont signalé des cas en 2021."]),
    ("很少有患者完全康复。", &["很少有患者完全康复。"], &["患者完全康复。"]),
];

/// Denied, taken back, or open.
#[rustfmt::skip]
const DENIED: &[Case] = &[
    ("The minister denied that the ministry had paid 40 million euros to the firm.", &["The minister denied that the ministry had paid 40 million euros to the firm."], &["The minister said that the ministry had paid 40 million euros to the firm.", "The ministry had paid 40 million euros to the firm."]),
    ("The court overturned the ruling that Acme had infringed the patent.", &["The court overturned the ruling that Acme had infringed the patent."], &["Acme had infringed the patent."]),
    ("The court will decide whether Acme infringed the patent.", &["The court will decide whether Acme infringed the patent.", "Whether Acme infringed the patent will be decided by the court."], &["Acme infringed the patent."]),
    ("Critics doubt that the plan works in rural areas.", &["Critics doubt that the plan works in rural areas."], &["The plan works in rural areas."]),
    ("It remains unclear whether the plan works in rural areas.", &["Whether the plan works in rural areas remains unclear."], &["The plan works in rural areas."]),
    ("The claim that the plan works in rural areas was retracted.", &["The claim that the plan works in rural areas was retracted."], &["The plan works in rural areas."]),
    ("Das Ministerium bestritt, dem Unternehmen 40 Millionen Euro gezahlt zu haben.", &["Das Ministerium bestritt, dem Unternehmen 40 Millionen Euro gezahlt zu haben."], &["Das Ministerium hat dem Unternehmen 40 Millionen Euro gezahlt."]),
    ("Coffee was associated with a lower risk of stroke in one study.", &["Coffee was associated with a lower risk of stroke in one study."], &["Coffee lowers the risk of stroke."]),
    ("There is no evidence that vitamin C prevents colds.", &["There is no evidence that vitamin C prevents colds."], &["Vitamin C does not prevent colds.", "Vitamin C prevents colds."]),
];

/// Tried, wanted, possible: not done.
#[rustfmt::skip]
const UNDONE: &[Case] = &[
    ("Acme tried to buy Globex in 2018.", &["Acme tried to buy Globex in 2018.", "In 2018, Acme attempted to buy Globex."], &["Acme bought Globex in 2018."]),
    ("Acme considered selling its plant in Ohio.", &["Acme considered selling its plant in Ohio."], &["Acme sold its plant in Ohio.", "Acme is selling its plant in Ohio."]),
    ("The minister forgot to sign the treaty in May.", &["In May the minister forgot to sign the treaty."], &["The minister signed the treaty in May."]),
    ("The minister was supposed to sign the treaty in May.", &["The minister was supposed to sign the treaty in May."], &["The minister signed the treaty in May."]),
    ("The minister stopped short of signing the treaty.", &["The minister stopped short of signing the treaty."], &["The minister signed the treaty."]),
    ("The plant would have closed in 2020 without the loan.", &["Without the loan, the plant would have closed in 2020."], &["The plant closed in 2020.", "The plant closed in 2020 without the loan."]),
    ("The museum was to open in 2021, but the date was postponed.", &["The museum was to open in 2021, but the date was postponed."], &["The museum opened in 2021."]),
    ("The city plans to build 500 flats by 2030.", &["The city plans to build 500 flats by 2030.", "By 2030, the city intends to build 500 flats."], &["The city has built 500 flats.", "The city built 500 flats by 2030."]),
    ("The city plans 500 flats by 2030.", &["The city plans 500 flats by 2030."], &["The city has built 500 flats."]),
    ("Acme will invest 20 million euros in the plant.", &["Acme will invest 20 million euros in the plant.", "Acme plans to invest 20 million euros in the plant.", "Acme is to invest 20 million euros in the plant."], &["Acme has invested 20 million euros in the plant.", "Acme invested 20 million euros in the plant."]),
    ("Acme avoided a loss of 20 million euros in 2021.", &["In 2021 Acme avoided a loss of 20 million euros."], &["Acme had a loss of 20 million euros in 2021."]),
    ("The new rule should replace the old one in 2026.", &["The new rule should replace the old one in 2026."], &["The new rule will replace the old one in 2026.", "The new rule replaced the old one in 2026."]),
    ("Das Museum sollte 2021 in Lingen eröffnet werden.", &["Das Museum sollte 2021 in Lingen eröffnet werden."], &["Das Museum wurde 2021 in Lingen eröffnet."]),
    ("The new model can outperform humans on the test.", &["The new model can outperform humans on the test.", "The new model may outperform humans on the test."], &["The new model outperforms humans on the test.", "The new model will outperform humans on the test."]),
    ("公司预计明年收入将增长8%。", &["公司预计明年收入将增长8%。"], &["公司明年收入增长8%。", "公司收入下降8%。"]),
    ("Die Fabrik hätte 2020 ohne den Kredit geschlossen.", &["Die Fabrik hätte 2020 ohne den Kredit geschlossen."], &["Die Fabrik wurde 2020 geschlossen."]),
];

/// Nearly so, or about so many.
#[rustfmt::skip]
const ROUND: &[Case] = &[
    ("The plant employs about 310 people in Lingen.", &["The plant employs about 310 people in Lingen.", "The plant employs roughly 310 people in Lingen.", "About 310 people are employed by the plant in Lingen.", "In Lingen, the plant employs approximately 310 people.", "The plant employs some 310 people in Lingen."], &["The plant employs 310 people in Lingen.", "The plant employs exactly 310 people in Lingen.", "The plant employs nearly 310 people in Lingen."]),
    ("The app has ~25 million users in Europe.", &["The app has about 25 million users in Europe."], &["The app has 25 million users in Europe."]),
    ("Output almost doubled in 2022.", &["Output almost doubled in 2022.", "In 2022, output nearly doubled."], &["Output doubled in 2022."]),
    ("The probe nearly missed the planet.", &["The probe nearly missed the planet."], &["The probe missed the planet."]),
    ("Das Werk in Lingen beschäftigt rund 310 Menschen.", &["Das Werk in Lingen beschäftigt rund 310 Menschen.", "Das Werk in Lingen beschäftigt etwa 310 Menschen."], &["Das Werk in Lingen beschäftigt 310 Menschen."]),
    ("该市场规模约500万亿元。", &["该市场规模约500万亿元。"], &["该市场规模500万亿元。"]),
    ("近半数用户每天使用该应用。", &["近半数用户每天使用该应用。"], &["半数用户每天使用该应用。"]),
    ("Los ingresos casi se duplicaron en 2022.", &["En 2022 los ingresos casi se duplicaron."], &["Los ingresos se duplicaron en 2022."]),
    ("Environ 310 personnes travaillent à l'usine.", &[], &["310 personnes travaillent à l'usine.", "Exactement 310 personnes travaillent à l'usine."]),
];

/// Where, if, by whose word, and with what exception.
#[rustfmt::skip]
const LIMITED: &[Case] = &[
    ("Dr. Weber said: \"The results are promising, but not conclusive.\"", &["The results are promising, but not conclusive.", "Dr. Weber said: \"The results are promising, but not conclusive.\"", "The results are promising but not conclusive, Dr. Weber said."], &["The results are promising.", "Dr. Weber said: \"The results are promising.\""]),
    ("韦伯博士说：“结果令人鼓舞，但尚无定论。”", &[], &["结果令人鼓舞。", "韦伯博士说：“结果令人鼓舞。”"]),
    ("We will not expand before 2027, unless prices fall.", &["We will not expand before 2027, unless prices fall."], &["We will not expand before 2027."]),
    ("If the tariff is raised to 25%, exports could fall by 8%.", &["If the tariff is raised to 25%, exports could fall by 8%."], &["Exports could fall by 8%.", "Exports fall by 8%."]),
    ("In mice, zinc reduces mortality from sepsis.", &["Zinc reduces mortality from sepsis in mice.", "In mice, zinc reduces mortality from sepsis."], &["Zinc reduces mortality from sepsis."]),
    ("In critical illness, zinc reduces mortality.", &["Zinc reduces mortality in critical illness."], &["Zinc reduces mortality."]),
    ("According to Acme, zinc reduces mortality from sepsis.", &["According to Acme, zinc reduces mortality from sepsis.", "Acme says that zinc reduces mortality from sepsis."], &["Zinc reduces mortality from sepsis."]),
    ("The drug cut deaths by 12% in men but not in women.", &["The drug cut deaths by 12% in men.", "The drug cut deaths by 12% in men but not in women."], &["The drug cut deaths by 12%."]),
    ("The rule does not apply to firms with fewer than 50 employees, except in banking.", &["The rule does not apply to firms with fewer than 50 employees, except in banking."], &["The rule does not apply to firms in banking.", "The rule does not apply to firms with fewer than 50 employees."]),
    ("According to the union, the firm cut 900 jobs; the firm speaks of 200.", &["According to the union, the firm cut 900 jobs.", "According to the union, the firm cut 900 jobs; the firm speaks of 200."], &["The firm cut 900 jobs.", "According to the firm, it cut 900 jobs."]),
    ("Laut Kritikern könnte der Betreiber die Anlage schließen.", &["Laut Kritikern könnte der Betreiber die Anlage schließen.", "Der Betreiber könnte die Anlage laut Kritikern schließen."], &["Der Betreiber könnte die Anlage schließen."]),
    ("Das Werk erzeugt 4.200 Tonnen Wasserstoff, aber keinen Dampf.", &["Das Werk erzeugt 4.200 Tonnen Wasserstoff."], &["Das Werk erzeugt 4.200 Tonnen Dampf."]),
];

/// The same in other words and languages.
#[rustfmt::skip]
const OTHERWISE: &[Case] = &[
    ("Only a handful of clinics offer the therapy in rural areas.", &["Only a handful of clinics offer the therapy in rural areas."], &["Clinics offer the therapy in rural areas."]),
    ("Seven of the ten largest banks passed the stress test in 2022.", &["In 2022, seven of the ten largest banks passed the stress test."], &["The ten largest banks passed the stress test in 2022."]),
    ("Nur 3 der 12 Krankenhäuser meldeten einen Fall.", &["Nur 3 der 12 Krankenhäuser meldeten einen Fall."], &["12 Krankenhäuser meldeten einen Fall.", "Die 12 Krankenhäuser meldeten einen Fall."]),
    ("The senator disputed that the funds had been misused.", &["The senator disputed that the funds had been misused."], &["The funds had been misused."]),
    ("The journal retracted a paper which claimed that the drug cures diabetes.", &["The journal retracted a paper which claimed that the drug cures diabetes."], &["The drug cures diabetes."]),
    ("It is not known whether the virus spreads through water.", &["Whether the virus spreads through water is not known."], &["The virus spreads through water."]),
    ("Es ist unklar, ob die Anlage 2025 schließt.", &["Ob die Anlage 2025 schließt, ist unklar."], &["Die Anlage schließt 2025."]),
    ("Officials attempted to restart the reactor in March.", &["Officials tried to restart the reactor in March."], &["Officials restarted the reactor in March."]),
    ("The board failed to approve the merger in June.", &["The board failed to approve the merger in June.", "The board did not approve the merger in June."], &["The board approved the merger in June."]),
    ("Das Unternehmen versuchte, Globex 2018 zu kaufen.", &["Das Unternehmen versuchte 2018, Globex zu kaufen."], &["Das Unternehmen kaufte Globex 2018."]),
    ("L'entreprise a tenté de racheter Globex en 2018.", &["En 2018, l'entreprise a tenté de racheter Globex."], &["L'entreprise a racheté Globex en 2018."]),
    ("The ministry intends to close the mine by 2028.", &["The ministry plans to close the mine by 2028."], &["The ministry closed the mine by 2028.", "The ministry has closed the mine."]),
    ("The museum is expected to attract 2 million visitors in 2026.", &["The museum is expected to attract 2 million visitors in 2026.", "The museum is forecast to attract 2 million visitors in 2026."], &["The museum attracted 2 million visitors in 2026.", "The museum attracts 2 million visitors."]),
    ("The dam is about 120 metres high.", &["The dam is roughly 120 metres high.", "The dam has a height of about 120 metres."], &["The dam is 120 metres high."]),
    ("Some 2,000 protesters gathered in Lyon.", &["Around 2,000 protesters gathered in Lyon."], &["2,000 protesters gathered in Lyon.", "Exactly 2,000 protesters gathered in Lyon."]),
    ("Alrededor de 310 personas trabajan en la planta.", &["Alrededor de 310 personas trabajan en la planta."], &["En la planta trabajan 310 personas."]),
    ("The virus nearly disappeared in 2021.", &["In 2021, the virus almost disappeared."], &["The virus disappeared in 2021."]),
    ("Das Programm ist fast abgeschlossen.", &[], &["Das Programm ist abgeschlossen."]),
    ("Among patients over 80, the treatment doubled survival.", &["The treatment doubled survival among patients over 80."], &["The treatment doubled survival."]),
    ("Bei Mäusen senkt Zink die Sterblichkeit.", &["Zink senkt bei Mäusen die Sterblichkeit."], &["Zink senkt die Sterblichkeit."]),
    ("Chez la souris, le zinc réduit la mortalité.", &["Le zinc réduit la mortalité chez la souris."], &["Le zinc réduit la mortalité."]),
    ("在小鼠中，锌可降低死亡率。", &["在小鼠中，锌可降低死亡率。"], &["锌可降低死亡率。"]),
    ("Selon le syndicat, l'usine a supprimé 900 postes.", &["L'usine a supprimé 900 postes, selon le syndicat."], &["L'usine a supprimé 900 postes."]),
    ("Según el sindicato, la fábrica eliminó 900 empleos.", &["La fábrica eliminó 900 empleos, según el sindicato."], &["La fábrica eliminó 900 empleos."]),
    ("All shops close on Sundays, except pharmacies.", &["All shops except pharmacies close on Sundays."], &["All shops close on Sundays."]),
    ("Alle Geschäfte schließen sonntags, außer Apotheken.", &[], &["Alle Geschäfte schließen sonntags."]),
    ("The method is fast but not accurate.", &["The method is fast but not accurate."], &["The method is fast."]),
    ("Die Ergebnisse sind vielversprechend, aber nicht eindeutig.", &["Die Ergebnisse sind vielversprechend, aber nicht eindeutig."], &["Die Ergebnisse sind vielversprechend."]),
    ("The panel can supply the whole house.", &["The panel is able to supply the whole house."], &["The panel supplies the whole house."]),
    ("该药可以降低死亡率。", &["该药可以降低死亡率。"], &["该药降低了死亡率。"]),
    ("Berlin is colder than Paris in winter.", &["In winter, Berlin is colder than Paris."], &["Paris is colder than Berlin in winter."]),
    ("The 2019 model sold 40,000 units.", &["The 2019 model sold 40,000 units."], &["The 2019 model sold only 40,000 units."]),
    ("The company was to pay 5 million euros in damages.", &["The company was to pay 5 million euros in damages."], &["The company paid 5 million euros in damages."]),
    ("Emissions would fall by 20% under the plan.", &["Under the plan, emissions would fall by 20%."], &["Emissions fell by 20% under the plan."]),
    ("预计该工厂将于2026年投产。", &["该工厂预计于2026年投产。"], &["该工厂于2026年投产。"]),
    ("约12万人参加了活动。", &["约12万人参加了活动。"], &["12万人参加了活动。"]),
    ("大多数学校已恢复上课，但农村学校尚未恢复。", &[], &["学校已恢复上课。"]),
    ("Smoking is associated with lung cancer in the study.", &[], &["Smoking causes lung cancer."]),
    ("A study of 40 students suggests that naps improve memory.", &["Naps improve memory, a study of 40 students suggests."], &["Naps improve memory."]),
];

#[track_caller]
fn judge(cases: &[Case]) {
    for (said, right, wrong) in cases {
        assert_judged(&sources(&[said]), right, wrong);
    }
}

#[test]
fn what_is_seldom_or_of_a_part_is_not_told_of_all() {
    judge(RARE);
}

#[test]
fn what_is_denied_or_open_is_not_told_as_so() {
    judge(DENIED);
}

#[test]
fn what_is_tried_planned_or_possible_is_not_told_as_done() {
    judge(UNDONE);
}

#[test]
fn what_is_about_or_nearly_so_is_not_told_as_exactly_so() {
    judge(ROUND);
}

#[test]
fn place_condition_speaker_and_exception_are_not_left_out() {
    judge(LIMITED);
}

#[test]
fn what_narrows_stays_in_other_words_and_languages_too() {
    judge(OTHERWISE);
}
