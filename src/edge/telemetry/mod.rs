//! What the service says about itself: its log, on standard error, and what goes out by [`otlp`].
//!
//! A JSON object a line for machines, text for a person at a terminal. `RUST_LOG` goes before `log.level`, so that a
//! running deployment can be looked into without touching its configuration.

pub mod otlp;
pub mod process;

use std::io::{self, IsTerminal};
use std::panic::PanicHookInfo;

use tracing_subscriber::EnvFilter;

use crate::config::{Log, LogFormat};

/// What of the environment has no effect on the log.
pub fn ignored() -> Option<String> {
    let (_, mistake) = filter("", rust_log());
    mistake.map(|mistake| format!("RUST_LOG is ignored: {mistake}"))
}

fn rust_log() -> Option<String> {
    std::env::var("RUST_LOG").ok()
}

/// Begins to log. A second call has no effect.
pub fn init(log: &Log) {
    let (filter, _) = filter(&log.level, rust_log());
    let terminal = io::stderr().is_terminal();
    let text = match log.format {
        LogFormat::Auto => terminal,
        LogFormat::Json => false,
        LogFormat::Text => true,
    };
    // Where nobody reads the lines any more, telling of that would fail as well, and panic.
    let lines =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).log_internal_errors(false);
    let begun = if text {
        let colours = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        lines.with_ansi(colours).try_init()
    } else {
        lines.json().flatten_event(true).with_current_span(false).with_span_list(false).try_init()
    };
    if begun.is_err() {
        return;
    }
    std::panic::set_hook(Box::new(tell_panic));
    if let Some(mistake) = ignored() {
        tracing::warn!("{mistake}");
    }
}

/// A panic as a line like any other. A text that was put together may quote what somebody sent: it is for `debug`.
fn tell_panic(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let message = panic.payload().downcast_ref::<&'static str>().copied().unwrap_or("see the place");
    tracing::error!(place, reason = message, "a task panicked");
    if let Some(text) = panic.payload().downcast_ref::<String>() {
        tracing::debug!(place, text, "what the panic said");
    }
}

/// The filter, and what is wrong with `RUST_LOG`.
fn filter(level: &str, rust_log: Option<String>) -> (EnvFilter, Option<String>) {
    let parse = |text: &str| EnvFilter::builder().parse(text);
    match rust_log.filter(|text| !text.trim().is_empty()).map(|text| parse(&text)) {
        Some(Ok(filter)) => (filter, None),
        Some(Err(error)) => (parse(level).unwrap_or_default(), Some(error.to_string())),
        None => (parse(level).unwrap_or_default(), None),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parking_lot::Mutex;

    use super::*;

    /// Keeps what is written.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_panic_is_a_line_that_quotes_nothing() {
        let lines = Lines::default();
        let written = lines.clone();
        let subscriber = tracing_subscriber::fmt().json().with_writer(move || lines.clone()).finish();
        let secret = String::from("hunter2");
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(tell_panic));
        tracing::subscriber::with_default(subscriber, || {
            let _ = std::panic::catch_unwind(|| panic!("it can't be"));
            let _ = std::panic::catch_unwind(|| panic!("{secret} can't be"));
        });
        std::panic::set_hook(before);
        let text = String::from_utf8(written.0.lock().clone()).unwrap();
        let lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let reasons: Vec<_> = lines.iter().map(|line| line["fields"]["reason"].as_str().unwrap()).collect();
        assert_eq!(reasons, ["it can't be", "see the place"]);
        assert!(lines.iter().all(|line| line["level"] == "ERROR"));
        assert!(lines[0]["fields"]["place"].as_str().unwrap().contains("telemetry/mod.rs"));
        assert!(!text.contains("hunter2"));
    }

    #[test]
    fn rust_log_goes_before_the_configured_level() {
        let log = Log { format: LogFormat::Auto, level: "warn".into() };
        let shown = |rust_log: Option<&str>| filter(&log.level, rust_log.map(str::to_owned)).0.to_string();
        assert_eq!(shown(None), "warn");
        assert_eq!(shown(Some("")), "warn");
        assert_eq!(shown(Some("info,hyper=debug")), "hyper=debug,info");
        assert_eq!(shown(Some("a=b=c")), "warn");
        assert!(filter(&log.level, Some("a=b=c".into())).1.is_some());
    }
}
