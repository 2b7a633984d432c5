//! Words of many kinds, and the same term whatever the form.

use proptest::prelude::*;

use super::*;

fn found(text: &str) -> Vec<(String, Kind)> {
    Lexicon::default().words(text).into_iter().map(|w| (text[w.range()].to_owned(), w.kind)).collect()
}

fn term(word: &str) -> Term {
    Lexicon::default().words(word)[0].term
}

#[test]
fn words_are_read_again_where_a_text_was_rewritten() {
    let known = "Sales rose [3]. Costs\nfell [4], said the U.S. office [5].\n\nReferences\n[3] A\n";
    let text = "Sales rose [12]. Costs\nfell [1], said the U.S. office [130]. It\n\nReferences";
    let mut lexicon = Lexicon::default();
    let (words, alone) = (lexicon.words(known), lexicon.words(text));
    // What is known of what is the same is taken over, whatever it is.
    let marked: Vec<Word> = words.iter().map(|word| Word { kind: Kind::Cjk, ..*word }).collect();
    let again = lexicon.words_again(text, Known { text: known, words: &marked });
    let places = |words: &[Word]| words.iter().map(Word::range).collect::<Vec<_>>();
    assert_eq!(places(&again), places(&alone));
    let read = again.iter().filter(|word| word.kind != Kind::Cjk).map(|word| &text[word.range()]);
    assert_eq!(read.collect::<Vec<_>>(), ["12", "1", "130", "It", "References"]);
}

#[test]
fn words_of_many_kinds() {
    use Kind::{Cjk, Content, Number, Stopword};
    let table: &[(&str, &[(&str, Kind)])] = &[
        ("The quote's price", &[("The", Stopword), ("quote's", Content), ("price", Content)]),
        ("don't stop.", &[("don't", Content), ("stop", Content)]),
        ("1,200.50 EUR, 3.", &[("1,200.50", Number), ("EUR", Content), ("3", Number)]),
        ("state-of-the-art", &[("state", Content), ("of", Stopword), ("the", Stopword), ("art", Content)]),
        ("增长率", &[("增长", Cjk), ("长率", Cjk)]),
        ("约3亿", &[("约", Cjk), ("3", Number), ("亿", Cjk)]),
        ("Größe 😀 ±", &[("Größe", Content)]),
        ("e\u{301}te\u{301}", &[("e\u{301}te\u{301}", Content)]),
        ("", &[]),
    ];
    for (text, expected) in table {
        let expected: Vec<_> = expected.iter().map(|(word, kind)| ((*word).to_owned(), *kind)).collect();
        assert_eq!(found(text), expected, "{text}");
    }
}

#[test]
fn same_term_whatever_the_form() {
    for (one, other) in [
        ("Converts", "converted"),
        ("1,200", "1200"),
        ("ＡＢＣ", "abc"),
        ("Été", "e\u{301}te\u{301}"),
        ("４２", "42"),
        ("quote's", "quotes"),
        ("It’s", "it's"),
    ] {
        assert_eq!(term(one), term(other), "{one} {other}");
    }
    for (one, other) in [("increase", "decrease"), ("1.5", "15"), ("no", "not"), ("增长", "增加")] {
        assert_ne!(term(one), term(other), "{one} {other}");
    }
}

#[test]
fn marks_belong_to_their_letters() {
    let words = |text: &str| found(text).into_iter().map(|(word, _)| word).collect::<Vec<_>>();
    for text in [
        "भारत की जनसंख्या",
        "தமிழ்நாட்டின் தலைநகரம் சென்னை",
        "বাংলাদেশের জনসংখ্যা প্রায়",
        "കേരളത്തിന്റെ തലസ്ഥാനം",
        "ක්\u{200d}රීඩාව ලංකාව",
        "می\u{200c}خواهم بروم",
        "السُّكَّان كَثِير",
        "שָׁלוֹם לכם",
    ] {
        assert_eq!(words(text), text.split(' ').collect::<Vec<_>>());
    }
    // As unlike as letters are, however alike without their marks.
    assert_ne!(term("की"), term("के"));
    assert_eq!(words("I ❤\u{fe0f} it"), ["I", "it"]);
}

