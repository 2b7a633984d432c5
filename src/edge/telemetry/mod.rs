//! What the service says about itself: for now its log, on standard error.
//!
//! A JSON object a line for machines, text for a person at a terminal. `RUST_LOG` goes before `log.level`, so that a
//! running deployment can be looked into without touching its configuration.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

use crate::config::{Log, LogFormat};

/// Begins to log. A second call has no effect.
pub fn init(log: &Log) {
    let (filter, mistake) = filter(log, std::env::var("RUST_LOG").ok());
    let terminal = io::stderr().is_terminal();
    let text = match log.format {
        LogFormat::Auto => terminal,
        LogFormat::Json => false,
        LogFormat::Text => true,
    };
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    let begun = if text {
        let colours = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        lines.with_ansi(colours).try_init()
    } else {
        lines.json().flatten_event(true).with_current_span(true).with_span_list(false).try_init()
    };
    if let (Ok(()), Some(mistake)) = (begun, mistake) {
        tracing::warn!("RUST_LOG is ignored: {mistake}");
    }
}

/// The filter, and what is wrong with `RUST_LOG`.
fn filter(log: &Log, rust_log: Option<String>) -> (EnvFilter, Option<String>) {
    let parse = |text: &str| EnvFilter::builder().parse(text);
    match rust_log.filter(|text| !text.trim().is_empty()).map(|text| parse(&text)) {
        Some(Ok(filter)) => (filter, None),
        Some(Err(error)) => (parse(&log.level).unwrap_or_default(), Some(error.to_string())),
        None => (parse(&log.level).unwrap_or_default(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_log_goes_before_the_configured_level() {
        let log = Log { format: LogFormat::Auto, level: "warn".into() };
        let shown = |rust_log: Option<&str>| filter(&log, rust_log.map(str::to_owned)).0.to_string();
        assert_eq!(shown(None), "warn");
        assert_eq!(shown(Some("")), "warn");
        assert_eq!(shown(Some("info,hyper=debug")), "hyper=debug,info");
        assert_eq!(shown(Some("a=b=c")), "warn");
        assert!(filter(&log, Some("a=b=c".into())).1.is_some());
    }
}
