//! Configuration as an operator meets it: defaults, a file, variables, mistakes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value as Json;

use super::*;
use crate::domain::allowed_host::AllowedHost;
use crate::domain::limits::SessionLimits;

mod keys;

fn with_variables(variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    load(None, None, variables)
}

fn with_file(text: &str) -> Result<Config, ConfigError> {
    load(Some(text), None, &[])
}

/// A file of its own a call, gone after it.
fn load(text: Option<&str>, listen: Option<&str>, variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let file = text.map(|text| {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("tributary-{}-{number}.toml", std::process::id()));
        std::fs::write(&path, text).unwrap();
        path
    });
    let args = ConfigArgs { file: file.clone(), listen: listen.map(str::to_owned) };
    let variables = variables.iter().map(|(name, value)| (name.into(), value.into()));
    let loaded = Config::load_with(&args, variables);
    if let Some(path) = file {
        std::fs::remove_file(path).unwrap();
    }
    loaded
}

fn complaint(loaded: Result<Config, ConfigError>) -> String {
    loaded.map(|config| format!("accepted: {config:?}")).unwrap_err().to_string()
}

fn assert_names(complaint: &str, parts: &[&str]) {
    for part in parts {
        assert!(complaint.contains(part), "`{part}` is missing in: {complaint}");
    }
}

/// Each key of `default.toml` with its value as a variable would spell it.
fn defaults() -> BTreeMap<String, String> {
    let tree = layers::read(&ConfigArgs::default(), []).map_err(|error| error.to_string()).unwrap().tree;
    let mut keys = BTreeMap::new();
    for (section, fields) in tree.as_object().unwrap() {
        add_defaults(section, fields, &mut keys);
    }
    keys
}

fn add_defaults(section: &str, fields: &Json, keys: &mut BTreeMap<String, String>) {
    for (name, value) in fields.as_object().unwrap() {
        let key = format!("{section}.{name}");
        let text = match value {
            Json::String(text) => text.clone(),
            Json::Array(items) => {
                items.iter().map(|item| item.as_str().unwrap()).collect::<Vec<_>>().join(",")
            }
            Json::Object(_) => {
                add_defaults(&key, value, keys);
                continue;
            }
            Json::Null | Json::Bool(_) | Json::Number(_) => value.to_string(),
        };
        keys.insert(key, text);
    }
}

fn variable_of(key: &str) -> String {
    format!("TRIBUTARY_{}", key.to_uppercase().replace('.', "__"))
}

#[test]
fn built_in_values_are_those_of_the_design() {
    let config = with_variables(&[]).unwrap();
    assert_eq!(config.session_limits(), SessionLimits::default());
    assert_eq!(config.server.listen.to_string(), "127.0.0.1:8080");
    assert_eq!((config.server.connections_max, config.server.drain_window_ms), (10_000, 10_000));
    assert_eq!((config.cache.backend, config.cache.ttl_seconds), (CacheBackend::Memory, 1_800));
    assert_eq!((config.cache.ring_entries, config.cache.ring_bytes), (10_000, 16 << 20));
    assert_eq!((config.cache.memory_bytes_max, config.cache.tombstone_seconds), (1 << 30, 86_400));
    assert_eq!((config.streaming.batch_events, config.streaming.heartbeat_ms), (5, 15_000));
    assert_eq!((config.streaming.page_limit, config.streaming.page_limit_max), (500, 5_000));
    assert_eq!((config.coordinator.batch_entries, config.coordinator.batch_bytes), (256, 256 << 10));
    assert_eq!((config.limits.body_bytes, config.limits.event_bytes), (8 << 20, 1 << 20));
    assert_eq!((config.limits.readers_per_session, config.limits.requests_per_second), (5_000, 0));
    assert_eq!((config.auth.mode, config.synthesis.provider), (AuthMode::None, SynthesisProvider::None));
    assert!(config.rollout.aggregator_streaming && !config.invoke.allow_private);
    assert!(config.warnings().is_empty(), "{:?}", config.warnings());
}

/// With `deny_unknown_fields`, the other direction of the test above: no field has a default of its own.
#[test]
fn every_field_is_a_key_of_the_default_file() {
    for key in defaults().keys() {
        let (section, name) = key.rsplit_once('.').unwrap();
        let mut tree =
            layers::read(&ConfigArgs::default(), []).map_err(|error| error.to_string()).unwrap().tree;
        let section = tree.pointer_mut(&format!("/{}", section.replace('.', "/"))).unwrap();
        section.as_object_mut().unwrap().remove(name);
        let missing = serde_json::from_value::<Config>(tree).map(|_| key).unwrap_err().to_string();
        assert_eq!(missing, format!("missing field `{name}`"));
    }
}

