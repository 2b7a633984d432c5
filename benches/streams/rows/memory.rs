//! What a reader who waits costs in memory.

use anyhow::Result;

use crate::figures::Finding;
use crate::loads::memory::measure;
use crate::scale::Scale;
use crate::servers::{Kind, Servers};

/// All readers on one stream.
pub fn run_one(servers: &Servers, kind: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    measure(servers.start(kind)?.as_ref(), scale, 1)
}

/// A stream for each reader.
pub fn run_each(servers: &Servers, kind: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    measure(servers.start(kind)?.as_ref(), scale, scale.idle)
}
