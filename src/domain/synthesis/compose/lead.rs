//! What stands before a quotation that says something else, or nothing, without it: `Do not: “store them fully charged”`.

use crate::domain::aggregate::result::Finding;
use crate::domain::synthesis::claims::{is_subject, names_a_thing};
use crate::domain::text::clean::quoted_line;
use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::pronouns::begins_with_pronoun;
use crate::domain::text::scripts::is_wide;
use crate::domain::text::turned::turn;
use crate::domain::text::words::{Lexicon, Word};

use super::quotation;

/// Words of a quotation without a stop that is no sentence.
const FRAGMENT_WORDS_MAX: usize = 6;
/// The same of one that doesn't begin as a sentence about something does.
const LINE_WORDS_MAX: usize = 8;
/// Words and bytes of one that begins like none, or with a label.
const ITEM_MAX: (usize, usize) = (12, 90);
/// Words of a label.
const LABEL_WORDS_MAX: usize = 3;
/// Words of a sentence that says little by itself: of one about something that was named before, and of any.
const SHORT_MAX: (usize, usize) = (12, 8);
/// Bytes of a topic that tells one of several labels of the same name.
const TOPIC_BYTES_MAX: usize = 80;
/// Words of a name.
const NAME_WORDS_MAX: usize = 4;
/// What an item begins with that tells something of what its heading names.
#[rustfmt::skip]
const TELLING: [&str; 66] = [
    "has", "is", "was", "had", "does", "lowers", "raises", "provides", "includes", "requires", "allows", "enables", "contains", "improves", "reduces", "supports", "helps", "keeps", "makes", "gives", "takes", "gets", "lets", "prevents", "inhibits",
    "depends", "relies", "lacks", "integrates", "connects", "serves", "consists", "combines", "delivers", "acts", "belongs", "affects", "ensures", "handles", "stores", "protects", "reaches", "remains", "grew", "rose", "fell", "led", "won", "lost", "sold",
    "bought", "built", "paid", "made", "took", "became", "began", "gave", "held", "kept", "ran", "spent", "wrote", "came", "got", "brought",
];
/// The same of words that name something as often: `Costs $20 a month`, `Costs have risen`; and what stands behind those that don't.
const NOUNS_TOO: [&str; 18] = [
    "costs",
    "offers",
    "uses",
    "needs",
    "covers",
    "plans",
    "runs",
    "works",
    "increases",
    "decreases",
    "causes",
    "blocks",
    "limits",
    "charges",
    "employs",
    "leads",
    "holds",
    "treats",
];
#[rustfmt::skip]
const OBJECTS: [&str; 22] = [
    "a", "an", "the", "its", "their", "all", "any", "both", "no", "up", "only", "about", "over", "around", "more", "most", "several", "many", "two", "three", "well", "best",
];
/// What stands behind what was done, and never behind how a thing is.
const BEHIND_PAST: [&str; 16] = [
    "in", "on", "at", "by", "with", "for", "from", "to", "as", "into", "after", "under", "through",
    "between", "that", "against",
];
/// What divides the cells of a row.
const BAR: &str = " | ";

/// The topic of a finding that turns what its quotation says, or says what a few words are about; `None` where the quotation says
/// that itself, or a language model wrote it.
pub fn lead(finding: &Finding) -> Option<&str> {
    if finding.by_model { None } else { lead_of(&finding.topic, &finding.content) }
}

/// The same of what stands below a topic.
pub fn lead_of<'t>(topic: &'t str, content: &str) -> Option<&'t str> {
    if topic.trim().is_empty() || content.contains(topic) {
        return None;
    }
    let is_fragment = is_fragment(content);
    let turns = turn(topic).is_some();
    let mut lexicon = Lexicon::default();
    let may = turns
        || is_fragment && (topic.contains(BAR) || is_subject(topic, &mut lexicon))
        || is_data(content)
        || (points(content) || is_open(content) || lacks_subject(content)) && is_path(topic)
        || (points(content) && is_name(topic)
            || (is_open(content) || lacks_subject(content)) && is_heading(topic))
            && names_a_thing(topic, &mut lexicon);
    (may && !says(content, topic, &mut lexicon)).then_some(topic)
}

