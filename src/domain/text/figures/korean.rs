//! What Korean writes onto a number: its scale (`500만`), or an ending behind its unit (`5km이다`).

/// Powers of ten.
const SCALES: [(char, i32); 2] = [('만', 4), ('억', 8)];

/// What is counted, or paid, and says no more than the number.
const COUNTERS: [&str; 5] = ["원", "명", "건", "개", "대"];
/// Units of time.
pub(super) const UNITS: [(&str, &str, u32); 2] = [("개월", "month", 1), ("시간", "s", 3600)];
/// Endings of what a sentence says, and of its parts.
#[rustfmt::skip]
const ENDINGS: [&str; 22] = [
    "", "입니다", "이다", "다", "이며", "이고", "으로", "로", "이", "가", "은", "는", "을", "를", "에", "의", "도", "과", "와", "였다", "이었다", "이었습니다",
];

/// The scale with which the letters behind a number begin, and the part of them that says scale or unit. Endings say nothing;
/// of letters that are neither all are left, so that the word stays a name.
pub(super) fn divided(tail: &str) -> (i32, &str) {
    let Some(at) = tail.find(is_hangul) else { return (0, tail) };
    let scale = SCALES.iter().find(|(c, _)| tail.starts_with(*c));
    match scale {
        Some((c, power)) => (*power, &tail[..c.len_utf8()]),
        None if at > 0 => (0, &tail[..at]),
        None => (0, counted(tail).unwrap_or(tail)),
    }
}

/// The part of what is written onto a number that says what is counted.
fn counted(tail: &str) -> Option<&str> {
    let ends = |counter: &&str| tail.strip_prefix(*counter).is_some_and(|ending| ENDINGS.contains(&ending));
    let units = UNITS.iter().map(|(unit, ..)| *unit);
    units.chain(COUNTERS).find(ends).map(|counter| &tail[..counter.len()])
}

/// Whether what is written onto a number only counts.
pub(super) fn is_counter(tail: &str) -> bool {
    COUNTERS.contains(&tail)
}

fn is_hangul(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7AF}')
}

#[cfg(test)]
mod tests {
    use super::super::figures;
    use crate::domain::text::figures::Unit;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn scales_and_units_are_read_before_endings() {
        let read = |text: &str| {
            let found = figures(text, &Lexicon::default().words(text));
            found.first().map(|figure| (figure.unit, figure.low.whole()))
        };
        assert_eq!(read("인구는 500만 명이다."), Some((Unit::Plain, Some(5_000_000))));
        assert_eq!(read("인구는 500만명이다."), Some((Unit::Plain, Some(5_000_000))));
        assert_eq!(read("매출은 3억 원이다."), Some((Unit::Plain, Some(300_000_000))));
        assert_eq!(read("다리는 5km이다."), Some((Unit::Measure { base: "m", per: 0 }, Some(5000))));
        assert_eq!(read("가격은 59,800원입니다."), Some((Unit::Plain, Some(59_800))));
        assert_eq!(read("직원은 120명이다."), Some((Unit::Plain, Some(120))));
        assert_eq!(read("기간은 3개월이다."), Some((Unit::Measure { base: "month", per: 0 }, Some(3))));
        for name in ["3조는 이겼다.", "2023년에 시작했다.", "5월에 시작했다.", "4xyz이다.", "3개국이다."]
        {
            assert_eq!(read(name).map(|read| read.0), Some(Unit::Label), "{name}");
        }
    }
}
