//! Members of JSON that say who sells or says what the others tell: `"shop":"Amazon"` and `"shop":"MediaMarkt"` have a price each.

/// Keys of who it is.
#[rustfmt::skip]
const KEYS: [&str; 14] = [
    "shop", "store", "seller", "retailer", "merchant", "vendor", "provider", "supplier", "marketplace", "site", "platform", "händler", "anbieter", "tienda",
];

/// Whether both say who it is, and each names another.
pub(super) fn differ([one, other]: [&str; 2]) -> bool {
    one.starts_with('"')
        && other.starts_with('"')
        && KEYS.iter().any(|key| {
            let both = member(one, key).zip(member(other, key));
            both.is_some_and(|(mine, theirs)| !mine.eq_ignore_ascii_case(theirs))
        })
}

/// The string below a key.
fn member<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mut keys = text.match_indices(key).filter(|(at, _)| text[..*at].ends_with('"'));
    keys.find_map(|(at, _)| {
        let behind = text[at + key.len()..].strip_prefix("\":")?.trim_start();
        behind.strip_prefix('"')?.split('"').next()
    })
}

#[cfg(test)]
mod tests {
    use super::differ;

    #[test]
    fn prices_of_other_sellers_are_no_contradiction() {
        let of = |shop: &str| format!("\"shop\":\"{shop}\",\"product\":\"Sony\",\"price\":229");
        assert!(differ([&of("Amazon"), &of("MediaMarkt")]));
        assert!(!differ([&of("Amazon"), &of("amazon")]));
        assert!(!differ([&of("Amazon"), "\"product\":\"Sony\",\"price\":259"]));
        assert!(!differ(["The shop is open.", "The shop is closed."]));
    }
}
