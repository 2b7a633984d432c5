//! Where a task or a heading says to look: `Search Reuters for …`, `Check Confluence`, `Costs by IRENA`. That is no subject.

use super::own::Own;
use std::borrow::Cow;

/// Who publishes, and is rarely spoken of; in small letters, of several words the first.
#[rustfmt::skip]
const PUBLISHERS: &[&str] = &[
    "reuters", "bloomberg", "afp", "dpa", "bbc", "cnn", "cnbc", "npr", "guardian", "economist", "nyt", "wsj", "forbes", "techcrunch", "politico", "wikipedia", "britannica", "wikidata", "statista", "eurostat",
    "destatis", "gartner", "forrester", "idc", "nielsen", "gallup", "crunchbase", "oecd", "spiegel", "faz", "handelsblatt", "tagesschau", "heise", "insee", "istat", "nikkei", "xinhua", "nhk", "pubmed", "arxiv",
    "tripadvisor", "imdb", "irena", "iea", "eia", "nrel", "imf", "who", "ipcc", "fao", "ilo", "bnef", "lazard", "mckinsey", "deloitte", "pwc", "kpmg", "edgar", "jstor", "scopus",
];
/// Those of them that are written about as firms as well.
const FIRMS: [&str; 4] = ["mckinsey", "deloitte", "pwc", "kpmg"];
/// Tools in which one looks. They are also products, so that these are read as a place only behind a verb.
#[rustfmt::skip]
const TOOLS: &[&str] = &[
    "confluence", "jira", "slack", "notion", "wiki", "sharepoint", "drive", "github", "gitlab", "gmail", "zendesk", "google", "bing", "duckduckgo", "intranet", "reddit", "quora", "youtube", "twitter", "linkedin",
    "docs", "documentation", "web", "internet", "database", "email", "emails", "archive", "handbook",
];
const LOOKING: &[&str] = &[
    "search", "check", "look", "read", "query", "browse", "consult", "scan", "ask", "use", "open", "visit",
    "see", "find",
];
const GIVING: &[&str] = &["by", "from", "per", "via"];
/// Stand between a verb and the place.
const AT: &[&str] = &["the", "at", "in", "on", "into", "through", "our", "to", "up"];
/// Stand behind a place: no `Slack pricing`.
const BEHIND: &[&str] = &["for", "about", "on", "to", "and", "regarding", "says", "reports"];

/// A line without the names of places to look at. Where a sentence doesn't say itself what it is about, they may be that, unless
/// the task says `for` what one should look there.
pub(super) fn without_sources(line: &str, own: Own) -> Cow<'_, str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let found = (0..words.len()).filter(|&at| is_source(&words, at, own)).collect::<Vec<_>>();
    if found.is_empty() {
        return Cow::Borrowed(line);
    }
    let kept = words.iter().enumerate().filter(|(at, _)| !found.contains(at)).map(|(_, word)| *word);
    Cow::Owned(kept.collect::<Vec<_>>().join(" "))
}

/// Whether a line is nothing but the name of a firm that publishes: `## Deloitte` may head what it says, and what is said of it.
pub(super) fn is_firm(line: &str) -> bool {
    FIRMS.iter().any(|firm| line.trim().eq_ignore_ascii_case(firm))
}

/// Whether a word is the name of who publishes.
pub(super) fn publishes(word: &str) -> bool {
    PUBLISHERS.contains(&word.to_lowercase().as_str())
}

/// Whether a word is the name of what one looks in: `Google`, behind a verb that asks.
pub(super) fn is_looked_in(word: &str) -> bool {
    TOOLS.contains(&word.to_lowercase().as_str())
}

fn is_source(words: &[&str], at: usize, own: Own) -> bool {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let name = bare(words[at]);
    let is_publisher = PUBLISHERS.contains(&name.as_str());
    if !words[at].starts_with(char::is_uppercase) || !is_publisher && !TOOLS.contains(&name.as_str()) {
        return false;
    }
    let next = words.get(at + 1).map(|next| bare(next));
    let ends = words[at].ends_with([',', ':', ';', '.', '?']) || next.is_none();
    if !ends && next.as_ref().is_none_or(|next| !BEHIND.contains(&next.as_str())) {
        return false;
    }
    let mut before =
        words[..at].iter().rev().map(|word| bare(word)).skip_while(|word| AT.contains(&word.as_str()));
    let lead = before.next();
    let is_lead = |listed: &[&str]| lead.as_ref().is_some_and(|lead| listed.contains(&lead.as_str()));
    let is_looked_at = is_lead(LOOKING);
    let gives = lead.as_deref() == Some("according") || is_publisher && is_lead(GIVING);
    // `## Reuters` heads what Reuters says.
    let is_alone = is_publisher && at == 0 && words.len() == 1;
    let says_for_what = is_looked_at && next.as_deref() == Some("for");
    says_for_what || own == Own::Itself && (is_looked_at || gives || is_alone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_to_look_at_are_left_out_of_a_task() {
        for (task, left) in [
            ("Search Reuters for Acme's revenue", "Search for Acme's revenue"),
            ("Check Confluence", "Check"),
            ("Search the Wiki", "Search the"),
            ("Look at Wikipedia", "Look at"),
            ("Costs by IRENA", "Costs by"),
            ("Find the cost according to IEA", "Find the cost according to"),
            ("Reuters", ""),
        ] {
            assert_eq!(without_sources(task, Own::Itself), left);
        }
        for task in [
            "Price in Germany",
            "Slack pricing",
            "Check Slack pricing",
            "Price of Slack",
            "Revenue of Reuters",
            "Search Germany for suppliers",
            "Notion",
            "Cars by BMW",
        ] {
            assert_eq!(without_sources(task, Own::Itself), task);
        }
        assert_eq!(without_sources("Check Slack", Own::Particular), "Check Slack");
        assert_eq!(without_sources("Search Slack for it", Own::Nothing), "Search for it");
    }
}