/// Whether a sentence speaks of something that was named before: `It has …`, `The machine has …`.
fn points(content: &str) -> bool {
    #[rustfmt::skip]
    const ARTICLES: [&str; 11] = ["The ", "Der ", "Die ", "Das ", "Le ", "La ", "L'", "Les ", "El ", "Los ", "Las "];
    begins_with_pronoun(content) || begins_with_any(content, &ARTICLES)
}

/// Whether a short sentence leaves open what it is of: `The dose is 400 mg.`, `Heat-up takes 40 seconds.`
fn is_open(content: &str) -> bool {
    let words = content.split_whitespace().take(SHORT_MAX.0 + 1).count();
    let names = || content.split_whitespace().skip(1).any(|word| word.starts_with(char::is_uppercase));
    points(content) && words <= SHORT_MAX.0 || words <= SHORT_MAX.1 && !names()
}

/// Whether what is said begins with what a thing does or did, and doesn't name it, however much is said: `Announced an investment of …`,
/// `Supports SCIM for all plans …`.
fn lacks_subject(content: &str) -> bool {
    let said = content.trim_start_matches(['*', '_', ' ']);
    let Some((first, rest)) = said.split_once(' ') else { return false };
    let lower = first.to_lowercase();
    let next = rest.split(' ').next().unwrap_or_default();
    let has_stop = content.ends_with(['.', '!', '?', '…']);
    let is_word = first.starts_with(|c: char| c.is_ascii_uppercase())
        && first[1..].bytes().all(|byte| byte.is_ascii_lowercase());
    let is_object = || {
        next.starts_with(|c: char| {
            c.is_uppercase() || c.is_ascii_digit() || matches!(c, '$' | '€' | '£' | '*' | '`')
        }) || OBJECTS.contains(&next)
    };
    // `Automated platforms use it` has one.
    let is_past = || {
        let is_form = !has_stop && lower.len() > 5 && lower.ends_with("ed") && !lower.ends_with("eed");
        is_form && (is_object() || BEHIND_PAST.contains(&next))
    };
    is_word
        && (TELLING.contains(&lower.as_str())
            || NOUNS_TOO.contains(&lower.as_str()) && is_object()
            || is_past())
}

/// Whether a finding is a few words below a line that says what they are: `## Root cause`, `Expired TLS certificate`; or behind a
/// label: `Winner: Postgres`.
pub(super) fn stands_below(finding: &Finding) -> bool {
    is_few_words(finding) && (label(&finding.content).is_some() || is_heading(&finding.topic))
}

/// Whether a finding is an item of a few words that says nothing of itself: `Two photos`.
pub(super) fn is_item(finding: &Finding) -> bool {
    is_few_words(finding) && label(&finding.content).is_none()
}

/// Whether it is a figure behind another, which stands for one of a row: `2011: 45,900`.
pub(super) fn is_of_series(finding: &Finding) -> bool {
    let is_number =
        |label: &str| label.chars().all(|c| c.is_ascii_digit() || matches!(c, '/' | '-' | '–' | ' '));
    let bare = finding.content.trim_start_matches(['*', '_', ' ']);
    is_few_words(finding)
        && bare.split_once(':').is_some_and(|(label, _)| !label.is_empty() && is_number(label))
}

/// Whether it is a few words, no row and no members of JSON.
fn is_few_words(Finding { content, by_model, .. }: &Finding) -> bool {
    let has_stop = content.ends_with(['.', '!', '?', '…', '。', '！', '？']);
    !by_model
        && !has_stop
        && content.split_whitespace().nth(LINE_WORDS_MAX).is_none()
        && !content.contains(BAR)
        && !is_data(content)
}

