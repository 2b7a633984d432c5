//! Which parts a query has, and which of them the findings leave open.

use proptest::prelude::*;

use super::*;
use crate::domain::synthesis::claims::Confidence;

mod untrue;

fn finding(shown: usize, content: &str, sources: Vec<usize>) -> Finding<'_> {
    Finding {
        topic: content.split(' ').next().unwrap_or_default().to_owned(),
        content,
        sources,
        contributors: Vec::new(),
        confidence: Confidence::Low,
        verify: None,
        statements: vec![shown],
        shown,
    }
}

#[test]
fn parts_of_questions() {
    for (query, expected) in [
        (
            "What are the costs, risks and benefits of heat pumps?",
            vec!["costs", "risks", "benefits of heat pumps"],
        ),
        ("请帮我整理产品进度，融资情况、团队情况", vec!["产品进度", "融资情况", "团队情况"]),
        (
            "Which heat pumps are quiet? Furthermore, what do they cost?",
            vec!["heat pumps are quiet", "do they cost"],
        ),
        ("Was kosten sie? Außerdem, bitte, die Lautstärke", vec!["Was kosten sie", "die Lautstärke"]),
        ("热泵的价格，但是，噪音", vec!["热泵的价格", "噪音"]),
        // A number is one, whatever groups it.
        (
            "How many of the 1,200 staff, and which of the 3,500 contractors, work remotely?",
            vec!["How many of the 1,200 staff", "3,500 contractors", "work remotely"],
        ),
        ("Which hotels are under ¥20,000 a night?", vec!["hotels are under ¥20,000 a night"]),
        ("Review the pull request #412, 3, 4", vec!["pull request #412"]),
        ("我是一名游戏开发，想了解引擎的价格", vec!["想了解引擎的价格"]),
        ("I am a nurse from Bonn, how is pain measured?", vec!["is pain measured"]),
        (
            "Wie hoch ist der Mindestlohn und wer ist ausgenommen?",
            vec!["Wie hoch ist der Mindestlohn", "wer ist ausgenommen"],
        ),
        ("Was sind Hund und Katze?", vec!["Was sind Hund und Katze"]),
        ("Quanto custa o bilhete e quem paga?", vec!["Quanto custa o bilhete", "quem paga"]),
        ("Quanto costa il biglietto e chi paga?", vec!["Quanto costa il biglietto", "chi paga"]),
        ("Сколько стоит билет и кто платит?", vec!["Сколько стоит билет", "кто платит"]),
        ("Quem são o pai e a mãe?", vec!["Quem são o pai e a mãe"]),
        // Each is asked once, whatever its case.
        ("Write a guide to Acme\nGuide to Acme", vec!["guide to Acme"]),
        (
            "¿Cuánto cuesta el billete y cuánto dura el viaje?",
            vec!["Cuánto cuesta el billete", "cuánto dura el viaje"],
        ),
        // What stands before a colon leads to it.
        (
            "Compare Alpha, Beta and Gamma for pilots: weight, price of batteries. Which one?",
            vec!["Alpha", "Beta", "Gamma for pilots", "weight", "price of batteries"],
        ),
        ("Write up the incident of 14 March: what was the cause, what was harmed?", vec!["cause", "harmed"]),
        ("Review change #482: is it correct, is it fast?", vec!["is it fast"]),
        ("Is it correct that zinc helps against colds?", vec!["Is it correct that zinc helps against colds"]),
        ("Analyze the earnings of Acme: revenue, margin", vec!["revenue", "margin"]),
        (
            "Plan a trip on a budget of €1,500: flights excluded",
            vec!["Plan a trip on a budget of €1,500: flights excluded"],
        ),
        ("Question: What is the cause?", vec!["cause"]),
        (
            "When does the 10:30 train leave, and at which gate?",
            vec!["When does the 10:30 train leave", "at which gate"],
        ),
        ("What are the risks of mergers: legal, financial?", vec!["risks of mergers", "legal", "financial"]),
        // What is given isn't asked for.
        ("Review the attached service agreement. What are the payment terms?", vec!["payment terms"]),
        ("Review the attached code for security holes", vec!["security holes"]),
        ("Is the attached list right?", vec!["Is the attached list right"]),
        ("", vec![]),
    ] {
        assert_eq!(parts(query), expected, "{query}");
    }
}

