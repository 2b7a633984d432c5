//! What a synthesis looks like, and what it leaves out.

use super::*;
use crate::domain::aggregate::result::{ContradictionKind, Level, Statement};
use crate::domain::directive::SynthesisFormat;
use crate::domain::synthesis::claims::DISPUTED;
use crate::domain::text::words::Lexicon;

mod answers;
mod sides;
mod voices;

fn finding(topic: &str, content: &str, sources: &[u32], who: &[&str]) -> Finding {
    Finding {
        topic: topic.to_owned(),
        content: content.to_owned(),
        sources: sources.to_vec(),
        confidence: Level::Medium,
        contributors: who.iter().map(|name| (*name).to_owned()).collect(),
        verify: None,
        by_model: false,
        step: None,
    }
}

fn statement(text: &str, source: u32, subagent: &str) -> Statement {
    Statement { text: text.to_owned(), lead_in: None, source: Some(source), subagent: subagent.to_owned() }
}

fn findings() -> Vec<Finding> {
    let mut second = finding("Range", "It falls by 30 %\nin the cold", &[2], &["docs"]);
    second.verify = Some("Only one site says this.".to_owned());
    vec![finding("Cost", "A pump costs 900 EUR", &[1, 3], &["docs", "web"]), second]
}

fn contradiction() -> Contradiction {
    Contradiction {
        description: "Two numbers.".to_owned(),
        kind: ContradictionKind::Number,
        statements: vec![statement("It costs 900 EUR", 1, "docs"), statement("It costs 700 EUR", 2, "web")],
        sources: vec![1, 2],
        suggestion: "Compare both.".to_owned(),
    }
}

#[test]
fn every_sentence_is_a_quotation_with_its_sources_and_its_subagents() {
    let failure = Failure {
        task_id: "crm".to_owned(),
        task: Some("Ask the CRM".to_owned()),
        status: "timeout".to_owned(),
        error: "deadline".to_owned(),
        subagent: "crm".to_owned(),
        subagents: 1,
    };
    let (findings, contradictions, gaps) = (findings(), [contradiction()], ["Nobody says when.".to_owned()]);
    let parts = Parts {
        findings: &findings,
        contradictions: &contradictions,
        gaps: &gaps,
        failures: std::slice::from_ref(&failure),
    };
    let expected = "## Findings

- “A pump costs 900 EUR” [1][3] — *docs, web*

### Range

- “It falls by 30 % in the cold” [2] — *docs*
  - To verify: Only one site says this.

## Contradictions

- Two numbers.
  - “It costs 900 EUR” [1] — *docs*
  - “It costs 700 EUR” [2] — *web*
  - Compare both.

## Gaps

- Nobody says when.

## What failed

- **crm** (Ask the CRM): timeout — deadline";
    assert_eq!(compose(parts, &SynthesisOptions::default()), expected);
    let without = SynthesisOptions {
        include_contradictions: false,
        include_gaps: false,
        format: SynthesisFormat::Narrative,
        ..SynthesisOptions::default()
    };
    let expected = "“A pump costs 900 EUR” [1][3] — *docs, web*

Range: “It falls by 30 % in the cold” [2] — *docs*

## What failed

- **crm** (Ask the CRM): timeout — deadline";
    assert_eq!(compose(parts, &without), expected);
}

