//! The compose file: it is valid, opens nothing to others, holds no password, and what it names is there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::service::production;
use crate::{Folder, root, text, yaml};

const SERVICES: [&str; 6] = ["grafana", "jaeger", "postgres", "prometheus", "redis", "tributary"];

/// The variables that `scripts/compose-keys` makes.
pub fn keys(folder: &Folder) -> BTreeMap<String, String> {
    let file = folder.0.join("env");
    let made =
        Command::new("bash").arg("scripts/compose-keys").arg(&file).current_dir(root()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once('=').unwrap()).map(|(name, value)| (name.into(), value.into())).collect()
}

/// What `docker-compose config` says with these variables.
fn said(variables: &BTreeMap<String, String>) -> (bool, String) {
    let nowhere = root().join("tests/containers/requirements.txt");
    let mut command = Command::new("docker-compose");
    // Not what a developer has in a file of the project's root.
    command.arg("--env-file").arg(nowhere).arg("config").current_dir(root());
    command.env_remove("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT").envs(variables);
    let output = command.output().expect("docker-compose is installed (Debian: docker-compose)");
    (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
}

/// The compose file as `docker-compose` understands it.
pub fn compose(variables: &BTreeMap<String, String>) -> Value {
    let (valid, said) = said(variables);
    assert!(valid, "{said}");
    yaml(&[], &said).unwrap_or_else(|error| panic!("{error}: {said}")).remove(0)
}

/// A list of texts.
fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().map(|item| item.as_str().unwrap()).collect()
}

#[test]
fn the_compose_file_is_valid_hardened_and_opens_nothing_to_others() {
    let folder = Folder::new("compose-valid");
    let compose = compose(&keys(&folder));
    let services = compose["services"].as_object().unwrap();
    assert!(services.keys().eq(&SERVICES), "{services:?}");
    for (name, service) in services {
        assert_eq!(service["read_only"], true, "{name}");
        assert_eq!(texts(&service["cap_drop"]), ["ALL"], "{name}");
        assert_eq!(texts(&service["security_opt"]), ["no-new-privileges:true"], "{name}");
        assert_eq!(service["restart"], "unless-stopped", "{name}");
        assert!(service["healthcheck"]["test"].is_array(), "{name}");
        assert!(service["mem_limit"].is_string() && service["pids_limit"].is_u64(), "{name}");
        for what in ["network_mode", "privileged", "cap_add", "profiles"] {
            assert!(service[what].is_null(), "{name}: {what}");
        }
        for port in texts(&service["ports"]) {
            assert!(port.starts_with("127.0.0.1:"), "{name}: {port}");
        }
        // Docker's Linux gives a network with a way out to those that have a port on the machine.
        let has_port = !texts(&service["ports"]).is_empty();
        assert_eq!(service["networks"].get("callers").is_some(), has_port, "{name}");
        let version = service["image"].as_str().unwrap().split_once(':');
        let has_version = version.is_some_and(|(_, version)| version.contains(|c: char| c.is_ascii_digit()));
        assert!(has_version || name == "tributary", "{name}: {version:?}");
    }
    for network in ["stores", "watching"] {
        assert_eq!(compose["networks"][network]["internal"], true, "{network}");
    }
    let stored = services.iter().filter(|(_, service)| service["networks"].get("stores").is_some());
    assert!(stored.map(|(name, _)| name).eq(["postgres", "redis", "tributary"]));
    for needed in ["redis", "postgres"] {
        assert_eq!(services["tributary"]["depends_on"][needed]["condition"], "service_healthy");
    }
    let grace = services["tributary"]["stop_grace_period"].as_str().unwrap();
    assert_eq!(grace, "30s", "longer than server.drain_window_ms of config/production.toml and 2 s");
    assert!(text("config/production.toml").contains("drain_window_ms = 20_000"));
}

#[test]
fn the_compose_file_holds_no_password_and_asks_for_each() {
    let folder = Folder::new("compose-secrets");
    let keys = keys(&folder);
    let file = text("docker-compose.yml");
    let named = file
        .split("${")
        .skip(1)
        .map(|rest| rest.split(|c: char| !c.is_ascii_uppercase() && c != '_').next().unwrap());
    let named: BTreeSet<&str> = named.filter(|name| !name.starts_with("OTEL_")).collect();
    let made: BTreeSet<&str> = keys.keys().map(String::as_str).filter(|name| *name != "API_KEY").collect();
    assert_eq!(named, made);
    for (name, value) in &keys {
        assert!(value.len() >= 43, "{name}");
        let uses = file.split("${").skip(1).filter_map(|rest| rest.strip_prefix(name.as_str()));
        let mut uses = uses.filter(|rest| !rest.starts_with('_'));
        assert!(uses.all(|rest| rest.starts_with(":?run scripts/compose-keys}")), "{name} isn't asked for");
    }
    let (valid, said) = said(&BTreeMap::new());
    assert!(!valid && said.contains("run scripts/compose-keys"), "{said}");
    let again = Command::new("bash")
        .arg("scripts/compose-keys")
        .arg(folder.0.join("env"))
        .current_dir(root())
        .output();
    assert!(!again.unwrap().status.success(), "keys that are in use are overwritten");
}

