//! The figures of a sentence: numbers with scale and unit, dates, ordinals, and names with digits.
//!
//! Two sentences that differ in a figure never say the same, so figures are normalised exactly, in decimal and without
//! floating point: `1.2 million`, `1,200,000` and `120万` are equal, `5 km` equals `5,000 m`, `12,5 %` equals
//! `12.5 percent`, `March 4, 2024` equals `2024-03-04` and `2024年3月4日`. Time is linear in the words of the text.

use std::cell::LazyCell;
use std::ops::Range;

use crate::domain::text::language::groups_by_point;
use crate::domain::text::words::{Kind, Word};

pub use self::clock::clock_time;
pub use self::units::Unit;
pub use self::value::Value;

mod bounds;
mod clock;
mod compound;
mod dates;
mod grouped;
mod korean;
mod numerals;
mod suffix;
#[cfg(test)]
mod tests;
mod units;
mod value;
mod versions;
mod yen;

/// How exactly a figure is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// As it is written.
    Exact,
    /// `about`, `nearly`, `约`.
    About,
    /// `over`, `at least`, `超过`.
    AtLeast,
    /// `up to`, `less than`, `不到`.
    AtMost,
}

/// A figure and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figure {
    /// The value in the unit's base (seconds, metres …), or the lower end of a range.
    pub low: Value,
    /// The upper end of a range; otherwise the same as `low`.
    pub high: Value,
    /// What is counted.
    pub unit: Unit,
    /// How exactly it is meant.
    pub bound: Bound,
    /// The power of ten of the last digit that is written: 7 for `44.4亿`, −1 for `4.5`.
    pub place: i32,
    /// Its first byte, with a sign of currency.
    pub start: usize,
    /// The byte after its last, with the unit.
    pub end: usize,
    /// What a number without a unit in the same range is multiplied by.
    scale: i32,
    factor: u32,
}

impl Figure {
    fn new(value: Value, unit: Unit, start: usize, end: usize) -> Self {
        Self { low: value, high: value, unit, bound: Bound::Exact, place: 0, start, end, scale: 0, factor: 1 }
    }

    /// Its place in the text, in bytes.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Whether the two may be compared: their units agree.
    pub fn comparable(&self, other: &Self) -> bool {
        self.unit == other.unit
    }