/// Whether a topic may be the line above a finding, not words of it.
fn is_heading(topic: &str) -> bool {
    // A name may be written so: `left-pad`.
    let is_name = || topic.len() > 2 && !topic.contains(|c: char| c.is_whitespace() || c.is_uppercase());
    !topic.starts_with(char::is_lowercase) || is_name()
}

/// Whether a topic has more than one line above a finding, of which the outer ones tell the nearest from others: `Dogs: Lifespan`.
fn is_path(topic: &str) -> bool {
    topic.contains(": ") && is_heading(topic) || topic.contains('：')
}

/// Whether it is members of JSON: no key of theirs says what they are of.
fn is_data(content: &str) -> bool {
    content.starts_with('"') && content.contains("\":")
}

/// Whether a topic is a name: `Server Alpha`, `iPhone 16`; not `Key findings`.
fn is_name(topic: &str) -> bool {
    let is_part =
        |word: &str| word.contains(char::is_uppercase) || word.starts_with(|c: char| c.is_ascii_digit());
    (2..=NAME_WORDS_MAX).contains(&topic.split(' ').count()) && topic.split(' ').all(is_part)
}

/// The same where it turns what is quoted.
pub fn turning_lead(finding: &Finding) -> Option<&str> {
    lead(finding).filter(|topic| turn(topic).is_some())
}

/// A quotation with what must stand before it.
pub fn led(finding: &Finding) -> String {
    with_lead(lead(finding), finding)
}

/// The same among other findings.
pub fn led_among(finding: &Finding, all: &[Finding]) -> String {
    with_lead(lead_among(finding, all), finding)
}

/// What stands before a quotation among others: where one quotes the same words, or says something behind the same label, it is told from
/// that by its topic, whatever that is. Of a numbered list all steps have what one of them has.
pub fn lead_among<'f>(finding: &'f Finding, all: &[Finding]) -> Option<&'f str> {
    let own = lead(finding);
    if own.is_some() || finding.by_model {
        return own;
    }
    let (content, topic) = (&finding.content, finding.topic.as_str());
    // `Make.md` says itself what is told of it.
    let is_aspect = |label: &&str| !label.contains(|c: char| c == '.' || c.is_ascii_digit());
    let named = label(content).filter(|label| label.split(' ').count() <= LABEL_WORDS_MAX).filter(is_aspect);
    let named = named.filter(|_| topic.len() <= TOPIC_BYTES_MAX);
    let is_twice = || all.iter().filter(|other| other.content == *content).nth(1).is_some();
    let is_labelled_alike =
        |other: &Finding| named.is_some() && other.topic != topic && label(&other.content) == named;
    let is_of_list = |other: &Finding| {
        let lists = finding.step.zip(other.step);
        lists.is_some_and(|((one, _), (of, _))| one == of) && other.topic == topic && lead(other).is_some()
    };
    let may = is_twice() || all.iter().any(|other| is_labelled_alike(other) || is_of_list(other));
    (may && !topic.trim().is_empty() && !says(content, topic, &mut Lexicon::default())).then_some(topic)
}

fn with_lead(topic: Option<&str>, finding: &Finding) -> String {
    below(topic, quotation(finding))
}

/// A quotation with the line above it, where there is one.
pub(super) fn below(line: Option<&str>, quotation: String) -> String {
    let Some(line) = line else { return quotation };
    let colon = if line.ends_with(['?', '？']) { "" } else { ":" };
    format!("{}{colon} {quotation}", quoted_line(line))
}

