//! What a caller would rather have: its `Accept` header, by weight (RFC 9110, sections 12.4.2 and 12.5.1).

use axum::http::{HeaderMap, header};

/// Whatever there is: how closely a range names a media type.
const ANYTHING: u8 = 1;
const OF_A_KIND: u8 = 2;
const EXACTLY: u8 = 3;

/// One item of the header, such as `text/*;q=0.5`.
struct Range<'a> {
    kind: &'a str,
    name: &'a str,
    weight: f64,
}

impl<'a> Range<'a> {
    fn read(item: &'a str) -> Option<Self> {
        let mut parts = item.split(';').map(str::trim);
        let (kind, name) = parts.next()?.split_once('/')?;
        let weight = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        // Who says no weight, or none that can be read, means that he takes it.
        let weight = weight.and_then(|text| text.parse().ok()).filter(|weight: &f64| weight.is_finite());
        Some(Self { kind, name, weight: weight.unwrap_or(1.0).clamp(0.0, 1.0) })
    }

    fn closeness(&self, media_type: &str) -> Option<u8> {
        let (kind, name) = media_type.split_once('/')?;
        match (self.kind, self.name) {
            ("*", "*") => Some(ANYTHING),
            (own, "*") if own.eq_ignore_ascii_case(kind) => Some(OF_A_KIND),
            (own, other) if own.eq_ignore_ascii_case(kind) && other.eq_ignore_ascii_case(name) => {
                Some(EXACTLY)
            }
            _ => None,
        }
    }
}

fn ranges(headers: &HeaderMap) -> Vec<Range<'_>> {
    let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).filter_map(Range::read).collect()
}

/// The range that names a media type most closely: that one's weight is the type's. With how closely, and at which place.
fn range_of<'r, 'a>(ranges: &'r [Range<'a>], media_type: &str) -> Option<(&'r Range<'a>, u8, usize)> {
    let fitting = ranges.iter().enumerate();
    let fitting = fitting.filter_map(|(at, range)| Some((range, range.closeness(media_type)?, at)));
    fitting.min_by_key(|(_, closeness, at)| (u8::MAX - closeness, *at))
}

/// Of what is `offered` by media type (lower case) what `Accept` gives the highest weight; of equals what it names more closely, then
/// what it names first, then what is offered first. None where it takes none of them.
pub fn preferred<T: Copy>(headers: &HeaderMap, offered: &[(&str, T)]) -> Option<T> {
    let ranges = ranges(headers);
    let mut best: Option<((f64, u8, usize), T)> = None;
    for (media_type, choice) in offered {
        let Some((range, closeness, at)) = range_of(&ranges, media_type) else { continue };
        let rank = (range.weight, closeness, usize::MAX - at);
        if range.weight > 0.0 && best.is_none_or(|(known, _)| rank > known) {
            best = Some((rank, *choice));
        }
    }
    best.map(|(_, choice)| choice)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepting(accept: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT, accept.parse().unwrap())])
    }

    #[test]
    fn highest_weight_wins_and_the_closest_range_gives_it() {
        let offered = [("application/json", "json"), ("text/markdown", "markdown"), ("text/html", "html")];
        for (accept, expected) in [
            ("*/*", Some("json")),
            ("text/*", Some("markdown")),
            ("TEXT/HTML", Some("html")),
            ("text/html;q=0.5, text/*", Some("markdown")),
            ("text/*;q=0.5, text/html", Some("html")),
            ("*/*;q=0.1, text/html;q=0.2", Some("html")),
            ("*/*;q=0.2, text/html;q=0.1", Some("json")),
            ("*/*, text/html", Some("html")),
            ("text/html, application/json", Some("html")),
            ("application/json, text/html", Some("json")),
            ("application/json;q=0, */*;q=0.1", Some("markdown")),
            ("text/*;level=1; q=0.3, application/json;Q=0.2", Some("markdown")),
            ("text/html;q=often, application/json;q=0.9", Some("html")),
            ("text/html;q=NaN, application/json;q=9", Some("html")),
            ("application/json;q=0", None),
            ("image/png, nonsense", None),
            ("", None),
        ] {
            assert_eq!(preferred(&accepting(accept), &offered), expected, "{accept}");
        }
        assert_eq!(preferred(&HeaderMap::new(), &offered), None);
    }
}
