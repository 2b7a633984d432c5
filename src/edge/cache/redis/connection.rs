//! The connections to Redis: one that all commands share, and what opens the one for subscriptions.
//!
//! A lost connection comes back by itself (`ConnectionManager`, or the cluster client, which also follows `MOVED`);
//! the command that met the loss fails, and is told apart by whether Redis may have done it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use redis::aio::{ConnectionLike, ConnectionManager, ConnectionManagerConfig};
use redis::cluster_async::ClusterConnection;
use redis::cluster_routing::{MultipleNodeRoutingInfo, ResponsePolicy, RoutingInfo};
use redis::{Client, Cmd, ErrorKind, RedisError, ServerErrorKind, Value};

use super::address::{ConnectError, RedisAddress, RedisServer};
use super::joining::bounded;
use super::line::{Heard, Line};
#[cfg(debug_assertions)]
use super::model::ModelServer;
use super::script::Script;
use super::value::text;
use crate::engine::ports::result_cache::StoreError;

mod health;

/// Commands in a row without an answer, after which a client of a cluster is replaced.
const UNANSWERED_MOST: u32 = 16;
/// What the append of one event of some hundred bytes takes: its command doesn't grow piece by piece.
const ARGUMENTS: usize = 32;
const ARGUMENT_BYTES: usize = 2048;

/// The shared connection, and whether Redis answered last.
#[derive(Clone)]
pub(super) struct Link {
    inner: Arc<Mutex<Inner>>,
    /// Commands to a cluster in a row that nobody answered.
    unanswered: Arc<AtomicU32>,
    /// How often a node of a cluster didn't answer: until it is looked at, it may be another one.
    pub(super) stumbles: Arc<AtomicU64>,
    server: RedisServer,
    address: Arc<RedisAddress>,
    failure: Arc<Mutex<Option<String>>>,
    /// Why it takes no writes, though it answers.
    refusal: Arc<Mutex<Option<String>>>,
}

#[derive(Clone)]
enum Inner {
    Single(ConnectionManager),
    Cluster(ClusterConnection),
    #[cfg(debug_assertions)]
    Model(Arc<dyn ModelServer>),
}

impl Inner {
    /// Connects to a node. A server in cluster mode is recognised by itself.
    async fn open(address: &RedisAddress, node: &str) -> Result<(Self, RedisServer), ConnectError> {
        let unreachable = |error: RedisError| ConnectError::Unreachable(error.to_string());
        let single = address.client(node)?;
        let mut config = ConnectionManagerConfig::new();
        config = config
            .set_response_timeout(Some(address.response_timeout))
            .set_connection_timeout(Some(address.connection_timeout))
            .set_min_delay(Duration::from_millis(20))
            .set_max_delay(Duration::from_millis(250))
            .set_number_of_retries(4);
        let mut manager = ConnectionManager::new_lazy_with_config(single, config).map_err(unreachable)?;
        let info: Value = redis::cmd("INFO").query_async(&mut manager).await.map_err(unreachable)?;
        let server = RedisServer::read(&text(&info));
        if server.is_cluster {
            let client = address.cluster_client()?;
            let cluster = client.get_async_connection().await.map_err(unreachable)?;
            Ok((Self::Cluster(cluster), server))
        } else {
            Ok((Self::Single(manager), server))
        }
    }
}

impl Link {
    /// What answered at the address.
    pub(super) fn server(&self) -> &RedisServer {
        &self.server
    }

