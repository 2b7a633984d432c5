//! What a snapshot lacks that was made of the end of a log, and is looked for in the whole one.

use std::sync::Arc;

use proptest::prelude::*;
use tributary::domain::entry::Entry;
use tributary::engine::mux::{Latest, add_missing, misses_after};

use super::stories;
use crate::commands::story;
use crate::telling::{Cut, empty, tell};

fn latest_of<'a>(entries: impl IntoIterator<Item = &'a Arc<Entry>>) -> Vec<Arc<Entry>> {
    let mut latest = Latest::default();
    for entry in entries {
        latest.note(entry);
    }
    latest.entries()
}

proptest! {
    #![proptest_config(stories())]

    #[test]
    fn snapshot_of_a_whole_log_lacks_nothing_after_any_entry(story in story()) {
        let told = tell(&story, Cut::Turns);
        let entries: Vec<_> = told.entries.into_iter().map(Arc::new).collect();
        let (mut state, mut latest) = (empty(), Latest::default());
        for entry in &entries {
            state.apply(entry);
            latest.note(entry);
            prop_assert_eq!(misses_after(&state, &latest.entries()), None);
        }
    }

    #[test]
    fn what_the_end_of_a_log_lacks_is_found_in_the_whole_one(story in story(), cut in 0.0..1.0_f64) {
        let told = tell(&story, Cut::Turns);
        let entries: Vec<_> = told.entries.into_iter().map(Arc::new).collect();
        let cut = (entries.len() as f64 * cut) as usize;
        let mut snapshot = latest_of(&entries[cut..]);
        if let Some(after) = misses_after(&told.state, &snapshot) {
            let mut found = Latest::default();
            for entry in entries.iter().filter(|entry| entry.sequence > after) {
                found.note_if_of(&told.state, entry);
            }
            add_missing(&mut snapshot, &found.entries());
        }
        prop_assert_eq!(misses_after(&told.state, &snapshot), None);
        // What is about no step, a decision about the whole session, is told by no state.
        let is_of_a_step = |entry: &&Arc<Entry>| entry.record.step().is_some();
        let whole = latest_of(&entries);
        let (whole, now): (Vec<_>, Vec<_>) =
            (whole.iter().filter(is_of_a_step).collect(), snapshot.iter().filter(is_of_a_step).collect());
        prop_assert_eq!(now, whole);
    }
}
