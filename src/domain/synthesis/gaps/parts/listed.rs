//! What a question lists behind its verb: `SSO`, `SCIM` and `SAML` of `Does the product support SSO, SCIM and SAML?`

/// How such a question begins, and verbs in front of the list.
const BEGINS: [&str; 4] = ["does ", "do ", "can ", "will "];
#[rustfmt::skip]
const VERBS: [&str; 14] = [
    " support ", " supports ", " include ", " offer ", " offers ", " provide ", " handle ", " accept ", " cover ", " allow ", " integrate with ", " work with ", " run on ", " have ",
];
/// Words of a member of such a list.
const WORDS_MAX: usize = 3;

/// The first member of the list that a question's first part begins, where the next part is a member as well.
pub(super) fn first<'q>(query: &'q str, parts: &[&'q str]) -> Option<&'q str> {
    let (first, second) = (parts.first()?, parts.get(1)?);
    let lower = first.to_ascii_lowercase();
    let is_one = |part: &str| (1..=WORDS_MAX).contains(&part.split(' ').count());
    let end = VERBS.iter().filter_map(|verb| Some(lower.find(verb)? + verb.len())).min()?;
    let member = first.get(end..)?.trim_start_matches("a ").trim_start_matches("the ");
    // The second follows it as in a list, and asks nothing itself.
    let place = |part: &str| (part.as_ptr() as usize).checked_sub(query.as_ptr() as usize);
    let between = query.get(place(first)? + first.len()..place(second)?)?;
    let is_list = matches!(between.trim(), "," | "and" | "or" | ", and" | ", or" | "&");
    let begins = BEGINS.iter().any(|begin| lower.starts_with(begin));
    let asks = BEGINS
        .iter()
        .chain(&["is ", "are ", "how ", "what ", "which "])
        .any(|begin| second.to_ascii_lowercase().starts_with(begin));
    (begins && is_list && !asks && !member.is_empty() && is_one(member) && is_one(second)).then_some(member)
}

#[cfg(test)]
mod tests {
    use super::super::parts;

    #[test]
    fn what_a_question_lists_is_asked_for_one_by_one() {
        for (query, asked) in [
            ("Does the product support SSO, SCIM and SAML?", vec!["SSO", "SCIM", "SAML"]),
            (
                "Does metformin reduce mortality in diabetes, and is it safe?",
                vec!["Does metformin reduce mortality in diabetes", "is it safe"],
            ),
            (
                "How do the deadlines of GDPR, HIPAA and California law compare?",
                vec!["deadlines of GDPR", "HIPAA", "California law"],
            ),
        ] {
            let found = parts(query);
            for part in asked {
                assert!(found.contains(&part), "{query}: {found:?}");
            }
        }
    }
}
