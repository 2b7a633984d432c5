//! HTTP/2 (RFC 9113): many streams on one connection, each with a bound of its own.

use hyper::server::conn::http2;
use hyper_util::rt::TokioTimer;
use tokio_util::task::TaskTracker;

use super::ServeSettings;

/// Makes connections.
pub(super) type Http2 = http2::Builder<OnTasks>;

/// Most that may wait to be sent on one stream of HTTP/2, and most that one sends before it is read.
const STREAM_BYTES: u32 = 64 * 1_024;
/// The same for all streams of a connection.
const CONNECTION_BYTES: u32 = 1 << 20;
/// All fields of a request's head.
const HEAD_BYTES: u32 = 16 * 1_024;

/// With the tasks of streams among `tasks`.
pub(super) fn builder(settings: &ServeSettings, tasks: TaskTracker) -> Http2 {
    let mut http = http2::Builder::new(OnTasks(tasks));
    http.timer(TokioTimer::new())
        .max_concurrent_streams(settings.http2_streams_max)
        .max_send_buf_size(STREAM_BYTES as usize)
        .initial_stream_window_size(STREAM_BYTES)
        .initial_connection_window_size(CONNECTION_BYTES)
        .max_header_list_size(HEAD_BYTES)
        // A peer that vanished is noticed as one of HTTP/1.1 is.
        .keep_alive_interval(settings.http2_ping)
        .keep_alive_timeout(settings.http2_ping);
    http
}

/// Runs the tasks of streams among those of connections: they are waited for as well.
#[derive(Clone)]
pub(super) struct OnTasks(TaskTracker);

impl<F> hyper::rt::Executor<F> for OnTasks
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, task: F) {
        self.0.spawn(task);
    }
}
