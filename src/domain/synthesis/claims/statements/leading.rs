//! What a sentence says and cites that leads in what follows: `It is subject to a test in three steps [1]:`.

use std::ops::Range;

use super::lead_in::says_that_more_follows;
use super::{Mark, Statement};
use crate::domain::text::blocks::{Block, Kind};
use crate::domain::text::scripts::is_wide;

/// Words of such a sentence, or Chinese and Japanese characters: what is shorter only names what follows, `The main risks are [1]:`.
const WORDS_MIN: usize = 8;
const WIDE_MIN: usize = 16;

/// Where it ends without its colon; `None` where it cites nothing right before that, or only announces.
pub(super) fn before_colon(text: &str, sentence: &Range<usize>, marks: &[Mark]) -> Option<usize> {
    let end = sentence.start + text[sentence.clone()].strip_suffix([':', '：'])?.trim_end().len();
    let mark = marks.iter().find(|mark| mark.range.end == end && mark.range.start >= sentence.start)?;
    let said = &text[sentence.start..mark.range.start];
    let line = text[..sentence.start].rsplit('\n').next().unwrap_or_default();
    let is_head = line.contains(['*', '#', '_']);
    let is_long = || {
        let wide = said.chars().filter(|c| is_wide(*c)).take(WIDE_MIN).count();
        wide >= WIDE_MIN || said.split_whitespace().take(WORDS_MIN).count() >= WORDS_MIN
    };
    (!is_head && is_long() && !says_that_more_follows(said)).then_some(end)
}

/// What the sentence above a list cites, which is meant for its items, too.
#[derive(Default)]
pub(super) struct Leading {
    sources: Vec<usize>,
}

impl Leading {
    /// Gives it to what an item says and cites nothing for, and takes note of what stands above a list.
    pub(super) fn leave(&mut self, text: &str, block: &Block, found: &mut [Statement<'_>]) {
        if matches!(block.kind, Kind::ListItem { .. }) {
            for item in found.iter_mut().filter(|item| item.sources.is_empty()) {
                item.sources.clone_from(&self.sources);
            }
            return;
        }
        // Only what leads in is stated without the colon behind it; `Its demands:` behind it is another sentence, which cites nothing.
        let leads = |last: &&Statement<'_>| {
            let behind = text.get(last.start + last.text.len()..block.range.end).unwrap_or_default();
            behind.trim_end().ends_with([':', '：']) && !behind.contains(char::is_alphabetic)
        };
        self.sources = found.last().filter(leads).map(|last| last.sources.clone()).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    fn stated(text: &str) -> Vec<(&'static str, Vec<usize>)> {
        read(text, "a").into_iter().map(|said| (said.text, said.sources)).collect()
    }

    const ITEMS: &str = "\n\n1. The prognosis is negative.\n2. The business is impaired.";

    #[test]
    fn what_leads_in_and_cites_is_stated() {
        let line = "A dismissal due to illness is possible but subject to a test in three steps";
        for behind in [" [1]:", " [1]：", "[1]:"] {
            let found = stated(&format!("{line}{behind}{ITEMS}"));
            assert_eq!(found[0], (line, vec![1]), "{behind}");
            let items = [("The prognosis is negative.", vec![1]), ("The business is impaired.", vec![1])];
            assert_eq!(found[1..], items, "{behind}");
        }
        let wide = "因病解雇在德国是可能的但是必须通过三个步骤的审查";
        assert_eq!(stated(&format!("{wide}[1]：{ITEMS}"))[0], (wide, vec![1]));
    }

    #[test]
    fn what_it_cites_is_for_its_list_alone() {
        let line = "A dismissal due to illness is possible but subject to a test in three steps [1]:";
        let found =
            stated(&format!("{line}{ITEMS} [2]\n\nThe notice period is four weeks.\n\n- It may be longer."));
        let sources: Vec<_> = found.into_iter().map(|(_, sources)| sources).collect();
        assert_eq!(sources, [vec![1], vec![1], vec![2], vec![], vec![]]);
    }

    #[test]
    fn what_another_sentence_before_it_cites_is_not_for_the_list() {
        for lead in ["Its demands:", "These steps follow from it:", "其要求如下："] {
            let found = stated(&format!("The ministry plans a digital platform [1][2]. {lead}{ITEMS} [3]"));
            let sources: Vec<_> = found.into_iter().map(|(_, sources)| sources).collect();
            assert_eq!(sources, [vec![1, 2], vec![], vec![3]], "{lead}");
        }
    }

    #[test]
    fn what_only_announces_is_not() {
        for line in [
            "A dismissal due to illness is possible but subject to a test in three steps:",
            "The main risks of the plan are [1]:",
            "The report of the ministry [1] says that there are three steps:",
            "Dismissals due to illness are subject to the following three steps of the law [1]:",
            "**Dismissals due to illness and the three steps of the law in Germany [1]:**",
        ] {
            assert_eq!(stated(&format!("{line}{ITEMS}")).len(), 2, "{line}");
        }
    }
}
