//! The lines of a path that say which of several a heading is of.

use std::collections::{BTreeMap, BTreeSet};

use super::super::SUBJECTS_MAX;
use super::{Path, Paths};

impl<'t> Paths<'_, 't> {
    /// Of each statement the lines above its heading that tell it from the same heading above other things, the outermost first; the
    /// title of a text alone where only others of its headings stand in a text on another thing, too.
    pub(in crate::domain::synthesis) fn shown(&self) -> Vec<Vec<&'t str>> {
        let mut below: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for (number, path) in (1..).zip(&self.known) {
            if let Some(heading) = path.lines.first() {
                below.entry(heading).or_default().push(number);
            }
        }
        let mut lines: Vec<Vec<&'t str>> = vec![Vec::new(); self.known.len() + 1];
        let mut titles: BTreeSet<(&str, &str)> = BTreeSet::new();
        for same in below.values().filter(|same| same.len() > 1) {
            let told = self.told(same);
            let all: Vec<&Path<'t>> = told.iter().map(|number| self.path(*number)).collect();
            let is_common = |line: &&str| all.iter().all(|path| path.above().any(|above| above == *line));
            for (number, path) in told.iter().zip(&all) {
                let mut over: Vec<&'t str> = path.above().filter(|line| !is_common(line)).collect();
                over.reverse();
                let are_two = all.iter().any(|other| other.subagent != path.subagent);
                titles.extend(over.first().filter(|_| are_two).map(|title| (path.subagent, *title)));
                lines[*number as usize] = over;
            }
        }
        for (number, path) in (1..).zip(&self.known) {
            let over: &mut Vec<&'t str> = &mut lines[number];
            if over.is_empty() && !path.lines.is_empty() {
                over.extend(path.above().find(|line| titles.contains(&(path.subagent, *line))));
                let is_said = path.lines.iter().any(|line| line.contains(path.asked));
                over.extend(Some(path.asked).filter(|_| over.is_empty() && !is_said));
            }
        }
        self.of.iter().map(|number| lines[*number as usize].clone()).collect()
    }

    fn path(&self, number: u32) -> &Path<'t> {
        &self.known[number as usize - 1]
    }

    /// Those of some paths that are of other things than another of them, or answer another task.
    fn told(&self, same: &[u32]) -> Vec<u32> {
        let mut told = BTreeSet::new();
        for (at, one) in same.iter().enumerate().take(SUBJECTS_MAX) {
            for other in same[at + 1..].iter() {
                let [mine, theirs] = [one, other].map(|number| self.path(*number).asked);
                let are_asked = !mine.is_empty() && !theirs.is_empty() && mine != theirs;
                if are_asked || self.told_apart([*one, *other]).is_some() {
                    told.extend([*one, *other]);
                }
            }
        }
        told.into_iter().collect()
    }
}

impl<'t> Path<'t> {
    /// What stands above its nearest heading, the nearest first.
    fn above(&self) -> impl Iterator<Item = &'t str> {
        let asked = Some(self.asked).filter(|asked| !asked.is_empty());
        self.lines.iter().skip(1).copied().chain(asked)
    }
}
