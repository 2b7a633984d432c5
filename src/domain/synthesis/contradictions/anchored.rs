//! What an output is about that names it once: `The X100 is a light laptop. The battery lasts 8 hours.` is of another battery than
//! `The Z200 is a heavy laptop. The battery lasts 12 hours.`
//!
//! A statement that names nothing itself is about what the nearest sentence before it begins with by name. Two are of others where
//! each begins with a name that the other's whole output never says. Of members of JSON it is what names their object.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use self::names::{begins_alike, headed, named};
use super::rows::NAMING;
use crate::domain::adapters::shape::{Member, members};
use crate::domain::synthesis::claims::{Statement, subject_terms};
use crate::domain::text::words::Lexicon;

mod names;

/// Sentences before a statement that are looked at.
const BACK_MAX: usize = 32;
/// Members of JSON that name an object, besides the kinds of things.
const IDS: [&str; 6] = ["name", "title", "id", "key", "sku", "label"];

/// The names with which sentences begin, each read once a contradiction asks.
pub(super) struct Anchors<'s, 't> {
    statements: &'s [Statement<'t>],
    /// Of each statement its own.
    own: Vec<OnceCell<Vec<&'t str>>>,
    /// Those of the sentence before it, where that isn't the statement before it.
    before: Vec<OnceCell<Option<Vec<&'t str>>>>,
    /// That of its heading.
    headings: Vec<OnceCell<Vec<&'t str>>>,
    /// By subagent all headings that its statements stand below, each once.
    sections: OnceCell<BTreeMap<&'t str, Vec<&'t str>>>,
    lexicon: RefCell<Lexicon>,
}

