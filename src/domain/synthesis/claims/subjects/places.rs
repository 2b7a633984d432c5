//! Places that headings name where capitals tell no names: in German every noun has one, in Chinese and Japanese nothing has.

use crate::domain::text::scripts::is_wide;
use crate::domain::text::words::{Lexicon, Term};

/// In lower case.
#[rustfmt::skip]
const GERMAN: &[&str] = &[
    "berlin", "hamburg", "münchen", "köln", "frankfurt", "stuttgart", "düsseldorf", "leipzig", "dresden", "bremen", "hannover", "nürnberg", "wien", "graz", "linz", "salzburg", "innsbruck",
    "zürich", "genf", "basel", "bern", "paris", "london", "madrid", "rom", "mailand", "brüssel", "amsterdam", "prag", "warschau", "tokio", "peking", "bayern", "hessen", "sachsen",
    "deutschland", "österreich", "schweiz", "frankreich", "spanien", "italien", "england", "großbritannien", "polen", "niederlande", "belgien", "china", "japan", "indien", "usa", "europa", "asien", "afrika",
];
#[rustfmt::skip]
const WIDE: &[&str] = &[
    "北京", "上海", "广州", "深圳", "杭州", "成都", "重庆", "天津", "南京", "武汉", "西安", "苏州", "香港", "台湾", "澳门", "中国", "美国", "日本", "韩国", "德国", "法国", "英国", "欧洲", "欧盟", "印度",
    "東京", "大阪", "京都", "横浜", "福岡", "札幌", "韓国", "米国", "英国",
];
/// Behind these a number counts the parts of a text: `表3`, `第3章`.
const OF_PARTS: [char; 11] = ['第', '表', '图', '圖', '図', '章', '节', '条', '款', '项', '步'];

/// Whether a word is the name of a place in German.
pub(super) fn is_german(word: &str) -> bool {
    GERMAN.contains(&word.to_lowercase().as_str())
}

/// The places of a line in Chinese or Japanese characters.
pub(super) fn in_characters(line: &str, lexicon: &mut Lexicon) -> Vec<Term> {
    if line.is_ascii() {
        return Vec::new();
    }
    let named = WIDE.iter().filter(|place| line.contains(**place));
    named.flat_map(|place| lexicon.terms(place)).collect()
}

/// Whether a number stands behind a name in such characters and ends it: `小米14`, `小米14 Pro`.
pub(super) fn ends_name(before: &str, behind: &str) -> bool {
    let is_named = before.chars().next_back().is_some_and(|last| is_wide(last) && !OF_PARTS.contains(&last));
    is_named && behind.chars().next().is_none_or(|next| next == ' ' || next.is_ascii_alphabetic())
}
