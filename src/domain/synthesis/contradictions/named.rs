//! Whether parentheses name nothing but a source: an address, authors with a year, a page, a paper, a section of a law.

use super::outlets::{is_document, is_outlet};
use crate::domain::text::leads;
use crate::domain::text::phrases::begins_with_any;

/// Longer parentheses say something, but for addresses.
const BYTES_MAX: usize = 96;

/// Whether parentheses name nothing but sources.
pub(super) fn names_source(inside: &str) -> bool {
    let inside = inside.trim();
    let is_one = |part: &str| is_source(part.trim());
    is_address(inside)
        || is_link(inside)
        || inside.len() <= BYTES_MAX && inside.split([';', '；']).all(is_one)
}

fn is_source(part: &str) -> bool {
    let is_named = |part: &str| {
        is_address(part)
            || is_link(part)
            || part.starts_with('§') && part.len() > '§'.len_utf8() + 1
            || are_authors(part)
            || has_page(part)
            || is_outlet(part)
            || is_document(part)
    };
    let led = part.split_once([':', '：']).filter(|(word, _)| leads::is_source(word.trim()));
    let via = part
        .split_once(' ')
        .filter(|(word, _)| matches!(word.trim_end_matches('.'), "via" | "see" | "cf" | "siehe" | "vgl"));
    led.is_some_and(|(_, named)| !named.trim().is_empty())
        || is_named(via.map_or(part, |(_, named)| named.trim()))
}

fn is_address(part: &str) -> bool {
    let begins = begins_with_any(part, &["http://", "https://", "www.", "<http"]);
    begins && !part.contains(char::is_whitespace)
}

/// `[Reuters](https://…)`.
fn is_link(part: &str) -> bool {
    let target =
        part.strip_prefix('[').and_then(|rest| rest.strip_suffix(')')).and_then(|rest| rest.split_once("]("));
    target.is_some_and(|(_, target)| is_address(target) && !target.contains('('))
}

/// What may stand between the names of authors.
const JOINS: [&str; 11] = ["et", "al.", "al", "&", "and", "und", "y", "de", "van", "von", "der"];
/// Pairs of which these are one are no authors: departments, fields, places.
#[rustfmt::skip]
const NO_AUTHORS: &[&str] = &[
    "Sales", "Marketing", "Research", "Development", "Food", "Health", "Safety", "Oil", "Gas", "Energy", "Water", "Sports", "Arts", "Men", "Women", "Boys", "Girls", "Adults", "Children",
    "Men's", "Women's", "North", "South", "East", "West", "Central", "Europe", "Asia", "Africa", "America", "Americas", "Oceania", "Germany", "Austria", "Switzerland", "France", "Spain",
    "Portugal", "Italy", "England", "Scotland", "Wales", "Ireland", "Britain", "Poland", "China", "Japan", "Korea", "India", "Canada", "Mexico", "Brazil", "Norway", "Sweden", "Denmark",
    "Finland", "Belgium", "Netherlands", "Berlin", "Brandenburg", "Hamburg", "Munich", "Paris", "London", "Madrid", "Rome", "York", "States", "Kingdom",
];

/// `Smith et al., 2019`, `Smith & Jones, 2019`, `Smith and Jones 2019`; one name with a year may be a place.
fn are_authors(part: &str) -> bool {
    let part = part.split(", p").next().unwrap_or(part).trim_end();
    let dated = part.rsplit_once(' ').filter(|(_, year)| is_year(year));
    let who = dated.map_or(part, |(who, _)| who).trim_end();
    let is_listed = who.ends_with(',');
    let who = who.trim_end_matches(',');
    let has = |joint: &str| who.split(' ').any(|word| word == joint);
    let is_name = |word: &str| {
        JOINS.contains(&word)
            || word.starts_with(char::is_uppercase) && !NO_AUTHORS.contains(&word.trim_end_matches(','))
    };
    let others = who.ends_with(" et al.") || who.ends_with(" et al");
    // With a comma behind it, `France and Spain, 2019` says where.
    let pair = dated.is_some() && (has("&") || !is_listed && (has("and") || has("und")));
    (others || pair) && who.starts_with(char::is_uppercase) && who.split(' ').all(is_name)
}

fn is_year(word: &str) -> bool {
    let digits = word.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(word);
    digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.starts_with(['1', '2'])
}

/// `HR handbook, p. 5`, `Smith 2019, pp. 4–6`, `S. 12`.
fn has_page(part: &str) -> bool {
    const PAGE: [&str; 8] = ["p.", "pp.", "page", "pages", "S.", "Seite", "pág.", "págs."];
    let before =
        part.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '–' | ' ' | 'f' | '.'));
    let pages = &part[before.len()..];
    // The point of `p.` was taken along.
    let point = usize::from(pages.starts_with('.'));
    let named = &part[..before.len() + point];
    let word = named.rsplit([' ', ',', '(']).next().unwrap_or_default();
    let work = named[..named.len() - word.len()].trim_end_matches([' ', ',']);
    let says = work.split(' ').any(|word| word.contains(|c: char| c.is_ascii_digit()) && !is_year(word));
    pages.contains(|c: char| c.is_ascii_digit()) && PAGE.contains(&word) && !says
}