    /// Connects, to the first of the named nodes that answers.
    pub(super) async fn open(address: RedisAddress) -> Result<Self, ConnectError> {
        let mut opened = Err(ConnectError::Unreachable("no node is named".into()));
        for node in address.nodes() {
            opened = Inner::open(&address, node).await;
            if !matches!(opened, Err(ConnectError::Unreachable(_))) {
                break;
            }
        }
        let (inner, server) = opened?;
        if !server.is_cluster && address.nodes().nth(1).is_some() {
            // Each replica would take the first that answers it: two stores, and two stories.
            let text = "it names several servers, and what answers is no node of a cluster: name one server";
            return Err(ConnectError::Address(text.to_owned()));
        }
        if let Some(policy) = &server.evicts_by {
            tracing::warn!(
                policy,
                "Redis may let go of what is stored: set its maxmemory-policy to noeviction"
            );
        }
        if server.is_unbounded {
            tracing::info!("Redis has no maxmemory: it ends where the machine's memory does");
        }
        let (inner, address) = (Arc::new(Mutex::new(inner)), Arc::new(address));
        Ok(Self::of(inner, server, address))
    }

    /// Whether commands go to the nodes of a cluster.
    pub(super) fn is_cluster(&self) -> bool {
        self.server.is_cluster
    }

    /// Whether all commands go to one server, and a real one.
    pub(super) fn is_one_server(&self) -> bool {
        matches!(*self.inner.lock(), Inner::Single(_))
    }

    /// Whether there is no server, as in a simulation.
    pub(super) fn is_simulated(&self) -> bool {
        !self.is_cluster() && !self.is_one_server()
    }

    /// A link to a simulated server.
    #[cfg(debug_assertions)]
    pub(super) fn over(server: Arc<dyn ModelServer>, address: RedisAddress) -> Self {
        let (inner, address) = (Arc::new(Mutex::new(Inner::Model(server))), Arc::new(address));
        Self::of(inner, RedisServer::read(""), address)
    }

    fn of(inner: Arc<Mutex<Inner>>, server: RedisServer, address: Arc<RedisAddress>) -> Self {
        let (unanswered, stumbles) = <(Arc<AtomicU32>, Arc<AtomicU64>)>::default();
        let (failure, refusal) = Default::default();
        Self { inner, unanswered, stumbles, server, address, failure, refusal }
    }

    /// A client for a connection of its own, to one of the nodes that the address names: another one with each attempt.
    fn client(&self, attempt: usize) -> Result<Client, ConnectError> {
        let nodes: Vec<&str> = self.address.nodes().collect();
        let node = nodes.get(attempt % nodes.len().max(1)).copied().unwrap_or_default();
        self.address.client(node)
    }

    /// How many nodes the address names.
    pub(super) fn nodes(&self) -> usize {
        self.address.nodes().count()
    }

