//! When what is at the end of a log came: the last few appends of it.

use std::collections::VecDeque;

use tokio::time::Instant;

use crate::domain::position::Sequence;
use crate::engine::telemetry::{Emit, Origin};

/// Spans that are kept for a reader to end them; one that reads so slowly isn't their end.
const EMITS: usize = 4;
/// Appends that are remembered. A reader that is farther behind isn't timed: it waits for itself.
const KEPT: usize = 16;

/// The last appends of a window.
#[derive(Debug, Default)]
pub struct Marks(VecDeque<Mark>);

#[derive(Debug)]
struct Mark {
    last: Sequence,
    came_at: Instant,
    emit: Option<Emit>,
}

impl Marks {
    /// Entries up to `last` are stored now. `is_read`: whether anybody is there to end their span.
    pub fn add(&mut self, last: Sequence, origin: &Origin, is_read: bool) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        if let Some(oldest) = self.0.len().checked_sub(EMITS) {
            self.0[oldest].emit = None;
        }
        let emit = origin.emit.clone().filter(|_| is_read).map(Emit::stored);
        self.0.push_back(Mark { last, came_at: origin.came_at, emit });
    }

    /// Where the append that leads to `last` came from is known only now: its entries came by another way first.
    pub fn adopt(&mut self, last: Sequence, origin: &Origin) {
        if let Some(mark) = self.0.iter_mut().rev().find(|mark| mark.last == last) {
            mark.came_at = mark.came_at.min(origin.came_at);
        }
    }

    /// What was is gone.
    pub fn clear(&mut self) {
        self.0 = VecDeque::new();
    }

    /// Entries after `after` up to `to` go to a reader: when the first append of them that is whole came, and the spans
    /// that end with the first reader.
    pub fn delivered(&mut self, after: Sequence, to: Sequence) -> (Option<Instant>, Vec<Emit>) {
        // They are in order, and what is asked for is mostly the last one.
        let from = self.0.partition_point(|mark| mark.last <= after);
        let mut came_at = None;
        let mut emits = Vec::new();
        for mark in self.0.range_mut(from..).take_while(|mark| mark.last <= to) {
            came_at.get_or_insert(mark.came_at);
            emits.extend(mark.emit.take());
        }
        (came_at, emits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_a_reader_gets_is_timed_from_the_first_append_in_it() {
        let mut marks = Marks::default();
        let begin = Instant::now();
        for (index, last) in [3, 5, 9].into_iter().enumerate() {
            let came_at = begin + std::time::Duration::from_secs(index as u64);
            marks.add(Sequence(last), &Origin::at(came_at), true);
        }
        let seconds = |after, to| {
            let (came_at, _) = marks.delivered(Sequence(after), Sequence(to));
            came_at.map(|at| at.duration_since(begin).as_secs())
        };
        let mut seconds = seconds;
        assert_eq!(seconds(0, 9), Some(0));
        assert_eq!(seconds(3, 9), Some(1));
        assert_eq!(seconds(5, 8), None, "not all of the last append is there");
        assert_eq!(seconds(9, 9), None);
    }

    #[tokio::test(start_paused = true)]
    async fn appends_of_long_ago_are_forgotten() {
        let mut marks = Marks::default();
        for last in 1..=100 {
            marks.add(Sequence(last), &Origin::unknown(), true);
        }
        assert_eq!(marks.0.len(), KEPT);
        assert!(marks.delivered(Sequence(0), Sequence(50)).0.is_none());
        assert!(marks.delivered(Sequence(0), Sequence(90)).0.is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn what_came_by_another_way_first_is_timed_from_when_it_was_sent() {
        let mut marks = Marks::default();
        let begin = Instant::now();
        tokio::time::advance(std::time::Duration::from_secs(3)).await;
        marks.add(Sequence(2), &Origin::unknown(), true);
        marks.adopt(Sequence(2), &Origin::at(begin));
        marks.adopt(Sequence(9), &Origin::at(begin));
        assert_eq!(marks.delivered(Sequence(0), Sequence(2)).0, Some(begin));
    }
}