impl<'s, 't> Anchors<'s, 't> {
    pub(super) fn new(statements: &'s [Statement<'t>]) -> Self {
        let (own, before) =
            (vec![OnceCell::new(); statements.len()], vec![OnceCell::new(); statements.len()]);
        let headings = own.clone();
        let sections = OnceCell::new();
        Self { statements, own, before, headings, sections, lexicon: RefCell::default() }
    }

    fn sections(&self, subagent: &str) -> &[&'t str] {
        let all = self.sections.get_or_init(|| {
            let mut all: BTreeMap<&'t str, Vec<&'t str>> = BTreeMap::new();
            for said in self.statements.iter().filter(|said| !said.heading.is_empty()) {
                all.entry(said.subagent).or_default().push(said.heading);
            }
            for headings in all.values_mut() {
                headings.sort_unstable();
                headings.dedup();
            }
            all
        });
        all.get(subagent).map(Vec::as_slice).unwrap_or_default()
    }

    fn own(&self, at: usize) -> &[&'t str] {
        self.own[at].get_or_init(|| self.named(self.statements[at].text))
    }

    /// Those of the sentence before a statement.
    fn of_sentence_before(&self, at: usize) -> &[&'t str] {
        let read = self.before[at].get_or_init(|| {
            let text = self.statements[at].around.before;
            let is_own = at > 0 && begins_alike(self.statements[at - 1].text, text);
            (!is_own).then(|| self.named(text))
        });
        match (read, at.checked_sub(1)) {
            (None, Some(before)) => self.own(before),
            (read, _) => read.as_deref().unwrap_or_default(),
        }
    }

    fn named(&self, sentence: &'t str) -> Vec<&'t str> {
        named(sentence, &mut self.lexicon.borrow_mut())
    }

    /// The names with which sentences before a statement begin, of those below the same heading, the nearest first.
    fn before(&self, at: usize) -> Vec<&[&'t str]> {
        let own = &self.statements[at];
        let mut start = own.start;
        let same = (0..at).rev().take(BACK_MAX).take_while(|before| {
            let said = &self.statements[*before];
            let is_before =
                said.subagent == own.subagent && said.start < start && said.heading == own.heading;
            start = said.start;
            is_before
        });
        let both = |before: usize| [self.own(before), self.of_sentence_before(before)];
        let names = std::iter::once(self.of_sentence_before(at)).chain(same.flat_map(both));
        let read = || headed(own.heading, &mut self.lexicon.borrow_mut());
        let headed = self.headings[at].get_or_init(read).as_slice();
        names.chain([headed]).filter(|names| !names.is_empty()).collect()
    }

    /// What a statement is about: the name that it begins with, or those before it.
    fn about(&self, at: usize, by_own: bool) -> Vec<&[&'t str]> {
        let own = self.own(at);
        if by_own && !own.is_empty() { vec![own] } else { self.before(at) }
    }

    /// Whether a statement stands below a heading of several, and another names one of the others alone.
    fn stands_below_another(&self, at: usize, than: &Statement<'_>) -> bool {
        let own = &self.statements[at];
        let headings = self.sections(own.subagent);
        if own.heading.is_empty() || headings.len() < 2 {
            return false;
        }
        let mut lexicon = self.lexicon.borrow_mut();
        // What a statement says itself counts more than what stands around it.
        for line in [than.text, than.heading, than.around.announced, than.around.before] {
            if names_whole(line, own.heading) {
                return false;
            }
            let mut named = headings.iter().filter(|heading| names_whole(line, heading));
            if named.any(|heading| !subject_terms(heading, &mut lexicon).is_empty()) {
                return !subject_terms(own.heading, &mut lexicon).is_empty();
            }
        }
        false
    }

    /// Whether what stands around two statements says that they are of others.
    pub(super) fn are_of_others(&self, [one, other]: [usize; 2]) -> bool {
        let (a, b) = (&self.statements[one], &self.statements[other]);
        if a.text.starts_with('"') && b.text.starts_with('"') {
            return are_other_objects(a.text, b.text);
        }
        if self.stands_below_another(one, b) || self.stands_below_another(other, a) {
            return true;
        }
        let is_same_word = a.text.split(' ').next() == b.text.split(' ').next();
        if !is_same_word && [one, other].iter().all(|at| !self.own(*at).is_empty()) {
            return false;
        }
        let mine = self.about(one, !is_same_word);
        if mine.is_empty() {
            return false;
        }
        let theirs = self.about(other, !is_same_word);
        // What both begin with tells them apart as little as what neither does.
        let first = mine.iter().find(|names| !theirs.contains(names));
        let their_first = theirs.iter().find(|names| !mine.contains(names));
        let Some((mine, theirs)) = first.zip(their_first) else { return false };
        let is_name = |names: &[&str]| ![one, other].iter().any(|at| is_word(names, self.statements, *at));
        lacks(mine, self.statements, other)
            && lacks(theirs, self.statements, one)
            && is_name(mine)
            && is_name(theirs)
    }
}

/// Whether two members of JSON are of objects with other names.
fn are_other_objects(one: &str, other: &str) -> bool {
    let [mine, theirs] = [one, other].map(|text| format!("{{{text}}}"));
    let (Some(mine), Some(theirs)) = (members(&mine), members(&theirs)) else { return false };
    let is_name = |key: &str| IDS.contains(&key) || NAMING.contains(&key);
    mine.iter().any(|member| {
        let key = member.key.0.to_lowercase();
        let same = |their: &&Member<'_>| their.key.0.eq_ignore_ascii_case(&key);
        is_name(&key) && theirs.iter().find(same).is_some_and(|their| their.value != member.value)
    })
}

/// Whether a text has a heading's words as they are written there, with its capital.
fn names_whole(text: &str, heading: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    heading.starts_with(|c: char| c.is_uppercase() || c.is_numeric())
        && text.match_indices(heading).any(|(at, _)| {
            !is_letter(text[..at].chars().next_back())
                && !is_letter(text[at + heading.len()..].chars().next())
        })
}

