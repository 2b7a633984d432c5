//! The demo as somebody who tries it meets it: what it prints, how it ends, that what it prints works.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn demo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if ["TRIBUTARY_", "OTEL_", "AI_", "RUST_LOG"].iter().any(|prefix| text.starts_with(prefix)) {
            command.env_remove(&name);
        }
    }
    command.args(["demo", "--fast"]).args(arguments).env("COLUMNS", "100");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The sequences of the timeline's events, in the order in which they were shown.
fn sequences(said: &str) -> Vec<u64> {
    let timeline =
        said.lines().filter(|line| line.get(..6).is_some_and(|at| at.trim().parse::<f64>().is_ok()));
    timeline.filter_map(|line| line.get(6..11)?.trim().parse().ok()).collect()
}

#[test]
fn demo_shows_every_event_once_and_ends_by_itself() {
    let Output { status, stdout, stderr } = demo(&[]).output().unwrap();
    let (said, complaints) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
    assert_eq!((status.code(), complaints.as_str()), (Some(0), ""), "{said}");

    let shown = sequences(&said);
    let (count, last) = (shown.len(), *shown.last().unwrap());
    // Who makes a call is an entry that nobody is shown; nothing else is missing.
    let own_entries = last as usize - count;
    assert!(count > 40 && shown.is_sorted_by(|a, b| a < b) && own_entries == 2, "{said}");
    let coverage =
        format!("{count} events, sequences 1..{last}, no hole, no double; the page has the same bytes");
    for part in [
        coverage.as_str(),
        "nothing missed, nothing twice",
        "who asks again hears 204",
        "partial_failure",
        "3 success, 1 error, 1 timeout",
    ] {
        assert!(said.contains(part), "`{part}` is missing in: {said}");
    }
    for (lane, status) in [
        ("claude4-sonnet", "success"),
        ("gpt-4.1", "success"),
        ("gpt-5", "success"),
        ("gpt-4.1", "duplicate"),
        ("web_search", "retry"),
        ("web_search", "error"),
        ("row_selection", "timeout"),
        ("row_selection", "late"),
        ("reader", "cut"),
        ("reader", "resumed"),
    ] {
        let told = said.lines().any(|line| line.contains(lane) && line.contains(status));
        assert!(told, "`{lane} {status}` is missing in: {said}");
    }
    assert!(said.lines().any(|line| line.contains('↻')), "{said}");
    assert!(!said.contains('\x1b'), "colours where nobody looks: {said}");
    for line in said.lines() {
        assert!(line.chars().count() <= 100, "wider than the terminal: {line}");
    }
}

/// A demo that is left running; killed where a test fails.
struct Kept {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Kept {
    fn start() -> Self {
        let mut child = demo(&["--keep"]).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self { child, out }
    }

    /// The lines to try, which come last.
    fn invitation(&mut self, lines: usize) -> Vec<String> {
        let mut found = Vec::new();
        while found.len() < lines {
            let mut line = String::new();
            assert!(self.out.read_line(&mut line).unwrap() > 0, "only {found:?}");
            if line.trim().starts_with("curl ") {
                found.push(line.trim().to_owned());
            }
        }
        found
    }
}

#[test]
fn kept_demo_answers_the_lines_that_it_prints() {
    let mut kept = Kept::start();
    let expected: [&[&str]; 7] = [
        &["Status `partial_failure`: 3 of 5", "## Sources"],
        &["\"status\":\"partial_failure\"", "\"late\":1"],
        &["plan_step_completed", "\"closed\":true"],
        &["event: open", "\"from\":0", "event: end"],
        &["\"from\":50", "\"reason\":\"ok\"", "event: end"],
        &["\"verdict\":\"late\""],
        &["\"plan_step_id\":\"mine\"", "\"status\":\"in_progress\""],
    ];
    let lines = kept.invitation(expected.len());
    for (line, parts) in lines.iter().zip(expected) {
        let Output { status, stdout, .. } = Command::new("sh").args(["-c", line]).output().unwrap();
        let answer = String::from_utf8(stdout).unwrap();
        assert!(status.success() && parts.iter().all(|part| answer.contains(part)), "{line}\n{answer}");
    }
    let pid = kept.child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &pid]).status().unwrap().success());
    assert_eq!(kept.child.wait().unwrap().code(), Some(0));
}

#[test]
fn demo_without_an_audience_ends_soon() {
    let mut child = demo(&[]).spawn().unwrap();
    drop(child.stdout.take());
    let begin = Instant::now();
    let mut complaint = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert_eq!(
        (child.wait().unwrap().code(), complaint.contains("nobody reads")),
        (Some(1), true),
        "{complaint}"
    );
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}

#[test]
fn demo_listens_where_it_is_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let Output { status, stderr, .. } = demo(&["--listen", &address]).output().unwrap();
    let complaint = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(1));
    assert!(complaint.contains(&format!("can't listen on {address}")), "{complaint}");
}
