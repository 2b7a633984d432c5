//! What of a paragraph stands where the whole doesn't: prose isn't given up for one sentence of it.

use super::evidence::Evidence;
use super::finding::{Checked, check};
use super::reason::Origin;
use crate::domain::synthesis::draft::DraftFinding;
use crate::domain::synthesis::written::WrittenFinding;
use crate::domain::text::pronouns::begins_with_pronoun;
use crate::domain::text::sentences::sentences;
use crate::domain::text::words::Lexicon;

/// A paragraph without what doesn't stand in it, and how many of how many sentences that are.
pub(in crate::domain::synthesis) struct Standing {
    pub finding: WrittenFinding,
    pub left_out: usize,
    pub of: usize,
}

/// The sentences of a paragraph that stand, together; `None` where it has one only, or none does. What points back to a
/// sentence that is left out would point to another one, and goes with it.
pub(in crate::domain::synthesis) fn standing(
    lexicon: &mut Lexicon,
    evidence: &Evidence<'_>,
    item: &DraftFinding,
) -> Option<Standing> {
    let said: Vec<&str> = sentences(&item.content).into_iter().map(|range| &item.content[range]).collect();
    if said.len() < 2 {
        return None;
    }
    let (mut kept, mut is_lost) = (Vec::new(), false);
    for sentence in &said {
        let alone = DraftFinding { content: (*sentence).to_owned(), ..item.clone() };
        let stands = matches!(check(lexicon, evidence, &alone, Origin::Draft), Checked::Good(..));
        is_lost = !stands || is_lost && begins_with_pronoun(sentence);
        if !is_lost {
            kept.push(*sentence);
        }
    }
    let (of, left_out) = (said.len(), said.len() - kept.len());
    let content = kept.join(" ");
    match check(lexicon, evidence, &DraftFinding { content, ..item.clone() }, Origin::Draft) {
        Checked::Good(finding, _) => Some(Standing { finding, left_out, of }),
        Checked::Failing(_) | Checked::Nothing(_) => None,
    }
}
