//! Chinese and Japanese: the characters before a figure say what it is of, `净利润为38.6亿元`, `車道では時速20km`.
//!
//! The last two of them, what joins aside, are what it is called. All that stands before these in the same clause must be said by the
//! other statement, too.

use xxhash_rust::xxh3::xxh3_64;

use super::super::amounts::{Value, is_amount};
use super::super::dates::dates_fit;
use super::times::times;
use super::{Class, Mention, Told};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::letter_pairs::Searched;
use crate::domain::text::phrases::{before_any, behind_any};
use crate::domain::text::scripts::is_wide;
use crate::domain::text::words::Term;

/// Figures of a sentence that are looked at, and characters before each.
const FIGURES_MAX: usize = 6;
const CHARACTERS_MAX: usize = 40;
/// Characters of what a sentence is about, at least.
const SUBJECT_MIN: usize = 3;
/// What joins a thing and its figure.
#[rustfmt::skip]
const JOINTS: [&str; 30] = [
    "约为", "約為", "达到", "達到", "实现", "實現", "为", "為", "是", "达", "達", "到", "约", "約", "共", "有", "以", "は", "が", "で", "の", "を", "も", "に", "と", "最高", "合計", "共计", "仅", "至",
];
/// Ends that say the same as another.
const SAME: [(&str, &str); 6] = [
    ("重さ", "重量"),
    ("高さ", "高度"),
    ("値段", "価格"),
    ("长度", "全长"),
    ("总长", "全长"),
    ("長さ", "全長"),
];
/// What only points to a thing.
const THIS: [&str; 10] = ["这座", "這座", "这款", "这项", "這項", "该", "該", "この", "その", "同"];
/// What ends a clause.
const ENDS: [char; 10] = ['，', '。', '、', '；', '：', '（', ',', '(', ':', '\n'];
/// What turns, supposes or takes a part: nothing is compared then.
#[rustfmt::skip]
const OTHERWISE: &[&str] = &[
    "预计", "預計", "预测", "預測", "计划", "計画", "予想", "見込", "目標", "目标", "其中", "うち", "平均", "如果", "もし", "不是", "ではな", "并非", "此前", "以前", "不含", "不包括", "除外", "税", "至少", "以上", "以下", "左右",
];

/// The amounts of a sentence that characters stand before.
pub(super) fn of_sentence<'a>((at, _, of): (usize, &Statement<'_>, &'a Features<'_>)) -> Vec<Mention<'a>> {
    let text = Searched::new(of.text);
    if of.text.is_ascii() || OTHERWISE.iter().any(|word| text.contains(word)) {
        return Vec::new();
    }
    let amounts = of.figures.iter().filter(|figure| is_amount(figure) && figure.low == figure.high);
    let mention = |figure: &Figure| {
        let called = called(&clause(of.text, figure));
        let (from, _) = called.char_indices().rev().nth(1)?;
        let key = Term(xxh3_64(&called.as_bytes()[from..]));
        let told = Told::Amount(Value::new(of, figure, None));
        Some(Mention { at, class: Class::Characters, key, core: Vec::new(), told })
    };
    amounts.take(FIGURES_MAX).filter_map(mention).collect()
}

/// Whether one says more of what it is than the other, or they are of other times.
pub(super) fn are_of_others(mentions: [&Mention<'_>; 2], [one, other]: [&Features<'_>; 2]) -> bool {
    let differ = |mine: &Features<'_>, theirs: &Features<'_>| {
        times(mine).any(|time| {
            !times(theirs).any(|their| {
                time.unit == their.unit
                    && (time.low == their.low || time.unit == Unit::Date && dates_fit(&time, &their))
            })
        })
    };
    let clauses = [clause_of(mentions[0], one), clause_of(mentions[1], other)];
    let called = same_end(&clauses[0], &clauses[1]);
    let says_more = |at: usize, mine: &Features<'_>, theirs: &Features<'_>| {
        let rest = joined(&clauses[at][..clauses[at].len() - called]);
        let pointing = behind_any(rest, &THIS);
        let rest = pointing.unwrap_or(rest);
        let wide: String = theirs.text.chars().filter(|c| is_wide(*c)).collect();
        let led: Vec<char> =
            if rest.is_empty() { subject(mentions[at], mine) } else { rest.chars().collect() };
        let has = |pair: &[char]| wide.contains(&pair.iter().collect::<String>());
        match led.as_slice() {
            // What is about it is among what is the same.
            [] => false,
            [only] => !wide.contains(*only),
            more => !more.windows(2).all(has),
        }
    };
    differ(one, other) || differ(other, one) || says_more(0, one, other) || says_more(1, other, one)
}

/// What stands before the clause of a mention, as far as it says what that is about: `電動キックボード` of `電動キックボードの最高速度は、車道では`.
fn subject(mention: &Mention<'_>, of: &Features<'_>) -> Vec<char> {
    let Told::Amount(value) = &mention.told else { return Vec::new() };
    let start = value.start().unwrap_or_default();
    let before = &of.text[..clause_start(of.text, start)];
    let mut subject = Vec::new();
    for c in before.chars().filter(|c| is_wide(*c)) {
        // `この` is none yet.
        if matches!(c, 'の' | 'は') && subject.len() >= SUBJECT_MIN {
            break;
        }
        subject.push(c);
    }
    subject
}

/// The bytes that two end with alike.
fn same_end(one: &str, other: &str) -> usize {
    let both = one.chars().rev().zip(other.chars().rev());
    both.take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum()
}

/// What stands before the amount of a mention in its clause.
fn clause_of(mention: &Mention<'_>, of: &Features<'_>) -> String {
    let Told::Amount(value) = &mention.told else { return String::new() };
    let start = value.start().unwrap_or_default();
    let figure = of.figures.iter().find(|figure| figure.start == start);
    figure.map(|figure| called(&clause(of.text, figure))).unwrap_or_default()
}

/// The characters of the clause before a figure.
fn clause(text: &str, figure: &Figure) -> String {
    text[clause_start(text, figure.start)..figure.start].chars().filter(|c| is_wide(*c)).collect()
}

/// Where the clause begins that a figure stands in.
fn clause_start(text: &str, figure: usize) -> usize {
    let mut start = figure;
    for (at, c) in text[..figure].char_indices().rev().take(CHARACTERS_MAX) {
        if ENDS.contains(&c) {
            break;
        }
        start = at;
    }
    start
}

/// A clause as it is compared: without what joins it to the figure.
fn called(clause: &str) -> String {
    let mut rest = joined(clause).to_owned();
    if let Some((end, same)) = SAME.iter().find(|(end, _)| rest.ends_with(end)) {
        rest.truncate(rest.len() - end.len());
        rest.push_str(same);
    }
    rest
}

/// A clause without what joins it to a figure.
fn joined(mut clause: &str) -> &str {
    while let Some(rest) = before_any(clause, &JOINTS) {
        clause = rest;
    }
    clause
}
