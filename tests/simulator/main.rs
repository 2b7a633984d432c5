//! The simulator as its callers meet it: through sockets, with a client that sees the bytes.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod client;
mod observing;
mod process;
mod trouble;

use tributary::simulate::Simulator;

async fn simulator() -> Simulator {
    Simulator::start("127.0.0.1:0".parse().unwrap()).await.unwrap()
}
