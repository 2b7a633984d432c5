//! What strangers try: requests inside requests, heads and bodies without end, floods of frames, bodies that grow. And what
//! must stay inside: secrets.

mod answers;
mod attacker;
mod floods;
mod secrets;
mod slow;
mod smuggling;

use std::io::ErrorKind;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::harness::{Client, within};

/// What comes back for these bytes until the service closes the connection, which it must.
async fn said_to(client: Client, bytes: &[u8]) -> String {
    let mut socket = client.connect().await;
    // The service may have refused, and closed, before all is written.
    let _ = socket.write_all(bytes).await;
    let mut said = Vec::new();
    let what =
        format!("the connection to be closed after \"{}\"", bytes[..bytes.len().min(300)].escape_ascii());
    match within(what, socket.read_to_end(&mut said)).await {
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        Err(error) => panic!("{error}"),
    }
    String::from_utf8_lossy(&said).into_owned()
}

/// The status of each answer.
fn statuses(said: &str) -> Vec<&str> {
    said.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect()
}