#[test]
fn what_says_how_to_answer_asks_for_nothing() {
    for (query, expected) in [
        (
            "What are the costs and risks of heat pumps? Answer in a table. Keep it under 200 words, and cite sources.",
            vec!["costs", "risks of heat pumps"],
        ),
        ("Compare the prices. Use headings, bullet points and short paragraphs.", vec!["prices"]),
        ("What are the risks, in bullet points?", vec!["risks"]),
        ("List the risks in bullet points", vec!["risks"]),
        ("Compare Rust and Java and answer in a table", vec!["Rust", "Java"]),
        ("Summarize the risks in 200 words", vec!["risks"]),
        ("Was kostet es? Antworte in Stichpunkten.", vec!["Was kostet es"]),
        ("热泵的价格是多少？请用表格形式回答，不超过500字，并列出参考文献。", vec!["热泵的价格"]),
        // These are asked about.
        ("Is JSON faster than YAML?", vec!["Is JSON faster than YAML"]),
        ("Give the prices in a table of plans", vec!["Give the prices in a table of plans"]),
        (
            "What are its sources of income and its links to banks?",
            vec!["its sources of income", "its links to banks"],
        ),
    ] {
        assert_eq!(parts(query), expected, "{query}");
    }
}

#[test]
fn statements_beside_a_question_ask_for_nothing() {
    for (query, expected) in [
        (
            "Parkinson's disease has a profound impact on patients. What are the warning signs?",
            vec!["warning signs"],
        ),
        ("The model relies on views, which often fail. What are the risks?", vec!["risks"]),
        ("How is the press reviewed, introducing a degree of subjectivity?", vec!["is the press reviewed"]),
        (
            "Which models are there, such as Gemini, and others relevant now?",
            vec!["models are there", "Gemini"],
        ),
        ("现在AI这么热门，学校有怎样的培养体系？", vec!["学校有怎样的培养体系"]),
        ("现在AI这么热门，我最感兴趣的就是教育应用", vec!["我最感兴趣的就是教育应用"]),
        ("该算法主要用于求解安全路径。如何优化这个算法？", vec!["优化这个算法"]),
        ("整理量子网络的研究，也可以不局限于这些维度", vec!["量子网络的研究"]),
        // These ask, with or without a mark.
        ("Compare the prices. What are the risks?", vec!["prices", "risks"]),
        (
            "It has to tell how fast the car is. What are the risks?",
            vec!["It has to tell how fast the car is", "risks"],
        ),
        (
            "The price of heat pumps, which is rising. The noise is high.",
            vec!["price of heat pumps", "is rising", "noise is high"],
        ),
        (
            "What are the costs, pricing the risks, marketing?",
            vec!["costs", "pricing the risks", "marketing"],
        ),
        ("为什么房价这么高，有哪些政策？", vec!["为什么房价这么高", "有哪些政策"]),
        ("目前市场规模，主要厂商有哪些？", vec!["目前市场规模", "主要厂商"]),
    ] {
        assert_eq!(parts(query), expected, "{query}");
    }
}

