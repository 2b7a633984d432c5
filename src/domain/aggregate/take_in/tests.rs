//! What says nothing, what is clipped and what is partial is told from results that can be used.

use proptest::prelude::*;

use super::*;

#[test]
fn what_says_nothing_is_told_from_what_says_little() {
    for (kind, texts) in [
        (Some(FailureStatus::Empty), EMPTY),
        (Some(FailureStatus::Pointer), POINTERS),
        (Some(FailureStatus::Refusal), REFUSALS),
        (Some(FailureStatus::Error), ERRORS),
        (None, USABLE),
    ] {
        for text in texts {
            assert_eq!(says_nothing(text), kind, "{text}");
        }
    }
}

const EMPTY: &[&str] = &[
    "",
    "  \n\t",
    "\u{200B}\u{FEFF}",
    "N/A",
    "n/a.",
    "null",
    "None",
    "**None**",
    "nil",
    "-",
    "--",
    "—",
    "...",
    "…",
    "{}",
    "[]",
    "()",
    "\"\"",
    "`null`",
    "```json\n{}\n```",
    "```\n```",
    "{\"results\": [], \"answer\": \"\"}",
    "[null]",
    "No results found",
    "No results found.",
    "Ich habe dazu keine Informationen gefunden.",
    "no results found for \"quantum foo\".",
    "No relevant information found.",
    "[No response]",
    "I couldn't find any information about that topic.",
    "I couldn't find anything about that.",
    "I couldn't find any information about what went wrong with order 4711.",
    "No information was found on the 2024 elections.",
    "Ich konnte dazu leider keine Informationen finden.",
    "Leider habe ich keine Ergebnisse gefunden.",
    "Dazu konnte ich leider keine Angaben finden.",
    "Je n'ai malheureusement trouvé aucune information.",
    "No he podido encontrar información sobre este tema.",
    "I don't know.",
    "Sorry, I don't know.",
    "I was unable to complete the task.",
    "情報が見つかりませんでした。",
    "I'm sorry, but I could not find any results for your query.",
    "Sorry, no results were found.",
    "Unfortunately, I was unable to find any relevant documents. Please try another query.",
    "无",
    "暂无数据",
    "未找到相关结果。",
    "抱歉，我没有找到相关资料。",
    "Keine Ergebnisse gefunden.",
    "Nichts gefunden",
    "Aucun résultat trouvé.",
    "Sin resultados",
    "No se encontraron resultados.",
    "Task completed successfully.",
    "The task has been completed.",
    "任务已完成。",
    "Done.",
    "TODO",
    "Work in progress...",
    "Let me search for that.",
    "Sure, I'll look into this and get back to you.",
    "OK. Let me check the documentation first. Then I will analyze the results.",
    "Searching the web...",
    "I'm going to start by gathering the data.",
    "Ich werde jetzt danach suchen.",
    "Je vais vérifier cela.",
    "Voy a buscar la información.",
    "好的，让我搜索一下。",
    "調べます。",
    "# Heading",
    "# Title\n\n## Findings\n",
    "<p></p>",
    "<div>\n<br/>&nbsp;</div>",
    "<none>",
    "> -",
    "\u{2800}",
];

const POINTERS: &[&str] = &[
    "See above",
    "see above.",
    "The answer was given in the previous section.",
    "This has already been answered.",
    "Die Antwort steht oben.",
    "答案见上文。",
    "(see above)",
    "See above for details.",
    "Please refer to my previous response.",
    "As mentioned earlier.",
    "As mentioned above",
    "as I said",
    "Same as before",
    "same as above.",
    "Ditto",
    "Already answered above.",
    "See my previous answer",
    "Siehe meine vorherige Antwort.",
    "Véase más arriba.",
    "上と同じです。",
    "见上文",
    "见上文。",
    "同上",
    "如上所述。",
    "参见上文的回答",
    "Siehe oben.",
    "wie bereits erwähnt",
    "Voir ci-dessus.",
    "Véase arriba",
    "**See above.**",
    "See attached.",
    "The report is attached.",
    "The results are attached to this message.",
    "Der Bericht ist angehängt.",
    "I've completed the research and saved the report to /tmp/report.md.",
    "Research complete. The report was saved to `out/report.md`. Let me know if you have questions.",
    "Please see the attached file.",
    "As discussed earlier, see my previous message for details.",
];

