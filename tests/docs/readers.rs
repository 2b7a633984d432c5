//! The examples read a stream to its end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use serde_json::Value;

use crate::{blocks_of, root};

/// A running service; killed at the end.
struct Service {
    child: Child,
    address: String,
}

impl Service {
    fn start() -> Self {
        Self::start_with(&[])
    }

    fn start_with(variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("TRIBUTARY_") || name == "RUST_LOG" {
                command.env_remove(&name);
            }
        }
        command.envs(variables.iter().copied());
        command.args(["serve", "--listen", "127.0.0.1:0"]).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let entry: Value = serde_json::from_str(&line).unwrap();
        Self { child, address: entry["address"].as_str().unwrap().to_owned() }
    }

    /// Runs a line of the README against it; gives what it prints.
    fn asked(&self, line: &str) -> String {
        assert!(line.contains("http://127.0.0.1:8080/"), "{line}");
        let line = line.replace("127.0.0.1:8080", &self.address);
        let Output { status, stdout, stderr } = Command::new("sh").args(["-c", &line]).output().unwrap();
        assert!(status.success(), "{line}\n{}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).unwrap()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The README's four requests: a directive, an event, the stream, the result.
fn requests() -> Vec<String> {
    let lines: Vec<String> = blocks_of("README.md")
        .iter()
        .flat_map(|block| block.text.lines())
        .filter(|line| line.starts_with("curl "))
        .map(str::to_owned)
        .collect();
    assert_eq!(lines.len(), 4, "{lines:?}");
    lines
}

#[test]
fn four_lines_of_the_readme_say_what_they_should() {
    let service = Service::start();
    let answers: Vec<String> = requests().iter().map(|line| service.asked(line)).collect();
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
    let answer = "A quote becomes an order when it is accepted [1].";
    assert!(events.iter().any(|event| event["content"]["payload"]["answer"] == answer), "{stream}");
    assert_eq!(events.last().unwrap()["type"], "plan_step_completed");
    assert!(stream.contains("event: end"), "{stream}");
    // The quotation stands without its full stop, and with its source behind it.
    let quoted = "“A quote becomes an order when it is accepted” [1]";
    assert!(answers[3].contains(quoted), "{}", answers[3]);
}

/// Where scripts/test puts other people's readers.
fn readers() -> PathBuf {
    let readers = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../readers");
    assert!(readers.join("venv").exists(), "run scripts/test, which installs what the examples need");
    readers
}

/// The examples, told to read a step of this session.
fn examples(test: &str, service: &Service, session: &str) -> [Command; 3] {
    let url = format!("http://{}/planner/sessions/{session}/steps/step-1/events", service.address);
    examples_at(test, &url)
}

/// The same, told to read this.
fn examples_at(test: &str, url: &str) -> [Command; 3] {
    let examples = root().join("examples");
    // Node looks for modules beside the file.
    let script = readers().join(format!("example-{test}.mjs"));
    std::fs::copy(examples.join("reader.mjs"), &script).unwrap();
    let example = |program: PathBuf, script: PathBuf| {
        let mut command = Command::new(program);
        command.args([script, url.into()]).env_remove("TRIBUTARY_TOKEN");
        command
    };
    // Cargo builds it with the tests, beside the program.
    let rust = Path::new(env!("CARGO_BIN_EXE_tributary")).with_file_name("examples").join("reader");
    assert!(rust.exists(), "run cargo build --examples");
    let mut compiled = Command::new(rust);
    compiled.arg(url).env_remove("TRIBUTARY_TOKEN");
    let python = example(readers().join("venv/bin/python"), examples.join("reader.py"));
    [example("node".into(), script), python, compiled]
}

/// By its status before a stream begins, and within one; with the right token they read.
#[test]
fn examples_say_why_they_are_refused_and_end() {
    const TOKEN: &str = "a key of this test";
    let hash = format!(
        "sha256:{}",
        aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, TOKEN.as_bytes())
            .as_ref()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    );
    let service = Service::start_with(&[
        ("TRIBUTARY_AUTH__MODE", "required"),
        ("TRIBUTARY_AUTH__KEYS__TEST__HASH", &hash),
        ("TRIBUTARY_AUTH__KEYS__TEST__SCOPES", "plan,publish,read"),
        ("TRIBUTARY_STREAMING__UNKNOWN_PATIENCE_MS", "0"),
    ]);
    for line in requests().iter().filter(|line| line.starts_with("curl --json")) {
        service.asked(&line.replace("curl ", &format!("curl -H 'authorization: Bearer {TOKEN}' ")));
    }
    let run = |session: &str, token: &str| {
        let run = |mut example: Command| {
            let output = example.env("TRIBUTARY_TOKEN", token).output().unwrap();
            (output.status.code(), String::from_utf8(output.stderr).unwrap())
        };
        examples("refused", &service, session).map(run)
    };
    for (session, token, told) in
        [("s1", "wrong", "refused: 401 unauthorized"), ("nowhere", TOKEN, "refused: 404 unknown_step")]
    {
        for (code, said) in run(session, token) {
            assert_eq!((code, said.contains(told)), (Some(1), true), "{session}: {said}");
        }
    }
    for (code, said) in run("s1", TOKEN) {
        assert_eq!((code, &*said), (Some(0), ""));
    }
}

#[test]
fn examples_read_a_stream_to_its_end() {
    let service = Service::start();
    for line in requests().iter().filter(|line| line.starts_with("curl --json")) {
        service.asked(line);
    }
    for mut example in examples("whole", &service, "s1") {
        let Output { status, stdout, stderr } = example.output().unwrap();
        let (said, complaints) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
        assert!(status.success() && complaints.is_empty(), "{example:?}: {complaints}");
        let shown: Vec<&str> =
            said.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect();
        assert_eq!(shown.len(), 8, "{said}");
        assert_eq!((shown[0], shown[7]), ("1 plan step_started", "8 plan completed"), "{said}");
    }
}

/// What the examples print for each event that they read.
fn shown(output: &Output) -> Vec<&str> {
    let said = std::str::from_utf8(&output.stdout).unwrap();
    said.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect()
}

/// A page that was reloaded and a process that was started again have a cursor, and nothing else.
#[test]
fn examples_begin_at_a_cursor() {
    let service = Service::start();
    for line in requests().iter().filter(|line| line.starts_with("curl --json")) {
        service.asked(line);
    }
    let events = "http://127.0.0.1:8080/planner/sessions/s1/steps/step-1/events";
    let page: Value = serde_json::from_str(&service.asked(&format!("curl -s '{events}?limit=3'"))).unwrap();
    let cursor = page["next"].as_str().unwrap();
    for place in [format!("last_event_id={cursor}"), "after=3".to_owned()] {
        let url = format!("{events}?{place}").replace("127.0.0.1:8080", &service.address);
        for mut example in examples_at("cursor", &url) {
            let output = example.output().unwrap();
            assert!(output.status.success() && output.stderr.is_empty(), "{example:?}: {output:?}");
            let shown = shown(&output);
            assert_eq!((shown.len(), shown[0].split(' ').next()), (5, Some("4")), "{place}: {shown:?}");
        }
    }
}

/// What a restart behind a proxy looks like: the line is cut, there is nobody for a moment, then all is well.
#[test]
fn examples_read_on_behind_a_proxy_that_found_nobody() {
    read_on("nobody", |mut client| {
        let _ =
            client.write_all(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    });
}

/// A machine that hangs takes connections all the same: only a clock tells.
#[test]
fn examples_read_on_after_a_connection_that_says_nothing() {
    read_on("silent", |mut client| {
        let _ = std::io::copy(&mut client, &mut std::io::sink());
    });
}

/// Each example reads a step whose stream is cut, and whose second connection meets this.
fn read_on(test: &str, second: fn(&TcpStream)) {
    let service = Service::start_with(&[("TRIBUTARY_STREAMING__HEARTBEAT_MS", "1000")]);
    for line in requests().iter().filter(|line| line.starts_with("curl --json")) {
        service.asked(line);
    }
    for (at, program) in ["node", "python", "rust"].iter().enumerate() {
        let proxy = flaky_proxy(service.address.clone(), second);
        let url = format!("http://{proxy}/planner/sessions/s1/steps/step-1/events?batch=1");
        let output = examples_at(test, &url).into_iter().nth(at).unwrap().output().unwrap();
        let sequences: Vec<&str> =
            shown(&output).iter().map(|line| line.split(' ').next().unwrap()).collect();
        assert!(output.status.success(), "{program}: {output:?}");
        assert_eq!(sequences, ["1", "2", "3", "4", "5", "6", "7", "8"], "{program}: {output:?}");
    }
}

/// A proxy that cuts its first connection within the third frame, does this with the second, and passes on the rest.
fn flaky_proxy(service: String, second: fn(&TcpStream)) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for (number, client) in listener.incoming().map_while(Result::ok).enumerate() {
            let service = service.clone();
            thread::spawn(move || match number {
                0 => pass(client, &service, Some(("\nevent: planner_stream", 3))),
                1 => second(&client),
                _ => pass(client, &service, None),
            });
        }
    });
    address
}

/// Passes on what both say; what the service says up to the place where this text stands for the so manieth time.
fn pass(client: TcpStream, service: &str, cut: Option<(&str, usize)>) {
    let mut service = TcpStream::connect(service).unwrap();
    let (mut asks, mut answers) = (client.try_clone().unwrap(), service.try_clone().unwrap());
    thread::spawn(move || std::io::copy(&mut asks, &mut answers));
    let (mut said, mut bytes) = (Vec::new(), [0; 4_096]);
    while let Ok(read @ 1..) = service.read(&mut bytes) {
        let before = said.len();
        said.extend_from_slice(&bytes[..read]);
        let end = cut.and_then(|(text, times)| {
            let text = text.as_bytes();
            said.windows(text.len())
                .enumerate()
                .filter(|(_, found)| *found == text)
                .nth(times - 1)
                .map(|(at, _)| at)
        });
        if (&client).write_all(&said[before..end.unwrap_or(said.len()).max(before)]).is_err() || end.is_some()
        {
            break;
        }
    }
    let _ = client.shutdown(Shutdown::Both);
    let _ = service.shutdown(Shutdown::Both);
}
