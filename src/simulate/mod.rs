//! `tributary simulate`: real HTTP subagents of every kind that behave as they are told.
//!
//! ```text
//! POST /{kind}/{protocol}?latency_ms=20&fail=2 ──► behaviour: query, then script (pure)
//!                                                     │
//!            log of calls, attempts, in flight ◄──────┼──► agents: what such an agent gives, from query and seed (pure)
//!            GET /_calls                              └──► protocols: as JSON, NDJSON, SSE, … (pure) ──► paced body
//! ```
//!
//! Tests, the demo and the benchmark call it through sockets, so what they see is what a service of somebody else would do
//! to us. The same request gives the same bytes. `docs/simulator.md` is its manual. Nothing here is for production: there
//! is no authentication, and whoever reaches the port may script it.

mod agents;
mod behaviour;
mod body;
mod calls;
mod frames;
mod names;
mod plan;
mod protocols;
mod script;
mod server;
mod service;
mod socket;
mod state;

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use crate::lifecycle::Shutdown;
pub use behaviour::{Behaviour, BehaviourError, Decision, Garbage, Hang, StatusEvent, Usage};
pub use calls::{Call, Calls, Ended, NameCalls};
pub use script::{Script, ScriptError};
pub use server::Simulator;

/// Where it listens unless told otherwise: a free loopback port.
const LISTEN: &str = "127.0.0.1:0";
/// Scripts are read whole.
const SCRIPT_BYTES_MAX: u64 = 1 << 20;

/// How the simulator is run.
#[derive(Debug, Clone, Default)]
pub struct SimulateArgs {
    /// Address and port; a free loopback port where none is given.
    pub listen: Option<String>,
    /// A script of behaviours, TOML or JSON.
    pub script: Option<PathBuf>,
}

/// Runs the simulator until a signal. Its first line on standard output is `listening on http://ADDRESS`.
///
/// # Errors
/// Where the address or the script can't be read, or the port can't be opened.
pub async fn run(args: SimulateArgs) -> anyhow::Result<()> {
    let listen = args.listen.as_deref().unwrap_or(LISTEN);
    let addr: SocketAddr = listen.parse().with_context(|| format!("{listen} is no address and port"))?;
    let script = args.script.as_deref().map(read_script).transpose()?.unwrap_or_default();
    let shutdown = Shutdown::on_signals(Duration::ZERO).context("can't listen for signals")?;
    let simulator = Simulator::start(addr).await.with_context(|| format!("can't listen on {addr}"))?;
    simulator.set_script(script);
    let mut out = std::io::stdout();
    writeln!(out, "listening on http://{}", simulator.addr)
        .and_then(|()| out.flush())
        .context("can't say so")?;
    shutdown.soft.cancelled().await;
    simulator.stop().await;
    Ok(())
}

fn read_script(path: &std::path::Path) -> anyhow::Result<Script> {
    let shown = path.display();
    let size = std::fs::metadata(path).with_context(|| format!("can't read {shown}"))?.len();
    anyhow::ensure!(size <= SCRIPT_BYTES_MAX, "{shown} has more than {SCRIPT_BYTES_MAX} bytes");
    let text = std::fs::read_to_string(path).with_context(|| format!("can't read {shown}"))?;
    Script::read(&text).with_context(|| format!("{shown} is no script"))
}
