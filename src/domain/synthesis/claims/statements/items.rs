//! Items of lists that say something in a few words beside sentences: `Basic: $10 per month`, `Fixed in 3.0.12`, `2. Click Security`.

use super::cells::verdict;
use super::edges::edges;
use super::entries::is_reference;
use super::few_words::may_answer;
use super::labels::is_counted;
use super::least::{Least, answers};
use super::lines::is_led;
use super::mixed::is_judging;
use crate::domain::text::blocks::{Block, Kind};
use crate::domain::text::phrases::behind_any;
use crate::domain::text::scripts::is_wide;

/// What a part of a text is called by, with its number behind it.
#[rustfmt::skip]
const PARTS: [&str; 16] = [
    "section", "chapter", "part", "appendix", "table", "figure", "abschnitt", "kapitel", "teil", "anhang", "chapitre", "partie", "annexe", "sección", "capítulo", "parte",
];

/// How much an item must say beside sentences. What is bold, or has others below it, heads them.
pub(super) fn least(text: &str, item: &Block, next: Option<&Block>) -> Least {
    let Kind::ListItem { indent, ordered } = item.kind else { return Least::Sentence };
    let is_below = |next: &Block| match next.kind {
        Kind::ListItem { indent: below, .. } => below > indent,
        Kind::Paragraph => text[next.content(text)].starts_with([' ', '\t']),
        Kind::Heading { .. } | Kind::Quote | Kind::Code { .. } | Kind::Table | Kind::Rule | Kind::Html => {
            false
        }
    };
    match ordered {
        _ if is_bold(&text[item.range.clone()]) && !tells(text, item, next) => Least::Listed,
        _ if next.is_some_and(is_below) => Least::Above,
        true => Least::Step,
        false => Least::Point,
    }
}

/// Whether an item says something: what of a label, or a figure, or what to do. Titles of parts and of what was read don't.
pub(super) fn says(text: &str, least: Least) -> bool {
    let text = behind_box(text);
    if !answers(text, true) || text.contains("://") || is_part(text) {
        return false;
    }
    if tells_verdict(text) {
        return matches!(least, Least::Point | Least::Step);
    }
    let has_figure = text.contains(char::is_numeric);
    let is_labelled = || {
        let value = text.split_once([':', '：']).map(|(_, value)| value);
        is_led(text) && value.is_some_and(|value| value.contains(char::is_alphanumeric))
    };
    match least {
        Least::Point => is_labelled() || has_words(text) && has_figure && !is_title(text) || turns_into(text),
        Least::Step => is_labelled() || has_words(text) && !is_reference(text),
        Least::Above => has_figure && is_labelled(),
        Least::Sentence | Least::Listed | Least::Record | Least::Answer | Least::Item => false,
    }
}

/// What stands behind the box of a task: `[x] Chloe: book hotel`.
pub(in crate::domain::synthesis::claims) fn behind_box(text: &str) -> &str {
    behind_any(text, &["[ ] ", "[x] ", "[X] "]).unwrap_or(text)
}

/// `` `nickname` → `display_name` ``
fn turns_into(text: &str) -> bool {
    let says = |part: &str| part.contains(char::is_alphanumeric);
    [" → ", " -> ", " => "]
        .iter()
        .any(|arrow| text.split_once(arrow).is_some_and(|(one, other)| says(one) && says(other)))
}

/// Whether an item's mark says that what it names is so, or isn't: `✅ SSO`. A mark may stand before what heads a list as well.
fn tells_verdict(text: &str) -> bool {
    let Some(mark) = text.chars().next() else { return false };
    let behind = text[mark.len_utf8()..].trim_start_matches(['\u{FE0F}', ' ']);
    verdict(&text[..mark.len_utf8()]).is_some()
        && !mark.is_alphanumeric()
        && !behind.starts_with('*')
        && may_answer(behind, false)
        && !is_judging(behind)
}

/// Whether an item is nothing but bold words: they head what follows.
fn is_bold(item: &str) -> bool {
    let is_mark =
        |c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | '-' | '+' | '•' | ' ' | '\t' | '\n');
    let item = item.trim_start_matches(is_mark);
    let item = item.strip_prefix("* ").unwrap_or(item).trim_start();
    let inside = item.trim_end().trim_end_matches([':', '：']).strip_prefix("**");
    inside.and_then(|inside| inside.strip_suffix("**")).is_some_and(|inside| !inside.contains("**"))
}

