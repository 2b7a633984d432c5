//! Texts are split where a reader would, covered whole, and hostile ones take no time.

use super::sentences;
use proptest::prelude::*;

/// The sentences, joined with `¦`, which no case holds.
fn split(text: &str) -> String {
    sentences(text).into_iter().map(|range| &text[range]).collect::<Vec<_>>().join("¦")
}

#[test]
fn splits_where_a_reader_would() {
    // ` | ` stands for a space where the text should be split, `¦` for such a place without a space.
    let cases = [
        // plain
        "One sentence. | Another one. | A third",
        "Is it? | It is! | Good.",
        "Wait for up to 8 s. | Tests pass.",
        "It rose to 12 m. | Tides vary.",
        "Urea costs 420 €/t. | I'd use CAN.",
        "Dr. Weber recommends 20 mg/d. | Prof. Li recommends 40 mg/d. | Both agree.",
        "In 1990 J. Smith wrote it.",
        "What?! | Really.",
        "Wait... | What happened?",
        "It was … well, odd.",
        "It was... odd.",
        "It grew… | Then it fell.",
        "No end mark",
        "She left. | (He stayed.) | They met.",
        "\"Is it so?\" he asked. | \"Yes.\" | They went.",
        "He said “Go.” | She went.",
        "**Bold statement.** | Next one.",
        "It works.* | Next.",
        // quotations stay whole where they close soon, and end no sentence that goes on
        "He said, \"It fell. It rose. It fell.\" | Then he left.",
        "He said, “It fell. It rose,” and left. | Then.",
        "Er sagte: „Es fiel. Es stieg.“ | Dann ging er.",
        "Il dit : « Il tombe. Il monte. » | Il part.",
        "他说：“市场下跌。价格上涨。”¦随后上涨。",
        "「落ちた。上がった。」と言った。¦次の文。",
        "橋は開通した。¦「本当ですか?」と彼は言った。",
        "「落ちた。」という報告だ。¦「上がった。」は誤りだ。",
        "“两杯就够了。”李医生说[2]。¦“三杯太多。”¦随后上涨。",
        "见[大桥全长五公里。](https://a.example/x)一文。¦随后上涨。",
        "A board 5\" wide. | One 6\" wide. | End.",
        "An \"open mark. | It never closes.",
        "\"It fell. It rose.\" [1] | Then he left.",
        "„Wir sparten 20 %. Das reicht nicht.\" | Er ging.",
        "部长说：\"下跌了。上涨了。\"¦随后上涨。",
        "It fell (it was 2020. It was long.) and rose. | End.",
        "Limits (esp. GenAI) are common (D.C. Cir. 2023). | End.",
        // citations stay with what they follow
        "\"It fell.\" (Smith, 2023) [1] | Then he left.",
        "It fell. (Smith et al., 2023, p. 4)[1][2] | Then he left.",
        "It fell. | (Smith, 2023) said so. | End.",
        "It rose.\u{a0}[1] | It fell.\u{202f}[2][3] | It rose.\t[1] | It fell.\u{2009}[2] | End.",
        "It has parts (cogs, etc.)\u{a0}[1][2]. | It fell.\u{3000}[2] | It rose.\u{200b}[1] | End.",
        "It rose.&nbsp;[1]&nbsp;¦It fell.\u{2060}[2]\u{a0}¦It rose.\u{feff}[3] | End.",
        "It rose [1]. | [2] says that it fell. | End.",
        "It rose ([1]). | [2], [3] and [4] say that it fell. | End.",
        "It rose. [2] | It fell [1]. [2] | End.",
        "It fell (cf. [2]). | It rose (refs. [1] and [3]). | It fell (see e.g. [2]) in May. | End.",
        "(It fell.[2]). | (It rose! [1]). | End.",
        "It rose. ([1]) | It fell. ([2], [3]) | End.",
        "It rose. (Source: [1]) | It fell.",
        "上涨了。（[1]）¦下跌了。（[2]）",
        "It must be hot [1]\n¦It needs 40 minutes [2]\n¦- End",
        "It rose [1]\nin the north.",
        "Source: https://a.org/x\n¦It fell.",
        "It must be hot  \n¦It needs 40 minutes",
        "It rose by 4 %.[1] | It fell later.[2][3] | End.",
        "It rose. [1] | It fell.",
        "It rose. [1, 2] [3] | It fell.",
        "It rose[1]. | It fell[2].",
        "It rose.【1】 | It fell.【2†source】 | End.",
        "It rose.[^1] | It fell.",
        "It rose.[1](https://a.example/x.html) | It fell.",
        "It rose. https://a.example/1 | It fell. <https://b.example/2> | Then (https://a.example) it rose. (https://c.example) | 价格下跌。https://d.example | 价格上涨。",
        "It rose. https://a.example/1 is where that stands.",
        "It is 30 days (cf. https://a.example/x). | It fell (vgl. https://b.example/y). | Es stieg.",
        "It rose.[1]¦It fell.",
        "Reported.² | Next.",
        // abbreviations
        "Dr. Smith met Mr. Jones. | They spoke.",
        "The House passed H.Res. 269 in 2002. | See Pub. L. 107-56, 115 Stat. 272. | They met in the pub. | Lee left.",
        "A motion under Fed. R. Civ. P. 12(b)(6) tests it. | It is early. | It was met by the Fed. | Rates rose.",
        "Das folgt aus Art. 6 Abs. 1 UAbs. 1 Buchst. f DSGVO. | Es gilt.",
        "Selon l'art. L. 121-1 du code, il doit. | Selon l’art. R. 421-1 aussi. | C'est de l'art. | Les gens rient.",
        "It is on Tue. 4 March at noon. | It is open Wed. – Fri. 10:00 to 17:00. | She came on Tue. | Everyone came. | He sat. | 4 left.",
        "In Japan Yahoo! Japan leads. | They use Yahoo! | It is old. | Wow! | Japan won.",
        "Il sig. Rossi e la sig.ra Bianchi parlano. | Poi il dott. Verdi tace.",
        "Volgens dhr. Jansen is het lang. | Zdaniem dr. Nowaka i prof. Kota most ma 5 km. | Koniec.",
        "O sr. Silva e a dra. Costa falam. | She saw the dr. | The wait was long.",
        "कॉफ़ी में है [1]। | चाय में है।[2] | वह।",
        "Use fruit, e.g. Apples or pears. | Good.",
        "Many fruits, i.e. Apples.",
        "The U.S. Government agreed. | It paid.",
        "He lives in the U.S. | The law applies there.",
        "Apple Inc. CEO Tim Cook spoke.",
        "It was sold by Acme Inc. | The price was high.",
        "Smith vs. Jones was decided.",
        "Im 3. Quartal stieg er. | Der 2. Weltkrieg endete. | Es waren 3. | Danach nicht.",
        "Prof. Dr. med. Müller, Hauptstr. 5, Tel. 030 12 sprach. | Ende.",
        "He died in World War II. | Millions died with him.",
        "Apples, pears, etc. | Prices rose, etc.[1][2]. | Bridges fell.",
        "Am 5. Okt. 2024 begann es. | Im Okt. | Danach nicht.",
        "Zulässig gem. Art. 5 DSGVO und gem. § 12. | Sonst nicht.",
        "It is a hidden gem. | Visitors come.",
        "Keep this in mind. | The rest follows.",
        "El presidente de EE. UU. Joe Biden habló. | Luego calló.",
        "Vive en EE. UU. | La ley se aplica allí.",
        "En 44 av. J.-C. César meurt. | Il régnait.",
        "Am 13. Dez. 44 v. Chr. Herrscher in Rom. | Das Jahr war lang.",
        "Le 3 janv. 2024 il pleut. | Il neige.",
        "See Fig. 3 for details. | Fig. 4 shows more.",
        "He said no. | Then he left.",
        "No. 5 is alive. | It is.",
        "Smith et al. (2020) found it. | Others agree.",
        "Smith et al. | The others disagree.",
        "It opened on Jan. 5 and closed. | Good.",
        "See p. 12 and pp. 13 for it.",
        "Das gilt z. B. Für Hunde. | Gut.",
        "Das gilt z.B. Hunden. | Gut.",
        "Am 3. Oktober 1990 geschah es. | Danach nicht mehr.",
        "Im 19. Jahrhundert war es so. | Heute nicht.",
        "Das Gesetz gilt z. B. in Bayern seit dem 1. 1. 2020 für alle. | Sonst nicht.",
        "Es gilt vom 31. 12. 2019 an. | Es waren 13. | 2020 waren es mehr.",
        "The plan costs Rs. 500 per month. | It was Tk. 90 or Rp. 4 before.",
        "He paid Rs. | Then he left.",
        "Zgodnie z § 7 ust. 2 umowy okres wynosi 3 lata. | Koszt to ok. 50 tys. zł, tj. ok. 4 zł. | It is ok. | We stay.",
        "Der Ausfall dauerte 1 Std. 12 Min. im Netz. | Das sind insg. 72 und ggü. 2023 mehr. | Es dauerte eine Std. | Dann nicht.",
        "Согласно п. 3 ст. 15 срок 10 дней. | В работе Иванова и др. (2020 г.) снижение составило 12 %. | Это всё.",
        "It lasted 1 hr. 12 min. and hit 300 users. | It lasted an hr. | It ended.",
        // before a code or a letter
        "The cartridge has part no. AF-40C. | It fits.",
        "The screw is ref. B12 and order no. X-77. | It is made of steel.",
        "See art. IV and fig. B for details. | See fig. A too.",
        "Der Vertrag hat die Nr. A-17. | Er läuft bis 2027.",
        "Siehe Abs. B und Art. IV des Vertrags. | Art.-Nr. 17 und Bestell-Nr. X-77 auch.",
        "It stands on p. B7 of the paper. | It ends.",
        "Is it needed? | No. | B12 is in meat.",
        "They said no. | B12 is in meat.",
        "They ate a fig. | Then they left.",
        "Train your abs. | B12 helps.",
        "The player hit the ref. | A goal followed.",
        "They have no part in it and no order. | B12 helps.",
        "He gave the vol. | Berlin was next.",
        "See the nos. | UNESCO lists them.",
        // what begins in small letters
        "The loop is slow. | `max_retries` defaults to 3.",
        "The build is broken (since May). | npm 9 is required.",
        "The load was high. | p99 latency rose.",
        "The revenue rose [1]. | iPhone sales fell.",
        "It has a limit. | max_size sets it.",
        "Use a flag, e.g. `max` or `min`. | Good.",
        "Use models, esp. gpt-4 or resp. h100 ones. | Good.",
        "It is big, cf. fig. s1 and tab. s2 in it.",
        "The temp. was low and the avg. p99 was high.",
        "It holds water. but not much.",
        "Smith, Prices and rates. arXiv preprint, and Doe, Rates. bioRxiv of May.",
        "J. K. Rowling wrote it. | She is known.",
        "It was written by J.R.R. Tolkien. | He taught.",
        "She took vitamin C. | The cold passed.",
        "At 5 p.m. | The shop closes.",
        "At 5 p.m. Eastern time it closes.",
        "She has a Ph.D. | She teaches.",
        "It costs approx. $5 a day. | Cheap.",
        "Apples, pears, etc. | However, no plums.",
        "Brown v. Board of Education was decided.",
        // numbers, versions, addresses
        "Pi is 3.14 and e is 2.71. | Both matter.",
        "Version 1.2.3 is out. | Get it.",
        "It fell in 2024. | The year was hard.",
        "It has 3. | The rest is gone.",
        "1. First item is here. | Then more.",
        "1.2. Scope of work. | Then more.",
        "IV. Results are shown. | Then more.",
        "Read https://example.com/a.b?c=d!e for it. | Good.",
        "Read https://example.com/a.html. | Good.",
        "Mail a.b@example.co.uk today. | Good.",
        "Node.js is fast. | ASP.NET too.",
        "See [Title. With stop](https://example.com/x) for it. | Good.",
        "Run `foo. Bar` now. | Good.",
        // other scripts
        "今天天气很好。¦我们去公园吧！¦好吗？¦好。",
        "市场增长17.1%[1]。¦其后下降[2][3]。",
        "市场增长。[1]¦其后下降。",
        "市场增长。【1】【2】¦其后下降。",
        "“你好。”¦他走了。",
        "他说……然后走了。",
        "「はい。」と言った。¦次の文。",
        "これは文です。¦これも文です！¦はい？",
        "真的吗?¦是的。¦好。",
        "使用Node.js开发。¦很快。",
        "値は３．１４です。¦終わり．",
        "यह एक वाक्य है। | दूसरा वाक्य।",
        "هل هذا صحيح؟ | نعم هو كذلك.",
        // lines
        "A line that\nis wrapped. | Next.",
        "中文的一行\n还在继续。¦下一句。",
        "A paragraph¦\n\nAnother one",
        "A paragraph.\r\n\r\n¦Another one",
        "# Heading\n¦Text after it.",
        "- one\n¦- two. | Three\n¦* four",
        "[1] Title: https://a.example  \n¦[2] Other: https://b.example",
        "|a|\n¦|b|",
        "Good. | 🎉 Next. | End",
    ];
    let mut wrong = Vec::new();
    for case in cases.iter() {
        let text = case.replace(" | ", " ").replace('¦', "");
        let expected =
            case.split(" | ").flat_map(|part| part.split('¦')).map(str::trim).collect::<Vec<_>>().join("¦");
        if split(&text) != expected {
            wrong.push((split(&text), expected));
        }
    }
    assert!(wrong.is_empty(), "got and expected: {wrong:#?}");
    assert!(cases.len() >= 60);
}

