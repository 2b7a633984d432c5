//! Prototype.
#![allow(missing_docs)]
use std::cell::Cell;
use std::sync::OnceLock;
use std::task::{Context, Poll, Waker};

use parking_lot::Mutex;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Home(u16);

thread_local! { static HERE: Cell<Home> = const { Cell::new(Home(0)) } }

#[derive(Default)]
struct Mail {
    wakers: Vec<Waker>,
    pump: Option<Waker>,
}

static MAIL: OnceLock<Vec<Mutex<Mail>>> = OnceLock::new();

pub fn here() -> Home {
    HERE.get()
}

pub fn make(n: usize) {
    MAIL.get_or_init(|| (0..n).map(|_| Mutex::default()).collect());
}

pub async fn live(home: u16) {
    HERE.set(Home(home + 1));
    let mail = &MAIL.get().unwrap()[usize::from(home)];
    let mut taken = Vec::new();
    std::future::poll_fn(|cx: &mut Context<'_>| {
        let mut inner = mail.lock();
        inner.pump = Some(cx.waker().clone());
        std::mem::swap(&mut inner.wakers, &mut taken);
        drop(inner);
        taken.drain(..).for_each(Waker::wake);
        Poll::<()>::Pending
    })
    .await;
}

pub fn wake_all(mut woken: Vec<(Home, Waker)>) {
    let here = here();
    if woken.len() > 1 {
        woken.sort_unstable_by_key(|(home, _)| *home);
    }
    let mut woken = woken.into_iter().peekable();
    while let Some((home, waker)) = woken.next() {
        if home == here || home == Home(0) {
            waker.wake();
            continue;
        }
        let mut mail = MAIL.get().unwrap()[usize::from(home.0) - 1].lock();
        mail.wakers.push(waker);
        while let Some((_, waker)) = woken.next_if(|(next, _)| *next == home) {
            mail.wakers.push(waker);
        }
        let pump = mail.pump.take();
        drop(mail);
        if let Some(pump) = pump {
            pump.wake();
        }
    }
}
