//! How many files may be open, as whoever starts the program bounds them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Service, tributary};

/// The program, started by a shell that bounds it first.
fn bounded(bound: &str, arguments: &[&str]) -> Command {
    let program = tributary(arguments);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("{bound} && exec \"$@\""), "sh"])
        .arg(program.get_program())
        .args(program.get_args());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell
}

/// What the system grants a process: `Max open files`.
fn granted(service: &Service) -> u64 {
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", service.child.id())).unwrap();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

fn lives(service: &Service) -> bool {
    let mut stream = TcpStream::connect(&service.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let mut answer = String::new();
    let asked = write!(stream, "GET /healthz HTTP/1.1\r\nhost: t\r\nconnection: close\r\n\r\n");
    asked.and_then(|()| stream.read_to_string(&mut answer)).is_ok() && answer.starts_with("HTTP/1.1 200")
}

#[test]
fn a_shells_soft_limit_is_raised_as_far_as_is_needed() {
    let start = bounded("ulimit -Sn 256", &["--listen", "127.0.0.1:0"]);
    let service = Service::from(start);
    // 10,000 connections, 1,000 calls and its own, unless the machine grants less.
    assert!(granted(&service) >= 1_024, "{}", granted(&service));
    let own = BufReader::new(std::fs::File::open("/proc/self/limits").unwrap()).lines().map(Result::unwrap);
    let hard = own.filter_map(|line| Some(line.strip_prefix("Max open files")?.to_owned())).next().unwrap();
    let hard: u64 = hard.split_whitespace().nth(1).unwrap().parse().unwrap_or(u64::MAX);
    assert_eq!(granted(&service), hard.min(11_256));
}

/// Callers who hold all that there is don't keep the probe from its answer.
#[test]
fn where_the_hard_limit_is_low_fewer_connections_are_taken_and_the_service_lives() {
    let mut child = bounded("ulimit -n 512", &["--listen", "127.0.0.1:0"]).spawn().unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    log.read_line(&mut line).unwrap();
    assert!(line.contains("this process may have 512 files open: it takes 256 connections"), "{line}");
    let service = Service::listening(child, log);
    let held: Vec<TcpStream> = (0..600).map(|_| TcpStream::connect(&service.address).unwrap()).collect();
    let begin = Instant::now();
    // Those who come all at once are closed unanswered, some of them.
    while !lives(&service) {
        assert!(begin.elapsed() < Duration::from_secs(5), "nobody answers");
    }
    drop(held);

    let found = bounded("ulimit -n 512", &["check", "--offline"]).output().unwrap();
    let said = String::from_utf8(found.stdout).unwrap();
    assert!(
        found.status.success() && said.contains("warning: server.connections_max is 10000, but"),
        "{said}"
    );
}
