//! What is done to a sentence: half of it keeps what it says, half doesn't.

use super::Random;

/// A change of a sentence.
pub struct Mutation {
    /// Its name.
    pub name: &'static str,
    /// Whether the sentence still says the same.
    pub same: bool,
    /// The changed sentence, where the change fits.
    pub apply: fn(&str, &mut Random) -> Option<String>,
}

const fn keeps(name: &'static str, apply: fn(&str, &mut Random) -> Option<String>) -> Mutation {
    Mutation { name, same: true, apply }
}

const fn changes(name: &'static str, apply: fn(&str, &mut Random) -> Option<String>) -> Mutation {
    Mutation { name, same: false, apply }
}

/// All mutations; every third is held out.
pub const MUTATIONS: &[Mutation] = &[
    keeps("punctuation", punctuation),
    keeps("upper case", upper),
    keeps("stopword dropped", stopword_dropped),
    keeps("clause moved", clause_moved),
    keeps("adverb inserted", adverb),
    keeps("inflection", inflection),
    keeps("typing error", typing_error),
    keeps("lower case", lower),
    keeps("attribution", attribution),
    keeps("number rewritten", number_rewritten),
    keeps("width", width),
    keeps("joint inserted", joint),
    changes("number", number),
    changes("negation", negation),
    changes("year", year),
    changes("polarity", polarity),
    changes("unit", unit),
    changes("name", name),
    changes("scale", scale),
    changes("month", month),
    changes("names swapped", names_swapped),
    changes("decimal point", decimal_point),
    changes("modality", modality),
    changes("day", day),
];

