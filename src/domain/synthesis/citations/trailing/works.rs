//! Whether an item is a work that is referred to without an address: `BBC News, "Khan wins third term", 4 May 2024.`,
//! `Bagnall, R. S. (2002). …`.
//!
//! A sentence may quote and name a year as well. A work has in front of its title, or of its year in brackets, nothing but names.

use super::titled::{is_dated, is_name};
use crate::domain::text::phrases::has_any;

/// A longer item says something.
const BYTES_MAX: usize = 400;
/// What opens a title, and what closes it.
const QUOTES: [(char, char); 5] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('*', '*')];
/// What stands between names and a title, and behind a title.
const DIVIDERS: [char; 7] = [',', '.', ':', ')', '–', '—', '-'];
/// What only references have.
const SIGNS: [&str; 8] = ["et al", "ISBN", "JSTOR", " pp. ", " p. ", " vol. ", "Vol. ", "arXiv"];

/// Whether an item, without its number, is such.
pub(super) fn is_work(item: &str) -> bool {
    let item = item.trim();
    let is_told = is_dated(item) || has_any(item, &SIGNS);
    item.len() <= BYTES_MAX && is_told && (is_quoted(item) || has_author_and_year(item) || is_published(item))
}

/// `BBC News, "Khan wins third term", 4 May 2024.`
fn is_quoted(item: &str) -> bool {
    let Some((at, close)) = item
        .char_indices()
        .find_map(|(at, c)| QUOTES.iter().find(|(open, _)| *open == c).map(|(_, close)| (at, *close)))
    else {
        return false;
    };
    let (before, title) = (item[..at].trim_end(), item[at..].trim_start_matches(['*', '"', '“', '„', '«']));
    let Some((title, behind)) = title.split_once(close) else { return false };
    let behind = behind.trim_start_matches([close, ' ']);
    let is_divided = behind.is_empty() || behind.starts_with(DIVIDERS) || behind.starts_with(['(', '*']);
    let is_led = before.is_empty() || before.ends_with(DIVIDERS) && is_name(before);
    is_led && title.contains(' ') && (is_divided || title.ends_with(['.', ',', '?', '!']))
}

/// `Bagnall, R. S. (2002). …`, `Wiegand & Davis (2015), …`
fn has_author_and_year(item: &str) -> bool {
    let Some((names, rest)) = item.split_once('(') else { return false };
    let Some((year, behind)) = rest.split_once(')') else { return false };
    let is_year = year.len() >= 4 && year.len() <= 12 && is_dated(year);
    let are_authors = names.contains([',', '&']) || names.contains("et al");
    let names = names.trim_end().trim_end_matches('.').trim_end_matches("et al");
    is_year && are_authors && is_name(names) && behind.starts_with(['.', ',', ':'])
}

/// `World Health Organization, Global Report, 2023.`: names alone, and parts that a comma or a stop divides.
fn is_published(item: &str) -> bool {
    let parts = || item.trim_end_matches('.').split([',', '.']).map(str::trim);
    let is_of_names = |part: &str| part.is_empty() || is_name(part) && !part.contains(['%', '€', '$']);
    let words = item.split_whitespace().filter(|word| word.contains(char::is_alphabetic));
    parts().count() > 2 && words.count() > 2 && parts().all(is_of_names) && !item.contains([':', ';'])
}

#[cfg(test)]
mod tests {
    use super::super::without_list;
    use super::is_work;

    #[test]
    fn works_are_told_from_sentences() {
        for item in [
            "BBC News, \"Sadiq Khan wins third term\", 4 May 2024.",
            "Bagnall, R. S. (2002). \"Alexandria: Library of Dreams\". *Proceedings of the Society* 146 (4): 348–362.",
            "Wiegand & Davis (2015), *Encyclopedia of Library History*, p. 20.",
            "\"What moves prices\", Journal of Prices, 2023.",
            "World Health Organization, Global Report, 2023.",
            "Smith et al. (2020): Prices and what moves them.",
        ] {
            assert!(is_work(item), "{item}");
        }
        for item in [
            "The mayor said, \"it is so\", in May 2024.",
            "It was called \"the best year\" in 2024.",
            "Germany (2020): 5 %.",
            "Berlin, Germany, 2024: 5 %.",
            "Rents fell in 2023, too.",
            "Book the flight by 4 May 2024.",
            "says that it fell in 2024.",
            "Alpha, \"the first\" of them, rose.",
        ] {
            assert!(!is_work(item), "{item}");
        }
    }

    #[test]
    fn a_list_of_works_that_the_text_cites_is_one_of_references() {
        const BODY: &str = "The library was founded by Ptolemy II.[1] It held 400,000 scrolls.[2]\n\n";
        const WORKS: [&str; 2] = [
            "Bagnall, R. S. (2002). \"Alexandria: Library of Dreams\". *Proceedings of the American Philosophical Society* 146 (4): 348–362. JSTOR 1558311.",
            "Wiegand & Davis (2015), *Encyclopedia of Library History*, p. 20.",
        ];
        for (one, two) in [("1. ", "2. "), ("[1] ", "[2] "), ("1) ", "2) ")] {
            let text = format!("{BODY}{one}{}\n{two}{}", WORKS[0], WORKS[1]);
            let (body, listed) = without_list(&text);
            assert_eq!(body, BODY, "{text}");
            let found: Vec<_> = listed.iter().map(|item| (item.number, item.url.as_deref())).collect();
            assert_eq!(found, [(Some(1), None), (Some(2), None)], "{text}");
            assert!(listed[0].title.starts_with("Bagnall, R. S. (2002)"), "{}", listed[0].title);
        }
        let mixed = format!("{BODY}1. {}\n2. [Scrolls](https://a.example/x)", WORKS[0]);
        assert_eq!(without_list(&mixed).1.len(), 2);
        for text in [
            format!("{}1. {}\n2. {}", BODY.replace("[1]", "").replace("[2]", ""), WORKS[0], WORKS[1]),
            format!("{BODY}1. {}\n2. It was lost in 2002.", WORKS[0]),
            format!("{BODY}## Books to read\n\n1. {}\n2. {}", WORKS[0], WORKS[1]),
            format!("{BODY}[1] says that \"it was lost\" in 2002."),
        ] {
            assert_eq!(without_list(&text), (text.as_str().into(), Vec::new()));
        }
    }
}
