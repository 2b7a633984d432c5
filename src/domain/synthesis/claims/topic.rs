//! Short labels: what a finding is about, in the words of the results.

use std::cell::OnceCell;
use std::ops::Range;

mod clause;
mod label;
mod names;
mod numbering;
mod within;

pub(super) use self::label::is_meant;
pub(super) use self::numbering::names_version;
pub(in crate::domain::synthesis) use self::within::within;
use super::statements::{behind_box, lead};
use super::{Address, addresses};
use crate::domain::near_duplicates::{Features, Role};
use crate::domain::text::keys::in_words;
use crate::domain::text::scripts::is_wide;
use crate::domain::text::terms::TermMap;
use crate::domain::text::turned::turn_of_heading;
use crate::domain::text::words::Term;

/// In how many statements each term occurs: counted once a label asks, as most findings stand below a heading.
pub(super) struct Frequency<'f, 't> {
    features: &'f [Features<'t>],
    counted: OnceCell<TermMap<u32>>,
}

impl<'f, 't> Frequency<'f, 't> {
    pub(super) fn new(features: &'f [Features<'t>]) -> Self {
        Self { features, counted: OnceCell::new() }
    }

    fn of(&self, term: Term) -> u32 {
        self.counted.get_or_init(|| counted(self.features)).get(&term).copied().unwrap_or_default()
    }
}

fn counted(features: &[Features<'_>]) -> TermMap<u32> {
    let mut counted = TermMap::default();
    // Growing costs more than room for terms that occur twice.
    counted.reserve(features.iter().map(|of| of.terms.len()).sum::<usize>() / 2);
    for term in features.iter().flat_map(|of| &of.terms) {
        *counted.entry(*term).or_insert(0) += 1;
    }
    counted
}

/// How long a label may be, in characters.
const TOPIC_MAX: usize = 60;

/// Characters of the label of a list item that is one.
const LABEL_MAX: usize = 30;

/// Characters of a line that is shown because it turns what stands below it or heads the columns of a table, and of one with others
/// around it.
const TURNED_MAX: usize = 120;

/// Keys of JSON that say nothing of what stands behind them.
const NO_KEYS: [&str; 6] = ["ts\":", "timestamp\":", "text\":", "content\":", "message\":", "value\":"];

/// The lines above a statement, nearer ones last; empty where there are none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Above<'t> {
    pub heading: &'t str,
    /// What leads its list in.
    pub lead: &'t str,
    /// The label of the item that it is nested in.
    pub within: &'t str,
    /// Whether the lead stands above the heading, too: that of a row heads its columns, and an outer heading leads in as well.
    pub is_outer: bool,
}

/// What a statement is about: where a line above it turns what it says, `Do not`, that line, with what else has room beside it.
pub(super) fn topic_below(above: Above<'_>, of: &Features<'_>, frequency: &Frequency<'_, '_>) -> String {
    let Above { heading, lead, within, is_outer } = above;
    if lead.is_empty() {
        return topic_within((heading, within), of, frequency);
    }
    let lead = in_words(numbering::without(lead));
    let mut topic = lead.split_whitespace().collect::<Vec<_>>().join(" ");
    let (heading, within) = (in_words(numbering::without(heading)), numbering::without(within));
    let heading = &*heading;
    let room = |topic: &str, line: &str| {
        let is_new = !line.is_empty() && !topic.contains(line) && !line.contains(topic);
        is_new && topic.chars().count() + line.chars().count() < TURNED_MAX
    };
    let colon = if topic.ends_with(is_wide) { "：" } else { ": " };
    if room(&topic, heading) {
        // What heads the columns of a table stands below what leads it in.
        topic =
            if is_outer { format!("{topic}{colon}{heading}") } else { format!("{heading}{colon}{topic}") };
    }
    if room(&topic, within) {
        topic = format!("{topic}{colon}{within}");
    }
    topic
}

