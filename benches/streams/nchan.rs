//! The peer: nginx with nchan, from the Debian packages, configured for speed.
//!
//! Where it isn't installed, the two packages are unpacked below `target/` and run from there: a benchmark has no
//! business starting services on somebody's machine.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::process::Process;
use crate::redis::Redis;
use crate::server::{Begin, Server, answers, free_address, post, subdirectory, takes};

/// A running nginx with nchan.
pub struct Nchan {
    address: SocketAddr,
    process: Process,
}

/// Where nginx and the module are.
pub struct Installed {
    nginx: PathBuf,
    module: PathBuf,
    /// Versions of both, for the report.
    pub version: String,
}

/// Finds nginx and nchan, or unpacks them into `directory`.
pub fn install(directory: &Path) -> Result<Installed> {
    if let Ok(found) = find(Path::new("/")) {
        return Ok(found);
    }
    let root = subdirectory(directory, "nchan-packages")?;
    if let Ok(found) = find(&root) {
        return Ok(found);
    }
    let run = |program: &str, arguments: &[&str]| -> Result<()> {
        let output = Command::new(program).args(arguments).current_dir(&root).output();
        let output = output.with_context(|| format!("running {program}"))?;
        ensure!(
            output.status.success(),
            "{program} {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(())
    };
    let download = || run("apt-get", &["download", "nginx", "libnginx-mod-nchan"]);
    if download().is_err() {
        // Package lists may be missing on a fresh machine; only root may fetch them.
        run("apt-get", &["update"])?;
        download()?;
    }
    for entry in fs::read_dir(&root).context("listing packages")?.flatten() {
        if let Some(name) = entry.file_name().to_str().filter(|name| name.ends_with(".deb")) {
            run("dpkg-deb", &["--extract", name, "."])?;
        }
    }
    find(&root)
}

fn find(root: &Path) -> Result<Installed> {
    let nginx = root.join("usr/sbin/nginx");
    let module = root.join("usr/lib/nginx/modules/ngx_nchan_module.so");
    ensure!(nginx.exists() && module.exists(), "nginx or its nchan module isn't there");
    let output = Command::new(&nginx).arg("-v").output().context("running nginx -v")?;
    ensure!(output.status.success(), "nginx doesn't run: {}", String::from_utf8_lossy(&output.stderr));
    let nginx_version =
        String::from_utf8_lossy(&output.stderr).trim().replace("nginx version: nginx/", "nginx ");
    Ok(Installed { nginx, module, version: format!("{nginx_version}, nchan {}", module_version(root)) })
}

/// The module doesn't tell its version, its package does: the unpacked file's name, or the package manager.
fn module_version(root: &Path) -> String {
    let names = fs::read_dir(root)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok());
    let unpacked = names
        .filter(|name| name.starts_with("libnginx-mod-nchan_"))
        .find_map(|name| name.split('_').nth(1).map(str::to_owned));
    let installed = || {
        let output = Command::new("dpkg-query")
            .args(["-W", "-f", "${Version}", "libnginx-mod-nchan"])
            .output()
            .ok()?;
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    unpacked.map(|version| version.replace("%3a", ":")).or_else(installed).unwrap_or_default()
}

impl Nchan {
    pub fn start(
        installed: &Installed,
        workers: usize,
        redis: Option<&Redis>,
        directory: &Path,
    ) -> Result<Self> {
        let prefix = subdirectory(directory, "nginx")?;
        // nchan's own locations make nginx look for the package's directories, whatever the configuration says.
        fs::create_dir_all("/var/lib/nginx").context("nginx with nchan needs a directory /var/lib/nginx")?;
        let mut last = None;
        for _ in 0..3 {
            // Another program may take the port between looking and listening.
            let address = free_address()?;
            let file = prefix.join("nginx.conf");
            fs::write(&file, configuration(installed, address, workers, redis))
                .context("writing nginx.conf")?;
            let mut command = Command::new(&installed.nginx);
            command.arg("-p").arg(&prefix).arg("-c").arg(&file).args(["-e", "error.log"]);
            let mut process = Process::spawn(&mut command, &prefix.join("nginx.log"))?;
            // With Redis it refuses everybody until it has found its way there.
            let publish = post(address, "/publish/ready", "text/plain", "ready");
            let ready = || answers(address, "/healthz") && (redis.is_none() || takes(address, &publish));
            match process.until(ready) {
                Ok(()) => return Ok(Self { address, process }),
                Err(error) => last = Some(error),
            }
        }
        match last {
            Some(error) => Err(error.context("starting nginx")),
            None => bail!("nginx wasn't tried"),
        }
    }
}

/// Memory storage, no access log, no buffering of what must go out, limits out of the way.
fn configuration(
    installed: &Installed,
    address: SocketAddr,
    workers: usize,
    redis: Option<&Redis>,
) -> String {
    let user = if rustix::process::geteuid().is_root() { "user root;" } else { "" };
    let module = installed.module.display();
    let upstream = redis.map_or_else(String::new, |redis| {
        format!("upstream store {{ nchan_redis_server {}; }}", redis.url())
    });
    let store = if redis.is_some() { "nchan_redis_pass store;" } else { "" };
    format!(
        r#"daemon off; {user} worker_processes {workers}; worker_rlimit_nofile 20000; pid nginx.pid;
load_module {module};
events {{ worker_connections 16000; multi_accept on; }}
http {{
  access_log off; tcp_nodelay on; keepalive_timeout 1h; keepalive_requests 1000000000; server_tokens off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  nchan_shared_memory_size 2048m;
  nchan_message_buffer_length 10000; nchan_message_timeout 1h;
  {upstream}
  server {{
    listen {address} backlog=4096;
    location = /healthz {{ return 200; }}
    location ~ ^/publish/(.+)$ {{ nchan_publisher; {store} nchan_channel_id $1; }}
    location ~ ^/live/(.+)$ {{ nchan_subscriber eventsource; {store} nchan_channel_id $1; nchan_subscriber_first_message newest; nchan_subscriber_timeout 0; }}
    location ~ ^/oldest/(.+)$ {{ nchan_subscriber eventsource; {store} nchan_channel_id $1; nchan_subscriber_first_message oldest; nchan_subscriber_timeout 0; }}
  }}
}}
"#
    )
}

impl Server for Nchan {
    fn address(&self) -> SocketAddr {
        self.address
    }

    fn process(&self) -> &Process {
        &self.process
    }

    /// A channel exists from its first message or reader on.
    fn create(&self, _stream: usize) -> Option<Vec<u8>> {
        None
    }

    fn publish(&self, stream: usize, body: &str) -> Vec<u8> {
        post(self.address, &format!("/publish/{stream}"), "application/json", body)
    }

    fn subscribe(&self, stream: usize, begin: Begin) -> Vec<u8> {
        let (address, location) = (self.address, if begin == Begin::Live { "live" } else { "oldest" });
        format!("GET /{location}/{stream} HTTP/1.1\r\nhost: {address}\r\naccept: text/event-stream\r\n\r\n")
            .into_bytes()
    }
}
