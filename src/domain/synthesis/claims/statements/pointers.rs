//! Sentences that only say where something stands, or that it will follow: `See thread for details.`, `以下将提供方案。`

use super::addresses::addresses;
use crate::domain::text::phrases::{begins_with_any, behind_any, ends_with_any, has_any};

/// Words, and characters of a language without blanks, of a sentence that only points.
const WORDS_MAX: usize = 10;
const CHARS_MAX: usize = 16;
/// The same of one that says what follows.
/// Words between what sends and the link.
const BESIDE_WORDS_MAX: usize = 4;
const FOLLOWING_WORDS_MAX: usize = 25;
const FOLLOWING_CHARS_MAX: usize = 60;

/// How one begins that points, and how it ends.
const SENDS: [&str; 8] =
    ["see ", "please see ", "refer to ", "please refer to ", "details: see ", "siehe ", "voir ", "véase "];
#[rustfmt::skip]
const PLACES: [&str; 14] = [
    " for details", " for more details", " for further details", " for full details", " for the details", " for more information", " for further information", " for more", " below", " above",
    " unten", " oben", " ci-dessous", " ci-dessus",
];
const CHINESE_SENDS: [&str; 9] =
    ["详见", "参见", "见下文", "见上文", "详情见", "详情请见", "具体见", "请参见", "请参阅"];

/// How one begins that says what follows, and what that will do.
#[rustfmt::skip]
const FOLLOWING: [&str; 6] = [
    "the following section ", "the following sections ", "the next section ", "the next sections ", "this section will ", "this report will ",
];
#[rustfmt::skip]
const DOES: [&str; 20] = [
    "describe", "describes", "discuss", "discusses", "present", "presents", "provide", "provides", "outline", "outlines", "cover", "covers", "explain", "explains", "examine", "examines",
    "explore", "explores", "summarize", "summarizes",
];
const CHINESE_FOLLOWING: [&str; 5] = ["以下将", "下文将", "下面将", "本节将", "本章将"];
const CHINESE_DOES: [&str; 12] =
    ["提供", "介绍", "分析", "讨论", "列出", "展示", "给出", "阐述", "说明", "探讨", "梳理", "详细"];

/// What a place in a law or a paper is called by, and words of one in brackets.
const PARTS: [&str; 12] =
    ["§", "§§", "art.", "article", "artikel", "sec.", "section", "clause", "para.", "p.", "pp.", "ст."];
const PLACE_WORDS_MAX: usize = 8;

/// Whether a sentence is nothing but a place in brackets, as it stands behind a quotation: `(§ 7 Abs. 3 BUrlG)`.
fn is_place(sentence: &str) -> bool {
    let inside = sentence.trim().strip_prefix(['(', '（']).and_then(|rest| rest.strip_suffix([')', '）']));
    let words = || inside.unwrap_or_default().split_whitespace();
    let is_part = words().next().is_some_and(|first| PARTS.contains(&first.to_lowercase().as_str()));
    let is_numbered = words().nth(1).is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()));
    is_part && is_numbered && words().count() <= PLACE_WORDS_MAX
}

/// Whether a sentence does nothing but send to what it links: `See the [migration guide](https://…) for details.`
pub(super) fn sends_to_link(sentence: &str) -> bool {
    let bare = sentence.trim_matches(|c: char| c.is_whitespace() || "*_.".contains(c));
    let begins = |one: &&str| bare.get(..one.len()).is_some_and(|head| head.eq_ignore_ascii_case(one));
    let Some(first) = SENDS.iter().find(|one| begins(one)) else { return false };
    let found = addresses(bare);
    let [link] = &found[..] else { return false };
    let before = bare.get(first.len()..link.range.start).unwrap_or(",");
    let behind = bare[link.range.end..].to_lowercase();
    // What says something beside that has a comma, or more words.
    before.split_whitespace().count() <= BESIDE_WORDS_MAX
        && !before.contains([',', ';', ':'])
        && (PLACES.contains(&behind.as_str()) || behind.is_empty() && link.linked)
}

