//! Everybody reconnects at once.

use anyhow::Result;

use crate::figures::Finding;
use crate::loads::replay::measure;
use crate::scale::Scale;
use crate::servers::{Kind, Servers};

pub fn run(servers: &Servers, kind: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    measure(servers.start(kind)?.as_ref(), scale)
}
