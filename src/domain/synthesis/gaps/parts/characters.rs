//! Enumerations in Chinese: `收入和利润`.

use crate::domain::text::phrases::before_any;
use crate::domain::text::scripts::is_wide;

/// What joins two members.
const JOINTS: [char; 3] = ['和', '与', '及'];

/// Words with such a character, which join nothing.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "和平", "和谐", "和解", "和睦", "和约", "饱和", "缓和", "温和", "总和", "共和", "柔和", "平和", "中和", "调和", "维和", "亲和", "昭和", "呼和浩特", "颐和园", "与其", "参与", "给与", "赠与", "授与", "与会",
    "与否", "与众", "与此", "及时", "及格", "及早", "以及", "涉及", "普及", "埃及", "危及", "顾及", "波及", "提及", "及其", "力所能及", "触及", "遍及",
];

/// What asks, at the end of a member.
const ASKS: &[&str] = &["分别是多少", "是多少", "有多少", "是什么", "有哪些", "怎么样", "如何", "分别"];

/// Characters of a member.
const MEMBER_MIN: usize = 2;

/// The members of an enumeration, without what asks at the end; a part that is none as it is.
pub(super) fn members(part: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(part);
    std::iter::from_fn(move || {
        let whole = rest?;
        match joint(whole) {
            Some((before, after)) => {
                rest = Some(after);
                Some(asked(before))
            }
            None => {
                rest = None;
                Some(asked(whole))
            }
        }
    })
}

/// The first joint with a member on each side.
fn joint(part: &str) -> Option<(&str, &str)> {
    part.match_indices(JOINTS).map(|(at, joint)| (at, at + joint.len())).find_map(|(start, end)| {
        let (before, after) = (&part[..start], &part[end..]);
        let ends = before.chars().rev().take(MEMBER_MIN).take_while(|c| is_wide(*c)).count();
        let begins = after.chars().take(MEMBER_MIN).take_while(|c| is_wide(*c)).count();
        let joins = ends >= MEMBER_MIN && begins >= MEMBER_MIN;
        (joins && !within_word(part, start)).then_some((before, after))
    })
}

fn within_word(part: &str, joint: usize) -> bool {
    WORDS.iter().any(|word| {
        word.match_indices(JOINTS).any(|(offset, _)| {
            joint
                .checked_sub(offset)
                .and_then(|from| part.get(from..))
                .is_some_and(|from| from.starts_with(word))
        })
    })
}

fn asked(member: &str) -> &str {
    let bare = before_any(member.trim_end(), ASKS);
    bare.filter(|bare| bare.chars().count() >= MEMBER_MIN).unwrap_or(member)
}
