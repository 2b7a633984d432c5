//! The connections to Redis: one that all commands share, and what opens the one for subscriptions.
//!
//! A lost connection comes back by itself (`ConnectionManager`, or the cluster client, which also follows `MOVED`);
//! the command that met the loss fails, and is told apart by whether Redis may have done it.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use redis::aio::{ConnectionLike, ConnectionManager, ConnectionManagerConfig};
use redis::cluster::{ClusterClient, ClusterClientBuilder};
use redis::cluster_async::ClusterConnection;
use redis::cluster_routing::{MultipleNodeRoutingInfo, ResponsePolicy, RoutingInfo};
use redis::{
    Client, Cmd, ErrorKind, IntoConnectionInfo, RedisError, ServerErrorKind, TlsCertificates, Value,
};

use super::script::Script;
use crate::engine::ports::result_cache::StoreError;

/// Where Redis is, and how long to wait for it.
#[derive(Clone)]
pub struct RedisAddress {
    /// `redis://…` or `rediss://…`; several, with commas between, for the nodes of a cluster.
    pub url: String,
    /// Root certificates to trust instead of the usual ones, as PEM.
    pub ca_certificates: Option<Vec<u8>>,
    /// How long a command may take.
    pub response_timeout: Duration,
    /// How long connecting may take.
    pub connection_timeout: Duration,
}

/// Why Redis can't be used; the text never holds the address' password.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The address can't be read.
    #[error("cache.redis_url can't be used: {0}")]
    Address(String),
    /// Nobody answers there.
    #[error("Redis can't be reached: {0}")]
    Unreachable(String),
}

/// What answers at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedisServer {
    /// As it tells it, such as `7.0.15`.
    pub version: String,
    /// Whether it is a node of a cluster.
    pub is_cluster: bool,
    /// How it makes room when its memory is full, where that loses data: a value of its `maxmemory-policy`.
    pub evicts_by: Option<String>,
}

impl RedisServer {
    /// Out of the answer to `INFO`.
    fn read(info: &str) -> Self {
        let field = |name: &str| info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let is_bounded = field("maxmemory").is_some_and(|bytes| bytes != "0");
        let policy = field("maxmemory_policy").filter(|policy| is_bounded && *policy != "noeviction");
        Self {
            version: field("redis_version").unwrap_or("unknown").to_owned(),
            is_cluster: field("redis_mode") == Some("cluster"),
            evicts_by: policy.map(str::to_owned),
        }
    }
}

/// The shared connection, and whether Redis answered last.
#[derive(Clone)]
pub(super) struct Link {
    inner: Inner,
    server: RedisServer,
    address: Arc<RedisAddress>,
    failure: Arc<Mutex<Option<String>>>,
}

#[derive(Clone)]
enum Inner {
    Single(ConnectionManager),
    Cluster(ClusterConnection),
}

impl Inner {
    /// Connects to a node. A server in cluster mode is recognised by itself.
    async fn open(address: &RedisAddress, node: &str) -> Result<(Self, RedisServer), ConnectError> {
        let unreachable = |error: RedisError| ConnectError::Unreachable(error.to_string());
        let single = client(address, node)?;
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
            let client = cluster_client(address)?;
            let cluster = client.get_async_connection().await.map_err(unreachable)?;
            Ok((Self::Cluster(cluster), server))
        } else {
            Ok((Self::Single(manager), server))
        }
    }
}

