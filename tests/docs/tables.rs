//! What documents list is all there is: codes with their statuses.

use tributary::domain::verdict::Code;
use tributary::edge::http::problem::Problem;

const CODES: &str = include_str!("../../docs/codes.md");

/// The cells of a table's row whose first cell is `name` in backticks.
fn row<'d>(document: &'d str, name: &str) -> Option<Vec<&'d str>> {
    let start = format!("| `{name}`");
    let line = document.lines().find(|line| line.starts_with(&start))?;
    Some(line.trim_matches('|').split(" | ").map(str::trim).collect())
}

#[test]
fn every_code_is_listed_with_its_status() {
    for code in Code::ALL {
        let cells = row(CODES, code.as_str()).unwrap_or_else(|| panic!("`{}` is missing", code.as_str()));
        let status = Problem::new(*code, "").status.as_u16().to_string();
        assert_eq!((cells.len(), cells[1]), (3, status.as_str()), "{cells:?}");
    }
    let refusals = CODES.split("## Codes of a call").next().unwrap();
    let listed = refusals.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(listed, Code::ALL.len(), "a code that there isn't");
}

/// Where the codes of calls are made.
const MAKERS: &[&str] = &[
    include_str!("../../src/engine/ports/subagent.rs"),
    include_str!("../../src/domain/protocols/mod.rs"),
    include_str!("../../src/domain/protocols/reader.rs"),
    include_str!("../../src/domain/protocols/tally.rs"),
    include_str!("../../src/domain/protocols/own_failure.rs"),
    include_str!("../../src/domain/protocols/openai.rs"),
    include_str!("../../src/domain/protocols/openai/responses.rs"),
    include_str!("../../src/domain/protocols/model/answer.rs"),
    include_str!("../../src/domain/protocols/a2a/failure.rs"),
    include_str!("../../src/domain/protocols/a2a/task.rs"),
    include_str!("../../src/domain/session/event.rs"),
];

/// The short names that follow one of `marks` in a source.
fn named<'s>(source: &'s str, marks: &[&str]) -> Vec<&'s str> {
    let after = marks.iter().flat_map(|mark| source.split(mark).skip(1));
    let quoted = after.filter_map(|rest| rest.split_once('"').map(|(name, _)| name));
    quoted.filter(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')).collect()
}

#[test]
fn every_code_of_a_call_is_listed() {
    let marks = [
        "lasting(\"",
        "retryable(\"",
        ") => \"",
        "{ .. } => \"",
        "TimedOut => \"",
        "=> (\"",
        "FAILED: &str = \"",
        "Some(\"action",
    ];
    let codes: Vec<&str> = MAKERS.iter().flat_map(|source| named(source, &marks)).collect();
    assert!(codes.len() > 18, "{codes:?}");
    let table = CODES.split("## Codes of a call").nth(1).unwrap().split("## Limits").next().unwrap();
    for code in codes {
        assert!(table.contains(&format!("{code}`")), "`{code}` is missing");
    }
}
