//! Words before a figure that say how exactly it is meant.

use std::sync::LazyLock;

use super::{Bound, Figure, Unit};

/// How far before a figure they are looked for, in bytes.
const LOOK_BACK: usize = 24;

#[rustfmt::skip]
const BEFORE: &[(&str, Bound)] = &[
    ("about", Bound::About), ("around", Bound::About), ("approximately", Bound::About), ("roughly", Bound::About), ("nearly", Bound::About),
    ("almost", Bound::About), ("some", Bound::About), ("circa", Bound::About), ("c.", Bound::About), ("ca.", Bound::About), ("~", Bound::About), ("≈", Bound::About), ("approx.", Bound::About),
    ("estimated", Bound::About), ("约", Bound::About), ("近", Bound::About), ("大约", Bound::About), ("将近", Bound::About), ("约为", Bound::About), ("约有", Bound::About), ("约达", Bound::About), ("大概", Bound::About), ("約為", Bound::About), ("接近", Bound::About),
    ("約", Bound::About), ("およそ", Bound::About), ("rund", Bound::About), ("rd.", Bound::About), ("etwa", Bound::About), ("ungefähr", Bound::About), ("knapp", Bound::About),
    ("environ", Bound::About), ("près de", Bound::About), ("unos", Bound::About), ("unas", Bound::About), ("alrededor de", Bound::About), ("cerca de", Bound::About), ("aproximadamente", Bound::About),
    ("over", Bound::AtLeast), ("more than", Bound::AtLeast), ("above", Bound::AtLeast), ("at least", Bound::AtLeast), ("exceeding", Bound::AtLeast), ("exceeded", Bound::AtLeast), ("exceed", Bound::AtLeast),
    ("greater than", Bound::AtLeast), (">", Bound::AtLeast), ("≥", Bound::AtLeast), ("超", Bound::AtLeast), ("超过", Bound::AtLeast), ("逾", Bound::AtLeast), ("至少", Bound::AtLeast), ("不低于", Bound::AtLeast), ("高于", Bound::AtLeast), ("不少于", Bound::AtLeast), ("大于", Bound::AtLeast), ("突破", Bound::AtLeast),
    ("mehr als", Bound::AtLeast), ("über", Bound::AtLeast), ("mindestens", Bound::AtLeast), ("plus de", Bound::AtLeast), ("au moins", Bound::AtLeast), ("más de", Bound::AtLeast), ("al menos", Bound::AtLeast),
    ("weniger als", Bound::AtMost), ("höchstens", Bound::AtMost), ("bis zu", Bound::AtMost), ("moins de", Bound::AtMost), ("jusqu'à", Bound::AtMost), ("jusqu’à", Bound::AtMost), ("plus d'un", Bound::AtLeast), ("plus d’un", Bound::AtLeast), ("moins d'un", Bound::AtMost), ("moins d’un", Bound::AtMost), ("près d'un", Bound::About), ("près d’un", Bound::About), ("à peu près", Bound::About),
    ("por lo menos", Bound::AtLeast), ("como mínimo", Bound::AtLeast), ("como máximo", Bound::AtMost), ("au maximum", Bound::AtMost), ("au minimum", Bound::AtLeast), ("menos de", Bound::AtMost), ("hasta", Bound::AtMost),
    ("under", Bound::AtMost), ("below", Bound::AtMost), ("less than", Bound::AtMost), ("fewer than", Bound::AtMost), ("up to", Bound::AtMost), ("as much as", Bound::AtMost), ("as many as", Bound::AtMost), ("at most", Bound::AtMost), ("lower than", Bound::AtMost),
    ("no more than", Bound::AtMost), ("not more than", Bound::AtMost), ("no longer than", Bound::AtMost), ("not longer than", Bound::AtMost), ("no later than", Bound::AtMost), ("not later than", Bound::AtMost),
    ("no higher than", Bound::AtMost), ("no greater than", Bound::AtMost), ("nicht mehr als", Bound::AtMost), ("nicht länger als", Bound::AtMost), ("pas plus de", Bound::AtMost), ("no más de", Bound::AtMost),
    ("no less than", Bound::AtLeast), ("not less than", Bound::AtLeast), ("no fewer than", Bound::AtLeast), ("not fewer than", Bound::AtLeast), ("no earlier than", Bound::AtLeast), ("not earlier than", Bound::AtLeast),
    ("no lower than", Bound::AtLeast), ("nicht weniger als", Bound::AtLeast), ("pas moins de", Bound::AtLeast), ("no menos de", Bound::AtLeast),
    ("<", Bound::AtMost), ("≤", Bound::AtMost), ("不到", Bound::AtMost), ("不足", Bound::AtMost), ("低于", Bound::AtMost), ("至多", Bound::AtMost), ("最多", Bound::AtMost), ("小于", Bound::AtMost), ("不超过", Bound::AtMost), ("少于", Bound::AtMost), ("高达", Bound::AtMost),
];

