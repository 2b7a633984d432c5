//! No wake-up is missed: the real `WakeList` under schedules of shuttle's choosing.
//!
//! The window's use of it is modelled here (version, entries and list in one lock), because shuttle has to see every
//! lock. The list itself is the very source that the mux is built of.

#![allow(clippy::unwrap_used, reason = "a test may")]

#[path = "../../src/engine/mux/wake_list.rs"]
mod wake_list;

use std::future::poll_fn;
use std::task::{Context, Poll, Waker};

use shuttle::sync::atomic::{AtomicU64, Ordering};
use shuttle::sync::{Arc, Mutex};
use shuttle::{check_pct, check_random, future, thread};
use wake_list::{WakeList, WakeSlot};

const SCHEDULES: usize = 3_000;

/// A window: what `engine/mux/window.rs` has in its lock, as far as waking goes.
#[derive(Default)]
struct Window {
    inner: Mutex<Inner>,
    /// That of `inner`, for who only asks whether anything changed.
    version: AtomicU64,
}

#[derive(Default)]
struct Inner {
    version: u64,
    entries: usize,
    waiting: WakeList,
}

impl Window {
    /// Adds an entry; wakes who waits, after it has let go of the lock.
    fn push(&self) {
        let mut inner = self.inner.lock().unwrap();
        inner.entries += 1;
        inner.version += 1;
        self.version.store(inner.version, Ordering::Release);
        let woken = inner.waiting.take();
        drop(inner);
        woken.into_iter().for_each(Waker::wake);
    }

    /// A writer that says what changed only after it has woken who waits.
    fn push_carelessly(&self) {
        let mut inner = self.inner.lock().unwrap();
        inner.entries += 1;
        inner.version += 1;
        let (version, woken) = (inner.version, inner.waiting.take());
        drop(inner);
        woken.into_iter().for_each(Waker::wake);
        self.version.store(version, Ordering::Release);
    }

    /// The version and how many entries there are; the waker is left.
    fn look_to_wait(&self, slot: &mut WakeSlot, cx: &mut Context<'_>) -> (u64, usize) {
        let mut inner = self.inner.lock().unwrap();
        inner.waiting.wait(slot, cx.waker());
        (inner.version, inner.entries)
    }

    fn version(&self) -> u64 {
        self.inner.lock().unwrap().version
    }

    fn entries_after(&self, read: usize) -> usize {
        self.inner.lock().unwrap().entries - read
    }

    fn poll_changed(&self, seen: u64, slot: &mut WakeSlot, cx: &mut Context<'_>) -> Poll<()> {
        let mut inner = self.inner.lock().unwrap();
        if inner.version != seen {
            return Poll::Ready(());
        }
        inner.waiting.wait(slot, cx.waker());
        Poll::Pending
    }

    /// The classic mistake: between "nothing new" and "wake me" the lock is free.
    fn poll_changed_carelessly(&self, seen: u64, slot: &mut WakeSlot, cx: &mut Context<'_>) -> Poll<()> {
        if self.version() != seen {
            return Poll::Ready(());
        }
        self.inner.lock().unwrap().waiting.wait(slot, cx.waker());
        Poll::Pending
    }

    fn leave(&self, slot: &mut WakeSlot) {
        self.inner.lock().unwrap().waiting.leave(slot);
    }
}

/// Reads as the mux does: the waker is left with the look at the tail, what there is is taken, and where nothing has changed
/// since there is no second look.
async fn reads_ahead(window: Arc<Window>, enough: usize) -> usize {
    let mut slot = WakeSlot::default();
    let (mut read, mut looked) = (0, None);
    poll_fn(|cx| {
        while read < enough {
            let still = |seen: &u64| *seen == window.version.load(Ordering::Acquire);
            if looked.is_some_and(|seen| still(&seen)) {
                return Poll::Pending;
            }
            let (version, entries) = window.look_to_wait(&mut slot, cx);
            looked = Some(version);
            read = entries;
        }
        Poll::Ready(())
    })
    .await;
    window.leave(&mut slot);
    read
}

fn all_read_ahead(readers: &[usize], pushes: usize, push: fn(&Window)) {
    let window = Arc::new(Window::default());
    let reading: Vec<_> =
        readers.iter().map(|enough| (*enough, future::spawn(reads_ahead(window.clone(), *enough)))).collect();
    let writer = thread::spawn(move || (0..pushes).for_each(|_| push(&window)));
    for (enough, reader) in reading {
        assert!(future::block_on(reader).unwrap() >= enough);
    }
    writer.join().unwrap();
}

