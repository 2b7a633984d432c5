//! Statements that were written for this, in ten languages: what sources say (`S`), what may be said for it (`+`), and what may not
//! (`-`), mostly for one word that is another.

/// What sources say, and what is claimed of it.
#[derive(Default)]
pub struct Case {
    /// A sentence of each source.
    pub said: Vec<&'static str>,
    /// What is claimed, with whether it may be.
    pub claims: Vec<(&'static str, bool)>,
}

/// One of the sets of cases.
#[derive(Debug, Clone, Copy)]
pub enum Set {
    /// Mostly one word is another.
    Words,
    /// Sentences are told anew: as a good writer would, or so that they mislead.
    Paraphrased,
}

/// Of a set those that rules were tuned with, or those that nobody looked at.
pub fn cases(set: Set, held_out: bool) -> Vec<Case> {
    let text = match (set, held_out) {
        (Set::Words, false) => include_str!("../pairs/claims.txt"),
        (Set::Words, true) => include_str!("../pairs/claims-held-out.txt"),
        (Set::Paraphrased, false) => include_str!("../pairs/claims-paraphrased.txt"),
        (Set::Paraphrased, true) => include_str!("../pairs/claims-paraphrased-held-out.txt"),
    };
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        let begins = cases.last().is_none_or(|case| !case.claims.is_empty());
        match line.split_once(' ') {
            Some(("S", _)) if begins => cases.push(Case::default()),
            _ => {}
        }
        let Some(case) = cases.last_mut() else { continue };
        match line.split_once(' ') {
            Some(("S", said)) => case.said.push(said),
            Some((sign @ ("+" | "-"), claim)) => case.claims.push((claim, sign == "+")),
            _ => {}
        }
    }
    cases
}
