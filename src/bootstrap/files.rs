//! How many files and sockets may be open at once, and what that leaves for callers.
//!
//! Whoever starts a process bounds them, a shell usually at 1,024: a thousand readers, and then nobody is answered, the probe that
//! asks whether it lives neither. So the process asks the system for what its configuration needs, and where it doesn't
//! get that, takes fewer connections than are configured.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::config::{Config, SynthesisProvider};

/// Beside callers and calls: posts to the orchestrator and withdrawals, the store's and the archive's connections, collectors, callers
/// who are turned away, and the runtime's own.
const OWN: u64 = 256;

/// What of that is needed for a process to be asked at all: 64 who are turned away, and what is open from the start.
const LEAST: u64 = 112;

/// How many connections of callers there may be.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) connections: usize,
    /// What to tell, where that is fewer than configured.
    pub(super) warning: Option<String>,
}

/// Asks the system for as many files as are needed, if it grants them.
pub(super) fn make_room(config: &Config) -> Room {
    let given = getrlimit(Resource::Nofile);
    let needed = callers(config) + beside(config);
    let possible = given.maximum.map_or(needed, |maximum| maximum.min(needed));
    let mut limit = given.current;
    if limit.is_some_and(|current| current < possible) {
        let asked = Rlimit { current: Some(possible), maximum: given.maximum };
        match setrlimit(Resource::Nofile, asked) {
            Ok(()) => limit = Some(possible),
            Err(error) => tracing::warn!(%error, "the limit of open files can't be raised"),
        }
    }
    room(callers(config), beside(config), limit)
}

/// What a start would say.
pub fn check(config: &Config) -> Option<String> {
    room(callers(config), beside(config), getrlimit(Resource::Nofile).maximum).warning
}

fn callers(config: &Config) -> u64 {
    config.server.connections_max as u64
}

/// A call has a socket each.
fn beside(config: &Config) -> u64 {
    let models = if config.synthesis.provider == SynthesisProvider::None { 0 } else { 3 };
    OWN + config.invoke.calls_max as u64 + models * config.synthesis.calls_max as u64
}

/// Callers don't go short for calls that may never be made: half of what there is is theirs. Nor does who is turned away, who may
/// be the probe that asks whether the process lives.
fn room(callers: u64, beside: u64, limit: Option<u64>) -> Room {
    let most = |limit: u64| (limit / 2).min(limit.saturating_sub(LEAST));
    let granted = limit.map_or(callers, |limit| limit.saturating_sub(beside).max(most(limit)).max(1));
    let connections = usize::try_from(granted.min(callers)).unwrap_or(usize::MAX);
    let warning = (granted < callers).then(|| {
        let (limit, needed) = (limit.unwrap_or_default(), callers + beside);
        format!(
            "server.connections_max is {callers}, but this process may have {limit} files open: it takes {connections} connections. \
             Let it have {needed} (`ulimit -Hn`, LimitNOFILE= of systemd), or lower server.connections_max"
        )
    });
    Room { connections, warning }
}

#[cfg(test)]
mod tests {
    use super::room;

    #[test]
    fn callers_get_what_the_limit_leaves_and_half_of_it_at_least() {
        for (limit, connections) in [
            (None, 10_000),
            (Some(12_000), 10_000),
            (Some(11_300), 10_000),
            (Some(11_299), 9_999),
            (Some(4_096), 2_796),
            (Some(1_024), 512),
            (Some(256), 128),
            (Some(140), 28),
            (Some(100), 1),
            (Some(1), 1),
        ] {
            let room = room(10_000, 1_300, limit);
            assert_eq!(room.connections, connections, "{limit:?}");
            assert_eq!(room.warning.is_some(), connections < 10_000, "{limit:?}");
        }
    }
}
