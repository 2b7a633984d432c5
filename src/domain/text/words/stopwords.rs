//! Words that hold a sentence together and say nothing about its subject. Negations aren't among them.

/// Whether a word in lower case is one of them.
pub(super) fn is_stopword(word: &str) -> bool {
    word.len() <= 10 && STOPWORDS.binary_search(&word).is_ok()
}

/// English; sorted.
#[rustfmt::skip]
const STOPWORDS: &[&str] = &[
    "a", "about", "after", "all", "also", "am", "an", "and", "any", "are", "around", "as", "at", "be", "because", "been", "before",
    "being", "between", "both", "but", "by", "can", "could", "did", "do", "does", "doing", "each", "for", "from",
    "further", "had", "has", "have", "having", "he", "her", "here", "hers", "him", "his", "how", "i", "if", "in", "into",
    "is", "it", "it's", "its", "itself", "just", "may", "me", "might", "more", "most", "must", "my", "of", "on", "or",
    "other", "our", "ours", "own", "shall", "she", "should", "so", "some", "such", "than", "that", "that's", "the",
    "their", "theirs", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too", "until",
    "upon", "us", "very", "was", "we", "were", "what", "when", "where", "whether", "which", "while", "who", "whom",
    "whose", "why", "will", "with", "would", "you", "your", "yours",
];

#[cfg(test)]
mod tests {
    use super::STOPWORDS;

    #[test]
    fn list_is_sorted() {
        assert!(STOPWORDS.is_sorted());
    }
}
