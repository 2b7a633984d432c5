//! What stands behind a label: an amount, a day by which something is due, a time of day at which it begins, a state, what is chosen.

use super::super::Kind;
use super::super::converted::agrees;
use super::super::dates::dates_fit;
use super::super::measured::clock_times;
use super::heads::Label;
use super::states::{self, State};
use crate::domain::near_duplicates::Features;
use crate::domain::text::figures::{Figure, Unit};

/// Before an amount, how exactly it is meant: what agrees with it is known by its bound.
#[rustfmt::skip]
const ABOUT: [&str; 14] = [
    "about", "around", "roughly", "approximately", "approx", "circa", "ca", "nearly", "almost", "some", "rund", "etwa", "ungefähr", "environ",
];
/// What has one day or one time: not when a text was written, or what it tells of was so.
#[rustfmt::skip]
const ONCE: &[&str] = &[
    "deadline", "due", "eta", "etd", "start", "starts", "begin", "begins", "end", "ends", "launch", "release", "expires", "expiry", "expiration", "opens", "closes", "opening", "closing", "departure", "arrival", "kickoff", "cutoff", "cut-off",
    "frist", "abgabefrist", "stichtag", "beginn", "ende", "abfahrt", "ankunft", "ablauf", "échéance", "limite", "début", "fin", "départ", "arrivée", "plazo", "inicio", "límite", "salida", "llegada", "vencimiento", "scadenza", "inizio", "partenza", "arrivo",
    "prazo", "início", "fim", "partida", "chegada", "срок", "начало", "дедлайн", "окончание", "termin", "początek", "koniec", "截止日期", "截止时间", "开始时间", "结束时间", "締切", "期限", "開始", "終了", "마감", "마감일", "시작",
];

/// What a line says behind its label.
pub(super) struct Told<'s> {
    pub(super) written: &'s str,
    is: Is<'s>,
    /// What else stands behind the label.
    beside: String,
}

enum Is<'s> {
    Amount(&'s Features<'s>, &'s Figure),
    Day(&'s Figure),
    /// In minutes.
    Time(u32),
    State(State<'s>),
}

impl<'s> Told<'s> {
    /// The only amount, day or time behind a label, or the words that are all.
    pub(super) fn of(of: &'s Features<'_>, label: &Label<'s>) -> Option<Self> {
        if let Some(state) = label.state {
            let state = State::of(label.text, state)?;
            return Some(Self { written: state.written, is: Is::State(state), beside: String::new() });
        }
        let end = of.text.find(label.text)? + label.text.len();
        let start = end + of.text[end..].find(label.verb)? + label.verb.len();
        // What numbers a label stands before it.
        let figures: Vec<&Figure> = of.figures.iter().filter(|figure| figure.start >= start).collect();
        if figures.is_empty() || states::is_choice(label.text) || states::is_level(&of.text[start..]) {
            let state = State::of(label.text, &of.text[start..]).filter(|_| label.verb.is_empty())?;
            return Some(Self { written: state.written, is: Is::State(state), beside: String::new() });
        }
        let is_once = || label.text.to_lowercase().split([' ', '*']).any(|word| ONCE.contains(&word));
        let (is, range) = match figures.as_slice() {
            [figure] if is_amount(figure) => (Is::Amount(of, figure), figure.range()),
            [figure] if is_day(figure) && is_once() => (Is::Day(figure), figure.range()),
            [_, _] if is_once() => match clock_times(&of.text[start..]).as_slice() {
                [(minutes, range)] => (Is::Time(*minutes), start + range.start..start + range.end),
                _ => return None,
            },
            _ => return None,
        };
        let around = [of.text.get(start..range.start)?, of.text.get(range.end..)?].join(" ");
        let words = around.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let words = words.map(str::to_lowercase).filter(|word| !ABOUT.contains(&word.as_str()));
        let beside = words.collect::<Vec<_>>().join(" ");
        Some(Self { written: &of.text[range], is, beside })
    }

    /// Whether it is said in words.
    pub(super) fn is_word(&self) -> bool {
        matches!(self.is, Is::State(_))
    }

    /// How two differ; `None` where they don't, or can't be compared.
    pub(super) fn differ(&self, other: &Self) -> Option<Kind> {
        if self.beside != other.beside {
            return None;
        }
        match (&self.is, &other.is) {
            (Is::Amount(one, a), Is::Amount(two, b)) => {
                (agrees((one, a), (two, b)) == Some(false)).then_some(Kind::Number)
            }
            (Is::Day(a), Is::Day(b)) => (!a.same(b) && !dates_fit(a, b)).then_some(Kind::Date),
            (Is::Time(a), Is::Time(b)) => (a != b).then_some(Kind::Number),
            (Is::State(a), Is::State(b)) => a.differ(b),
            (Is::Amount(..) | Is::Day(_) | Is::Time(_) | Is::State(_), _) => None,
        }
    }
}

fn is_amount(figure: &Figure) -> bool {
    matches!(figure.unit, Unit::Plain | Unit::Percent | Unit::Money(_) | Unit::Measure { .. } | Unit::Times)
}

/// A date with its day.
fn is_day(figure: &Figure) -> bool {
    let has_day = |date: u64| date > 100 && !date.is_multiple_of(100);
    figure.unit == Unit::Date && figure.low == figure.high && figure.low.whole().is_some_and(has_day)
}