/// Whether a name isn't said anywhere in the output that another statement is from.
fn lacks(names: &[&str], statements: &[Statement<'_>], at: usize) -> bool {
    let own = statements[at].subagent;
    let says = |name: &str| {
        statements.iter().filter(|said| said.subagent == own).any(|said| {
            let around =
                [said.text, said.heading, said.around.before, said.around.announced, said.around.section];
            around.iter().any(|text| text.contains(name))
        })
    };
    names.iter().any(|name| !says(name))
}

/// Whether an output has the one word of a name in small letters: then it has its capital from its place.
fn is_word(names: &[&str], statements: &[Statement<'_>], at: usize) -> bool {
    let [name] = names else { return false };
    let (small, own) = (name.to_lowercase(), statements[at].subagent);
    let has = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|word| word == small);
    statements
        .iter()
        .filter(|said| said.subagent == own)
        .any(|said| has(said.text) || has(said.around.before))
}

#[cfg(test)]
mod tests {
    use super::Lexicon;
    use crate::domain::synthesis::contradictions::tests::kinds_between as kinds;

    fn named(sentence: &str) -> Vec<&str> {
        super::names::named(sentence, &mut Lexicon::default())
    }

    #[test]
    fn sentences_begin_with_names() {
        for (sentence, names) in [
            ("The X100 is a light laptop.", vec!["X100"]),
            ("I researched Hotel Adler.", vec!["Hotel", "Adler"]),
            ("AWS's smallest instance costs $8.", vec!["AWS"]),
            ("In Munich rents are high.", vec!["Munich"]),
            ("Regarding Munich, rents are high.", vec!["Munich"]),
            ("Tesla reported results.", vec!["Tesla"]),
            ("Order 881 was placed in May.", vec!["Order", "881"]),
            ("Smith et al. studied mice.", vec!["Smith"]),
            ("Hotel Adler liegt im Zentrum.", vec!["Hotel", "Adler"]),
            ("Das Hotel Adler liegt im Zentrum.", vec!["Hotel", "Adler"]),
        ] {
            assert_eq!(named(sentence), names, "{sentence}");
        }
        for sentence in [
            "The market was weak.",
            "In 2022 the market was weak.",
            "Der Markt war schwach.",
            "Prices rose in May.",
            "It has 40 rooms.",
            "However, it failed.",
            "Reuters reported it.",
            "Based on the documents, the claim is valid.",
            "According to the policy, water is insured.",
            "Back up etcd first.",
            "Many policies cover water.",
            "Water damage is covered.",
            "Burst pipes are insured.",
            "Damage by water is insured.",
            "Coverage starts on 1 May.",
            "Section I covers the house.",
            "",
        ] {
            assert_eq!(named(sentence), [""; 0], "{sentence}");
        }
    }

    #[test]
    fn what_is_named_once_is_what_the_rest_is_about() {
        for (one, other) in [
            (
                "The X100 is a light laptop. The battery lasts 8 hours.",
                "The Z200 is a heavy laptop. The battery lasts 12 hours.",
            ),
            (
                "I researched Hotel Adler. Breakfast is included in the price.",
                "I researched Hotel Bellevue. Breakfast is not included in the price.",
            ),
            (
                "I researched Hotel Adler. Breakfast is included. Parking is free of charge.",
                "I researched Hotel Bellevue. Breakfast is included. Parking costs €15.",
            ),
            (
                "Hotel Adler is in the centre. It has 40 rooms.",
                "Hotel Bellevue is at the lake. It has 60 rooms.",
            ),
            ("## Huddle\n\nIt has a native Linux client.", "Meetly has no native Linux client."),
            ("## Huddle\n\nIt costs $14 per user per month.", "Meetly costs $11 per user per month."),
            ("## Pixel 9\n- **Weight:** 198 g", "The iPhone 16 costs €949. It weighs 170 g."),
            ("## XPS 14\n- **Weight:** 1.68 kg", "The MacBook Pro costs $2,399. It weighs 1.6 kg."),
            (
                "## Boeing 737\n- **Length:** 39.5 m",
                "The Airbus A320 is built in Hamburg. It has a length of 37.6 m.",
            ),
            (
                "Notion is a workspace. The Business plan costs $20 per seat.",
                "Coda is a document tool. The Business plan costs $30 per seat.",
            ),
            (
                "In Munich rents are high. The average rent is €20 per m².",
                "In Leipzig rents are low. The average rent is €9 per m².",
            ),
            ("Tesla reported results. Revenue rose 8%.", "Ford reported results. Revenue fell 3%."),
            (
                "Order 881 was placed in May. The total was €120.",
                "Order 902 was placed in May. The total was €340.",
            ),
            (
                "Hotel Adler liegt im Zentrum. Das Frühstück kostet 12 Euro.",
                "Hotel Bellevue liegt am See. Das Frühstück kostet 18 Euro.",
            ),
            (
                r#"{"name": "Server A", "ram": "16 GB", "os": "Linux"}"#,
                r#"{"name": "Server B", "ram": "64 GB", "os": "Linux"}"#,
            ),
        ] {
            assert_eq!(kinds(one, other), [], "{one} / {other}");
            assert_eq!(kinds(other, one), [], "{other} / {one}");
        }
    }

    #[test]
    fn what_stands_below_one_heading_is_of_none_of_the_others() {
        let items = |head: [&str; 2]| {
            let [one, other] = head;
            format!("{one}\n- Yield: 16,500 kWh per year\n\n{other}\n- Yield: 9,200 kWh per year")
        };
        let said = "In Hamburg, a system yields 9,800 kWh per year. In Madrid it yields 16,500 kWh per year.";
        for head in
            [["**Madrid**", "**Hamburg**"], ["## Madrid", "## Hamburg"], ["**Madrid:**", "**Hamburg:**"]]
        {
            assert_eq!(kinds(&items(head), said).len(), 1, "{head:?}");
            assert_eq!(kinds(said, &items(head)).len(), 1, "{head:?}");
            assert_eq!(kinds(&items(head), "In Madrid it yields 16,500 kWh per year."), [], "{head:?}");
        }
    }

    #[test]
    fn an_ordinary_first_word_names_nothing() {
        const FIRST: [&str; 8] = [
            "Based on the documents, the claim is valid.",
            "According to the policy, fibre is insured.",
            "Back up etcd first.",
            "Fibre is fast.",
            "Many policies cover water.",
            "Water damage is covered.",
            "Section I covers the house.",
            "Coverage starts on 1 May.",
        ];
        for (at, first) in FIRST.iter().enumerate() {
            let one = format!("{first} The deductible is $1,000 per occurrence.");
            for second in &FIRST[at + 1..] {
                let other = format!("{second} The deductible is $1,500 per occurrence.");
                assert_eq!(kinds(&one, &other).len(), 1, "{one} / {other}");
            }
        }
    }

    #[test]
    fn who_names_both_or_nothing_is_held_against_the_other() {
        for (one, other) in [
            (
                "The X100 is a light laptop. The battery lasts 8 hours.",
                "The X100 is a heavy laptop. The battery lasts 12 hours.",
            ),
            (
                "The X100 is a light laptop. The battery lasts 8 hours.",
                "I tested it for a week. The battery lasts 12 hours.",
            ),
            (
                "Germany has a large capital in Berlin. The city has 3.7 million inhabitants.",
                "Berlin is the capital of Germany. The city has 2.1 million inhabitants.",
            ),
            ("The market was weak. Sales were $5 million.", "The market recovered. Sales were $7 million."),
            ("## Google Pixel 9\n- **Weight:** 198 g", "The Pixel 9 costs €799. It weighs 170 g."),
            ("## Step 2\n- **Weight:** 198 g", "The Pixel 9 costs €799. It weighs 170 g."),
            (
                "Reuters reported it. The outage lasted 5 hours.",
                "Bloomberg reported it. The outage lasted 7 hours.",
            ),
        ] {
            assert_eq!(kinds(one, other).len(), 1, "{one} / {other}");
            assert_eq!(kinds(other, one).len(), 1, "{other} / {one}");
        }
    }
}
