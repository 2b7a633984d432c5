//! What a sentence says and cites that leads in what follows: `It is subject to a test in three steps [1]:`.

use std::ops::Range;

use super::asides::begins;
use super::captions::is_verb;
use super::lead_in::says_that_more_follows;
use super::lines::goes_on;
use super::{Mark, Said, Statement, addresses};
use crate::domain::synthesis::claims::advises;
use crate::domain::text::blocks::{Block, Kind};
use crate::domain::text::scripts::is_wide;
use crate::domain::text::turned::turn;

/// Words of such a sentence, or Chinese and Japanese characters: what is shorter only names what follows, `The main risks are [1]:`.
const WORDS_MIN: usize = 8;
const WIDE_MIN: usize = 16;

/// Words and bytes of what says something above a list and cites nothing.
const CLAIM_WORDS_MIN: usize = 5;
const CLAIM_BYTES_MAX: usize = 200;
/// How lines begin that only announce their lists, ask, or hold for a condition.
#[rustfmt::skip]
const NO_CLAIMS: &[&str] = &[
    "here ", "there ", "these ", "this ", "that ", "those ", "it ", "they ", "he ", "she ", "i ", "i'", "i’", "we ", "you ", "let", "some ", "other ", "several ", "what ", "how ", "why ", "who ", "when ", "where ", "which ", "whether ", "if ",
    "for ", "in ", "to ", "as ", "unless ", "once ", "while ", "after ", "before ", "note", "my ", "our ", "your ", "es ", "sie ", "ich ", "wir ", "dies", "wenn ", "falls ", "was ", "wie ", "warum ", "hier ", "il y ", "voici", "ce ", "ces ", "si ",
    "hay ", "estos ", "estas ", "aquí ", "main ", "key ", "the main ", "the key ", "the most ", "the steps ", "the options ", "the results ", "the findings ", "the reasons ", "the report ", "the table ", "the list ", "the text ", "the document ",
    "the source", "sources ",
];
/// How those begin that say what to take.
#[rustfmt::skip]
const ADVISING: &[&str] = &[
    "i'd ", "i’d ", "i would ", "i recommend ", "i suggest ", "i advise ", "we recommend ", "we suggest ", "we advise ", "we'd ", "we’d ", "we should ", "you should ", "my recommendation is ", "our recommendation is ", "my advice is ",
];

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

/// Where a sentence right above a list ends without its colon, where it says something whole that the items explain: `**MongoDB** is the
/// better fit:`, `I'd go with PostgreSQL:`. What only announces them (`The steps are:`), asks or holds for a condition says nothing.
pub(super) fn before_reasons(text: &str, sentence: &Range<usize>) -> Option<usize> {
    let said = text[sentence.clone()].strip_suffix([':', '：'])?.trim_end();
    let bare = said.trim_matches(['*', '_', ' ']);
    let outside = bare.split(" (").next().unwrap_or_default();
    let words: Vec<String> = outside.split_whitespace().map(word).collect();
    let last = words.last()?.as_str();
    let is_open =
        || goes_on(last) || is_verb(last) || matches!(last, "follows" | "as" | "include" | "includes");
    let is_above_list = || {
        text[sentence.end..]
            .trim_start_matches(['*', '_', ' '])
            .trim_start()
            .starts_with(['-', '*', '+', '•', '1'])
    };
    let line = text[..sentence.start].rsplit('\n').next().unwrap_or_default();
    let is_whole = || {
        let has_verb = words.iter().skip(1).any(|word| is_verb(word));
        has_verb && words.len() >= CLAIM_WORDS_MIN && !begins(bare, NO_CLAIMS)
    };
    let is_advice = || {
        words.len() > 2 && bare.split(' ').nth(1).is_some() && advises(bare, false) && begins(bare, ADVISING)
    };
    let says = bare.len() <= CLAIM_BYTES_MAX
        && !bare.contains(['\n', ';', '?'])
        && !line.contains(['*', '#', '-'])
        && is_above_list()
        && !is_open()
        && !says_that_more_follows(bare)
        && turn(bare).is_none()
        && (is_whole() || is_advice());
    says.then_some(sentence.start + said.len())
}