#[test]
fn what_says_its_topic_has_no_heading_and_what_to_check_of_several_stands_once() {
    let check = |verify: &str, finding: Finding| Finding { verify: Some(verify.to_owned()), ..finding };
    let (site, disputed) = ("Only one site says this; look for an independent source.", DISPUTED);
    let findings = [
        check(site, finding("Range", "It falls by 30 %", &[2], &["docs"])),
        check(site, finding("Pump cost", "A pump costs 900 EUR", &[1], &["docs"])),
        check(site, finding("Noise", "A pump is loud", &[1], &["web"])),
        check(disputed, finding("Noise", "Its noise is 40 dB", &[1], &["web"])),
        check(disputed, finding("Not on sale", "It is not on sale", &[1], &["web"])),
        check("Its sources were rejected.", finding("Weight", "It has 30 kg", &[1], &["web"])),
    ];
    let parts = Parts { findings: &findings, contradictions: &[], gaps: &[], failures: &[] };
    let expected = "## Findings

- “A pump costs 900 EUR” [1] — *docs*
- “It is not on sale” [1] — *web*
  - To verify: Another statement contradicts this one; compare both sources.

### Range

- “It falls by 30 %” [2] — *docs*

### Noise

- “A pump is loud” [1] — *web*
- “Its noise is 40 dB” [1] — *web*
  - To verify: Another statement contradicts this one; compare both sources.

### Weight

- “It has 30 kg” [1] — *web*
  - To verify: Its sources were rejected.

**To verify**

- Several findings: Only one site says this; look for an independent source.";
    assert_eq!(compose(parts, &SynthesisOptions::default()), expected);
    let german = SynthesisOptions { language: Some("de".to_owned()), ..SynthesisOptions::default() };
    assert!(
        compose(parts, &german)
            .ends_with("- Mehrere Ergebnisse: Nur eine Website sagt das; eine unabhängige Quelle suchen.")
    );
}

#[test]
fn wanted_length_leaves_out_findings_from_the_end_but_never_the_first() {
    let findings = findings();
    assert_eq!(within_length(&findings, Some(1)).len(), 1);
    assert_eq!(within_length(&findings, Some(12)).len(), 1);
    assert_eq!(within_length(&findings, Some(13)).len(), 2);
    // A very long one doesn't crowd out others.
    let of_words = |count: usize| finding("Cost", &"word ".repeat(count), &[1], &["docs"]);
    let lengths = |words: &[usize], wanted| -> Vec<usize> {
        let findings: Vec<Finding> = words.iter().map(|&count| of_words(count)).collect();
        within_length(&findings, wanted).into_iter().map(|shown| length(&shown.content)).collect()
    };
    assert_eq!(lengths(&[500, 20, 20], None), [500, 20, 20]);
    assert_eq!(lengths(&[20, 500, 20], None), [20, 20]);
    assert_eq!(lengths(&[90, 90, 90, 5], Some(200)), [90, 90]);
    assert_eq!(lengths(&[500, 20], Some(50)), [500]);
    assert_eq!(length("中文四字 two words"), 4);
}

#[test]
fn headings_follow_the_language_that_is_asked_for_or_the_script() {
    let chinese = [finding("成本", "热泵的价格约为九百欧元", &[1], &["docs"])];
    for (language, findings, heading) in [
        (None, &chinese[..], "## 主要发现"),
        (Some("en-GB"), &chinese[..], "## Findings"),
        (Some("de"), &findings()[..], "## Ergebnisse"),
        (None, &findings()[..], "## Findings"),
    ] {
        let parts = Parts { findings, contradictions: &[], gaps: &[], failures: &[] };
        let options =
            SynthesisOptions { language: language.map(str::to_owned), ..SynthesisOptions::default() };
        assert!(compose(parts, &options).starts_with(heading), "{language:?}");
    }
}

