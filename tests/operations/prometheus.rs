//! A real Prometheus with the configuration that is shipped, but for the target's address and how often it is asked.

use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use url::form_urlencoded::byte_serialize;

use crate::harness::{Client, Folder, eventually};
use crate::redis_server::free_port;

/// The project's root.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file of the project.
pub fn text(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap()
}

/// A running Prometheus, ended with its test.
pub struct Prometheus {
    child: Child,
    client: Client,
    folder: Folder,
}

impl Prometheus {
    /// Starts one and waits until it has scraped `target`.
    pub async fn scraping(target: SocketAddr) -> Self {
        let folder = Folder::new();
        configure(target, &folder.0);
        let port = free_port();
        let mut prometheus = Self {
            child: spawn(&folder.0, port),
            client: Client::new(([127, 0, 0, 1], port).into()),
            folder,
        };
        prometheus.answers().await;
        eventually("the service to be scraped", || async {
            let targets = prometheus.ask("/api/v1/targets?state=active").await.unwrap();
            let targets = targets["activeTargets"].as_array().unwrap();
            (!targets.is_empty() && targets.iter().all(|target| target["health"] == "up")).then_some(())
        })
        .await;
        prometheus
    }

    async fn answers(&mut self) {
        let (client, child, folder) = (self.client, &mut self.child, &self.folder.0);
        let address = client.address;
        eventually("Prometheus to be ready", || {
            let ended = child.try_wait().unwrap();
            let log = || std::fs::read_to_string(folder.join("log")).unwrap();
            assert!(ended.is_none(), "Prometheus ended: {}", log());
            async move {
                tokio::net::TcpStream::connect(address).await.ok()?;
                (client.get("/-/ready").send().await.status == 200).then_some(())
            }
        })
        .await;
    }

    /// The data of an answer of its API, or what is wrong with the question.
    async fn ask(&self, path: &str) -> Result<Value, String> {
        let mut answer = self.client.get(path).send().await.json();
        match answer["status"].as_str() {
            Some("success") => Ok(answer["data"].take()),
            _ => Err(answer["error"].to_string()),
        }
    }

    /// The series that a query gives now.
    pub async fn query(&self, query: &str) -> Result<Vec<Value>, String> {
        let query: String = byte_serialize(query.as_bytes()).collect();
        let mut data = self.ask(&format!("/api/v1/query?query={query}")).await?;
        let series: Result<Vec<Value>, _> = serde_json::from_value(data["result"].take());
        series.map_err(|error| format!("not a list of series: {error}"))
    }

    /// The rules as it read them, with what came of them.
    pub async fn rules(&self) -> Vec<Value> {
        let data = self.ask("/api/v1/rules").await.unwrap();
        let groups = data["groups"].as_array().unwrap();
        groups.iter().flat_map(|group| group["rules"].as_array().unwrap().clone()).collect()
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What is shipped, with another target and a key of our own, asked every second.
pub fn configure(target: SocketAddr, folder: &Path) {
    let mut configuration = text("config/prometheus/prometheus.yml");
    let key = folder.join("tributary.key");
    std::fs::write(&key, "trb_whatever").unwrap();
    for (ours, for_a_test) in [
        ("tributary:8080", target.to_string().as_str()),
        ("/run/prometheus/tributary.key", &key.display().to_string()),
        ("scrape_interval: 15s", "scrape_interval: 1s"),
        ("evaluation_interval: 15s", "evaluation_interval: 1s"),
    ] {
        assert_eq!(configuration.matches(ours).count(), 1, "{ours}");
        configuration = configuration.replace(ours, for_a_test);
    }
    std::fs::write(folder.join("prometheus.yml"), configuration).unwrap();
    std::fs::copy(root().join("config/prometheus/alerts.yml"), folder.join("alerts.yml")).unwrap();
}

fn spawn(folder: &Path, port: u16) -> Child {
    let path = |name: &str| -> PathBuf { folder.join(name) };
    let mut command = Command::new("prometheus");
    command.arg(format!("--config.file={}", path("prometheus.yml").display()));
    command.arg(format!("--storage.tsdb.path={}", path("data").display()));
    command.arg(format!("--web.listen-address=127.0.0.1:{port}"));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(path("log")).unwrap());
    command.spawn().expect("prometheus is installed (Debian: prometheus)")
}
