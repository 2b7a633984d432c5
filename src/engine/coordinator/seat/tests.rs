//! Seats with small sessions in them, polled by hand.

use std::future::poll_fn;

use tokio::sync::oneshot;

use super::super::{Reply, Submission, SubmitError};
use super::*;
use crate::domain::ids::SessionId;
use crate::domain::position::{Epoch, Position};
use crate::domain::session::{Command, SessionState};

type Answer = Result<Reply, SubmitError>;

fn request() -> (Request, oneshot::Receiver<Answer>) {
    let (reply, answer) = oneshot::channel();
    (Request { submission: Submission::one(Command::Deadlines, None), reply, came_at: None }, answer)
}

fn reply() -> Answer {
    let session: SessionId = "s".parse().unwrap();
    let cursor = Position::start(Epoch::from_random(7));
    let state = Arc::new(SessionState::new(session, cursor));
    Ok(Reply { answers: Vec::new(), cursor, state, stopped: None })
}

/// A session that answers what it is handed, and has a bad day after `good` of them.
async fn session(hand: Arc<Hand>, mut inbox: mpsc::Receiver<Request>, good: usize) {
    for _ in 0..good {
        let request = poll_fn(|cx| {
            if let Some(request) = hand.take() {
                return Poll::Ready(Some(request));
            }
            let polled = inbox.poll_recv(cx);
            if polled.is_pending() {
                hand.open();
            }
            polled
        });
        let Some(Request { reply: sender, .. }) = request.await else { return };
        sender.send(reply()).unwrap();
    }
    poll_fn(|_| {
        hand.take().map_or_else(
            || {
                hand.open();
                Poll::Pending
            },
            |_| panic!("a bad day"),
        )
    })
    .await
}

fn seated(good: usize) -> (Seat, Task) {
    let (inbox, requests) = mpsc::channel(4);
    let seat = Seat::new(inbox);
    let task = seat.occupy(session(seat.hand(), requests, good));
    (seat, task)
}

fn poll(task: &mut Task) -> Poll<()> {
    Pin::new(task).poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_session_at_rest_is_decided_by_who_brings_something() {
    let (seat, mut task) = seated(3);
    assert!(seat.decide(request().0).is_err(), "its task hasn't begun");
    assert!(poll(&mut task).is_pending());
    for _ in 0..2 {
        let (request, mut answer) = request();
        assert!(seat.decide(request).is_ok());
        assert!(answer.try_recv().unwrap().is_ok(), "without its task");
    }
}

#[test]
fn nobody_passes_those_who_came_before() {
    let (seat, mut task) = seated(3);
    assert!(poll(&mut task).is_pending());
    let (first, mut first_answer) = request();
    seat.inbox.try_send(first).unwrap();
    assert!(seat.decide(request().0).is_err());
    assert!(first_answer.try_recv().is_err());
    assert!(poll(&mut task).is_pending());
    assert!(first_answer.try_recv().unwrap().is_ok());
    assert!(seat.decide(request().0).is_ok());
}

#[test]
fn a_session_at_work_is_left_alone() {
    let (inbox, mut requests) = mpsc::channel(4);
    let seat = Arc::new(Seat::new(inbox));
    let (hand, again) = (seat.hand(), seat.clone());
    let mut task = seat.occupy(async move {
        poll_fn(|cx| {
            if hand.take().is_some() {
                // While it decides one, another comes; and it waits for its store.
                assert!(again.decide(request().0).is_err());
                return Poll::Ready(());
            }
            hand.open();
            let polled = requests.poll_recv(cx);
            assert!(polled.is_pending());
            Poll::Pending
        })
        .await;
        std::future::pending().await
    });
    assert!(poll(&mut task).is_pending());
    assert!(seat.decide(request().0).is_ok());
    assert!(seat.decide(request().0).is_err(), "it waits for something else than requests");
}

#[test]
fn a_panic_ends_the_session_and_not_who_brought_the_request() {
    let (seat, mut task) = seated(0);
    assert!(poll(&mut task).is_pending());
    let (handed, mut answer) = request();
    assert!(seat.decide(handed).is_ok());
    assert_eq!(answer.try_recv().unwrap_err(), oneshot::error::TryRecvError::Closed);
    assert!(poll(&mut task).is_ready(), "and its task is over");
    assert!(seat.inbox.try_send(request().0).is_err(), "whoever comes then is told so, and starts another");
}

#[test]
fn a_session_goes_with_its_task() {
    let (seat, mut task) = seated(3);
    assert!(poll(&mut task).is_pending());
    drop(task);
    assert!(seat.decide(request().0).is_err());
    assert!(seat.inbox.is_closed());
}