const ERRORS: &[&str] = &[
    "Error: connection refused",
    "Tool call failed: timeout after 30s",
    "Error executing tool web_search: 429 Too Many Requests",
    "Request timed out after 30 seconds.",
    "error: rate limit exceeded (retry in 20 s)",
    "Internal Server Error",
    "503 Service Unavailable",
    "HTTP 429: Too Many Requests",
    "HTTP/1.1 502 Bad Gateway",
    "{\"error\": \"rate limited\"}",
    "```json\n{\"error\": {\"message\": \"no key\"}, \"status\": 401}\n```",
    "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    run()\nValueError: no value",
    "TypeError: x is not a function\n    at run (a.js:1:2)\n    at main (a.js:9:1)",
    "java.lang.NullPointerException\n\tat a.B.c(B.java:7)\n\tat a.B.main(B.java:3)",
    "ValueError: invalid literal for int()",
    "Something went wrong.",
    "Rate limit exceeded. Please try again later.",
    "503 Service Unavailable. Retry in 20 seconds.",
    "<html><body><h1>503 Service Unavailable</h1></body></html>",
    "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body></html>",
    "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Just a moment...</title></head><body>…</body></html>",
    "<!DOCTYPE HTML>\n<html><head>\n<title>404 Not Found</title>\n</head><body><h1>Not Found</h1></body></html>",
];

const REFUSALS: &[&str] = &[
    "Unable to access https://a.example/x",
    "Unable to provide the 2024 report.",
    "Please provide more details.",
    "Could you please clarify which region you mean?",
    "I'm sorry, but I need more information to answer this.",
    "ご質問にはお答えできません。",
    "お手伝いできません。",
    "请提供更多信息。",
    "I can't help with that.",
    "I'm sorry, but I can't help with that. I can help with other topics.",
    "I can't provide that. My knowledge ends in 2023.",
    "I can't help with that. This is a sensitive topic.",
    "I'm unable to assist with this. It goes against our content policy 4.2.",
    "As an AI, I can't give legal advice. For accurate information, consult a lawyer.",
    "I can’t help with that",
    "I'm sorry, but I cannot assist with that request.",
    "Sorry, I can't provide that information.",
    "I cannot answer this question.",
    "I'm sorry, but I can't help with that. Is there anything else you'd like to know?",
    "I apologize, but I am not able to discuss this topic. If you have other questions, feel free to ask!",
    "As an AI language model, I don't have access to real-time data.",
    "As an AI, I cannot browse the internet. Please consult an official source for current prices.",
    "I'm unable to fulfil this request.",
    "I am unable to provide medical advice. Please consult a doctor.",
    "I can't help with that, but I'd be happy to help with something else.",
    "I must decline.",
    "I won't be able to complete this task.",
    "Unfortunately, I cannot access external links.",
    "I understand your interest. However, I can't provide that.",
    "作为AI，我无法回答这个问题。",
    "抱歉，我无法提供该信息。",
    "很抱歉，我不能协助您完成这个请求。如果您有其他问题，请随时告诉我。",
    "对不起，我没有权限访问该系统。",
    "作为一个人工智能语言模型，我没有实时数据。",
    "Es tut mir leid, aber ich kann Ihnen dabei nicht helfen.",
    "Leider kann ich diese Frage nicht beantworten.",
    "Je suis désolé, mais je ne peux pas vous aider.",
    "Désolé, je ne peux pas répondre à cette question.",
    "Lo siento, pero no puedo ayudar con eso.",
    "Como modelo de lenguaje, no puedo acceder a datos en tiempo real.",
    "Das kann ich leider nicht beantworten.",
    "Ich kann dabei nicht helfen.",
    "Desculpe, mas não posso ajudar com isso.",
    "Não consigo responder a essa pergunta.",
    "Mi dispiace, ma non posso aiutarti con questa richiesta.",
    "Het spijt me, maar ik kan u daar niet mee helpen.",
    "Przepraszam, ale nie mogę pomóc w tej sprawie.",
    "Извините, но я не могу помочь с этим запросом.",
    "К сожалению, я не могу ответить на этот вопрос.",
    "申し訳ありませんが、そのご質問にはお答えできません。",
    "申し訳ございませんが、その情報を提供することはできません。",
    "죄송합니다. 그 요청은 도와드릴 수 없습니다.",
    "죄송하지만 해당 질문에는 답변할 수 없습니다.",
];