/// A topic below the lines above it, the outermost first, as many of them as there is room for, the nearest rather than others.
pub(super) fn below_all(over: &[&str], topic: String) -> String {
    let mut shown = topic;
    for line in over.iter().rev() {
        let line = begun(in_words(numbering::without(line)).split_whitespace().collect::<Vec<_>>().join(" "));
        let colon = if line.ends_with(is_wide) { "：" } else { ": " };
        let is_said = shown.split([':', '：']).any(|part| part.trim() == line);
        if !is_said && line.chars().count() + shown.chars().count() < TURNED_MAX {
            shown = format!("{line}{colon}{shown}");
        }
    }
    shown
}

/// The [label](labelled) of a sentence, with that of the item which it is nested in: under the heading `Micronutrients` the doses of
/// `Calcium` and `Vitamin D` are two topics.
fn topic_within((heading, label): (&str, &str), of: &Features<'_>, frequency: &Frequency<'_, '_>) -> String {
    let (bare, label) =
        (numbering::without(heading), numbering::without(label.trim_matches(['*', '_', ' '])));
    let is_long = bare.chars().count() > TOPIC_MAX || label.chars().count() > LABEL_MAX;
    if bare.is_empty() || label.is_empty() || is_long || bare.contains(label) {
        return labelled(bare, of, frequency);
    }
    let colon = if bare.ends_with(is_wide) { "：" } else { ": " };
    format!("{bare}{colon}{label}")
}

/// The heading, `bare` of its number, where it is short enough, or the bold words or the label that the sentence begins with; otherwise up to three of the sentence's words that occur in most statements,
/// names first, as they are written. A sentence without words between spaces is labelled by its first clause.
fn labelled(bare: &str, of: &Features<'_>, frequency: &Frequency<'_, '_>) -> String {
    let length = bare.chars().count();
    // Figures stand below the heads of all their columns.
    let is_whole = || bare.contains(" | ") || turn_of_heading(bare).is_some();
    if !bare.is_empty() && (length <= TOPIC_MAX || length <= TURNED_MAX && is_whole()) {
        return bare.to_owned();
    }
    if let Some(label) =
        above_list(of.text).or_else(|| lead(of.text)).or_else(|| label::label(behind_box(of.text)))
    {
        return label.to_owned();
    }
    let hidden: Vec<Range<usize>> = addresses(of.text).iter().map(shown_by_none).collect();
    let is_said = |start: usize| {
        let before = &of.text[..start];
        let is_box = before.ends_with('[')
            && of.text[start..].starts_with(['x', 'X'])
            && of.text[start + 1..].starts_with(']');
        !before.ends_with('<')
            && !before.ends_with("</")
            && !is_box
            && !NO_KEYS.iter().any(|key| of.text[start..].starts_with(key))
            && hidden
                .get(hidden.partition_point(|range| range.end <= start))
                .is_none_or(|range| range.start > start)
    };
    let is_aside = asides(of.text);
    let mut words: Vec<_> = (of.elements.iter())
        .filter(|element| matches!(element.role, Role::Content | Role::Name) && is_said(element.start))
        .map(|element| {
            let is_main = !is_aside(element.start) && !is_key(of.text, element.start);
            let rank = (is_main, element.role == Role::Name, frequency.of(element.term));
            (rank, element)
        })
        .collect();
    words.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.start.cmp(&b.1.start)));
    let mut chosen = names::chosen(of.text, words.iter().map(|word| word.1.start));
    with_negations(&mut chosen, of);
    let label: Vec<&str> = chosen.into_iter().map(|range| &of.text[range]).collect();
    let label = if label.is_empty() { clause::first(of.text).to_owned() } else { begun(label.join(" ")) };
    within(&label, TOPIC_MAX).to_owned()
}

/// The line above the list that a text is with it: `Changed files:`.
fn above_list(text: &str) -> Option<&str> {
    let (line, list) = text.split_once('\n')?;
    let is_list = list.trim_start().starts_with(['-', '*', '•', '+', '1']);
    let line = line.trim().trim_matches(['*', '_', ':', '：', ' ']);
    (is_list && !line.is_empty() && line.chars().count() <= TOPIC_MAX).then_some(line)
}