#[test]
fn questions_of_any_language_are_covered_by_what_answers_them() {
    for (query, content, open) in [
        ("Wie hoch sind die Kosten für Strom und Gas?", "Die Stromkosten liegen bei 30 Cent.", 0),
        ("Quels sont les coûts du logement et de l'énergie ?", "Le logement coûte 900 euros.", 0),
        ("北京和上海的房价分别是多少？", "北京的房价为每平方米6万元，上海的房价为7万元。", 0),
        ("公司的收入和利润是多少？", "公司2023年收入为5亿元。", 1),
        ("公司的收入和利润是多少？", "公司2023年收入为5亿元，利润为1亿元。", 0),
        ("和平条约涉及哪些国家？", "和平条约涉及三个国家。", 0),
        ("How many people live in Rome?", "Rome has a population of 2.8 million.", 0),
        ("Did revenue change?", "Sales rose by 5%.", 0),
        ("What is the error rate?", "\"status\": \"degraded\", \"error_rate\": 0.07", 0),
        ("What is the error rate?", "\"status\": \"degraded\", \"cache_hits\": 7", 1),
        ("Compare price and speed.", "It costs 5 dollars and answers within 20 ms.", 0),
        ("Pros and cons of nuclear power", "Nuclear power has one benefit and one drawback.", 0),
        (
            "What are the advantages and disadvantages of heat pumps?",
            "An advantage of heat pumps is low cost.",
            1,
        ),
        ("What are the advantages and disadvantages of heat pumps?", "Heat pumps save 40% of the energy.", 0),
        ("How many people live in Rome?", "The plan costs 5 dollars.", 1),
        (
            "Which vector database should we choose for 50 million embeddings?",
            "Use Qdrant for 50M vectors.",
            0,
        ),
        ("Which database should we choose?", "I'd go with Milvus.", 0),
        ("Which database should we choose?", "\"recommendation\": \"pgvector\"", 0),
        ("Which database should we choose?", "Milvus scales out.", 1),
        ("What did the board decide on 3 March?", "The board approved a budget of €1.4m.", 0),
        ("Find bugs in checkout.py", "The total has a bug.", 0),
        ("What is the capital of Eldoria?", "Answer: Paris", 0),
        ("What is the capital of Eldoria?", "Paris is old", 1),
        ("Compare", "The Pro plan costs $25.", 0),
        ("Summarise the incident on 12 May", "The error rate rose to 7 %.", 0),
        ("What caused the incident on 12 May?", "The error rate rose to 7 %.", 1),
        ("Why did checkout fail on 12 May?", "\"root_cause\": \"connection pool exhausted\"", 0),
        ("Why did checkout fail on 12 May?", "The disk was full because nobody looked.", 0),
        ("Why did checkout fail on 12 May?", "The error rate rose to 7 %.", 1),
        ("What should we do to prevent outages?", "Tom suggested a larger pool.", 0),
        ("What should we do to prevent outages?", "[ ] Make the canary stage mandatory", 0),
        ("What should we do to prevent outages?", "The error rate rose to 7 %.", 1),
        ("How do we fix it?", "Roll back to the last good version.", 0),
        ("How do we fix it?", "The error rate rose to 7 %.", 1),
        ("How much money do we get?", "Grants of up to €2.5 million are given.", 0),
        ("What should we use for the search?", "The error rate rose to 7 %.", 1),
        ("Wie hoch sind die Kosten für Strom und Gas?", "Die Anlage wurde im Mai gewartet.", 1),
        ("北京和上海的房价分别是多少？", "这座工厂的泵每年需要换油。", 2),
        ("What is the price of the Pixel 9 and the Pixel 8?", "The Pixel 9 costs $799.", 1),
        ("What is the price of the Pixel 9 and the Pixel 8?", "The Pixel 9 costs $799, the Pixel 8 $699.", 0),
        ("What is the revenue in 2022 and 2023?", "Revenue was $5 billion in 2023.", 1),
        ("How does the market grow between 2020 and 2030?", "The market grows 18% a year until 2030.", 0),
        ("List 3 advantages of the iPhone 15", "An advantage of the iPhone 15 is its weight.", 0),
        ("Was kostet ein Ticket und wie lange dauert die Fahrt?", "Ein Ticket kostet 20 Euro.", 1),
        (
            "Was kostet ein Ticket und wie lange dauert die Fahrt?",
            "Das Ticket kostet 20 Euro, die Fahrt 2 Stunden.",
            0,
        ),
        ("¿Cuánto cuesta el billete y cuánto dura el viaje?", "El billete cuesta 20 euros.", 1),
        ("Quanto custa o bilhete e quem paga?", "O bilhete custa 20 euros.", 1),
        ("Quanto costa il biglietto e chi paga?", "Il biglietto costa 20 euro, e paga il cliente.", 0),
        ("Сколько стоит билет и кто платит?", "Билет стоит 20 евро.", 1),
        ("Combien coûte le billet et combien de temps dure le trajet ?", "Le billet coûte 20 euros.", 1),
        ("When was the Eiffel Tower built?", "The Eiffel Tower is in Paris.", 1),
        ("When was the Eiffel Tower built?", "The Eiffel Tower was built in 1889.", 0),
        ("When should Kafka be used?", "Kafka should be used for logs.", 0),
        ("出口情况如何？", "出口120.3万辆，同比增长77%。", 0),
        ("出口情况如何？", "这座工厂的泵每年需要换油。", 1),
        ("How fast will it grow?", "Growth is projected at 18% a year until 2033.", 0),
        ("Who won the match and what was the score?", "FC Alpha beat FC Beta 3-1.", 0),
        ("Who won the match and what was the score?", "The match was played in Oslo on 3 May.", 1),
        ("橋はいつ開通しましたか?", "橋は2019年5月12日に開通した。", 0),
        ("橋はいつ開通しましたか?", "工場のポンプは毎年点検される。", 1),
        ("この薬は安全ですか?副作用はありますか?", "この薬は安全です。副作用は頭痛です。", 0),
        ("この薬は安全ですか?副作用はありますか?", "この薬は安全です。", 1),
        ("What was Acme's revenue?", "The pump needs oil.", 1),
        ("What is the workaround?", "Clearing the app cache works around the crash.", 0),
        ("How much do the plans cost?", "Acme Pro is $10 per month.", 0),
        ("How much do the plans cost?", "Starter: $10 per month, billed yearly.", 0),
        ("How much is it?", "The fee is 5 euros.", 0),
        ("How much do the plans cost?", "The plans are popular with teams.", 1),
        ("How much does the license cost?", "The server is $10 per month.", 1),
        ("How much memory does it need?", "Starter: $10 per month.", 1),
        ("How much do the plans cost, how much does the phone cost?", "Starter: $10 per month.", 2),
        ("How long does delivery take?", "Parcels arrive within 3 days.", 0),
        ("Wie lange dauert die Lieferung?", "Pakete kommen nach 3 Tagen an.", 0),
        ("Wie lange dauert die Lieferung?", "Die Brücke hielt 20 Jahre.", 1),
        ("How long is the warranty?", "It is covered for 2 years.", 0),
        ("How long does delivery take?", "Acme was founded 3 years ago.", 1),
        ("Can we store addresses, and for how long?", "You may store addresses for 7 days.", 0),
        ("Can we store addresses, and for how long?", "You may store addresses of customers.", 1),
        ("How do we add OAuth login to our app?", "Use the omniauth gem.", 0),
        ("How do we add OAuth login to our app?", "The omniauth gem is popular.", 1),
        ("How long is the river?", "Building the bridge took 20 years.", 1),
        ("When is the launch?", "It goes live on 5 May 2025.", 0),
        ("When is the launch?", "Acme was founded in 1998.", 1),
        ("How many planets does the solar system contain?", "There are eight planets.", 0),
        ("How many planets does the solar system contain?", "It took 8 years to find planets.", 1),
        ("Who is the CEO?", "Jane Doe leads the company.", 0),
        ("Who wrote the book?", "The author is Jane Doe.", 0),
        ("Who wrote the book?", "It has 300 pages.", 1),
        ("What colour is the car?", "It is red.", 0),
        ("What colour is the car?", "Red.", 0),
        ("How far is the airport?", "It takes a road of 22 km.", 0),
        ("How far is the airport?", "It has two halls.", 1),
        ("How fast does the train go?", "It reaches 250 km/h.", 0),
        ("How much notice is required?", "The landlord must give six months' notice.", 0),
        ("How much notice is required?", "The landlord must repair the roof.", 1),
        ("What does an eSIM cost in Switzerland?", "SwissGo takes CHF 35.", 0),
        (
            "Does the German plan include roaming in Switzerland?",
            "Die Schweiz ist im Tarif nicht enthalten.",
            0,
        ),
        ("Does the German plan include roaming in Switzerland?", "The office has been closed for years.", 1),
        ("Wer ist der Chef?", "Jane Doe leitet die Firma.", 0),
        ("Who is the CEO of Acme?", "Jane Doe has led the firm since 2020.", 0),
        ("What caused the checkout outage on 12 March?", "The outage was caused by a certificate.", 0),
        ("What are the side effects of ibuprofen?", "Ibuprofen can cause nausea and dizziness.", 0),
        ("What are the side effects and the price of ibuprofen?", "Ibuprofen costs 5 euros.", 1),
        ("What documents are required for a visa?", "You need a passport and two photos.", 0),
        ("What documents are required for a visa?", "The embassy opens at nine.", 1),
        (
            "What is their consumption potential across various aspects such as clothing, food, housing, and transportation?",
            "Clothing costs ¥50,000, food ¥350,000, housing ¥200,000 and transportation ¥90,000 a year.",
            0,
        ),
        (
            "What is their consumption potential across various aspects such as clothing, food, housing, and transportation?",
            "Clothing costs ¥50,000, food ¥350,000 and transportation ¥90,000 a year.",
            2,
        ),
        (
            "如何增强自闭症学生课堂参与度？有哪些有效的策略可供选择？",
            "增强自闭症学生课堂参与度的策略包括视觉支持和自我管理。",
            0,
        ),
        (
            "如何增强自闭症学生课堂参与度？有哪些有效的策略可供选择？",
            "自闭症学生课堂参与度需要增强，这很重要。",
            1,
        ),
    ] {
        let findings = [finding(0, content, vec![1, 2])];
        let features = [Features::of(&mut Lexicon::default(), content)];
        let gaps = gaps((query, &[], &[]), (&findings, &[]), &features, &[], &mut Lexicon::default());
        assert_eq!(gaps.len(), open, "{query}: {gaps:?}");
    }
}

