//! What counts as saying the same, what differs, and that neither order nor hostile lists change that.

use proptest::prelude::*;

use super::*;

fn same(one: &str, other: &str) -> bool {
    let mut reader = Reader::default();
    let (a, b) = (reader.read(one), reader.read(other));
    let result = near(&a, &b);
    assert_eq!(result, near(&b, &a), "not symmetric: {one} / {other}");
    let found = clusters(&[a, b]).clusters.len() == 1;
    assert_eq!(result, found, "{one} / {other}");
    result
}

#[test]
fn what_says_the_same() {
    for (one, other) in [
        ("The reactor reached full power in March 2024.", "THE REACTOR REACHED FULL POWER IN MARCH 2024"),
        ("The company's revenue grew 45% in 2023.", "In 2023, the company's revenue grew by 45 percent."),
        ("The company reported strong revenue growth.", "The company reported a strong growth of revenue."),
        (
            "Solar capacity rose by 1.2 million units.",
            "Solar capacity rose by 1,200,000 units, according to the World Bank.",
        ),
        (
            "Solar capacity rose sharply across rural districts.",
            "Solar capacity rose across rural districts.",
        ),
        ("The committee adopted the proposal unanimously.", "The commitee adopted the proposal unanimously."),
        ("Teachers use the tool to plan lessons.", "Teachers used the tools to plan a lesson."),
        ("2024年全球市场规模达到44.4亿美元。", "2024年，全球市场规模达到 44.4 亿美元"),
        ("Prices were cut by 5 % in 2023.", "In 2023 prices were cut by 5 %."),
        ("トヨタは2023年にスバルを買収した。", "2023年にトヨタがスバルを買収した。"),
        ("The bank was sued by the customer in May.", "In May, the bank was sued by the customer."),
        ("该套餐的月费价格为¥999。", "该套餐的月费价格为999元。"),
        ("中国支持发展可再生能源产业", "目前，中国支持发展可再生能源产业。"),
        ("据新华社报道，该项目已在北京启动建设。", "该项目已在北京启动建设。"),
        (
            "El servicio nunca está disponible en el norte.",
            "El servicio no está nunca disponible en el norte.",
        ),
        ("Ｔｈｅ ｍａｒｋｅｔ ｇｒｅｗ ｑｕｉｃｋｌｙ", "the market grew quickly"),
    ] {
        assert!(same(one, other), "{one} / {other}");
    }
}