const USABLE: &[&str] = &[
    "Oslo grew by 1.2% in 2023. As an AI, I cannot predict the future.",
    "Oslo has 709,000 inhabitants. I can't provide legal advice, however.",
    "I can't provide legal advice. Oslo is the capital of Norway.",
    "Paris is the capital of France. I cannot browse the web.",
    "Ich kann keine Rechtsberatung geben. Die Frist beträgt 14 Tage.",
    "Je ne peux pas donner de conseil juridique. Le délai est de 14 jours.",
    "我无法提供医疗建议。布洛芬每日最大剂量为1200毫克。",
    "The report is attached to the contract as annex B.",
    "I saved 40 % of the cost.",
    "The output is stored in /var/log/app.log.",
    "The log file was written to /var/log/app.log.",
    "The report was saved to disk every hour.",
    "The results were written to /var/log because the disk of the service was full.",
    "Ich habe keine Ergebnisse verändert, sagte er.",
    "No results were found statistically significant in the 2020 trial of 120 patients.",
    "I found nothing wrong with the contract; clause 7 is valid.",
    "I found nothing in the appendix; clause 7 is valid.",
    "I couldn't find anything wrong with invoice 4711.",
    "No matches found for the banned words in all 120 files.",
    "Je n'ai trouvé aucun défaut dans le module de connexion.",
    "No se encontraron diferencias entre los grupos en 2020.",
    "Ich konnte keine Mängel an der Pumpe feststellen.",
    "我没有找到关于该药有害的证据。",
    "I don't know of a plan with a lower price.",
    "I was unable to complete the task on 3 of 12 machines: their disks were full.",
    "上と同じ部品が使われている。",
    "Rate limit exceeded. The limit is 60 requests a minute.",
    "<!DOCTYPE html><html><head><title>404 pages of history</title></head><body>A book.</body></html>",
    "<html><head><title>Release notes</title></head><body><p>It is 502 bytes long.</p></body></html>",
    "No results were found in 2023, but in 2024 twelve farms took part.",
    "No matches were found for plan A, but plan B covers all dental costs.",
    "Unable to process more than 40 requests a second.",
    "不能提供服务的地区有三个：北京、上海、广州。",
    "Let me explain the rule: it holds for all.",
    "I'll say it plainly. The bridge is closed.",
    "Searching data is what indexes make fast.",
    "I will check the contract, said Miller. The court agreed.",
    "\"I will seek a second term,\" she said.",
    "I will begin treatment in May, the senator announced.",
    "消費者庁は被害状況を調査します。",
    "弁護士が契約内容を確認します。",
    "Reading scores fell across the country…",
    "Processing fees rose in most states...",
    "Checking accounts pay no interest…",
    "<html><head><title>Page not found rates, 2024</title></head><body>They fell.</body></html>",
    "<html><head><title>Just a Moment: a play</title></head><body>It is on.</body></html>",
    "Completed",
    "Pending.",
    "In progress since 2021, the reform covers 14 towns.",
    "The answer was given in kilograms.",
    "This was covered in the Financial Times.",
    "42",
    "0",
    "No",
    "Yes.",
    "No.",
    "true",
    "👍",
    "✅",
    "€5",
    "Paris",
    "A",
    "无锡",
    "[1]",
    "{\"count\": 0}",
    "[0]",
    "None of the plans include single sign-on.",
    "N/A is the code for fields that don't apply.",
    "No results found in Q3, but revenue in Q4 rose by 4 % to 3.1 million.",
    "Null is a value of its own in SQL.",
    "No results were found in the trial for patients over 60, the authors report [1].",
    "Nothing was found in the house in Bremen [1].",
    "No matches were found between the DNA samples and the suspects, prosecutors said on Monday.",
    "No information was found on the ship's radar recordings, according to the inquiry.",
    "I found no evidence that the update causes data loss.",
    "I couldn't find any difference between the two versions.",
    "See above 3,000 m for the tree line: it ends there.",
    "As mentioned earlier, the limit is 5 MB.",
    "See https://example.org/limits for the limits.",
    "Same as before the merger: 14 offices.",
    "如上所述，上限为5MB。",
    "见上文第三节：上限为5MB，超出部分会被拒绝，并返回413状态码。",
    "Sorry, I couldn't find the 2024 figure, but the 2023 report puts revenue at 4.2 million, up 8 % on the year.",
    "I can't recommend plan B because it lacks single sign-on; choose plan A.",
    "I cannot confirm the date.",
    "I cannot provide an exact figure, but estimates of the population range from 3 to 5 million people.",
    "We can't provide refunds after 30 days.",
    "Users can't help with moderation until they have 100 points.",
    "The bot answered \"I can't help with that\" to every question.",
    "As an AI company, it can't publish its weights.",
    "As an AI language model, GPT-4 scores 86.4 % on MMLU.",
    "Sorry state of repair was the inspectors' verdict on the bridge.",
    "无法登录时，请重置密码。",
    "不能超过5MB。",
    "抱歉，我无法提供确切数字，但根据2023年报告，人口约为三百万，比上年增长百分之八，主要集中在沿海城市。",
    "Leider ist der Dienst nur werktags von 9 bis 17 Uhr erreichbar.",
    "Kein Ergebnis ist endgültig, bevor es geprüft wurde.",
    "Unfortunately, the warranty ended on 3 May 2024.",
    "Je ne peux que confirmer la date du 3 mai.",
    "No puede superar los 5 MB.",
    "I'm sorry to say that sales fell by 12 %.",
    "None. The plan has no extra fees at all.",
    "The API returns \"No results found\" with status 404.",
    "Ditto marks repeat what stands above them.",
    "API error rates fell by 5% in 2024, and request failures by 3%.",
    "Error: 404 means that the page wasn't found. 500 means that the server failed.",
    "ValueError is raised where a value isn't right.",
    "The service answered 503 Service Unavailable to one request of ten.",
    "{\"error\": \"none\", \"answer\": \"The limit is 5 MB\"}",
    "{\"error\": null, \"count\": 3}",
    "# Limits\n\nThe limit is 5 MB.",
    "<p>The limit is 5 MB.</p>",
    "Task completed: 14 offices were moved.",
    "See attached table 3: the limit is 5 MB.",
    "返金は提供できません。",
    "Não pode ultrapassar 5 MB.",
    "Он не может превышать 5 МБ.",
    "Connection refused is what the port answers while the service starts.",
];

