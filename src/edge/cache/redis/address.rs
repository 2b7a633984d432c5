//! Where Redis is, and what answers there.

use std::time::Duration;

use redis::cluster::{ClusterClient, ClusterClientBuilder};
use redis::{Client, IntoConnectionInfo, RedisError, TlsCertificates};

use super::connection::Link;

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
    /// It answers, but nothing can be stored: its memory or its disk is full, or this user may not.
    #[error("Redis takes no writes: {0}")]
    TakesNoWrites(String),
    /// It answers, but this user can't join the channels on which replicas tell each other.
    #[error("Redis takes no subscription: {0}")]
    TakesNoSubscription(String),
}

/// What answers at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedisServer {
    /// As it tells it, such as `7.0.15`.
    pub version: String,
    /// Whether it is a node of a cluster.
    pub is_cluster: bool,
    /// Whether it copies another one, and so takes no writes. Nodes of a cluster name those that do.
    pub is_copy: bool,
    /// Whether nothing but the machine bounds its memory.
    pub is_unbounded: bool,
    /// How it makes room when its memory is full, where that loses data: a value of its `maxmemory-policy`.
    pub evicts_by: Option<String>,
}

impl RedisServer {
    /// Out of the answer to `INFO`.
    pub(super) fn read(info: &str) -> Self {
        let field = |name: &str| info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let is_cluster = field("redis_mode") == Some("cluster");
        let is_bounded = field("maxmemory").is_some_and(|bytes| bytes != "0");
        let is_unbounded = field("maxmemory") == Some("0");
        let policy = field("maxmemory_policy").filter(|policy| is_bounded && *policy != "noeviction");
        Self {
            version: field("redis_version").unwrap_or("unknown").to_owned(),
            is_cluster,
            is_copy: !is_cluster && field("role") == Some("slave"),
            is_unbounded,
            evicts_by: policy.map(str::to_owned),
        }
    }
}

impl RedisAddress {
    /// Connects, asks whether writes are taken as a running replica does, subscribes once, and hangs up again. A copy takes no
    /// writes by its nature, and isn't asked. Nothing is written.
    ///
    /// # Errors
    /// Where the address is wrong, nobody answers there, or writes or subscriptions are refused.
    pub async fn reach(self) -> Result<RedisServer, ConnectError> {
        let link = Link::open(self).await?;
        let server = link.server().clone();
        if !server.is_copy {
            link.probe().await;
            link.probe_nodes().await;
        }
        if let Some(why) = link.refusal() {
            return Err(ConnectError::TakesNoWrites(why));
        }
        link.try_to_join().await.map_err(ConnectError::TakesNoSubscription)?;
        Ok(server)
    }

    /// The nodes that it names.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &str> {
        self.url.split(',').map(str::trim)
    }

    /// A client of one of its nodes.
    pub(super) fn client(&self, node: &str) -> Result<Client, ConnectError> {
        let client = match &self.ca_certificates {
            Some(_) => Client::build_with_tls(node, self.certificates()),
            None => Client::open(node),
        };
        client.map_err(unfit)
    }

    /// A client of the cluster that its nodes belong to.
    pub(super) fn cluster_client(&self) -> Result<ClusterClient, ConnectError> {
        let nodes = self.nodes().map(IntoConnectionInfo::into_connection_info);
        let nodes = nodes.collect::<Result<Vec<_>, _>>().map_err(unfit)?;
        let mut builder = ClusterClientBuilder::new(nodes)
            .response_timeout(self.response_timeout)
            .connection_timeout(self.connection_timeout)
            // The library waits more than a second by itself, which is longer than an answer may take.
            .min_retry_wait(20)
            .max_retry_wait(200)
            .retries(3);
        if self.ca_certificates.is_some() {
            builder = builder.certs(self.certificates());
        }
        builder.build().map_err(unfit)
    }

    fn certificates(&self) -> TlsCertificates {
        TlsCertificates { client_tls: None, root_cert: self.ca_certificates.clone() }
    }
}

fn unfit(error: RedisError) -> ConnectError {
    ConnectError::Address(error.to_string())
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
        let unbounded = RedisServer::read(&info(0, "allkeys-lru"));
        assert_eq!((unbounded.evicts_by, unbounded.is_unbounded), (None, true));
        assert_eq!(RedisServer::read(&info(1, "noeviction")).evicts_by, None);
        let silent = RedisServer::read("");
        assert_eq!((&*silent.version, silent.is_cluster, silent.is_copy), ("unknown", false, false));
        assert_eq!((silent.evicts_by, silent.is_unbounded), (None, false));
        assert!(RedisServer::read("redis_mode:standalone\r\nrole:slave").is_copy);
        assert!(!RedisServer::read("redis_mode:standalone\r\nrole:master").is_copy);
        assert!(!RedisServer::read("redis_mode:cluster\r\nrole:slave").is_copy);
    }
}
