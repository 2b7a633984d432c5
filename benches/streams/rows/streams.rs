//! Many streams with one reader each: in memory and through Redis.

use anyhow::Result;

use crate::figures::Finding;
use crate::loads::streams::measure;
use crate::scale::Scale;
use crate::servers::{Kind, Servers};

pub fn run(servers: &Servers, kind: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    measure(servers.start(kind)?.as_ref(), scale)
}

/// The same, each event in Redis before it is acknowledged.
pub fn run_redis(servers: &Servers, kind: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    measure(&servers.start_with_redis(kind)?, scale)
}