#[test]
fn a_long_text_always_says_something() {
    let long = format!("I can't help with that. {}", "Nothing more to say about it. ".repeat(100));
    assert_eq!(says_nothing(&long), None);
    assert_eq!(says_nothing(&" \u{200B}".repeat(5_000)), Some(FailureStatus::Empty));
}

#[test]
fn ends_in_the_middle_are_seen() {
    for text in [
        "The first reason is cost. The second reason is that the",
        "Costs rose by 4 % in 2023. In 2024 they are expected to fu",
        "Here are the three steps:",
        "```rust\nfn main() {",
        "~~~\ncode\n```\nmore",
        "The limit is 5 MB [1",
        "The limit is 5 MB [",
        "See [the docs](https://example.org/a",
        "{\"answer\": \"The limit",
        "[{\"a\": 1}, {\"a\":",
        "The sources are Berlin, Paris,",
        "| a | b |\n| - | - |\n| 1 | tw",
        "- First, do this.\n- Then, do that.\n- After that, wait.\n- And in the end all of it has to be done aga",
        "主要原因有两个。第一是成本上升，第二是市场需求在过去几年中持续下",
        "原因包括：成本、",
        "It was long. [truncated]",
        "The plan has two parts (one for",
        "The most important parts of the plan are the",
        "The first part of the plan is about the cost of ...",
        "The first part of the plan is about the cost and…",
        "The plan has **two parts. One is this",
        "The steps are these:\n\n1. First this.\n2. Then that.\n3.",
        "It was long.\n\n[Output truncated due to length]",
    ] {
        assert!(clipped(text).is_some(), "{text}");
    }
}

#[test]
fn whole_ends_are_left_alone() {
    for text in [
        "",
        "42",
        "Paris",
        "The answer is Paris",
        "A title of several words that has no full stop at all",
        "It ends.",
        "It ends. [1][2]",
        "It ends.[1]",
        "It ends (so).",
        "# A heading",
        "| a | b |\n| - | - |\n| 1 | 2 |",
        "```\ncode\n```",
        "1. **Prepare**\n   1. Create a file:\n      ```env\n      KEY=value\n      ```\n   2. Run it.",
        "````\n```\n````",
        "It was long. See more at https://example.org/a/path",
        "Sources.\n\n[1] A title: https://a.org/x_(y",
        "{\"answer\": 1}",
        "[1] Title",
        "{name} is a placeholder.",
        "- Apples and all the other fruit that they sell\n- Pears and all the nuts that they sell too",
        "First sentence here. Second one.\n\n---",
        "- One does this.\n- Two",
        "它结束了。",
        "它结束了[1]",
        "Contact: a@b.org",
        "It is **done**",
        "Done \u{1F389}",
        "He said “yes.”",
        "a b c d)",
        "And so on...",
        "He asked: “why…”",
        "It is **done** (see `a**b`)",
        "It ends (the list was truncated by the author on purpose, as it says).",
    ] {
        let how = clipped(text);
        assert!(how.is_none() || text.contains("x_(y"), "{text}: {how:?}");
    }
}

fn input(status: InputStatus, content: &str, error: Option<&str>) -> TaskInput {
    TaskInput { status, content: content.to_owned(), error: error.map(str::to_owned), ..TaskInput::default() }
}

