//! A headless Chromium that opens a page, and somebody who hears every request that the page makes.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use crate::harness::{Folder, within};

/// Tells of whatever would stop the page and ask somebody, of links that lead elsewhere than to a site, and of the end.
const TELLTALE: &str = "<script>
const tell = (what) => { new Image().src = '/told/' + what }
for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) window[name] = () => tell(name)
addEventListener('load', () => {
  for (const link of document.links) if (!['http:', 'https:'].includes(link.protocol)) tell('link/' + link.protocol)
  tell('loaded')
})
</script>";

/// Serves one page, at every path that ends in `/page`, and takes note of every other request.
pub struct Trap {
    /// Where it listens.
    pub address: SocketAddr,
    page: Arc<Mutex<String>>,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Trap {
    /// With nothing to serve so far.
    pub fn set() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let trap =
            Self { address: listener.local_addr().unwrap(), page: Arc::default(), heard: Arc::default() };
        let (page, heard) = (trap.page.clone(), trap.heard.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (page, heard) = (page.clone(), heard.clone());
                // A browser opens connections that it doesn't use.
                std::thread::spawn(move || answer(stream, &page, &heard));
            }
        });
        trap
    }

    /// What the trap's page asks for when it is opened in Chromium: without any policy of ours, so that only what it
    /// says itself can keep it quiet. Returns the page as Chromium understood it, too.
    pub async fn open(&self, page: &str) -> (Vec<String>, String) {
        let head = page.find("<head>").map_or(0, |at| at + "<head>".len());
        *self.page.lock().unwrap() = format!("{}{TELLTALE}{}", &page[..head], &page[head..]);
        self.heard.lock().unwrap().clear();
        let seen = dump(&format!("http://{}/page", self.address)).await;
        (self.heard(), seen)
    }

    /// What was asked for, beside pages.
    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }
}

fn answer(mut stream: TcpStream, page: &Mutex<String>, heard: &Mutex<Vec<String>>) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    lines.by_ref().find(String::is_empty);
    let body = if path.ends_with("/page") { page.lock().unwrap().clone() } else { String::new() };
    if !path.ends_with("/page") && path != "/favicon.ico" {
        heard.lock().unwrap().push(path);
    }
    let length = body.len();
    let _ = write!(
        stream,
        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {length}\r\n\r\n{body}"
    );
}

/// The page at `url` as Chromium has it after it was loaded, serialised.
pub async fn dump(url: &str) -> String {
    let profile = Folder::new();
    let mut command = Command::new("chromium");
    // As root, without a screen, and without a word to any other host.
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]);
    command.args(["--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    command.args(["--disable-dev-shm-usage", "--disable-extensions", "--virtual-time-budget=5000"]);
    command.args(["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "--dump-dom"]);
    command.arg(format!("--user-data-dir={}", profile.0.display())).arg(url);
    command.stdin(Stdio::null()).stderr(Stdio::null()).process_group(0);
    let run = move || {
        command
            .output()
            .unwrap_or_else(|error| panic!("chromium: {error}; run scripts/test, which installs it"))
    };
    let output = within("chromium to load a page", tokio::task::spawn_blocking(run)).await.unwrap();
    drop(profile);
    String::from_utf8_lossy(&output.stdout).into_owned()
}
