//! The reader: shows every event, loses its connection once, comes back with its cursor.
//!
//! It does what any client has to: keep the last `id`, check that frames follow each other, send the `id` as
//! `Last-Event-ID` when it comes back, read the verdict in `open`, stop at `end`.

use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::coverage::{Coverage, Frame};
use super::screen::{Line, Style};
use super::sse::{EventStream, SseEvent};
use super::timeline::Timeline;
use super::{Demo, plan};

/// The connection is cut when so much has been read.
const CUT_AFTER: u64 = 22;
/// How long the reader is away, at the real pace, in milliseconds.
const AWAY_MS: u64 = 1_500;
/// It stays away until at least so much was missed.
const MISSED_MIN: u64 = 5;
/// How often it is looked at what it misses.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long it is waited for something to miss.
const LOOK_MOST: Duration = Duration::from_secs(30);

/// What the reader has seen.
pub struct Seen {
    /// All of it, checked frame by frame.
    pub coverage: Coverage,
    /// Where it was cut off.
    pub cut_after: u64,
    /// What was sent while it was away.
    pub replayed: u64,
}

#[derive(Deserialize)]
struct Open {
    from: u64,
    tail: u64,
    recovered: bool,
    reason: String,
}

struct Reader<'d> {
    demo: &'d Demo,
    timeline: Timeline,
    seen: Seen,
    /// The `id` of the last event that had one.
    cursor: Option<String>,
    /// What is read through here was there before the reader came back.
    replay_until: u64,
}

/// Reads the step from its first event to its end.
pub async fn watch(demo: &Demo) -> anyhow::Result<Seen> {
    let seen = Seen { coverage: Coverage::default(), cut_after: 0, replayed: 0 };
    let mut reader = Reader { demo, timeline: Timeline::default(), seen, cursor: None, replay_until: 0 };
    reader.read_and_lose_the_line().await?;
    reader.stay_away().await?;
    reader.read_to_the_end().await?;
    Ok(reader.seen)
}

impl Reader<'_> {
    async fn read_and_lose_the_line(&mut self) -> anyhow::Result<()> {
        let mut stream = self.connect().await?;
        while self.seen.coverage.covered() < CUT_AFTER {
            let event = stream.next().await?.context("the stream ended early")?;
            self.take(&event)?;
        }
        stream.cut()?;
        self.seen.cut_after = self.seen.coverage.covered();
        let cursor = self.cursor.as_deref().unwrap_or_default();
        self.tell("cut", Style::Bad, format!("the line is dead; the last id was {cursor}"));
        Ok(())
    }

    /// Waits until there is something that was missed.
    async fn stay_away(&self) -> anyhow::Result<()> {
        self.demo.pace.wait(AWAY_MS).await;
        let give_up = Instant::now() + LOOK_MOST;
        loop {
            let state: Value = serde_json::from_str(&self.demo.client.get(&plan::step_path()).await?.ok()?)?;
            let tail = state["sequence"]["tail"].as_u64().unwrap_or_default();
            if tail >= self.seen.cut_after + MISSED_MIN {
                return Ok(());
            }
            ensure!(Instant::now() < give_up, "nothing happened while the reader was away");
            sleep(LOOK_EVERY).await;
        }
    }

    async fn read_to_the_end(&mut self) -> anyhow::Result<()> {
        let mut stream = self.connect().await?;
        loop {
            let event = stream.next().await?.context("the stream ended without `end`")?;
            if self.take(&event)? {
                break;
            }
        }
        let again = self.demo.client.listen(&plan::events_path(), self.cursor.as_deref()).await?;
        ensure!(again.is_none(), "a reader that has everything isn't told to stop");
        self.tell(
            "end",
            Style::Good,
            "the stream is over; who asks again hears 204, so an EventSource stops".into(),
        );
        Ok(())
    }

    async fn connect(&self) -> anyhow::Result<EventStream> {
        let stream = self.demo.client.listen(&plan::events_path(), self.cursor.as_deref()).await?;
        stream.context("204: the stream is over already")
    }

    /// Takes one event in; `true` at the end.
    fn take(&mut self, event: &SseEvent) -> anyhow::Result<bool> {
        match event.name.as_str() {
            "open" => self.open(&event.data)?,
            "planner_stream" => self.frame(&event.data)?,
            "heartbeat" => {}
            "end" => {}
            other => bail!("an unexpected `{other}`: {}", event.data),
        }
        self.cursor = event.id.clone().or(self.cursor.take());
        Ok(event.name == "end")
    }

    fn open(&mut self, data: &str) -> anyhow::Result<()> {
        let open: Open = serde_json::from_str(data)?;
        ensure!(open.recovered, "the service can't continue: {}", open.reason);
        self.seen.coverage.open(open.from)?;
        let Open { from, tail, reason, .. } = open;
        if self.seen.cut_after > 0 {
            self.replay_until = tail;
            let text =
                format!("with that id; `open` says {reason}, recovered: goes on after {from} of {tail}");
            self.tell("back", Style::Good, text);
        } else {
            self.tell("open", Style::Good, format!("`open` says {reason}: reads on after {from}"));
        }
        Ok(())
    }

    fn frame(&mut self, data: &str) -> anyhow::Result<()> {
        let frame: Frame<'_> = serde_json::from_str(data)?;
        self.seen.coverage.frame(&frame)?;
        for event in &frame.events {
            let event: Value = serde_json::from_str(event.get())?;
            let is_replayed = event["sequence"].as_u64() <= Some(self.replay_until);
            self.seen.replayed += u64::from(is_replayed);
            self.demo.screen.show(&self.timeline.line(&event, is_replayed));
        }
        let caught_up = (frame.from..=frame.to).contains(&self.replay_until);
        if caught_up && self.seen.cut_after > 0 {
            let Seen { cut_after, replayed, .. } = self.seen;
            let text = format!("after {cut_after}: {replayed} replayed, nothing missed, nothing twice");
            self.tell("resumed", Style::Good, text);
        }
        Ok(())
    }

    fn tell(&self, status: &str, status_style: Style, text: String) {
        self.demo.screen.show(&Line {
            at: None,
            sequence: None,
            mark: '•',
            lane: "reader".into(),
            lane_style: Style::Bold,
            status: status.into(),
            status_style,
            text,
            ends_with: String::new(),
        });
    }
}
