//! Whole numbers in any notation: to JSON Schema's `integer` `100.0` and `1e2` are 100, and some languages write all numbers so.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};

/// Highest whole number of the wire: 2^53 - 1, the highest that every JSON reader keeps exactly (RFC 8259, section 6). What a sender
/// gives is checked where it is parsed; what the log has is read as it stands.
pub const WHOLE_MAX: u64 = (1 << 53) - 1;
/// Beyond this a double doesn't say which whole number it is.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// A whole number that an `N` holds.
pub(super) struct Whole<N>(pub(super) N);

impl<'de, N: TryFrom<u64>> Deserialize<'de> for Whole<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u64(WholeVisitor(PhantomData))
    }
}

struct WholeVisitor<N>(PhantomData<N>);

impl<N: TryFrom<u64>> Visitor<'_> for WholeVisitor<N> {
    type Value = Whole<N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, not negative and not too large")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Whole<N>, E> {
        let fits = N::try_from(number);
        fits.map(Whole).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Whole<N>, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Whole<N>, E> {
        if number.fract() == 0.0 && (0.0..=EXACT_MAX).contains(&number) {
            return self.visit_u64(number as u64);
        }
        Err(E::invalid_type(Unexpected::Float(number), &self))
    }
}

/// A measured number, as the whole number that is nearest: clocks of many languages count with fractions.
pub(super) struct Rounded(pub(super) u64);

impl<'de> Deserialize<'de> for Rounded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f64(RoundedVisitor)
    }
}

struct RoundedVisitor;

impl Visitor<'_> for RoundedVisitor {
    type Value = Rounded;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, not negative and not too large")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Rounded, E> {
        Ok(Rounded(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Rounded, E> {
        let whole = u64::try_from(number);
        whole.map(Rounded).map_err(|_| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Rounded, E> {
        if !(0.0..=EXACT_MAX).contains(&number) {
            return Err(E::invalid_value(Unexpected::Float(number), &self));
        }
        Ok(Rounded(number.round() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_in_any_notation_is_the_same_and_others_are_refused() {
        let read = |text: &str| serde_json::from_str::<Whole<u32>>(text).map(|Whole(number)| number);
        for text in ["100", "100.0", "1e2", "1E+2", "10000e-2"] {
            assert_eq!(read(text).unwrap(), 100, "{text}");
        }
        assert_eq!(
            (read("0").unwrap(), read("-0.0").unwrap(), read("4294967295.0").unwrap()),
            (0, 0, u32::MAX)
        );
        for text in ["1.5", "-1", "-1.0", "4294967296", "4294967296.0", "1e300", "\"1\"", "true", "[1]"] {
            let error = read(text).unwrap_err().to_string();
            assert!(
                error.contains("expected a whole number, not negative and not too large"),
                "{text}: {error}"
            );
        }
        let exact = serde_json::from_str::<Whole<u64>>("18446744073709551615").map(|Whole(number)| number);
        assert_eq!(exact.unwrap(), u64::MAX);
        assert!(serde_json::from_str::<Whole<u64>>("9007199254740994.0").is_err());
    }

    #[test]
    fn what_was_measured_is_rounded() {
        let read = |text: &str| serde_json::from_str::<Rounded>(text).map(|Rounded(number)| number);
        for (text, rounded) in [("930", 930), ("930.4", 930), ("930.5", 931), ("0.2", 0), ("1e2", 100)] {
            assert_eq!(read(text).unwrap(), rounded, "{text}");
        }
        for text in ["-1", "-0.4", "1e300", "\"930\"", "true"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
