//! The service, as a user starts it, with a model behind it.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::cases::Case;
use crate::model_server::ModelServer;
use crate::process::Process;

/// A running `tributary serve`.
pub struct Service {
    pub process: Process,
    pub url: String,
    client: reqwest::Client,
}

impl Service {
    /// `variables` differ from the defaults; their names are without `TRIBUTARY_`.
    pub fn start(folder: &Path, variables: &[(&str, String)]) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("looking for a free port")?;
        let address: SocketAddr = listener.local_addr().context("reading a port")?;
        drop(listener);
        let mut command = Command::new(env!("CARGO_BIN_EXE_tributary"));
        command.args(["serve", "--listen", &address.to_string()]).current_dir(folder);
        command.envs(variables.iter().map(|(name, value)| (format!("TRIBUTARY_{name}"), value)));
        let mut process = Process::spawn(&mut command, &folder.join("tributary.log"))?;
        process.until(|| TcpStream::connect(address).is_ok()).context("starting tributary")?;
        let client = reqwest::Client::builder().no_proxy().build().context("a client")?;
        Ok(Self { process, url: format!("http://{address}"), client })
    }

    /// With this model, which is asked each time.
    pub fn written_by(folder: &Path, model: &ModelServer, more: &[(&str, String)]) -> Result<Self> {
        let mut variables = vec![
            ("SYNTHESIS__PROVIDER", "openai".to_owned()),
            ("SYNTHESIS__BASE_URL", model.url()),
            ("SYNTHESIS__MODEL", "scripted".to_owned()),
            ("SYNTHESIS__CACHE_SECONDS", "0".to_owned()),
        ];
        variables.extend_from_slice(more);
        Self::start(folder, &variables)
    }

    /// Posts a document, which must be taken.
    pub async fn post(&self, path: &str, body: &Value) -> Result<()> {
        let post = self.client.post(format!("{}{path}", self.url)).header("content-type", "application/json");
        let answer =
            post.body(body.to_string()).send().await.with_context(|| format!("posting to {path}"))?;
        let status = answer.status();
        let text = answer.text().await?;
        ensure!(status.is_success(), "{path}: {status}: {text}");
        Ok(())
    }

    /// Opens an event stream.
    pub async fn stream(&self, path: &str, body: Option<&str>) -> Result<reqwest::Response> {
        let url = format!("{}{path}", self.url);
        let request = match body {
            Some(body) => {
                self.client.post(url).header("content-type", "application/json").body(body.to_owned())
            }
            None => self.client.get(url),
        };
        let answer = request.header("accept", "text/event-stream").send().await?;
        ensure!(answer.status().is_success(), "{path}: {}", answer.status());
        Ok(answer)
    }
}

/// What the subagents brought, as a body of `POST /syntheses`.
pub fn body_of(case: &Case) -> Value {
    let result = |task: &tributary::domain::aggregate::input::TaskInput| json!({"task_id": task.task_id, "subagent": task.subagent, "success": true, "content": task.content});
    let results: Vec<Value> = case.tasks.iter().map(result).collect();
    json!({"query": case.query, "results": results, "options": {"mode": "llm"}})
}
