//! The scripts that Redis runs: each is one atomic step on one session's keys.

use redis::Script as Library;

/// A script and its name.
pub(super) struct Script {
    source: String,
    sha1: String,
}

impl Script {
    fn new(text: &str) -> Self {
        let source = [include_str!("common.lua"), text].concat();
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
    pub(super) snapshot: Script,
    pub(super) note_late: Script,
    pub(super) claim: Script,
}

impl Default for Scripts {
    fn default() -> Self {
        Self {
            append: Script::new(include_str!("append.lua")),
            load: Script::new(include_str!("load.lua")),
            forget: Script::new(include_str!("forget.lua")),
            archived: Script::new(include_str!("archived.lua")),
            restore: Script::new(include_str!("restore.lua")),
            rotate: Script::new(include_str!("rotate.lua")),
            snapshot: Script::new(include_str!("snapshot.lua")),
            note_late: Script::new(include_str!("note_late.lua")),
            claim: Script::new(include_str!("claim.lua")),
        }
    }
}