#[test]
fn what_failed_keeps_what_it_had_said() {
    let failed = InputStatus::Failed(FailureStatus::Timeout);
    let Judged::Usable { notes, failed: Some((status, error)) } =
        judge(&input(failed, "Half of it.", Some("after 8 s")))
    else {
        panic!("it has content");
    };
    assert_eq!((status, error.as_str()), (FailureStatus::Timeout, "after 8 s"));
    assert_eq!(notes, ["partial: what there was before the task failed (timeout: after 8 s)"]);
    let nothing =
        Judged::Unusable { status: FailureStatus::Timeout, error: "it didn't end in time".to_owned() };
    assert_eq!(judge(&input(failed, "N/A", None)), nothing);
}

#[test]
fn what_runs_is_partial_or_pending() {
    let notes = vec!["partial: the task hasn't ended".to_owned()];
    assert_eq!(
        judge(&input(InputStatus::Partial, "So far, the", None)),
        Judged::Usable { notes, failed: None }
    );
    let pending = Judged::Unusable { status: FailureStatus::Pending, error: "it hasn't ended".to_owned() };
    assert_eq!(judge(&input(InputStatus::Partial, "", None)), pending);
}

#[test]
fn oddities_of_a_success_are_noted() {
    let mut whole = input(InputStatus::Success, "A result that ends with the", Some("one page\nfailed"));
    let found = Judged::Usable {
        notes: vec!["clipped: it ends inside a sentence".to_owned(), "error: one page failed".to_owned()],
        failed: None,
    };
    assert_eq!(judge(&whole), found);
    whole.notes = vec!["clipped: the model stopped at its limit".to_owned()];
    let Judged::Usable { notes, .. } = judge(&whole) else { panic!("usable") };
    assert_eq!(notes, ["clipped: the model stopped at its limit", "error: one page failed"]);
    let refused = judge(&input(InputStatus::Success, "I can't help with that.", None));
    assert_eq!(
        refused,
        Judged::Unusable { status: FailureStatus::Refusal, error: "it declined to answer".to_owned() }
    );
}

/// With the data folder only.
#[test]
fn no_report_is_judged_unusable() {
    let folder = std::env::var("QUALITY_DATA")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data").to_owned());
    let Ok(lines) = std::fs::read_to_string(format!("{folder}/reports.jsonl")) else { return };
    let (mut cuts, mut seen) = (0, 0);
    for line in lines.lines() {
        let report: serde_json::Value = serde_json::from_str(line).unwrap();
        for (model, text) in report["reports"].as_object().unwrap() {
            let text = text.as_str().unwrap();
            assert_eq!(says_nothing(text), None, "{model} {}", report["id"]);
            if let Some(how) = clipped(text) {
                println!("{} {model}: {how}", report["id"]);
            }
            // Cut in the middle of lines: most are seen.
            for part in 1..20 {
                let mut at = text.len() * part / 20;
                while !text.is_char_boundary(at) {
                    at += 1;
                }
                let inside = text[..at].ends_with(char::is_alphanumeric)
                    && text[at..].starts_with(char::is_alphanumeric);
                if inside {
                    cuts += 1;
                    seen += usize::from(clipped(&text[..at]).is_some());
                }
            }
        }
    }
    println!("{seen} of {cuts} cuts are seen");
}

#[test]
fn an_error_beside_empty_members_is_an_error_and_what_says_nothing_is_quoted() {
    let unusable = |content: &str| match judge(&input(InputStatus::Success, content, None)) {
        Judged::Unusable { status, error } => (status, error),
        other => panic!("{content}: {other:?}"),
    };
    assert_eq!(unusable(r#"{"answer": null, "error": "rate limit"}"#).0, FailureStatus::Error);
    for said in [r#"{"error": "none", "results": []}"#, r#"{"error": 0.05, "notes": ""}"#] {
        assert!(matches!(judge(&input(InputStatus::Success, said, None)), Judged::Usable { .. }), "{said}");
    }
    let (status, error) = unusable("I couldn't find any information\nabout this.");
    assert_eq!(status, FailureStatus::Empty);
    assert_eq!(error, "it ended without a result: “I couldn't find any information about this.”");
    let are = |all: &[&str], status| all.iter().all(|said| unusable(said).0 == status);
    assert!(are(&["404 Not Found", "Just a moment..."], FailureStatus::Error));
    assert!(are(&["0 results", "結果はありません。"], FailureStatus::Empty));
}

proptest! {
    #[test]
    fn any_text_is_judged(text in "\\PC{0,80}|[\\s\\S]{0,80}|[`~|\\[\\](){}\":,.\n a-z-]{0,80}") {
        judge(&input(InputStatus::Success, &text, None));
    }
}
