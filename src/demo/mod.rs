//! `tributary demo`: the real service, a plan that is played through its HTTP interface, and a reader whose line is cut.
//!
//! ```text
//! planner ── directive, progress ──►┐                    ┌──► reader: a line an event, cut once, resumed
//! three models, a CRM ── events ───►│ service (loopback) │
//! a search ◄── calls ───────────────┘                    └──► page and state, compared with what the reader saw
//! ```
//!
//! All of them share this process but speak through sockets only, so whatever happens here others can do too. It fails
//! where the reader missed an event or saw one twice.

mod client;
mod coverage;
mod incoming;
mod plan;
mod reader;
mod screen;
mod sender;
mod sse;
mod subagents;
mod summary;
mod timeline;

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::time::Duration;

use anyhow::{Context, anyhow, ensure};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::bootstrap;
use crate::config::Config;
use crate::domain::allowed_host::AllowedHost;
use crate::lifecycle::Shutdown;
use crate::simulate::Simulator;
use client::Client;
use plan::{Pace, Plan};
use screen::Screen;

/// The demo takes 15 seconds; one that hangs is a failure too.
const LONGEST: Duration = Duration::from_secs(120);
/// A free port of this machine alone.
const LOOPBACK: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0));
/// What whoever still watches is given to go at the end.
const FAREWELL: Duration = Duration::from_millis(500);

/// How the demo is run.
#[derive(Debug, Clone, Copy, Default)]
pub struct DemoArgs {
    /// Listen on a free loopback port instead of the configured address.
    pub free_port: bool,
    /// Leave the service running at the end, until a signal.
    pub keep: bool,
    /// Play ten times as fast.
    pub fast: bool,
}

/// What everyone who takes part shares.
#[derive(Clone)]
struct Demo {
    client: Client,
    screen: Screen,
    pace: Pace,
    /// Where the search is called.
    search: String,
}

/// Runs the demo.
///
/// # Errors
/// Where the service can't start, a call fails, or the reader missed an event or saw one twice.
pub async fn run(args: DemoArgs, config: Config) -> anyhow::Result<()> {
    let drain_window = Duration::from_millis(config.server.drain_window_ms);
    let shutdown = Shutdown::on_signals(drain_window).context("can't listen for signals")?;
    let listener = match args.free_port {
        true => Some(TcpListener::bind("127.0.0.1:0").await.context("no loopback port is free")?),
        false => None,
    };
    let agents = Simulator::start(LOOPBACK).await.context("no loopback port is free for the search")?;
    let running = bootstrap::start(calling(config, agents.addr), listener).await?;
    let pace = if args.fast { Pace::FAST } else { Pace::REAL };
    let search = agents.url("/generic/json");
    let demo = Demo { client: Client::new(running.addr), screen: Screen::on_stdout(), pace, search };
    let service = tokio::spawn(running.run_until(shutdown.clone()));

    let played = tokio::select! {
        played = timeout(LONGEST, play(&demo)) => played.unwrap_or_else(|_| Err(anyhow!("the demo hangs"))),
        () = shutdown.soft.cancelled() => Err(anyhow!("interrupted before the end")),
        () = demo.screen.gone() => Err(anyhow!("nobody reads the output any more")),
    };
    if played.is_ok() && args.keep {
        summary::invite(&demo.screen, &demo.client);
        shutdown.soft.cancelled().await;
    }
    shutdown.soft.cancel();
    let mut service = service;
    let ended = match timeout(FAREWELL, &mut service).await {
        Ok(ended) => ended,
        Err(_) => {
            shutdown.stop_now();
            service.await
        }
    };
    agents.stop().await;
    played.and(ended.context("the service panicked")?)
}

/// The configuration with which the search may be called, besides what it allows.
fn calling(mut config: Config, agents: SocketAddr) -> Config {
    config
        .invoke
        .allowed_hosts
        .push(AllowedHost { host: agents.ip().to_string(), port: Some(agents.port()) });
    config.invoke.allow_private = true;
    config
}

/// Posts the directive, lets everyone do their part, checks and sums up.
async fn play(demo: &Demo) -> anyhow::Result<()> {
    let plan = Plan::read()?;
    summary::introduce(&demo.screen, &demo.client, &plan);
    let directive = plan.directive(demo.pace, &demo.search);
    demo.screen.begin();
    demo.client.post(&plan::steps_path(), &directive).await?.ok().context("the directive was refused")?;
    let (seen, (), ()) = tokio::try_join!(
        reader::watch(demo),
        subagents::play(demo, &plan),
        subagents::planner_progress(demo),
    )?;
    let state = demo.client.get(&plan::step_path()).await?.ok()?;
    let page = demo.client.get(&plan::page_path()).await?.ok()?;
    let checked = coverage::compare(&seen.coverage, &page);
    summary::conclude(&demo.screen, &seen, &state, &checked)?;
    checked?;
    ensure!(seen.cut_after > 0, "the reader was never cut, so nothing was resumed");
    Ok(())
}
