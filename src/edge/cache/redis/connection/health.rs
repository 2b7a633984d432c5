//! Whether Redis answers, and whether it takes writes: one that answers may take none, such as one whose disk (`MISCONF`) or memory
//! (`OOM`) is full, or that was made a replica (`READONLY`).

use std::sync::atomic::Ordering;

use parking_lot::Mutex;
use redis::cluster_routing::ResponsePolicy;
use redis::{Cmd, RedisError, Value};

use super::Link;
use crate::edge::cache::redis::keys;

/// Gives the error of a node that takes no writes. That the key isn't one of its own is said where it would.
const WRITE_ANYWHERE: &str = "
local answer = redis.pcall('SET', ARGV[1], '', 'XX')
local why = type(answer) == 'table' and answer.err or ''
for _, refusal in ipairs({'OOM', 'READONLY', 'MISCONF', 'NOREPLICAS', 'CLUSTERDOWN', 'cluster is down'}) do
    if string.find(why, refusal, 1, true) then return answer end
end
return 'OK'";

impl Link {
    /// Asks whether Redis lives and takes writes. Of a cluster it is enough that one node answers: the sessions of the others go on
    /// without those of a node that is gone.
    pub(in super::super) async fn probe(&self) {
        if !self.is_one_server() {
            let answer = self.ask_all(redis::cmd("PING"), Some(ResponsePolicy::OneSucceeded)).await;
            return note(&self.failure, failure_of(&answer), "Redis doesn't answer", "Redis answers again");
        }
        let answer = self.run_raw(&write_of_nothing()).await;
        let refused = answer.as_ref().is_err_and(is_refusal);
        let why = failure_of(&answer);
        let (failure, refusal) = if refused { (None, why) } else { (why, None) };
        if failure.is_none() {
            note(&self.refusal, refusal, "Redis takes no writes", "Redis takes writes again");
        }
        note(&self.failure, failure, "Redis doesn't answer", "Redis answers again");
    }

    /// Asks whether a cluster takes writes: it is enough that one node does, as with its answers. Beside everything else, since a node
    /// that is gone takes its time.
    pub(in super::super) async fn probe_nodes(&self) {
        if self.is_cluster() {
            let answer = self.ask_all(write_of_nothing_anywhere(), None).await;
            note(&self.refusal, refusal_of_all(answer), "Redis takes no writes", "Redis takes writes again");
        }
    }

    /// What a command's answer says of Redis; of a cluster it says something of one node only.
    pub(in super::super) fn note(&self, answer: &Result<Value, RedisError>) {
        if !self.is_cluster() {
            note(&self.failure, failure_of(answer), "Redis doesn't answer", "Redis answers again");
        } else if let Err(error) = answer {
            tracing::debug!(%error, "a node of the cluster doesn't answer");
            self.stumbles.fetch_add(1, Ordering::Release);
        }
    }

    /// Why the last command failed, where it did.
    pub(in super::super) fn failure(&self) -> Option<String> {
        self.failure.lock().clone()
    }

    /// Why it takes no writes, where it was asked and said so.
    pub(in super::super) fn refusal(&self) -> Option<String> {
        self.refusal.lock().clone()
    }
}

/// What is refused wherever writes are, and changes nothing: there is no such key, and none is made.
fn write_of_nothing() -> Cmd {
    let mut command = redis::cmd("SET");
    command.arg(keys::NOTHING).arg("").arg("XX");
    command
}

/// The same for whichever node gets it: that has the slot of another key, or none.
fn write_of_nothing_anywhere() -> Cmd {
    let mut command = redis::cmd("EVAL");
    command.arg(WRITE_ANYWHERE).arg(0).arg(keys::NOTHING);
    command
}

fn is_refusal(error: &RedisError) -> bool {
    !(error.is_io_error() || error.is_connection_dropped() || error.is_connection_refusal())
}

/// Why no node of a cluster takes writes; `None` where one does, or isn't reached.
fn refusal_of_all(answer: Result<Value, RedisError>) -> Option<String> {
    let Ok(Value::Map(nodes)) = answer else { return None };
    let refusals: Option<Vec<_>> = nodes.into_iter().map(|(_, said)| said.extract_error().err()).collect();
    refusals?.pop().map(|refusal| refusal.to_string())
}

fn failure_of(answer: &Result<Value, RedisError>) -> Option<String> {
    answer.as_ref().err().map(ToString::to_string)
}

/// Keeps what is known, and says so where it changes.
fn note(known: &Mutex<Option<String>>, found: Option<String>, begins: &str, is_over: &str) {
    let mut known = known.lock();
    match (&*known, &found) {
        (None, Some(why)) => tracing::warn!(why, "{begins}"),
        (Some(_), None) => tracing::info!("{is_over}"),
        (Some(_), Some(_)) | (None, None) => {}
    }
    *known = found;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cluster_takes_no_writes_where_none_of_its_nodes_does() {
        let refuses = || {
            let why = redis::parse_redis_value(b"-OOM command not allowed\r\n").unwrap();
            assert!(matches!(why, Value::ServerError(_)), "{why:?}");
            (Value::Nil, why)
        };
        let takes = || (Value::Nil, Value::Okay);
        let refusal = |nodes| refusal_of_all(Ok(Value::Map(nodes)));
        assert!(refusal(vec![refuses(), refuses()]).unwrap().contains("command not allowed"));
        assert_eq!(refusal(vec![refuses(), takes()]), None);
        assert_eq!(refusal(vec![takes()]), None);
        assert_eq!(refusal_of_all(Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into())), None);
    }
}
