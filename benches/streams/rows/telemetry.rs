//! Traces of everything to a collector that takes connections and never answers: what that costs an event.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use anyhow::{Context, Result};

use crate::figures::Finding;
use crate::loads::streams;
use crate::scale::Scale;
use crate::server::Server;
use crate::servers::{Kind, Servers};

const CPU: &str = "CPU per published event";

pub fn run(servers: &Servers, _: Kind, scale: &Scale) -> Result<Vec<Finding>> {
    let off = measured(servers, &[], scale)?;
    let collector = Silent::listen()?;
    let variables = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.clone()),
        ("OTEL_TRACES_SAMPLER", "always_on".to_owned()),
    ];
    let hangs = measured(servers, &variables, scale)?;
    Ok(vec![
        ("CPU per event, tracing off", off.cpu),
        ("CPU per event, the collector hangs", hangs.cpu),
        ("hangs : off", hangs.cpu / off.cpu),
        ("memory, the collector hangs", hangs.memory_mib),
        ("memory more than off", hangs.memory_mib - off.memory_mib),
    ])
}

struct Measured {
    cpu: f64,
    /// Of the service, when the load is over.
    memory_mib: f64,
}

fn measured(servers: &Servers, variables: &[(&str, String)], scale: &Scale) -> Result<Measured> {
    let server = servers.start_with(variables)?;
    let findings = streams::measure(&server, scale)?;
    let cpu = findings.into_iter().find(|(name, _)| *name == CPU).context("no CPU time")?.1;
    let memory_mib = server.process().memory_bytes()? as f64 / (1 << 20) as f64;
    Ok(Measured { cpu, memory_mib })
}

/// A collector that says nothing.
struct Silent {
    url: String,
}

impl Silent {
    fn listen() -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("a collector's port")?;
        let url = format!("http://{}", listener.local_addr().context("its address")?);
        let held: Arc<Mutex<Vec<TcpStream>>> = Arc::default();
        // Ends with the benchmark: nobody else knows the port.
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                if let Ok(mut held) = held.lock() {
                    held.push(connection);
                }
            }
        });
        Ok(Self { url })
    }
}
