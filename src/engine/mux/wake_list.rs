//! Who waits at the end of a log.
//!
//! The list lies inside the lock that guards the log, together with its version: a reader that finds nothing new
//! leaves its waker under the same lock that the next change takes, so no change can fall between "nothing new" and
//! "wait". A waker is taken out when it is woken; whoever still finds nothing leaves it again.

use std::task::Waker;

/// A reader's place in the list; it frees the place when it leaves.
#[derive(Debug, Default)]
pub struct WakeSlot(Option<usize>);

/// The wakers of those who wait.
#[derive(Debug, Default)]
pub struct WakeList {
    places: Vec<Place>,
    free: Vec<usize>,
}

#[derive(Debug)]
enum Place {
    Waiting(Waker),
    Woken,
}

impl WakeList {
    /// Leaves `waker` in `slot`'s place.
    pub fn wait(&mut self, slot: &mut WakeSlot, waker: &Waker) {
        match slot.0 {
            Some(at) => match &mut self.places[at] {
                Place::Waiting(known) => known.clone_from(waker),
                woken @ Place::Woken => *woken = Place::Waiting(waker.clone()),
            },
            None => {
                let at = self.free.pop().unwrap_or_else(|| {
                    self.places.push(Place::Woken);
                    self.places.len() - 1
                });
                self.places[at] = Place::Waiting(waker.clone());
                slot.0 = Some(at);
            }
        }
    }

    /// Takes the wakers of all who wait; the caller wakes them after it has let go of the lock.
    #[must_use = "who is taken out must be woken"]
    pub fn take(&mut self) -> Vec<Waker> {
        let woken = self.places.iter_mut().filter_map(|place| match std::mem::replace(place, Place::Woken) {
            Place::Waiting(waker) => Some(waker),
            Place::Woken => None,
        });
        woken.collect()
    }

    /// Frees a place.
    pub fn leave(&mut self, slot: &mut WakeSlot) {
        if let Some(at) = slot.0.take() {
            self.places[at] = Place::Woken;
            self.free.push(at);
        }
    }
}
