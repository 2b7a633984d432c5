//! Places: what is written is read again, and nothing else is.

use proptest::prelude::*;

use super::*;

#[test]
fn places_are_written_as_they_are_read() {
    for text in ["7f3a91_5_1d2e3f4a5b6c7d8e", "7f3a91_5_1d2e3f4a5b6c7d8e~6.1", "7f3a91~1.12"] {
        assert_eq!(text.parse::<Place>().unwrap().to_string(), text);
    }
}

#[test]
fn what_no_bridge_gave_is_refused() {
    for text in [
        "",
        "~",
        "7f3a91",
        "a_1_b~",
        "a_1_b~1",
        "a_1_b~01.1",
        "a_1_b~1.-1",
        "a_1_b~1.1 ",
        "a b_1_c",
        "~1.1",
        "a_1_b~1.1~1.1",
    ] {
        assert_eq!(text.parse::<Place>(), Err(InvalidPlace), "{text}");
    }
    assert!(format!("{}_1_b", "a".repeat(200)).parse::<Place>().is_err());
}

fn open<'a>(epoch: &'a str, recovered: bool, reason: &'a str) -> Open<'a> {
    Open { epoch: Some(epoch), from: 0, tail: 9, oldest: 1, recovered, reason }
}

#[test]
fn place_in_another_log_is_forgotten() {
    let cases = [
        ("aaaaaa_3_00", open("aaaaaa", true, "ok"), Start::Continues),
        ("aaaaaa_3_00", open("bbbbbb", false, "epoch_changed"), Start::Anew),
        ("aaaaaa_3_00", open("aaaaaa", false, "trimmed"), Start::Anew),
        ("aaaaaa_3_00", open("aaaaaa", true, "new"), Start::Anew),
        ("aaaaaa~1.1", open("aaaaaa", true, "new"), Start::Continues),
        ("aaaaaa~1.1", open("bbbbbb", true, "new"), Start::Anew),
        ("aaaaaa~1.1", open("aaaaaa", false, "trimmed"), Start::Anew),
    ];
    for (place, open, start) in cases {
        let mut track = Track::resumed(place.parse().unwrap());
        assert_eq!(track.open(&open), start, "{place} {open:?}");
    }
}

proptest! {
    #[test]
    fn no_text_breaks_it(text in ".{0,150}") {
        if let Ok(place) = text.parse::<Place>() {
            prop_assert_eq!(place.to_string(), text);
        }
    }
}
