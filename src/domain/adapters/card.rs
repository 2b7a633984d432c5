//! A confirmation card's state machine.
//!
//! ```text
//! proposed ──► confirmed ──► executing ──► done
//!    │  └─ no confirmation ──────▲  │
//!    └────────────┴─────────────────┴────► failed
//! ```
//!
//! | from | to | when |
//! |---|---|---|
//! | proposed | confirmed | a person agreed |
//! | proposed | executing | it began at once: only where no confirmation is required |
//! | proposed | failed | a person declined, or it can't be done |
//! | confirmed | executing | it began |
//! | confirmed | failed | it was withdrawn, or couldn't begin |
//! | executing | done | it succeeded |
//! | executing | failed | it didn't, or was stopped |
//! | any | itself | an update: another summary, other parameters |
//!
//! What is confirmed, and what is begun then, is the action that was proposed: another one is proposed first. Its parameters may be
//! others, since who confirms may change them.
//!
//! Nothing leaves `done` or `failed`, and nothing goes back. A card that says it needs confirmation is first heard of as
//! `proposed`: what nobody proposed nobody confirmed. One that needs none, or doesn't say and is beyond that, may begin in any
//! state: nobody waited for what it left out.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::shape::{is_text, members};
use super::values::{find, plain, says_something, shortened};
use crate::domain::event::RawJson;

/// Characters of a summary that are an error's message.
const SUMMARY_CHARS_MAX: usize = 1_000;

/// Where an action stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CardState {
    /// It could be done.
    Proposed,
    /// A person agreed to it.
    Confirmed,
    /// It is being done.
    Executing,
    /// It was done.
    Done,
    /// It was not done: declined, cancelled or broken.
    Failed,
}

impl CardState {
    /// Every state, in order.
    pub const ALL: [Self; 5] = [Self::Proposed, Self::Confirmed, Self::Executing, Self::Done, Self::Failed];

    /// Its name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Confirmed => "confirmed",
            Self::Executing => "executing",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }

    /// Whether a card in this state may become one in `next`. `requires_confirmation` is what the card said of itself
    /// before: a card can't drop the requirement in the message that jumps over it.
    pub fn may_become(self, next: Self, requires_confirmation: bool) -> bool {
        match (self, next) {
            (Self::Proposed, Self::Proposed | Self::Confirmed | Self::Failed)
            | (Self::Confirmed, Self::Confirmed | Self::Executing | Self::Failed)
            | (Self::Executing, Self::Executing | Self::Done | Self::Failed)
            | (Self::Done, Self::Done)
            | (Self::Failed, Self::Failed) => true,
            (Self::Proposed, Self::Executing) => !requires_confirmation,
            (Self::Proposed, Self::Done)
            | (Self::Confirmed, Self::Proposed | Self::Done)
            | (Self::Executing, Self::Proposed | Self::Confirmed)
            | (Self::Done, Self::Proposed | Self::Confirmed | Self::Executing | Self::Failed)
            | (Self::Failed, Self::Proposed | Self::Confirmed | Self::Executing | Self::Done) => false,
        }
    }
}

/// A card that was shown, as far as the next one depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// Where it stands.
    pub state: CardState,
    /// Whether a person has to agree first.
    pub requires_confirmation: bool,
    /// xxh3-64 of the action's name; absent where it has none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub action: Option<u64>,
}

impl Card {
    /// The card of a payload that the adapter for action workflows made; `None` for any other without one.
    pub fn of(normalised: &RawJson) -> Option<Self> {
        let state = card_state(normalised)?;
        let members = members(normalised.get())?;
        let action = find(&members, "action").filter(|action| is_text(action) && says_something(action));
        let action = action.map(|action| xxh3_64(plain(action).as_bytes()));
        Some(Self { state, requires_confirmation: requires_confirmation(normalised), action })
    }

    /// Whether it may be the first that is heard of it.
    pub fn may_begin(self) -> bool {
        self.state == CardState::Proposed || !self.requires_confirmation
    }

    /// Whether it may become `next`.
    pub fn may_become(self, next: Self) -> bool {
        self.state.may_become(next.state, self.requires_confirmation)
    }