#[test]
fn a_line_is_in_one_language() {
    let with = |verify: &str| {
        let verify = Some(verify.to_owned());
        [Finding { verify, ..finding("Cost", "It costs 900 EUR.", &[], &["docs"]) }]
    };
    let known = with("No source is given; look for one before relying on it.");
    let unknown = with("Ask the author.");
    let gaps = ["No finding covers “noise”.".to_owned(), "What it costs in winter.".to_owned()];
    let text = |findings: &[Finding], language: &str| {
        let description = "Two statements about the same subject give different numbers: “9” and “7”.";
        let against = [Contradiction { description: description.to_owned(), ..contradiction() }];
        let parts = Parts { findings, contradictions: &against, gaps: &gaps, failures: &[] };
        compose(
            parts,
            &SynthesisOptions { language: Some(language.to_owned()), ..SynthesisOptions::default() },
        )
    };
    for (language, lines) in [
        (
            "de",
            [
                "  - Zu prüfen: Es ist keine Quelle angegeben; eine suchen, bevor man sich darauf verlässt.\n",
                "- Kein Ergebnis betrifft „noise“.\n",
            ],
        ),
        ("German", ["  - Zu prüfen: Es ist", "- Zwei Aussagen über denselben Gegenstand nennen"]),
        ("zh-CN", ["  - 需要核实: 未给出来源；采信前请先查找来源。\n", "- 没有发现涉及“noise”。\n"]),
        ("xx", ["  - To verify: No source is given;", "- No finding covers “noise”.\n"]),
    ] {
        let text = text(&known, language);
        assert!(lines.iter().all(|line| text.contains(line)), "{language}: {text}");
        assert!(text.contains("- What it costs in winter."), "{text}");
    }
    // What has no sentence in a language stays as it is, with what introduces it.
    assert!(text(&unknown, "de").contains("  - To verify: Ask the author.\n"));
}

#[test]
fn headings_that_are_not_there_are_told() {
    let chinese = [finding("成本", "热泵的价格约为九百欧元", &[1], &["docs"])];
    for known in [None, Some(" "), Some("en-GB"), Some("de"), Some("zh_TW"), Some("Deutsch")] {
        assert_eq!(lacks_headings(known, &findings()), None, "{known:?}");
    }
    let told = |language| lacks_headings(Some(language), &findings()).unwrap();
    assert_eq!(told("xx"), "there are no headings in `xx`: they are in English");
    assert_eq!(told("fr"), "there are no headings in `fr`: they are in English");
    assert!(lacks_headings(Some("ja"), &chinese).unwrap().ends_with("they are in Chinese"));
}

#[test]
fn contradictions_beyond_what_anybody_reads_are_counted() {
    for (count, left) in
        [(1, None), (30, None), (31, Some("*More contradictions, not quoted here for their length: 1.*"))]
    {
        let contradictions = vec![contradiction(); count];
        let parts = Parts { findings: &[], contradictions: &contradictions, gaps: &[], failures: &[] };
        let text = compose(parts, &SynthesisOptions::default());
        assert_eq!(text.matches("It costs 900 EUR").count(), count.min(30));
        assert_eq!(text.contains("More contradictions"), left.is_some());
        assert!(left.is_none_or(|left| text.ends_with(left)), "{text}");
    }
}

#[test]
fn positions_come_after_what_contradicts_each_with_its_own_words() {
    let (findings, contradictions) = (findings(), [contradiction()]);
    let parts = Parts { findings: &findings, contradictions: &contradictions, gaps: &[], failures: &[] };
    let positions = [
        Position { subagent: "web", title: Some("What the web says") },
        Position { subagent: "docs", title: None },
    ];
    let text = compose_positions(parts, &positions, &SynthesisOptions::default());
    let places: Vec<Option<usize>> =
        ["## Contradictions", "## Position: What the web says", "## Position: docs", "It falls by 30 %"]
            .iter()
            .map(|part| text.find(part))
            .collect();
    assert!(places.is_sorted() && places[0] == Some(0), "{text}");
    assert_eq!(text.matches("A pump costs").count(), 2, "what both say stands with both");
    let same = ["web", "docs"].map(|subagent| Position { subagent, title: Some("Risks") });
    let text = compose_positions(parts, &same, &SynthesisOptions::default());
    assert!(
        text.contains("## Position: Risks (web)") && text.contains("## Position: Risks (docs)"),
        "{text}"
    );
    let many: Vec<Finding> =
        (0..8).map(|at| finding("Cost", &format!("Pump {at} is loud"), &[1], &["web"])).collect();
    let parts = Parts { findings: &many, contradictions: &[], gaps: &[], failures: &[] };
    let text = compose_positions(parts, &positions[..1], &SynthesisOptions::default());
    assert!(
        text.ends_with("“Pump 4 is loud” [1] — *web*\n\n*Not quoted here for its length: 3 more findings.*"),
        "{text}"
    );
}

