//! The shortest history that still fails: acts are left out, many at once, then one by one (Zeller and Hildebrandt's ddmin,
//! IEEE TSE 28:2, 2002, with complements only).

use crate::history::History;
use crate::run::run;

/// Runs that are tried at most.
const TRIES: usize = 1_500;

/// Shortens a history that fails.
pub fn shortest(history: &History) -> History {
    let (mut best, mut tries) = (history.clone(), 0);
    let mut chunk = best.acts.len().div_ceil(2).max(1);
    loop {
        let mut at = 0;
        let mut found = false;
        while at < best.acts.len() && tries < TRIES {
            let mut shorter = best.clone();
            let end = (at + chunk).min(shorter.acts.len());
            // Time passes as it did: the gap goes to what follows.
            let passed: u64 = shorter.acts.drain(at..end).map(|(gap, _)| gap).sum();
            if let Some((gap, _)) = shorter.acts.get_mut(at) {
                *gap += passed;
            }
            tries += 1;
            if run(&shorter).violations.is_empty() {
                at += chunk;
            } else {
                (best, found) = (shorter, true);
            }
        }
        if tries >= TRIES || (chunk == 1 && !found) {
            return best;
        }
        chunk = if found { chunk } else { chunk.div_ceil(2) }.max(1);
    }
}
