//! What must be done, should be, and may be: a duty isn't told as a permission, nor the reverse, nor either as advice.

use super::{Token, is_beside};

/// What is said of doing something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Duty {
    /// It must be done.
    Must,
    /// It should be.
    Should,
    /// It may be, or can.
    May,
    /// It may not be.
    Forbidden,
    /// It need not be.
    Free,
    /// It may be only so, or only by some: a permission and a prohibition.
    Only,
}

/// Words that say so by themselves.
#[rustfmt::skip]
const WORDS: &[(Duty, &[&str])] = &[
    (Duty::Must, &[
        "must", "shall", "muss", "müssen", "musste", "mussten", "doit", "doivent", "devra", "devront", "debe", "deben", "deberá", "deberán", "deve", "devono", "devem", "moet", "moeten",
    ]),
    (Duty::Should, &["should", "ought", "sollte", "sollten", "devrait", "devraient", "debería", "deberían", "dovrebbe", "dovrebbero", "deveria", "deveriam"]),
    (Duty::May, &[
        "may", "can", "darf", "dürfen", "durfte", "durften", "kann", "können", "peut", "peuvent", "pourra", "pourront", "puede", "pueden", "podrá", "podrán", "può", "possono", "pode", "podem", "mag", "mogen",
    ]),
];
/// Words that say so behind `is`.
const BEHIND_BEING: &[(Duty, &[&str])] = &[
    (Duty::Must, &["required", "obliged", "obligated", "bound", "mandatory", "compulsory", "obligatory"]),
    (Duty::May, &["allowed", "permitted", "entitled", "optional", "voluntary"]),
    (Duty::Forbidden, &["forbidden", "prohibited", "banned", "barred"]),
    (Duty::Should, &["advised", "recommended", "encouraged"]),
];
const BEING: &[&str] = &["is", "are", "was", "were", "be", "been", "being"];
const NOT: &[&str] = &["not", "never"];
const NOT_ELSEWHERE: &[&str] =
    &["nicht", "kein", "keine", "keinen", "ne", "n'", "pas", "no", "non", "não", "niet", "geen"];
const ONLY: &[&str] = &[
    "only",
    "nur",
    "seulement",
    "seul",
    "seuls",
    "que",
    "solo",
    "sólo",
    "solamente",
    "soltanto",
    "alleen",
    "unless",
    "until",
    "except",
];
/// Words between a duty and what is to be done.
const BETWEEN: &[&str] = &["to", "be", "been", "also", "then", "always", "not", "never", "have", "only"];
/// Letters by which two forms of a verb are known.
const STEM: usize = 4;

/// A duty, with its place and the beginning of what is to be done, where that stands behind it.
struct Told {
    duty: Duty,
    at: usize,
    verb: String,
}

/// What a claim says must, should or may be done where the sentence says another of these; both as they are written.
pub(super) fn changed<'t>(
    (claim, mine): (&'t str, &[Token]),
    (said, theirs): (&'t str, &[Token]),
) -> Option<(&'t str, &'t str)> {
    let own = duties(claim, mine);
    if own.is_empty() {
        return None;
    }
    let others = duties(said, theirs);
    let one_each = own.len() == 1 && others.len() == 1;
    own.iter().find_map(|own| {
        let mut same: Vec<&Told> =
            others.iter().filter(|other| !own.verb.is_empty() && other.verb == own.verb).collect();
        if same.is_empty() && one_each {
            same.extend(&others);
        }
        let other = same.first()?;
        let agrees =
            |other: &&&Told| own.duty == other.duty || own.duty == Duty::Only || other.duty == Duty::Only;
        let written = || (&claim[mine[own.at].0.clone()], &said[theirs[other.at].0.clone()]);
        same.iter().find(agrees).is_none().then(written)
    })
}

fn duties(text: &str, words: &[Token]) -> Vec<Told> {
    let word = |at: usize| words.get(at).map_or("", |(_, word)| word.as_str());
    let listed = |lists: &[(Duty, &[&str])], at: usize| {
        lists.iter().find(|(_, list)| list.contains(&word(at))).map(|(duty, _)| *duty)
    };
    let has = |list: &[&str], from: usize, to: usize| (from..to).any(|at| list.contains(&word(at)));
    let mut found = Vec::new();
    for at in 0..words.len() {
        // May the month, the can.
        if word(at) == "may" && text[words[at].0.clone()].starts_with('M') && at > 0 {
            continue;
        }
        let is_denied = has(NOT, at + 1, at + 2) || (at > 0 && has(NOT, at - 1, at));
        let told = match word(at) {
            "cannot" | "can't" | "can’t" | "mustn't" | "mustn’t" => Some((Duty::Forbidden, at)),
            "needn't" | "needn’t" => Some((Duty::Free, at)),
            "need" if NOT.contains(&word(at + 1)) => Some((Duty::Free, at)),
            "have" | "has" | "had" | "need" | "needs"
                if word(at + 1) == "to" && is_beside(text, words, at) =>
            {
                let before = at.checked_sub(1).map_or("", &word);
                let is_free = NOT.contains(&before) || before.ends_with("n't") || before.ends_with("n’t");
                Some((if is_free { Duty::Free } else { Duty::Must }, at))
            }
            "allowed" | "permitted" | "required" | "obliged" | "obligated" | "bound" | "mandatory"
            | "compulsory" | "obligatory" | "entitled" | "optional" | "voluntary" | "forbidden"
            | "prohibited" | "banned" | "barred" | "advised" | "recommended" | "encouraged"
                if at > 0 && has(BEING, at.saturating_sub(2), at) =>
            {
                let duty = listed(BEHIND_BEING, at);
                let is_denied = has(NOT, at.saturating_sub(2), at)
                    || (at.saturating_sub(2)..at)
                        .any(|at| word(at).ends_with("n't") || word(at).ends_with("n’t"));
                // Who isn't required to is free to.
                let denied = |duty: Duty| if duty == Duty::Must { Duty::Free } else { denied(duty) };
                duty.map(|duty| (if is_denied { denied(duty) } else { duty }, at))
            }
            _ => listed(WORDS, at).map(|duty| (if is_denied { denied(duty) } else { duty }, at)),
        };
        let Some((duty, at)) = told else { continue };
        let has_only = matches!(duty, Duty::May | Duty::Forbidden)
            && words.iter().any(|(_, word)| ONLY.contains(&word.as_str()));
        // Elsewhere a negation stands at many places.
        if words.iter().any(|(_, word)| NOT_ELSEWHERE.contains(&word.as_str())) {
            continue;
        }
        let duty = if has_only { Duty::Only } else { duty };
        let verb = (at + 1..words.len())
            .find(|next| !BETWEEN.contains(&word(*next)) && !word(*next).ends_with("ly"));
        let verb = verb.map_or(String::new(), |verb| word(verb).chars().take(STEM).collect());
        found.push(Told { duty, at, verb });
    }
    found
}

fn denied(duty: Duty) -> Duty {
    match duty {
        Duty::Must => Duty::Forbidden,
        Duty::May => Duty::Forbidden,
        Duty::Forbidden => Duty::May,
        Duty::Free => Duty::Must,
        Duty::Should | Duty::Only => duty,
    }
}