#[test]
fn summary_quotes_what_is_surer_wherever_it_stands() {
    let mut findings = vec![
        finding("Other", "A neighbour once painted the old garden fence green", &[4], &["docs"]),
        finding("Cost", "A heat pump costs about 900 EUR to install", &[1], &["docs"]),
        finding("Cold", "In the cold the heat pump loses a third of its power", &[3], &["web"]),
    ];
    for (finding, confidence) in findings.iter_mut().zip([Level::Low, Level::High, Level::High]) {
        finding.confidence = confidence;
    }
    let summary = summarise(&mut Lexicon::default(), &findings, Asked::default());
    let expected = "“A heat pump costs about 900 EUR to install” [1] — *docs* \
        “In the cold the heat pump loses a third of its power” [3] — *web*";
    assert_eq!(summary, expected);
    assert_eq!(
        summarise(&mut Lexicon::default(), &findings[1..2], Asked::default()),
        quotation(&findings[1])
    );
    let idle = finding("Other", "It is what it is", &[], &["web"]);
    assert_eq!(
        summarise(&mut Lexicon::default(), std::slice::from_ref(&idle), Asked::default()),
        quotation(&idle)
    );
    assert_eq!(summarise(&mut Lexicon::default(), &[], Asked::default()), "");
}

#[test]
fn summary_rather_quotes_what_needs_no_sentence_before_it() {
    let mut findings = vec![
        finding("Pump", "The heat pump of Acme costs about 900 EUR to install", &[1], &["docs"]),
        finding("Pump", "The heat pump of Acme loses a third of its power", &[1], &["docs"]),
        finding("Pump", "These pumps of Acme cost a third of the heat", &[1], &["docs"]),
    ];
    let quoted = |findings: &[Finding], question| {
        let asked = Asked { question, ..Asked::default() };
        summarise(&mut Lexicon::default(), findings, asked)
    };
    assert!(!quoted(&findings, "").contains("These pumps"));
    // Where it is what answers, it is quoted.
    findings[2].content = "It was founded in Lyon in 1999.".to_owned();
    assert!(quoted(&findings, "When was Acme founded, and in Lyon?").contains("founded in Lyon"));
    findings[2].content = "Most pumps of Acme cost a third of the heat".to_owned();
    assert!(quoted(&findings, "").contains("Most pumps"));
}

#[test]
fn summary_rather_quotes_a_sentence_than_a_row_or_members_of_json() {
    let findings = [
        finding("Plan", "Pro | $12 | 10 users | SSO", &[1], &["table"]),
        finding("Plan", "\"plan\": \"Pro\", \"price\": 12", &[2], &["crm"]),
        finding("Plan", "The Pro plan has a price of $12 for each user.", &[3], &["docs"]),
    ];
    let asked = Asked { question: "What does the Pro plan cost?", ..Asked::default() };
    let summary = summarise(&mut Lexicon::default(), &findings, asked);
    assert!(summary.starts_with("“The Pro plan") || summary.contains(" “The Pro plan"), "{summary}");
    // Where nobody says it in a sentence, the row does.
    let summary = summarise(&mut Lexicon::default(), &findings[..1], asked);
    assert_eq!(summary, quotation(&findings[0]));
}