    /// Whether `next` is about another action than the one that a person was asked about.
    pub fn is_swapped(self, next: Self) -> bool {
        let is_asked_about = match self.state {
            CardState::Proposed => self.requires_confirmation,
            CardState::Confirmed => true,
            CardState::Executing | CardState::Done | CardState::Failed => false,
        };
        let is_agreed = matches!(next.state, CardState::Confirmed | CardState::Executing);
        let is_other = self.action.zip(next.action).is_some_and(|(asked, done)| asked != done);
        is_asked_about && is_agreed && is_other
    }

    /// The same about the action that was asked about before, where this doesn't say.
    #[must_use]
    pub fn after(self, before: Option<Self>) -> Self {
        let action = self.action.or(before.and_then(|before| before.action));
        Self { action, ..self }
    }
}

/// The state of a payload that the adapter for action workflows made; `None` for any other without one.
pub fn card_state(normalised: &RawJson) -> Option<CardState> {
    serde_json::from_str(find(&members(normalised.get())?, "state")?).ok()
}

/// Why such a payload's action failed: what its `error` says, else what it says of itself; cut to what an error's message has
/// room for.
pub fn card_failure(normalised: &RawJson) -> Option<String> {
    let card = members(normalised.get())?;
    let says = |text: &&str| is_text(text) && says_something(text);
    let error = find(&card, "error").and_then(|error| match members(error) {
        Some(error) => find(&error, "message"),
        None => Some(error),
    });
    let said = plain(error.filter(says).or_else(|| find(&card, "summary").filter(says))?);
    Some(shortened(&said, SUMMARY_CHARS_MAX).unwrap_or_else(|| said.into_owned()))
}

/// Whether such a payload asks for confirmation. `true` where it doesn't say: the answer that asks a person.
pub fn requires_confirmation(normalised: &RawJson) -> bool {
    let members = members(normalised.get()).unwrap_or_default();
    find(&members, "requires_confirmation") != Some("false")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows: from; columns: to. `y` always, `c` only where no confirmation is required, `.` never.
    const EDGES: [&str; 5] = ["yyc.y", ".yy.y", "..yyy", "...y.", "....y"];

    #[test]
    fn exactly_the_documented_edges_exist() {
        for (from, row) in CardState::ALL.into_iter().zip(EDGES) {
            for (to, edge) in CardState::ALL.into_iter().zip(row.chars()) {
                assert_eq!(from.may_become(to, true), edge == 'y', "{from:?} {to:?} with confirmation");
                assert_eq!(from.may_become(to, false), edge != '.', "{from:?} {to:?} without");
            }
        }
    }

    #[test]
    fn a_card_begins_as_proposed_unless_nobody_has_to_confirm_it() {
        for state in CardState::ALL {
            let begins =
                |requires_confirmation| Card { state, requires_confirmation, action: None }.may_begin();
            assert_eq!(begins(true), state == CardState::Proposed, "{state:?}");
            assert!(begins(false), "{state:?}");
        }
    }

    #[test]
    fn what_is_confirmed_and_begun_is_what_was_proposed() {
        let card = |state, action| Card { state, requires_confirmation: true, action };
        let (proposed, confirmed) = (card(CardState::Proposed, Some(1)), card(CardState::Confirmed, Some(1)));
        for state in CardState::ALL {
            let may_be_swapped = !matches!(state, CardState::Confirmed | CardState::Executing);
            for before in [proposed, confirmed] {
                assert_eq!(before.is_swapped(card(state, Some(2))), !may_be_swapped, "{before:?} {state:?}");
                assert!(!before.is_swapped(card(state, Some(1))) && !before.is_swapped(card(state, None)));
            }
        }
        let freely = Card { requires_confirmation: false, ..proposed };
        assert!(!freely.is_swapped(card(CardState::Executing, Some(2))), "nobody is asked");
        // One that doesn't say is about the same.
        let silent = card(CardState::Confirmed, None).after(Some(proposed));
        assert!(silent.is_swapped(card(CardState::Executing, Some(2))));
    }

    #[test]
    fn the_names_are_those_of_the_wire() {
        for state in CardState::ALL {
            assert_eq!(serde_json::to_string(&state).unwrap(), format!("\"{}\"", state.as_str()));
        }
    }
}
