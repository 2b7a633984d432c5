//! The log: dense, chained, never backwards in time; the state is its fold, and deciding is a function.

use proptest::prelude::*;
use tributary::domain::entry::Entry;
use tributary::domain::session::SessionState;

use super::stories;
use crate::commands::story;
use crate::telling::{Cut, empty, start, tell, tell_watched};

fn fold<'e>(entries: impl IntoIterator<Item = &'e Entry>) -> SessionState {
    let mut state = empty();
    entries.into_iter().for_each(|entry| state.apply(entry));
    state
}

/// An entry as a store gives it back.
fn stored_and_read(entries: &[Entry]) -> Vec<Entry> {
    let mut position = start();
    let read = entries.iter().map(|entry| {
        let wire = entry.wire().unwrap_or_default();
        let read = Entry::restore(position, entry.append_id, entry.chain, entry.record_bytes(), wire);
        let read = read.unwrap_or_else(|error| panic!("{error}: {:?}", entry.record));
        position = read.position(position.epoch);
        read
    });
    read.collect()
}

/// All that is stored and shown, byte for byte.
fn bytes(entries: &[Entry]) -> Vec<(Vec<u8>, Option<Vec<u8>>, u64)> {
    let of = |entry: &Entry| (entry.record_bytes().to_vec(), entry.wire().map(<[u8]>::to_vec), entry.chain.0);
    entries.iter().map(of).collect()
}

proptest! {
    #![proptest_config(stories())]

    #[test]
    fn sequences_are_dense_from_one(story in story()) {
        let told = tell(&story, Cut::Turns);
        let sequences: Vec<u64> = told.entries.iter().map(|entry| entry.sequence.0).collect();
        prop_assert_eq!(sequences, (1..=told.entries.len() as u64).collect::<Vec<_>>());
        prop_assert_eq!(told.state.position.sequence.0, told.entries.len() as u64);
    }

    #[test]
    fn each_entry_continues_the_chain_of_the_one_before(story in story()) {
        let told = tell(&story, Cut::Requests);
        let mut chain = start().chain;
        for entry in &told.entries {
            prop_assert_eq!(entry.previous_chain, chain);
            let bytes = [entry.record_bytes(), entry.wire().unwrap_or_default()].concat();
            chain = chain.next(entry.append_id, &bytes);
            prop_assert_eq!(entry.chain, chain);
        }
        prop_assert_eq!(told.state.position.chain, chain);
    }

    #[test]
    fn time_never_runs_backwards_in_a_log(story in story()) {
        let told = tell(&story, Cut::Turns);
        prop_assert!(told.entries.is_sorted_by_key(|entry| entry.at));
        prop_assert_eq!(told.entries.last().map_or_else(Default::default, |entry| entry.at), told.state.last_at);
    }

    #[test]
    fn the_state_is_the_fold_of_the_log(story in story()) {
        let told = tell(&story, Cut::Turns);
        prop_assert_eq!(fold(&told.entries), told.state);
    }

    #[test]
    fn recovery_from_stored_bytes_is_replay(story in story()) {
        let told = tell(&story, Cut::Turns);
        let read = stored_and_read(&told.entries);
        prop_assert_eq!(&read, &told.entries);
        prop_assert_eq!(fold(&read), told.state);
    }

    #[test]
    fn deciding_the_same_again_gives_the_same_bytes(story in story()) {
        let (once, again) = (tell(&story, Cut::Turns), tell(&story, Cut::Turns));
        prop_assert_eq!(bytes(&once.entries), bytes(&again.entries));
        prop_assert_eq!(once.answers, again.answers);
    }

    #[test]
    fn batches_may_be_cut_anywhere_without_changing_an_event(story in story()) {
        let wire = |cut| {
            let told = tell(&story, cut);
            let events = told.entries.iter().filter_map(|entry| entry.wire()).map(String::from_utf8_lossy);
            (events.map(String::from).collect::<Vec<_>>(), told.answers)
        };
        let whole = wire(Cut::Turns);
        prop_assert_eq!(&whole, &wire(Cut::Requests));
        prop_assert_eq!(&whole, &wire(Cut::Commands));
    }

    #[test]
    fn a_refused_command_leaves_no_trace(story in story()) {
        tell_watched(&story, Cut::Turns, |moment| {
            if moment.answer.is_err() {
                assert_eq!(moment.entries.0, moment.entries.1, "{:?}", moment.said);
                assert_eq!(moment.before, moment.after, "{:?}", moment.said);
            }
        });
    }
}
