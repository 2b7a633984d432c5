//! The line of epochs that a session's log came down: which it went through before, and where each was left.
//!
//! The field `past` of `meta` says it: `EPOCH:SEQUENCE` each, the newest last. `*` first means that there were others. A replica
//! that holds an epoch which isn't in the line of the store knows that the store has lost it, and what it holds beyond the place
//! where its epoch was left isn't in the store.

use crate::domain::position::{Epoch, Position, Sequence};

/// There were others, nobody knows which.
pub(super) const OTHERS: &str = "*";
/// Epochs of a line that are written down.
const EPOCHS: usize = 16;

/// How a log stands to an epoch that another holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Descent {
    /// It comes down from it, and has what was in it up to there.
    From(Sequence),
    /// It knows nothing of it.
    Foreign,
    /// That can't be known.
    Unsure,
}

/// How a log that went through `past` stands to `epoch`.
pub(super) fn descent(past: Option<&str>, epoch: Epoch) -> Descent {
    let Some(past) = past else { return Descent::Unsure };
    let mut left =
        past.split(' ').filter_map(|one| one.split_once(':')).filter(|(known, _)| *known == epoch.as_str());
    match left.next_back().and_then(|(_, at)| at.parse().ok()) {
        Some(at) if !mutant!("deleted-session-comes-back") => Descent::From(Sequence(at)),
        _ if past.split(' ').any(|one| one == OTHERS) => Descent::Unsure,
        _ => Descent::Foreign,
    }
}

/// The line of a log that goes on from these places, each with the line that led there.
pub(super) fn line(parts: &[(Option<&str>, Position)]) -> String {
    let mut others = false;
    let mut line: Vec<String> = Vec::new();
    for (past, left) in parts {
        let past = past.unwrap_or(OTHERS);
        others |= past.split(' ').any(|one| one == OTHERS);
        let known = past.split(' ').filter(|one| one.contains(':')).map(str::to_owned);
        for one in known.chain([format!("{}:{}", left.epoch, left.sequence)]) {
            line.retain(|known| *known != one);
            line.push(one);
        }
    }
    others |= line.len() > EPOCHS;
    let newest = line.split_off(line.len().saturating_sub(EPOCHS));
    others.then(|| OTHERS.to_owned()).into_iter().chain(newest).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(epoch: &str, sequence: u64) -> Position {
        Position { sequence: Sequence(sequence), ..Position::start(epoch.parse().unwrap()) }
    }

    fn of(past: Option<&str>, epoch: &str) -> Descent {
        descent(past, epoch.parse().unwrap())
    }

    #[test]
    fn line_says_where_each_epoch_was_left() {
        let first = line(&[(Some(""), place("aaaaaa", 5))]);
        assert_eq!(first, "aaaaaa:5");
        let second = line(&[(Some(&first), place("bbbbbb", 9)), (Some("cccccc:2"), place("dddddd", 4))]);
        assert_eq!(second, "aaaaaa:5 bbbbbb:9 cccccc:2 dddddd:4");
        assert_eq!(of(Some(&second), "bbbbbb"), Descent::From(Sequence(9)));
        assert_eq!(of(Some(&second), "eeeeee"), Descent::Foreign);
        assert_eq!(of(Some(""), "eeeeee"), Descent::Foreign);
    }

    #[test]
    fn what_is_not_known_is_not_called_foreign() {
        assert_eq!(of(None, "aaaaaa"), Descent::Unsure, "an older version wrote it");
        assert_eq!(of(Some("* bbbbbb:1"), "aaaaaa"), Descent::Unsure);
        assert_eq!(line(&[(None, place("aaaaaa", 5))]), "* aaaaaa:5");
        let long = (0..20)
            .fold(String::new(), |past, at| line(&[(Some(&past), place(&format!("aaaa{at:02}"), at))]));
        assert!(long.starts_with("* aaaa04:4 "), "{long}");
        assert_eq!(of(Some(&long), "aaaa03"), Descent::Unsure);
        assert_eq!(of(Some(&long), "aaaa19"), Descent::From(Sequence(19)));
    }

    #[test]
    fn last_place_of_an_epoch_counts() {
        assert_eq!(of(Some("aaaaaa:5 aaaaaa:7"), "aaaaaa"), Descent::From(Sequence(7)));
    }
}