#[test]
fn what_all_were_asked_is_covered_by_all_findings_together() {
    let said = [
        "An attacker gets around the login limit.",
        "The change adds one round trip to each request.",
        "The endpoint answers within 5 ms.",
    ];
    let findings: Vec<Finding<'_>> =
        said.iter().zip(0..).map(|(said, at)| finding(at, said, vec![1, 2])).collect();
    let mut lexicon = Lexicon::default();
    let features: Vec<_> = said.iter().map(|said| Features::of(&mut lexicon, said)).collect();
    let mut open = |query, count| {
        gaps((query, &[], &[]), (&findings[..count], &[]), &features[..count], &[], &mut lexicon).len()
    };
    let one_part = "Review the pull request that adds rate limiting to the login endpoint";
    assert_eq!((open(one_part, 3), open(one_part, 1), open(one_part, 0)), (0, 0, 1));
    assert_eq!(
        open("Plan a change of the login that answers within a second for all users of the shop", 3),
        0
    );
    // Of several parts each wants a finding that is about it.
    assert_eq!(
        open("login limits, change of the endpoint's round trip answers, rate limits of requests", 3),
        1
    );
}

#[test]
fn what_was_the_task_of_one_who_answered_is_covered() {
    let findings =
        [finding(0, "Teams deploy alone", vec![1, 2]), finding(1, "Calls take 5 ms more", vec![1, 2])];
    let mut lexicon = Lexicon::default();
    let features = findings.each_ref().map(|finding| Features::of(&mut lexicon, finding.content));
    let mut open = |tasks: &[&str]| {
        let query = "What are the benefits, risks and licences of microservices?";
        gaps((query, tasks, &[]), (&findings, &[]), &features, &[], &mut lexicon)
    };
    let (risks, licences) = ("No finding covers “risks”.", "No finding covers “licences of microservices”.");
    assert_eq!(open(&[]), [risks, licences]);
    assert_eq!(open(&["Benefits", "Find the risks"]), [licences]);
    assert_eq!(open(&["Licences", "Dangers of microservices"]), [""; 0]);
    // What all parts are about names none of them, and who was asked everything none in particular.
    assert_eq!(open(&["Microservices"]), [risks, licences]);
    assert_eq!(open(&["The benefits, risks and licences of microservices"]), [risks, licences]);
}

