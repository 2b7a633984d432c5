//! Changes that make another statement: numbers, dates, negations, opposites, units, names.

use super::{Random, bare, is_chinese, join, words};

/// The digit groups of a text: where they start and end.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at].is_ascii_digit() {
            let start = at;
            while at < bytes.len()
                && (bytes[at].is_ascii_digit()
                    || (matches!(bytes[at], b',' | b'.')
                        && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)))
            {
                at += 1;
            }
            found.push((start, at));
        } else {
            at += 1;
        }
    }
    found
}

fn is_year(text: &str, (start, end): (usize, usize)) -> bool {
    end - start == 4
        && (text[start..end].starts_with("20") || text[start..end].starts_with("19"))
        && text[start..end].bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn number(text: &str, random: &mut Random) -> Option<String> {
    let places: Vec<_> = numbers(text).into_iter().filter(|&place| !is_year(text, place)).collect();
    let (start, end) = *places.get(random.below(places.len()))?;
    let mut digits: Vec<u8> = text[start..end].bytes().collect();
    let at = digits.iter().rposition(u8::is_ascii_digit)?;
    digits[at] = b'0' + (digits[at] - b'0' + 1 + random.below(8) as u8) % 10;
    Some(format!("{}{}{}", &text[..start], String::from_utf8(digits).ok()?, &text[end..]))
}

pub(super) fn decimal_point(text: &str, _: &mut Random) -> Option<String> {
    let (start, end) = numbers(text).into_iter().find(|&(start, end)| text[start..end].contains('.'))?;
    Some(format!("{}{}{}", &text[..start], text[start..end].replace('.', ""), &text[end..]))
}

pub(super) fn year(text: &str, random: &mut Random) -> Option<String> {
    let (start, end) = numbers(text).into_iter().find(|&place| is_year(text, place))?;
    let year: usize = text[start..end].parse().ok()?;
    Some(format!("{}{}{}", &text[..start], year + 1 + random.below(4), &text[end..]))
}

pub(super) fn day(text: &str, random: &mut Random) -> Option<String> {
    for month in ["January", "February", "April", "June", "August", "October", "November", "December"] {
        if let Some(at) = text.find(&format!("{month} ")) {
            let (start, end) = numbers(text).into_iter().find(|place| place.0 == at + month.len() + 1)?;
            let day: usize = text[start..end].parse().ok().filter(|day| *day < 32)?;
            return Some(format!("{}{}{}", &text[..start], (day + random.below(20)) % 28 + 1, &text[end..]))
                .filter(|other| other != text);
        }
    }
    None
}

pub(super) fn month(text: &str, random: &mut Random) -> Option<String> {
    const MONTHS: [&str; 8] =
        ["January", "February", "April", "June", "August", "October", "November", "December"];
    let at = (0..8).find(|&at| text.contains(MONTHS[at]))?;
    Some(text.replacen(MONTHS[at], MONTHS[(at + 1 + random.below(7)) % 8], 1))
}

pub(super) fn negation(text: &str, random: &mut Random) -> Option<String> {
    if is_chinese(text) {
        for (from, to) in [
            ("能够", "不能"),
            ("不能", "能够"),
            ("没有", "已有"),
            ("已经", "尚未"),
            ("支持", "不支持"),
            ("是", "不是"),
            ("具有", "没有"),
            ("可", "不可"),
        ] {
            if text.contains(from)
                && !text.contains("不是")
                && !text.contains("但是")
                && !text.contains("于是")
            {
                return Some(text.replacen(from, to, 1));
            }
        }
        return None;
    }
    let mut words = words(text);
    if let Some(at) = words.iter().position(|word| word == "not") {
        words.remove(at);
        return join(&words);
    }
    let places: Vec<usize> = (1..words.len())
        .filter(|&at| {
            ["is", "are", "was", "were", "has", "have", "can", "will"].contains(&words[at].as_str())
        })
        .collect();
    let at = *places.get(random.below(places.len()))?;
    let not = random.of(&["not", "never", "no longer"]);
    words.insert(at + 1, (*not).to_owned());
    join(&words)
}

#[rustfmt::skip]
pub(super) const OPPOSITES: &[(&str, &str)] = &[
    ("increase", "decrease"), ("rise", "fall"), ("growth", "decline"), ("more", "less"), ("above", "below"), ("before", "after"), ("support", "oppose"), ("enable", "disable"),
    ("allow", "forbid"), ("required", "optional"), ("best", "worst"), ("highest", "lowest"), ("improve", "worsen"), ("high", "low"), ("strong", "weak"), ("positive", "negative"),
    ("effective", "ineffective"), ("most", "few"), ("always", "never"), ("all", "some"), ("northern", "southern"), ("approved", "rejected"), ("new", "old"), ("early", "late"),
    ("internal", "external"), ("success", "failure"), ("public", "private"), ("long", "short"), ("large", "small"), ("first", "last"), ("include", "exclude"), ("gain", "loss"),
];

#[rustfmt::skip]
const CHINESE_OPPOSITES: &[(&str, &str)] = &[
    ("增长", "下降"), ("支持", "反对"), ("提高", "降低"), ("上升", "下降"), ("扩大", "缩小"), ("增加", "减少"), ("加快", "放缓"), ("更多", "更少"), ("之前", "之后"), ("积极", "消极"),
    ("优势", "劣势"), ("出口", "进口"), ("关闭", "开放"), ("全部", "部分"), ("主要", "次要"), ("最高", "最低"), ("必须", "可以"), ("成功", "失败"),
];

pub(super) fn polarity(text: &str, _: &mut Random) -> Option<String> {
    if is_chinese(text) {
        let (from, to) = CHINESE_OPPOSITES.iter().find(|(from, _)| text.contains(from))?;
        return Some(text.replacen(from, to, 1));
    }
    let mut words = words(text);
    for word in words.iter_mut() {
        for (one, other) in OPPOSITES {
            for (from, to) in [(one, other), (other, one)] {
                if bare(word) == *from || (bare(word).starts_with(from) && from.len() > 4) {
                    *word = word.replacen(from, to, 1);
                    return join(&words);
                }
            }
        }
    }
    None
}

pub(super) fn modality(text: &str, _: &mut Random) -> Option<String> {
    if is_chinese(text) {
        let (from, to) = [("必须", "可能"), ("可能", "必然"), ("需要", "可能"), ("应", "或可")]
            .into_iter()
            .find(|(from, _)| text.contains(from))?;
        return Some(text.replacen(from, to, 1));
    }
    let mut words = words(text);
    for word in words.iter_mut() {
        for (from, to) in [
            ("must", "may"),
            ("may", "must"),
            ("should", "might"),
            ("could", "must"),
            ("requires", "allows"),
            ("required", "forbidden"),
        ] {
            if word == from {
                *word = to.to_owned();
                return join(&words);
            }
        }
    }
    None
}

pub(super) fn unit(text: &str, _: &mut Random) -> Option<String> {
    let units = [
        ("%", " percentage points"),
        (" percent", " percentage points"),
        ("km", "miles"),
        ("GWh", "MWh"),
        ("tonnes", "kilograms"),
        ("dollars", "euros"),
        ("GB", "TB"),
        ("nm", "µm"),
        ("美元", "欧元"),
        ("公里", "英里"),
        ("万吨", "亿吨"),
        ("亿元", "亿美元"),
        ("years", "months"),
        ("hours", "days"),
        ("months", "weeks"),
        ("mg", "g"),
        ("$", "€"),
        ("周", "月"),
        ("小时", "分钟"),
    ];
    for (from, to) in units {
        for (at, _) in text.match_indices(from) {
            let before = text[..at].trim_end_matches(' ');
            let attached = before.ends_with(|c: char| c.is_ascii_digit())
                || ["million", "billion", "亿", "万"].iter().any(|scale| before.ends_with(scale));
            let sign = from == "$" && text[at + 1..].starts_with(|c: char| c.is_ascii_digit());
            let after = text[at + from.len()..].chars().next();
            let whole = from == "$"
                || !from.is_ascii()
                || from.contains('%')
                || after.is_none_or(|c| !c.is_ascii_alphabetic());
            if (attached || sign)
                && whole
                && !(from == "%" && to.len() > 1 && after.is_some_and(|c| matches!(c, '-' | '–' | '~')))
            {
                return Some(format!("{}{to}{}", &text[..at], &text[at + from.len()..]));
            }
        }
    }
    None
}

pub(super) fn scale(text: &str, _: &mut Random) -> Option<String> {
    for (from, to) in
        [("million", "billion"), ("billion", "million"), ("thousand", "million"), ("亿", "万"), ("万", "千")]
    {
        if let Some(at) =
            text.find(from).filter(|&at| text[..at].trim_end().ends_with(|c: char| c.is_ascii_digit()))
        {
            return Some(format!("{}{to}{}", &text[..at], &text[at + from.len()..]));
        }
    }
    None
}

const OTHERS: &[&str] = &["Portugal", "Samsung", "Cambridge", "Bosch", "Vietnam", "Amazon", "Peru"];

/// The capitalised words inside a sentence.
fn names(words: &[String]) -> Vec<usize> {
    (1..words.len())
        .filter(|&at| {
            let word = bare(&words[at]);
            word.len() > 3
                && word.starts_with(|c: char| c.is_ascii_uppercase())
                && word.bytes().skip(1).all(|byte| byte.is_ascii_lowercase())
                && !words[at - 1].ends_with(['.', ':', '"', '“'])
        })
        .collect()
}

pub(super) fn name(text: &str, random: &mut Random) -> Option<String> {
    if is_chinese(text) {
        let names = [
            "华为",
            "腾讯",
            "日本",
            "德国",
            "比亚迪",
            "清华大学",
            "印度",
            "小米",
            "巴西",
            "中国",
            "美国",
            "欧洲",
            "特斯拉",
            "谷歌",
        ];
        let from = names.iter().find(|name| text.contains(*name))?;
        let to =
            names.iter().cycle().skip_while(|name| *name != from).nth(1 + random.below(names.len() - 1))?;
        return Some(text.replace(from, to));
    }
    let mut words = words(text);
    let places = names(&words);
    let at = *places.get(random.below(places.len()))?;
    let old = bare(&words[at]).to_owned();
    let new = random.of(OTHERS);
    words[at] = words[at].replace(&old, new);
    join(&words)
}

pub(super) fn names_swapped(text: &str, _: &mut Random) -> Option<String> {
    if is_chinese(text) {
        return None;
    }
    let mut words = words(text);
    let places = names(&words);
    let (first, last) = (*places.first()?, *places.last()?);
    // Neighbours and members of a list may be swapped without harm.
    let between = &words[first + 1..last.max(first + 1)];
    let content = between.iter().filter(|word| bare(word).len() > 4).count();
    if last < first + 3
        || content < 1
        || between.iter().any(|word| word == "and" || word == "or" || word.ends_with(','))
    {
        return None;
    }
    let (one, other) = (bare(&words[first]).to_owned(), bare(&words[last]).to_owned());
    if one == other {
        return None;
    }
    words[first] = words[first].replace(&one, &other);
    words[last] = words[last].replace(&other, &one);
    join(&words)
}