/// The same by their last two bytes, which rule nearly all of them out; those of one byte are in all places.
static BY_END: LazyLock<[Vec<(&str, Bound)>; 256]> = LazyLock::new(|| {
    let ends = |place: usize| move |word: &&(&str, Bound)| place_of(word.0).is_none_or(|its| its == place);
    std::array::from_fn(|place| BEFORE.iter().filter(ends(place)).copied().collect())
});

/// The place of what ends as a text does, whatever its case; `None` for a text of one byte.
fn place_of(text: &str) -> Option<usize> {
    let [last, before] = *text.as_bytes().last_chunk::<2>()?;
    let (last, before) = (last.to_ascii_lowercase(), before.to_ascii_lowercase());
    Some(usize::from(last ^ before.rotate_left(3)))
}

/// Finds the word before a figure and sets its bound; names with digits have none.
pub(super) fn find(text: &str, figure: &mut Figure) {
    if figure.unit == Unit::Label || figure.bound != Bound::Exact {
        return;
    }
    let from = text.floor_char_boundary(figure.start.saturating_sub(LOOK_BACK));
    let before = text[from..figure.start].trim_end();
    // `Über 500` and `MÁS DE 500`: only ASCII letters are compared without case below.
    let lowered = (!before.is_ascii()).then(|| before.to_lowercase());
    let before = lowered.as_deref().unwrap_or(before);
    if before.is_empty() {
        return;
    }
    let ends = |word: &str| {
        let Some(at) = before.len().checked_sub(word.len()) else { return false };
        let Some(tail) = before.as_bytes().get(at..) else { return false };
        // Most are out by their first letter.
        if tail[0] | 0x20 != word.as_bytes()[0] | 0x20 || !tail.eq_ignore_ascii_case(word.as_bytes()) {
            return false;
        }
        // `gegenüber 5 %` isn't `über`.
        !(word.as_bytes()[0].is_ascii_alphabetic() || word.starts_with('ü'))
            || at == 0
            || !before.as_bytes()[at - 1].is_ascii_alphanumeric()
    };
    // What is one byte long is all of a place's words that it may be.
    let candidates = BY_END[place_of(before).unwrap_or_default()].iter();
    if let Some((_, bound)) = candidates.filter(|(word, _)| ends(word)).max_by_key(|(word, _)| word.len()) {
        figure.bound = *bound;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Value;
    use super::*;

    #[test]
    fn every_word_is_found_before_a_figure_and_no_part_of_another() {
        let bound = |before: &str| {
            let text = format!("{before} 5");
            let mut figure = Figure::new(Value::new(5, 0), Unit::Plain, text.len() - 1, text.len());
            find(&text, &mut figure);
            figure.bound
        };
        for (word, is) in BEFORE {
            assert_eq!(bound(word), *is, "{word}");
            assert_eq!(bound(&word.to_uppercase()), *is, "{word}");
        }
        for other in ["", "s", "x", "gegenüber", "moreover", "stores", "est"] {
            assert_eq!(bound(other), Bound::Exact, "{other}");
        }
    }
}