/// Whether a place of a text stands in brackets with a figure: `(HR 1.01; P = 0.93)`, which says more of what the sentence is about than
/// what that is.
fn asides(text: &str) -> impl Fn(usize) -> bool {
    let mut found: Vec<Range<usize>> = Vec::new();
    for open in memchr::memchr_iter(b'(', text.as_bytes()) {
        let Some(length) = text[open..].find(')') else { break };
        let has_figure = text.as_bytes()[open..open + length].iter().any(u8::is_ascii_digit);
        found.extend(has_figure.then_some(open..open + length));
    }
    move |at| found.iter().any(|aside| aside.contains(&at))
}

/// Whether a word is the key of a member of JSON, which says less than its value: `"text": "Arrived at Hamburg"`.
fn is_key(text: &str, start: usize) -> bool {
    if !text[..start].ends_with('"') {
        return false;
    }
    let behind = text[start..].trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-'));
    behind.starts_with("\":")
}

/// Adds what denies a word of a label, which would say the opposite without it: `No data lost`, not `Data lost`.
fn with_negations(label: &mut Vec<Range<usize>>, of: &Features<'_>) {
    let Some(last) = label.last().map(|range| range.start) else { return };
    let denying = of.marks.iter().filter(|marked| marked.mark.is_negation() && marked.start < last);
    for denying in denying {
        let range = denying.start..denying.start + denying.written(of.text).len();
        let stands = |other: &Range<usize>| other.start < range.end && range.start < other.end;
        if !label.iter().any(stands) {
            label.push(range);
        }
    }
    label.sort_by_key(|range| range.start);
}

/// A label with a capital at its beginning, as a heading has it; not in `iPhone`, which is written so. Two sentences that begin
/// differently are of one topic then.
fn begun(mut label: String) -> String {
    let word = label.split(' ').next().unwrap_or_default();
    if word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(char::is_lowercase) {
        label[..1].make_ascii_uppercase();
    }
    label
}

