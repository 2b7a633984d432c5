//! Who has the file of a SQLite archive.
//!
//! Processes that keep their sessions in their own memory give the same sequences to different entries: on one archive each takes the
//! other's for a branch that was left, and what was acknowledged is no longer part of any log. So the first has the file to
//! itself, by a lock that ends with the process, however it ends. Replicas that share a log may share it.
//!
//! What is locked is a file beside the database, `<database>.lock`: to close the database itself once more would let go of
//! SQLite's own locks. It stays when it isn't held: taken away, it could be held twice.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use crate::engine::ports::archive::ArchiveError;

/// Whom a process lets have the same archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Company {
    /// Nobody: its log is its own.
    Nobody,
    /// Those with which it shares a log.
    Replicas,
}

/// The lock of one database.
#[derive(Debug)]
pub(super) struct HeldFile {
    database: PathBuf,
    held: Mutex<Option<File>>,
}

impl HeldFile {
    pub(super) fn new(database: &Path) -> Self {
        Self { database: database.to_owned(), held: Mutex::default() }
    }

    /// Takes the lock, unless it has it already. Doesn't wait.
    pub(super) fn hold(&self, company: Company) -> Result<(), ArchiveError> {
        let mut held = self.held.lock();
        if held.is_some() {
            return Ok(());
        }
        let path = self.path();
        let unfit = |does: &'static str| {
            let name = path.display();
            move |error| ArchiveError::Unavailable(format!("{name} can't be {does}: {error}"))
        };
        let mut options = OpenOptions::new();
        let file = options.create(true).truncate(false).write(true).open(&path).map_err(unfit("opened"))?;
        let locked = match company {
            Company::Nobody => file.try_lock(),
            Company::Replicas => file.try_lock_shared(),
        };
        match locked {
            Ok(()) => *held = Some(file),
            Err(TryLockError::WouldBlock) => return Err(ArchiveError::Unavailable(self.taken(&path))),
            Err(TryLockError::Error(error)) => return Err(unfit("locked")(error)),
        }
        Ok(())
    }

    /// Whether some process has it just now. Leaves no trace.
    pub(super) fn is_held(&self) -> bool {
        let there = OpenOptions::new().write(true).open(self.path());
        there.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }

    pub(super) fn let_go(&self) {
        *self.held.lock() = None;
    }

    /// One database has one lock, by whatever name it is reached.
    fn path(&self) -> PathBuf {
        let mut path =
            self.database.canonicalize().unwrap_or_else(|_| self.database.clone()).into_os_string();
        path.push(".lock");
        path.into()
    }

    fn taken(&self, lock: &Path) -> String {
        format!(
            "another process has {} (its lock is {}): a file is for one service with sessions in memory; stop the other one, \
             give each a file of its own, or let several share Redis and PostgreSQL",
            self.database.display(),
            lock.display()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Company::{Nobody, Replicas};
    use super::*;

    #[test]
    fn one_alone_or_several_that_share_a_log() {
        let folder = std::env::temp_dir().join(format!("tributary-{:016x}", fastrand::u64(..)));
        std::fs::create_dir(&folder).unwrap();
        let database = folder.join("x.db");
        let fresh = || HeldFile::new(&database);
        let (first, second) = (fresh(), fresh());
        assert!(!first.is_held(), "nobody was there");
        first.hold(Nobody).unwrap();
        first.hold(Nobody).unwrap();
        for company in [Nobody, Replicas] {
            let refused = second.hold(company).unwrap_err().to_string();
            assert!(refused.contains("another process has") && refused.contains("x.db.lock"), "{refused}");
        }
        assert!(second.is_held());
        // By another name it is the same.
        std::fs::write(&database, "").unwrap();
        std::os::unix::fs::symlink(&database, folder.join("y.db")).unwrap();
        assert!(HeldFile::new(&folder.join("y.db")).hold(Nobody).is_err());
        first.let_go();
        assert!(!second.is_held());

        second.hold(Replicas).unwrap();
        let third = fresh();
        third.hold(Replicas).unwrap();
        assert!(first.hold(Nobody).is_err() && first.is_held());
        drop((second, third));
        first.hold(Nobody).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(fresh().hold(Nobody).unwrap_err().to_string().contains("No such file"));
    }
}