#[test]
fn nothing_in_nothing() {
    assert!(sentences("").is_empty());
    assert!(sentences(" \n\t\u{3000}\r\n ").is_empty());
    assert_eq!(split("."), ".");
}

#[test]
fn a_citation_without_a_space_ends_before_a_capital() {
    assert_eq!(split("It rose.[1] It fell."), "It rose.[1]¦It fell.");
    assert_eq!(split("增长。[1]下降。"), "增长。[1]¦下降。");
}

/// The properties that hold for every text.
fn check(text: &str) {
    let found = sentences(text);
    let mut last = 0;
    for range in &found {
        assert!(range.start >= last && range.start < range.end, "{found:?}");
        assert!(text[last..range.start].trim().is_empty(), "something lost before {range:?}");
        assert_eq!(text[range.clone()].trim(), &text[range.clone()]);
        last = range.end;
    }
    assert!(text[last..].trim().is_empty(), "something lost at the end");
}

#[test]
fn hostile_texts_take_no_time() {
    for unit in [
        "[",
        "]",
        "`",
        "](",
        "[a](",
        ".",
        ". ",
        "[1]",
        ".[1](",
        "\n",
        " ",
        "1. ",
        "\n- ",
        "é",
        "。",
        "*",
        ". (",
        "z. ",
        "\u{301}",
        "[1]. ",
        ". [1] a",
        ").",
        "cf. [1])",
        "&nbsp;",
        "cf. https://a.b X ",
        ".[1](https://a.b)",
        "cf.[1](https://a) ",
    ] {
        check(&unit.repeat(300_000 / unit.len()));
    }
}

proptest! {
    #[test]
    fn every_text_is_covered(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn soup_is_covered(parts in prop::collection::vec(prop::sample::select(vec![
        ". ", ".", "!", "?", "…", "。", "」", "[", "]", "(", ")", "](", "[1]", "【1】", "`", "\n", "\n\n", "\r\n", " ", "A", "b",
        "Dr", "1", "-", "#", "|", "\u{a0}", "\u{2029}", "é", "中", "🎉", "\u{301}", "\0", "http://a.b", "*", "U.S",
    ]), 0..60)) {
        check(&parts.concat());
    }
}
