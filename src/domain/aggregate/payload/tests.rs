//! Payloads of each kind become bounded Markdown, and what is odd about them is reported.

use proptest::prelude::*;

use super::*;

fn read(kind: &str, json: &str) -> Read {
    read_payload(PayloadKind::named(kind), json).unwrap()
}

#[test]
fn payloads_become_markdown() {
    for (kind, json, content) in [
        ("documentation", r#"{"answer":"A [1].","citations":[]}"#, "A [1]."),
        (
            "documentation",
            r#"{"answer":"","citations":[],"data":{"b":1,"a":[]}}"#,
            "```json\n{\n  \"b\": 1,\n  \"a\": []\n}\n```",
        ),
        ("x", r#"{"content":"C","sources":[]}"#, "C"),
        ("x", r#"{"content":{"b":1}}"#, "```json\n{\n  \"b\": 1\n}\n```"),
        (
            "x",
            r#"{"content":[{"text":"C"}],"stop_reason":"max_tokens"}"#,
            "```json\n[\n  {\n    \"text\": \"C\"\n  }\n]\n```",
        ),
        ("x", r#"{"content":"C","sources":[],"data":"more"}"#, "C\n\nmore"),
        ("x", r#"{"content":"C","data":{}}"#, "C"),
        ("x", r#"{"content":"","sources":[],"data":7}"#, "7"),
        ("x", r#"{"content":"C","data":7}"#, "C\n\n```json\n7\n```"),
        ("x", r#"{"answer":"No","content":"No","sources":[]}"#, "No"),
        ("x", r#"{"z":1,"content":"","sources":[]}"#, "```json\n{\n  \"z\": 1\n}\n```"),
        ("x", r#"{"content":"","sources":["u"],"relevance":1}"#, ""),
        ("x", r#"{"content":5,"sources":[]}"#, "5"),
        // Of a model that said nothing: nothing.
        ("x", r#"{"content":"","finish_reason":"stop","model":"m","usage":{"output_tokens":1}}"#, ""),
        ("x", r#"{"content":"","finish_reason":"tool_calls","tool_calls":[{"id":"c","name":"f"}]}"#, ""),
        // Of a conversation the answer: neither what was asked, nor what the state has beside.
        (
            "x",
            r#"{"content":"Rome.","sources":[],"messages":[{"role":"user","content":"Berlin?"},{"role":"assistant"}],"topic":"a city"}"#,
            "Rome.",
        ),
        (
            "x",
            r#"{"messages":[{"type":"human","content":"Berlin?"},{"type":"ai","content":"Rome."}],"steps":["look"]}"#,
            "Rome.",
        ),
        ("x", r#"{"messages":[{"role":"user","content":"Berlin?"}],"content":"","sources":[]}"#, ""),
        (
            "x",
            r#"{"messages":[{"role":"user","content":"B?"}],"capital":"Rome"}"#,
            "```json\n{\n  \"capital\": \"Rome\"\n}\n```",
        ),
        ("x", r#"{"content":"","sources":[],"data":[{"role":"user","content":"Berlin?"}]}"#, ""),
        ("x", r#"[{"role":"user","content":"Berlin?"}]"#, ""),
        (
            "x",
            r#"{"answer":"Rome.","content":"Rome.","sources":[],"messages":[{"role":"user","content":"B?"}],"plan":"look it up"}"#,
            "Rome.",
        ),
        (
            "x",
            r#"{"generation":"Rome.","content":"Rome.","sources":[],"documents":[{"page_content":"t"}],"steps":["retrieve","generate"]}"#,
            "Rome.",
        ),
        (
            "x",
            r#"{"final_report":"Rome.","content":"Rome.","sources":[],"research_brief":"Find it out"}"#,
            "Rome.",
        ),
        ("x", "\"text\"", "text"),
        ("x", "5", "5"),
        ("x", "true", "true"),
        ("x", "[5]", "```json\n[\n  5\n]\n```"),
        ("x", "null", ""),
        ("x", "{broken", "```\n{broken\n```"),
        ("x", "a ``` b", "````\na ``` b\n````"),
        ("voice", r#"{"transcript":"hello","final":true,"segments":[]}"#, "hello"),
        ("voice", r#"{"transcript":" ","segments":[{"text":"a"},{"text":"b"},3]}"#, "a b"),
        ("voice", r#"{"call_status":"ringing"}"#, "```json\n{\n  \"call_status\": \"ringing\"\n}\n```"),
        (
            "action_workflow",
            r#"{"action":"send","state":"proposed","summary":"Send it.","parameters":{"to":"a\n# b","n":[1]},"requires_confirmation":true}"#,
            "Send it.\n\n- **send:** proposed, requires confirmation\n- parameters:\n  - to: a # b\n  - n: \\[1\\]",
        ),
        (
            "action_workflow",
            r#"{"action":"send","summary":"Send the quote"}"#,
            "- summary: Send the quote\n- action: send",
        ),
        ("action_workflow", r#"{"action":"send_quote","state":"failed"}"#, "- **send_quote:** failed"),
        (
            "row_selection",
            r#"{"title":"","columns":[],"rows":[],"row_count":0,"truncated":false,"selected":[],"data":"Two are open.","recognised":false}"#,
            "Two are open.",
        ),
        (
            "row_selection",
            r#"{"title":"","columns":[],"rows":[],"row_count":0,"truncated":false,"selected":[],"answer":{"a":1},"recognised":false}"#,
            "```json\n{\n  \"answer\": {\n    \"a\": 1\n  }\n}\n```",
        ),
        (
            "row_selection",
            r#"{"columns":[{"key":"id","label":"id"}],"rows":[{"id":1}],"content":"One is open."}"#,
            "One is open.\n\n| id |\n| --- |\n| 1 |",
        ),
        (
            "action_workflow",
            r#"{"action":"","state":"proposed","summary":"","parameters":{},"requires_confirmation":true,"refund_id":3,"recognised":false}"#,
            "```json\n{\n  \"refund_id\": 3\n}\n```",
        ),
        ("row_selection", r#"{"rows":"none"}"#, "```json\n{\n  \"rows\": \"none\"\n}\n```"),
    ] {
        assert_eq!(read(kind, json).content, content, "{kind} {json}");
    }
    assert_eq!(read_payload(PayloadKind::Safety, r#"{"decision":"allow"}"#), None);
}

#[test]
fn a_table_marks_its_selected_rows_and_says_what_is_missing() {
    let card = r#"{"title":"Orders","columns":[{"key":"id","label":"Id"},{"key":"name","label":"Na|me"}],
        "rows":[{"id":1,"name":"a\nb"},{"id":"2","name":null},["3","c|d"]],"row_count":9,"truncated":true,"selected":["2",3,8],"query":"all * orders"}"#;
    let read = read("row_selection", card);
    assert_eq!(
        read.content,
        "**Orders**\n\n| selected | Id | Na\\|me |\n| --- | --- | --- |\n|  | 1 | a b |\n| ✓ | 2 |  |\n| ✓ | 3 | c\\|d |"
    );
    let notes = [
        "query: all * orders",
        "truncated: the table holds 3 of 9 rows",
        "selected, but not among these rows: 8",
    ];
    assert_eq!(read.notes, notes);
}

#[test]
fn ten_thousand_columns_are_bounded() {
    let row: Vec<String> = (0..10_000).map(|column| format!("\"c{column}\":{column}")).collect();
    let read = read("row_selection", &format!("{{\"rows\":[{{{}}}]}}", row.join(",")));
    assert!(read.content.len() < 4_000, "{}", read.content.len());
    assert_eq!(read.notes, ["truncated: the table holds 64 of 10000 columns"]);
}

#[test]
fn what_an_adapter_added_is_not_shown_as_said() {
    let read = read("x", r#"{"result":{"summary":"Rates rose.","n":[1]},"content":"","sources":[]}"#);
    assert!(
        read.content.contains("Rates rose.") && !read.content.contains("\"sources\""),
        "{}",
        read.content
    );
}

#[test]
fn what_stands_beside_a_text_of_another_name_is_kept_in_a_list() {
    let beside =
        r#""status":"degraded","error_rate":0.07,"hosts":["a","b"],"confidence":0.9,"usage":{"n":1}"#;
    let said = r#""The service has trouble.""#;
    let json = format!(r#"{{"summary":{said},{beside},"content":{said},"sources":[]}}"#);
    let list = "- **status:** degraded\n- **error rate:** 0.07\n- **hosts:** a, b";
    assert_eq!(read("x", &json).content, format!("The service has trouble.\n\n{list}"));
    // What came in the regular form is its content and nothing else.
    let json = format!(r#"{{"content":{said},"sources":[],{beside}}}"#);
    assert_eq!(read("x", &json).content, "The service has trouble.");
    let json =
        format!(r#"{{"answer":{said},"service":"service","status":"ok","content":{said},"sources":[]}}"#);
    assert_eq!(read("x", &json).content, "The service has trouble.");
}

#[test]
fn figures_and_oddities_are_reported() {
    let json = r#"{"content":"c","sources":["https://a.org",{"url":"https://b.org","x":1},7],"relevance":7,"confidence":"1","finish_reason":"length"}"#;
    let read = read("x", json);
    assert_eq!((read.sources.len(), read.relevance, read.confidence), (2, Some(7.0), Some(1.0)));
    assert_eq!(read.notes, ["clipped: the model stopped at its limit (`finish_reason` is `length`)"]);
    assert_eq!(
        super::read_payload(PayloadKind::Voice, r#"{"transcript":"t","final":false}"#).unwrap().notes,
        ["partial: the transcript isn't final"]
    );
}

proptest! {
    #[test]
    fn any_text_is_read(kind in 0usize..6, json in "\\PC{0,60}|[\\[\\]{}\":,a\\\\0-9 ]{0,60}") {
        let kind = ["documentation", "row_selection", "action_workflow", "voice", "safety", "x"][kind];
        read_payload(PayloadKind::named(kind), &json);
    }
}

#[test]
fn documents_of_a_state_are_its_sources() {
    let state = r#"{"generation":"Rome [1].","content":"Rome [1].","sources":[],"documents":[
        {"page_content":"t","metadata":{"source":"https://a.example/it","title":"Italy"}}]}"#;
    let sources = read("x", state).sources;
    assert_eq!(sources.len(), 1);
    assert_eq!(sources[0].url.as_deref(), Some("https://a.example/it"));
    let state = r#"{"messages":[{"role":"user","content":"B?"},{"role":"tool","content":"[{\"url\":\"https://a.example/it\"}]"},
        {"role":"assistant","content":"Rome."}]}"#;
    assert_eq!(
        read("x", state).sources,
        sources
            .iter()
            .map(|it| SourceInput { url: it.url.clone(), ..SourceInput::default() })
            .collect::<Vec<_>>()
    );
}
