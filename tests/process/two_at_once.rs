//! Two processes on the file of one archive.

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use crate::deadline::Deadline;
use crate::folder::Folder;
use crate::{Service, tributary};

/// It takes fifteen seconds where nobody else uses the machine.
const PATIENCE: Duration = Duration::from_secs(90);

/// Two that keep their sessions in memory would each take the other's entries for a branch that was left.
#[test]
fn file_of_an_archive_is_for_one_process_at_a_time() {
    let (folder, deadline) = (Folder::new(), Deadline::new(PATIENCE));
    let start = |drain_window_ms: &str| {
        let mut command = tributary(&["--listen", "127.0.0.1:0"]);
        command.env("TRIBUTARY_ARCHIVE__URL", folder.url());
        command.env("TRIBUTARY_SERVER__DRAIN_WINDOW_MS", drain_window_ms);
        let child = command.spawn().unwrap();
        deadline.mind(child.id());
        child
    };
    let serves = |mut child: std::process::Child| {
        let log = BufReader::new(child.stderr.take().unwrap());
        Service::listening(child, log)
    };
    let first = serves(start("10000"));
    let begin = Instant::now();
    let refused = start("0").wait_with_output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!((refused.status.code(), lines.len()), (Some(1), 2), "{said}");
    assert!(lines[0].contains("waiting for the archive"), "{said}");
    let told = "error: archive.url: waited 10 s for it: another process has ";
    assert!(lines[1].starts_with(told) && lines[1].contains("archive.db.lock"), "{said}");
    assert!((10..20).contains(&begin.elapsed().as_secs()), "{:?}", begin.elapsed());

    let command = |name: &str| tributary(&[name]).env("TRIBUTARY_ARCHIVE__URL", folder.url()).output();
    let found = String::from_utf8(command("check").unwrap().stdout).unwrap();
    assert!(found.contains("up to date; a process has it"), "{found}");
    assert!(command("migrate").unwrap().status.success(), "what is up to date may be asked for");

    // The next one starts while the one before still stops.
    let mut child = start("10000");
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    log.read_line(&mut line).unwrap();
    assert!(line.contains("waiting for the archive") && line.contains("another process has"), "{line}");
    first.signal("TERM");
    let second = Service::listening(child, log);
    assert!(second.ask("/healthz").starts_with("HTTP/1.1 200"));

    // However it ends.
    second.signal("KILL");
    drop(second);
    serves(start("10000"));
}