    /// Opens the line of a subscription.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) async fn listen(&self, attempt: usize) -> Result<(Line, Heard), String> {
        #[cfg(debug_assertions)]
        let model = match &*self.inner.lock() {
            Inner::Model(server) => Some(server.listen()),
            Inner::Single(_) | Inner::Cluster(_) => None,
        };
        #[cfg(debug_assertions)]
        if let Some(listen) = model {
            let opened = self.bounded(listen).await.map_err(|error| error.to_string())?;
            return Ok((Line::Model(opened.0), opened.1));
        }
        let client = self.client(attempt).map_err(|error| error.to_string())?;
        let opened = tokio::time::timeout(self.response_timeout(), Line::open(&client)).await;
        opened.map_err(|_| "no answer".to_owned())?.map_err(|error| error.to_string())
    }

    /// How long a command may take.
    pub(super) fn response_timeout(&self) -> Duration {
        self.address.response_timeout
    }

    /// How long anything that is asked may take, connecting again included.
    pub(super) fn bound(&self) -> Duration {
        self.address.response_timeout + self.address.connection_timeout
    }

    /// Runs a command.
    pub(super) async fn run(&self, command: &Cmd) -> Result<Value, StoreError> {
        let answer = self.run_raw(command).await;
        self.note(&answer);
        answer.map_err(store_error)
    }

    /// Asks all servers that take writes.
    pub(super) async fn ask_all(
        &self,
        command: Cmd,
        policy: Option<ResponsePolicy>,
    ) -> Result<Value, RedisError> {
        let Inner::Cluster(mut cluster) = self.inner.lock().clone() else {
            return self.run_raw(&command).await;
        };
        let all = RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, policy));
        self.bounded(cluster.route_command(command, all)).await
    }

    /// A connection that broke since the last command is only noticed by the next: that one is sent again. Everything
    /// that is sent here may be, an append because it compares first.
    async fn run_raw(&self, command: &Cmd) -> Result<Value, RedisError> {
        let answer = self.run_once(command).await;
        match answer {
            Err(error) if error.is_connection_dropped() && !error.is_timeout() => {
                self.run_once(command).await
            }
            other => other,
        }
    }

    async fn run_once(&self, command: &Cmd) -> Result<Value, RedisError> {
        let inner = self.inner.lock().clone();
        let answer = async {
            match inner {
                Inner::Single(mut single) => single.req_packed_command(command).await,
                Inner::Cluster(mut cluster) => cluster.req_packed_command(command).await,
                #[cfg(debug_assertions)]
                Inner::Model(server) => server.run(command).await,
            }
        };
        let answer = self.bounded(answer).await;
        if self.is_cluster() {
            self.mind_silence(&answer).await;
        }
        answer?.extract_error()
    }

    /// A client of a cluster that reconnects to a node that is gone may keep all commands waiting, also those of the nodes
    /// that live. Where none is answered any more, another client takes its place.
    async fn mind_silence(&self, answer: &Result<Value, RedisError>) {
        if !answer.as_ref().is_err_and(RedisError::is_timeout) {
            return self.unanswered.store(0, Ordering::Relaxed);
        }
        if self.unanswered.fetch_add(1, Ordering::Relaxed) + 1 != UNANSWERED_MOST {
            return;
        }
        let Ok(client) = self.address.cluster_client() else { return };
        match self.bounded(client.get_async_connection()).await {
            Ok(cluster) => {
                tracing::warn!("the cluster's nodes stopped answering on one connection; another was opened");
                *self.inner.lock() = Inner::Cluster(cluster);
            }
            Err(error) => tracing::debug!(%error, "no node of the cluster could be reached"),
        }
        self.unanswered.store(0, Ordering::Relaxed);
    }

    /// The library's own bound doesn't hold while it reconnects.
    async fn bounded<T>(&self, answer: impl Future<Output = Result<T, RedisError>>) -> Result<T, RedisError> {
        bounded(self.bound(), answer).await
    }

    /// Runs a script; `arguments` adds its keys and arguments. Redis forgets scripts when it restarts: then the whole
    /// text is sent.
    pub(super) async fn call(
        &self,
        script: &Script,
        arguments: impl Fn(&mut Cmd),
    ) -> Result<Value, StoreError> {
        self.call_of(1, script, arguments).await
    }

    /// The same with the arguments of so many appends.
    pub(super) async fn call_of(
        &self,
        appends: usize,
        script: &Script,
        arguments: impl Fn(&mut Cmd),
    ) -> Result<Value, StoreError> {
        let mut by_name = Cmd::with_capacity(appends * ARGUMENTS, appends * ARGUMENT_BYTES);
        by_name.arg("EVALSHA").arg(script.sha1());
        arguments(&mut by_name);
        let mut answer = self.run_raw(&by_name).await;
        if answer.as_ref().is_err_and(|error| error.kind() == ErrorKind::Server(ServerErrorKind::NoScript)) {
            let mut whole = redis::cmd("EVAL");
            whole.arg(script.source());
            arguments(&mut whole);
            answer = self.run_raw(&whole).await;
        }
        self.note(&answer);
        answer.map_err(store_error)
    }
}

/// Whether Redis may have done what it was asked: only where the connection was refused, or it said no, it surely hasn't.
pub(super) fn store_error(error: RedisError) -> StoreError {
    if error.code() == Some("OOM") {
        return StoreError::Full("Redis has no memory left".into());
    }
    let is_refused = error.is_connection_refusal() || !(error.is_io_error() || error.is_connection_dropped());
    if is_refused { StoreError::Unavailable(error.to_string()) } else { StoreError::TimedOut }
}