    /// Whether the two say the same: unit and normalised values are equal, and neither is a bound where the other isn't.
    pub fn same(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    /// What two figures that say the same have in common; `about` is left out.
    pub fn key(&self) -> (Unit, Value, Value, Bound) {
        let bound = if self.bound == Bound::About { Bound::Exact } else { self.bound };
        (self.unit, self.low, self.high, bound)
    }

    /// The years that a date names, first and last.
    pub fn years(&self) -> Option<(u64, u64)> {
        let year = |value: Value| value.whole().map(|date| date / 10_000).filter(|year| *year > 0);
        (self.unit == Unit::Date).then(|| Some((year(self.low)?, year(self.high)?))).flatten()
    }
}

/// The figures of a text, in its order. `words` are the words of the same text.
pub fn figures(text: &str, words: &[Word]) -> Vec<Figure> {
    // Nearly all begin with digits: that is room enough without growing.
    let numbers = words.iter().filter(|word| word.kind == Kind::Number).count();
    let mut found: Vec<Figure> = Vec::with_capacity(numbers);
    let mut consumed = 0;
    let groups_by_point = LazyCell::new(|| groups_by_point(text));
    let yen_or_yuan = LazyCell::new(|| yen::currency(text));
    for (at, word) in words.iter().enumerate() {
        if word.start < consumed {
            continue;
        }
        let figure = match word.kind {
            Kind::Number => dates::from_number(text, words, at)
                .or_else(|| number(text, *word, || *groups_by_point, || *yen_or_yuan)),
            Kind::Content | Kind::Stopword if numerals::may_begin(word) || has_digit(text, word) => {
                dates::from_word(text, words, at).or_else(|| named(text, words, at))
            }
            Kind::Content | Kind::Stopword => None,
            Kind::Cjk => numerals::chinese(text, word.start),
        };
        if let Some(mut figure) = figure {
            compound::with_half(text, &mut figure);
            bounds::find(text, &mut figure);
            consumed = figure.end;
            join(text, &mut found, figure);
        }
    }
    found
}

/// Whether a day of the week, as it is written, is one of English.
pub fn is_english_day(name: &str) -> bool {
    dates::weekdays::is_english(name)
}

/// Whether a number in letters may begin with a word.
pub fn may_begin(word: &Word) -> bool {
    numerals::may_begin(word)
}

/// Whether there is a digit in a word, as in no stopword.
fn has_digit(text: &str, word: &Word) -> bool {
    word.kind == Kind::Content && text.as_bytes()[word.range()].iter().any(u8::is_ascii_digit)
}

/// A figure that begins with digits.
fn number(
    text: &str,
    word: Word,
    groups_by_point: impl Fn() -> bool,
    yen_or_yuan: impl Fn() -> Unit,
) -> Option<Figure> {
    let written = text.get(word.range())?;
    let decimal = value::decimal(written).filter(|_| !value::are_of_row(text, word.range()));
    let Some((mut value, mut place, used)) = decimal else {
        return Some(label(written, word.start, word.end));
    };
    let mut end = word.start + used;
    if value::may_be_thousands(&written[..used]) && groups_by_point() {
        (value, place) = (value.scaled(3), 0);
    } else if let Some(whole) = grouped::grouped(text, written, word.end, &groups_by_point) {
        (value, place, end) = whole;
    }
    let before = text.get(..word.start)?;
    if hyphenated(before) {
        return Some(Figure { place, ..Figure::new(value, Unit::Label, word.start, word.end) });
    }
    if used == written.len() && versions::is_name(before, written) {
        return Some(label(written, word.start, word.end));
    }
    let (money, mut start) = units::currency_before(before);
    let money = money.map(|unit| if unit == Unit::Money(units::YEN_OR_YUAN) { yen_or_yuan() } else { unit });
    if let Some(sign) = value::minus_before(&before[..start]) {
        value = value.negated();
        start = sign;
    }
    let suffix = suffix::Suffix::of(text, end, &written[used..], money.is_some());
    let Some(suffix) = suffix else { return Some(label(written, word.start, word.end)) };
    Some(suffix.figure(value, place, money, start))
}

/// A name with digits, such as `H100`, `v1.2.3` or `5G`: equal only to itself. `v1.30` and `1.30` are one version.
fn label(written: &str, start: usize, end: usize) -> Figure {
    let digits = written.strip_prefix(['v', 'V']).filter(|rest| versions::is_dotted(rest));
    Figure::new(Value::hashed(digits.unwrap_or(written)), Unit::Label, start, end)
}

/// Whether the number is joined to a letter before it: `GPT-4`.
fn hyphenated(before: &str) -> bool {
    let Some(rest) = before.strip_suffix(['-', '‑']) else { return false };
    rest.chars().next_back().is_some_and(|c| c.is_ascii_alphabetic())
}

/// A figure in letters, or a name with digits.
fn named(text: &str, words: &[Word], at: usize) -> Option<Figure> {
    let word = words[at];
    let written = text.get(word.range())?;
    if written.len() > 1 && written.bytes().any(|byte| byte.is_ascii_digit()) {
        return Some(label(written, word.start, word.end));
    }
    numerals::in_letters(text, words, at)
}

/// Adds a figure; where it continues a range (`3–5 %`, `$3 to 5 billion`) or goes on in a smaller unit, both are one.
fn join(text: &str, found: &mut Vec<Figure>, figure: Figure) {
    if let Some(first) = found.last()
        && let Some(both) = range(text, first, &figure).or_else(|| compound::compound(text, first, &figure))
    {
        found.pop();
        found.push(both);
        return;
    }
    found.push(figure);
}

const TO: &[&str] = &["-", "–", "—", "−", "~", "～", "to", "至", "到", "‑", "bis", "à", "a", "tot", "до"];

/// `8 to 5 million`: the range that the two would be the other way round. `None` where they aren't joined, or rise.
pub fn turned(text: &str, first: &Figure, second: &Figure) -> Option<Figure> {
    let joined = text.get(first.end..second.start).is_some_and(|between| TO.contains(&between.trim()));
    let (low, high) = (carried_by(second, first), carried_by(first, second));
    let falls = high.approximate() > low.approximate();
    let unit = if first.unit == Unit::Plain { second.unit } else { first.unit };
    (joined && falls).then_some(Figure { low, high, unit, ..*second })
}

/// Its value, with the scale and unit of the other where it has none.
fn carried_by(of: &Figure, with: &Figure) -> Value {
    match (of.unit, of.scale) {
        (Unit::Plain, 0) => carried(of, with).0,
        _ => of.low,
    }
}

fn range(text: &str, first: &Figure, second: &Figure) -> Option<Figure> {
    let between = text.get(first.end..second.start)?;
    let between = between.trim();
    let both = between == "and" && text[..first.start].trim_end().ends_with("between");
    if !(both || TO.contains(&between)) || first.low != first.high {
        return None;
    }
    // `10:00 to 18:00`: the minutes of one time and the hour of another are no range.
    let clock = clock_time(text, first.start..first.end);
    if clock.start < first.start {
        return None;
    }
    let unit = if first.unit == Unit::Plain { second.unit } else { first.unit };
    let fits = |unit: Unit, of: Unit| of == unit || of == Unit::Plain;
    if !fits(unit, first.unit) || !fits(unit, second.unit) || matches!(unit, Unit::Label | Unit::Ordinal) {
        return None;
    }
    let (low, low_place) = match (first.unit, first.scale) {
        (Unit::Plain, 0) => carried(first, second),
        (_, 0) if second.unit == Unit::Plain => carried(first, second),
        _ => (first.low, first.place),
    };
    let (high, _) = match (second.unit, second.scale) {
        (Unit::Plain, 0) => carried(second, first),
        _ => (second.low, second.place),
    };
    let rising = low.approximate() < high.approximate();
    rising.then(|| Figure {
        low,
        high,
        unit,
        bound: first.bound,
        place: low_place.max(second.place),
        start: first.start,
        end: second.end,
        scale: second.scale,
        factor: second.factor,
    })
}

/// The value of one end of a range with the scale and unit of the other.
fn carried(of: &Figure, with: &Figure) -> (Value, i32) {
    (of.low.times(with.factor).scaled(with.scale), of.place.saturating_add(with.scale))
}
