//! Instructions of user code, counted by callgrind (valgrind's): the same work costs nearly the same number each time, on
//! any machine and however busy it is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::event;
use crate::load::Load;
use crate::server::{Begin, Server, create_all};
use crate::tributary::Tributary;

/// Streams with a reader each, published to in turn by one connection.
const STREAMS: usize = 20;
/// Under valgrind everything takes fifty times as long.
const PATIENCE: Duration = Duration::from_secs(60);

/// A build of the service under valgrind.
pub struct Counted {
    server: Tributary,
    counts: PathBuf,
}

impl Counted {
    /// Starts it with one worker, so that no two threads wait for each other.
    fn start(binary: &Path, directory: &Path) -> Result<Self> {
        let counts = directory.join("callgrind.out");
        let mut command = Command::new("valgrind");
        command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", counts.display())).arg(binary);
        let one = [("TRIBUTARY_SERVER__WORKER_THREADS", "1".to_owned())];
        let server = Tributary::start_command(command, &one, directory)
            .context("under valgrind (Debian package valgrind)")?;
        Ok(Self { server, counts })
    }

    /// Ends it, and reads how many instructions it took.
    fn end(self) -> Result<u64> {
        let log = self.server.end(PATIENCE).context("ending a service under valgrind")?;
        let text = fs::read_to_string(&self.counts).with_context(|| format!("no counts: {log}"))?;
        fs::remove_file(&self.counts).context("forgetting the counts")?;
        let total =
            text.lines().find_map(|line| line.strip_prefix("totals:")).context("counts without a total")?;
        total.trim().parse().with_context(|| format!("a total of {total:?}"))
    }
}

/// Instructions of a whole life in which so many events are posted, one after the other, and read.
pub fn instructions(binary: &Path, events: u64, directory: &Path) -> Result<u64> {
    let counted = Counted::start(binary, directory)?;
    let server = &counted.server;
    create_all(server, STREAMS)?;
    let mut load = Load::new()?;
    for stream in 0..STREAMS {
        load.connect_reader(server.address())?;
        load.subscribe(stream, &server.subscribe(stream, Begin::Live))?;
    }
    load.connect_publisher(server.address())?;
    load.until_open()?;
    for published in 0..events {
        let (stream, revision) = (published as usize % STREAMS, published / STREAMS as u64 + 1);
        load.publishers[0].request(&server.publish(stream, &event::body(revision)))?;
        load.until_delivered(published + 1)?;
    }
    ensure!(load.deliveries == events, "{} deliveries instead of {events}", load.deliveries);
    drop(load);
    counted.end()
}
