//! Stopping early without leaving servers behind.
//!
//! A signal's default ends the benchmark at once, and what it started would run on. Here it only sets a flag, which
//! every loop looks at: the run fails, its server ends with it, and no further row begins.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, ensure};
use tokio::signal::unix::{SignalKind, signal};

static ASKED_TO_STOP: AtomicBool = AtomicBool::new(false);

/// Listens for SIGINT and SIGTERM on a thread of its own.
pub fn listen() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    let runtime = runtime.context("listening for signals")?;
    let (mut interrupt, mut terminate) = {
        let _inside = runtime.enter();
        let listen = |kind| signal(kind).context("listening for signals");
        (listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?)
    };
    std::thread::spawn(move || {
        runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        });
        ASKED_TO_STOP.store(true, Ordering::Relaxed);
    });
    Ok(())
}

/// Whether a signal came.
pub fn asked_to_stop() -> bool {
    ASKED_TO_STOP.load(Ordering::Relaxed)
}

/// Fails once a signal came.
pub fn check() -> Result<()> {
    ensure!(!asked_to_stop(), "asked to stop");
    Ok(())
}