/// How a reader waits.
#[derive(Clone, Copy)]
enum Manner {
    /// As the window does it.
    Locked,
    /// As the window, and polled now and then though nobody woke it, as a task with a timer is.
    Restless,
    /// With the waker left outside of the lock that guards the version.
    Careless,
}

/// Reads until it has seen `enough` entries, then leaves.
async fn reads(window: Arc<Window>, enough: usize, manner: Manner) -> usize {
    let mut slot = WakeSlot::default();
    let mut read = 0;
    while read < enough {
        // As a reader does: first the tail, then what it has, and only then it waits.
        let seen = window.version();
        let new = window.entries_after(read);
        if new > 0 {
            read += new;
            continue;
        }
        if matches!(manner, Manner::Restless) {
            let _ = futures::poll!(poll_fn(|cx| window.poll_changed(seen, &mut slot, cx)));
        }
        poll_fn(|cx| match manner {
            Manner::Locked | Manner::Restless => window.poll_changed(seen, &mut slot, cx),
            Manner::Careless => window.poll_changed_carelessly(seen, &mut slot, cx),
        })
        .await;
    }
    window.leave(&mut slot);
    read
}

/// Readers who want `enough` entries each, two writers, and everybody gets what they want: a schedule in which a
/// reader sleeps for ever is a deadlock to shuttle.
fn everybody_sees_enough(readers: &[(usize, Manner)], pushes: usize) {
    let window = Arc::new(Window::default());
    let writers: Vec<_> = (0..2)
        .map(|_| {
            let window = window.clone();
            thread::spawn(move || (0..pushes).for_each(|_| window.push()))
        })
        .collect();
    let reading: Vec<_> = readers
        .iter()
        .map(|(enough, manner)| (*enough, future::spawn(reads(window.clone(), *enough, *manner))))
        .collect();
    for (enough, reader) in reading {
        assert!(future::block_on(reader).unwrap() >= enough);
    }
    writers.into_iter().for_each(|writer| writer.join().unwrap());
}

#[test]
fn every_reader_sees_every_entry() {
    // Few meet more often where it hurts, many in more ways.
    check_random(|| everybody_sees_enough(&[(2, Manner::Locked)], 1), SCHEDULES);
    check_random(|| everybody_sees_enough(&[(2, Manner::Locked), (2, Manner::Restless)], 1), SCHEDULES);
    let all = [(4, Manner::Locked), (4, Manner::Locked), (4, Manner::Restless)];
    check_random(move || everybody_sees_enough(&all, 2), SCHEDULES);
    check_pct(move || everybody_sees_enough(&all, 2), SCHEDULES, 3);
}

#[test]
fn readers_who_leave_take_no_one_elses_wake_up_with_them() {
    let mixed = [(1, Manner::Locked), (6, Manner::Locked), (2, Manner::Restless), (6, Manner::Restless)];
    check_random(move || everybody_sees_enough(&mixed, 3), SCHEDULES);
}

#[test]
fn a_place_that_was_left_is_the_next_ones_and_nobody_elses() {
    check_random(
        || {
            let window = Arc::new(Window::default());
            let read = |enough| future::spawn(reads(window.clone(), enough, Manner::Locked));
            let (stays, leaves) = (read(3), read(1));
            window.push();
            assert!(future::block_on(leaves).unwrap() >= 1);
            let comes = read(3);
            let writer = thread::spawn({
                let window = window.clone();
                move || (0..2).for_each(|_| window.push())
            });
            [stays, comes].into_iter().for_each(|reader| assert_eq!(future::block_on(reader).unwrap(), 3));
            writer.join().unwrap();
        },
        SCHEDULES,
    );
}

/// Proof that these tests see a missed wake-up.
#[test]
#[should_panic(expected = "deadlock")]
fn a_waker_that_is_left_outside_of_the_lock_is_missed() {
    check_random(|| everybody_sees_enough(&[(2, Manner::Careless)], 1), SCHEDULES);
}

#[test]
fn who_looked_once_and_sees_no_change_is_woken_by_the_next() {
    check_random(|| all_read_ahead(&[3], 3, Window::push), SCHEDULES);
    check_random(|| all_read_ahead(&[1, 3, 2], 3, Window::push), SCHEDULES);
    check_pct(|| all_read_ahead(&[1, 3, 2], 3, Window::push), SCHEDULES, 3);
}

/// Proof that these tests see it where a change is told after its wake-up.
#[test]
#[should_panic(expected = "deadlock")]
fn a_version_that_follows_the_wake_up_is_missed() {
    check_random(|| all_read_ahead(&[3], 3, Window::push_carelessly), SCHEDULES);
}
