//! The scripts that Redis runs: each is one atomic step on one session's keys.

use redis::Script as Library;

use super::RedisSettings;
use super::meta::FORMAT;

/// Bytes of missing entries that a conflict brings at most.
const MISSED_BYTES: usize = 256 * 1024;

/// A script and its name.
pub(super) struct Script {
    source: String,
    sha1: String,
}

impl Script {
    fn new(text: &str) -> Self {
        Self::with("", text)
    }

    /// A script that knows settings as constants: each argument less is a value less on its way into Lua, which costs
    /// more than most of what is done there. Replicas with the same settings share the script.
    fn with(constants: &str, text: &str) -> Self {
        let source = [constants, include_str!("common.lua"), text].concat();
        Self { sha1: Library::new(&source).get_hash().to_owned(), source }
    }

    pub(super) fn source(&self) -> &str {
        &self.source
    }

    pub(super) fn sha1(&self) -> &str {
        &self.sha1
    }
}

/// All of them, hashed once.
pub(super) struct Scripts {
    pub(super) append: Script,
    pub(super) load: Script,
    pub(super) forget: Script,
    pub(super) archived: Script,
    pub(super) restore: Script,
    pub(super) rotate: Script,
    pub(super) replace: Script,
    pub(super) snapshot: Script,
    pub(super) note_late: Script,
    pub(super) claim: Script,
    pub(super) give_back: Script,
}

impl Scripts {
    pub(super) fn new(settings: &RedisSettings) -> Self {
        let mut append = include_str!("append.lua").to_owned();
        if mutant!("redis-compares-nothing") {
            append = append.replace("if known[2] ~= epoch", "if false and known[2] ~= epoch");
        }
        Self {
            append: Script::with(&constants(settings), &append),
            load: Script::new(include_str!("load.lua")),
            forget: Script::new(include_str!("forget.lua")),
            archived: Script::new(include_str!("archived.lua")),
            restore: Script::new(include_str!("restore.lua")),
            rotate: Script::new(include_str!("rotate.lua")),
            replace: Script::new(include_str!("replace.lua")),
            snapshot: Script::new(include_str!("snapshot.lua")),
            note_late: Script::new(include_str!("note_late.lua")),
            claim: Script::new(include_str!("claim.lua")),
            give_back: Script::new(include_str!("give_back.lua")),
        }
    }
}

/// What `append.lua` knows of the settings.
fn constants(settings: &RedisSettings) -> String {
    let RedisSettings { ttl_ms, tombstone_ms, ring_entries, ring_bytes, ring_bytes_hard, is_gated, .. } =
        settings;
    let named = [
        format!("FORMAT, MISSED_MAX = {FORMAT}, {MISSED_BYTES}"),
        format!("TTL, QUARTER_TTL, TOMBSTONE = {ttl_ms}, {}, {tombstone_ms}", ttl_ms / 4),
        format!("ENTRIES_MAX, SLACK, BYTES_MAX = {ring_entries}, {}, {ring_bytes}", ring_entries / 64),
        format!("BYTES_HARD, IS_GATED = {ring_bytes_hard}, {is_gated}"),
    ];
    named.map(|line| format!("local {line}\n")).concat()
}
