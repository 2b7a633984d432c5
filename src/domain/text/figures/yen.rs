//! `¥` is the sign of the yen and of the yuan: which one it is, its text tells, or nobody knows.

use super::units::{Unit, YEN_OR_YUAN};

/// What names the yen, and what names the yuan.
const NAMES: [(&str, &[&str]); 2] = [("JPY", &["JPY", "yen"]), ("CNY", &["CNY", "RMB", "yuan", "renminbi"])];

/// The currency of the signs `¥` in a text: of what it names in letters, where that is only one, of Japanese the yen, of
/// Chinese the yuan.
pub(super) fn currency(text: &str) -> Unit {
    let is_kana = |c: char| matches!(c, '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}');
    let is_han = |c: char| matches!(c, '\u{4E00}'..='\u{9FFF}');
    let count = |is_such: &dyn Fn(char) -> bool| text.chars().filter(|c| is_such(*c)).count();
    let words = || text.split(|c: char| !c.is_ascii_alphabetic());
    let is_named =
        |names: &[&str]| words().any(|word| names.iter().any(|name| name.eq_ignore_ascii_case(word)));
    let named = NAMES.map(|(code, names)| (code, is_named(names)));
    Unit::Money(match named {
        [(code, true), (_, false)] | [(_, false), (code, true)] => code,
        _ if text.contains(is_kana) => "JPY",
        // A name in an English sentence doesn't tell.
        _ if count(&is_han) > count(&|c| c.is_ascii_alphabetic()) => "CNY",
        _ => YEN_OR_YUAN,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_tells_which_currency_the_sign_is_of() {
        for (text, code) in [
            ("The price in Tokyo is ¥999.", YEN_OR_YUAN),
            ("It costs ¥999 (about 50 yuan).", "CNY"),
            ("It costs ¥999, or 50 yen, or 3 RMB.", YEN_OR_YUAN),
            ("The yen price is ¥999.", "JPY"),
            ("价格为¥999。", "CNY"),
            ("The price at 東京 is ¥999.", YEN_OR_YUAN),
            ("価格は¥999です。", "JPY"),
        ] {
            assert_eq!(currency(text), Unit::Money(code), "{text}");
        }
    }
}
