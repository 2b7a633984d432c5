//! Scripts: what is done to the first, the second, the third call of a path or a name.
//!
//! A script is an object, TOML or JSON: a selector, and a list of behaviours that are used one per call in order, the last
//! one for all that follow.
//!
//! | selector | is for |
//! |---|---|
//! | `name=docs` | calls whose name is exactly that |
//! | `/voice/`   | calls whose path begins with that, character by character |
//!
//! A name goes before a path, a longer path before a shorter one; a call uses up one place of one list, whichever names its
//! callers have. What an entry doesn't set is as the query says. Pure: the places of calls are numbers in here.

use std::collections::BTreeMap;

use super::behaviour::Behaviour;

#[cfg(test)]
mod tests;

/// Before a name in a selector.
const NAME: &str = "name=";
/// Most selectors of a script, and most behaviours of a selector.
const ENTRIES_MAX: usize = 1_000;

/// A script and how far its lists are used up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    names: BTreeMap<String, Turns>,
    /// By path prefix.
    paths: BTreeMap<String, Turns>,
}

/// A list of behaviours, and which one is next.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Turns {
    behaviours: Vec<Behaviour>,
    next: usize,
}

/// Why a text is no script.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    /// It is neither TOML nor JSON of a script's shape.
    #[error("the script can't be read: {0}")]
    Unreadable(String),
    /// A selector is neither a name nor a path.
    #[error("{0:?} is no selector: write \"name=…\" or \"/path\"")]
    Selector(String),
    /// A list has no behaviour.
    #[error("{0:?} has no behaviours")]
    Empty(String),
    /// Too many selectors or behaviours.
    #[error("a script has at most {ENTRIES_MAX} selectors of {ENTRIES_MAX} behaviours")]
    TooLong,
    /// A behaviour is out of its bounds.
    #[error("{0:?}: {1}")]
    Behaviour(String, String),
}

impl Script {
    /// Reads a script: JSON where the first character is `{`, else TOML.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn read(text: &str) -> Result<Self, ScriptError> {
        let unreadable = |error: String| ScriptError::Unreadable(error);
        let entries: BTreeMap<String, Vec<Behaviour>> = if text.trim_start().starts_with('{') {
            serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))?
        } else {
            toml::from_str(text).map_err(|error| unreadable(error.to_string()))?
        };
        let too_long = |behaviours: &Vec<Behaviour>| behaviours.len() > ENTRIES_MAX;
        if entries.len() > ENTRIES_MAX || entries.values().any(too_long) {
            return Err(ScriptError::TooLong);
        }
        let mut script = Self::default();
        for (selector, behaviours) in entries {
            script.add(selector, behaviours)?;
        }
        Ok(script)
    }

    fn add(&mut self, selector: String, behaviours: Vec<Behaviour>) -> Result<(), ScriptError> {
        if behaviours.is_empty() {
            return Err(ScriptError::Empty(selector));
        }
        for behaviour in &behaviours {
            behaviour.check().map_err(|error| ScriptError::Behaviour(selector.clone(), error.to_string()))?;
        }
        let turns = Turns { behaviours, next: 0 };
        if let Some(name) = selector.strip_prefix(NAME) {
            self.names.insert(name.to_owned(), turns);
        } else if selector.starts_with('/') {
            self.paths.insert(selector, turns);
        } else {
            return Err(ScriptError::Selector(selector));
        }
        Ok(())
    }

    /// What is done to this call; it uses up one place of the list that is for it.
    pub fn take(&mut self, path: &str, name: &str) -> Behaviour {
        let turns = match self.names.get_mut(name) {
            Some(turns) => Some(turns),
            None => {
                let fitting = self.paths.iter_mut().filter(|(prefix, _)| path.starts_with(prefix.as_str()));
                fitting.max_by_key(|(prefix, _)| prefix.len()).map(|(_, turns)| turns)
            }
        };
        turns.map(Turns::take).unwrap_or_default()
    }
}

impl Turns {
    fn take(&mut self) -> Behaviour {
        let last = self.behaviours.len().saturating_sub(1);
        let behaviour = self.behaviours.get(self.next.min(last)).cloned().unwrap_or_default();
        self.next = (self.next + 1).min(last);
        behaviour
    }
}
