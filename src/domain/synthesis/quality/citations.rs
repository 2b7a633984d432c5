//! What is stated, against what it cites.

use std::borrow::Cow;
use std::cell::{LazyCell, OnceCell};

use super::{Examined, ExaminedSentence, Issue, Scores, share, shown};
use crate::domain::distinct::distinct;
use crate::domain::near_duplicates::{Features, near};
use crate::domain::synthesis::support::{Claim, Evidence, is_quoted, is_supported, support_of};
use crate::domain::text::words::{Kind, Lexicon, Word};
use crate::domain::wanted::still_wanted;

/// Content words that state something.
const STATING_WORDS_MIN: usize = 2;

/// Opening quotation marks and what closes them.
const QUOTES: [(char, char); 6] =
    [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」'), ('『', '』')];

/// Parts and wholes, counted.
#[derive(Default)]
struct Counts {
    /// How many content words a sentence states something with; none where one of any kind does.
    stating_words: usize,
    stating: usize,
    cited: usize,
    supported: usize,
    citations: usize,
    needed: usize,
    figures: usize,
    figures_found: usize,
    quotes: usize,
    quotes_found: usize,
}

/// Fills in the scores of citations, figures and quotations. `words` are those of each sentence.
pub fn measure(
    lexicon: &mut Lexicon,
    (examined, words): (&Examined<'_>, &[Cow<'_, [Word]>]),
    scores: &mut Scores,
) {
    let sources = examined.sources;
    // Few sentences quote: the sources' texts are put together where one does.
    let texts: Vec<OnceCell<String>> = vec![OnceCell::new(); sources.len()];
    let text = |source: usize| texts[source].get_or_init(|| joined(&sources[source])).as_str();
    let all: Vec<usize> = (0..sources.len()).collect();
    let mut counts = Counts { stating_words: least_stating(examined, words), ..Counts::default() };
    for (sentence, words) in examined.sentences.iter().zip(words) {
        still_wanted();
        let cited = existing(sentence, sources.len(), &mut counts, scores);
        judge(lexicon, (sentence, words), &cited, sources, &mut counts, scores);
        let held_against = if cited.is_empty() { &all } else { &cited };
        check_figures(sentence, words, held_against, sources, &mut counts, scores);
        check_quotes(lexicon, sentence, held_against, &text, &mut counts, scores);
    }
    scores.citation_rate = share(counts.cited, counts.stating);
    scores.citation_recall = share(counts.supported, counts.stating);
    let cites_nothing = counts.citations == 0 && counts.stating > 0;
    scores.citation_precision =
        if cites_nothing { Some(0.0) } else { share(counts.needed, counts.citations) };
    scores.numeric_fidelity = share(counts.figures_found, counts.figures);
    scores.quote_fidelity = share(counts.quotes_found, counts.quotes);
}

/// The sources that a sentence cites and that exist, each once.
fn existing(
    sentence: &ExaminedSentence<'_>,
    sources: usize,
    counts: &mut Counts,
    scores: &mut Scores,
) -> Vec<usize> {
    let mut cited = distinct(sentence.citations.clone());
    for missing in cited.iter().filter(|&&source| source >= sources) {
        // It counts as a citation that nobody needs.
        counts.citations += 1;
        report(
            scores,
            "dangling_citation",
            format!("there is no source {missing}: {}", shown(sentence.text)),
        );
    }
    cited.retain(|&source| source < sources);
    cited
}

