//! A proxy as a process of its own, with its files in a folder of its own.

use std::net::SocketAddr;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tokio::net::{TcpSocket, TcpStream};

use crate::harness::{Client, Folder, TestApp, eventually};

/// A running proxy.
pub struct Proxy {
    process: Child,
    /// How a failing test calls it.
    pub name: &'static str,
    /// Its readers' side.
    pub client: Client,
    _folder: Folder,
}

impl Proxy {
    /// nginx in front of `app`.
    pub async fn nginx(app: &TestApp, timeout: &str) -> Self {
        let config = include_str!("nginx.conf.in").replace("@timeout@", timeout);
        Self::start("nginx", &config, app, nginx).await
    }

    /// The same with HTTP/1.0 to the service, which is nginx's default, and other directives.
    pub async fn nginx_over_http1_0(app: &TestApp, directives: &str) -> Self {
        let config = include_str!("nginx.conf.in").replace("@timeout@", "75s");
        let version = "proxy_http_version 1.1;";
        assert!(config.contains(version));
        Self::start("nginx-http1.0", &config.replace(version, directives), app, nginx).await
    }

    /// HAProxy in front of `app`.
    pub async fn haproxy(app: &TestApp, timeout: &str) -> Self {
        Self::haproxy_with("haproxy", app, timeout, "").await
    }

    /// The same, which speaks HTTP/2 to the service, and HTTP/1.1 for WebSockets.
    pub async fn haproxy_over_http2(app: &TestApp, timeout: &str) -> Self {
        Self::haproxy_with("haproxy-http2", app, timeout, "proto h2 ws h1").await
    }

    async fn haproxy_with(name: &'static str, app: &TestApp, timeout: &str, options: &str) -> Self {
        let config = include_str!("haproxy.cfg.in").replace("@options@", options);
        let config = config.replace("@timeout@", timeout);
        Self::start(name, &config, app, |file, _| {
            let mut command = Command::new("haproxy");
            command.args(["-db", "-f"]).arg(file);
            command
        })
        .await
    }

    async fn start(
        name: &'static str,
        config: &str,
        app: &TestApp,
        command: impl Fn(&Path, &Path) -> Command,
    ) -> Self {
        let folder = Folder::new();
        let address = free_address();
        let config = config.replace("@folder@", folder.0.to_str().unwrap());
        let config = config.replace("@listen@", &address.to_string());
        let file = folder.0.join("config");
        std::fs::write(&file, config.replace("@service@", &app.client().address.to_string())).unwrap();
        let mut command = command(&file, &folder.0);
        // In a group of its own, so that its workers end with it.
        let started = command.stdin(Stdio::null()).process_group(0).spawn();
        let advice = "run scripts/test, which installs what the readers need";
        let process = started.unwrap_or_else(|error| panic!("{name}: {error}; {advice}"));
        let mut proxy = Self { process, name, client: Client::new(address), _folder: folder };
        let listens = || {
            assert_eq!(proxy.process.try_wait().unwrap(), None, "{name} ended");
            async { TcpStream::connect(address).await.ok().map(drop) }
        };
        eventually(format!("{name} to listen"), listens).await;
        proxy
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let group = format!("-{}", self.process.id());
        let _ = Command::new("kill").args(["-s", "KILL", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.process.wait();
    }
}

fn nginx(file: &Path, folder: &Path) -> Command {
    let mut command = Command::new("nginx");
    command.arg("-p").arg(folder).arg("-c").arg(file);
    command
}

/// Nobody else is handed it while this process lives: it stays bound, and the proxies allow the reuse of addresses.
fn free_address() -> SocketAddr {
    let holder = TcpSocket::new_v4().unwrap();
    holder.set_reuseaddr(true).unwrap();
    holder.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let address = holder.local_addr().unwrap();
    std::mem::forget(holder);
    address
}
