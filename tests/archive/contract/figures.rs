//! Breadcrumbs and figures over them.

use tributary::domain::event::SenderStatus;
use tributary::domain::ids::TenantId;
use tributary::domain::time::Timestamp;
use tributary::engine::ports::analytics::{Analytics, Latency, OutcomeCounts};
use tributary::engine::ports::archive::{Archive, ArchiveBatch, LateResult};

use crate::fixtures::{cancel, post, say};
use crate::log::{Log, batch, begin, success};

pub async fn figures_are_counted_by_subagent<A: Archive + Analytics>(archive: &A) {
    let tenant = TenantId::default_tenant();
    assert_eq!(archive.subagents(&tenant, Timestamp(0)).await.unwrap(), []);
    let mut late = Vec::new();
    let mut segments = Vec::new();
    // A hundred outputs of `crm`, which took 1 to 100 ms.
    for ms in 1..=100 {
        let mut log = Log::new(&format!("s-{ms}"));
        log.does(&[begin("p")]);
        log.now = Timestamp(log.now.0 + ms);
        log.does(&[success()]);
        segments.push(log.whole());
    }
    let mut other = Log::new("other");
    let posted = post("p").expects("crm", "r").expects("voice", "v").expects("safety", "t").command();
    let failed = |key| say("p", key, SenderStatus::Error);
    other.does(&[posted, failed("crm").command(), failed("voice").retryable().command(), cancel(None)]);
    let output = other.state.steps[0].subagents[1].output.clone();
    for id in [1, 2, 2] {
        late.push(LateResult { id, at: other.now, key: other.key.clone(), output: output.clone() });
    }
    segments.push(other.whole());
    let whole = ArchiveBatch { segments, late, ..Default::default() };
    archive.write(&whole).await.unwrap();
    archive.write(&whole).await.unwrap();
    let figures = archive.subagents(&tenant, Timestamp(0)).await.unwrap();
    let keys: Vec<&str> = figures.iter().map(|figures| figures.key.as_str()).collect();
    assert_eq!(keys, ["crm", "safety", "voice"]);
    let crm = &figures[0];
    assert_eq!(crm.counts, OutcomeCounts { success: 100, error: 1, ..OutcomeCounts::default() });
    // 101 latencies: 0, and 1 to 100.
    assert_eq!(crm.latency, Some(Latency { p50_ms: 50, p95_ms: 95, p99_ms: 99 }));
    let voice = &figures[2];
    assert_eq!((voice.counts.cancelled, voice.retries, voice.late), (1, 1, 2));
    assert_eq!(figures[1].counts.total(), 1);
    let later = archive.subagents(&tenant, Timestamp(other.now.0 + 1)).await.unwrap();
    assert_eq!(later.iter().map(|figures| figures.counts.total()).sum::<u64>(), 100, "since then");
    let nobody = "nobody".parse().unwrap();
    assert_eq!(archive.subagents(&nobody, Timestamp(0)).await.unwrap(), []);
}

pub async fn figures_follow_the_live_chain<A: Archive + Analytics>(archive: &A) {
    let common = Log::running("s", 1);
    let (mut fails, mut succeeds) = (common.clone(), common);
    fails.does(&[say("p", "crm", SenderStatus::Error).command()]);
    succeeds.does(&[success()]);
    archive.write(&batch([fails.whole()])).await.unwrap();
    archive.write(&batch([succeeds.whole()])).await.unwrap();
    let figures = archive.subagents(&TenantId::default_tenant(), Timestamp(0)).await.unwrap();
    assert_eq!(figures[0].counts, OutcomeCounts { success: 1, ..OutcomeCounts::default() });
}
