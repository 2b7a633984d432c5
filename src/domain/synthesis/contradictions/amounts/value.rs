//! How much it is: a figure, with the unit that stands elsewhere, `12` below `Latency (ms)` and behind `latency_ms`.

use super::super::ambiguous;
use super::super::converted::agrees;
use super::words::said;
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Figure, Unit};
use crate::domain::text::phrases::begins_with_any;
use crate::domain::text::words::Lexicon;

/// Bytes of a unit.
const UNIT_BYTES_MAX: usize = 24;
/// Ends of keys that are written otherwise in texts.
const SHORT: [(&str, &str); 4] = [("pct", "%"), ("percent", "%"), ("percentage", "%"), ("secs", "seconds")];
/// What is no unit where no number stands before it: the least, and a preposition.
const NO_UNITS: [&str; 2] = ["min", "in"];

/// A unit that stands apart from its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Apart {
    written: String,
    /// Whether it stands before a number: `$`.
    is_before: bool,
    /// Whether it says per what something is, and goes with another unit: `per month`.
    is_per: bool,
}

impl Apart {
    /// What some words are, where that is a unit.
    pub(super) fn of(words: &str, lexicon: &mut Lexicon) -> Option<Self> {
        let words = words.trim();
        let lower = words.to_lowercase();
        let is_short = (1..=UNIT_BYTES_MAX).contains(&words.len());
        if !is_short || words.contains(|c: char| c.is_ascii_digit()) || NO_UNITS.contains(&lower.as_str()) {
            return None;
        }
        let written = SHORT.iter().find(|(short, _)| *short == lower).map_or(words, |(_, written)| *written);
        let is_per = begins_with_any(&lower, &["per ", "pro ", "/"]);
        let mut is_unit = |number: &str| {
            let read = Features::of(lexicon, number);
            let [figure] = read.figures.as_slice() else { return false };
            (figure.start, figure.end) == (0, number.len())
                && (figure.unit != Unit::Plain || figure.low.whole() != Some(1))
                && !matches!(figure.unit, Unit::Label | Unit::Date | Unit::Ordinal | Unit::Weekday)
        };
        let is_before = !is_unit(&format!("1 {written}"));
        let is_one = !is_before || is_unit(&format!("{written}1"));
        is_one.then(|| Self { written: written.to_owned(), is_before, is_per })
    }

    /// This unit per something behind another: `per month` behind `USD`.
    pub(super) fn behind(self, other: Option<Self>) -> Self {
        match other {
            Some(unit) if self.is_per && !unit.is_before => {
                Self { written: format!("{} {}", unit.written, self.written), is_per: false, ..unit }
            }
            Some(unit) => unit,
            None => self,
        }
    }

    /// A number with its unit.
    fn with(&self, number: &str) -> String {
        if self.is_before {
            format!("{}{number}", self.written)
        } else {
            format!("{number} {}", self.written)
        }
    }
}

/// An amount as it is compared.
pub(in super::super) enum Value<'f> {
    /// As it stands in a statement.
    Of(&'f Features<'f>, Figure),
    /// With what stands elsewhere.
    Written(String),
    /// A number of four digits that would be a year in a sentence: it counts something, unless the other is such a number, too.
    Count(String),
}

impl<'f> Value<'f> {
    /// A figure of a statement with the unit that stands apart from it, where it has none itself.
    pub(in super::super) fn new(of: &'f Features<'f>, figure: &Figure, apart: Option<&Apart>) -> Self {
        let written = &of.text[figure.range()];
        match apart {
            Some(unit) if unit.is_per || figure.unit == Unit::Plain || may_count(of, figure) => {
                Self::Written(unit.with(written))
            }
            Some(_) | None if may_count(of, figure) => Self::Count(written.to_owned()),
            Some(_) | None => Self::Of(of, *figure),
        }
    }

