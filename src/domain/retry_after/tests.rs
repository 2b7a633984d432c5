//! What servers write, and what anybody could.

use proptest::prelude::*;

use super::*;

/// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110 §5.6.7.
const EXAMPLE: Timestamp = Timestamp(784_111_777_000);

#[test]
fn a_delay_is_read_in_every_form_that_servers_write() {
    let minute_before = Timestamp(EXAMPLE.0 - 60_000);
    for (value, expected) in [
        ("120", Some(120_000)),
        ("0", Some(0)),
        ("007", Some(7_000)),
        (" \t5 ", Some(5_000)),
        ("1.5", Some(1_500)),
        ("0.0001", Some(1)),
        ("20.0", Some(20_000)),
        ("Sun, 06 Nov 1994 08:49:37 GMT", Some(60_000)),
        ("Sunday, 06-Nov-94 08:49:37 GMT", Some(60_000)),
        ("Sun Nov  6 08:49:37 1994", Some(60_000)),
        ("  Sun, 06 Nov 1994 08:49:37 GMT\t", Some(60_000)),
        ("Thu, 01 Jan 1970 00:00:00 GMT", Some(0)),
        ("18446744073709551616", Some(u64::MAX)),
        ("99999999999999999999999999999999", Some(u64::MAX)),
    ] {
        assert_eq!(parse_retry_after(value, minute_before), expected, "{value:?}");
    }
}

#[test]
fn what_is_neither_a_number_nor_a_date_asks_for_nothing() {
    for value in [
        "",
        " ",
        ".",
        "1.",
        ".5",
        "-1",
        "+1",
        "-0",
        "1e3",
        "inf",
        "NaN",
        "0x10",
        "1 2",
        "1.2.3",
        "5s",
        "٣",
        "1,5",
        "soon",
        "Mon, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 0000 08:49:37 GMT",
        "1994-11-06T08:49:37Z",
    ] {
        assert_eq!(parse_retry_after(value, EXAMPLE), None, "{value:?}");
    }
}

#[test]
fn milliseconds_are_read_with_and_without_a_fraction() {
    for (value, expected) in [
        ("250", Some(250)),
        ("0", Some(0)),
        ("12.5", Some(13)),
        ("12.0", Some(12)),
        (" 7\t", Some(7)),
        ("18446744073709551615.9", Some(u64::MAX)),
        ("", None),
        ("-5", None),
        ("Sun, 06 Nov 1994 08:49:37 GMT", None),
    ] {
        assert_eq!(parse_retry_after_ms(value), expected, "{value:?}");
    }
}

#[test]
fn the_field_in_milliseconds_goes_first_where_it_can_be_read() {
    for (milliseconds, seconds, expected) in [
        (Some("250"), Some("1"), Some(250)),
        (Some("oops"), Some("1"), Some(1_000)),
        (None, Some("1"), Some(1_000)),
        (Some("250"), None, Some(250)),
        (Some("oops"), Some("oops"), None),
        (None, None, None),
    ] {
        assert_eq!(requested_delay_ms(milliseconds, seconds, EXAMPLE), expected);
    }
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in any::<String>(), now in any::<i64>()) {
        let _ = (parse_retry_after(&text, Timestamp(now)), parse_retry_after_ms(&text));
    }

    #[test]
    fn no_text_that_is_nearly_a_date_makes_it_panic(
        text in "(Sun|Sunday|Mon|Wednesday),? [0-9]{1,2}[- ](Nov|Feb|Dec|Xyz)[- ][0-9]{0,5} [0-9:]{0,9}( GMT)?",
        now in any::<i64>(),
    ) {
        let _ = parse_retry_after(&text, Timestamp(now));
    }

    #[test]
    fn the_three_forms_of_a_date_mean_the_same(second in 0..3_155_759_999_i64, now in 0..3_155_759_999_999_i64) {
        // 1970 to 2069, where a year of two digits is certain.
        let date = jiff::Timestamp::from_second(second).unwrap().to_zoned(jiff::tz::TimeZone::UTC);
        let expected = Some(Timestamp(second * 1_000).since_ms(Timestamp(now)));
        for format in ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"] {
            let value = date.strftime(format).to_string();
            prop_assert_eq!(parse_retry_after(&value, Timestamp(now)), expected, "{}", value);
        }
    }

    #[test]
    fn a_delay_in_seconds_is_that_many_thousand_milliseconds(seconds in 0..=u64::MAX / 1_000, ms in 0..1_000_u64) {
        let value = format!("{seconds}.{ms:03}");
        let expected = seconds.saturating_mul(1_000).saturating_add(ms);
        prop_assert_eq!(parse_retry_after(&value, EXAMPLE), Some(expected));
    }
}
