//! What the service is shipped with: the image's recipe, the compose file with what it mounts, and the configuration for
//! production.
//!
//! No engine builds the image here: what can be checked without one is.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::ffi::OsString;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tributary::config::{CacheBackend, Config, ConfigArgs};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap()
}

fn production(variables: &[(&str, &str)]) -> Config {
    let file = Some(root().join("config/production.toml"));
    let variables = variables.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    Config::load_with(&ConfigArgs { file, listen: None }, variables).unwrap()
}

#[test]
fn configuration_for_production_is_accepted() {
    let config = production(&[]);
    assert_eq!(config.cache.backend, CacheBackend::Redis);
    assert!(config.server.listen.ip().is_loopback(), "nobody signs in yet");
    let url = "rediss://:secret@redis.internal:6379";
    assert_eq!(production(&[("TRIBUTARY_CACHE__REDIS_URL", url)]).cache.redis_url.expose(), url);
}

/// The instructions of the Dockerfile, continued lines joined.
fn instructions() -> Vec<String> {
    let recipe = text("Dockerfile").replace("\\\n", " ");
    let lines = recipe.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

#[test]
fn what_the_image_is_built_from_is_there() {
    let ignored = text(".dockerignore");
    let ignored: Vec<&str> = ignored.lines().filter(|line| !line.starts_with('#')).collect();
    let copied: Vec<PathBuf> = instructions()
        .iter()
        .filter_map(|line| line.strip_prefix("COPY "))
        .filter(|what| !what.starts_with("--from="))
        .map(|what| what.split_whitespace().next().unwrap().into())
        .collect();
    assert!(copied.contains(&".".into()), "{copied:?}");
    // The program embeds files of `config` and `examples`; without `benches` the manifest isn't valid.
    let needed = ["Cargo.toml", "Cargo.lock", "src", "config", "examples", "benches"].map(PathBuf::from);
    for path in copied.into_iter().chain(needed) {
        assert!(root().join(&path).exists(), "{path:?} isn't there");
        let first = path.iter().next().unwrap().to_str().unwrap();
        assert!(!ignored.contains(&first), "{path:?} is left out by .dockerignore");
    }
}

#[test]
fn the_image_runs_as_nobody_and_on_the_version_of_rust_that_is_tested() {
    let instructions = instructions();
    let toolchain = text("rust-toolchain.toml");
    let version =
        toolchain.lines().find_map(|line| line.strip_prefix("channel = ")).unwrap().trim_matches('"');
    let image = instructions[0].strip_prefix("FROM rust:").unwrap().split('-').next().unwrap();
    assert!(version.starts_with(image), "{version} is tested, {image} builds");
    let user = instructions.iter().rev().find_map(|line| line.strip_prefix("USER ")).unwrap();
    assert!(!user.starts_with("root") && !user.starts_with("0"), "{user}");
}

/// Runs the image's health check against an answer.
fn health(answer: &'static str) -> bool {
    let instructions = instructions();
    let check = instructions.iter().find(|line| line.starts_with("HEALTHCHECK")).unwrap();
    let command: Vec<String> = serde_json::from_str(check.split_once(" CMD ").unwrap().1).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    let serving = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut asked, mut byte) = (Vec::new(), [0]);
        while !asked.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() == 1 {
            asked.push(byte[0]);
        }
        stream.write_all(answer.as_bytes()).unwrap();
        String::from_utf8(asked).unwrap()
    });
    assert!(command.iter().any(|word| word.contains("127.0.0.1/8080")), "{command:?}");
    let words = command[1..].iter().map(|word| word.replace("127.0.0.1/8080", &format!("127.0.0.1/{port}")));
    let healthy = Command::new(&command[0]).args(words).status().unwrap().success();
    let asked = serving.join().unwrap();
    assert!(asked.starts_with("GET /healthz HTTP/1.1\r\nhost: "), "{asked}");
    healthy
}