/// Citation rate, precision and recall for one sentence.
fn judge(
    lexicon: &mut Lexicon,
    (sentence, words): (&ExaminedSentence<'_>, &[Word]),
    cited: &[usize],
    sources: &[Evidence<'_>],
    counts: &mut Counts,
    scores: &mut Scores,
) {
    let states = states_with(counts.stating_words, sentence.text, words);
    counts.stating += usize::from(states);
    counts.citations += cited.len();
    if cited.is_empty() {
        if states {
            report(scores, "uncited", format!("cites nothing: {}", shown(sentence.text)));
        }
        return;
    }
    counts.cited += usize::from(states);
    let claim = LazyCell::new(|| Claim::read(sentence.text, words));
    let of = |chosen: &[usize]| chosen.iter().map(|&source| &sources[source]).collect::<Vec<_>>();
    let supported_by = |chosen: &[usize]| {
        let chosen = of(chosen);
        is_quoted(sentence.text, words, &chosen) || is_supported(sentence.text, &claim, &chosen)
    };
    if !supported_by(cited) {
        let together = support_of(sentence.text, &claim, &of(cited));
        let missing: Vec<&str> =
            together.missing.iter().map(|part| &sentence.text[part.range.clone()]).collect();
        let text = format!(
            "its sources don't support it (not found: {}): {}",
            missing.join(", "),
            shown(sentence.text)
        );
        report(scores, "unsupported", text);
        return;
    }
    counts.supported += usize::from(states);
    for &source in cited {
        let others = || cited.iter().copied().filter(|&other| other != source).collect::<Vec<usize>>();
        let irrelevant = cited.len() > 1
            && !supported_by(&[source])
            && supported_by(&others())
            && !says_the_same(lexicon, sentence.text, &sources[source]);
        if irrelevant {
            report(
                scores,
                "irrelevant_citation",
                format!("source {} adds nothing: {}", source + 1, shown(sentence.text)),
            );
        } else {
            counts.needed += 1;
        }
    }
}

/// What a source says, with single spaces.
fn joined(source: &Evidence<'_>) -> String {
    spaced(&source.sentences().collect::<Vec<_>>().join(" "))
}

/// Whether a source says the same in other words or another unit: `20 cm` for `0.20 m`.
fn says_the_same(lexicon: &mut Lexicon, sentence: &str, source: &Evidence<'_>) -> bool {
    /// Sentences of a source that are compared.
    const COMPARED_MAX: usize = 200;
    let said = Features::of(lexicon, sentence);
    let figures = said.figures_digest();
    !said.figures.is_empty()
        && source.sentences().take(COMPARED_MAX).any(|text| {
            let theirs = Features::of(lexicon, text);
            theirs.figures_digest() == figures && near(&said, &theirs)
        })
}

/// Whether a sentence states something that could be so or not.
pub(in crate::domain::synthesis) fn states(text: &str, words: &[Word]) -> bool {
    states_with(STATING_WORDS_MIN, text, words)
}

fn states_with(content_words: usize, text: &str, words: &[Word]) -> bool {
    let text = text.trim();
    let is_other = text.starts_with('#') || text.ends_with(['?', '？', ':', '：']);
    !is_other && !words.is_empty() && words.iter().filter(|word| word.is_content()).count() >= content_words
}

/// A text of bare answers (`Yes`) states something with them: otherwise it would need no source.
fn least_stating(examined: &Examined<'_>, words: &[Cow<'_, [Word]>]) -> usize {
    let mut all = examined.sentences.iter().zip(words);
    if all.any(|(sentence, words)| states(sentence.text, words)) { STATING_WORDS_MIN } else { 0 }
}

fn check_figures(
    sentence: &ExaminedSentence<'_>,
    words: &[Word],
    held_against: &[usize],
    sources: &[Evidence<'_>],
    counts: &mut Counts,
    scores: &mut Scores,
) {
    // A quotation has the figures of what it quotes.
    let is_quoted = LazyCell::new(|| held_against.iter().any(|&source| sources[source].says(sentence.text)));
    for figure in words.iter().filter(|word| word.kind == Kind::Number) {
        counts.figures += 1;
        if *is_quoted || held_against.iter().any(|&source| sources[source].has(figure.term)) {
            counts.figures_found += 1;
        } else {
            let figure = &sentence.text[figure.range()];
            report(
                scores,
                "figure_not_in_source",
                format!("{figure} isn't in its sources: {}", shown(sentence.text)),
            );
        }
    }
}

fn check_quotes<'t>(
    lexicon: &mut Lexicon,
    sentence: &ExaminedSentence<'_>,
    held_against: &[usize],
    text: &dyn Fn(usize) -> &'t str,
    counts: &mut Counts,
    scores: &mut Scores,
) {
    for quote in quotes(sentence.text) {
        // One word in quotation marks is a name or irony.
        if lexicon.words(quote).len() < 2 {
            continue;
        }
        counts.quotes += 1;
        // A comma or a full stop before the closing mark belongs to the sentence around it.
        let wanted = spaced(quote.trim_end_matches(['.', ',', '。', '，']));
        if held_against.iter().any(|&source| text(source).contains(&wanted)) {
            counts.quotes_found += 1;
        } else {
            report(
                scores,
                "quote_not_in_source",
                format!("not word for word in its sources: {}", shown(quote)),
            );
        }
    }
}

/// The spans between quotation marks, without the marks. A mark that nothing closes opens none. O(bytes): a kind of mark
/// that has no end once is looked for no more.
pub(in crate::domain::synthesis) fn quotes(text: &str) -> Vec<&str> {
    let (mut found, mut rest) = (Vec::new(), text);
    // Most sentences quote nothing: they have none of the first bytes of these marks.
    let bytes = text.as_bytes();
    if memchr::memchr3(b'"', 0xC2, 0xE2, bytes).or_else(|| memchr::memchr(0xE3, bytes)).is_none() {
        return found;
    }
    let mut kinds = QUOTES.to_vec();
    while let Some((at, open)) = rest.char_indices().find(|(_, c)| kinds.iter().any(|(open, _)| open == c)) {
        let after = &rest[at + open.len_utf8()..];
        let closing = kinds.iter().find(|(known, _)| *known == open).map(|&(_, close)| close);
        let end = closing.and_then(|close| Some((after.find(close)?, close)));
        rest = match end {
            Some((end, close)) => {
                found.push(&after[..end]);
                &after[end + close.len_utf8()..]
            }
            None => {
                kinds.retain(|(known, _)| *known != open);
                after
            }
        };
    }
    found
}

/// With single spaces.
pub(in crate::domain::synthesis) fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Notes what is wrong with a sentence, once: what is contradicted is quoted again beside what contradicts it.
fn report(scores: &mut Scores, code: &'static str, text: String) {
    /// Issues that are compared with each other; far fewer are shown.
    const COMPARED_MAX: usize = 500;
    let issue = Issue { code, text };
    if scores.issues.len() > COMPARED_MAX || !scores.issues.contains(&issue) {
        scores.issues.push(issue);
    }
}
