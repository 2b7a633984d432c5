//! Measures of two units, as one figure: `3 hours 40 minutes`, `2 years and 6 months`.

use super::{Figure, Unit};

/// What stands between the two.
const JOINTS: [&str; 6] = ["", "and", "und", "et", "y", "e"];
/// What is measured so.
const BASES: [&str; 4] = ["s", "month", "m", "g"];

/// Both as one, where the second goes on with a smaller unit, of which there is less than one of the first.
pub(super) fn compound(text: &str, first: &Figure, second: &Figure) -> Option<Figure> {
    let Unit::Measure { base, per: 0 } = first.unit else { return None };
    let between = text.get(first.end..second.start)?;
    let is_beside = between.starts_with(' ') && JOINTS.contains(&between.trim());
    let is_one = |figure: &Figure| figure.low == figure.high;
    if first.unit != second.unit || !BASES.contains(&base) || !is_beside || !is_one(first) || !is_one(second)
    {
        return None;
    }
    let size = |figure: &Figure| f64::from(figure.factor) * 10_f64.powi(figure.scale);
    let rest = second.low.approximate();
    let is_part = size(second) < size(first) && 0.0 <= rest && rest < size(first);
    let value = first.low.plus(second.low).filter(|_| is_part && first.place >= 0)?;
    Some(Figure { low: value, high: value, bound: first.bound, start: first.start, ..*second })
}