#[test]
fn every_key_of_the_default_file_is_explained() {
    let mut previous = "";
    for line in layers::DEFAULT.lines() {
        if line.contains(" = ") && !line.starts_with('#') {
            assert!(previous.starts_with("# "), "no comment above `{line}`");
        }
        previous = line;
    }
}

#[test]
fn no_key_repeats_the_password_of_an_address_that_it_refuses() {
    let mut refused = 0;
    for address in
        ["redis://u:ca,nary/5f@h:1/x", "https://:ca nary/5f@h", "postgres://h/x?password=canary/5f"]
    {
        for key in defaults().keys() {
            let (section, name) = key.rsplit_once('.').unwrap();
            let file = format!("[{section}]\n{name} = \"{address}\"\n");
            for loaded in [with_variables(&[(&variable_of(key), address)]), with_file(&file)] {
                let Err(error) = loaded else { continue };
                let said = error.to_string();
                refused += 1;
                assert!(!said.contains("nary") && !said.contains("u:ca"), "{key}: {said}");
            }
        }
        for file in [
            format!("\"{address}\" = 1\n"),
            format!("[server]\n\"{address}\" = 1\n"),
            format!("listen = {address}\n"),
        ] {
            let said = complaint(with_file(&file));
            assert!(!said.contains("nary"), "{said}");
        }
    }
    assert!(refused > 300, "only {refused} settings were refused");
}

#[test]
fn every_key_is_also_a_variable() {
    for (key, value) in defaults() {
        let value = match key.as_str() {
            "cors.allowed_origins" => "https://app.example.com",
            "auth.jwt_secret" | "auth.jwt_secret_previous" => "12345678",
            "cache.redis_url" => "redis://h",
            _ if key.ends_with(".base_url") => "https://models.example.com",
            _ if value.is_empty() => "x",
            _ => &value,
        };
        // Alone these aren't enough: what is posted is signed, and a certificate has a key.
        let needs = match key.as_str() {
            "safety.webhook_url" => "webhook_secret",
            "server.tls_certificate_file" => "server.tls_key_file",
            "server.tls_key_file" => "server.tls_certificate_file",
            _ => "",
        };
        if !needs.is_empty() {
            assert_names(&complaint(with_variables(&[(&variable_of(&key), value)])), &[needs]);
            continue;
        }
        let loaded = with_variables(&[(&variable_of(&key), value)]);
        assert!(loaded.is_ok(), "{key}: {}", complaint(loaded));
        let nonsense = format!("{}X", variable_of(&key));
        assert_names(&complaint(with_variables(&[(&nonsense, "x")])), &["unknown field", &nonsense]);
    }
}