#[test]
fn what_alone_a_heading_names_is_covered() {
    let findings = [finding(0, "Breaches are told within 72 hours", vec![1, 2])];
    let mut lexicon = Lexicon::default();
    let features = findings.each_ref().map(|finding| Features::of(&mut lexicon, finding.content));
    let mut open = |headings: &[&str]| {
        let query = "What are the payment terms and the data protection obligations?";
        gaps((query, &[], headings), (&findings, &[]), &features, &[], &mut lexicon).len()
    };
    assert_eq!(open(&[]), 2);
    assert_eq!(open(&["Data Protection Obligations"]), 1);
    assert_eq!(open(&["I've reviewed the agreement's data protection provisions."]), 1);
    // One that repeats the query tells nothing, nor does one of something else.
    assert_eq!(open(&["Payment Terms and Data Protection Obligations"]), 2);
    assert_eq!(open(&["Protection of the roof"]), 2);
}

#[test]
fn what_is_to_be_made_is_covered_by_all_findings_together() {
    let said =
        ["Take the train to Sintra on the first day", "Two adults pay 12 euros in Lisbon", "It rains in May"];
    let findings: Vec<Finding<'_>> =
        said.iter().zip(0..).map(|(said, at)| finding(at, said, vec![1, 2])).collect();
    let mut lexicon = Lexicon::default();
    let features: Vec<_> = said.iter().map(|said| Features::of(&mut lexicon, said)).collect();
    let mut open = |query| gaps((query, &[], &[]), (&findings, &[]), &features, &[], &mut lexicon).len();
    assert_eq!(
        open("Plan a 5-day itinerary for Lisbon in early May for two adults. Which train goes to Sintra?"),
        0
    );
    assert_eq!(open("Plan a wedding in Rome with 80 guests. Which train goes to Sintra?"), 1);
    assert_eq!(
        open("Is a 5-day itinerary for Lisbon in early May for two adults dear? Which train goes to Sintra?"),
        1
    );
}

