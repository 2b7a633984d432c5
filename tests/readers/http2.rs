//! HTTP/2 and TLS, with hyper's client: many streams on one connection, with and without a certificate.

mod client;
mod greeting;
mod streams;
mod tls;

use client::{Body, Http2};
