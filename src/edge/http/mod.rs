//! HTTP: connections, routes, problem documents.

pub mod problem;
pub mod serve;
