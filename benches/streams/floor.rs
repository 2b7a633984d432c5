//! The floor: a thread that has accepted N sockets and only calls `write` on each, with the bytes Tributary would send.
//!
//! No server that writes to every reader itself can be cheaper. What it costs is the kernel's loopback TCP.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::mpsc::{self, Sender};
use std::thread::JoinHandle;

use anyhow::{Context, Result, anyhow};

use crate::process::CpuMark;

/// The writing thread. Dropping it hangs up.
pub struct Floor {
    pub address: SocketAddr,
    /// Where the kernel tells the thread's CPU time.
    task: PathBuf,
    frames: Option<Sender<String>>,
    thread: Option<JoinHandle<()>>,
}

impl Floor {
    /// Listens, and accepts `readers` before it writes anything.
    pub fn start(readers: usize) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("listening for the floor")?;
        let address = listener.local_addr().context("reading the floor's port")?;
        let (frames, queue) = mpsc::channel::<String>();
        let (started, id) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            // Errors end the thread: the readers then see a hang-up and fail the row.
            let _ = started.send(rustix::thread::gettid().as_raw_nonzero());
            let Ok(sockets) = accept(&listener, readers) else { return };
            for frame in queue {
                for mut socket in &sockets {
                    if socket.write_all(frame.as_bytes()).is_err() {
                        return;
                    }
                }
            }
        });
        let id = id.recv().context("starting the floor's thread")?;
        let task = PathBuf::from(format!("/proc/self/task/{id}"));
        Ok(Self { address, task, frames: Some(frames), thread: Some(thread) })
    }

    /// Has `body` written to every reader, in the frame that Tributary would put around it.
    pub fn publish(&self, revision: u64, body: &str) -> Result<()> {
        let frames = self.frames.as_ref().context("the floor has ended")?;
        frames.send(frame(revision, body)).map_err(|_| anyhow!("the floor's thread has ended"))
    }

    /// CPU time of the writing thread so far.
    pub fn cpu(&self) -> CpuMark {
        CpuMark::of_thread(&self.task)
    }
}

fn accept(listener: &TcpListener, readers: usize) -> std::io::Result<Vec<TcpStream>> {
    let mut sockets = Vec::with_capacity(readers);
    let mut request = [0; 1_024];
    for _ in 0..readers {
        let (mut socket, _) = listener.accept()?;
        socket.set_nodelay(true)?;
        let _ = socket.read(&mut request)?;
        socket.write_all(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n",
        )?;
        sockets.push(socket);
    }
    Ok(sockets)
}

fn frame(revision: u64, body: &str) -> String {
    let payload = body.split_once(r#""payload":"#).map_or("{}}", |(_, payload)| payload);
    let frame = format!(
        "id: 7f3a91_{revision}_9c1b2d3e00a1b2c3\nevent: planner_stream\ndata: {{\"from\":{revision},\"to\":{revision},\"events\":[\
         {{\"type\":\"planner_stream\",\"session_id\":\"bench-0\",\"plan_step_id\":\"p\",\"sequence\":{revision},\
         \"timestamp\":\"2024-03-04T02:15:30.441Z\",\"content\":{{\"stage\":\"bench\",\"status\":\"partial\",\"result_key\":\"r\",\
         \"revision\":{revision},\"attempt\":1,\"payload\":{payload},\"telemetry\":{{\"trace_id\":\"4bf92f3577b34da6a3ce929d0e0e4736\",\
         \"span_id\":\"00f067aa0ba902b7\",\"parent_span_id\":\"31c8b63d42d203f9\"}}}}]}}\n\n"
    );
    format!("{:x}\r\n{frame}\r\n", frame.len())
}

impl Drop for Floor {
    fn drop(&mut self) {
        self.frames = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
