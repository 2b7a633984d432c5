//! What a client wants to be told.

/// The stream modes of a reader (`stream_mode`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Modes {
    /// The whole state after each step of the graph.
    pub values: bool,
    /// What each subagent said.
    pub updates: bool,
    /// Our events as they are.
    pub custom: bool,
    /// Texts as far as they are, each time as a whole.
    pub messages: bool,
    /// What is new of texts.
    pub messages_tuple: bool,
}

impl Modes {
    /// Reads the values of `stream_mode`, each one mode or several: with commas between them, or as a JSON array, which is
    /// what the JavaScript SDK makes of a list.
    ///
    /// Without any it is `values`, as in LangGraph. Modes that tell of a graph's inside (`debug`, `tasks`,
    /// `checkpoints`, `events`) have nothing to tell here, and `lifecycle` only what comes anyway.
    pub fn read<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let mut modes = Self::default();
        let mut asked = false;
        let around = |c: char| c.is_whitespace() || matches!(c, '[' | ']' | '"');
        for name in
            values.into_iter().flat_map(|value| value.split(',')).map(|name| name.trim_matches(around))
        {
            asked |= !name.is_empty();
            match name {
                "values" | "run_modes" | "state_update" => modes.values = true,
                "updates" => modes.updates = true,
                "custom" => modes.custom = true,
                "messages" => modes.messages = true,
                "messages-tuple" => modes.messages_tuple = true,
                _ => {}
            }
        }
        if asked { modes } else { Self { values: true, ..modes } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_come_one_by_one_or_as_lists() {
        let two = Modes { updates: true, messages_tuple: true, ..Modes::default() };
        assert_eq!(Modes::read(["updates", "messages-tuple"]), two);
        assert_eq!(Modes::read(["updates, messages-tuple,"]), two);
        assert_eq!(Modes::read([r#"["updates","messages-tuple"]"#]), two);
    }

    #[test]
    fn without_a_mode_it_is_values() {
        let values = Modes { values: true, ..Modes::default() };
        assert_eq!(Modes::read([]), values);
        assert_eq!(Modes::read([""]), values);
        assert_eq!(Modes::read(["[]"]), values);
        assert_eq!(Modes::read(["run_modes"]), values);
    }

    #[test]
    fn modes_of_a_graph_s_inside_bring_nothing() {
        assert_eq!(Modes::read(["debug", "tasks"]), Modes::default());
    }
}