#[test]
fn gaps_are_named() {
    let findings = [finding(0, "Costs of heat pumps fell", vec![1]), finding(1, "Risks are few", vec![1, 2])];
    let mut lexicon = Lexicon::default();
    let features = findings.each_ref().map(|finding| Features::of(&mut lexicon, finding.content));
    let expected = [
        Expected {
            name: "web",
            task: None,
            status: "failed",
            why: Some("timeout"),
            brought: Brought::Nothing,
        },
        Expected {
            name: "crm",
            task: Some("p/1"),
            status: "timeout",
            why: Some("late"),
            brought: Brought::Part,
        },
        Expected { name: "docs", task: None, status: "completed", why: None, brought: Brought::Whole },
    ];
    assert_eq!(
        gaps(
            ("What are the costs, risks and long-term warranty terms?", &[], &[]),
            (&findings, &[]),
            &features,
            &expected,
            &mut lexicon
        ),
        [
            "No finding covers “long-term warranty terms”.",
            "crm (p/1) brought only a part of its result (timeout): late",
            "web brought no result (failed): timeout",
            "1 finding rests on a single source: “Costs”.",
        ]
    );
}

/// How many parts of a query are open where one thing was found.
fn open_of(query: &str, content: &str) -> usize {
    let findings = [finding(0, content, vec![1, 2])];
    let mut lexicon = Lexicon::default();
    let features = findings.each_ref().map(|finding| Features::of(&mut lexicon, finding.content));
    gaps((query, &[], &[]), (&findings, &[]), &features, &[], &mut lexicon).len()
}

