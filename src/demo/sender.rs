//! The three ways to push events, and what their sender is answered.

use anyhow::ensure;
use serde::Deserialize;
use serde_json::Value;

use super::Demo;
use super::client::{Answer, Upload};
use super::plan::subagent_path;
use super::screen::{Line, Style};

/// How a subagent sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// A line an event, one request for all of them.
    Ndjson,
    /// A request an event.
    OneByOne,
    /// An SSE event each, one request for all of them.
    Sse,
}

/// What a sender is answered.
#[derive(Debug, Deserialize)]
pub struct Receipt {
    results: Vec<Verdict>,
    accepted: u64,
    duplicate: u64,
    /// Events that came when it was over.
    pub late: u64,
}

#[derive(Debug, Deserialize)]
struct Verdict {
    verdict: String,
    sequence: Option<u64>,
}

impl Receipt {
    /// The receipt in an answer.
    pub fn read(answer: Answer) -> anyhow::Result<Self> {
        Ok(serde_json::from_str(&answer.ok()?)?)
    }
}

/// A subagent's way of sending, opened.
pub struct Sender<'d> {
    demo: &'d Demo,
    key: String,
    way: Way,
    body: Option<Upload>,
    sent: u64,
}

impl<'d> Sender<'d> {
    /// Opens it: a body that grows, or nothing yet.
    pub async fn open(demo: &'d Demo, key: String, way: Way) -> anyhow::Result<Self> {
        let path = subagent_path(&key);
        let body = match way {
            Way::Ndjson => Some(demo.client.upload(&path, "application/x-ndjson").await?),
            Way::Sse => Some(demo.client.upload(&path, "text/event-stream").await?),
            Way::OneByOne => None,
        };
        Ok(Self { demo, key, way, body, sent: 0 })
    }

    /// Sends one event.
    pub async fn send(&mut self, event: &Value) -> anyhow::Result<()> {
        self.sent += 1;
        let Some(body) = &mut self.body else {
            let receipt = Receipt::read(self.demo.client.post(&subagent_path(&self.key), event).await?)?;
            ensure!(receipt.accepted == 1, "an event wasn't accepted: {receipt:?}");
            return Ok(());
        };
        match self.way {
            Way::Sse => body.send(&format!("data: {event}\n\n")).await,
            Way::Ndjson | Way::OneByOne => body.send(&format!("{event}\n")).await,
        }
    }

    /// As a sender does whose answer was lost. Only where it is answered event by event.
    pub async fn send_again(&mut self, event: &Value) -> anyhow::Result<()> {
        if self.way != Way::OneByOne {
            return Ok(());
        }
        self.demo.pace.wait(250).await;
        let receipt = Receipt::read(self.demo.client.post(&subagent_path(&self.key), event).await?)?;
        ensure!(receipt.duplicate == 1, "an event that was sent twice is no duplicate: {receipt:?}");
        let Some(Verdict { verdict, sequence: Some(sequence) }) = receipt.results.first() else {
            return Ok(());
        };
        let revision = &event["revision"];
        tell(
            self.demo,
            &self.key,
            verdict,
            format!("r{revision} sent again: it is {sequence} already, stored once"),
        );
        Ok(())
    }

    /// Ends the body, where there is one, and reads what became of its events.
    pub async fn finish(self) -> anyhow::Result<()> {
        let Some(body) = self.body else { return Ok(()) };
        let receipt = Receipt::read(body.finish().await?)?;
        ensure!(receipt.accepted == self.sent, "{} events were sent: {receipt:?}", self.sent);
        let media = if self.way == Way::Sse { "SSE" } else { "NDJSON" };
        tell(self.demo, &self.key, "accepted", format!("all {} events of one {media} body", self.sent));
        Ok(())
    }
}

/// Shows what a sender was told.
pub fn tell(demo: &Demo, lane: &str, verdict: &str, text: String) {
    demo.screen.show(&Line {
        at: None,
        sequence: None,
        mark: '◂',
        lane: lane.to_owned(),
        lane_style: Style::Plain,
        status: verdict.to_owned(),
        status_style: Style::Notable,
        text,
        ends_with: String::new(),
    });
}
