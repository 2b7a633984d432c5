//! From a name to the addresses that may be connected to.
//!
//! The addresses given here are the ones connected to, so a name can't show one address to a check and another to the
//! connection (DNS rebinding). An address in the URL itself doesn't come by here; the call checks it.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::domain::private_address::is_private;

#[cfg(test)]
mod tests;

/// Look-ups at once: each holds a thread for as long as the name server keeps silent.
const LOOKUPS_MAX: usize = 16;
/// How long an answer counts, so that a burst of calls to one host asks once. As short as name servers' shortest lives.
const REMEMBERED: Duration = Duration::from_secs(5);
/// Names remembered; all are forgotten when there are more.
const NAMES_MAX: usize = 256;

type BoxError = Box<dyn std::error::Error + Send + Sync>;
/// Asks for a name's addresses, blocking: the system's resolver, or a test's.
pub(super) type Lookup = Arc<dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync>;

/// What names were last said to be, and when.
type Remembered = HashMap<String, (Instant, Vec<IpAddr>)>;

/// A name that has only addresses which mustn't be called.
#[derive(Debug, thiserror::Error)]
#[error("`{name}` has only private addresses, and those may not be called (`invoke.allow_private`)")]
pub(super) struct OnlyPrivate {
    name: String,
}

/// Resolves names, and leaves private addresses out unless they are allowed. Cheap to clone.
#[derive(Clone)]
pub(super) struct GuardedResolver {
    lookup: Lookup,
    allow_private: bool,
    permits: Arc<Semaphore>,
    remembered: Arc<Mutex<Remembered>>,
}

impl fmt::Debug for GuardedResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuardedResolver").field("allow_private", &self.allow_private).finish_non_exhaustive()
    }
}

/// What the system says: `/etc/hosts`, then name servers.
pub(super) fn system_lookup() -> Lookup {
    Arc::new(|name| Ok((name, 0).to_socket_addrs()?.map(|address| address.ip()).collect()))
}

impl GuardedResolver {
    pub fn new(lookup: Lookup, allow_private: bool) -> Self {
        let permits = Arc::new(Semaphore::new(LOOKUPS_MAX));
        Self { lookup, allow_private, permits, remembered: Arc::default() }
    }

    /// The addresses of `name` that may be connected to: at least one.
    async fn addresses(&self, name: &str) -> Result<Vec<IpAddr>, BoxError> {
        let mut addresses = self.look_up(name).await?;
        if !self.allow_private {
            let found = !addresses.is_empty();
            addresses.retain(|address| !is_private(*address));
            if found && addresses.is_empty() {
                return Err(OnlyPrivate { name: name.to_owned() }.into());
            }
        }
        if addresses.is_empty() { Err("the name has no address".into()) } else { Ok(addresses) }
    }

    /// Asks, unless it was asked just now. The permit goes along with the thread: a caller that gives up doesn't make room
    /// for another thread.
    async fn look_up(&self, name: &str) -> Result<Vec<IpAddr>, BoxError> {
        if let Some(addresses) = self.recall(name) {
            return Ok(addresses);
        }
        let permit = self.permits.clone().acquire_owned().await?;
        if let Some(addresses) = self.recall(name) {
            return Ok(addresses);
        }
        let (lookup, asked) = (self.lookup.clone(), name.to_owned());
        let answer = tokio::task::spawn_blocking(move || (lookup(&asked), permit)).await?;
        // Kept until the answer is remembered, so that whoever waits for the permit finds it.
        let (addresses, _permit) = answer;
        let addresses = addresses?;
        let mut remembered = self.remembered.lock();
        if remembered.len() >= NAMES_MAX {
            remembered.clear();
        }
        remembered.insert(name.to_owned(), (Instant::now(), addresses.clone()));
        Ok(addresses)
    }

    fn recall(&self, name: &str) -> Option<Vec<IpAddr>> {
        let remembered = self.remembered.lock();
        let (at, addresses) = remembered.get(name)?;
        (at.elapsed() < REMEMBERED).then(|| addresses.clone())
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let resolver = self.clone();
        Box::pin(async move {
            let addresses = resolver.addresses(name.as_str()).await?;
            // Port 0 stands for the URL's port.
            let addresses: Addrs = Box::new(addresses.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(addresses)
        })
    }
}
