//! Who is compared: what each needs, in which configuration, and how it is started.

pub mod centrifugo;
pub mod durable_streams;
mod given;
mod install;
mod langgraph;
pub mod mercure;
mod node;
mod peer;
mod resumable_stream;

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};

use crate::host::Host;
use crate::machine;
use crate::nchan::{self, Nchan};
use crate::peers::centrifugo::Centrifugo;
use crate::peers::durable_streams::DurableStreams;
use crate::peers::langgraph::LangGraph;
use crate::peers::mercure::Mercure;
pub use crate::peers::peer::Peer;
use crate::peers::resumable_stream::ResumableStream;
use crate::redis::{Redis, WithRedis};
use crate::server::{Server, subdirectory};
use crate::step::dialect::Dialect;
use crate::step::{SLOTS, channels, dialects};
use crate::tributary::Tributary;

/// Where servers that write files have a folder for each run.
const DATA: &str = "data";

/// What is needed to start all of them, or why something is missing.
pub struct Peers {
    directory: PathBuf,
    tributary: PathBuf,
    nchan: Result<nchan::Installed>,
    durable_streams: Result<PathBuf>,
    centrifugo: Result<PathBuf>,
    mercure: Result<PathBuf>,
    node: Result<PathBuf>,
}

impl Peers {
    /// Installs what isn't there yet below `directory`, and forgets what servers of an earlier run left there.
    pub fn install(tributary: PathBuf, directory: PathBuf) -> Result<Self> {
        let data = subdirectory(&directory, DATA)?;
        std::fs::remove_dir_all(&data).with_context(|| format!("removing {}", data.display()))?;
        Ok(Self {
            nchan: nchan::install(&directory),
            durable_streams: install::durable_streams(&directory),
            centrifugo: centrifugo::PROGRAM.find(),
            mercure: mercure::PROGRAM.find(),
            node: node::install(&directory),
            tributary,
            directory,
        })
    }

    /// Version and configuration, or why it isn't there.
    pub fn describe(&self, peer: Peer) -> String {
        if let Some(error) = self.missing(peer) {
            return format!("not installed: {error:#}");
        }
        let package = |name| {
            let version = self.node.as_ref().map(|packages| node::version(packages, name));
            format!("{name} {}", version.unwrap_or_default())
        };
        let nchan = self.nchan.as_ref().map_or("", |installed| &installed.version);
        match peer {
            Peer::Tributary => format!("{}, its defaults", machine::version(&self.tributary)),
            Peer::TributaryRedis => "the same with `cache.backend = \"redis\"`".to_owned(),
            Peer::Nchan => format!("{nchan}, one worker, no access log, keep-alive without limit"),
            Peer::NchanRedis => "the same with `nchan_redis_pass`".to_owned(),
            Peer::DurableStreams => {
                format!("durable-streams {}, `--durability memory`", install::DURABLE_STREAMS)
            }
            Peer::Centrifugo => format!(
                "{}, its `memory` engine, `uni_sse`, history and recovery for every channel",
                said(&self.centrifugo)
            ),
            Peer::CentrifugoRedis => "the same with its `redis` engine".to_owned(),
            Peer::Mercure => {
                format!("{}, anonymous readers, its Bolt file on `/dev/shm`", said(&self.mercure))
            }
            Peer::LangGraph => format!(
                "{} with {}, in memory, a worker for each step under way, no log of requests",
                package("@langchain/langgraph-api"),
                package("@langchain/langgraph"),
            ),
            Peer::ResumableStream => format!(
                "{} and {} in a server of 90 lines on `node:http`, one process",
                package("resumable-stream"),
                package("redis"),
            ),
        }
    }

    /// Why a peer can't be started here.
    pub fn missing(&self, peer: Peer) -> Option<&anyhow::Error> {
        match peer {
            Peer::Tributary | Peer::TributaryRedis => None,
            Peer::Nchan | Peer::NchanRedis => self.nchan.as_ref().err(),
            Peer::DurableStreams => self.durable_streams.as_ref().err(),
            Peer::Centrifugo | Peer::CentrifugoRedis => self.centrifugo.as_ref().err(),
            Peer::Mercure => self.mercure.as_ref().err(),
            Peer::LangGraph | Peer::ResumableStream => self.node.as_ref().err(),
        }
    }

    /// A fresh one that events can be posted to, with a fresh Redis where it uses one.
    pub fn start(&self, peer: Peer) -> Result<Box<dyn Server>> {
        let directory = self.directory.as_path();
        let redis = (peer.ours() == Peer::TributaryRedis).then(|| Redis::start(directory)).transpose()?;
        let on = redis.as_ref();
        let server: Box<dyn Server> = match peer {
            Peer::Tributary | Peer::TributaryRedis => {
                Box::new(Tributary::start_on(&self.tributary, on, directory)?)
            }
            Peer::Nchan | Peer::NchanRedis => Box::new(Nchan::start(found(&self.nchan)?, 1, on, directory)?),
            Peer::DurableStreams => {
                Box::new(DurableStreams::start(found(&self.durable_streams)?, directory)?)
            }
            Peer::Centrifugo | Peer::CentrifugoRedis => {
                Box::new(Centrifugo::start(found(&self.centrifugo)?, on, directory)?)
            }
            Peer::Mercure => Box::new(Mercure::start(found(&self.mercure)?, directory)?),
            Peer::ResumableStream => {
                let redis = on.context("resumable-stream needs Redis")?;
                Box::new(ResumableStream::start(found(&self.node)?, redis, directory)?)
            }
            Peer::LangGraph => bail!("events can't be posted to LangGraph"),
        };
        Ok(match redis {
            Some(redis) => Box::new(WithRedis { server, redis }),
            None => server,
        })
    }

    /// A fresh one that runs steps of so many tokens an agent, and how it is spoken to.
    pub fn start_steps(&self, peer: Peer, tokens: usize) -> Result<(Box<dyn Host>, Box<dyn Dialect>)> {
        if peer == Peer::LangGraph {
            let server = LangGraph::start(found(&self.node)?, SLOTS, &self.directory)?;
            let dialect = dialects::LangGraph { address: server.address, tokens };
            return Ok((Box::new(server), Box::new(dialect)));
        }
        let server = self.start(peer)?;
        let address = server.address();
        let dialect: Box<dyn Dialect> = match peer {
            Peer::Tributary | Peer::TributaryRedis | Peer::LangGraph => {
                Box::new(dialects::Tributary(address))
            }
            Peer::Nchan | Peer::NchanRedis => Box::new(dialects::Nchan(address)),
            Peer::DurableStreams => Box::new(dialects::DurableStreams(address)),
            Peer::Centrifugo | Peer::CentrifugoRedis => Box::new(channels::Centrifugo(address)),
            Peer::Mercure => Box::new(channels::Mercure { address, token: mercure::token()? }),
            Peer::ResumableStream => Box::new(dialects::ResumableStream(address)),
        };
        Ok((Box::new(server), dialect))
    }
}

/// What a program says of its version.
fn said(binary: &Result<PathBuf>) -> String {
    binary.as_ref().map(|binary| given::version(binary)).unwrap_or_default()
}

fn found<T>(installed: &Result<T>) -> Result<&T> {
    installed.as_ref().map_err(|error| anyhow!("missing: {error:#}"))
}
