//! A model that says something else than a draft, or a draft that can hardly be read.
//!
//! The other hundred ways are in `domain/synthesis/draft`; here the whole way to a delivered result counts.

use serde_json::{Value, json};

use crate::drafts::{Draft, faithful, finding};
use crate::model_server::{Asked, ModelServer, Protocol, Says};
use crate::scene::{BOTH, assert_delivered, assert_extracted, assert_written, by_model, patient, text};

/// What a draft is made into.
type Break = fn(&str) -> String;
/// What a model says to what it is asked.
type Writes = fn(&Asked) -> Says;

/// Ways to write a draft that can still be read.
const READABLE: [(&str, Break); 20] = [
    ("a fence", |draft| format!("```json\n{draft}\n```")),
    ("a fence that isn't closed", |draft| format!("```json\n{draft}")),
    ("another fence", |draft| format!("~~~\n{draft}\n~~~")),
    ("prose before", |draft| format!("Sure! Here is the synthesis you asked for:\n\n{draft}")),
    ("prose behind", |draft| format!("{draft}\n\nI hope this helps!")),
    ("a thought", |draft| format!("<think>The user wants {{\"findings\": []}}, I guess.</think>\n{draft}")),
    ("a thought without its beginning", |draft| format!("so I cite 1 and 2.</think>\n{draft}")),
    ("another thought", |draft| format!("<thinking>hm\n</thinking>{draft}")),
    ("a byte order mark", |draft| format!("\u{feff}{draft}")),
    ("nested", |draft| format!("{{\"result\": {draft}}}")),
    ("in an array", |draft| format!("[{draft}]")),
    ("unknown members", |draft| draft.replacen('{', "{\"version\": 3, \"notes\": {\"a\": []}, ", 1)),
    ("trailing commas", |draft| {
        draft.replace("],\"contradictions\"", ",],\"contradictions\"").replace("\"}]", "\",}]")
    }),
    ("a comment", |draft| draft.replacen('{', "{ // the draft\n", 1)),
    ("numbers as strings", |draft| draft.replace("\"source_ids\":[1", "\"source_ids\":[\"1\"")),
    ("markers as numbers", |draft| draft.replace("\"source_ids\":[1", "\"source_ids\":[\"[1]\"")),
    ("no brackets at the end", |draft| draft.trim_end_matches('}').to_owned()),
    ("cut behind the findings", |draft| draft[..draft.find("\"summary\"").unwrap()].to_owned()),
    ("literals of Python", |draft| draft.replace("\"confidence\":\"medium\"", "\"confidence\":None")),
    ("a lot of space", |draft| draft.replace(',', " ,\n\n\t ")),
];

/// Ways in which there is no draft at all.
const UNREADABLE: [(&str, Break); 10] = [
    ("prose", |_| "The warranty covers 99 months, and everything else is fine.".to_owned()),
    ("a refusal in words", |_| "I'm sorry, but I can't help with that request.".to_owned()),
    ("space", |_| " \n\n ".to_owned()),
    ("an empty object", |_| "{}".to_owned()),
    ("an empty array", |_| "[]".to_owned()),
    ("null", |_| "null".to_owned()),
    ("another object", |_| "{\"weather\": {\"degrees\": 99}, \"ok\": true}".to_owned()),
    ("brackets", |_| "[{".repeat(20_000)),
    ("a thought without an end", |draft| format!("<think>I will write {draft}")),
    ("half a finding", |draft| draft[..draft.find("\"source_ids\"").unwrap() - 10].to_owned()),
];

#[tokio::test]
async fn a_draft_that_is_badly_written_is_still_read() {
    let server = ModelServer::start().await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    for (number, (name, broken)) in READABLE.into_iter().enumerate() {
        server.script(move |asked| Some(Says::Text(broken(&faithful(asked)))));
        let result = by_model(app.client()).await;
        assert_eq!(assert_delivered(&result), None, "{name}");
        let has_summary = text(&result, "summary").contains("24 months");
        assert!(has_summary || name.starts_with("cut"), "{name}: {result}");
        assert_eq!(server.calls().len(), number + 1, "{name}");
    }
}

#[tokio::test]
async fn what_is_no_draft_gives_way_to_the_extractive_answer() {
    let server = ModelServer::start().await;
    let app = patient(&server, Protocol::Anthropic).start().await;
    for (name, broken) in UNREADABLE {
        server.script(move |asked| Some(Says::Text(broken(&faithful(asked)))));
        let reason = assert_extracted(&by_model(app.client()).await);
        assert!(!reason.is_empty(), "{name}");
        assert!(!reason.contains("99"), "{name}: the reason quotes the model: {reason}");
    }
}

#[tokio::test]
async fn a_model_that_refuses_gives_way_and_is_not_asked_again() {
    for (protocol, reason) in [
        (Protocol::OpenAi, "content_filter"),
        (Protocol::Anthropic, "refusal"),
        (Protocol::OpenAi, "refused"),
    ] {
        let server = ModelServer::saying(move |asked| match reason {
            "refused" => {
                let delta = json!({"index": 0, "delta": {"refusal": "I can't."}, "finish_reason": null});
                let stop = json!({"index": 0, "delta": {}, "finish_reason": "stop"});
                let body: String = [delta, stop]
                    .map(|choice| format!("data: {}\n\n", json!({"choices": [choice]})))
                    .concat();
                Says::Body("text/event-stream", body + "data: [DONE]\n\n")
            }
            _ => Says::Stop(Draft::faithful(asked).text(), reason),
        })
        .await;
        let app = patient(&server, protocol).start().await;
        let why = assert_extracted(&by_model(app.client()).await);
        assert!(why.contains("refused"), "{reason}: {why}");
        assert_eq!(server.calls().len(), 1, "{reason}");
    }
}

