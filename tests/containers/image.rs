//! The image: its recipe, and the program in the root that the recipe makes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tributary::config::{CacheBackend, Config, ConfigArgs};

use crate::redis_server::free_port;
use crate::service::{Service, clean, signed_in_and_alone, variable};
use crate::{Folder, root, text};

fn production(variables: &[(&str, &str)]) -> Result<Config, String> {
    let file = Some(root().join("config/production.toml"));
    let variables = variables.iter().map(|(name, value)| (name.into(), value.into()));
    Config::load_with(&ConfigArgs { file, listen: None }, variables).map_err(|error| error.to_string())
}

#[test]
fn configuration_for_production_starts_nothing_that_anybody_may_call() {
    let refusal = production(&[]).map(|_| ()).unwrap_err();
    assert!(refusal.contains("auth.mode: nobody could sign in"), "{refusal}");
    let hash = format!("sha256:{}", "00".repeat(32));
    let key = [
        ("TRIBUTARY_AUTH__KEYS__PLANNER__HASH", hash.as_str()),
        ("TRIBUTARY_AUTH__KEYS__PLANNER__SCOPES", "plan, read"),
        ("TRIBUTARY_AUTH__KEYS__PLANNER__TENANT", "on"),
    ];
    let config = production(&key).unwrap();
    assert_eq!(config.cache.backend, CacheBackend::Redis);
    assert_eq!(config.server.listen.to_string(), "0.0.0.0:8080");
    assert_eq!(config.auth.keys["planner"].tenant.to_string(), "on");
    let url = "rediss://:secret@redis.internal:6379";
    let redis = ("TRIBUTARY_CACHE__REDIS_URL", url);
    assert_eq!(production(&[key[0], key[1], redis]).unwrap().cache.redis_url.expose(), url);
}

