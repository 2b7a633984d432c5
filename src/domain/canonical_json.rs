//! Canonical JSON (RFC 8785), digests of it, and one-line JSON.
