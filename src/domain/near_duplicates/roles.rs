//! Which words of a text are names, adverbs, joints and attributions.

use std::sync::LazyLock;

use super::features::{Element, Role};
use crate::domain::text::terms::{self, KnownTerms};

/// Sets the roles of a text's elements.
pub(super) fn roles(text: &str, elements: &mut [Element]) {
    names(text, elements);
    let mut may_attribute = false;
    for element in elements.iter_mut() {
        let listed = LISTED.get(element.term);
        may_attribute |= matches!(listed, Some(Listed::Report | Listed::According));
        if element.role != Role::Content || element.marked {
            continue;
        }
        match listed {
            Some(Listed::Discourse) => element.role = Role::Discourse,
            Some(Listed::NoAdverb | Listed::Report | Listed::According) => {}
            None if adverb(&text.as_bytes()[element.range()]) => element.role = Role::Adverb,
            None => {}
        }
    }
    if may_attribute {
        attribution(text, elements);
    }
    chinese(text, elements);
}

/// Capitalised words are names, but for the first and where a title or a shout capitalises most.
fn names(text: &str, elements: &mut [Element]) {
    let capital = |element: &Element| {
        element.role == Role::Content
            && match text.as_bytes()[element.start] {
                byte if byte.is_ascii() => byte.is_ascii_uppercase(),
                _ => text[element.start..].starts_with(char::is_uppercase),
            }
    };
    let words = elements.iter().filter(|element| element.role == Role::Content).count();
    let capitals = elements.iter().filter(|element| capital(element)).count();
    if capitals == 0 || words > 3 && capitals * 10 > words * 7 {
        return;
    }
    let begins = |element: &Element| {
        let before = text[..element.start].trim_end_matches(|c: char| !c.is_alphanumeric() && !is_stop(c));
        before.is_empty() || before.ends_with(is_stop)
    };
    for element in elements.iter_mut().filter(|element| capital(element)) {
        let word = &text[element.range()];
        let acronym = word.chars().filter(|c| c.is_uppercase()).count() > 1;
        if acronym || !begins(element) {
            element.role = Role::Name;
        }
    }
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | ':' | '。' | '！' | '？' | '：')
}

fn adverb(word: &[u8]) -> bool {
    word.len() > 4 && word[word.len() - 2..].eq_ignore_ascii_case(b"ly")
}

/// What a word is known as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listed {
    Discourse,
    NoAdverb,
    Report,
    According,
}

static LISTED: LazyLock<KnownTerms<Listed>> = LazyLock::new(|| {
    let list =
        |words: &'static [&'static str], as_what: Listed| words.iter().map(move |word| (*word, as_what));
    let all = list(NO_ADVERBS, Listed::NoAdverb).chain(list(DISCOURSE, Listed::Discourse));
    terms::table(all.chain(list(REPORTS, Listed::Report)).chain([("according", Listed::According)])).into()
});

/// End in `ly` and say something else, or say how much.
#[rustfmt::skip]
const NO_ADVERBS: &[&str] = &[
    "family", "supply", "apply", "reply", "italy", "assembly", "monopoly", "anomaly", "july", "rely",
    // Names.
    "lilly", "kelly", "emily", "sally", "molly", "billy", "polly", "holly", "willy", "reilly", "connolly", "donnelly", "kimberly",
    "beverly", "waverly", "sicily", "calendly", "grammarly", "optimizely", "weebly", "bitly", "butterfly", "wembley",
];

#[rustfmt::skip]
const DISCOURSE: &[&str] = &[
    "however", "moreover", "furthermore", "additionally", "therefore", "thus", "hence", "indeed", "overall", "notably", "importantly", "meanwhile", "consequently",
    "nevertheless", "nonetheless", "besides", "instead", "specifically", "finally", "similarly", "likewise", "today", "now", "currently", "recently",
    "clearly", "interestingly", "overall", "still", "yet", "even", "quite", "rather", "really", "well", "in", "fact", "yes", "ja", "oui", "sí", "sì", "sim",
];

#[rustfmt::skip]
const REPORTS: &[&str] = &[
    "said", "says", "say", "reported", "reports", "report", "announced", "noted", "notes", "stated", "states", "shows", "show", "showed", "found", "finds", "suggests", "indicates", "warn", "warns", "warned", "argue", "argues", "argued", "predict", "predicts", "predicted",
];

