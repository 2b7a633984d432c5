//! Arguments, configuration, run, exit code: 0 when all went well, 1 when the service couldn't do its work, 2 when it was
//! asked for in a way that can't work.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use clap::{Parser, Subcommand};
use tributary::config::{AuthMode, Config, ConfigArgs, ConfigError, Log, without_credentials};
use tributary::demo::DemoArgs;
use tributary::edge::auth::{new_api_key, random_bytes};
use tributary::edge::telemetry;
use tributary::lifecycle::Shutdown;
use tributary::simulate::SimulateArgs;

/// Least memory a connection of those that were measured (docs/decisions/0002).
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// How long threads may still block after all work has ended.
const LAST_GRACE: Duration = Duration::from_secs(1);

/// Streaming aggregation for multi-agent systems: many agents in, one ordered, replayable stream out.
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// A TOML file with the keys that differ from the built-in defaults
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Address and port, such as 127.0.0.1:8080; goes before everything else
    #[arg(long, global = true, value_name = "ADDR")]
    listen: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
enum Command {
    /// Run the service (what happens without a command)
    Serve,
    /// Run the service together with a planner, subagents and a reader that play a plan
    Demo {
        /// Leave the service running at the end, until Ctrl-C
        #[arg(long)]
        keep: bool,
        /// Play ten times as fast
        #[arg(long)]
        fast: bool,
    },
    /// Validate the configuration and reach every dependency, then exit
    Check {
        /// Only validate: reach nothing
        #[arg(long)]
        offline: bool,
    },
    /// Print every key of the configuration, as Markdown
    Config,
    /// Ask the running service whether it lives, without a token: for a container's health check
    Health {
        /// Where, if not at the configured address; without a path at /healthz
        #[arg(long, value_name = "URL")]
        url: Option<String>,
    },
    /// Print the description of the HTTP interface
    Openapi,
    /// Make an API key, and the hash of it for the configuration
    Key,
    /// Bring the archive's tables up to date
    Migrate,
    /// Run subagents that behave as they are told, for tests and demonstrations
    Simulate {
        /// How they behave: TOML or JSON, see docs/simulator.md
        #[arg(long, value_name = "FILE")]
        script: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let command = arguments.command.unwrap_or(Command::Serve);
    let free_port = arguments.listen.is_none();
    if let Command::Simulate { script } = command {
        // No part of the service: its configuration has no say.
        let args = SimulateArgs { listen: arguments.listen, script };
        return ended(run(0, tributary::simulate::run(args)));
    }
    if command == Command::Key {
        return ended(key());
    }
    if command == Command::Config {
        return ended(say(&tributary::config::reference()));
    }
    let config = match Config::load(&ConfigArgs { file: arguments.config, listen: arguments.listen }) {
        Ok(config) => config,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let done = match command {
        Command::Serve => serve(config),
        Command::Check { offline } => check(&config, offline),
        Command::Health { url } => {
            run(1, async { say(&tributary::health::ask(&config, url.as_deref()).await?) })
        }
        Command::Migrate => migrate(&config),
        Command::Demo { keep, fast } => demo(config, DemoArgs { free_port, keep, fast }),
        Command::Openapi => say(&tributary::edge::http::openapi::pretty()),
        Command::Simulate { .. } | Command::Key | Command::Config => {
            unreachable!("it has run without a configuration")
        }
    };
    ended(done)
}

fn ended(done: anyhow::Result<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Whatever it quotes: an address of the configuration may hold a password.
            eprintln!("error: {}", without_credentials(&format!("{error:#}")));
            // Some keys can only be held against what others name, such as prompts.
            if error.is::<ConfigError>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

fn serve(config: Config) -> anyhow::Result<()> {
    telemetry::init(&config.log);
    let drain_window = Duration::from_millis(config.server.drain_window_ms);
    run(config.server.worker_threads, async {
        let shutdown = Shutdown::on_signals(drain_window).context("can't listen for signals")?;
        let running = tokio::select! {
            biased;
            // A start may wait for a database, or read much of it. Nobody is served yet: there is nothing to finish.
            () = shutdown.soft.cancelled() => return Ok(()),
            running = tributary::bootstrap::start(config, None) => running?,
        };
        running.run_until(shutdown).await
    })
}

fn key() -> anyhow::Result<()> {
    let (key, hash) = new_api_key(random_bytes()?);
    say(&format!("key   {key}\nhash  {hash}\n"))?;
    say("The key is for the caller and is shown this once; the hash is for `[auth.keys.<name>]`.")
}

/// Standard error is for what goes wrong: the demo tells the rest itself, that a subagent of its plan fails as well.
fn demo(config: Config, args: DemoArgs) -> anyhow::Result<()> {
    let open = config.auth.mode == AuthMode::None;
    anyhow::ensure!(open, "the demo's planner and subagents don't sign in: run it with auth.mode = \"none\"");
    telemetry::init(&Log { level: "warn,tributary::engine::telemetry=error".into(), ..config.log.clone() });
    run(config.server.worker_threads, tributary::demo::run(args, config))
}

/// Runs `work` to its end on threads of its own.
fn run(worker_threads: usize, work: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    if worker_threads > 0 {
        builder.worker_threads(worker_threads);
    }
    let runtime = builder.enable_all().thread_name("tributary").build().context("can't start threads")?;
    let done = runtime.block_on(work);
    runtime.shutdown_timeout(LAST_GRACE);
    done
}

/// Loading has validated the configuration; the files that it names are read now, and unless `offline` the rest is reached.
fn check(config: &Config, offline: bool) -> anyhow::Result<()> {
    let warnings = config.warnings().into_iter().chain(tributary::bootstrap::check_files(config));
    for warning in warnings.chain(telemetry::ignored()) {
        say(&format!("warning: {warning}"))?;
    }
    run(1, async {
        tributary::bootstrap::check_tls(&config.server)?;
        tributary::bootstrap::check_access(config, offline).await?;
        for warning in tributary::bootstrap::check_telemetry(config)? {
            say(&format!("warning: {warning}"))?;
        }
        tributary::bootstrap::check_calls(config)?;
        tributary::bootstrap::check_synthesis(config)?;
        tributary::bootstrap::check_archive(config)?;
        tributary::bootstrap::check_store(config)?;
        say("the configuration is valid")?;
        if offline {
            return Ok(());
        }
        let mut missing = Vec::new();
        for dependency in tributary::dependencies::reach(config).await {
            let name = dependency.name;
            match dependency.found {
                Ok(found) => say(&format!("{name}: {found}"))?,
                Err(why) => {
                    say(&format!("{name}: {why}"))?;
                    missing.push(name);
                }
            }
        }
        anyhow::ensure!(missing.is_empty(), "can't be used: {}", missing.join(", "));
        Ok(())
    })
}

fn migrate(config: &Config) -> anyhow::Result<()> {
    telemetry::init(&config.log);
    run(1, async { say(&tributary::bootstrap::migrate(config).await?) })
}

/// To standard output; a reader that has gone away is an error, not a panic.
fn say(line: &str) -> anyhow::Result<()> {
    writeln!(std::io::stdout(), "{line}").context("can't write to standard output")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn options_stand_before_or_after_the_command() {
        Arguments::command().debug_assert();
        for line in [["tributary", "--listen", "a", "check"], ["tributary", "check", "--listen", "a"]] {
            let arguments = Arguments::parse_from(line);
            assert_eq!(
                (arguments.command, arguments.listen.as_deref()),
                (Some(Command::Check { offline: false }), Some("a"))
            );
        }
        assert_eq!(Arguments::parse_from(["tributary"]).command, None);
    }
}