/// The instructions of the Dockerfile, continued lines joined.
fn instructions() -> Vec<String> {
    let recipe = text("Dockerfile").replace("\\\n", " ");
    let lines = recipe.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// What follows the last instruction of a name.
fn last(name: &str) -> String {
    let instructions = instructions();
    let found = instructions.iter().rev().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    found.unwrap_or_else(|| panic!("no {name}")).to_owned()
}

/// The words of the health check.
pub fn health_check() -> Vec<String> {
    serde_json::from_str(last("HEALTHCHECK").split_once(" CMD ").unwrap().1).unwrap()
}

#[test]
fn what_the_image_is_built_from_is_there() {
    let ignored = text(".dockerignore");
    let ignored: Vec<&str> = ignored.lines().filter(|line| !line.starts_with('#')).collect();
    let copied: Vec<PathBuf> = instructions()
        .iter()
        .filter_map(|line| line.strip_prefix("COPY "))
        .filter(|what| !what.starts_with("--from="))
        .flat_map(|what| {
            let words: Vec<&str> = what.split_whitespace().collect();
            words[..words.len() - 1].iter().map(PathBuf::from).collect::<Vec<_>>()
        })
        .collect();
    assert!(copied.contains(&".".into()), "{copied:?}");
    // The program embeds files of `config` and `examples`; without `benches` the manifest isn't valid.
    let needed = ["Cargo.toml", "Cargo.lock", "src", "config", "examples", "benches"].map(PathBuf::from);
    for path in copied.into_iter().chain(needed) {
        assert!(root().join(&path).exists(), "{path:?} isn't there");
        let first = path.iter().next().unwrap().to_str().unwrap();
        assert!(!ignored.contains(&first), "{path:?} is left out by .dockerignore");
    }
    assert!(ignored.contains(&".env"), "{ignored:?}");
    let scripts: Vec<String> = instructions()
        .iter()
        .flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .filter(|word| word.starts_with("scripts/"))
        .collect();
    assert_eq!(scripts, ["scripts/third-party", "scripts/image-root"]);
    for script in scripts {
        assert!(root().join(&script).is_file() && ignored.contains(&&*format!("!{script}")), "{script}");
    }
}

#[test]
fn the_image_says_what_it_is_and_runs_as_nobody_on_the_version_of_rust_that_is_tested() {
    let instructions = instructions();
    let toolchain = text("rust-toolchain.toml");
    let version = toolchain.lines().find_map(|line| line.strip_prefix("channel = \"")).unwrap();
    let minor: Vec<&str> = version.trim_end_matches('"').split('.').take(2).collect();
    assert!(instructions[0].starts_with(&format!("FROM rust:{}-", minor.join("."))), "{}", instructions[0]);
    assert_eq!(
        (last("FROM"), last("USER"), last("STOPSIGNAL")),
        ("scratch".into(), "10001:10001".into(), "SIGTERM".into())
    );
    for label in [
        format!("version=\"{}\"", env!("CARGO_PKG_VERSION")),
        format!("licenses=\"{}\"", env!("CARGO_PKG_LICENSE")),
        "title=\"Tributary\"".into(),
    ] {
        assert!(last("LABEL").contains(&format!("org.opencontainers.image.{label}")), "{label}");
    }
    let entrance: Vec<String> = serde_json::from_str(&last("ENTRYPOINT")).unwrap();
    assert_eq!(health_check()[..3], entrance[..]);
}

/// The program in a root that `scripts/image-root` made, with nothing else in it: as nobody's user and where nothing can be
/// written, if this test may change its root; else with the libraries of that root alone.
fn inside(root: &Path, arguments: &[&str]) -> Command {
    if !rustix::process::geteuid().is_root() {
        let loader = fs::read_dir(root.join("lib64")).unwrap().next().unwrap().unwrap().path();
        let libraries = fs::read_dir(root.join("lib")).unwrap().next().unwrap().unwrap().path();
        let mut command = clean(loader.to_str().unwrap());
        command
            .arg("--library-path")
            .arg(libraries)
            .arg(root.join("usr/local/bin/tributary"))
            .args(arguments);
        return command;
    }
    let mut command = clean("chroot");
    command
        .args(["--userspec=10001:10001", "--groups="])
        .arg(root)
        .arg("/usr/local/bin/tributary")
        .args(arguments);
    command
}

#[test]
fn the_program_needs_nothing_but_what_the_image_holds() {
    let folder = Folder::new("image-root");
    let program = folder.0.join("usr/local/bin/tributary");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::hard_link(env!("CARGO_BIN_EXE_tributary"), &program).unwrap();
    let mut script = Command::new("bash");
    script
        .args(["scripts/image-root".as_ref(), program.as_os_str(), folder.0.as_os_str()])
        .current_dir(root());
    assert!(script.status().unwrap().success());
    assert!(!folder.0.join("bin").exists() && !folder.0.join("usr/bin").exists(), "a shell in the image?");

    let mut variables = signed_in_and_alone();
    variables.push(variable("TRIBUTARY_AUTH__MODE", "required"));
    variables.push(variable("TRIBUTARY_SERVER__LISTEN", format!("127.0.0.1:{}", free_port())));
    let with = |arguments: &[&str]| {
        let mut command = inside(&folder.0, arguments);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        command
    };
    let service = Service::start(with(&["serve"]));
    assert_eq!(service.status("GET", "/readyz", None, ""), 200);
    assert!(with(&["health"]).status().unwrap().success());
    // The certificates are found, and names looked up where the engine puts them: how a call fails tells.
    fs::write(folder.0.join("etc/hosts"), "127.0.0.1 elsewhere.test localhost\n").unwrap();
    let name = if rustix::process::geteuid().is_root() { "elsewhere.test" } else { "localhost" };
    let told = with(&["health", "--url", &format!("https://{name}:1/")]).output().unwrap().stderr;
    let told = String::from_utf8(told).unwrap();
    assert!(told.contains("refused"), "{told}");
    // An archive in SQLite in the folder that is the user's own: everything else is root's, as in the image.
    if rustix::process::geteuid().is_root() {
        std::os::unix::fs::chown(folder.0.join("var/lib/tributary"), Some(10001), Some(10001)).unwrap();
        for (command, at, made) in
            [("migrate", "/var/lib/tributary/archive.db", true), ("check", "/archive.db", false)]
        {
            let mut command = with(&[command]);
            let output = command.env("TRIBUTARY_ARCHIVE__URL", format!("sqlite://{at}")).output().unwrap();
            assert_eq!(output.status.success(), made, "{at}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}
