//! Several replicas on one Redis.
