//! A server that the benchmark started: its CPU time and memory as the kernel counts them, and its end.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};

use crate::interrupt;

/// A running server. Dropping it ends it.
pub struct Process {
    child: Child,
    log: PathBuf,
}

/// CPU time used up to one moment.
pub struct CpuMark {
    /// Nanoseconds by thread.
    threads: BTreeMap<u32, u64>,
    /// Nanoseconds of the whole processes, in steps of a clock tick, ended threads included.
    ticks_ns: u64,
}

impl Process {
    /// Starts a server whose output goes to the file `log`.
    pub fn spawn(command: &mut Command, log: &Path) -> Result<Self> {
        let file = File::create(log).with_context(|| format!("creating {}", log.display()))?;
        let output = file.try_clone().context("sharing the log file")?;
        let child = command
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(file)
            .spawn()
            .with_context(|| format!("starting {:?}", command.get_program()))?;
        Ok(Self { child, log: log.to_owned() })
    }

    /// Waits until `ready` succeeds; fails with the end of the log if the process ends or 20 s pass first.
    pub fn until(&mut self, ready: impl Fn() -> bool) -> Result<()> {
        let end = Instant::now() + Duration::from_secs(20);
        while !ready() {
            interrupt::check()?;
            let ended = self.child.try_wait().context("waiting for a server")?;
            ensure!(ended.is_none() && Instant::now() < end, "the server didn't start: {}", self.log_end());
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Asks the server to end, and waits for that so long; the last of what it said.
    #[allow(dead_code, reason = "only benches/streams reads what is written at the end")]
    pub fn end(mut self, patience: Duration) -> Result<String> {
        signal(self.child.id(), Signal::TERM);
        let end = Instant::now() + patience;
        while self.child.try_wait().context("waiting for a server's end")?.is_none() {
            interrupt::check()?;
            ensure!(Instant::now() < end, "not within {} s: {}", patience.as_secs(), self.log_end());
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(self.log_end())
    }

    /// The last of what the server said.
    pub fn log_end(&self) -> String {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        let lines: Vec<&str> = log.lines().collect();
        lines[lines.len().saturating_sub(8)..].join("\n")
    }

    /// The process and its children: nginx works in children.
    fn pids(&self) -> Vec<u32> {
        let pid = self.child.id();
        let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
        std::iter::once(pid).chain(children.split_whitespace().filter_map(|pid| pid.parse().ok())).collect()
    }

    /// Reads the CPU clocks of the process and its children.
    pub fn cpu(&self) -> Result<CpuMark> {
        let mut mark = CpuMark { threads: BTreeMap::new(), ticks_ns: 0 };
        for pid in self.pids() {
            mark.ticks_ns += ticks_ns(pid)?;
            let threads = fs::read_dir(format!("/proc/{pid}/task")).context("listing a server's threads")?;
            for thread in threads.flatten() {
                let Some(id) = thread.file_name().to_str().and_then(|name| name.parse().ok()) else {
                    continue;
                };
                mark.threads.insert(id, thread_ns(&thread.path()));
            }
        }
        Ok(mark)
    }

    /// Anonymous memory of the process and its children in bytes, shared memory included (nchan keeps messages there).
    pub fn memory_bytes(&self) -> Result<u64> {
        let mut kib = 0;
        for pid in self.pids() {
            let path = format!("/proc/{pid}/smaps_rollup");
            let text = fs::read_to_string(&path).with_context(|| format!("reading {path}"))?;
            kib += ["Pss_Anon:", "Pss_Shmem:"].iter().filter_map(|field| kib_of(&text, field)).sum::<u64>();
        }
        ensure!(kib > 0, "the kernel doesn't tell a server's memory");
        Ok(kib * 1_024)
    }
}

impl CpuMark {
    /// Of one thread that lives on, from its directory in /proc.
    pub fn of_thread(directory: &Path) -> Self {
        Self { threads: BTreeMap::from([(0, thread_ns(directory))]), ticks_ns: 0 }
    }

    /// This and another process' together.
    pub fn plus(mut self, other: Self) -> Self {
        self.threads.extend(other.threads);
        self.ticks_ns += other.ticks_ns;
        self
    }

    /// Nanoseconds of CPU between `earlier` and this mark. The threads' clocks are exact but miss threads that ended;
    /// then the ticks of the whole process are clearly more, and count instead.
    pub fn since(&self, earlier: &Self) -> u64 {
        let before = |id| earlier.threads.get(id).copied().unwrap_or(0);
        let threads: u64 = self.threads.iter().map(|(id, ns)| ns.saturating_sub(before(id))).sum();
        let ticks = self.ticks_ns.saturating_sub(earlier.ticks_ns);
        if ticks > threads + 50_000_000 { ticks } else { threads }
    }
}

/// Nanoseconds that a thread ran, from its directory in /proc.
fn thread_ns(directory: &Path) -> u64 {
    let text = fs::read_to_string(directory.join("schedstat")).unwrap_or_default();
    text.split_whitespace().next().and_then(|ns| ns.parse().ok()).unwrap_or(0)
}

/// utime + stime of a process, from /proc/PID/stat (fields 14 and 15; the name in field 2 may hold anything).
fn ticks_ns(pid: u32) -> Result<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).context("a server has ended")?;
    let fields: Vec<&str> = text[text.rfind(')').unwrap_or(0)..].split_whitespace().collect();
    let ticks: u64 = [12, 13].iter().filter_map(|at| fields.get(*at)?.parse::<u64>().ok()).sum();
    Ok(ticks * 1_000_000_000 / rustix::param::clock_ticks_per_second())
}

fn kib_of(text: &str, field: &str) -> Option<u64> {
    text.lines().find(|line| line.starts_with(field))?.split_whitespace().nth(1)?.parse().ok()
}

impl Drop for Process {
    /// Asks, waits a little, then kills: children first, since a killed nginx would leave its workers behind.
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        let children = self.pids();
        signal(self.child.id(), Signal::TERM);
        let end = Instant::now() + Duration::from_secs(3);
        while Instant::now() < end {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        children.into_iter().rev().for_each(|pid| signal(pid, Signal::KILL));
        let _ = self.child.wait();
    }
}

/// Where it has ended already there is nobody to be told.
fn signal(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, signal);
    }
}
