//! Tokens are counted as the reference does, for each model with its vocabulary.

use super::{Tokenizer, Vocabulary};
use proptest::prelude::*;

#[test]
fn counts_as_the_reference_does() {
    // Counts of tiktoken 0.12.
    let cases = [
        ("", 0, 0),
        ("hello world", 2, 2),
        ("tiktoken is great!", 6, 6),
        ("antidisestablishmentarianism", 6, 6),
    ];
    for (text, o200k, cl100k) in cases {
        assert_eq!(
            (Tokenizer::o200k().count(text), Tokenizer::cl100k().count(text)),
            (o200k, cl100k),
            "{text:?}"
        );
    }
}

#[test]
fn models_have_their_vocabulary() {
    let of = |name| Tokenizer::for_model(name, 1.2);
    assert_eq!(of("gpt-4o-mini"), Tokenizer::o200k());
    assert_eq!(of("openai/gpt-5"), Tokenizer::o200k());
    assert_eq!(of("GPT-4"), Tokenizer::cl100k());
    assert_eq!(of("gpt-4-turbo"), Tokenizer::cl100k());
    assert_eq!(of("claude-sonnet-4").vocabulary(), Vocabulary::O200k);
    assert_eq!(of("claude-sonnet-4").count("hello world"), 3);
    assert_eq!(Tokenizer::for_model("x", f64::NAN), Tokenizer::o200k());
    assert_eq!(Tokenizer::for_model("x", f64::INFINITY).count("a"), 10);
    assert_eq!(Tokenizer::for_model("x", -1.0).count("hello world"), 1);
}

#[test]
fn hostile_words_are_counted() {
    for unit in ["a", "A", "é", "中", "9", "!", " ", "\n", "\u{301}", "🎉", "aB", " \n"] {
        let text = unit.repeat(400_000 / unit.len());
        let tokens = Tokenizer::o200k().count(&text);
        assert!(tokens > 0 && !Tokenizer::o200k().fits(&text, 10));
    }
}

#[test]
fn long_runs_are_counted_as_they_are_encoded() {
    for tokenizer in [Tokenizer::o200k(), Tokenizer::cl100k()] {
        let bpe = &tokenizer.encoder().bpe;
        for of in "-=#*_.~!`a0 ".chars() {
            for length in [5_100, 5_137, 6_144, 8_191, 11_007, 13_333] {
                for (before, behind) in [("", ""), (" ", "\n"), ("a", "")] {
                    let piece = format!("{before}{}{behind}", of.to_string().repeat(length));
                    let counted = tokenizer.encoded(piece.as_bytes());
                    assert_eq!(counted, bpe.count(piece.as_bytes()), "{length} of {before:?}{of:?}");
                }
            }
        }
    }
}

/// What the vocabulary's own expression cuts, with the tokens of each piece.
fn by_expression(text: &str) -> Vec<(usize, usize)> {
    let encoder = bpe_openai::o200k_base();
    let mut at = 0;
    let pieces = encoder.split(text).map(|piece| {
        at += piece.len();
        (at - piece.len(), encoder.bpe.count(piece.as_bytes()))
    });
    pieces.collect()
}

#[test]
fn pieces_are_those_of_the_expression() {
    for text in [
        "It's NASA's, they'LL'S don't I'd'x 'tis x'ſ x'",
        "a  b   c\t\td \n\n  e\r\n\r\n f\u{3000} g \u{a0}h  ",
        "1 12 123 1234 12345６ 3.14 x1y",
        "fooBar FOOBar ABCé abcÉ (hello) \"Hi\" -- // ///\n/\n/ ...\n\n! “q” *é",
        " \n",
        "\n ",
        "  ",
        " ",
        "\t",
        "\tx",
        "\nx",
        " !",
        "\t!",
        "!\u{301}",
        "a\u{301}",
        " \u{301}x",
        "\u{7f}\u{0}a",
        "中国金融，未来（2025）发展：“绿色”。 （见下）a，b。\n\n《报告》/、 ，x 中a 中'中\u{301} (中 [，] \t中\t，中é，é龥龦",
    ] {
        assert_eq!(Tokenizer::o200k().pieces(text).collect::<Vec<_>>(), by_expression(text), "{text:?}");
    }
}

proptest! {
    #[test]
    fn pieces_of_any_text_are_those_of_the_expression(
        text in "([a-zA-Z0-9 ]{0,9}|[ \t\n\r\u{b}\u{c}]{0,4}|'(s|T|re|VE|ll|d|x)|[!-/:-@\\[-`{-~]{0,3}|[中国，。（）“：]{0,4}|[éÉǅʰ中ー１²\u{301}\u{a0}\u{3000}ſ“]|\\PC){0,12}"
    ) {
        prop_assert_eq!(Tokenizer::o200k().pieces(&text).collect::<Vec<_>>(), by_expression(&text));
    }

    #[test]
    fn fits_agrees_with_count(text in "\\PC{0,80}", limit in 0usize..60, factor in 0.1f64..3.0) {
        for tokenizer in [Tokenizer::o200k(), Tokenizer::cl100k(), Tokenizer::for_model("other", factor)] {
            prop_assert_eq!(tokenizer.fits(&text, limit), tokenizer.count(&text) <= limit);
        }
    }

    #[test]
    fn pieces_add_up(text in any::<String>()) {
        let tokenizer = Tokenizer::o200k();
        prop_assert_eq!(tokenizer.pieces(&text).map(|(_, tokens)| tokens).sum::<usize>(), tokenizer.count(&text));
    }
}
