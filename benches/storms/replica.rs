//! A replica as a user starts it: the built binary, its end by any signal, and what the kernel says of it.

use std::fs::{self, File};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};

use crate::interrupt;
use crate::sender::Sender;

/// How long a process may take to be there, and to end.
const PATIENCE: Duration = Duration::from_secs(30);

/// A child. Dropping it ends it.
pub struct Process {
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts a program whose output goes to the end of the file `log`.
    pub fn spawn(command: &mut Command, log: &Path) -> Result<Self> {
        let file = File::options().create(true).append(true).open(log);
        let file = file.with_context(|| format!("creating {}", log.display()))?;
        let output = file.try_clone().context("sharing the log file")?;
        command.stdin(Stdio::null()).stdout(output).stderr(file);
        let child = command.spawn().with_context(|| format!("starting {:?}", command.get_program()))?;
        Ok(Self { child, log: log.to_owned() })
    }

    /// Waits until `ready` succeeds; fails with the end of the log if the process ends or its time is over first.
    pub fn until(&mut self, ready: impl Fn() -> bool) -> Result<()> {
        let end = Instant::now() + PATIENCE;
        while !ready() {
            interrupt::check()?;
            let lives = !self.has_ended()?;
            ensure!(lives && Instant::now() < end, "it didn't start: {}", self.log_end());
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    fn signal(&self, signal: Signal) {
        // It may have ended by itself: then there is nobody to tell.
        if let Some(pid) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let _ = kill_process(pid, signal);
        }
    }

    fn has_ended(&mut self) -> Result<bool> {
        Ok(self.child.try_wait().context("waiting for a process")?.is_some())
    }

    fn log_end(&self) -> String {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(8)..].join("\n")
    }

    fn read(&self, file: &str) -> Result<String> {
        let path = format!("/proc/{}/{file}", self.child.id());
        fs::read_to_string(&path).with_context(|| format!("reading {path}"))
    }
}

impl Drop for Process {
    /// Asks, waits a little, then kills.
    fn drop(&mut self) {
        self.signal(Signal::TERM);
        let end = Instant::now() + Duration::from_secs(3);
        while Instant::now() < end && matches!(self.has_ended(), Ok(false)) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A running `tributary serve`.
pub struct Replica {
    pub address: SocketAddr,
    binary: PathBuf,
    variables: Vec<(String, String)>,
    directory: PathBuf,
    process: Process,
}

impl Replica {
    /// Starts one on a free port. `variables` differ from the defaults, without their prefix.
    pub fn start(binary: &Path, variables: &[(&str, String)], directory: &Path) -> Result<Self> {
        let address = free_address()?;
        let name = |name: &str| format!("TRIBUTARY_{name}");
        let variables: Vec<_> = variables.iter().map(|(key, value)| (name(key), value.clone())).collect();
        let process = serve(binary, address, &variables, directory)?;
        let mut replica =
            Self { address, binary: binary.to_owned(), variables, directory: directory.to_owned(), process };
        replica.process.until(|| is_ready(address)).context("starting tributary")?;
        Ok(replica)
    }

    /// Sends the signal and doesn't wait.
    pub fn signal(&self, signal: Signal) {
        self.process.signal(signal);
    }

    pub fn has_ended(&mut self) -> Result<bool> {
        self.process.has_ended()
    }

    /// Starts it again in its old place, after it has ended, and doesn't wait.
    pub fn start_again(&mut self) -> Result<()> {
        ensure!(self.has_ended()?, "it still runs");
        self.process = serve(&self.binary, self.address, &self.variables, &self.directory)?;
        Ok(())
    }

    /// Whether it takes work. Fails where it has ended.
    pub fn is_ready(&mut self) -> Result<bool> {
        ensure!(!self.has_ended()?, "it has ended: {}", self.process.log_end());
        Ok(is_ready(self.address))
    }

    /// Anonymous memory in bytes.
    pub fn memory_bytes(&self) -> Result<u64> {
        let text = self.process.read("smaps_rollup")?;
        let line = text.lines().find_map(|line| line.strip_prefix("Pss_Anon:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        Ok(kib.context("the kernel doesn't tell a process' memory")? * 1_024)
    }

    /// Open descriptors.
    pub fn descriptors(&self) -> Result<usize> {
        let path = format!("/proc/{}/fd", self.process.child.id());
        Ok(fs::read_dir(&path).with_context(|| format!("listing {path}"))?.count())
    }

    /// CPU time so far, user and system, in seconds: fields 14 and 15 of `stat`; field 2, a name, may hold anything.
    pub fn cpu_seconds(&self) -> Result<f64> {
        let text = self.process.read("stat")?;
        let fields: Vec<&str> = text[text.rfind(')').unwrap_or(0)..].split_whitespace().collect();
        let ticks: u64 = [12, 13].iter().filter_map(|at| fields.get(*at)?.parse::<u64>().ok()).sum();
        Ok(ticks as f64 / rustix::param::clock_ticks_per_second() as f64)
    }

    /// A number from `/metrics`.
    pub fn metric(&self, name: &str) -> Result<f64> {
        let answer = Sender::new(vec![self.address]).get("/metrics")?;
        let text = String::from_utf8_lossy(&answer.body);
        // With or without labels.
        let is_it = |rest: &str| rest.starts_with(' ') || rest.starts_with('{');
        let line = text.lines().find(|line| line.strip_prefix(name).is_some_and(is_it));
        let number = line.and_then(|line| line.split_whitespace().last()?.parse().ok());
        number.with_context(|| format!("no {name} in /metrics"))
    }
}

fn serve(
    binary: &Path,
    address: SocketAddr,
    variables: &[(String, String)],
    directory: &Path,
) -> Result<Process> {
    let mut command = Command::new(binary);
    command.args(["serve", "--listen", &address.to_string()]).current_dir(directory);
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    Process::spawn(&mut command, &directory.join(format!("tributary-{}.log", address.port())))
}

fn is_ready(address: SocketAddr) -> bool {
    Sender::new(vec![address]).get("/readyz").is_ok_and(|answer| answer.status == 200)
}

/// A loopback address that was free a moment ago.
pub fn free_address() -> Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("looking for a free port")?;
    listener.local_addr().context("reading a port")
}
