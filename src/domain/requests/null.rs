//! Members that may be `null`: many clients write out what they haven't set, and mean that it is absent.

use serde::de::{Deserialize, Deserializer};

use super::whole::{Rounded, Whole};

/// The value; the type's default where it is `null`.
pub(in crate::domain) fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// The whole number; `ABSENT` where it is `null`.
pub(in crate::domain) fn or_count<'de, D, N, const ABSENT: u32>(deserializer: D) -> Result<N, D::Error>
where
    D: Deserializer<'de>,
    N: TryFrom<u64> + From<u32>,
{
    Ok(Option::deserialize(deserializer)?.map_or_else(|| ABSENT.into(), |Whole(number)| number))
}

/// The whole number; none where it is `null`.
pub(in crate::domain) fn or_none<'de, D, N>(deserializer: D) -> Result<Option<N>, D::Error>
where
    D: Deserializer<'de>,
    N: TryFrom<u64>,
{
    Ok(Option::deserialize(deserializer)?.map(|Whole(number)| number))
}

/// A number that was measured, as a whole one; none where it is `null`.
pub(in crate::domain) fn rounded_or_none<'de, D>(deserializer: D) -> Result<Option<u64>, D::Error>
where
    D: Deserializer<'de>,
{
    Ok(Option::deserialize(deserializer)?.map(|Rounded(number)| number))
}

/// What it says; `true` where it is `null`.
pub(in crate::domain) fn or_true<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(true))
}
