//! `tributary health`: what the image's health check runs.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::certificates::Certificates;
use crate::image::health_check;
use crate::redis_server::free_port;
use crate::service::{Service, clean, production, signed_in_and_alone, variable};

/// The image's own command with these variables: its exit code, and what it says. Who stood still for a moment is asked
/// again, as whoever runs the check does.
fn check(variables: &[(String, String)]) -> (Option<i32>, String) {
    let words = health_check();
    assert_eq!(words[1..], ["--config", "/etc/tributary/production.toml", "health"]);
    asked(|| {
        let mut command = production(variables);
        command.arg(&words[3]);
        command
    })
}

fn asked(command: impl Fn() -> Command) -> (Option<i32>, String) {
    let mut told = said(&mut command());
    for _ in 0..5 {
        if told.1.contains("not within") {
            told = said(&mut command());
        }
    }
    told
}

fn said(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().unwrap();
    (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

fn listening(listen: String) -> Vec<(String, String)> {
    let mut variables = signed_in_and_alone();
    variables.push(variable("TRIBUTARY_SERVER__LISTEN", listen));
    variables
}

#[test]
fn tells_a_service_that_lives_from_one_that_does_not() {
    // A proxy in the environment has no say.
    let mut variables = listening(format!("0.0.0.0:{}", free_port()));
    variables.push(variable("HTTP_PROXY", "http://127.0.0.1:1"));
    variables.push(variable("http_proxy", "http://127.0.0.1:1"));
    let mut service = Service::start(production(&variables));
    let port = service.address.rsplit(':').next().unwrap().to_owned();
    let url = format!("http://127.0.0.1:{port}/healthz");
    assert_eq!(check(&variables), (Some(0), format!("{url} answers 200 OK\n")));
    service.kill();
    let (code, said) = check(&variables);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.starts_with(&format!("error: {url} doesn't answer: ")) && said.contains("refused"),
        "{said}"
    );
}

/// The certificate names another host than loopback, as certificates do: our own isn't held against it, another's is.
#[test]
fn asks_over_tls_where_there_is_a_certificate() {
    let certificates = Certificates::new();
    let mut variables = listening(format!("127.0.0.1:{}", free_port()));
    for (name, file) in [("CERTIFICATE", "server.pem"), ("KEY", "server.key")] {
        let path = certificates.file(file).display().to_string();
        variables.push(variable(&format!("TRIBUTARY_SERVER__TLS_{name}_FILE"), path));
    }
    let service = Service::start(production(&variables));
    let (code, told) = check(&variables);
    assert_eq!((code, told), (Some(0), format!("https://{}/healthz answers 200 OK\n", service.address)));
    let url = format!("https://{}/healthz", service.address);
    let (code, told) = asked(|| {
        let mut other = clean(env!("CARGO_BIN_EXE_tributary"));
        other.args(["health", "--url", &url]);
        other
    });
    assert_eq!(code, Some(1), "{told}");
    assert!(told.to_lowercase().contains("certificate"), "{told}");
}

/// What a server that answers `answer`, or nothing, is taken for.
fn against(answer: Option<&'static str>) -> (Option<i32>, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/healthz", listener.local_addr().unwrap());
    let serving = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut asked, mut byte) = (Vec::new(), [0]);
        while !asked.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() == 1 {
            asked.push(byte[0]);
        }
        match answer {
            Some(answer) => stream.write_all(answer.as_bytes()).unwrap(),
            // Until the other side has given up.
            None => assert_eq!(stream.read(&mut byte).unwrap_or(0), 0),
        }
    });
    let ended = said(clean(env!("CARGO_BIN_EXE_tributary")).args(["health", "--url", &url]));
    serving.join().unwrap();
    ended
}

#[test]
fn only_an_answer_of_200_in_time_is_healthy() {
    assert_eq!(against(Some("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")).0, Some(0));
    for answer in [
        "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n",
        "SSH-2.0-OpenSSH\r\n",
    ] {
        let (code, told) = against(Some(answer));
        assert_eq!((code, told.lines().count()), (Some(1), 1), "{told}");
    }
    let begin = Instant::now();
    let (code, told) = against(None);
    assert!(code == Some(1) && told.contains("not within 2s"), "{told}");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}

#[test]
fn without_a_port_or_with_a_wrong_address_it_says_what_to_do() {
    for (arguments, advice) in [
        (&["health", "--listen", "127.0.0.1:0"][..], "--url"),
        (&["health", "--url", "8080"][..], "`8080` is no address"),
        (&["health", "--url", "http://127.0.0.1:1"][..], "http://127.0.0.1:1/healthz doesn't answer"),
    ] {
        let (code, told) = said(clean(env!("CARGO_BIN_EXE_tributary")).args(arguments));
        assert!(code == Some(1) && told.contains(advice), "{told}");
    }
}