/// `According to the World Bank, …`, `…, according to the World Bank`, `Reuters reported that …`.
fn attribution(text: &str, elements: &mut [Element]) {
    let is = |element: &Element, what: Listed| LISTED.get(element.term) == Some(&what);
    let according = elements.iter().position(|element| is(element, Listed::According));
    if let Some(from) = according {
        let start = elements[from].start;
        let comma = text[start..].find([',', ';', '，', '；', ':']).map_or(text.len(), |at| start + at);
        // A date or a long clause isn't the name of a source.
        let count = elements[from..].iter().take_while(|element| element.start < comma).count();
        if count <= 12
            && (from == 0 || comma >= text.trim_end().len() || text[..start].trim_end().ends_with(','))
        {
            mark(&mut elements[from..from + count]);
        }
    }
    let verb = elements.iter().take(8).position(|element| is(element, Listed::Report));
    if let Some(verb) = verb
        && text[elements[verb].end..]
            .trim_start()
            .get(..4)
            .is_some_and(|next| next.eq_ignore_ascii_case("that"))
    {
        mark(&mut elements[..=verb]);
    }
}

fn mark(elements: &mut [Element]) {
    for element in elements.iter_mut().filter(|element| element.role != Role::Figure && !element.marked) {
        element.role = Role::Attribution;
    }
}

/// Chinese joints, adverbs and `据……显示，`.
fn chinese(text: &str, elements: &mut [Element]) {
    if !elements.iter().any(|element| element.role == Role::Character) {
        return;
    }
    let mut at = 0;
    while at < elements.len() {
        let start = elements[at].start;
        let first = text[start..].chars().next().is_some_and(begins_joint);
        let joint = || CHINESE.iter().find(|(words, _)| text[start..].starts_with(words));
        let found = first.then(joint).flatten();
        let Some((words, role)) = found.filter(|_| elements[at].role == Role::Character) else {
            at += 1;
            continue;
        };
        while let Some(element) = elements.get_mut(at).filter(|element| element.start < start + words.len()) {
            if !element.marked {
                element.role = *role;
            }
            at += 1;
        }
    }
    let first = elements.first().map_or(0, |element| element.start);
    let begins = ["据", "根据", "按照"].iter().any(|word| text[first..].starts_with(word));
    if begins && let Some(comma) = text[first..].find(['，', ',']) {
        let count = elements.iter().take_while(|element| element.start < first + comma).count();
        if count <= 24 {
            mark(&mut elements[..count]);
        }
    }
}

#[rustfmt::skip]
const CHINESE: &[(&str, Role)] = &[
    ("此外", Role::Discourse), ("同时", Role::Discourse), ("因此", Role::Discourse), ("其中", Role::Discourse), ("目前", Role::Discourse), ("然而", Role::Discourse), ("另外", Role::Discourse),
    ("总体而言", Role::Discourse), ("总体来看", Role::Discourse), ("事实上", Role::Discourse), ("值得注意的是", Role::Discourse), ("需要指出的是", Role::Discourse), ("当前", Role::Discourse), ("近年来", Role::Discourse), ("例如", Role::Discourse),
    ("显著", Role::Adverb), ("明显", Role::Adverb), ("进一步", Role::Adverb), ("已经", Role::Adverb), ("正在", Role::Adverb), ("逐步", Role::Adverb), ("逐渐", Role::Adverb), ("持续", Role::Adverb), ("不断", Role::Adverb), ("大幅", Role::Adverb),
    ("非常", Role::Adverb), ("迅速", Role::Adverb), ("仍然", Role::Adverb), ("有效", Role::Adverb), ("稳步", Role::Adverb), ("普遍", Role::Adverb),
];

/// The first characters of those, so that most are passed over.
#[rustfmt::skip]
fn begins_joint(c: char) -> bool {
    matches!(c, '不' | '事' | '仍' | '例' | '值' | '其' | '另' | '同' | '因' | '大' | '已' | '当' | '总' | '持' | '明' | '显' | '普' | '有' | '正' | '此' | '然' | '目' | '稳' | '迅' | '近' | '进' | '逐' | '需' | '非')
}