#[test]
fn what_is_not_known_is_open() {
    let query = "What does it cost and how long does a decision take?";
    for unknown in [
        "It is unclear how long a decision takes.",
        "There is no data on how long a decision takes.",
        "How long a decision takes is not known.",
    ] {
        assert_eq!(open_of(query, unknown), 2, "{unknown}");
    }
    assert_eq!(open_of(query, "It costs £5, and a decision takes three weeks."), 0);
}

#[test]
fn what_answers_in_other_words_leaves_nothing_open() {
    for (query, content) in [
        (
            "We run a 60-bed care home heated by a gas boiler. Does the fund pay for boilers?",
            "The fund pays for boilers.",
        ),
        ("What does it mean for noise limits?", "The noise must not exceed 42 dB(A)."),
        ("Who pays for the extra storage?", "Storage is charged to the consignee."),
        ("How much of the coral was affected?", "63% of the corals were bleached."),
        ("What is the maximum number of participants?", "There are up to 300 participants."),
        ("What does a month of treatment cost?", "The list price is $710 for 30 tablets."),
        ("How well does Zelma work against migraine?", "Zelma reduced migraine days by 4.1."),
        ("Dürfen wir als Vermieter die Miete erhöhen?", "Vom Vermieter darf die Miete um 8 % erhöht werden."),
        ("Was kann der Mieter dagegen tun?", "Der Mieter kann eine Härte geltend machen."),
        ("Is it safe to go alone?", "Hiking alone is prohibited in winter."),
        ("What should we change on the pool?", "Alert on usage above 80%."),
        ("What documents do I need?", "Proof of income"),
        ("What documents do I need?", "For the visa: a passport, two photos, and proof of income."),
        ("需要哪些材料？", "护照、两张照片和收入证明。"),
        ("What is the capital of Australia?", "Canberra has been the seat of government since 1927."),
        ("How many orders failed?", "\"failedOrders\": 1240, \"totalOrders\": 20000"),
        ("How heavy is it?", "\"weight_kg\": 14.2"),
        ("What are the key figures of Acme?", "Revenue: €5 million"),
        ("Which tool should we use?", "Winner: Postgres"),
    ] {
        assert_eq!(open_of(query, content), 0, "{query}");
    }
    for (query, content) in [
        ("What does it mean for noise limits?", "The fund pays for boilers."),
        ("What does a month of treatment cost?", "The server is $710."),
        ("Dürfen wir als Vermieter die Miete erhöhen?", "Der Strom kostet 30 Cent."),
        ("Is it safe to go alone?", "The path is 4 km long."),
        ("What should we change on the pool?", "Alert systems are expensive."),
        ("What documents do I need?", "The embassy opens at nine."),
        ("需要哪些材料？", "大使馆每天九点开门办理业务。"),
        ("What is the capital of Australia?", "Sydney has been the largest city since 1927."),
        ("How many orders failed?", "\"totalUsers\": 20000"),
    ] {
        assert_eq!(open_of(query, content), 1, "{query}");
    }
}

proptest! {
    #[test]
    fn any_query_has_parts(query in "\\PC{0,120}") {
        for part in parts(&query) {
            prop_assert!(query.contains(part));
        }
    }
}