/// Whether a quotation is a row, or a few words: an item of a list.
fn is_fragment(content: &str) -> bool {
    let first = content.trim_start_matches(['*', '_', '`', '“', '"', '(', ' ']).chars().next();
    let words = content.split_whitespace().take(ITEM_MAX.0 + 1).count();
    let label = || label(content).filter(|label| label.split(' ').count() <= LABEL_WORDS_MAX);
    let is_item = || first.is_some_and(|c| c.is_lowercase() || c.is_ascii_digit()) || label().is_some();
    // `Price` is of something, however much is said of it.
    let is_of_something = || label().is_some_and(|label| !is_subject(label, &mut Lexicon::default()));
    let has_stop = content.ends_with(['.', '!', '?', '…', '。', '！', '？']);
    content.contains(BAR)
        || words <= ITEM_MAX.0 && content.len() <= ITEM_MAX.1 && is_item()
        || !has_stop && !content.contains(is_wide) && words <= FRAGMENT_WORDS_MAX
        || !has_stop && !content.contains(is_wide) && words <= LINE_WORDS_MAX && !points(content)
        || is_of_something()
}

/// The label that a quotation begins with, without what makes it bold: `Price` of `**Price:** $14`.
fn label(content: &str) -> Option<&str> {
    let (label, rest) = content.split_once(':')?;
    let is_label = rest.trim_start_matches(['*', '_']).starts_with(' ');
    is_label.then(|| label.trim_matches(['*', '_', ' '])).filter(|label| !label.is_empty())
}