/// Whether a sentence only says where something stands, or what will follow. What says something beside that has a
/// comma or a stop, or is long.
pub(super) fn is_pointer(sentence: &str) -> bool {
    if is_place(sentence) {
        return true;
    }
    let bare = sentence.trim_matches(|c: char| c.is_whitespace() || "()（）*_.。！!".contains(c));
    if bare.contains([',', ';', '，', '；', '：', '\n']) || bare.len() > 4 * FOLLOWING_CHARS_MAX {
        return false;
    }
    let begins = |all: &[&str]| all.iter().any(|one| bare.starts_with(one));
    if begins(&CHINESE_SENDS) {
        return bare.chars().count() <= CHARS_MAX;
    }
    if begins(&CHINESE_FOLLOWING) {
        let does = has_any(bare, &CHINESE_DOES);
        return does && bare.chars().count() <= FOLLOWING_CHARS_MAX;
    }
    // Nearly all end here.
    if !bare.starts_with(['s', 'S', 'p', 'P', 'r', 'R', 'd', 'D', 't', 'T', 'v', 'V']) {
        return false;
    }
    let lower = bare.to_lowercase();
    let words = lower.split_whitespace().count();
    let sends = begins_with_any(&lower, &SENDS) && ends_with_any(&lower, &PLACES);
    let behind = behind_any(&lower, &FOLLOWING);
    let verb = behind.map(|rest| rest.strip_prefix("will ").unwrap_or(rest));
    let follows = verb.and_then(|rest| rest.split(' ').next()).is_some_and(|verb| DOES.contains(&verb));
    sends && words <= WORDS_MAX
        || follows && words <= FOLLOWING_WORDS_MAX && !lower.contains(char::is_numeric)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use super::{is_pointer, sends_to_link};

    #[test]
    fn what_only_sends_to_a_link_states_nothing() {
        const LINK: &str = "[migration guide](https://nine.example/v5/migrate)";
        for text in ["See the LINK for details.", "See LINK.", "Please see the LINK for more information."] {
            let text = text.replace("LINK", LINK);
            assert!(sends_to_link(&text), "{text}");
            let beside = format!("The limit is five requests.\n\n{text}");
            let found = read(&beside, "a");
            assert!(found.len() == 1 && found[0].sources.is_empty(), "{found:?}");
        }
        for text in [
            "See the LINK for details, as the limit is 5.",
            "See LINK: the limit is 5.",
            "Seen in LINK for details.",
            "The LINK has details.",
            "See how the LINK explains the limit of five requests for details.",
        ] {
            assert!(!sends_to_link(&text.replace("LINK", LINK)), "{text}");
        }
    }

    #[test]
    fn a_place_in_brackets_behind_a_quotation_is_none() {
        for place in ["(§ 7 Abs. 3 BUrlG)", "(Art. 5 GDPR)", "(p. 12 of the report)"] {
            assert!(is_pointer(place), "{place}");
        }
        for said in ["§ 7 Abs. 3 BUrlG gilt für alle.", "(Art is long)", "(It is small)", "(§ 7)x"] {
            assert!(!is_pointer(said), "{said}");
        }
    }

    #[test]
    fn what_only_points_is_told_from_what_says_something() {
        for sentence in [
            "See thread for details.",
            "Please refer to the appendix for more information.",
            "(See the table below.)",
            "Siehe die Tabelle unten.",
            "The following sections describe the market in detail.",
            "This section will outline the main risks of the plan.",
            "详见附录三。",
            "以下将提供针对53岁成年人的两周食谱方案。",
        ] {
            assert!(is_pointer(sentence), "{sentence}");
        }
        for sentence in [
            "As shown above, the value is 30.",
            "See the error rate of 5%: it rose after the deploy.",
            "Seen from above, the lake is round.",
            "See that the valve is closed.",
            "This section of the road covers 5 km.",
            "The following section is closed until May.",
            "Temperatures stayed below",
            "The report will be published in May.",
            "38度以下将继续观察。",
            "以下将被禁止：塑料袋、吸管。",
            "详见附录三，其中说明价格自2024年以来上涨了百分之五。",
        ] {
            assert!(!is_pointer(sentence), "{sentence}");
        }
    }

    #[test]
    fn pointers_are_no_statements_unless_they_cite_or_are_all() {
        let stated =
            |text: &'static str| read(text, "a").into_iter().map(|said| said.text).collect::<Vec<_>>();
        assert_eq!(stated("The launch moved to May. See thread for details."), ["The launch moved to May."]);
        assert_eq!(stated("The launch moved to May. See the plan of Acme for details [1].").len(), 2);
        assert_eq!(stated("See thread for details."), ["See thread for details."]);
    }
}
