//! The state as fields: what an append changed, laid over what was stored before, is the whole state.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tributary::domain::session::{Field, SessionState};

use super::stories;
use crate::commands::story;
use crate::telling::{Cut, empty, tell};

fn restored(state: &SessionState, stored: &BTreeMap<String, Vec<u8>>) -> SessionState {
    let fields: Vec<(&str, &[u8])> = stored.iter().map(|(name, value)| (&**name, &**value)).collect();
    SessionState::from_fields(state.session.clone(), state.position, &fields).unwrap()
}

proptest! {
    #![proptest_config(stories())]

    #[test]
    fn changed_fields_add_up_to_the_state(story in story(), batch in 1..6_usize) {
        let told = tell(&story, Cut::Turns);
        let (mut state, mut stored) = (empty(), BTreeMap::new());
        for entries in told.entries.chunks(batch) {
            entries.iter().for_each(|entry| state.apply(entry));
            stored.extend(state.fields_changed_by(entries));
        }
        prop_assert_eq!(restored(&state, &stored), told.state);
    }

    #[test]
    fn all_fields_are_the_state(story in story()) {
        let told = tell(&story, Cut::Turns);
        let stored: Vec<Field> = told.state.fields();
        prop_assert_eq!(restored(&told.state, &stored.into_iter().collect()), told.state);
    }
}