/// Whether an item of nothing but bold words says what of its label, `**Total to pay: £10,950**`: with nothing below it, and behind its
/// list no paragraph that it may head.
fn tells(text: &str, item: &Block, next: Option<&Block>) -> bool {
    let said = edges(&text[item.content(text)]);
    let Kind::ListItem { indent, ordered } = item.kind else { return false };
    let Some((label, value)) = said.trim_matches('*').split_once([':', '：']) else { return false };
    let has_figure = value.contains(|c: char| c.is_ascii_digit());
    let is_last = match next.map(|next| next.kind) {
        None | Some(Kind::Heading { .. } | Kind::Rule) => true,
        Some(Kind::ListItem { indent: below, .. }) => below <= indent,
        Some(Kind::Paragraph) => has_figure && !ordered,
        Some(Kind::Quote | Kind::Code { .. } | Kind::Table | Kind::Html) => false,
    };
    is_last
        && value.contains(char::is_alphanumeric)
        && !label.contains('\n')
        && !is_counted(said.trim_matches('*'))
}

/// Two words or more, or four Chinese or Japanese characters.
fn has_words(text: &str) -> bool {
    let words = text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric));
    words.take(2).count() == 2 || text.chars().filter(|c| is_wide(*c)).take(4).count() == 4
}

/// `Chapter 2: Methods`, where no other figure is.
fn is_part(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let (Some(name), Some(number)) = (words.next(), words.next()) else { return false };
    let is_number = number.trim_end_matches([':', '.', ')']).bytes().all(|byte| byte.is_ascii_digit());
    is_number
        && PARTS.contains(&name.to_lowercase().as_str())
        && !words.any(|word| word.contains(char::is_numeric))
}

/// `World Economic Outlook 2024`: no figure but a year, and most words in capitals; and what only references have.
fn is_title(text: &str) -> bool {
    let words = || text.split_whitespace().filter(|word| word.contains(char::is_alphabetic));
    let lower = words().filter(|word| word.starts_with(char::is_lowercase)).count();
    let mut numbers =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.contains(char::is_numeric));
    let is_year = |word: &str| word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
    is_reference(text) || numbers.all(is_year) && words().count() > 0 && lower * 2 < words().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_say_something_by_a_label_a_figure_or_a_number_of_their_own() {
        for text in [
            "Basic: $10 per month",
            "Not affected: 5.2.x",
            "**Owner**: the city",
            "Fixed in 3.0.12",
            "basic plan $10",
            "Founded in 2015",
            "价格：10元",
            "每月价格10元",
        ] {
            assert!(says(text, Least::Point), "{text}");
        }
        for text in [
            "Overview",
            "Costs and benefits",
            "2024",
            "Costs:",
            "**Costs:**",
            "What changed in 2024?",
            "Chapter 2: Methods",
            "Section 3",
            "World Economic Outlook 2024",
            "Smith et al. 2020 on growth",
            "Docs: https://a.example/5",
        ] {
            assert!(!says(text, Least::Point), "{text}");
        }
        assert!(says("Open Settings", Least::Step) && says("打开设置", Least::Step));
        assert!(!says("Overview", Least::Step) && !says("Chapter 2", Least::Step));
        assert!(says("Basic: $10", Least::Above) && !says("Owner: the city", Least::Above));
        assert!(!says("Basic: $10", Least::Sentence));
    }

    #[test]
    fn bold_items_with_a_label_and_a_figure_say_something() {
        let stated = |text: &str| {
            super::super::super::tests::read(text, "a").into_iter().map(|said| said.text).collect::<Vec<_>>()
        };
        const BEHIND: &str = "Running costs are higher than with gas.";
        let text = format!(
            "Quote for a house:\n\n- Unit: £13,850\n- Grant: −£5,000\n- **Total to pay: £10,950**\n\n{BEHIND}"
        );
        assert_eq!(stated(&text), ["Unit: £13,850", "Grant: −£5,000", "Total to pay: £10,950", BEHIND]);
        let specs = "Here are the specs:\n\n- Battery: 10 hours\n- **Charger: USB-C**";
        assert_eq!(stated(specs), ["Battery: 10 hours", "Charger: USB-C"]);
        let first = format!("1. **Charger: USB-C**\n2. Battery: 10 hours\n\n{BEHIND}");
        assert_eq!(stated(&first), ["Charger: USB-C", "Battery: 10 hours", BEHIND]);
        // What heads something states nothing.
        for head in [
            "- **Total to pay: £10,950**\n  - ",
            "1. **Option: Rust 2.0**\n\n",
            "- **Overview: the plan**\n\n",
            "- **Phase 2: Rollout**\n- ",
            "- **Costs:**\n- ",
            "- **Top 5 risks**\n- ",
        ] {
            assert_eq!(stated(&format!("{BEHIND}\n\n{head}{BEHIND}")), [BEHIND, BEHIND], "{head}");
        }
    }

    #[test]
    fn bold_items_head_what_follows() {
        for item in ["1. **Top 5 risks**\n", "- **Costs:**", "* **Costs**:\n\n"] {
            assert!(is_bold(item), "{item}");
        }
        for item in ["- **Costs**: 5", "- Costs", "* **Costs** and **rents**"] {
            assert!(!is_bold(item), "{item}");
        }
    }
}