impl Link {
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
        if let Some(policy) = &server.evicts_by {
            tracing::warn!(
                policy,
                "Redis may let go of what is stored: set its maxmemory-policy to noeviction"
            );
        }
        Ok(Self { inner, server, address: Arc::new(address), failure: Arc::default() })
    }
    /// Whether commands go to the nodes of a cluster.
    pub(super) fn is_cluster(&self) -> bool {
        matches!(self.inner, Inner::Cluster(_))
    }

    /// A client for a connection of its own, to one of the nodes that the address names: another one with each attempt.
    pub(super) fn client(&self, attempt: usize) -> Result<Client, StoreError> {
        let nodes: Vec<&str> = self.address.nodes().collect();
        let node = nodes.get(attempt % nodes.len().max(1)).copied().unwrap_or_default();
        client(&self.address, node).map_err(|error| StoreError::Unavailable(error.to_string()))
    }

    /// How long a command may take.
    pub(super) fn response_timeout(&self) -> Duration {
        self.address.response_timeout
    }

    /// Runs a command.
    pub(super) async fn run(&self, command: &Cmd) -> Result<Value, StoreError> {
        let answer = self.run_raw(command).await;
        self.note(&answer);
        answer.map_err(store_error)
    }

    /// Asks whether Redis lives. Of a cluster one node is enough: the sessions of the others go on without those of a
    /// node that is gone.
    pub(super) async fn probe(&self) {
        let ping = redis::cmd("PING");
        let Inner::Cluster(mut cluster) = self.inner.clone() else {
            let answer = self.run_raw(&ping).await;
            return self.note(&answer);
        };
        let any =
            RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, Some(ResponsePolicy::OneSucceeded)));
        let answer = self.bounded(cluster.route_command(ping, any)).await;
        self.note_health(&answer);
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
        let answer = async {
            match self.inner.clone() {
                Inner::Single(mut single) => single.req_packed_command(command).await,
                Inner::Cluster(mut cluster) => cluster.req_packed_command(command).await,
            }
        };
        self.bounded(answer).await?.extract_error()
    }

    /// The library's own bound doesn't hold while it reconnects.
    async fn bounded<T>(&self, answer: impl Future<Output = Result<T, RedisError>>) -> Result<T, RedisError> {
        let bound = self.address.response_timeout + self.address.connection_timeout;
        let answer = tokio::time::timeout(bound, answer).await;
        answer.unwrap_or_else(|_| Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()))
    }

    /// Runs a script; `arguments` adds its keys and arguments. Redis forgets scripts when it restarts: then the whole
    /// text is sent.
    pub(super) async fn call(
        &self,
        script: &Script,
        arguments: impl Fn(&mut Cmd),
    ) -> Result<Value, StoreError> {
        let mut by_name = redis::cmd("EVALSHA");
        by_name.arg(script.sha1());
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

    /// What a command's answer says of Redis; of a cluster it says something of one node only.
    fn note(&self, answer: &Result<Value, RedisError>) {
        if !self.is_cluster() {
            self.note_health(answer);
        } else if let Err(error) = answer {
            tracing::debug!(%error, "a node of the cluster doesn't answer");
        }
    }

    fn note_health(&self, answer: &Result<Value, RedisError>) {
        let failure = answer.as_ref().err().map(ToString::to_string);
        let mut known = self.failure.lock();
        if known.is_some() != failure.is_some() {
            match &failure {
                Some(why) => tracing::warn!(why, "Redis doesn't answer"),
                None => tracing::info!("Redis answers again"),
            }
        }
        *known = failure;
    }

    /// Why the last command failed, where it did.
    pub(super) fn failure(&self) -> Option<String> {
        self.failure.lock().clone()
    }
}

impl RedisAddress {
    /// Connects, and hangs up again.
    ///
    /// # Errors
    /// Where the address is wrong or nobody answers there.
    pub async fn reach(self) -> Result<RedisServer, ConnectError> {
        Ok(Link::open(self).await?.server)
    }

    fn nodes(&self) -> impl Iterator<Item = &str> {
        self.url.split(',').map(str::trim)
    }
}

fn client(address: &RedisAddress, node: &str) -> Result<Client, ConnectError> {
    let unfit = |error: RedisError| ConnectError::Address(error.to_string());
    match &address.ca_certificates {
        Some(_) => Client::build_with_tls(node, certificates(address)).map_err(unfit),
        None => Client::open(node).map_err(unfit),
    }
}

fn cluster_client(address: &RedisAddress) -> Result<ClusterClient, ConnectError> {
    let unfit = |error: RedisError| ConnectError::Address(error.to_string());
    let nodes = address.nodes().map(IntoConnectionInfo::into_connection_info);
    let nodes = nodes.collect::<Result<Vec<_>, _>>().map_err(unfit)?;
    let mut builder = ClusterClientBuilder::new(nodes)
        .response_timeout(address.response_timeout)
        .connection_timeout(address.connection_timeout)
        .retries(3);
    if address.ca_certificates.is_some() {
        builder = builder.certs(certificates(address));
    }
    builder.build().map_err(unfit)
}

fn certificates(address: &RedisAddress) -> TlsCertificates {
    TlsCertificates { client_tls: None, root_cert: address.ca_certificates.clone() }
}

/// Whether Redis may have done what it was asked: only where the connection was refused, or it said no, it surely hasn't.
fn store_error(error: RedisError) -> StoreError {
    if error.code() == Some("OOM") {
        return StoreError::Full("Redis has no memory left".into());
    }
    let is_refused = error.is_connection_refusal() || !(error.is_io_error() || error.is_connection_dropped());
    if is_refused { StoreError::Unavailable(error.to_string()) } else { StoreError::TimedOut }
}

/// A text or bytes as text; empty for anything else.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::BulkString(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => text.clone(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::RedisServer;

    #[test]
    fn a_server_is_read_from_what_it_tells() {
        let info = |memory: u64, policy: &str| {
            format!(
                "# Server\r\nredis_version:7.0.15\r\nredis_mode:cluster\r\nmaxmemory:{memory}\r\nmaxmemory_policy:{policy}\r\n"
            )
        };
        let server = RedisServer::read(&info(1, "allkeys-lru"));
        assert_eq!((&*server.version, server.is_cluster), ("7.0.15", true));
        assert_eq!(server.evicts_by.as_deref(), Some("allkeys-lru"));
        // Without a bound nothing is evicted, whatever the policy.
        assert_eq!(RedisServer::read(&info(0, "allkeys-lru")).evicts_by, None);
        assert_eq!(RedisServer::read(&info(1, "noeviction")).evicts_by, None);
        let silent = RedisServer { version: "unknown".into(), is_cluster: false, evicts_by: None };
        assert_eq!(RedisServer::read(""), silent);
    }
}
