//! Negations and opposite sides are found, at characters of the text.

use proptest::prelude::*;

use super::*;
use crate::domain::text::words::Lexicon;

fn marks(text: &str) -> Vec<Mark> {
    polarity(text, &Lexicon::default().words(text)).into_iter().map(|marked| marked.mark).collect()
}

#[test]
fn negations_are_found() {
    for text in [
        "it is not so",
        "It isn’t",
        "NOT",
        "never again",
        "it fails to",
        "without it",
        "并不是",
        "没有效果",
        "未能实现",
        "cannot",
    ] {
        assert_eq!(marks(text).iter().filter(|mark| mark.is_negation()).count(), 1, "{text}");
    }
    for text in [
        "not only this",
        "No. 5",
        "不同的方法",
        "未来趋势",
        "非常好",
        "南非政府",
        "不断创新",
        "note",
        "nothingness",
    ] {
        assert!(!marks(text).iter().any(|mark| mark.is_negation()), "{text}");
    }
}

#[test]
fn sides_oppose() {
    for (one, other) in [
        ("increased", "decreases"),
        ("rising", "falling"),
        ("more", "less"),
        ("above", "below"),
        ("before", "after"),
        ("supports", "opposed"),
        ("enables", "disabled"),
        ("allowed", "prohibits"),
        ("true", "false"),
        ("first", "last"),
        ("best", "worst"),
        ("minimum", "maximum"),
        ("required", "optional"),
        ("all", "some"),
        ("must", "may"),
        ("增长", "下降"),
        ("支持", "反对"),
        ("提高", "降低"),
    ] {
        let (one_marks, other_marks) = (marks(one), marks(other));
        assert!(one_marks[0].opposes(other_marks[0]), "{one} {other}");
    }
    assert!(marks("increase")[0].strong() && !marks("before")[0].strong());
}

#[test]
fn may_with_a_number_is_a_month() {
    assert!(marks("on May 4").is_empty());
    assert_eq!(marks("it may rain").len(), 1);
}

proptest! {
    #[test]
    fn any_text_has_marks_at_its_characters(text in "\\PC*|[不没无未非来常同洲aint’' ]{0,40}") {
        for marked in polarity(&text, &Lexicon::default().words(&text)) {
            prop_assert!(text.get(marked.start..marked.end).is_some(), "{:?} {:?}", text, marked);
        }
    }
}
