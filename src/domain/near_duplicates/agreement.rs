//! Whether two texts that aren't near duplicates may say the same of one thing, one of them more of it.

use super::compare::{Left, only, order_is_kept, take_typing_errors};
use super::features::Features;
use super::{denied, joints, voice};

/// Whether nothing speaks against it that one text confirms the other: no word of either that stands in the place of one of the
/// other (`gained`, `lost`; `by`, `to`), no reservation, no other order. Figures aren't compared here.
pub(in crate::domain) fn may_confirm(one: &Features<'_>, other: &Features<'_>) -> bool {
    let (mut mine, mut theirs) = (only(one, other), only(other, one));
    let shifts = mine.iter().chain(&theirs).any(|element| joints::shifts(element));
    take_typing_errors(one.text, &mut mine, other.text, &mut theirs);
    let says_more = |of: &[_]| Left::of(of).says_more();
    let may = !(shifts || says_more(&mine) && says_more(&theirs));
    may && joints::agree(&one.joints, &other.joints)
        && order_is_kept(one, other)
        && voice::agree(one, other)
        && denied::agree(one, other)
}