    /// A number, or a string that is one amount, of JSON.
    pub(in super::super) fn of_member(
        written: &str,
        apart: Option<&Apart>,
        lexicon: &mut Lexicon,
    ) -> Option<Self> {
        let is_bare = written.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let unit = apart.filter(|unit| is_bare || unit.is_per);
        let whole = unit.map_or_else(|| written.to_owned(), |unit| unit.with(written));
        let read = Features::of(lexicon, &whole);
        if let [only] = read.figures.as_slice()
            && may_count(&read, only)
            && whole == written
        {
            return Some(Self::Count(whole));
        }
        let is_one = read.figures.len() == 1
            && said(&read, 0..whole.len(), read.figures.first().map(|only| only.start)).is_empty();
        is_one.then_some(Self::Written(whole))
    }

    /// An amount as it is written, whatever stands around it.
    pub(in super::super) fn written_out(written: &str) -> Self {
        Self::Written(written.to_owned())
    }

    /// Its first byte, where it stands in a statement.
    pub(in super::super) fn start(&self) -> Option<usize> {
        match self {
            Self::Of(_, figure) => Some(figure.start),
            Self::Written(_) | Self::Count(_) => None,
        }
    }

    /// As it is told.
    pub(in super::super) fn written(&self) -> String {
        match self {
            Self::Of(of, figure) => of.text[figure.range()].to_owned(),
            Self::Written(written) | Self::Count(written) => written.clone(),
        }
    }

    /// Whether two can be true of the same; `None` where they can't be compared.
    pub(in super::super) fn agrees(&self, other: &Value<'_>, lexicon: &mut Lexicon) -> Option<bool> {
        if let (Value::Count(one), Value::Count(other)) = (self, other) {
            return (one == other).then_some(true);
        }
        let grouped = |value: &Value<'_>| match value {
            Value::Count(digits) => Some(format!("{},{}", &digits[..1], &digits[1..])),
            Value::Of(..) | Value::Written(_) => None,
        };
        if let Some(own) = grouped(self) {
            return Value::Written(own).agrees(other, lexicon);
        }
        if let Some(own) = grouped(other) {
            return self.agrees(&Value::Written(own), lexicon);
        }
        let (mut mine, mut theirs) = (None, None);
        let one = self.read(&mut mine, lexicon)?;
        let other = other.read(&mut theirs, lexicon)?;
        if ambiguous::may_be_equal(one, other) {
            return Some(true);
        }
        agrees(one, other)
    }

    /// Whether it is another in every test.
    pub(in super::super) fn varies(&self, lexicon: &mut Lexicon) -> bool {
        let mut room = None;
        self.read(&mut room, lexicon).is_none_or(|(_, figure)| varies(figure))
    }

    fn read<'r>(
        &'r self,
        room: &'r mut Option<Features<'r>>,
        lexicon: &mut Lexicon,
    ) -> Option<(&'r Features<'r>, &'r Figure)> {
        match self {
            Self::Of(of, figure) => Some((*of, figure)),
            Self::Written(written) | Self::Count(written) => {
                let read = &*room.insert(Features::of(lexicon, written));
                let [figure] = read.figures.as_slice() else { return None };
                is_amount(figure).then_some((read, figure))
            }
        }
    }
}

/// Whether a figure says how much something is.
pub(in super::super) fn is_amount(figure: &Figure) -> bool {
    match figure.unit {
        Unit::Plain | Unit::Percent | Unit::Points | Unit::Money(_) | Unit::Measure { .. } | Unit::Times => {
            true
        }
        Unit::Ordinal | Unit::Fraction | Unit::Date | Unit::Weekday | Unit::Label => false,
    }
}

/// Whether an amount is a time, a share, a rate or a score, which other tests of the same have others of: not a price, a size or a count.
pub(in super::super) fn varies(figure: &Figure) -> bool {
    match figure.unit {
        Unit::Measure { base, per } => base == "s" || per != 0,
        Unit::Plain => figure.place < 0,
        Unit::Money(_) => false,
        Unit::Percent
        | Unit::Points
        | Unit::Times
        | Unit::Ordinal
        | Unit::Fraction
        | Unit::Date
        | Unit::Weekday
        | Unit::Label => true,
    }
}

/// Whether a figure is four digits, which are a year in a sentence, and a count below `Employees`.
pub(super) fn may_count(of: &Features<'_>, figure: &Figure) -> bool {
    let written = &of.text[figure.range()];
    figure.unit == Unit::Date && written.len() == 4 && written.bytes().all(|byte| byte.is_ascii_digit())
}
