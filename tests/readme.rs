//! The documents against the program: what they print works as printed, what they list is all there is.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tributary::domain::verdict::Code;
use tributary::edge::http::problem::Problem;

const README: &str = include_str!("../README.md");
const CONFIGURATION: &str = include_str!("../docs/configuration.md");
const DEFAULTS: &str = include_str!("../config/default.toml");

/// A running service; killed at the end.
struct Service {
    child: Child,
    address: String,
}

impl Service {
    fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("TRIBUTARY_") || name == "RUST_LOG" {
                command.env_remove(&name);
            }
        }
        command.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let entry: Value = serde_json::from_str(&line).unwrap();
        Self { child, address: entry["address"].as_str().unwrap().to_owned() }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_four_lines_work_as_printed() {
    let service = Service::start();
    let lines: Vec<&str> = README.lines().filter(|line| line.starts_with("curl ")).collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    let answers = lines.iter().map(|line| {
        assert!(line.contains("http://127.0.0.1:8080/"), "{line}");
        let line = line.replace("127.0.0.1:8080", &service.address);
        let Output { status, stdout, stderr } = Command::new("sh").args(["-c", &line]).output().unwrap();
        assert!(status.success(), "{line}\n{}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).unwrap()
    });
    let answers: Vec<String> = answers.collect();

    let directive: Value = serde_json::from_str(&answers[0]).unwrap();
    assert_eq!((&directive["plan_step_id"], &directive["status"]), (&"step-1".into(), &"in_progress".into()));
    let event: Value = serde_json::from_str(&answers[1]).unwrap();
    assert_eq!((&event["accepted"], &event["results"][0]["verdict"]), (&1.into(), &"accepted".into()));
    let stream = &answers[2];
    let data = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    let frames: Vec<Value> = data.map(|data| serde_json::from_str(data).unwrap()).collect();
    let events: Vec<&Value> =
        frames.iter().filter_map(|frame| frame["events"].as_array()).flatten().collect();
    let sequences: Vec<u64> = events.iter().map(|event| event["sequence"].as_u64().unwrap()).collect();
    assert_eq!(sequences, (1..=sequences.len() as u64).collect::<Vec<_>>(), "{stream}");
    let answer = "A quote becomes an order when it is accepted.";
    assert!(events.iter().any(|event| event["content"]["payload"]["answer"] == answer), "{stream}");
    assert_eq!(events.last().unwrap()["type"], "plan_step_completed");
    assert!(stream.contains("event: end"), "{stream}");
    // The quotation stands without its full stop.
    assert!(answers[3].contains(answer.trim_end_matches('.')), "{}", answers[3]);
}

/// The cells of a table's row whose first cell is `name` in backticks.
fn row<'d>(document: &'d str, name: &str) -> Option<Vec<&'d str>> {
    let start = format!("| `{name}`");
    let line = document.lines().find(|line| line.starts_with(&start))?;
    Some(line.trim_matches('|').split(" | ").map(str::trim).collect())
}

#[test]
fn every_code_is_in_the_readme_with_its_status() {
    for code in Code::ALL {
        let cells = row(README, code.as_str()).unwrap_or_else(|| panic!("`{}` is missing", code.as_str()));
        let status = Problem::new(*code, "").status.as_u16().to_string();
        assert_eq!((cells.len(), cells[1]), (3, status.as_str()), "{cells:?}");
    }
    let codes = README.split("## Codes").nth(1).unwrap().split("\n## ").next().unwrap();
    let listed = codes.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(listed, Code::ALL.len(), "a code that there isn't");
}

/// Keys of the default configuration: `section.key`, its value, the sentence that tells its unit and range.
fn keys() -> Vec<(String, String, String)> {
    let (mut keys, mut section, mut comment) = (Vec::new(), "", String::new());
    for line in DEFAULTS.lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        } else if let Some(text) = line.strip_prefix('#') {
            comment.push_str(text);
        } else if let Some((key, value)) = line.split_once(" = ") {
            let range = comment.split(". ").next().unwrap_or_default().to_owned();
            keys.push((format!("{section}.{key}"), value.to_owned(), range));
        }
        if !line.starts_with('#') {
            comment.clear();
        }
    }
    keys
}

#[test]
fn every_key_is_documented_with_its_variable_default_and_range() {
    let keys = keys();
    assert!(keys.len() > 50, "{keys:?}");
    for (key, value, range) in &keys {
        let cells = row(CONFIGURATION, key).unwrap_or_else(|| panic!("`{key}` is missing"));
        let variable = format!("TRIBUTARY_{}", key.to_uppercase().replace('.', "__"));
        assert!(cells[0].ends_with(&format!("`{variable}`")), "{cells:?}");
        let plain = if value.starts_with('"') { value.clone() } else { value.replace('_', "") };
        assert_eq!(cells[1], format!("`{plain}`"), "{key}");
        let numbers = range.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
        for number in numbers {
            assert!(cells[2..].concat().contains(number), "{key}: {number} is missing in {cells:?}");
        }
    }
    let documented = CONFIGURATION.lines().filter(|line| line.contains("<br>`TRIBUTARY_"));
    let known = documented.filter(|line| !line.contains(".<")).count();
    assert_eq!(known, keys.len(), "a key that there isn't");
}

/// Where scripts/test puts other people's readers.
fn readers() -> PathBuf {
    let readers = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../readers");
    assert!(readers.join("venv").exists(), "run scripts/test, which installs what the examples need");
    readers
}

#[test]
fn examples_read_a_stream_to_its_end() {
    let service = Service::start();
    for line in README.lines().filter(|line| line.starts_with("curl --json")) {
        let line = line.replace("127.0.0.1:8080", &service.address);
        assert!(Command::new("sh").args(["-c", &line]).output().unwrap().status.success(), "{line}");
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    // Node looks for modules beside the file.
    let script = readers().join("example.mjs");
    std::fs::copy(examples.join("reader.mjs"), &script).unwrap();
    let url = format!("http://{}/planner/sessions/s1/steps/step-1/events", service.address);
    let (node, python) = (PathBuf::from("node"), readers().join("venv/bin/python"));
    for (program, script) in [(node, script), (python, examples.join("reader.py"))] {
        let Output { status, stdout, stderr } =
            Command::new(program).args([&script, &url.clone().into()]).output().unwrap();
        let (said, complaints) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
        assert!(status.success() && complaints.is_empty(), "{}: {complaints}", script.display());
        let shown: Vec<&str> =
            said.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
        assert_eq!(shown.len(), 8, "{said}");
        assert_eq!((shown[0], shown[7]), ("1 plan step_started", "8 plan completed"), "{said}");
    }
}
