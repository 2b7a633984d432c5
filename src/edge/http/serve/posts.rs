//! Posts of events, read and answered without the HTTP library.
//!
//! A subagent's connection posts one event after the other, and of what the library does for each (a map of fields, a body
//! that is a channel, timers, a state machine that is polled for every byte and answer) such a post needs nothing: it cost
//! twice what deciding the event costs. So a connection is read here for as long as plain posts of events come, whole and
//! soon. Whatever else comes, or doesn't come, goes on in the library, with the bytes that were read.
//!
//! The same bounds hold: the wait for a next request, the drain (what was sent is answered, the connection closes), the hard
//! end, sign-in, a body's size.

mod alarm;
mod answer;
mod head;
mod known;

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use axum::response::IntoResponse;
use bytes::{Buf, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

use super::Server;
use super::sockets::Socket;
use crate::edge::http::app::App;
use crate::edge::http::problem::Problem;
use crate::edge::http::subagents;
use alarm::Alarm;
use head::Head;
use known::Known;

/// How all paths of events begin; what begins otherwise isn't looked at any further.
const BEGIN: &[u8] = b"POST /planner/sessions/";
/// Room for what is read at once, to begin with.
const READ_BYTES: usize = 2 * 1024;
/// A connection that had a larger body than this gives the room back.
const KEPT_BYTES: usize = 16 * 1024;
/// Bodies that are read here, at most.
const BODY_BYTES_MAX: usize = 256 * 1024;
/// How long the rest of a post is waited for here.
const REST: Duration = Duration::from_millis(200);

/// What to do with a connection that has no plain post of events to read.
pub(super) enum Next {
    /// Go on in the library: these bytes were read.
    Library(BytesMut),
    /// It is over, after an answer that its caller has to be able to read.
    Linger,
    /// It is over.
    Close,
}

/// Serves posts of events until something else comes, or the connection ends.
pub(super) async fn serve(server: &Server, app: &App, socket: &mut Socket) -> Next {
    let mut alarm = Alarm::new(&server.stopping, server.header_read_timeout);
    let mut posts =
        pin!(Posts { server, app, socket, read: BytesMut::new(), known: Known::default() }.run(&mut alarm));
    let mut listener = server.stopping.listen();
    let mut armed = false;
    // The listener wakes this task, whatever it waits for.
    let serving = pin!(poll_fn(|cx| {
        if !std::mem::replace(&mut armed, true) {
            listener.arm(cx);
        }
        posts.as_mut().poll(cx)
    }));
    server.stopping.run_until_hard(serving).await.unwrap_or(Next::Close)
}

struct Posts<'c> {
    server: &'c Server,
    app: &'c App,
    socket: &'c mut Socket,
    /// What was read and isn't answered.
    read: BytesMut,
    /// The fields of the post before.
    known: Known,
}

impl Posts<'_> {
    async fn run(mut self, alarm: &mut Alarm<'_>) -> Next {
        loop {
            if self.read.is_empty() {
                self.give_back_room();
                match self.fill(alarm).await {
                    Some(Ok(1..)) => {}
                    Some(Ok(0) | Err(_)) | None => return Next::Close,
                }
            }
            let begun = Instant::now();
            let Some(head) = self.head() else { return Next::Library(self.read) };
            let end = head.bytes + head.body;
            if self.read.len() < end && !self.read_rest(end).await {
                return Next::Library(self.read);
            }
            let answered = self.take_in(head).await;
            let (last, now) = (self.server.stopping.is_soft(), Instant::now());
            let (status, out) = written(answered, last, now).await;
            self.app.telemetry.meters.answered_events(status, now - begun);
            self.read.advance(end);
            if self.socket.write_all(&out).await.is_err() || self.socket.flush().await.is_err() {
                return Next::Close;
            }
            if last {
                return Next::Linger;
            }
            alarm.put_off(now);
        }
    }

    fn head(&mut self) -> Option<Head> {
        let most = BODY_BYTES_MAX.min(self.app.settings.body.bytes);
        let begins = self.read.starts_with(BEGIN);
        begins.then(|| head::read(&self.read, &mut self.known)).flatten().filter(|head| head.body <= most)
    }

    /// Reads what is there. `None`: nothing came before the alarm.
    async fn fill(&mut self, alarm: &mut Alarm<'_>) -> Option<std::io::Result<usize>> {
        self.read.reserve(READ_BYTES);
        let Self { socket, read, .. } = self;
        let mut reading = pin!(socket.read_buf(read));
        poll_fn(|cx| match reading.as_mut().poll(cx) {
            Poll::Ready(read) => Poll::Ready(Some(read)),
            Poll::Pending => alarm.poll(cx).map(|()| None),
        })
        .await
    }

    /// Reads on until so many bytes are there. `false`: they didn't come soon, or never will.
    async fn read_rest(&mut self, bytes: usize) -> bool {
        let Self { socket, read, .. } = self;
        read.reserve(bytes - read.len());
        let reading = async {
            while read.len() < bytes {
                if !matches!(socket.read_buf(read).await, Ok(1..)) {
                    return false;
                }
            }
            true
        };
        tokio::time::timeout(REST, reading).await.unwrap_or(false)
    }

    /// Decides the events; gives the answer's JSON.
    async fn take_in(&self, head: Head) -> Result<Vec<u8>, Problem> {
        let Head { ids, authorization, bytes, body } = head;
        let authorization = authorization.map(|place| &self.read[place]);
        let caller = self.app.access.sender_by(authorization, &ids.key.session).await?;
        let ids = ids.of(&caller);
        let body = &self.read[bytes..bytes + body];
        subagents::post_json(self.app, &ids, body, None).await
    }

    fn give_back_room(&mut self) {
        if self.read.capacity() > KEPT_BYTES {
            self.read = BytesMut::new();
        }
    }
}

/// The status and the bytes of an answer.
async fn written(answered: Result<Vec<u8>, Problem>, closes: bool, now: Instant) -> (u16, Vec<u8>) {
    match answered {
        Ok(json) => (200, answer::taken(&json, closes, now)),
        Err(problem) => {
            let response = problem.into_response();
            (response.status().as_u16(), answer::other(response, closes, now).await)
        }
    }
}
