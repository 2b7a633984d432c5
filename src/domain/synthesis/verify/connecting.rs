//! Words that lead from one statement to the next and claim nothing themselves.

/// English, German, French, Spanish; sorted.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "about", "according", "accordingly", "across", "addition", "additional", "additionally", "además", "after",
    "ailleurs", "ainsi", "alongside", "also", "although", "among", "another", "apart", "area", "areas", "around",
    "aside", "aspect", "aspects", "aspekt", "aspekte", "at", "auch", "auf", "aunque", "aussi", "außerdem",
    "background", "because", "before", "bei", "between", "beyond", "bien", "blick", "both", "by", "cependant",
    "closely", "closer", "comparison", "conclusion", "consider", "considering", "context", "contrast", "contraste",
    "conversely", "dabei", "daneben", "dans", "darüber", "das", "de", "den", "depuis", "der", "des", "desde",
    "despite", "detail", "details", "die", "do", "ein", "eine", "elsewhere", "en", "equally", "et", "evidence",
    "ferner", "final", "finally", "finding", "findings", "first", "firstly", "focus", "following", "from",
    "furthermore", "given", "hand", "hence", "hinaus", "hingegen", "however", "if", "im", "implications", "in",
    "indeed", "information", "instead", "jedoch", "just", "key", "la", "las", "last", "lastly", "laut", "le",
    "leading", "les", "likewise", "look", "looking", "los", "main", "mais", "malgré", "material", "matter",
    "meanwhile", "mientras", "mit", "moreover", "moving", "near", "neither", "next", "notably", "now", "nun",
    "obwohl", "only", "otra", "otro", "otros", "overall", "overview", "par", "parallel", "part", "parte",
    "particular", "pero", "perspective", "picture", "point", "points", "por", "pour", "question", "questions",
    "regard", "regarding", "related", "relation", "report", "reports", "research", "respect", "result", "results",
    "return", "returning", "schließlich", "second", "secondly", "section", "según", "seit", "selon", "separately",
    "similar", "similarly", "sin", "since", "sources", "still", "studies", "study", "sum", "summary", "sur",
    "tambien", "también", "theme", "third", "thirdly", "though", "thus", "together", "topic", "toward", "towards",
    "tras", "trotz", "turn", "turning", "und", "unlike", "until", "up", "view", "weiter", "weiterhin", "well",
    "what's", "when", "where", "whereas", "while", "with", "within", "without", "während", "y", "yet", "zu",
    "zudem", "zum", "zur", "zusammenfassend",
];

/// Chinese; longer ones first, so that none is cut by a shorter one.
#[rustfmt::skip]
const CHINESE: &[&str] = &[
    "除此之外", "与此同时", "相比之下", "综上所述", "总的来说", "具体而言", "另一方面", "一方面", "此外", "另外", "然而", "同时", "因此",
    "其次", "首先", "最后", "总之", "而且", "并且", "不过", "接下来", "关于", "至于", "方面", "就", "在", "而", "还", "从", "看", "来", "的", "中", "上",
];

/// Whether a word connects, in whatever case.
pub(super) fn is_connecting(word: &str) -> bool {
    let lowered = word.to_lowercase();
    WORDS.binary_search(&lowered.as_str()).is_ok() || (lowered.len() > 4 && lowered.ends_with("ly"))
}

/// A text without its Chinese connecting words.
pub(super) fn without_chinese(text: &str) -> String {
    CHINESE.iter().fold(text.to_owned(), |text, word| text.replace(word, " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_is_sorted() {
        assert!(WORDS.is_sorted(), "{:?}", WORDS.windows(2).find(|pair| pair[0] > pair[1]));
    }
}
