//! A peer as a process: on a free port of 127.0.0.1, ended by its own id.

use std::io::{BufRead, BufReader, Read};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tokio::sync::mpsc::{self, UnboundedReceiver};

use crate::harness::{Client, within};

const ADVICE: &str = "run scripts/test, which installs what the peers need";

/// A server of somebody else.
pub struct Peer {
    /// Where it listens.
    pub address: SocketAddr,
    child: Child,
    folder: Option<PathBuf>,
}

impl Peer {
    /// A server of this folder, with the packages that `package` stands for.
    pub async fn node(server: &str, package: &str) -> Self {
        let modules = installed(&format!("node_modules/{package}"));
        // Node looks for packages beside the file and in the folders above it.
        let peers = modules.ancestors().find(|folder| folder.ends_with("peers")).unwrap();
        let folder = copied(peers);
        let mut command = Command::new("node");
        command
            .arg(folder.join(server))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit());
        let mut child = started(command);
        let said = follow(child.stdout.take().unwrap());
        Self::listening(child, said, "{\"port\":", Some(folder)).await
    }

    /// PyPI's llmock.
    pub async fn llmock() -> Self {
        let mut command = Command::new(installed("venv/bin/llmock"));
        command.args(["serve", "--host", "127.0.0.1", "--port", "0"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = started(command);
        let said = follow(child.stderr.take().unwrap());
        Self::listening(child, said, "Uvicorn running on http://127.0.0.1:", None).await
    }

    /// Once it has said its port, after `before`.
    async fn listening(
        child: Child,
        mut said: UnboundedReceiver<String>,
        before: &str,
        folder: Option<PathBuf>,
    ) -> Self {
        let mut peer = Self { address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), child, folder };
        let mut lines = Vec::new();
        let port = within("the port of a peer", async {
            while let Some(line) = said.recv().await {
                if let Some((_, port)) = line.split_once(before) {
                    return port.chars().take_while(char::is_ascii_digit).collect::<String>();
                }
                lines.push(line);
            }
            panic!("the peer ended before it listened; {ADVICE}: {}", lines.join("\n"));
        });
        let port = port.await.parse().unwrap();
        peer.address.set_port(port);
        peer
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn client(&self) -> Client {
        Client::new(self.address)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(folder) = &self.folder {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

fn started(mut command: Command) -> Child {
    let started = command.spawn();
    started.unwrap_or_else(|error| panic!("{}: {error}; {ADVICE}", command.get_program().display()))
}

/// What scripts/test has put under the target directory.
fn installed(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("peers").join(name);
    assert!(path.exists(), "{} is missing; {ADVICE}", path.display());
    path
}

/// The servers of this folder, in a new one under `peers`.
fn copied(peers: &Path) -> PathBuf {
    let folder = peers.join(format!("run-{}-{:x}", std::process::id(), fastrand::u64(..)));
    std::fs::create_dir(&folder).unwrap();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/invoke/peers");
    for name in
        ["a2a_0_3_server.mjs", "a2a_server.mjs", "aimock.fixtures.json", "aimock.mjs", "sse_server.mjs"]
    {
        std::fs::copy(own.join(name), folder.join(name)).unwrap();
    }
    folder
}

/// The lines of a process, read to the end so that it is never held up.
fn follow(output: impl Read + Send + 'static) -> UnboundedReceiver<String> {
    let (say, said) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let _ = say.send(line);
        }
    });
    said
}
