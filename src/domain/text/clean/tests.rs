//! Lines are clean and bounded, markup is escaped, fences hold what they fence.

use proptest::prelude::*;

use super::*;

#[test]
fn lines_are_clean_and_bounded() {
    for (text, max, line) in [
        ("", 5, ""),
        ("  a \n\t b  ", 9, "a b"),
        ("a\u{202E}b\u{0}c\u{200B}d", 9, "abcd"),
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abcde…"),
        ("ab cdefg", 4, "ab…"),
        ("abc  ", 3, "abc"),
        ("abc", 0, ""),
        ("👩\u{200D}🔬", 9, "👩\u{200D}🔬"),
    ] {
        assert_eq!(one_line(text, max), line, "{text:?}");
    }
}

#[test]
fn lines_of_a_quotation_are_one_without_their_marks() {
    assert_eq!(quoted_line("It is\n> slow.\n> — A > B"), "It is slow. — A > B");
}

#[test]
fn markup_is_escaped() {
    assert_eq!(escape_inline("a_b *c* [d](e) <f> _g_"), r"a_b \*c\* \[d\](e) \<f\> \_g\_");
}

#[test]
fn citations_stay_and_links_do_not() {
    assert_eq!(escape_but_citations("[1，2] [3é [4"), "\\[1，2\\] \\[3é \\[4");
    let line = escape_but_citations("no *x* [1][2] [a](b) ![p](q) [3](c) [4");
    assert_eq!(line, r"no \*x\* [1][2] \[a\](b) !\[p\](q) \[3\](c) \[4");
}

#[test]
fn a_fence_is_longer_than_what_it_holds() {
    assert_eq!(fenced("a\n```\nb\n", "json"), "````json\na\n```\nb\n````");
}

proptest! {
    #[test]
    fn any_text_is_one_bounded_line(text in "\\PC*|[\\s\\S]{0,80}", max in 0usize..40) {
        let line = one_line(&text, max);
        prop_assert!(line.chars().count() <= max);
        prop_assert!(!line.chars().any(|c| is_hostile(c) || (c.is_whitespace() && c != ' ')));
        prop_assert_eq!(one_line(&line, max), line);
    }
}