#[test]
fn what_differs() {
    for (one, other) in [
        ("Revenue grew 45% in 2023.", "Revenue grew 46% in 2023."),
        ("The plan has sign-on by SSO: ✅", "The plan has sign-on by SSO: ❌"),
        ("List the files with ls -l first.", "List the files with ls -L first."),
        ("Revenue grew 45% in 2023.", "Revenue grew 45% in 2024."),
        ("Revenue grew 45% in 2023.", "Revenue fell 45% in 2023."),
        ("The drug is effective in adults.", "The drug is not effective in adults."),
        ("The tool is not only fast but also cheap to run.", "The tool is only fast but also cheap to run."),
        ("The cable is 5 km long.", "The cable is 5 miles long."),
        ("The price in Tokyo is ¥999 per month.", "The price in Tokyo is CNY 999 per month."),
        ("The price in Tokyo is ¥999 per month.", "The price in Tokyo is JPY 999 per month."),
        ("The bank sued the customer.", "The bank was sued by the customer."),
        ("The suspect killed two people.", "The suspect was killed by two people."),
        ("该公司收购了对方。", "该公司被对方收购了。"),
        ("トヨタがスバルを買収した。", "スバルがトヨタを買収した。"),
        ("日本は韓国に2対1で勝った。", "韓国は日本に2対1で勝った。"),
        ("The Fed will cut rates in March.", "The Fed cut rates in March."),
        ("Apple will acquire the startup for $2 billion.", "Apple acquired the startup for $2 billion."),
        ("公司将于三月发布新产品。", "公司已于三月发布新产品。"),
        ("Only Anna can approve the release.", "Anna can only approve the release."),
        ("The plan includes just email support.", "The plan includes email support."),
        ("The link has 100 Mbps.", "The link has 100 MBps."),
        ("Google acquired DeepMind for a large sum.", "DeepMind acquired Google for a large sum."),
        ("Google acquired the start-up for a large sum.", "Microsoft acquired the start-up for a large sum."),
        ("Sales rose 5% in France and 3% in Spain.", "Sales rose 3% in France and 5% in Spain."),
        ("Shares went from 5 to 3 dollars, respectively.", "Shares went from 3 to 5 dollars, respectively."),
        ("Imports rose while exports fell.", "Imports fell while exports rose."),
        ("He travelled from Paris to London by train.", "He travelled from London to Paris by train."),
        ("The test must be done before surgery.", "The test may be done before surgery."),
        ("The test must be done before surgery.", "The test must be done after surgery."),
        ("The upload limit of the free plan is 100 Mb.", "The upload limit of the free plan is 100 MB."),
        ("The weekly meeting of the team is at 9 am.", "The weekly meeting of the team is at 9 pm."),
        ("The weekly meeting of the team is at 9:30 a.m.", "The weekly meeting of the team is at 9:30 p.m."),
        ("The price of the yearly plan is $10.", "The price of the yearly plan is €10."),
        ("The yearly temperature is 20 °C on average.", "The yearly temperature is 20 °F on average."),
        ("The tank of the new car holds 50 litres.", "The tank of the new car holds 50 gallons."),
        ("The H100 chip is used in servers.", "The H200 chip is used in servers."),
        ("中国支持发展可再生能源产业", "中国反对发展可再生能源产业"),
        (
            "Der Dienst ist in allen Regionen des Nordens verfügbar.",
            "Der Dienst ist in allen Regionen des Nordens nicht verfügbar.",
        ),
        (
            "Il servizio è disponibile in tutte le regioni del nord.",
            "Il servizio non è disponibile in tutte le regioni del nord.",
        ),
        (
            "Le service est disponible dans toutes les régions du nord.",
            "Le service n’est jamais disponible dans toutes les régions du nord.",
        ),
        ("売上は全国の店舗で大きく増加した。", "売上は全国の店舗で大きく増加しなかった。"),
        // A language of which no word is listed.
        (
            "Palvelu on saatavilla koko Pohjois-Suomen alueella.",
            "Palvelu ei on saatavilla koko Pohjois-Suomen alueella.",
        ),
        ("华为收购了中兴的部分业务", "中兴收购了华为的部分业务"),
        ("该方法能提高准确率", "该方法不能提高准确率"),
        ("2024年市场规模达到44.4亿美元", "2024年市场规模达到44.4亿元"),
        (
            "According to the World Bank, poverty persists in many regions.",
            "According to the WHO, poverty persists in many regions.",
        ),
    ] {
        assert!(!same(one, other), "{one} / {other}");
    }
}

#[test]
fn what_a_little_word_or_sign_tells_apart() {
    for (one, other) in [
        ("Large farms in the valley use the new pump.", "Farms in the valley use the new pump."),
        ("The old pump of the plant moves 40 litres.", "The pump of the plant moves 40 litres."),
        ("The senator voted for the bill on pensions.", "The senator voted against the bill on pensions."),
        ("The permit is valid until 31 March 2026.", "The permit is valid from 31 March 2026."),
        ("The rule applied until 2010 in Austria.", "The rule has applied since 2010 in Austria."),
        ("The bonus is paid if the target is met.", "The bonus is paid unless the target is met."),
        ("The bonus is paid, the target is met.", "The bonus is paid if the target is met."),
        ("Exports of steel to China rose sharply.", "Exports of steel from China rose sharply."),
        ("The fee is paid by the seller of the house.", "The fee is paid to the seller of the house."),
        ("The share of coal fell by 4 percent in May.", "The share of coal fell to 4 percent in May."),
        (
            "The tumour grew despite treatment with the drug.",
            "The tumour grew through treatment with the drug.",
        ),
        ("The bridge over the river is closed.", "The bridge over the river was closed."),
        ("The reform will cost the town millions.", "The reform would cost the town millions."),
        ("The mayor allegedly accepted money from the firm.", "The mayor accepted money from the firm."),
        (
            "The officers planned an attempted coup in the capital.",
            "The officers planned a coup in the capital.",
        ),
        ("The former chairman of the board resigned.", "The chairman of the board resigned."),
        ("The vice president of the company resigned.", "The president of the company resigned."),
        ("Nearly all of the stock was sold in May.", "All of the stock was sold in May."),
        (
            "The river contains nitrate from the fields nearby.",
            "The river contains nitrite from the fields nearby.",
        ),
        ("Doctors prescribe the drug in most regions.", "Doctors proscribe the drug in most regions."),
        (
            "The law protects employers in the whole country.",
            "The law protects employees in the whole country.",
        ),
        ("The link between the two is causal in mice.", "The link between the two is casual in mice."),
        ("The loop ends when X = 5 in the first round.", "The loop ends when X != 5 in the first round."),
        ("The service is written in C++ and Python.", "The service is written in C and Python."),
        ("The agency rates the bonds of the town A+.", "The agency rates the bonds of the town A-."),
        ("Der Anschluss kostet 1.500 Euro je Haushalt.", "Der Anschluss kostet 1,5 Euro je Haushalt."),
        ("Few users of the plan use the export.", "A few users of the plan use the export."),
        ("There is little evidence for the effect.", "There is a little evidence for the effect."),
    ] {
        assert!(!same(one, other), "{one} / {other}");
    }
    for (one, other) in [
        ("Der Anschluss kostet 1.500 Euro je Haushalt.", "Der Anschluss kostet 1500 Euro je Haushalt."),
        ("Revenue of the firm grew 45% in May.", "Revenue of the firm grew by 45% in May."),
        ("Very few users of the plan use the export.", "Few users of the plan use the export."),
        ("A report says the bridge is closed.", "According to Reuters, a report says the bridge is closed."),
    ] {
        assert!(same(one, other), "{one} / {other}");
    }
}