/// A word in small letters, without marks.
fn word(written: &str) -> String {
    written.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// What the sentence above a list cites, which is meant for its items, too.
#[derive(Default)]
pub(super) struct Leading {
    sources: Vec<usize>,
}

impl Leading {
    /// Gives it to what an item says and cites nothing for, and takes note of what stands above a list.
    pub(super) fn leave(
        &mut self,
        Said { text, source_of, .. }: Said<'_, '_>,
        block: &Block,
        found: &mut [Statement<'_>],
    ) {
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
        let own = found.last().filter(leads).map(|last| last.sources.clone());
        let named =
            || named_source(&text[block.range.clone()]).and_then(source_of).map(|source| vec![source]);
        self.sources = own.or_else(|| if found.is_empty() { named() } else { None }).unwrap_or_default();
    }
}

/// The address that a line above a list names as where all of it is from, and nothing else: `From https://a.example/page:`.
fn named_source(body: &str) -> Option<&str> {
    const FROM: [&str; 10] =
        ["from", "according to", "per", "source", "via", "laut", "quelle", "selon", "según", "secondo"];
    let line = body.trim().strip_suffix(':')?.trim_matches(['*', '_', ' ']);
    let at = line.find("http").filter(|at| line[*at..].contains("://"))?;
    let word = line[..at].trim_matches([' ', ':', '(', '<']).to_lowercase();
    let found = addresses(line);
    let [only] = &found[..] else { return None };
    let is_last = !line[only.range.end..].contains(char::is_alphanumeric);
    (FROM.contains(&word.as_str()) && is_last && !only.linked).then_some(only.url)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use super::Said;

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
    fn an_address_that_leads_in_a_list_is_the_source_of_its_items() {
        let cited = |text: &str| {
            let source_of = |url: &str| (url == "https://city.example/bridge").then_some(7);
            let said = Said { source_of: &source_of, ..Said::uncited(text) };
            let found = super::super::statements(said).into_iter();
            found.map(|said| (said.around.announced.to_owned(), said.sources)).collect::<Vec<_>>()
        };
        let line = "From https://city.example/bridge:";
        assert_eq!(cited(&format!("{line}{ITEMS}")), vec![(String::new(), vec![7]); 2]);
        for line in ["Tickets from https://city.example/bridge:", "From https://city.example/bridge"] {
            let found = cited(&format!("{line}{ITEMS}"));
            assert!(found.iter().all(|(_, sources)| sources.is_empty()), "{line}");
        }
    }

    #[test]
    fn what_says_something_whole_above_its_reasons_is_stated() {
        const REASONS: &str = "\n- Change streams are built in to it.\n- Sharding is native to all of it.";
        for line in [
            "**MongoDB** is the better fit",
            "I'd go with **PostgreSQL**",
            "The outage was caused by three factors",
            "We recommend PostgreSQL (v17)",
        ] {
            let found = stated(&format!("{line}:{REASONS}"));
            assert_eq!((found.len(), found[0].0), (3, line));
            assert_eq!(stated(&format!("{line}:\n\nIt has been asked for in May.")).len(), 1, "{line}");
        }
        for line in [
            "The following cities are covered",
            "Here is what we have found",
            "The main findings of all are these",
            "The steps of the plan are",
            "If the valve is closed again",
            "What is said of it there",
            "The prices of all plans include",
            "Reasons to wait for the autumn",
            "It has three parts in all",
            "The PR is not safe to merge",
            "I have checked all of the code",
        ] {
            assert_eq!(stated(&format!("{line}:{REASONS}")).len(), 2, "{line}");
        }
    }

    #[test]
    fn what_only_announces_is_not() {
        for line in [
            "The main risks of the plan are [1]:",
            "The report of the ministry [1] says that there are three steps:",
            "Dismissals due to illness are subject to the following three steps of the law [1]:",
            "**Dismissals due to illness and the three steps of the law in Germany [1]:**",
        ] {
            assert_eq!(stated(&format!("{line}{ITEMS}")).len(), 2, "{line}");
        }
    }
}
