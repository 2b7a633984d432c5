//! Measures of two units, as one figure: `3 hours 40 minutes`, `2 years and 6 months`, `2時間30分`, `1時間半`, `2 h 30`.

use super::{Figure, Unit, Value};
use crate::domain::text::phrases::ends_with_any;

/// What stands between the two.
const JOINTS: [&str; 6] = ["", "and", "und", "et", "y", "e"];
/// What is measured so.
const BASES: [&str; 4] = ["s", "month", "m", "g"];
/// What half a unit may stand behind.
const HALVED: [&str; 2] = ["時間", "年"];
/// What stands before a time of day in French: `à 14 h 30`.
const CLOCK: [&str; 12] =
    ["à", "vers", "dès", "avant", "après", "jusqu’à", "jusqu'à", "entre", "et", "depuis", "pour", "de"];
const MINUTE: u32 = 60;

/// Both as one, where the second goes on with a smaller unit, of which there is less than one of the first.
pub(super) fn compound(text: &str, first: &Figure, second: &Figure) -> Option<Figure> {
    let Unit::Measure { base, per: 0 } = first.unit else { return None };
    let between = text.get(first.end..second.start)?;
    let is_beside = between.starts_with(' ') && JOINTS.contains(&between.trim())
        || between.is_empty() && !text.is_ascii();
    let is_one = |figure: &Figure| figure.low == figure.high;
    let second = minutes(text, first, second).unwrap_or(*second);
    if first.unit != second.unit || !BASES.contains(&base) || !is_beside || !is_one(first) || !is_one(&second)
    {
        return None;
    }
    let size = |figure: &Figure| f64::from(figure.factor) * 10_f64.powi(figure.scale);
    let rest = second.low.approximate();
    let is_part = size(&second) < size(first) && 0.0 <= rest && rest < size(first);
    let value = first.low.plus(second.low).filter(|_| is_part && first.place >= 0)?;
    Some(Figure { low: value, high: value, bound: first.bound, start: first.start, ..second })
}

/// A bare number behind hours that is of minutes: `2時間30分`, and `2 h 30` where that is no time of day.
fn minutes(text: &str, hours: &Figure, bare: &Figure) -> Option<Figure> {
    let written = text.get(bare.start..bare.end)?;
    let is_bare =
        bare.unit == Unit::Plain && written.len() <= 2 && written.bytes().all(|c| c.is_ascii_digit());
    if !is_bare || hours.factor != 60 * MINUTE || hours.unit != (Unit::Measure { base: "s", per: 0 }) {
        return None;
    }
    let behind = &text[bare.end..];
    let sign = if behind.starts_with('分') { '分'.len_utf8() } else { 0 };
    let before = text[..hours.start].trim_end();
    let word = before.rsplit([' ', '\u{a0}']).next().unwrap_or_default();
    let is_lasting = !CLOCK.contains(&word) || ends_with_any(before, &["durée de", "est de"]);
    let is_french =
        text[..hours.end].ends_with('h') && written.len() == 2 && !before.is_empty() && is_lasting;
    let goes_on = behind.trim_start().starts_with(|c: char| c.is_alphanumeric() || c == '%');
    (sign > 0 || is_french && !goes_on).then(|| {
        let value = bare.low.times(MINUTE);
        Figure { low: value, high: value, unit: hours.unit, factor: MINUTE, end: bare.end + sign, ..*bare }
    })
}

/// With half a unit more that is written behind it: `1時間半`.
pub(super) fn with_half(text: &str, figure: &mut Figure) {
    // Nearly all stand before something else.
    let Some(rest) = text[figure.end..].strip_prefix('半') else { return };
    let is_word = rest.starts_with(|c: char| matches!(c, '\u{4E00}'..='\u{9FFF}' | 'ば'));
    let is_halved = HALVED.iter().any(|unit| text[..figure.end].ends_with(unit));
    let half = Value::new(5, -1).times(figure.factor).scaled(figure.scale);
    if is_halved
        && !is_word
        && figure.low == figure.high
        && let Some(value) = figure.low.plus(half)
    {
        (figure.low, figure.high, figure.end) = (value, value, figure.end + '半'.len_utf8());
    }
}

#[cfg(test)]
mod tests {
    use super::super::figures;
    use super::Unit;
    use crate::domain::text::words::Lexicon;

    #[test]
    fn two_units_are_one_duration_and_times_of_day_are_none() {
        let read = |text: &str| {
            let found = figures(text, &Lexicon::default().words(text));
            found.iter().map(|figure| (figure.unit, figure.low.whole())).collect::<Vec<_>>()
        };
        let time = Unit::Measure { base: "s", per: 0 };
        for (text, seconds) in [
            ("会議は2時間30分です。", 9_000),
            ("会議は150分です。", 9_000),
            ("会議は1時間半です。", 5_400),
            ("会議は90分です。", 5_400),
            ("会议持续2小时30分钟。", 9_000),
            ("会议持续2小时30分。", 9_000),
            ("Le vol dure 2 h 30.", 9_000),
            ("Le vol a une durée de 2 h 30.", 9_000),
            ("The flight takes 2 hours 30 minutes.", 9_000),
        ] {
            assert_eq!(read(text), [(time, Some(seconds))], "{text}");
        }
        let hours = |hours: u64| (time, Some(hours * 3_600));
        assert_eq!(read("Le train part à 14 h 30."), [hours(14), (Unit::Plain, Some(30))]);
        assert_eq!(read("De 14 h 30 à 16 h."), [hours(14), (Unit::Plain, Some(30)), hours(16)]);
        assert_eq!(read("評価は3分の1です。").first().map(|read| read.0), Some(Unit::Plain));
        assert_eq!(read("列車は14時30分に出ます。").last(), Some(&(Unit::Plain, Some(30))));
    }

    #[test]
    fn units_are_known_in_singular_and_plural() {
        let read = |text: &str| {
            let found = figures(text, &Lexicon::default().words(text));
            found.first().map(|figure| (figure.unit, figure.low.whole()))
        };
        let months = |count: u64| Some((Unit::Measure { base: "month", per: 0 }, Some(count)));
        for (text, count) in [
            ("Gwarancja wynosi 2 lata.", 24),
            ("Gwarancja wynosi 5 lat.", 60),
            ("Okres wynosi 3 miesiące.", 3),
            ("Okres wynosi 6 miesięcy.", 6),
            ("Záruka je 2 roky.", 24),
            ("Záruka je 5 let.", 60),
            ("Гарантия составляет 2 года.", 24),
            ("Гарантия составляет 5 лет.", 60),
            ("Срок составляет 1 месяц.", 1),
            ("De opzegtermijn is 1 maand.", 1),
            ("De opzegtermijn is 2 maanden.", 2),
            ("Le préavis est de 1 an.", 12),
            ("Le préavis est de 2 ans.", 24),
        ] {
            assert_eq!(read(text), months(count), "{text}");
        }
        for text in ["In 2023 let us see.", "W 2020 rok był dobry.", "Он вырос с 2020 года."] {
            assert_eq!(read(text).map(|read| read.0), Some(Unit::Date), "{text}");
        }
        assert_eq!(read("It costs $5 an hour.").map(|read| read.0), Some(Unit::Money("USD")));
        assert_eq!(read("The 5 let go."), Some((Unit::Plain, Some(5))));
    }
}