#[test]
fn variables_of_the_wire_document_are_taken() {
    let config = with_variables(&[
        ("TRIBUTARY_SERVER__LISTEN", "127.0.0.1:9000"),
        ("TRIBUTARY_CACHE__BACKEND", "memory"),
        ("TRIBUTARY_CACHE__REDIS_URL", "redis://:hunter2@localhost/"),
        ("TRIBUTARY_CACHE__TTL_SECONDS", "60"),
        ("TRIBUTARY_INVOKE__ALLOWED_HOSTS", "Agents.example:8443, 10.0.0.7,[::1]:80"),
        ("TRIBUTARY_INVOKE__ALLOW_PRIVATE", "true"),
        ("TRIBUTARY_ARCHIVE__URL", "postgres://u:hunter2@db/t"),
        ("TRIBUTARY_AUTH__MODE", "none"),
        ("TRIBUTARY_AUTH__JWT_SECRET", "00123456"),
        ("TRIBUTARY_SYNTHESIS__PROVIDER", "openai"),
        ("TRIBUTARY_SYNTHESIS__BASE_URL", "https://llm.example"),
        ("TRIBUTARY_SYNTHESIS__MODEL", "m"),
        ("TRIBUTARY_SYNTHESIS__API_KEY", "hunter2"),
        ("TRIBUTARY_SUBAGENTS__VOICE__ENABLED", "false"),
        ("TRIBUTARY_LOG__LEVEL", ""),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://hunter2@collector:4318"),
        ("OTEL_SERVICE_NAME", "t"),
        ("PATH", "/bin"),
    ])
    .unwrap();
    assert_eq!(config.server.listen.port(), 9000);
    let host = |host: &str, port| AllowedHost { host: host.into(), port };
    let expected = [host("agents.example", Some(8443)), host("10.0.0.7", None), host("::1", Some(80))];
    assert_eq!(config.invoke.allowed_hosts, expected);
    assert_eq!(config.auth.jwt_secret.expose(), "00123456", "a secret is not a number");
    assert!(config.subagents.values().all(|switch| !switch.enabled) && config.subagents.len() == 1);
    let exported: Vec<&String> = config.otel_variables.keys().collect();
    assert_eq!(exported, ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_SERVICE_NAME"]);

    let warnings = config.warnings().join("\n");
    assert_names(&warnings, &["auth.jwt_secret"]);
    assert_eq!(config.synthesis.first().model, "m");
    assert!(!format!("{warnings} {config:?}").contains("hunter2"));
}

#[test]
fn later_layers_go_before_earlier_ones() {
    let file = "[server]\nlisten = \"127.0.0.1:1\"\nworker_threads = 3\n[subagents.\"row.selection\"]\nenabled = false";
    let variables = [("TRIBUTARY_SERVER__LISTEN", "127.0.0.1:2")];
    assert_eq!(load(Some(file), None, &[]).unwrap().server.listen.port(), 1);
    assert_eq!(load(Some(file), None, &variables).unwrap().server.listen.port(), 2);
    let config = load(Some(file), Some("127.0.0.1:3"), &variables).unwrap();
    assert_eq!((config.server.listen.port(), config.server.worker_threads), (3, 3));
    assert_eq!(config.subagents.keys().next().unwrap().as_str(), "row.selection");
}

#[test]
fn rollout_flag_has_a_name_of_its_own_that_goes_first() {
    let ours = ("TRIBUTARY_ROLLOUT__AGGREGATOR_STREAMING", "true");
    for (value, expected) in [("false", false), ("0", false), ("TRUE", true), ("1", true), ("", true)] {
        let config = with_variables(&[("AI_ENABLE_AGGREGATOR_STREAMING", value), ours]).unwrap();
        assert_eq!(config.rollout.aggregator_streaming, expected, "{value}");
    }
    let wrong = complaint(with_variables(&[("AI_ENABLE_AGGREGATOR_STREAMING", "maybe")]));
    assert_names(&wrong, &["AI_ENABLE_AGGREGATOR_STREAMING", "`maybe` is neither true nor false"]);
}

#[test]
fn unknown_keys_are_refused_by_name_and_place() {
    let wrong = complaint(with_file("[streaming]\nheartbeat = 5"));
    assert_names(&wrong, &["streaming", "`heartbeat`", "heartbeat_ms", "the file ", ".toml"]);
    assert_names(&complaint(with_file("[steaming]\nheartbeat_ms = 5")), &["`steaming`", "the file "]);
    assert_names(&complaint(with_file("[subagents.voice]\nenable = true")), &["subagents.voice", "`enable`"]);
    assert_names(
        &complaint(with_variables(&[("TRIBUTARY_LISTEN", "x")])),
        &["TRIBUTARY_LISTEN", "no such key"],
    );
    let wrong = complaint(with_variables(&[("TRIBUTARY_CACHE__SIZE__MAX", "1")]));
    assert_names(&wrong, &["cache.size", "TRIBUTARY_CACHE__SIZE__MAX"]);
}

#[test]
fn wrong_types_are_refused_by_key_and_place() {
    for (file, key) in [
        ("[streaming]\nbatch_events = true", "streaming.batch_events"),
        ("[streaming]\nbatch_events = 1.7", "streaming.batch_events"),
        ("[streaming]\nbatch_events = \"5\"", "streaming.batch_events"),
        (
            "[server]\nconnections_max = -1",
            "connections_max: invalid value: integer `-1`, expected a whole number, not negative and not too large",
        ),
        ("[server]\nlisten = \"localhost\"", "server.listen: `localhost` is not an address and a port"),
        ("cache = 5", "cache: invalid type"),
        (
            "[cache]\nbackend = \"disk\"",
            "cache.backend: unknown variant `disk`, expected `memory` or `redis`",
        ),
        (
            "[invoke]\nallowed_hosts = [\"https://a.example/\"]",
            "invoke.allowed_hosts[0]: `https://a.example/`",
        ),
        ("[subagents.\"a b\"]\nenabled = true", "an id is 1 to 128 characters"),
    ] {
        assert_names(&complaint(with_file(file)), &[key, "the file "]);
    }
    let wrong = complaint(with_variables(&[("TRIBUTARY_CACHE__TTL_SECONDS", "soon")]));
    assert_names(
        &wrong,
        &["cache.ttl_seconds", "`soon` is not a whole number", "TRIBUTARY_CACHE__TTL_SECONDS"],
    );
    let wrong = complaint(with_variables(&[("TRIBUTARY_SYNTHESIS__REQUEST__COST", "cheap")]));
    assert_names(&wrong, &["synthesis.request.cost", "`cheap` is not a number"]);
    let wrong = complaint(with_variables(&[("TRIBUTARY_SYNTHESIS__REQUEST__COST", "NaN")]));
    assert_names(&wrong, &["synthesis.request.cost", "`NaN` is not a number"]);
    let config = with_variables(&[
        ("TRIBUTARY_SYNTHESIS__REQUEST__COST", "0.25"),
        ("TRIBUTARY_SYNTHESIS__SESSION__COST", "3"),
    ]);
    let costs = config.map(|config| (config.synthesis.request.cost, config.synthesis.session.cost));
    assert_eq!(costs.unwrap(), (0.25, 3.0));
    let wrong = complaint(load(None, Some("8080"), &[]));
    assert_names(&wrong, &["server.listen", "`8080` is not an address and a port", "--listen"]);
}

#[test]
fn mistakes_of_every_kind_are_told_at_once() {
    let folder = std::env::temp_dir().join(format!("tributary-mistakes-{}", std::process::id()));
    let text = "[streaming]\nheartbeat_ms = \"x\"\nbogus = 1\n[limits]\nevent_bytes = \"y\"\n[nope]\na = 1\n[invoke]\n\
        allowed_hosts = [\"https://a.example/\"]\n[subagents.\"a b\"]\nenabled = true\n[archive]\nbatch_entries = 0\n";
    std::fs::write(&folder, text).unwrap();
    let variables = [
        ("TRIBUTARY_LIMITS__BODY_BYTES", "zz"),
        ("TRIBUTARY_SERVER__LISTEN", "abc"),
        ("TRIBUTARY_SYNTHESIS__ATTEMPTS", "0"),
    ];
    let environment = variables.map(|(name, value)| (name.into(), value.into()));
    let wrong = Config::load_with(&ConfigArgs { file: Some(folder.clone()), listen: None }, environment);
    std::fs::remove_file(&folder).unwrap();
    let Err(ConfigError::Wrong(findings)) = wrong else { panic!("{wrong:?}") };
    let mut keys: Vec<&str> = findings.iter().map(|finding| finding.key.as_str()).collect();
    keys.sort_unstable();
    let told =
        ["archive.batch_entries", "invoke.allowed_hosts[0]", "limits.body_bytes", "limits.event_bytes"];
    assert_eq!(keys[..4], told, "{findings:#?}");
    let told = ["nope", "server.listen", "streaming.bogus", "streaming.heartbeat_ms"];
    assert_eq!(keys[4..8], told, "{findings:#?}");
    assert!(keys[8].starts_with("subagents") && keys[9] == "synthesis.attempts", "{findings:#?}");
    assert_eq!(keys.len(), 10, "{findings:#?}");
}

#[test]
fn values_out_of_range_are_refused_all_at_once() {
    let wrong = complaint(with_variables(&[
        ("TRIBUTARY_STREAMING__BATCH_EVENTS", "6"),
        ("TRIBUTARY_SERVER__READ_BUFFER_BYTES", "4096"),
        ("TRIBUTARY_SERVER__SEND_BUFFER_BYTES", "1"),
        ("TRIBUTARY_CACHE__RING_BYTES", "2000000000"),
        ("TRIBUTARY_LIMITS__EVENT_BYTES", "9000000"),
        ("TRIBUTARY_LOG__LEVEL", "inof"),
    ]));
    for part in [
        "streaming.batch_events: 6 is out of range, 1 to 5 is possible",
        "(set in the environment variable TRIBUTARY_STREAMING__BATCH_EVENTS)",
        "server.read_buffer_bytes: 4096 is out of range, 8192 to 1048576",
        "server.send_buffer_bytes: 1 is out of range, 0 or 4096 to 16777216",
        "cache.ring_bytes: 2000000000 is more than cache.memory_bytes_max, which is 1073741824",
        "limits.event_bytes: 9000000 is more than limits.body_bytes",
        "log.level: `inof` is not one of",
    ] {
        assert_names(&wrong, &[part]);
    }
}

#[test]
fn what_would_be_open_or_missing_is_refused() {
    let refused = |variables: &[(&str, &str)], parts: &[&str]| {
        assert_names(&complaint(with_variables(variables)), parts)
    };
    refused(&[("TRIBUTARY_CACHE__BACKEND", "redis")], &["cache.redis_url", "say where it is"]);
    for wrong in ["http://127.0.0.1", "redis://:hunter2@127.0.0.1:6379/first", "redis://a,b"] {
        let variables = [("TRIBUTARY_CACHE__BACKEND", "redis"), ("TRIBUTARY_CACHE__REDIS_URL", wrong)];
        refused(&variables, &["cache.redis_url", "redis://"]);
        assert!(!complaint(with_variables(&variables)).contains("hunter2"));
    }
    refused(
        &[("TRIBUTARY_AUTH__MODE", "required")],
        &["auth.mode", "nobody could sign in", "auth.jwt_secret"],
    );
    for open in ["0.0.0.0:8080", "[::]:8080", "192.168.1.5:80"] {
        refused(
            &[("TRIBUTARY_SERVER__LISTEN", open)],
            &["server.listen", open, "auth.mode is none", "listen on 127.0.0.1"],
        );
    }
    assert!(load(None, Some("[::1]:0"), &[]).is_ok());
}

#[test]
fn mistakes_never_show_a_secret() {
    for file in [
        "[auth]\njwt_secret = \"hunter2",
        "[auth]\njwt_secret = [\"hunter2\"]",
        "[cache]\nredis_url = { password = \"hunter2\" }",
        "[synthesis]\napi_key = \"hunter2\"\nprovider = \"x\"",
    ] {
        let wrong = complaint(with_file(file));
        assert!(!wrong.contains("hunter2"), "{wrong}");
        assert_names(&wrong, &["the file "]);
    }
    assert_names(&complaint(with_file("[auth]\njwt_secret = \"hunter2")), &["line 2", "not valid TOML"]);
    assert_eq!(format!("{:?} {:?}", Secret::new("hunter2"), Secret::default()), "<hidden> <not set>");
}

#[test]
fn a_provider_s_key_in_a_file_is_refused_and_the_variable_is_named() {
    for (section, variable) in [
        ("synthesis", "TRIBUTARY_SYNTHESIS__API_KEY"),
        ("synthesis.fallback", "TRIBUTARY_SYNTHESIS__FALLBACK__API_KEY"),
        ("synthesis.judge", "TRIBUTARY_SYNTHESIS__JUDGE__API_KEY"),
    ] {
        let key = format!("{section}.api_key");
        for value in ["\"hunter2\"", "[\"hunter2\"]", "4711"] {
            let file = format!("[{section}]\napi_key = {value}");
            // Nor does it help that the environment has one, too: it lies in the file all the same.
            for variables in [&[][..], &[(variable, "other")]] {
                let wrong = complaint(load(Some(&file), None, variables));
                assert_names(&wrong, &[&key, "the environment only", variable, "the file "]);
                assert!(!wrong.contains("hunter2") && !wrong.contains("4711"), "{wrong}");
            }
        }
        // As the file of defaults has it.
        assert!(with_file(&format!("[{section}]\napi_key = \"\"")).is_ok());
        assert!(with_variables(&[(variable, "hunter2")]).is_ok());
    }
}

#[test]
fn a_missing_file_is_named() {
    let args = ConfigArgs { file: Some(PathBuf::from("/nonexistent/t.toml")), listen: None };
    let error = Config::load_with(&args, []).map(|_| ()).unwrap_err();
    assert_names(&error.to_string(), &["can't read", "/nonexistent/t.toml"]);
}

#[test]
fn what_kubernetes_and_the_example_readers_set_is_no_key() {
    let links = [
        ("TRIBUTARY_TOKEN", "trb_hunter2"),
        ("TRIBUTARY_SERVICE_HOST", "10.0.0.1"),
        ("TRIBUTARY_SERVICE_PORT", "8080"),
        ("TRIBUTARY_SERVICE_PORT_HTTP", "8080"),
        ("TRIBUTARY_PORT", "tcp://10.0.0.1:8080"),
        ("TRIBUTARY_PORT_8080_TCP_ADDR", "10.0.0.1"),
        ("TRIBUTARY_CONSOLE_SERVICE_HOST", "10.0.0.2"),
        ("TRIBUTARY_CONSOLE_PORT_80_TCP", "tcp://10.0.0.2:80"),
    ];
    let loaded = with_variables(&links);
    assert!(loaded.is_ok(), "{}", complaint(loaded));
}

#[test]
fn a_configured_call_has_no_credential_in_its_query_or_body() {
    let call = |url: &str, body: &str| {
        let host = "[invoke]\nallowed_hosts = [\"a.example.com\"]";
        with_file(&format!("{host}\n[subagents.crm]\nurl = \"https://a.example.com/{url}\"\n{body}"))
    };
    for (url, body, names) in [
        ("?api_key=hunter2", "", "`api_key`"),
        ("", "body = { login = { password = \"hunter2\" } }", "`/login/password`"),
    ] {
        let complaint = complaint(call(url, body));
        assert_names(&complaint, &["subagents.crm", "literal credential", names]);
        assert!(!complaint.contains("hunter2"), "{complaint}");
    }
    assert!(call("?q=1", "body = { q = 1 }").is_ok());
}

#[test]
fn who_lowers_a_bound_is_told_of_what_lies_above_it() {
    let config = with_variables(&[("TRIBUTARY_LIMITS__READERS", "100")]).unwrap();
    assert_eq!((config.limits.readers, config.limits.readers_per_session), (100, 100));
    let wrong = complaint(with_variables(&[
        ("TRIBUTARY_LIMITS__READERS", "100"),
        ("TRIBUTARY_LIMITS__READERS_PER_SESSION", "101"),
        ("TRIBUTARY_LIMITS__BODY_BYTES", "100000"),
    ]));
    for part in [
        "limits.readers_per_session: 101 is more than limits.readers, which is 100 (set in the environment variable TRIBUTARY_LIMITS__READERS_PER_SESSION)",
        "limits.body_bytes: 100000 is less than limits.event_bytes, which is 1048576 where it isn't set: set that, too (set in the environment variable TRIBUTARY_LIMITS__BODY_BYTES)",
    ] {
        assert_names(&wrong, &[part]);
    }
    assert!(!wrong.contains("built-in"), "{wrong}");
}

#[test]
fn a_secret_that_is_not_configured_is_told_by_its_name() {
    let file = "[invoke]\nallowed_hosts = [\"a.example.com\"]\n[subagents.crm]\nurl = \"https://a.example.com/\"\n\
        headers = { authorization = \"secret:crm_token\" }";
    assert_names(&complaint(with_file(file)), &["subagents.crm", "no secret of the name `crm_token`"]);
}

#[test]
fn what_only_a_start_or_a_call_would_find_is_found_before() {
    let wrong = complaint(with_variables(&[
        ("TRIBUTARY_SECRETS__A", "Bearer hunter2\nhunter2"),
        ("TRIBUTARY_SAFETY__WEBHOOK_SECRET", "whsec_hunter2"),
        ("TRIBUTARY_SYNTHESIS__TOKEN_FACTOR", "-1"),
        ("TRIBUTARY_SYNTHESIS__BASE_URL", "abc"),
        ("TRIBUTARY_SYNTHESIS__JUDGE__INPUT_PRICE", "-1"),
        ("TRIBUTARY_CACHE__REDIS_URL", "abc"),
    ]));
    for part in [
        "secrets.a: it isn't a value of an HTTP header",
        "(set in the environment variable TRIBUTARY_SECRETS__A)",
        "safety.webhook_secret: the secret after whsec_ is not base64",
        "synthesis.token_factor: -1 isn't between 0.1 and 10",
        "synthesis.base_url: it isn't an address",
        "synthesis.judge.input_price: -1 isn't between 0 and 1000000",
        "cache.redis_url: it is like",
    ] {
        assert_names(&wrong, &[part]);
    }
    assert!(wrong.lines().count() == 7 && !wrong.contains("hunter2"), "{wrong}");
}