/// Whether all words of a topic stand in a text. A name isn't meant by a word that only has its stem: `Meetly` by `meeting`.
fn says(text: &str, topic: &str, lexicon: &mut Lexicon) -> bool {
    let said: Vec<Word> = lexicon.words(text);
    let is_one = |word: &Word, of: &Word| {
        let [name, other] = [&topic[word.range()], &text[of.range()]].map(str::to_lowercase);
        of.term == word.term && (name.starts_with(&other) || other.starts_with(&name))
    };
    lexicon.words(topic).iter().all(|word| said.iter().any(|of| is_one(word, of)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::aggregate::result::Level;

    fn finding(topic: &str, content: &str) -> Finding {
        let (topic, content) = (topic.to_owned(), content.to_owned());
        let (sources, contributors) = (vec![1], vec!["a".to_owned()]);
        let confidence = Level::Low;
        Finding {
            topic,
            content,
            sources,
            confidence,
            contributors,
            verify: None,
            by_model: false,
            step: None,
        }
    }

    fn led_by(topic: &str, content: &str) -> bool {
        let mut finding = finding(topic, content);
        let led = led(&finding);
        assert!(led.ends_with(&quotation(&finding)));
        let is_led = led.starts_with(&format!("{}: “", finding.topic));
        assert_eq!(is_led, lead(&finding).is_some());
        finding.by_model = true;
        assert_eq!(lead(&finding), None);
        is_led
    }

    #[test]
    fn what_turns_a_quotation_or_says_what_a_few_words_are_about_stands_before_it() {
        for (topic, content) in [
            ("Do not", "store them fully charged for months"),
            ("The following claims are false", "Vaccines cause autism in children."),
            ("If you are under 26", "The rail card costs $35 per year."),
            ("Feature | Limit", "SSO | 5 users"),
            ("Pro plan", "5 GB of storage for each user"),
            ("Hotel Gracery", "Price: 18,900 yen a night with all taxes"),
            ("CVE-2024-1234", "Affects all versions before 2.3"),
            ("Server Alpha", "The machine has 16 GB of RAM and was bought in 2021."),
            ("Gamma 2", "It has 8 GB of RAM."),
            ("Adults", "The dose is 400 mg."),
            ("De'Longhi Dedica", "Heat-up takes 40 seconds."),
            ("Pro plan", "It has 5 GB of storage for each user."),
            ("basic", r#""price":10,"seats":5"#),
            ("Meetly", "**Participants:** up to 300 per meeting"),
            ("Huddle", "**Linux:** native client for Ubuntu and Fedora"),
            (
                "Huddle",
                "**Price:** $14 per user per month, billed annually, or $16 per user per month, billed monthly",
            ),
            ("Huddle", "Native client for Windows, macOS and Linux"),
            ("Adler", "Frühstück für 12 Euro am Tag"),
            ("left-pad", "Remove it."),
            (
                "Deloitte",
                "Announced an investment of $2 billion in generative AI through 2025, focused on platforms and training",
            ),
            (
                "Okta",
                "Supports SCIM and SAML for all plans, but charges extra for the management of lifecycles",
            ),
            (
                "Pro plan",
                "Costs $20 a month for each user, and $15 for those who are in a team of more than ten people",
            ),
            ("Dogs: Lifespan", "The average is 10 years."),
            ("Plan Basic: Limits", "The limit is 5 users."),
            ("竞速游戏：人口统计", "传统核心用户多为高校学生、程序员、白领，逐渐向年轻化倾斜"),
        ] {
            assert!(led_by(topic, content), "{topic}");
        }
        for (topic, content) in [
            ("Adults", "The dose for adults is 400 mg."),
            ("Pricing", "The price is 40 euros."),
            (
                "Adults",
                "Paracetamol is taken every six hours, and no more than four times on one and the same day.",
            ),
            ("price seats", r#""price":10,"seats":5"#),
            ("Server Alpha", "The alpha server has 16 GB of RAM."),
            ("Server Alpha", "Prices rose by 5 % in the whole of the region."),
            ("Key Findings", "The machine has 16 GB of RAM and was bought in 2021."),
            ("Overview", "It has 8 GB of RAM."),
            ("Key findings", "5 GB of storage for each user"),
            ("storage user", "5 GB of storage for each user"),
            ("Cost", "A pump costs 900 EUR"),
            ("not covered theft", "theft is not covered by this"),
            (
                "Mobile",
                "**CapCut**: quick and driven by templates, with effects, and with support of all of the platforms there are",
            ),
            ("Market", "The market grew by 5 percent in the last year"),
            (
                "Asset Allocation",
                "Automated platforms use the model as a foundation, with various customizations of risk profiles",
            ),
            (
                "Pro plan",
                "Costs have risen by 5 percent in the last year, and they will rise in the next one as well",
            ),
            (
                "Deloitte",
                "Analysts announced that an investment of $2 billion in generative AI is what they expect",
            ),
            (
                "Deloitte",
                "Based on what it says, analysts expect an investment of $2 billion in AI in the next year.",
            ),
            (
                "Key findings",
                "Announced an investment of $2 billion in generative AI through 2025, focused on training",
            ),
            ("", "5 GB of storage"),
        ] {
            assert!(!led_by(topic, content), "{topic}");
        }
    }

    #[test]
    fn equal_quotations_are_told_apart_by_their_topics() {
        let same = ["Contraindicated", "Recommended"]
            .map(|topic| finding(topic, "Ibuprofen in the third trimester of pregnancy"));
        let led = |all: &[Finding]| led_among(&same[1], all);
        assert_eq!(led(&same), "Recommended: “Ibuprofen in the third trimester of pregnancy” [1] — *a*");
        let [mut one, mut other] = [("MVO", "few"), ("Black-Litterman", "many")]
            .map(|(topic, said)| finding(topic, &format!("**Allocation**: spread over {said} of all the assets there are, by views on each of them and on none")));
        (one.step, other.step) = (None, None);
        assert_eq!(lead_among(&one, &[one.clone(), other.clone()]), Some("MVO"));
        assert_eq!(lead_among(&one, std::slice::from_ref(&one)), None);
        let mut steps =
            ["Install it with `make` on all of the servers of the cluster in May.", "Open the page."]
                .map(|said| finding("Docs", said));
        steps[0].step = Some((1, 0));
        assert_eq!(steps.each_ref().map(|step| lead_among(step, &steps)), [None, Some("Docs")]);
        steps[1].step = Some((1, 1));
        assert_eq!(steps.each_ref().map(|step| lead_among(step, &steps)), [Some("Docs"); 2]);
        assert_eq!(led(&same[1..]), "“Ibuprofen in the third trimester of pregnancy” [1] — *a*");
    }
}