/// The bytes of an address itself: the words of a link say something, its destination doesn't.
fn shown_by_none(address: &Address<'_>) -> Range<usize> {
    let end = address.range.end - usize::from(address.linked);
    end - address.url.len()..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::near_duplicates::Reader;

    #[test]
    fn labels_are_words_that_are_said() {
        for (text, label) in [
            ("见https://a.example/c：市场规模扩大了很多！", "市场规模扩大了很多"),
            ("市场规模扩大了很多，需求也在增长。", "市场规模扩大了很多"),
            ("2024年，市场规模扩大了很多。", "市场规模扩大了很多"),
            ("报告指出：市场规模扩大了很多，需求增长。", "市场规模扩大了很多"),
            ("市场规模：较小。", "市场规模"),
            ("副作用：\n- 头痛\n- 恶心", "副作用"),
            ("Members\n- Ana\n- Ben", "Members"),
            ("增长了。", "增长了"),
            ("东京、大阪和名古屋都是人口很多的城市。", "东京、大阪和名古屋"),
            ("新能源汽车的市场在过去的五年中增长到三倍以上。", "新能源汽车的市场"),
            ("农业部门的用水量成为各地政府近年来关注的问题。", "农业部门的用水量"),
            ("各地政府部门近年来关注农业用水量问题研究。", "各地政府部门近年来关注农业用水"),
            ("It was so.", "It was so."),
            ("東京は日本の首都であり、人口が最も多い都市です。", "東京"),
            ("大阪の人口は減少しています。", "大阪の人口"),
            ("これは減少しています。", "これは減少しています"),
            ("減少ではない。", "減少ではない"),
            ("Prices rose (https://a.example/c).", "Prices rose"),
            ("Prices rose: [Reuters](https://a.example/c).", "Prices rose"),
            ("**Rents:** prices rose.", "Rents"),
            ("<b>Prices</b> rose.", "Prices rose"),
            ("In the EU, consumers have a right of withdrawal.", "EU consumers right"),
            ("The CEO resigned.", "CEO resigned"),
            ("The U.S. economy grew by 5%.", "U.S. economy grew"),
            ("E-Mail is used by most people.", "E-Mail used people"),
            ("Team A won against Team B.", "Team A won Team B"),
            ("A sum of 5 USD is due.", "Sum due"),
            ("Der Vertrag ist bis zum Ende des Jahres kündbar.", "Vertrag Ende Jahres"),
            ("Der Zins liegt bei 5 % für das Jahr.", "Zins liegt Jahr"),
            ("La tasa de paro en España es del 12 %.", "Tasa paro España"),
            ("Le taux normal est de 20 %.", "Taux normal"),
            ("La Maria de Alba vive.", "Maria Alba vive"),
            ("版本3.11.4于2026-05-01发布并且修复了问题。", "版本3.11.4于"),
            ("Not recommended: pgvector above 10M vectors.", "Not recommended"),
            ("No data was lost.", "No data lost"),
            ("We should not migrate the shop before Q3.", "Not migrate shop"),
            ("The service isn't available in France.", "Service isn't available France"),
            ("Der Dienst ist in Frankreich nicht verfügbar.", "Dienst Frankreich nicht verfügbar"),
            ("Prices rose, but not for long.", "Prices rose not long"),
            ("An iPhone costs money.", "iPhone costs money"),
            ("भारत की जनसंख्या लगभग 140 करोड़ है।", "भारत की जनसंख्या"),
            ("தமிழ்நாட்டின் தலைநகரம் சென்னை ஆகும்.", "தமிழ்நாட்டின் தலைநகரம் சென்னை"),
            ("বাংলাদেশের জনসংখ্যা প্রায় সতেরো কোটি।", "বাংলাদেশের জনসংখ্যা প্রায়"),
            ("Die Hard is a film of 1988 and the first one.", "Die Hard film"),
            ("The fee is €12.5 a month.", "Fee month"),
            ("Fee: €12.5 a month.", "Fee"),
            ("€12.5 is the fee of the plan.", "Fee plan"),
            ("It is €12.5.", "It is €12.5."),
            ("[x] Chloe books a room for it.", "Chloe books room"),
            ("\"ts\": \"2025-04-07\", \"text\": \"Arrived at hub Hamburg\"", "Arrived hub Hamburg"),
            ("\"ts\": \"2025-04-07\", \"text\": \"Departed Rotterdam\"", "Departed Rotterdam"),
            ("Metformin cut cancer incidence by 31% (SRR 0.69; CI 0.52–0.90).", "Metformin cut cancer"),
            (
                "Dazu kommen 20 % Klimageschwindigkeitsbonus und 30 % Einkommensbonus der Haushaltseinkommen.",
                "Klimageschwindigkeitsbonus Einkommensbonus",
            ),
        ] {
            let of = Reader::default().read(text);
            let frequency = Frequency::new(std::slice::from_ref(&of));
            assert_eq!(labelled("", &of, &frequency), label, "{text}");
        }
    }

    #[test]
    fn lines_that_turn_what_is_said_are_shown() {
        let of = Reader::default().read("store them fully charged for months");
        let frequency = Frequency::new(std::slice::from_ref(&of));
        let long = "The right of withdrawal does not exist for any of the goods that are listed in this part of the law";
        for (heading, lead, within, is_outer, topic) in [
            ("Storage", "Do not", "", false, "Storage: Do not"),
            ("", "Do not", "", false, "Do not"),
            ("Do not", "Do not", "", false, "Do not"),
            ("1. Storage", "Do not", "In winter", false, "Storage: Do not: In winter"),
            ("Goods of all kinds that are sold", long, "", false, long),
            ("Feature | Limit", "Not supported", "", true, "Not supported: Feature | Limit"),
            ("Drugs", "Not recommended", "", true, "Not recommended: Drugs"),
            ("not_included", "not_included", "", false, "not included"),
            ("存放", "请勿", "", false, "存放：请勿"),
            ("Storage", "", "Winter", false, "Storage: Winter"),
        ] {
            let above = Above { heading, lead, within, is_outer };
            assert_eq!(topic_below(above, &of, &frequency), topic, "{lead}");
        }
        let heading = "What you should not do with batteries that contain a lot of lithium";
        assert_eq!(labelled(heading, &of, &frequency), heading);
        let heading = heading.replace("not ", "");
        assert_eq!(labelled(&heading, &of, &frequency), "Store fully charged");
    }
}