#[test]
fn what_changes_places_around_a_word_differs() {
    for (one, other) in [
        ("Upgrade Redis before Postgres.", "Upgrade Postgres before Redis."),
        (
            "Upgrade the database server before the web client.",
            "Upgrade the web client before the database server.",
        ),
        ("Replace node 1 with node 2.", "Replace node 2 with node 1."),
        ("Install version 2 before version 3.", "Install version 3 before version 2."),
        ("Run step 4 after step 5.", "Run step 5 after step 4."),
        ("Take tablet 1 before tablet 2.", "Take tablet 2 before tablet 1."),
        ("Team A won against Team B.", "Team B won against Team A."),
        ("Server A replicates to server B.", "Server B replicates to server A."),
        ("The train leaves Paris for Lyon at 8:15.", "The train leaves Lyon for Paris at 8:15."),
        ("2022年出口增长3%，2023年出口增长2%。", "2022年出口增长2%，2023年出口增长3%。"),
    ] {
        assert!(!same(one, other), "{one} / {other}");
    }
    for (one, other) in [
        ("In July rates rose.", "Rates rose in July."),
        ("Revenue grew 45% in 2023 in Germany.", "Revenue grew 45% in Germany in 2023."),
        ("Sales rose 3% in 2023 and 5% in 2022.", "Sales rose 5% in 2022 and 3% in 2023."),
        (
            "Exports of 3% in March and exports of 5% in June.",
            "Exports of 5% in June and exports of 3% in March.",
        ),
        ("Exports fell while imports rose.", "Imports rose while exports fell."),
        ("The tool supports Redis and Postgres.", "The tool supports Postgres and Redis."),
        ("In team A costs fell, in team B sales rose.", "In team B sales rose, in team A costs fell."),
    ] {
        assert!(same(one, other), "{one} / {other}");
    }
}

#[test]
fn tables_are_the_same_however_wide_their_cells_are_written() {
    let table = |cell: &str, is_padded: bool| match is_padded {
        true => format!(
            "| Plan  | Limit of it | Note           |\n|:------|------------:|----------------|\n| Basic | {cell:>11} | some text here |\n"
        ),
        false => format!("|Plan|Limit of it|Note|\n|---|---|---|\n|Basic|{cell}|some text here|\n"),
    };
    for cell in ["5 MB", "-5", "", "/", "*", "+", "A-", "C++", "[1]", "❌"] {
        assert!(same(&table(cell, true), &table(cell, false)), "{cell}");
    }
    for is_padded in [true, false] {
        for (one, other) in [("-5", "5"), ("/", "*"), ("A-", "A"), ("yes", "no"), ("ls -l", "ls -L")] {
            assert!(!same(&table(one, is_padded), &table(other, is_padded)), "{one} / {other} {is_padded}");
        }
    }
}

