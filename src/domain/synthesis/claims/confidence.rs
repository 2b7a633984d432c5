//! How sure a finding is, by the sources that say it: a rejected one is no evidence, and one of low quality makes nothing sure.

use std::collections::BTreeMap;

use super::{Confidence, Statement};
use crate::domain::aggregate::result::SourceQuality;
use crate::domain::distinct::distinct;

/// Where a source stands, and how good it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// Its registrable domain, or what else tells independent sources apart.
    pub domain: String,
    /// How good it is, where that is known.
    pub quality: Option<SourceQuality>,
}

impl From<String> for Site {
    fn from(domain: String) -> Self {
        Self { domain, quality: None }
    }
}

/// What a finding rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::domain::synthesis) struct Backing {
    /// Its sources.
    pub(in crate::domain::synthesis) sources: usize,
    /// Independent domains of sources that weren't rejected.
    pub(in crate::domain::synthesis) domains: usize,
    /// Those of them with a source that is of more than low quality.
    pub(in crate::domain::synthesis) sound: usize,
}

impl Backing {
    /// Of sources that stand somewhere.
    pub(in crate::domain::synthesis) fn of<'s>(
        sources: usize,
        sites: impl Iterator<Item = &'s Site>,
    ) -> Self {
        let sites = sites.filter(|site| site.quality != Some(SourceQuality::Rejected));
        let is_low = |site: &Site| site.quality == Some(SourceQuality::Low);
        let mut domains: Vec<(&str, bool)> = sites.map(|site| (site.domain.as_str(), is_low(site))).collect();
        // Of a domain its best counts.
        domains.sort_unstable();
        domains.dedup_by_key(|(domain, _)| *domain);
        let sound = domains.iter().filter(|(_, is_low)| !is_low).count();
        Self { sources, domains: domains.len(), sound }
    }

    /// The same where nobody says which of the sources it rests on: they count like one.
    pub(in crate::domain::synthesis) fn as_one(self) -> Self {
        Self { domains: self.domains.min(1), sound: self.sound.min(1), ..self }
    }
}

/// Which of the sources that statements cite are of one domain: asked for every finding, and found out once.
pub(super) struct Sites {
    /// Sorted: a source, and the number of its domain.
    by_source: Vec<(usize, usize)>,
    /// By domain what its sources are: the best of them counts.
    sites: Vec<Site>,
}

impl Sites {
    pub(super) fn of(statements: &[Statement<'_>], site: &dyn Fn(usize) -> Site) -> Self {
        let sources: Vec<usize> = distinct(statements.iter().flat_map(|said| &said.sources).copied());
        let mut numbers: BTreeMap<Site, usize> = BTreeMap::new();
        let mut sites = Vec::new();
        let numbered = sources.into_iter().map(|source| {
            let site = site(source);
            let number = *numbers.entry(site.clone()).or_insert(sites.len());
            if number == sites.len() {
                sites.push(site);
            }
            (source, number)
        });
        let by_source = numbered.collect();
        Self { by_source, sites }
    }

    /// The number of a source's domain, apart by quality.
    pub(super) fn of_source(&self, source: usize) -> usize {
        let at = self.by_source.binary_search_by_key(&source, |(known, _)| *known);
        at.map_or(usize::MAX, |at| self.by_source[at].1)
    }

    /// What a finding rests on that some domains say, and that has these sources.
    pub(super) fn backing(&self, domains: &[usize], sources: &[usize]) -> Backing {
        Backing::of(sources.len(), domains.iter().filter_map(|number| self.sites.get(*number)))
    }
}

/// What to check of a finding that another one contradicts.
pub(in crate::domain) const DISPUTED: &str = "Another statement contradicts this one; compare both sources.";

/// What to check of a finding that nobody says in a whole result, of those who still run, too.
pub(in crate::domain) const OF_A_PART: &str = "It comes from a part of a result: the rest didn't come.";

/// The confidence of a finding by its independent domains, and what to check. A contradiction takes one step away.
pub(in crate::domain::synthesis) fn judge(
    backing: Backing,
    contributors: usize,
    disputed: bool,
) -> (Confidence, Option<&'static str>) {
    let (confidence, verify) = match (backing, contributors) {
        _ if disputed => (if backing.sound > 1 { Confidence::Medium } else { Confidence::Low }, DISPUTED),
        (Backing { sources: 0, .. }, _) => {
            (Confidence::Low, "No source is given; look for one before relying on it.")
        }
        (Backing { domains: 0, .. }, _) => {
            (Confidence::Low, "Its sources were rejected; look for another before relying on it.")
        }
        (Backing { domains: 1, .. }, 0 | 1) => {
            (Confidence::Medium, "Only one site says this; look for an independent source.")
        }
        (Backing { domains: 1, .. }, _) => {
            (Confidence::Medium, "All who say this cite one site; look for another.")
        }
        (Backing { sound: 0, .. }, _) => {
            (Confidence::Medium, "All sources that say this are of low quality; look for a better one.")
        }
        (Backing { sound: 1, .. }, _) => (
            Confidence::Medium,
            "Only one source that says this is of more than low quality; look for another.",
        ),
        _ => return (Confidence::High, None),
    };
    (confidence, Some(verify))
}
