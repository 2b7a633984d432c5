//! Which numbers a text has cited so far.
//!
//! `Sources: [1] https://…` lists what was cited, or it names the source of the paragraph before it; which of them is
//! known by whether the number came before.

use std::collections::BTreeSet;

use super::marker::Item;

/// How many numbers are remembered; a text that cites more lists them in lines of their own.
const NUMBERS_MAX: usize = 10_000;

/// The local numbers of the markers before.
#[derive(Debug, Default)]
pub(super) struct Cited {
    /// Nearly all are so low that a bit stands for each.
    low: u128,
    numbers: BTreeSet<u32>,
    /// Whether the line names sources: its numbers cite nothing.
    pub naming: bool,
}

impl Cited {
    /// A marker with these numbers has been read.
    pub fn note(&mut self, items: &[Item]) {
        if self.naming || self.numbers.len() + self.low.count_ones() as usize >= NUMBERS_MAX {
            return;
        }
        for number in items.iter().filter_map(|item| item.number) {
            match 1_u128.checked_shl(number) {
                Some(bit) => self.low |= bit,
                None => {
                    self.numbers.insert(number);
                }
            }
        }
    }

    /// Whether a number came before.
    pub fn has(&self, number: u32) -> bool {
        match 1_u128.checked_shl(number) {
            Some(bit) => self.low & bit != 0,
            None => self.numbers.contains(&number),
        }
    }
}