#[test]
fn summary_quotes_what_answers_the_question_and_who_contests_it() {
    let mut findings = vec![
        finding("Acme", "Acme was founded in 1999 in Berlin.", &[1], &["docs"]),
        finding("Acme", "Acme had revenue of 5 billion euros in 2023.", &[1], &["docs"]),
        finding("Acme", "Acme employs 12,000 people in 40 countries.", &[1], &["docs"]),
        finding("Acme", "Jane Roe has been the CEO of Acme since 2019.", &[1], &["docs"]),
    ];
    let asked = Asked { question: "Who is the CEO of Acme?", ..Asked::default() };
    let summary = summarise(&mut Lexicon::default(), &findings, asked);
    assert!(summary.contains("Jane Roe"), "{summary}");

    findings.push(finding("Acme", "John Doe has been the CEO of Acme since 2019.", &[2], &["web"]));
    let contradictions = [Contradiction {
        statements: [3, 2].map(|at| statement(&findings[at].content, 1, "docs")).to_vec(),
        ..contradiction()
    }];
    let asked = Asked { contradictions: &contradictions, ..asked };
    let summary = summarise(&mut Lexicon::default(), &findings, asked);
    assert!(summary.contains("Jane Roe") && summary.contains("Acme employs"), "{summary}");
}

#[test]
fn summary_has_something_of_each_part_of_the_question() {
    let mut findings = vec![
        finding("Cache", "The root cause is a race in the cache.", &[], &["docs"]),
        finding("Versions", "Versions 2.1 to 2.4 are affected.", &[], &["web"]),
        finding("Cache", "The workaround is to clear the app cache.", &[], &["crm"]),
    ];
    let question = "What is the root cause, which versions are affected, and what is the workaround?";
    let asked = Asked { question, ..Asked::default() };
    let all: Vec<String> = findings.iter().map(quotation).collect();
    assert_eq!(summarise(&mut Lexicon::default(), &findings, asked), all.join(" "));
    // What nobody says isn't made up for, and one question has one answer.
    findings[1].content = "The office is in Lyon.".to_owned();
    let summary = summarise(&mut Lexicon::default(), &findings, asked);
    assert!(!summary.contains("Lyon"), "{summary}");
}

#[test]
fn what_there_is_no_room_for_is_counted() {
    let findings: Vec<Finding> = (0..5)
        .map(|number| {
            finding("Cost", &format!("Plan number {number} costs more than all others do."), &[1], &["docs"])
        })
        .collect();
    let parts = Parts { findings: &findings, contradictions: &[], gaps: &[], failures: &[] };
    for format in [SynthesisFormat::Structured, SynthesisFormat::Narrative] {
        let some = SynthesisOptions { target_length: Some(20), format, ..SynthesisOptions::default() };
        let text = compose(parts, &some);
        assert!(text.contains("*Not quoted here for its length: 3 more findings.*"), "{text}");
        let all = SynthesisOptions { target_length: None, ..some };
        assert!(!compose(parts, &all).contains("Not quoted here"));
    }
}

#[test]
fn summary_has_nothing_that_was_not_asked_beside_what_was() {
    let said = |texts: &[&str]| texts.iter().map(|text| finding("t", text, &[1], &["a"])).collect::<Vec<_>>();
    let short = |findings: &[Finding], question| {
        summarise(&mut Lexicon::default(), findings, Asked { question, ..Asked::default() })
    };
    for (question, texts) in [
        (
            "How much does the service cost?",
            ["The service costs €5 per month.", "The app has a dark mode.", "The app runs on Linux."],
        ),
        (
            "Who founded Acme?",
            [
                "Acme was founded by Anna Schmidt.",
                "The office has a canteen.",
                "The office is open at weekends.",
            ],
        ),
        (
            "Is the drug safe in pregnancy?",
            ["The drug is safe in pregnancy.", "The box has 20 tablets.", "The box is blue."],
        ),
    ] {
        let findings = said(&texts);
        assert_eq!(short(&findings, question), quotation(&findings[0]), "{question}");
        // Where nothing has a word of the question, something is quoted all the same.
        assert!(!short(&findings[1..], question).is_empty());
    }
    // What a part asks for may be told in other words.
    let findings = said(&["A full disk caused the outage.", "The logs were long.", "Add an alert at 80%."]);
    let summary = short(&findings, "What caused the outage and how can we prevent it?");
    assert_eq!(summary, [&findings[0], &findings[2]].map(quotation).join(" "));
}