#[test]
fn the_health_check_tells_a_healthy_service_from_another() {
    assert!(health("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
    assert!(!health("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n"));
}

/// What `docker-compose config` makes of the compose file.
fn compose(password: &str) -> (bool, String) {
    let mut command = Command::new("docker-compose");
    command.arg("config").current_dir(root()).env("POSTGRES_PASSWORD", password);
    command.env_remove("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
    let output = command.output().expect("docker-compose is installed (Debian: docker-compose)");
    let Output { status, stdout, stderr } = output;
    (status.success(), String::from_utf8([stdout, stderr].concat()).unwrap())
}

#[test]
fn the_compose_file_is_valid_and_opens_nothing_to_others() {
    let (valid, said) = compose("chosen");
    assert!(valid, "{said}");
    for service in ["tributary", "redis", "postgres", "prometheus", "grafana", "jaeger"] {
        assert!(said.contains(&format!("\n  {service}:\n")), "{said}");
    }
    assert_eq!(said.matches("network_mode: host").count(), 6, "{said}");
    assert!(!said.contains("ports:") && !said.contains("0.0.0.0"), "{said}");
    for own in ["listen_addresses=127.0.0.1", "--web.listen-address=127.0.0.1:9090"] {
        assert!(said.contains(own), "{own}: {said}");
    }
    assert_eq!(said.matches("condition: service_healthy").count(), 2, "{said}");
    assert_eq!(said.matches("healthcheck:").count(), 5, "the image brings the service's own: {said}");
}

#[test]
fn what_is_started_beside_the_service_listens_on_loopback_and_loses_nothing() {
    let redis = text("config/redis/redis.conf");
    for own in ["bind 127.0.0.1", "maxmemory-policy noeviction", "appendonly yes", "appendfsync everysec"] {
        assert!(redis.lines().any(|line| line == own), "{own}: {redis}");
    }
    let jaeger = text("config/jaeger/jaeger.yaml");
    let endpoints: Vec<&str> =
        jaeger.lines().filter_map(|line| line.trim().strip_prefix("endpoint: ")).collect();
    assert!(endpoints.len() == 5 && endpoints.iter().all(|at| at.starts_with("127.0.0.1:")), "{endpoints:?}");
    assert!(text("config/grafana/grafana.ini").lines().any(|line| line == "http_addr = 127.0.0.1"));
}

/// Plain `docker compose up` starts the service and its stores; `--profile observe` the rest.
#[test]
fn what_only_looks_on_is_started_where_it_is_asked_for() {
    let (_, said) = compose("chosen");
    assert_eq!(said.matches("profiles:\n    - observe\n").count(), 3, "{said}");
    for service in ["prometheus", "grafana", "jaeger"] {
        let begin = said.find(&format!("\n  {service}:\n")).unwrap();
        let own = said[begin + 1..].split_once(":\n").unwrap().1;
        let own: String = own.lines().take_while(|line| line.starts_with("    ")).collect();
        assert!(own.contains("profiles:"), "{service}: {own}");
    }
    let endpoint = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ''";
    assert!(said.contains(endpoint), "spans are sent without being asked for: {said}");
}

#[test]
fn images_have_versions_and_what_is_mounted_is_there() {
    let (_, said) = compose("chosen");
    let lines = || said.lines().map(|line| line.trim().trim_start_matches("- "));
    let images: Vec<&str> = lines().filter_map(|line| line.strip_prefix("image: ")).collect();
    assert_eq!(images.len(), 6, "{images:?}");
    for image in images.iter().filter(|image| **image != "tributary") {
        let version = image.split_once(':').unwrap_or_else(|| panic!("{image} has no version")).1;
        assert!(version.contains(|c: char| c.is_ascii_digit()), "{image}");
    }
    let mounted: Vec<&str> = lines().filter(|line| line.starts_with('/') && line.ends_with(":ro")).collect();
    assert_eq!(mounted.len(), 4, "{said}");
    for mount in mounted {
        let folder = Path::new(mount.split(':').next().unwrap());
        assert!(fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some()), "{folder:?} is empty");
        assert!(folder.starts_with(root().join("config")), "{folder:?}");
    }
    // What the commands and the settings name in them, by where it is mounted.
    for (inside, here) in [
        ("/etc/redis/redis.conf", "config/redis/redis.conf"),
        ("/etc/prometheus/prometheus.yml", "config/prometheus/prometheus.yml"),
        ("/etc/jaeger/jaeger.yaml", "config/jaeger/jaeger.yaml"),
    ] {
        assert!(said.contains(inside) && root().join(here).is_file(), "{inside}: {said}");
    }
    // Where Grafana's image looks unless it is told otherwise.
    for file in ["grafana.ini", "provisioning/datasources/prometheus.yml", "dashboards/tributary.json"] {
        assert!(root().join("config/grafana").join(file).is_file(), "{file}");
    }
}

#[test]
fn the_compose_file_holds_no_password() {
    let (valid, said) = compose("");
    assert!(!valid && said.contains("choose one"), "{said}");
}