/// The service's environment.
pub fn variables_of(compose: &Value) -> Vec<(String, String)> {
    let variables = compose["services"]["tributary"]["environment"].as_object().unwrap();
    variables.iter().map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect()
}

/// The service takes its variables, with the image's configuration. Each address that a configuration names inside of the compose network is a service's, on a port that it listens on.
#[test]
fn the_service_takes_its_variables_and_services_find_each_other() {
    let folder = Folder::new("compose-names");
    let compose = compose(&keys(&folder));
    let mut command = production(&variables_of(&compose));
    let output = command.args(["check", "--offline"]).output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success() && said == "the configuration is valid\n", "{said}");

    let networks = |service: &str| compose["services"][service]["networks"].as_object().unwrap().clone();
    let service_variables: String =
        variables_of(&compose).into_iter().map(|(name, value)| format!("{name} {value}\n")).collect();
    let jaeger = text("config/jaeger/jaeger.yaml");
    let endpoint = |port: &str| jaeger.contains(&format!("endpoint: 0.0.0.0:{port}"));
    for (from, configuration, to, port, listens) in [
        (
            "tributary",
            service_variables.clone(),
            "redis",
            "6379",
            text("config/redis/redis.conf").contains("port 6379"),
        ),
        ("tributary", service_variables.clone(), "postgres", "5432", true),
        ("tributary", service_variables.clone(), "jaeger", "4318", endpoint("4318")),
        (
            "prometheus",
            text("config/prometheus/prometheus.yml"),
            "tributary",
            "8080",
            service_variables.contains("0.0.0.0:8080"),
        ),
        (
            "grafana",
            text("config/grafana/provisioning/datasources/prometheus.yml"),
            "prometheus",
            "9090",
            true,
        ),
        (
            "grafana",
            text("config/grafana/provisioning/datasources/jaeger.yml"),
            "jaeger",
            "16686",
            endpoint("16686"),
        ),
    ] {
        assert!(configuration.contains(&format!("{to}:{port}")), "{from}: {configuration}");
        assert!(listens, "{to} doesn't listen on {port}");
        let (from_networks, to_networks) = (networks(from), networks(to));
        assert!(
            from_networks.keys().any(|network| to_networks.contains_key(network)),
            "{from} can't reach {to}"
        );
    }
    assert!(text("config/grafana/grafana.ini").lines().any(|line| line == "http_addr = 0.0.0.0"));
    assert_eq!(jaeger.matches("endpoint: ").count(), jaeger.matches("endpoint: 0.0.0.0:").count());
}

#[test]
fn what_is_mounted_is_there() {
    let folder = Folder::new("compose-mounts");
    let compose = compose(&keys(&folder));
    let mut mounted = 0;
    for (name, service) in compose["services"].as_object().unwrap() {
        for mount in texts(&service["volumes"]).into_iter().filter(|mount| mount.starts_with('/')) {
            let (here, inside) = mount.split_once(':').unwrap();
            assert!(inside.ends_with(":ro"), "{name}: {mount}");
            assert!(Path::new(here).starts_with(root().join("config")), "{name}: {mount}");
            assert!(fs::read_dir(here).is_ok_and(|mut files| files.next().is_some()), "{here} is empty");
            mounted += 1;
        }
        for volume in texts(&service["volumes"]).into_iter().filter(|mount| !mount.starts_with('/')) {
            let volume = volume.split(':').next().unwrap();
            assert!(compose["volumes"].get(volume).is_some(), "{name}: {volume}");
        }
    }
    assert_eq!(mounted, 4);
    // Where Grafana's image looks unless it is told otherwise, and what the commands of others name.
    for file in [
        "grafana/grafana.ini",
        "grafana/provisioning/datasources/prometheus.yml",
        "grafana/provisioning/datasources/jaeger.yml",
        "grafana/dashboards/tributary.json",
        "redis/redis.conf",
        "prometheus/prometheus.yml",
        "jaeger/jaeger.yaml",
    ] {
        assert!(root().join("config").join(file).is_file(), "{file}");
        if file.ends_with(".yml") || file.ends_with(".yaml") {
            assert_eq!(
                yaml(&[&format!("config/{file}")], "").map(|documents| documents.len()),
                Ok(1),
                "{file}"
            );
        }
    }
    let commands: Vec<String> =
        SERVICES.iter().map(|name| compose["services"][*name]["command"].to_string()).collect();
    for named in ["/etc/redis/redis.conf", "/etc/prometheus/prometheus.yml", "/etc/jaeger/jaeger.yaml"] {
        assert!(commands.iter().any(|command| command.contains(named)), "{named}: {commands:?}");
    }
}

/// The words of a command, which `docker-compose` gives as one text or as a list.
pub fn words(command: &Value) -> Vec<String> {
    match command.as_str() {
        Some(text) => text.split_whitespace().map(str::to_owned).collect(),
        // What was escaped for compose.
        None => texts(command).into_iter().map(|word| word.replace("$$", "$")).collect(),
    }
}

/// A text with each pair's first replaced by its second; each has to be there once.
pub fn replaced(text: &str, pairs: &[(&str, &str)]) -> String {
    pairs.iter().fold(text.to_owned(), |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "{old}: {text}");
        text.replace(old, new)
    })
}
