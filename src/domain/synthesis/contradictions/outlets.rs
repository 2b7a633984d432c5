//! Names that stand behind a statement as its source: papers, agencies, collections of statistics, and documents.
//!
//! Only those that are rarely spoken of themselves: a place or a firm in parentheses may be what the statement is about.

use crate::domain::text::phrases::begins_with_any;

/// In lower case.
#[rustfmt::skip]
const OUTLETS: &[&str] = &[
    "reuters", "bloomberg", "associated press", "afp", "dpa", "bbc", "bbc news", "cnn", "cnbc", "npr", "the guardian", "guardian", "the economist", "new york times", "the new york times",
    "nyt", "washington post", "the washington post", "wall street journal", "the wall street journal", "wsj", "financial times", "forbes", "techcrunch", "the verge", "ars technica", "politico", "wikipedia", "statista", "eurostat", "destatis", "statistisches bundesamt", "gartner", "idc", "nielsen", "pew research", "pew research center", "gallup", "crunchbase", "world bank", "the world bank", "weltbank",
    "oecd", "der spiegel", "spiegel", "spiegel online", "die zeit", "zeit online", "faz", "süddeutsche zeitung", "handelsblatt", "tagesschau", "deutschlandfunk", "heise", "le monde", "le figaro", "les echos",
    "libération", "insee", "el país", "el mundo", "ine", "la repubblica", "corriere della sera", "istat", "nikkei", "xinhua", "nhk", "asahi shimbun", "pubmed", "arxiv", "tripadvisor", "imdb",
    "路透社", "新华社", "彭博社", "彭博", "法新社", "美联社", "央视新闻", "人民日报", "财新", "维基百科", "国家统计局", "日本経済新聞", "日経", "朝日新聞", "読売新聞", "共同通信", "ロイター",
];
/// What a document's name ends with, in lower case.
#[rustfmt::skip]
const DOCUMENTS: &[&str] = &["handbook", "handbuch", "annual report", "press release", "pressemitteilung", "geschäftsbericht", "rapport annuel", "data sheet", "datenblatt", "user manual"];
/// Words of a document's name at most: a longer one says something.
const DOCUMENT_WORDS_MAX: usize = 3;
/// Words of the longest outlet.
const OUTLET_WORDS_MAX: usize = 4;

/// Whether a text is such a name, with the day or year of its report or without.
pub(super) fn is_outlet(text: &str) -> bool {
    if is_listed(text) {
        return true;
    }
    let dated = text.split_once([',', '，']).or_else(|| text.rsplit_once(' '));
    dated.is_some_and(|(name, date)| is_listed(name) && is_date(date))
}

fn is_listed(name: &str) -> bool {
    let name = name.trim();
    // As a name: `(ine)` is none.
    !name.starts_with(char::is_lowercase) && OUTLETS.contains(&name.to_lowercase().as_str())
}

/// `2024`, `5 May 2024`, `May 5, 2024`, `2024-05-05`.
fn is_date(text: &str) -> bool {
    #[rustfmt::skip]
    const MONTHS: [&str; 16] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mär", "mai", "okt", "dez",
    ];
    let is_part = |word: &str| {
        let lower = word.to_lowercase();
        word.starts_with(|c: char| c.is_ascii_digit()) || begins_with_any(&lower, &MONTHS)
    };
    text.contains(|c: char| c.is_ascii_digit())
        && text.split([' ', ',']).filter(|word| !word.is_empty()).all(is_part)
}

/// `HR handbook`, `annual report`.
pub(super) fn is_document(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words = text.split(' ').count();
    words <= DOCUMENT_WORDS_MAX
        && !lower.contains(char::is_numeric)
        && DOCUMENTS.iter().any(|document| {
            lower.strip_suffix(document).is_some_and(|before| before.is_empty() || before.ends_with(' '))
        })
}

/// How many bytes of a text are such a name, where it begins with one.
pub(super) fn begins_with_outlet(text: &str) -> Option<usize> {
    let ends = text.match_indices([' ', ',']).map(|(at, _)| at).take(OUTLET_WORDS_MAX);
    ends.filter(|&end| is_listed(&text[..end])).last()
}
