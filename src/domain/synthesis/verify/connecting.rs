//! Words that lead from one statement to the next and claim nothing themselves.

/// English, German, French, Spanish, Italian; sorted.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "about", "according", "accordingly", "across", "addition", "additional", "additionally", "además", "after",
    "ailleurs", "ainsi", "al", "alongside", "also", "although", "am", "among", "an", "another", "antes", "apart",
    "après", "area", "areas", "around", "aside", "aspect", "aspects", "aspekt", "aspekte", "at", "au", "auch",
    "auf", "aunque", "aus", "aussi", "aux", "außerdem", "avant", "avec", "background", "because", "before", "bei",
    "beim", "between", "beyond", "bien", "bis", "blick", "both", "by", "ce", "cependant", "ces", "cette", "chez",
    "closely", "closer", "compared", "comparison", "con", "conclusion", "consider", "considering", "context", "contrast",
    "contraste", "contre", "conversely", "dabei", "dal", "dalla", "daneben", "dans", "darüber", "das", "de", "del",
    "della", "dem", "den", "depuis", "der", "des", "desde", "despite", "después", "detail", "details", "die",
    "dies", "diese", "dieser", "dieses", "do", "du", "durch", "ein", "eine", "einem", "einen", "einer", "eines",
    "el", "elle", "elsewhere", "en", "entre", "equally", "er", "es", "et", "evidence", "ferner", "final", "finally",
    "finding", "findings", "first", "firstly", "focus", "following", "fra", "from", "furthermore", "für", "gegen",
    "gemäß", "given", "gli", "hacia", "hand", "hence", "hinaus", "hingegen", "however", "if", "il", "im",
    "implications", "in", "indeed", "information", "instead", "jedoch", "just", "key", "la", "las", "last",
    "lastly", "laut", "le", "leading", "les", "likewise", "lo", "look", "looking", "los", "main", "mais", "malgré",
    "material", "matter", "meanwhile", "mientras", "mit", "moreover", "moving", "much", "nach", "near", "neither", "nel",
    "nella", "next", "notably", "now", "nun", "obwohl", "ohne", "only", "otra", "otro", "otros", "overall",
    "overview", "par", "parallel", "part", "parte", "particular", "per", "pero", "perspective", "picture", "point",
    "points", "por", "pour", "question", "questions", "regard", "regarding", "related", "relation", "report",
    "reports", "research", "respect", "result", "results", "return", "returning", "schließlich", "second",
    "secondly", "secondo", "section", "según", "seit", "selon", "separately", "sie", "similar", "similarly", "sin",
    "since", "sources", "still", "studies", "study", "sum", "summary", "sur", "tambien", "también", "theme",
    "third", "thirdly", "though", "thus", "together", "topic", "toward", "towards", "tra", "tras", "trotz", "turn",
    "turning", "um", "un", "una", "und", "une", "unlike", "unter", "until", "up", "vers", "view", "vom", "von",
    "vor", "wegen", "weiter", "weiterhin", "well", "what's", "when", "where", "whereas", "while", "with", "within",
    "without", "während", "y", "yet", "zu", "zudem", "zufolge", "zum", "zur", "zusammenfassend", "zwischen", "über",
];

/// Adverbs that claim nothing; sorted. Others do (`fatally`), or are names (`Lilly`).
#[rustfmt::skip]
const ADVERBS: &[&str] = &[
    "actually", "alternatively", "approximately", "basically", "briefly", "broadly", "chiefly", "collectively", "commonly",
    "comparatively", "concretely", "consequently", "correspondingly", "critically", "crucially", "currently", "directly",
    "effectively", "especially", "essentially", "eventually", "exactly", "explicitly", "formally", "generally", "globally",
    "historically", "immediately", "importantly", "individually", "initially", "interestingly", "internationally", "jointly",
    "largely", "locally", "mainly", "mostly", "namely", "nationally", "normally", "obviously", "originally", "overly",
    "particularly", "partly", "precisely", "presently", "previously", "primarily", "principally", "recently", "regionally",
    "relatedly", "relatively", "respectively", "roughly", "significantly", "simply", "simultaneously", "specifically",
    "subsequently", "technically", "traditionally", "typically", "ultimately", "usually",
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
    WORDS.binary_search(&lowered.as_str()).is_ok() || ADVERBS.binary_search(&lowered.as_str()).is_ok()
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
        for words in [WORDS, ADVERBS] {
            assert!(words.is_sorted(), "{:?}", words.windows(2).find(|pair| pair[0] > pair[1]));
        }
    }
}
