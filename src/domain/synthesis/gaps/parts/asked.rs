//! A part of a question as it is shown: with the words that ask, where it is no name without them.

/// What asks, in front of a verb: `Why did checkout fail`.
const ASKS: [&str; 8] = ["why", "what", "which", "how", "when", "where", "who", "whom"];
/// What a part begins with that is a sentence without what asks.
#[rustfmt::skip]
const SENTENCE: &[&str] = &[
    "did", "do", "does", "is", "are", "was", "were", "has", "have", "had", "should", "can", "could", "will", "would", "must", "may", "might", "we", "i", "you", "they", "he", "she", "it", "this", "these", "those", "happens", "happened", "caused",
    "didn't", "doesn't", "don't", "isn't", "aren't", "wasn't", "weren't", "hasn't", "haven't", "hadn't", "shouldn't", "can't", "couldn't", "won't", "wouldn't",
];
/// Words in front of a part that are looked at: `What should`.
const BEFORE_MAX: usize = 2;

/// A part of `query` with what asks in front of it, `Why did checkout fail` of `did checkout fail`; the part where none does, or where
/// it is no sentence: `the risks`.
pub(in crate::domain::synthesis::gaps) fn asked<'q>(query: &'q str, part: &'q str) -> &'q str {
    let first = part.split_whitespace().next().unwrap_or_default().to_lowercase().replace('’', "'");
    let start = (part.as_ptr() as usize).checked_sub(query.as_ptr() as usize);
    let Some(start) = start.filter(|start| start + part.len() <= query.len()) else { return part };
    // `severe is it` and `segment is affected` say nothing without their word.
    let is_degree = || {
        let before = query[..start].trim_end_matches(' ');
        let word = before.rsplit(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
        ["how", "which"].iter().any(|asks| word.eq_ignore_ascii_case(asks))
    };
    if let Some(whole) = with_which_of(query, part, start) {
        return whole;
    }
    if !SENTENCE.contains(&first.as_str()) && !is_degree() {
        return part;
    }
    let mut from = start;
    for _ in 0..BEFORE_MAX {
        let before = query[..from].trim_end_matches(' ');
        let last = before.char_indices().rev().take_while(|(_, c)| c.is_alphabetic()).last();
        let begin = last.map_or(before.len(), |(at, _)| at);
        if begin == before.len() {
            return part;
        }
        from = begin;
        if ASKS.contains(&before[begin..].to_lowercase().as_str()) {
            return &query[from..start + part.len()];
        }
    }
    part
}

/// `Which of the three candidates has most experience` of what is left of it, and `What time does it close` of `time does it close`.
fn with_which_of<'q>(query: &'q str, part: &'q str, start: usize) -> Option<&'q str> {
    const WHICH_OF: [&str; 7] = [
        "which of the ",
        "which one of the ",
        "which of these ",
        "which of those ",
        "which of our ",
        "what time ",
        "which of ",
    ];
    let end = start + part.len();
    WHICH_OF.iter().find_map(|asks| {
        // What asks is cut off in front of a part as a whole or but for its last word.
        [asks.len(), asks.trim_end().rfind(' ').map_or(0, |at| at + 1)].into_iter().find_map(|cut| {
            let whole = query.get(start.checked_sub(cut)?..end)?;
            whole.get(..asks.len()).filter(|head| head.eq_ignore_ascii_case(asks)).map(|_| whole)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::parts;
    use super::asked;

    #[test]
    fn what_asks_is_shown_where_a_part_is_no_name() {
        for (query, shown) in [
            (
                "Why did checkout fail on 12 May and what should we do to prevent it?",
                vec!["Why did checkout fail on 12 May", "what should we do to prevent it"],
            ),
            ("How is a quote converted?", vec!["How is a quote converted"]),
            ("What are the benefits and risks of microservices?", vec!["benefits", "risks of microservices"]),
            ("Compare the price, and tell me which is cheaper.", vec!["price", "which is cheaper"]),
            ("Is it safe?", vec!["Is it safe"]),
            (
                "Which of the three candidates has the most experience: Ruiz, Meyer or Li?",
                vec!["Which of the three candidates has the most experience", "Ruiz", "Meyer or Li"],
            ),
            ("What time does the museum close?", vec!["What time does the museum close"]),
            ("Why hasn't it been delivered?", vec!["Why hasn't it been delivered"]),
            ("What is the cause, and how severe is it?", vec!["cause", "how severe is it"]),
            (
                "Which segment is affected, and what happens if we don't agree?",
                vec!["Which segment is affected", "what happens if we don't agree"],
            ),
        ] {
            let found: Vec<&str> = parts(query).into_iter().map(|part| asked(query, part)).collect();
            assert_eq!(found, shown, "{query}");
        }
        assert_eq!(asked("Why is it so?", "is it elsewhere"), "is it elsewhere");
    }
}
