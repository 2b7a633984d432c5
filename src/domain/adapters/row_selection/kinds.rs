//! Types of columns.

use super::super::shape::{is_array, is_number, is_object, is_text};
use super::super::values::{is_boolean, plain, word_of};

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    String,
    Number,
    Integer,
    Boolean,
    Date,
    Datetime,
    Null,
    Object,
    Array,
}

impl Kind {
    /// Its name in a card.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Number => "number",
            Self::Integer => "integer",
            Self::Boolean => "boolean",
            Self::Date => "date",
            Self::Datetime => "datetime",
            Self::Null => "null",
            Self::Object => "object",
            Self::Array => "array",
        }
    }

    /// The kind of that name.
    pub(super) fn named(name: &str) -> Option<Self> {
        let all = [Self::String, Self::Number, Self::Integer, Self::Boolean, Self::Date, Self::Datetime];
        all.into_iter().chain([Self::Null, Self::Object, Self::Array]).find(|kind| kind.as_str() == name)
    }

    /// The kind that databases and pandas call so (`INT64`, `NUMERIC(10,2)`, `datetime64[ns]`, …).
    pub(super) fn reported(name: &str) -> Option<Self> {
        let word = word_of(name)?;
        let has = |parts: &[&str]| parts.iter().any(|part| word.starts_with(part));
        match () {
            () if name.trim_end().ends_with("[]") || has(&["array", "list", "repeated"]) => Some(Self::Array),
            () if has(&["datetime", "timestamp"]) => Some(Self::Datetime),
            () if has(&["date"]) => Some(Self::Date),
            () if has(&["interval"]) => Some(Self::String),
            () if has(&[
                "int",
                "bigint",
                "smallint",
                "tinyint",
                "mediumint",
                "serial",
                "bigserial",
                "long",
                "uint",
            ]) =>
            {
                Some(Self::Integer)
            }
            () if has(&[
                "num",
                "float",
                "double",
                "decimal",
                "dec",
                "real",
                "fixed",
                "bignumeric",
                "money",
            ]) =>
            {
                Some(Self::Number)
            }
            () if has(&["bool", "bit"]) => Some(Self::Boolean),
            () if has(&["json", "struct", "record", "object", "map", "variant"]) => Some(Self::Object),
            () if has(&[
                "str", "text", "char", "varchar", "nvarchar", "nchar", "uuid", "time", "bytes", "enum",
            ]) =>
            {
                Some(Self::String)
            }
            () => None,
        }
    }

    /// The kind of one cell.
    pub(super) fn of(cell: &str) -> Self {
        match cell {
            "null" => Self::Null,
            cell if is_text(cell) => dated(&plain(cell)).unwrap_or(Self::String),
            cell if is_boolean(cell) => Self::Boolean,
            cell if is_object(cell) => Self::Object,
            cell if is_array(cell) => Self::Array,
            cell if is_number(cell) && cell.contains(['.', 'e', 'E']) => Self::Number,
            _ => Self::Integer,
        }
    }

    /// The kind of a column with cells of both: nothing is anything, whole numbers are numbers, other mixtures are
    /// shown as texts.
    pub(super) fn and(self, other: Self) -> Self {
        match (self, other) {
            (one, another) if one == another => one,
            (Self::Null, kind) | (kind, Self::Null) => kind,
            (Self::Integer, Self::Number) | (Self::Number, Self::Integer) => Self::Number,
            _ => Self::String,
        }
    }
}

/// Whether a text is a date (`2024-03-04`) or one with a time after `T` or a space (ISO 8601, RFC 3339).
fn dated(text: &str) -> Option<Kind> {
    let digits = |from: usize, to: usize| {
        text.get(from..to).is_some_and(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let bytes = text.as_bytes();
    let is_date = digits(0, 4) && digits(5, 7) && digits(8, 10) && bytes[4] == b'-' && bytes[7] == b'-';
    if !is_date {
        return None;
    }
    match text.get(10..)? {
        "" => Some(Kind::Date),
        rest if rest.starts_with(['T', ' '])
            && digits(11, 13)
            && digits(14, 16)
            && bytes[13] == b':'
            && text.len() <= 40 =>
        {
            Some(Kind::Datetime)
        }
        _ => None,
    }
}