#[test]
fn identifiers_and_names_are_spelled_as_they_are() {
    for (one, other) in [
        (
            "Use `get_user` to load the record of the account.",
            "Use `get_users` to load the record of the account.",
        ),
        ("Call GET /v1/order to list what was bought.", "Call GET /v1/orders to list what was bought."),
        ("The user_id of the row must be unique.", "The user_ids of the row must be unique."),
        ("Set maxRetry to limit how often it is sent.", "Set maxRetries to limit how often it is sent."),
        ("ACME_TIMEOUT sets how long the call waits.", "ACME_TIMEOUTS sets how long the call waits."),
        ("Pass --force to overwrite the old file.", "Pass --forced to overwrite the old file."),
        (
            "The port is written in setting.json of the app.",
            "The port is written in settings.json of the app.",
        ),
        ("Run `list item` to see what is there.", "Run `list items` to see what is there."),
        ("Set connection_timeout to limit the waiting.", "Set conection_timeout to limit the waiting."),
        ("The study was led by Dr. Johnson in May.", "The study was led by Dr. Johnston in May."),
        ("The prize of the year went to Anna Schmidt.", "The prize of the year went to Anna Schmitt."),
        ("The prize of the year went to Anna Williams.", "The prize of the year went to Anna William."),
        ("The key of the account is Abc123.", "The key of the account is abc123."),
        ("The video dQw4w9WgXcQ was removed.", "The video dqw4w9wgxcq was removed."),
        ("He died in the hospital.", "She died in the hospital."),
        ("He told her what had happened.", "She told him what had happened."),
    ] {
        assert!(!same(one, other), "{one} / {other}");
    }
    for (one, other) in [
        (
            "Use `get_user` to load the record of the account.",
            "Use get_user to load the records of the account.",
        ),
        ("Call GET /v1/orders to list the item.", "Call `GET /v1/orders` to list the items."),
        ("GitHub's price rose in the last year.", "GitHub prices rose in the last year."),
        ("The plan of Anna Schmidt lists a goal.", "The plans of Anna Schmidt listed goals."),
        (
            "The economy of the U.S. grew in the spring.",
            "The economy of the United States grew in the spring.",
        ),
        ("He died in the hospital.", "He died in a hospital."),
        ("The commitee of the EU adopted the rule.", "The committee of the EU adopted the rule."),
        ("The URLs of the API hold a port.", "The URL of the API holds a port."),
    ] {
        assert!(same(one, other), "{one} / {other}");
    }
}

#[test]
fn things_in_each_others_places_differ() {
    for (one, other) in [
        (
            "Windows is supported while Linux is not supported.",
            "Linux is supported while Windows is not supported.",
        ),
        (
            "First restart the server and then clear the cache.",
            "First clear the cache and then restart the server.",
        ),
        ("The A team won and the B team lost.", "The B team won and the A team lost."),
        ("Wireless charging: Pixel yes, iPhone no.", "Wireless charging: Pixel no, iPhone yes."),
        ("猫は犬より大きいです。", "犬は猫より大きいです。"),
        ("北京比上海大很多。", "上海比北京大很多。"),
        ("Se transfirieron 500 € de Ana a Luis.", "Se transfirieron 500 € de Luis a Ana."),
        ("Il treno da Roma a Milano parte alle 14:05.", "Il treno da Milano a Roma parte alle 14:05."),
        ("500 € wurden von Ana an Luis überwiesen.", "500 € wurden von Luis an Ana überwiesen."),
        ("Der Vertrag wurde von Acme an Beta verkauft.", "Der Vertrag wurde von Beta an Acme verkauft."),
        ("هزمت الأرجنتين فرنسا في النهائي.", "هزمت فرنسا الأرجنتين في النهائي."),
        ("Sales rose in France and fell in Spain.", "Sales rose in Spain and fell in France."),
    ] {
        assert!(!same(one, other), "{one} / {other}");
    }
    for (one, other) in [
        ("Redis and Postgres are not supported.", "Postgres and Redis are not supported."),
        ("Costs did not rise, and sales fell.", "Sales fell, and costs did not rise."),
        ("In 2023 prices did not rise.", "Prices did not rise in 2023."),
        ("苹果和香蕉都不含脂肪。", "香蕉和苹果都不含脂肪。"),
        ("It has a lion and a tiger.", "It has a tiger and a lion."),
        ("Restart the server and clear the cache.", "Clear the cache and restart the server."),
    ] {
        assert!(same(one, other), "{one} / {other}");
    }
}

