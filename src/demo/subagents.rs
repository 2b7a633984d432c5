//! Those who send: three models that write reports, a look-up that is too late, and the planner. The search is called.

use anyhow::ensure;
use fastrand::Rng;
use serde_json::{Value, json};

use super::plan::{Plan, Report, SILENT, SILENT_DEADLINE_MS, subagent_path};
use super::sender::{Receipt, Sender, Way, tell};
use super::{Demo, plan};

/// Of the model that sends event by event, the one whose answer is lost, so that it is sent again.
const SENT_AGAIN: usize = 3;

/// When a model begins and how long it thinks between paragraphs, in milliseconds.
struct Tempo {
    way: Way,
    first_ms: u64,
    gap_ms: u64,
}

const TEMPI: [Tempo; 3] = [
    Tempo { way: Way::Ndjson, first_ms: 700, gap_ms: 650 },
    Tempo { way: Way::OneByOne, first_ms: 400, gap_ms: 800 },
    Tempo { way: Way::Sse, first_ms: 2_600, gap_ms: 800 },
];

/// Everyone does their part.
pub async fn play(demo: &Demo, plan: &Plan) -> anyhow::Result<()> {
    let models = plan.reports.iter().zip(&TEMPI).map(|(report, tempo)| write(demo, report, tempo));
    let models = futures::future::try_join_all(models);
    tokio::try_join!(models, be_late(demo))?;
    Ok(())
}

/// The planner says how far it is.
pub async fn planner_progress(demo: &Demo) -> anyhow::Result<()> {
    let path = format!("{}/progress", plan::step_path());
    for (wait_ms, percent, message) in
        [(150, 5, "everyone is asked"), (5_600, 50, "the reports are half done")]
    {
        demo.pace.wait(wait_ms).await;
        demo.client.post(&path, &json!({"message": message, "percent": percent})).await?.ok()?;
    }
    Ok(())
}

/// A model writes its report. The seed makes every demo alike.
async fn write(demo: &Demo, report: &Report, tempo: &Tempo) -> anyhow::Result<()> {
    let mut rng = Rng::with_seed(report.markdown.len() as u64);
    let mut sender = Sender::open(demo, report.key(), tempo.way).await?;
    let mut wait_ms = tempo.first_ms;
    for (index, event) in events(report).iter().enumerate() {
        demo.pace.wait(wait_ms).await;
        sender.send(event).await?;
        if index == SENT_AGAIN {
            sender.send_again(event).await?;
        }
        wait_ms = tempo.gap_ms * rng.u64(50..150) / 100;
    }
    sender.finish().await
}

/// At work, partials that grow, the whole report. Each names its revision, so that it may be sent again safely.
fn events(report: &Report) -> Vec<Value> {
    let mut events = vec![json!({"status": "in_progress", "revision": 1})];
    for (text, revision) in report.growth().into_iter().zip(2..) {
        let whole = text.len() == report.markdown.len();
        let (status, sources) =
            if whole { ("success", report.sources.as_slice()) } else { ("partial", &[][..]) };
        let payload = json!({"content": text, "sources": sources});
        events.push(json!({"status": status, "revision": revision, "payload": payload}));
    }
    events
}

/// A look-up that answers when its time is over.
async fn be_late(demo: &Demo) -> anyhow::Result<()> {
    demo.pace.wait(SILENT_DEADLINE_MS + 900).await;
    let event = json!({"status": "success", "payload": {"content": "Three projects use MCP, none A2A."}});
    let receipt = Receipt::read(demo.client.post(&subagent_path(SILENT), &event).await?)?;
    ensure!(receipt.late == 1, "a result after the deadline wasn't late: {receipt:?}");
    tell(demo, SILENT, "late", "its result comes now: counted, but not stored, not streamed".into());
    Ok(())
}
