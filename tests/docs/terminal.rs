//! A document's commands in a shell of their own: one after the other, in a private folder, on ports that are free.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use regex_lite::Regex;

use crate::blocks::{Block, Run, runs};
use crate::expected::differs;

/// How long the commands of one document may take.
const PATIENCE: Duration = Duration::from_secs(90);
/// Where the service listens unless it is told otherwise.
const DEFAULT_PORT: &str = "8080";

/// Ports as they are printed, and those that are used in their place.
struct Ports(BTreeMap<String, String>);

impl Ports {
    fn of(blocks: &[Block]) -> Self {
        let named = Regex::new(r"127\.0\.0\.1:(\d{4,5})|--port (\d{4,5})").unwrap();
        let found = blocks.iter().flat_map(|block| named.captures_iter(&block.text));
        let found = found.filter_map(|port| port.get(1).or_else(|| port.get(2)));
        let ports = found.map(|port| port.as_str().to_owned()).chain([DEFAULT_PORT.to_owned()]);
        Self(ports.map(|port| (port, quiet_port())).collect())
    }

    fn used(&self, text: &str) -> String {
        Self::replaced(text, self.0.iter())
    }

    fn printed(&self, text: &str) -> String {
        Self::replaced(text, self.0.iter().map(|(printed, used)| (used, printed)))
    }

    fn replaced<'p>(text: &str, pairs: impl Iterator<Item = (&'p String, &'p String)>) -> String {
        let pairs: BTreeMap<&String, &String> = pairs.collect();
        let number = Regex::new(r"\b\d{4,5}\b").unwrap();
        let other = |port: &regex_lite::Captures<'_>| {
            let port = port[0].to_owned();
            pairs.get(&port).map_or(port, |other| (*other).clone())
        };
        number.replace_all(text, other).into_owned()
    }
}

/// A port that nobody listens on, below those that the system hands out: connections of other tests take one of those at any
/// time, and a document may need its port only seconds later. No two of a process are the same, nor those of the next ones.
fn quiet_port() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let next = || 20_000 + (std::process::id() * 40 + NEXT.fetch_add(1, Ordering::Relaxed)) % 12_000;
    let mut ports = std::iter::repeat_with(next).map(|port| u16::try_from(port).unwrap());
    ports.find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).unwrap().to_string()
}

/// A folder that goes with its test, and the shell in it with all that it started.
struct Terminal {
    folder: PathBuf,
    group: Option<u32>,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(group) = self.group {
            let group = format!("-{group}");
            let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Runs everything that a document prints as a command; panics with what went wrong, where the document says it.
pub fn works_as_printed(blocks: &[Block]) {
    let runs = runs(blocks);
    if runs.is_empty() {
        return;
    }
    let ports = Ports::of(blocks);
    let name = format!("tributary-docs-{}-{:x}", std::process::id(), fastrand::u64(..));
    let folder = std::env::temp_dir().join(name);
    let work = folder.join("work");
    fs::create_dir_all(&work).unwrap();
    for block in blocks {
        if let Some(name) = block.names_a_file() {
            fs::write(work.join(name), ports.used(&block.text)).unwrap();
        }
    }
    fs::write(folder.join("commands"), script(&runs, &ports, &folder)).unwrap();
    let mut terminal = Terminal { folder, group: None };
    let ended = play(&mut terminal, &ports);
    let mut findings: Vec<String> =
        runs.iter().enumerate().filter_map(|(n, run)| finding(n, run, &terminal, &ports)).collect();
    if let Err(why) = ended {
        findings.push(why);
    }
    assert!(findings.is_empty(), "{}", findings.join("\n\n"));
}

/// The whole as one script, each part with its output in files of its own.
fn script(runs: &[Run], ports: &Ports, folder: &Path) -> String {
    let mut script = String::from(include_str!("prelude.sh"));
    for (number, run) in runs.iter().enumerate() {
        let part = folder.join(number.to_string());
        let commands: String = ports.used(&run.commands).lines().map(|line| typed(line, ports)).collect();
        let part = part.display();
        write!(
            script,
            "\nFAILURES={part}.failed\n{{\n{commands}}} >{part}.out 2>{part}.err\ntouch {part}.done\n"
        )
        .unwrap();
    }
    script
}

/// A line as the shell gets it: what runs until it is stopped is started in a terminal of its own, and awaited.
fn typed(line: &str, ports: &Ports) -> String {
    let stays = Regex::new(
        r"^(?:\w+=\S+ )*(?:tributary|cargo run --release --)(?: (?:serve|simulate|--listen)\b[^&>]*)?\s*(?:#.*)?$",
    );
    if stays.unwrap().is_match(line) {
        let command = line.split(" #").next().unwrap();
        let listen = Regex::new(r"--listen \S+:(\d+)").unwrap();
        let port = listen.captures(line).map_or_else(|| ports.used(DEFAULT_PORT), |port| port[1].to_owned());
        return format!("{command} &\nlistening {port}\n");
    }
    if line.starts_with("scripts/") {
        return format!("script {line}\n");
    }
    format!("{line}\n")
}

fn play(terminal: &mut Terminal, ports: &Ports) -> Result<(), String> {
    let programs = Path::new(env!("CARGO_BIN_EXE_tributary")).parent().unwrap();
    let mut shell = Command::new("bash");
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if ["TRIBUTARY_", "OTEL_", "AI_", "RUST_LOG"].iter().any(|prefix| text.starts_with(prefix)) {
            shell.env_remove(&name);
        }
    }
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    shell.arg(terminal.folder.join("commands")).current_dir(terminal.folder.join("work")).env("PATH", path);
    shell.env("PROJECT", env!("CARGO_MANIFEST_DIR")).env("COLUMNS", "100");
    shell.env("TRIBUTARY_SERVER__LISTEN", format!("127.0.0.1:{}", ports.used(DEFAULT_PORT)));
    let complaints = terminal.folder.join("complaints");
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(fs::File::create(&complaints).unwrap());
    let mut child = shell.process_group(0).spawn().unwrap();
    terminal.group = Some(child.id());
    let (ended, ends) = mpsc::channel();
    thread::spawn(move || ended.send(child.wait()));
    let ended = ends.recv_timeout(PATIENCE);
    let complaints = fs::read_to_string(complaints).unwrap();
    match ended {
        Ok(_) if complaints.is_empty() => Ok(()),
        Ok(_) => Err(format!("the shell says: {complaints}")),
        Err(_) => Err(format!("not done after {PATIENCE:?}: {complaints}")),
    }
}

/// What is wrong with one part.
fn finding(number: usize, run: &Run, terminal: &Terminal, ports: &Ports) -> Option<String> {
    let read = |kind: &str| {
        let text = fs::read_to_string(terminal.folder.join(format!("{number}.{kind}")));
        ports.printed(&text.unwrap_or_default())
    };
    let (at, printed) = (&run.at, read("out"));
    if !terminal.folder.join(format!("{number}.done")).exists() {
        return Some(format!("{at}: didn't come to its end\n{printed}{}", read("err")));
    }
    let failed = read("failed");
    if !failed.is_empty() {
        return Some(format!("{at}: failed: {failed}{printed}{}", read("err")));
    }
    let expected = run.expected.as_deref()?;
    differs(expected, &printed).map(|difference| format!("{at}:\n{difference}{}", read("err")))
}
