//! The file of a SQLite archive: is it still the one that was opened?
//!
//! Where it is deleted or another takes its place, SQLite goes on writing into one that has no name any more, and that is gone with the
//! process. What isn't kept must not be taken for archived: nothing is written then, and the cache keeps it.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rustix::fs::{Access, access};

use crate::engine::ports::archive::ArchiveError;

/// What SQLite says of a file that isn't there and can't be made, and of one that it may not read.
const UNOPENED: &str = "unable to open database file";

/// A file by its name, and by what was there when it was looked at first.
#[derive(Debug)]
pub(super) struct OwnFile {
    path: PathBuf,
    opened: OnceLock<(u64, u64)>,
}

impl OwnFile {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), opened: OnceLock::new() }
    }

    /// Whether there is anything by the name.
    pub(super) fn is_there(&self) -> bool {
        self.path.exists()
    }

    /// Whether a file could be made by the name, which there is none of yet. Makes none.
    pub(super) fn check_folder(&self) -> Result<(), ArchiveError> {
        let folder = self.path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new("."));
        access(folder, Access::WRITE_OK | Access::EXEC_OK).map_err(|error| {
            let (name, folder) = (self.path.display(), folder.display());
            let why = std::io::Error::from(error);
            ArchiveError::Unavailable(format!(
                "{name} isn't there and can't be made, as the folder {folder} takes no files: {why}"
            ))
        })
    }

    /// SQLite doesn't say which file it can't open.
    pub(super) fn named(&self, error: ArchiveError) -> ArchiveError {
        let why = match error {
            ArchiveError::Unavailable(why) if why.contains(UNOPENED) => why,
            ArchiveError::Unavailable(_) | ArchiveError::Behind(_) | ArchiveError::Corrupt(_) => {
                return error;
            }
        };
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let missing = folder.filter(|folder| !folder.exists());
        let hint = missing.map(|folder| format!("; there is no folder {}", folder.display()));
        let name = self.path.display();
        ArchiveError::Unavailable(format!("{name}: {why}{}", hint.unwrap_or_default()))
    }

    /// Looks whether the name leads where it did at first. The database is open.
    pub(super) fn check(&self) -> Result<(), ArchiveError> {
        let name = self.path.display();
        let why = match std::fs::metadata(&self.path).map(|file| (file.dev(), file.ino())) {
            Ok(found) if *self.opened.get_or_init(|| found) == found => return Ok(()),
            Ok(_) => format!("{name} isn't the file that was opened: another one took its place"),
            Err(error) => format!("{name}, which was opened, isn't there any more: {error}"),
        };
        Err(ArchiveError::Unavailable(format!(
            "{why}; nothing is archived until it is back or the service was started anew"
        )))
    }
}
