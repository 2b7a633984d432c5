//! Verbs that say the opposite, or something else, without a small word behind them: `called off` told as `called`.

use super::scope::tokens;

/// Forms of the verb, and the word behind it.
#[rustfmt::skip]
const VERBS: &[(&[&str], &str)] = &[
    (&["call", "calls", "called", "calling"], "off"),
    (&["put", "puts", "putting"], "off"),
    (&["lay", "lays", "laid", "laying"], "off"),
    (&["break", "breaks", "broke", "broken", "breaking"], "off"),
    (&["write", "writes", "wrote", "written", "writing"], "off"),
    (&["rule", "rules", "ruled", "ruling"], "out"),
    (&["phase", "phases", "phased", "phasing"], "out"),
    (&["back", "backs", "backed", "backing"], "out"),
    (&["pull", "pulls", "pulled", "pulling"], "out"),
    (&["turn", "turns", "turned", "turning"], "down"),
    (&["strike", "strikes", "struck", "striking"], "down"),
    (&["take", "takes", "took", "taken", "taking"], "down"),
    (&["take", "takes", "took", "taken", "taking"], "back"),
    (&["hold", "holds", "held", "holding"], "back"),
    (&["give", "gives", "gave", "given", "giving"], "up"),
    (&["fall", "falls", "fell", "fallen", "falling"], "through"),
];
/// Words that may stand between the two.
const BETWEEN: usize = 3;

/// A verb of a claim that a sentence has only with its word behind it, as both have it.
pub(super) fn left_out<'t>(claim: &'t str, said: &'t str) -> Option<(&'t str, &'t str)> {
    VERBS.iter().find_map(|(forms, particle)| {
        let (mine, theirs) = (found(claim, forms, particle), found(said, forms, particle));
        let without = mine.iter().find(|(_, with)| !with)?;
        let is_anywhere = tokens(claim).any(|(_, word)| word == *particle);
        let with = theirs.first().filter(|_| !is_anywhere && theirs.iter().all(|(_, with)| *with))?;
        Some((without.0, with.0))
    })
}

/// Where a verb stands, and whether its word stands behind it.
fn found<'t>(text: &'t str, forms: &[&str], particle: &str) -> Vec<(&'t str, bool)> {
    let words: Vec<_> = tokens(text).collect();
    let places = (0..words.len()).filter(|at| forms.contains(&words[*at].1.as_str()));
    let one = |at: usize| {
        let (range, _) = &words[at];
        let behind = words[at + 1..].iter().take(BETWEEN + 1).find(|(_, word)| word == particle);
        let end =
            behind.map(|(behind, _)| behind.end).filter(|end| !text[range.end..*end].contains([',', ';']));
        (&text[range.start..end.unwrap_or(range.end)], end.is_some())
    };
    places.map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verb_keeps_its_small_word() {
        let strike = "The strike was called off after the offer";
        for (claim, said, expected) in [
            ("The strike was called after the offer", strike, Some(("called", "called off"))),
            ("The union called the strike off", strike, None),
            ("The strike was cancelled", strike, None),
            ("The bid was called off", "They called a vote", None),
            (
                "The bank turned the offer",
                "The bank turned the offer down",
                Some(("turned", "turned the offer down")),
            ),
        ] {
            assert_eq!(left_out(claim, said), expected, "{claim} / {said}");
        }
    }
}