#[test]
fn characters_have_the_class_that_unicode_gives_them() {
    for c in ('\u{80}'..=char::MAX).filter(|c| !('\u{0300}'..='\u{036F}').contains(c)) {
        let class = class_at(c.encode_utf8(&mut [0; 4]), 0).map(|(class, _)| class);
        let says = c.is_alphabetic() || c.is_numeric() || is_mark(c);
        assert!(says || matches!(class, Some(Class::Other | Class::Cjk)), "{c:?}: {class:?}");
        assert!(!says || class != Some(Class::Other), "{c:?}: {class:?}");
    }
}

proptest! {
    #[test]
    fn ends_told_from_ascii_are_those_of_any_text(text in "[a-zA-Z0-9_]{1,2}([.,'][a-z0-9é’中 ]{0,2}){0,3}") {
        if let Some(end) = ascii_end(text.as_bytes(), 0) {
            prop_assert_eq!(end, end_of_word(&text, 0));
        }
    }

    #[test]
    fn any_text_has_words_at_its_characters(text in "\\PC*|[a-z0-9.,'’ 增长ー\u{300}नी्ที่\u{200d}\\n]{0,60}") {
        let words = Lexicon::default().words(&text);
        for pair in words.windows(2) {
            prop_assert!(pair[0].start < pair[1].start);
        }
        for word in words {
            prop_assert!(!text[word.range()].is_empty());
        }
    }

    #[test]
    fn words_of_a_part_are_those_of_the_part_alone(
        text in "\\PC{0,30}|([a-zA-Z0-9]{1,3}|U\\.S\\.?|US|EU|FERC|[.,'’$ _\\[\\]-]|[增长率。，]|[नี्ที่]|[\u{300}\u{200c}]){0,14}", from in 0_usize..40, to in 0_usize..40,
    ) {
        let mut lexicon = Lexicon::default();
        lexicon.learn(std::iter::once("the Federal Energy Regulatory Commission (FERC)"), "English");
        let (from, to) = (text.floor_char_boundary(from.min(to)), text.floor_char_boundary(from.max(to)));
        let words = lexicon.words(&text);
        let alone = lexicon.words(&text[from..to]);
        prop_assert_eq!(lexicon.words_within(&text, &words, from..to), alone);
    }

    #[test]
    fn words_read_again_are_those_of_the_text_alone(
        parts in prop::collection::vec("[a-zé]{0,3}[.,'’$\\[]{0,2}(FERC|U\\.S\\.|12|增长|\u{300})?[ \n]{0,2}", 0..16),
        other in prop::collection::vec((0_usize..16, "[a-z1 \n增\u{300}.]{0,4}"), 0..5),
    ) {
        let mut lexicon = Lexicon::default();
        lexicon.learn(std::iter::once("the Federal Energy Regulatory Commission (FERC)"), "English");
        let (known, mut parts) = (parts.concat(), parts);
        for (at, part) in other {
            if let Some(changed) = parts.get_mut(at) {
                *changed = part;
            }
        }
        let text = parts.concat();
        let (words, alone) = (lexicon.words(&known), lexicon.words(&text));
        prop_assert_eq!(lexicon.words_again(&text, Known { text: &known, words: &words }), alone);
    }

    #[test]
    fn words_are_told_apart_by_all_their_bytes(one in "[a-z]{1,10}", other in "[a-z]{1,10}", behind in "[ a-z]{0,9}") {
        let key = |word: &str, behind: &str| key_of(format!("{word}{behind}").as_bytes(), 0..word.len());
        prop_assert_eq!(key(&one, &behind), key(&one, ""), "what stands behind a word is no part of it");
        prop_assert_eq!(key(&one, &behind) == key(&other, ""), one == other);
    }

    #[test]
    fn what_it_has_met_changes_nothing(one in "[a-z']{0,8}( [A-Za-z0-9,.]{0,8}){0,6}", other in "[a-z ]{0,30}") {
        let mut lexicon = Lexicon::default();
        lexicon.words(&other);
        prop_assert_eq!(lexicon.words(&one), Lexicon::default().words(&one));
    }
}

