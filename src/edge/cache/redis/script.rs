//! The scripts that Redis runs: each is one atomic step on one session's keys.

use redis::Script as Library;

use super::RedisSettings;
use super::meta::FORMAT;
use crate::engine::ports::result_cache::reserve_of;

/// What an entry counts for besides its bytes: `Entry::weight`, less what surrounds the entry in its stream.
const WEIGHT: &str = "local ENTRY_WEIGHT = 284\n";
/// The end of all sequences: where what was deleted is left, and what stands where an older version looks for one.
const LAST: &str = "local LAST_SEQUENCE = '9007199254740991'\n";
const COMMON: &str = include_str!("common.lua");
const PLACE: &str = include_str!("place.lua");
/// Bytes of missing entries that a conflict brings at most.
const MISSED_BYTES: usize = 256 * 1024;

/// A script and its name.
pub(super) struct Script {
    source: String,
    sha1: String,
}

impl Script {
    /// A script of these parts, one after the other. All know the settings that they need as constants: each argument less is a
    /// value less on its way into Lua, which costs more than most of what is done there. Replicas with the same settings share the
    /// script.
    fn of(parts: &[&str]) -> Self {
        let source = parts.concat();
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
    pub(super) append_many: Script,
    pub(super) load: Script,
    pub(super) forget: Script,
    pub(super) mark_again: Script,
    pub(super) archived: Script,
    pub(super) restore: Script,
    pub(super) complete: Script,
    pub(super) add_latest: Script,
    pub(super) lacks_latest: Script,
    pub(super) rotate: Script,
    pub(super) replace: Script,
    pub(super) snapshot: Script,
    pub(super) since: Script,
    pub(super) note_late: Script,
    pub(super) claim: Script,
    pub(super) wake_by: Script,
    pub(super) wake_move: Script,
    pub(super) give_back: Script,
    pub(super) feedback_key: Script,
}

impl Scripts {
    pub(super) fn new(settings: &RedisSettings) -> Self {
        let mut append_any = include_str!("append_any.lua").to_owned();
        if mutant!("redis-compares-nothing") {
            append_any = append_any.replace("if known.where ~= where", "if false and known.where ~= where");
        }
        let format = format!("local FORMAT = {FORMAT}\n");
        let simple = |text: &str| Script::of(&[COMMON, text]);
        let of_a_place = |text: &str| Script::of(&[&format, WEIGHT, LAST, COMMON, PLACE, text]);
        let append = include_str!("append.lua");
        Self {
            append: Script::of(&[
                &format,
                WEIGHT,
                &constants(settings),
                append,
                LAST,
                COMMON,
                PLACE,
                &append_any,
            ]),
            append_many: Script::of(&[WEIGHT, &constants(settings), include_str!("append_many.lua")]),
            load: simple(include_str!("load.lua")),
            forget: Script::of(&[LAST, include_str!("forget.lua")]),
            mark_again: Script::of(&[LAST, include_str!("mark_again.lua")]),
            archived: of_a_place(include_str!("archived.lua")),
            restore: of_a_place(include_str!("restore.lua")),
            complete: of_a_place(include_str!("complete.lua")),
            add_latest: of_a_place(include_str!("add_latest.lua")),
            lacks_latest: of_a_place(include_str!("lacks_latest.lua")),
            rotate: of_a_place(include_str!("rotate.lua")),
            replace: of_a_place(include_str!("replace.lua")),
            snapshot: simple(include_str!("snapshot.lua")),
            since: simple(include_str!("since.lua")),
            note_late: simple(include_str!("note_late.lua")),
            claim: simple(include_str!("claim.lua")),
            wake_by: simple(include_str!("wake_by.lua")),
            wake_move: simple(include_str!("wake_move.lua")),
            give_back: simple(include_str!("give_back.lua")),
            feedback_key: Script::of(&[include_str!("feedback_key.lua")]),
        }
    }
}

/// What `append.lua` knows of the settings.
fn constants(settings: &RedisSettings) -> String {
    let RedisSettings { ttl_ms, tombstone_ms, ring_entries, ring_bytes, ring_bytes_hard, is_gated, .. } =
        settings;
    let slack = ring_entries / 64;
    let named = [
        format!("MISSED_MAX = {MISSED_BYTES}"),
        format!("TTL, QUARTER_TTL, TOMBSTONE = {ttl_ms}, {}, {tombstone_ms}", ttl_ms / 4),
        format!("ENTRIES_MAX, SLACK, BYTES_MAX = {ring_entries}, {slack}, {ring_bytes}"),
        format!("BYTES_HARD, BYTES_RESERVED = {ring_bytes_hard}, {}", reserve_of(*ring_bytes_hard)),
        format!("IS_GATED = {is_gated}"),
        // Up to here nothing is trimmed, nor waits for the archive.
        format!("ENTRIES_MOST, BYTES_MOST = {}, {}", ring_entries + slack, ring_bytes.min(ring_bytes_hard)),
    ];
    named.map(|line| format!("local {line}\n")).concat()
}
