//! Which servers the table compares, and how each is started.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};

use crate::nchan::Nchan;
use crate::redis::{Redis, WithRedis};
use crate::server::{Server, subdirectory};
use crate::tributary::Tributary;

/// Which server a run is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Tributary,
    Nchan,
    /// A thread that only writes: what the kernel alone costs.
    Floor,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Tributary => "tributary",
            Self::Nchan => "nchan",
            Self::Floor => "floor",
        }
    }
}

/// What is needed to start servers.
pub struct Servers {
    /// A directory for logs and configurations.
    pub directory: PathBuf,
    pub tributary: PathBuf,
    /// The peer, or why it is missing.
    pub nchan: Result<crate::nchan::Installed>,
    pub nchan_workers: usize,
}

/// The files of archives; each may be a gigabyte.
const ARCHIVES: &str = "archives";

impl Servers {
    /// Removes what servers of an earlier run left in its directory.
    pub fn forget_earlier_runs(&self) -> Result<()> {
        let archives = subdirectory(&self.directory, ARCHIVES)?;
        std::fs::remove_dir_all(&archives).with_context(|| format!("removing {}", archives.display()))
    }

    /// Starts a fresh server, so that no run inherits another's heap, streams or connections.
    pub fn start(&self, kind: Kind) -> Result<Box<dyn Server>> {
        self.start_on(kind, None)
    }

    /// The same with a fresh Redis to keep events in.
    pub fn start_with_redis(&self, kind: Kind) -> Result<WithRedis> {
        let redis = Redis::start(&self.directory)?;
        Ok(WithRedis { server: self.start_on(kind, Some(&redis))?, redis })
    }

    /// Tributary with an archive in a fresh SQLite file, and the file's URL.
    pub fn start_archiving(&self) -> Result<(Tributary, String)> {
        let folder = subdirectory(&self.directory, &format!("{ARCHIVES}/{:x}", fastrand::u64(..)))?;
        let url = format!("sqlite://{}", folder.join("archive.db").display());
        let variables = [("TRIBUTARY_ARCHIVE__URL", url.clone())];
        Ok((Tributary::start(&self.tributary, &variables, &self.directory)?, url))
    }

    /// Tributary with other settings than its defaults.
    pub fn start_with(&self, variables: &[(&str, String)]) -> Result<Tributary> {
        Tributary::start(&self.tributary, variables, &self.directory)
    }

    fn start_on(&self, kind: Kind, redis: Option<&Redis>) -> Result<Box<dyn Server>> {
        match kind {
            Kind::Tributary => Ok(Box::new(Tributary::start_on(&self.tributary, redis, &self.directory)?)),
            Kind::Nchan => {
                let installed =
                    self.nchan.as_ref().map_err(|error| anyhow!("nchan is missing: {error:#}"))?;
                Ok(Box::new(Nchan::start(installed, self.nchan_workers, redis, &self.directory)?))
            }
            Kind::Floor => bail!("the floor isn't a server"),
        }
    }
}