fn partition(texts: &[String]) -> Vec<Vec<String>> {
    let mut reader = Reader::default();
    let items: Vec<Features<'_>> = texts.iter().map(|text| reader.read(text)).collect();
    let found = clusters(&items).clusters;
    found.iter().map(|cluster| cluster.members.iter().map(|&at| texts[at].clone()).collect()).collect()
}

#[test]
fn hostile_lists_cost_little() {
    for count in [500, 5_000] {
        let texts: Vec<String> = (0..count)
            .map(|at| format!("the common sentence has word{} in the middle of itself", letters(at)))
            .collect();
        let mut reader = Reader::default();
        let items: Vec<Features<'_>> = texts.iter().map(|text| reader.read(text)).collect();
        let found = clusters(&items);
        assert!(found.pairs_checked <= count * CHECKS_MAX, "{}", found.pairs_checked);
        assert!(found.pairs_skipped > 0);
    }
}

fn letters(mut number: usize) -> String {
    let mut word = String::new();
    while number > 0 || word.is_empty() {
        word.push(char::from(b'a' + (number % 26) as u8));
        number /= 26;
    }
    word
}

fn sentences() -> impl Strategy<Value = Vec<String>> {
    let word = prop::sample::select(vec![
        "market", "Market", "grew", "fell", "5%", "6%", "the", "in", "China", "美国", "增长", "not",
        "quickly", "supply,",
    ]);
    prop::collection::vec(prop::collection::vec(word, 0..8).prop_map(|words| words.join(" ")), 0..24)
}

#[test]
fn what_negations_stand_before_is_told_apart() {
    for (one, other) in [
        (
            "Patients with diabetes should not take the drug.",
            "Patients without diabetes should take the drug.",
        ),
        ("Patients who do not smoke should take the drug.", "Patients who smoke should not take the drug."),
        ("If the flag is set, the server does not restart.", "If the flag is not set, the server restarts."),
        ("Users with an account cannot apply.", "Users without an account can apply."),
        ("Companies with no debt are eligible.", "Companies with debt are not eligible."),
        ("Not all drugs are safe.", "All drugs are not safe."),
        ("The plan does not require members to pay.", "The plan requires members not to pay."),
        ("Without water the plant dies.", "With water the plant does not die."),
        ("不吸烟的患者应服用该药。", "吸烟的患者不应服用该药。"),
        (
            "Les patients qui ne fument pas doivent prendre ce médicament.",
            "Les patients qui fument ne doivent pas prendre ce médicament.",
        ),
    ] {
        assert!(!same(one, other), "{one} / {other}");
    }
    for (one, other) in [
        ("No data was lost in the outage.", "In the outage, data was not lost."),
        ("There is no evidence of harm.", "Evidence of harm is not there."),
        ("Prices did not significantly rise in 2023.", "Prices did not rise significantly in 2023."),
        ("If the flag is not set, the server restarts.", "The server restarts if the flag isn't set."),
        ("The server can't restart without the flag.", "Without the flag the server cannot restart."),
    ] {
        assert!(same(one, other), "{one} / {other}");
    }
}

proptest! {
    #[test]
    fn order_changes_nothing(mut texts in sentences(), seed in any::<u64>()) {
        let before = partition(&texts);
        let count = texts.len().max(1);
        for at in 0..texts.len() {
            texts.swap(at, (seed as usize).wrapping_mul(at + 7) % count);
        }
        prop_assert_eq!(before, partition(&texts));
    }

    #[test]
    fn nothing_differs_inside_a_cluster(texts in sentences()) {
        let mut reader = Reader::default();
        let items: Vec<Features<'_>> = texts.iter().map(|text| reader.read(text)).collect();
        for cluster in clusters(&items).clusters {
            for &member in &cluster.members {
                prop_assert_eq!(items[member].signature, items[cluster.representative].signature);
            }
        }
    }

    #[test]
    fn any_text_can_be_read(one in "\\PC{0,200}", other in "\\PC{0,200}") {
        same(&one, &other);
    }
}
