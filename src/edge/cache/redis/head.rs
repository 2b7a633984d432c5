//! The first argument of an append's script: all that has one shape, in one value.
//!
//! ```text
//! layout 1 · mark 1 · where it is to stand 32 · layout 1 · mark 1 · where it stands afterwards 32
//! now or 0 8 · kept until 8 · entries 4 · fields 4 · slots 4 · own listeners 1 · turn, and 4 where it only ends something 1 · fresh 1 · begins 8 · replica 16
//! head of the message, or zeros where it is only to be compared 18
//! per slot the entry's place in the message, from 1: 4 · id of the first entry, as text
//! ```
//!
//! Numbers are big-endian. Each argument is a value on its way into Lua, which costs as much as most of what is done there.

use super::codec::MESSAGE_HEAD;
use super::meta::FORMAT;
use super::place::where_of;
use super::writing::Writing;
use crate::domain::position::{Position, Sequence};

/// How a writer stands to others' turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// It takes what comes.
    Any,
    /// It wants the next one, because it was too late several times.
    Wanted,
    /// It puts back what was lost, and needs none.
    NotNeeded,
}

/// What isn't the writing's own.
pub(super) struct Asked<'a> {
    /// The time to go by, in milliseconds; 0: the server's.
    pub(super) now: i64,
    /// How many of this process listen to the session's channel; negative: that doesn't count, everything is published.
    pub(super) own_listeners: i8,
    pub(super) turn: Turn,
    /// Sixteen digits.
    pub(super) replica: &'a str,
}

/// What `place` says where nothing else is to be looked at.
const PLAIN: u8 = 0;
/// What it never says: the script's first part, which compares both, leaves this append to the second.
const NEVER: u8 = u8::MAX;
/// Values that Lua hands to one command of the first part.
const VALUES_MOST: usize = 400;
const BYTES: usize = 2 * 34 + 55 + MESSAGE_HEAD + 32;

/// Puts it together.
pub(super) fn head_of(writing: &Writing, asked: &Asked<'_>) -> Vec<u8> {
    let Writing { expected, message, fields, slots, .. } = writing;
    let after = Position { sequence: writing.sequence, chain: writing.chain, ..*expected };
    let entries = writing.entries().count();
    let is_plain = entries > 0 && asked.turn != Turn::NotNeeded && fields.len() < VALUES_MOST / 2;
    let mut head = Vec::with_capacity(BYTES + 4 * slots.len());
    let layout = FORMAT as u8;
    for (mark, place) in [(if is_plain { PLAIN } else { NEVER }, *expected), (PLAIN, after)] {
        head.extend([layout, mark]);
        head.extend(where_of(place));
    }
    for number in [asked.now, writing.keep_until.0] {
        head.extend(number.to_be_bytes());
    }
    for count in [entries, fields.len(), slots.len()] {
        head.extend((count as u32).to_be_bytes());
    }
    let turn = match asked.turn {
        Turn::Any => 0,
        Turn::Wanted => 1,
        Turn::NotNeeded => 2,
    };
    let mode = turn + 4 * u8::from(writing.only_ends);
    head.extend([asked.own_listeners as u8, mode, u8::from(writing.is_fresh)]);
    head.extend(writing.begins.map_or(0, |Sequence(last)| last + 1).to_be_bytes());
    head.extend_from_slice(asked.replica.as_bytes());
    let told = message.get(..MESSAGE_HEAD).unwrap_or(&[0; MESSAGE_HEAD]);
    head.extend_from_slice(told);
    for (_, place) in slots {
        head.extend((*place as u32).to_be_bytes());
    }
    head.extend_from_slice(itoa::Buffer::new().format(expected.sequence.0 + 1).as_bytes());
    head.extend_from_slice(b"-0");
    head
}