fn is_chinese(text: &str) -> bool {
    text.chars().filter(|c| ('\u{4E00}'..='\u{9FFF}').contains(c)).count() * 3 > text.chars().count()
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn join(words: &[String]) -> Option<String> {
    Some(words.join(" "))
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn punctuation(text: &str, _: &mut Random) -> Option<String> {
    let ends = text.trim_end_matches(['.', '。']);
    let mut out: String = ends.replace("，", "、").replace(['“', '”', '"'], "");
    if let Some(at) = out.find(", ") {
        out.replace_range(at..at + 1, if text.len().is_multiple_of(2) { "" } else { " –" });
    }
    Some(out)
}

fn upper(text: &str, _: &mut Random) -> Option<String> {
    (!text.contains(|c: char| c.is_ascii_digit() || c == 'µ') || !is_chinese(text))
        .then(|| text.to_uppercase())
        .filter(|_| !has_units(text))
}

/// Units change with case (`mW`, `MW`), so such sentences keep theirs.
fn has_units(text: &str) -> bool {
    words(text).windows(2).any(|pair| {
        bare(&pair[0]).ends_with(|c: char| c.is_ascii_digit())
            && bare(&pair[1]).len() <= 4
            && !bare(&pair[1]).is_empty()
    }) || words(text).iter().any(|word| {
        let word = bare(word);
        word.starts_with(|c: char| c.is_ascii_digit()) && word.ends_with(|c: char| c.is_ascii_alphabetic())
    })
}

fn lower(text: &str, _: &mut Random) -> Option<String> {
    let capitals =
        ["US", "WHO", "IT"].iter().any(|word| words(text).iter().any(|other| bare(other) == *word));
    (!capitals && !has_units(text)).then(|| text.to_lowercase())
}

fn stopword_dropped(text: &str, random: &mut Random) -> Option<String> {
    if is_chinese(text) {
        return text.contains('的').then(|| text.replacen('的', "", 1));
    }
    let mut words = words(text);
    let places: Vec<usize> = (1..words.len())
        .filter(|&at| ["the", "a", "an", "that", "of", "its", "has", "also"].contains(&words[at].as_str()))
        .collect();
    let at = *places.get(random.below(places.len()))?;
    words.remove(at);
    join(&words)
}

/// `In X, Y.` becomes `Y in X.`, and `Y, which/while Z` turns round at its comma.
fn clause_moved(text: &str, _: &mut Random) -> Option<String> {
    let comma = if is_chinese(text) { "，" } else { ", " };
    if text.matches(comma).count() != 1 {
        return None;
    }
    let (first, second) = text.split_once(comma)?;
    let digit_ends =
        first.ends_with(|c: char| c.is_ascii_digit()) && second.starts_with(|c: char| c.is_ascii_digit());
    if first.len() < 6 || second.len() < 6 || digit_ends {
        return None;
    }
    let second = second.trim_end_matches(['.', '。', ' ']);
    let stop = if is_chinese(text) { "。" } else { "." };
    Some(format!("{second}{comma}{first}{stop}"))
}

fn adverb(text: &str, random: &mut Random) -> Option<String> {
    if is_chinese(text) {
        for verb in ["提高", "增长", "推动", "支持", "建设", "实现", "发展"] {
            if let Some(at) = text.find(verb) {
                let adverb = random.of(&["显著", "进一步", "逐步", "持续"]);
                return Some(format!("{}{adverb}{}", &text[..at], &text[at..]));
            }
        }
        return None;
    }
    let mut words = words(text);
    let places: Vec<usize> = (1..words.len())
        .filter(|&at| ["is", "are", "was", "has", "have", "can", "will"].contains(&words[at].as_str()))
        .collect();
    let at = *places.get(random.below(places.len()))?;
    let adverb = *random.of(&["clearly", "currently", "generally", "reportedly", "notably", "now"]);
    words.insert(at + 1, adverb.to_owned());
    join(&words)
}

fn inflection(text: &str, random: &mut Random) -> Option<String> {
    let mut words = words(text);
    let places: Vec<usize> = (1..words.len())
        .filter(|&at| {
            let word = words[at].as_str();
            word.len() > 5
                && word.bytes().all(|byte| byte.is_ascii_lowercase())
                && word.ends_with('s')
                && !word.ends_with("ss")
                && !word.ends_with("us")
                && !word.ends_with("is")
                && !word.ends_with("es")
        })
        .collect();
    let at = *places.get(random.below(places.len()))?;
    words[at].pop();
    join(&words)
}

/// Words that a typing error may make another word of another meaning.
const NO_TYPING_ERRORS: &[&str] = &[
    "million", "billion", "trillion", "percent", "dollars", "tonnes", "first", "second", "third", "three",
    "seven", "eight",
];

fn typing_error(text: &str, random: &mut Random) -> Option<String> {
    let mut words = words(text);
    let places: Vec<usize> = (1..words.len())
        .filter(|&at| {
            let word = words[at].as_str();
            word.len() > 6
                && word.bytes().all(|byte| byte.is_ascii_lowercase())
                && !NO_TYPING_ERRORS.contains(&word)
                && !OPPOSITES.iter().any(|(one, other)| word.contains(one) || word.contains(other))
        })
        .collect();
    let at = *places.get(random.below(places.len()))?;
    let mut letters: Vec<char> = words[at].chars().collect();
    let place = 2 + random.below(letters.len() - 4);
    match random.below(4) {
        0 => letters.swap(place, place + 1),
        1 => {
            letters.remove(place);
        }
        2 => letters.insert(place, letters[place]),
        _ => letters[place] = if letters[place] == 'e' { 'r' } else { 'e' },
    }
    words[at] = letters.into_iter().collect();
    join(&words)
}

fn attribution(text: &str, random: &mut Random) -> Option<String> {
    if is_chinese(text) {
        let source = random.of(&["据相关报道，", "根据行业报告，", "据统计，"]);
        return Some(format!("{source}{text}"));
    }
    let source = *random.of(&["a recent report", "the annual review", "industry analysts", "Reuters"]);
    if random.below(2) == 0 || text.starts_with("According") {
        return Some(format!("{}, according to {source}.", text.trim_end_matches('.')));
    }
    Some(format!("According to {source}, {text}"))
}

fn number_rewritten(text: &str, _: &mut Random) -> Option<String> {
    for (from, to) in
        [(" percent", "%"), ("%", " percent"), (" million dollars", " million USD"), (" km", " kilometres")]
    {
        if let Some(at) = text.find(from).filter(|&at| text[..at].ends_with(|c: char| c.is_ascii_digit())) {
            let after = &text[at + from.len()..];
            if !is_chinese(text)
                && !after.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '–' || c == '/')
            {
                return Some(format!("{}{to}{}", &text[..at], after));
            }
        }
    }
    None
}

fn width(text: &str, _: &mut Random) -> Option<String> {
    let wide = |c: char| {
        if c.is_ascii_digit() || c.is_ascii_alphabetic() {
            char::from_u32(c as u32 + 0xFEE0).unwrap_or(c)
        } else {
            c
        }
    };
    (is_chinese(text) && text.bytes().any(|byte| byte.is_ascii_alphanumeric()))
        .then(|| text.chars().map(wide).collect())
}

fn joint(text: &str, random: &mut Random) -> Option<String> {
    if is_chinese(text) {
        return Some(format!("{}{text}", random.of(&["此外，", "同时，", "目前，", "值得注意的是，"])));
    }
    Some(format!("{} {text}", random.of(&["However,", "Moreover,", "In addition,", "Overall,", "Notably,"])))
}

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

fn number(text: &str, random: &mut Random) -> Option<String> {
    let places: Vec<_> = numbers(text).into_iter().filter(|&place| !is_year(text, place)).collect();
    let (start, end) = *places.get(random.below(places.len()))?;
    let mut digits: Vec<u8> = text[start..end].bytes().collect();
    let at = digits.iter().rposition(u8::is_ascii_digit)?;
    digits[at] = b'0' + (digits[at] - b'0' + 1 + random.below(8) as u8) % 10;
    Some(format!("{}{}{}", &text[..start], String::from_utf8(digits).ok()?, &text[end..]))
}

fn decimal_point(text: &str, _: &mut Random) -> Option<String> {
    let (start, end) = numbers(text).into_iter().find(|&(start, end)| text[start..end].contains('.'))?;
    Some(format!("{}{}{}", &text[..start], text[start..end].replace('.', ""), &text[end..]))
}

fn year(text: &str, random: &mut Random) -> Option<String> {
    let (start, end) = numbers(text).into_iter().find(|&place| is_year(text, place))?;
    let year: usize = text[start..end].parse().ok()?;
    Some(format!("{}{}{}", &text[..start], year + 1 + random.below(4), &text[end..]))
}

fn day(text: &str, random: &mut Random) -> Option<String> {
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

fn month(text: &str, random: &mut Random) -> Option<String> {
    const MONTHS: [&str; 8] =
        ["January", "February", "April", "June", "August", "October", "November", "December"];
    let at = (0..8).find(|&at| text.contains(MONTHS[at]))?;
    Some(text.replacen(MONTHS[at], MONTHS[(at + 1 + random.below(7)) % 8], 1))
}

fn negation(text: &str, random: &mut Random) -> Option<String> {
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
const OPPOSITES: &[(&str, &str)] = &[
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

fn polarity(text: &str, _: &mut Random) -> Option<String> {
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

fn modality(text: &str, _: &mut Random) -> Option<String> {
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

fn unit(text: &str, _: &mut Random) -> Option<String> {
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

fn scale(text: &str, _: &mut Random) -> Option<String> {
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

fn name(text: &str, random: &mut Random) -> Option<String> {
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

fn names_swapped(text: &str, _: &mut Random) -> Option<String> {
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
