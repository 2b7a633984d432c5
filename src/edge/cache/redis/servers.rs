//! Which servers Redis is made of, and what they tell of themselves: one that is another than before may have started with less, and one may
//! have been emptied.

use std::collections::HashMap;

use redis::Value;

use super::connection::{Link, store_error};
use super::value::text;
use crate::engine::ports::result_cache::StoreError;

/// A server as it tells of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Server {
    /// Another one after each start.
    pub(super) run_id: String,
    /// How often it was emptied since.
    pub(super) flushes: u64,
    /// Whether it is still reading its file: it hears subscriptions then, but what is lost can't be told yet.
    pub(super) is_loading: bool,
}

impl Server {
    /// Out of the answer to `INFO ALL`; `None` where it doesn't say who it is.
    pub(super) fn read(info: &str) -> Option<Self> {
        let said = |name: &str| info.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let calls = |command: &str| {
            let calls = said(command)?.split(',').next()?.strip_prefix("calls=")?;
            calls.parse::<u64>().ok()
        };
        let emptied = ["cmdstat_flushall:", "cmdstat_flushdb:"];
        Some(Self {
            run_id: said("run_id:")?.to_owned(),
            flushes: emptied.iter().filter_map(|command| calls(command)).sum(),
            is_loading: said("loading:").is_some_and(|loading| loading != "0"),
        })
    }
}

impl Link {
    /// What all servers tell of themselves; nothing where they are simulated.
    pub(super) async fn told_by_servers(&self) -> Result<Vec<Server>, StoreError> {
        if self.is_simulated() {
            return Ok(Vec::new());
        }
        let mut command = redis::cmd("INFO");
        command.arg("all");
        let answer = self.ask_all(command, None).await;
        self.note(&answer);
        let answer = answer.map_err(store_error)?;
        let told = if let Value::Map(nodes) = &answer {
            nodes.iter().map(|(_, info)| text(info)).collect()
        } else {
            vec![text(&answer)]
        };
        Ok(told.iter().filter_map(|info| Server::read(info)).collect())
    }
}

/// Servers that are remembered: each start of one is another.
const REMEMBERED: usize = 1_024;

/// Those that were met, and how often each had been emptied.
#[derive(Default)]
pub(super) struct Servers(HashMap<String, u64>);

impl Servers {
    /// Takes note of what they tell. Whether one of them may have lost something since.
    pub(super) fn note(&mut self, told: &[Server]) -> bool {
        let is_first = self.0.is_empty();
        if self.0.len() > REMEMBERED {
            self.0.retain(|known, _| told.iter().any(|server| server.run_id == *known));
        }
        let mut has_lost = false;
        for Server { run_id, flushes, .. } in told {
            let before = self.0.insert(run_id.clone(), *flushes);
            has_lost |= !is_first
                && before.is_none_or(|before| before < *flushes && !mutant!("emptied-redis-not-noticed"));
        }
        has_lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(run_id: &str, flushes: u64) -> Server {
        Server { run_id: run_id.to_owned(), flushes, is_loading: false }
    }

    #[test]
    fn another_server_and_an_emptied_one_may_have_lost_something() {
        let mut servers = Servers::default();
        for (told, has_lost) in [
            (vec![], false),
            (vec![server("a", 1), server("b", 0)], false),
            (vec![server("a", 1), server("b", 0)], false),
            // One of a cluster started anew.
            (vec![server("a", 1), server("c", 0)], true),
            (vec![server("c", 0), server("a", 1)], false),
            (vec![server("a", 1), server("c", 1)], true),
            // Its figures were reset.
            (vec![server("a", 0), server("c", 0)], false),
            (vec![server("a", 1)], true),
        ] {
            assert_eq!(servers.note(&told), has_lost, "{told:?}");
        }
        assert!((0..2 * REMEMBERED).all(|n| servers.note(&[server(&n.to_string(), 0)])));
        assert!(servers.0.len() <= REMEMBERED + 2);
    }

    #[test]
    fn server_says_which_one_it_is_and_how_often_it_was_emptied() {
        let info = "# Server\r\nredis_version:7.0.15\r\nrun_id:0af1\r\ntcp_port:6379\r\n# Persistence\r\nloading:0\r\nasync_loading:1\r\n";
        assert_eq!(Server::read(info), Some(server("0af1", 0)));
        let flushed = "cmdstat_flushall:calls=2,usec=65\r\ncmdstat_flushdb:calls=1,usec=3\r\ncmdstat_get:calls=9,usec=1\r\n";
        assert_eq!(Server::read(&format!("{info}{flushed}")), Some(server("0af1", 3)));
        let loading = Server::read(&info.replace("\nloading:0", "\nloading:1")).unwrap();
        assert!(loading.is_loading);
        assert_eq!(Server::read("# Server\r\n"), None);
    }
}
