//! How fast entries reach SQLite: a measurement, not a bound, as machines differ.
//! `cargo test --release --test archive -- --ignored --nocapture throughput`

use std::time::{Duration, Instant};

use tributary::engine::ports::archive::Archive;

use crate::log::{Log, batch};
use crate::sqlite::Folder;

/// A hundred thousand entries, in batches as the archiver makes them when so many sessions speak at once.
#[tokio::test]
#[ignore = "a measurement"]
async fn hundred_thousand_entries() {
    let folder = Folder::new();
    let archive = folder.archive().await;
    for (sessions, of_each) in [(1_000, 1), (1_000, 4), (100, 40), (1, 4_000)] {
        let name = |n| format!("{of_each}-{n}");
        let mut logs: Vec<Log> = (0..sessions).map(|n| Log::running(&name(n), 0)).collect();
        archive.write(&batch(logs.iter().map(Log::whole))).await.unwrap();
        let (mut taken, mut written) = (Duration::ZERO, 0);
        while written < 100_000 {
            let longer = |log: &mut Log| {
                let from = log.entries.len() + 1;
                log.says(of_each);
                log.part(from, log.entries.len())
            };
            let batch = batch(logs.iter_mut().map(longer));
            let begin = Instant::now();
            archive.write(&batch).await.unwrap();
            taken += begin.elapsed();
            written += batch.entries();
        }
        let rate = written as f64 / taken.as_secs_f64();
        println!("{sessions} sessions, {of_each} entries of each a batch: {rate:.0} entries/s");
    }
}