#[test]
fn names_in_other_cases_are_the_same_word() {
    let mut lexicon = Lexicon::default();
    let term = |lexicon: &mut Lexicon, word: &str| lexicon.words(word)[0].term;
    let apart = ["Kritikern", "Batteriespeicher", "Brände"].map(|word| term(&mut lexicon, word));
    let said = "Die Kritik der Kritiker an Batteriespeichern galt dem Brand, sagt Weber.";
    lexicon.learn(std::iter::once(said), "German");
    for (cased, own, before) in [
        ("Kritikern", "Kritiker", apart[0]),
        ("Batteriespeicher", "Batteriespeichern", apart[1]),
        ("Brände", "Brand", apart[2]),
    ] {
        let own = term(&mut lexicon, own);
        assert_eq!(term(&mut lexicon, cased), own, "{cased}");
        assert_ne!(before, own, "{cased}");
    }
    // A verb may say another time, another name is another, and what the text has is what it was.
    for word in ["kritikern", "Weberin", "Webers Haus", "Kritik"] {
        assert_eq!(term(&mut lexicon, word), term(&mut Lexicon::default(), word), "{word}");
    }
    lexicon.learn(std::iter::once(said), "English");
    assert_eq!(term(&mut lexicon, "Kritikern"), apart[0]);
}

#[test]
fn names_are_the_same_however_they_are_written() {
    let mut lexicon = Lexicon::default();
    let mut terms = |text: &str| lexicon.terms(text);
    for (one, other) in [
        ("the US grid", "the United States grid"),
        ("the U.S. grid", "the US grid"),
        ("in the USA.", "in the U.S.A."),
        ("the USA", "the United States"),
        ("EU law", "European Union law"),
        ("E.U. law", "EU law"),
        (
            "the UK, the UN and the U.A.E.",
            "the United Kingdom, the United Nations and the United Arab Emirates",
        ),
        ("Chinese and German makers", "China and Germany makers"),
        ("Canadians", "Canada"),
    ] {
        assert_eq!(terms(one), terms(other), "{one}");
    }
    for (one, other) in [
        ("join us", "join US"),
        ("U.S.S.R.", "US"),
        ("J.U.S.", "US"),
        ("US$", "US"),
        ("USB", "US"),
        ("polish", "Polish"),
        ("Germany", "France"),
        ("UK", "US"),
    ] {
        assert_ne!(terms(one), terms(other), "{one}");
    }
}

#[test]
fn letters_of_an_abbreviation_stand_where_they_are_written() {
    let words = Lexicon::default().words("(U.S. and EU)");
    let places: Vec<_> = words.iter().filter(|word| word.is_content()).map(Word::range).collect();
    assert_eq!(places, [1..2, 3..4, 10..11, 11..12]);
}

#[test]
fn short_form_that_a_text_explains_is_what_it_stands_for() {
    let mut lexicon = Lexicon::default();
    let said = [
        "The Federal Energy Regulatory Commission (FERC) wants battery energy storage systems (BESS).",
        "A tax credit (ITC) of the Bank of Ireland (BOI)",
    ];
    lexicon.learn(said.into_iter(), "English");
    let mut terms = |text: &str| lexicon.terms(text);
    for (one, other) in [
        ("FERC decides", "Federal Energy Regulatory Commission decides"),
        ("BESS costs", "battery energy storage systems costs"),
        ("the BOI", "Bank Ireland"),
    ] {
        assert_eq!(terms(one), terms(other), "{one}");
    }
    assert_eq!(terms("ITC").len(), 1, "what isn't explained is a word");
    assert_eq!(terms("PJM").len(), 1);
    assert_eq!(terms("ferc").len(), 1);
}