#[tokio::test]
async fn an_empty_answer_gives_way() {
    for protocol in BOTH {
        let server = ModelServer::saying(|_| Says::Text(String::new())).await;
        let app = patient(&server, protocol).start().await;
        let reason = assert_extracted(&by_model(app.client()).await);
        assert!(reason.contains("empty_answer"), "{reason}");
    }
}

#[tokio::test]
async fn an_answer_that_reached_its_limit_is_read_as_far_as_it_goes() {
    for protocol in BOTH {
        let server = ModelServer::saying(|asked| {
            let text = Draft::faithful(asked).text();
            let (second, _) = text.match_indices("\"content\"").nth(1).unwrap();
            Says::Stop(text[..second + 20].to_owned(), asked.protocol.cut())
        })
        .await;
        let app = patient(&server, protocol).start().await;
        let result = by_model(app.client()).await;
        assert_written(&result);
        let counts = &result["metadata"]["synthesis"];
        let wanted = (&json!(1), &json!(2));
        assert_eq!((&counts["kept"], &counts["added"]), wanted, "the other two are quoted: {counts}");
        assert_says_that_it_broke_off(counts);
    }
}

/// Once, before all else.
#[track_caller]
fn assert_says_that_it_broke_off(counts: &Value) {
    let notes: Vec<&str> =
        counts["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap()).collect();
    assert!(notes[0].contains("draft broke off"), "{counts}");
    assert_eq!(notes.iter().filter(|note| note.contains("broke off")).count(), 1, "{counts}");
}

#[tokio::test]
async fn a_draft_that_ends_in_the_middle_says_so_whatever_its_server_says() {
    for protocol in BOTH {
        let server = ModelServer::saying(|asked| {
            let text = Draft::faithful(asked).text();
            let (second, _) = text.match_indices("\"content\"").nth(1).unwrap();
            Says::Text(text[..second + 20].to_owned())
        })
        .await;
        let setup = patient(&server, protocol).env("SYNTHESIS__CACHE_SECONDS", 600);
        let app = setup.start().await;
        for _ in 0..2 {
            let result = by_model(app.client()).await;
            assert_written(&result);
            assert_says_that_it_broke_off(&result["metadata"]["synthesis"]);
        }
        assert_eq!(server.calls().len(), 2, "half a draft isn't kept");
        server.script(|asked| Some(Says::Text(faithful(asked))));
        let whole = by_model(app.client()).await;
        assert!(!whole["metadata"].to_string().contains("broke off"), "{}", whole["metadata"]);
    }
}

#[tokio::test]
async fn a_draft_that_repeats_itself_without_end_says_that_it_was_cut_off() {
    let server = ModelServer::saying(|asked| {
        Says::Text(Draft::changed(asked, |draft| {
            let first = draft.findings[0].clone();
            draft.findings.extend(std::iter::repeat_n(first, 2_000));
        }))
    })
    .await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    let result = by_model(app.client()).await;
    assert_written(&result);
    let counts = &result["metadata"]["synthesis"];
    assert_says_that_it_broke_off(counts);
    let notes = counts["notes"].as_array().unwrap();
    assert!(notes.len() < 6, "what is the same is said once: {counts}");
    let said = notes.iter().find(|note| text_of(note).contains("each says what one before it says"));
    let number = text_of(said.unwrap_or_else(|| panic!("{counts}"))).split(' ').next().unwrap();
    assert!(number.parse::<usize>().unwrap() > 50, "with how many there are: {counts}");
}

fn text_of(note: &Value) -> &str {
    note.as_str().unwrap()
}

#[tokio::test]
async fn endless_repetition_is_said_once() {
    let writes: [(&str, Writes); 3] = [
        ("a finding", |asked| {
            Says::Text(Draft::changed(asked, |draft| {
                let first = draft.findings[0].clone();
                draft.findings.extend(std::iter::repeat_n(first, 500));
            }))
        }),
        ("a sentence", |asked| {
            Says::Text(Draft::changed(asked, |draft| {
                let content = format!("{}. ", text(&draft.findings[0], "content"));
                draft.findings[0] = finding("Seals", &content.repeat(12), &json!([1]));
            }))
        }),
        ("a sentence without an end", |asked| {
            let draft = Draft::changed(asked, |draft| {
                let content = format!("{}. ", text(&draft.findings[0], "content"));
                draft.findings.truncate(2);
                draft.findings[1] = finding("Seals", &content.repeat(200), &json!([1]));
            });
            let end = if asked.items().is_some() { draft.len() } else { draft.len() * 3 / 4 };
            Says::Stop(draft[..end].to_owned(), asked.protocol.cut())
        }),
    ];
    for (name, write) in writes {
        let server = ModelServer::saying(write).await;
        let app = patient(&server, Protocol::OpenAi).start().await;
        let result = by_model(app.client()).await;
        assert_eq!(assert_delivered(&result), None, "{name}");
        assert_once(&result);
    }
}

#[track_caller]
fn assert_once(result: &Value) {
    let seals = result["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|of| text(of, "content").contains("leaking seals"));
    assert_eq!(seals.count(), 1, "{}", result["findings"]);
    assert!(text(result, "synthesis").matches("leaking seals").count() <= 2, "{}", result["synthesis"]);
}
