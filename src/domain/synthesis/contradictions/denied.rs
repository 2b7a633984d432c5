//! A statement and its denial, where only the form of the verb and what stands behind them differ: `held a licence` and `did not hold a
//! licence`, `is not fixed yet` and `was fixed in version 2.3`, `can freeze it` and `can't freeze it because the crust goes soft`.

use std::sync::LazyLock;

use super::alternatives::are_others;
use super::apart::are_apart;
use super::differ::{Difference, content, is_part, negation};
use super::plain::tail::{Tail, tail};
use super::plain::{Plain, Words, common, phrase};
use super::reading::Reading;
use super::{Kind, numbered, refuted};
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::{Statement, are_headed_alike};
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::{Lexicon, Term};

/// What is done once, irregular verbs by their base: who says when denies that it isn't yet.
const DONE: &str = "fixed pay resolved solved released deployed merged shipped delivered published approved signed submitted \
                    completed finished implemented patched announced launched send repaired replaced ratified adopted \
                    build upgraded migrated issued processed refunded";

static ONCE: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(DONE.split(' ').map(|word| (word, ()))).into());
/// `you`, `one`, then what somebody can or must do.
static ANYBODY: LazyLock<[Vec<Term>; 2]> = LazyLock::new(|| {
    let mut lexicon = Lexicon::default();
    ["you one people", "can may must should"]
        .map(|words| lexicon.words(words).iter().map(|word| word.term).collect())
});

/// What may be may also not be.
static POSSIBLY: LazyLock<Vec<Term>> = LazyLock::new(|| phrase(&mut Lexicon::default(), "may might"));

/// One denies what the other says.
pub(super) fn difference(a: &Reading<'_, '_>, b: &Reading<'_, '_>) -> Option<Difference> {
    let [mine, theirs] = [a.words()?, b.words()?];
    let both = [(mine, a.of.text), (theirs, b.of.text)];
    let [denial, said] = match (mine.denials?, theirs.denials?) {
        (1, 0) => both,
        (0, 1) => [both[1], both[0]],
        _ => return None,
    };
    let denies =
        is_denial(denial, said) || is_turned_denial(denial.0, said.0) || is_turned_denial(said.0, denial.0);
    let differs = denies && are_of_one((a.said, a.of), (b.said, b.of));
    let written = |of: &Reading<'_, '_>| negation(of.of).unwrap_or_default();
    differs.then(|| Difference::new(Kind::Negation, written(a), written(b)))
}

/// Whether nothing says that two statements are of others, or that one is no fact.
pub(super) fn are_of_one(
    (a, one): (&Statement<'_>, &Features<'_>),
    (b, other): (&Statement<'_>, &Features<'_>),
) -> bool {
    let is_part = |said: &Statement<'_>, of: &Features<'_>| is_part(said, &content(of));
    are_headed_alike((a, one), (b, other))
        && !is_part(a, one)
        && !is_part(b, other)
        && !are_others(one, other)
        && !are_apart(one, other)
        && !numbered::are_others(one, other)
        && !refuted::refutes(one.text)
        && !refuted::refutes(other.text)
}

/// Whether the words of both are the same but for the negation, and what stands behind takes nothing back.
fn is_denial((denial, text): (&Words, &str), (said, their_text): (&Words, &str)) -> bool {
    let [mine, theirs] = [denial.said(), said.said()];
    let same = common(mine, theirs);
    let Some(denied) = denial.all.iter().position(|word| word.denies) else { return false };
    // What is denied is among the words of both, and something before it, or in front of the verb.
    let is_told = mine[..same].iter().any(|word| word.is_content)
        && !mine[..same].iter().any(|word| POSSIBLY.contains(&word.term));
    let is_whole = same >= 2 && same > denied && is_told;
    if !is_whole {
        return false;
    }
    let (rest, their_rest) = (tail(text, &mine[same..]), tail(their_text, &theirs[same..]));
    let (Some(rest), Some(their_rest)) = (rest, their_rest) else { return false };
    let [end, their_end] = [mine[same - 1].end, theirs[same - 1].end];
    let is_now = denial.tells_of_now(end);
    let [is_past, were] = [denial.is_past(end), said.is_past(their_end)];
    let may_follow = match rest {
        Tail::None | Tail::Since | Tail::Only | Tail::Open => true,
        // `did not go because …` may deny the reason.
        Tail::Reason => !is_past,
        Tail::Rule | Tail::Done => false,
    };
    let is_once = || ONCE.get(theirs[same - 1].term).is_some();
    let holds = match their_rest {
        Tail::None | Tail::Reason | Tail::Rule | Tail::Open => true,
        Tail::Since => is_now,
        Tail::Done => rest == Tail::None && is_now && (denial.is_yet || is_once()),
        Tail::Only => false,
    };
    let is_of_one_time = is_past == were
        || is_now && is_once()
        || !denial.is_now(end) && !said.is_now(their_end)
        || their_rest == Tail::Since;
    may_follow && holds && is_of_one_time && (rest == Tail::None || their_rest == Tail::None)
}

/// Whether one says what can be done, the other what you can do, and one of them denies it: `Bread can be frozen`, `You can't freeze bread`.
fn is_turned_denial(active: &Words, passive: &Words) -> bool {
    let [anybody, modals] = &*ANYBODY;
    let (mine, theirs) = (active.said(), passive.said());
    let is_active = mine.len() >= 4
        && anybody.contains(&mine[0].term)
        && modals.contains(&mine[1].term)
        && !theirs.iter().any(|word| anybody.contains(&word.term));
    if !is_active || mine.len() != theirs.len() + 1 || mine.iter().any(|word| word.sign.is_some()) {
        return false;
    }
    // What is frozen, then that it can be.
    let turned = mine[3..].iter().chain(&mine[1..3]).map(|word: &Plain| word.term);
    turned.eq(theirs.iter().map(|word| word.term))
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
    use super::super::tests::kind;

    #[test]
    fn the_form_of_a_verb_hides_no_denial() {
        for (one, other) in [
            ("The captain held a valid licence.", "The captain did not hold a valid licence."),
            ("The company paid the fine.", "The company did not pay the fine."),
            ("The family sold the house.", "The family didn't sell the house."),
            ("The board knew of the defect.", "The board did not know of the defect."),
            ("The ship left the port on time.", "The ship did not leave the port on time."),
            ("The police found traces of arson.", "The police did not find traces of arson."),
            ("The court upheld the ban.", "The court did not uphold the ban."),
            ("Sourdough bread can be frozen.", "You can't freeze sourdough bread."),
        ] {
            both_ways(one, other, true);
        }
        for (one, other) in [
            ("The captain held a valid licence.", "The officer did not hold a valid licence."),
            ("The captain held a valid licence.", "The captain did not hold a valid passport."),
            ("The captain held a licence in 2019.", "The captain did not hold a licence in 2023."),
            ("The company paid the fine.", "The company will not pay the fine."),
            ("The captain held a valid licence.", "The captain might not hold a valid licence."),
            ("Sourdough bread can be frozen.", "You can't freeze sourdough starter."),
            ("Sourdough bread can be frozen.", "You can't freeze sourdough bread twice."),
        ] {
            both_ways(one, other, false);
        }
    }

    #[test]
    fn what_is_not_done_yet_was_not_done_at_some_time() {
        for (one, other) in [
            ("The bug is not fixed yet.", "The bug was fixed in version 2.3."),
            ("The patch is not deployed.", "The patch is deployed in production."),
            ("The invoice has not been paid.", "The invoice was paid on 3 March."),
            ("The feature has not been released yet.", "The feature was released in March."),
            ("PR #2291 is not yet deployed.", "PR #2291 was deployed on 15 May."),
            ("The law has not been adopted.", "The law was adopted by parliament."),
        ] {
            both_ways(one, other, true);
        }
        for (one, other) in [
            ("The bridge was not open in 2019.", "The bridge is open since 2021."),
            ("The bug was not fixed.", "The bug was fixed in version 2.3."),
            ("The bug is not fixed in version 2.2.", "The bug was fixed in version 2.3."),
            ("The patch is not deployed in staging.", "The patch is deployed in production."),
            ("The patch is not deployed.", "The patch will be deployed on 15 May."),
            ("The patch is not deployed.", "The patch was deployed on 15 May and rolled back."),
            ("The invoice has not been paid.", "The invoice was partly paid on 3 March."),
            ("The bug is not fixed yet.", "The bug was fixed for Windows users."),
            ("The bug is not fixed yet.", "The bug was fixed in the beta of version 2.3."),
            ("The drug is not approved.", "The drug was approved in Japan."),
            ("The house is not sold.", "The house was sold in 2010."),
            ("PR #2291 is not yet deployed.", "PR #2292 was deployed on 15 May."),
            ("The shop is not open.", "The shop was open on 15 May."),
        ] {
            both_ways(one, other, false);
        }
    }

    #[test]
    fn a_reason_or_since_when_hides_no_denial() {
        for (one, other) in [
            ("You can freeze this bread.", "You cannot freeze this bread because the crust goes soft."),
            ("You can freeze this bread.", "You cannot freeze this bread, the crust goes soft."),
            ("Rents have been capped in Lyon since 2021.", "Rents are not capped in Lyon."),
            ("Rents are capped in Lyon.", "Rents are not capped in Lyon, only in Paris."),
            (
                "Les loyers sont plafonnés à Lyon depuis le 1er novembre 2021.",
                "Les loyers ne sont pas plafonnés à Lyon.",
            ),
            ("Lime is not required on Long Acre.", "Lime is required on Long Acre: pH was 5.6."),
            ("The damage is covered under Section A.", "The damage is not covered."),
        ] {
            both_ways(one, other, true);
        }
        for (one, other) in [
            ("You can freeze this bread.", "You cannot freeze this bread, unless it is sliced."),
            (
                "You can freeze this bread.",
                "You cannot freeze this bread because of the ice, but you may chill it.",
            ),
            ("The damage is covered.", "The damage is not covered if the house was vacant."),
            ("The following is covered: fire.", "The following is not covered: wear."),
            ("The flight was delayed.", "The flight was not delayed because of rain."),
            ("He resigned.", "He did not resign because he was ill."),
            ("Rents were capped in Lyon since 2021.", "Rents were not capped in Lyon."),
            ("Rents are capped in Lyon.", "Rents are not capped in Lyon, in contrast to Paris, before 2021."),
        ] {
            both_ways(one, other, false);
        }
    }

    fn both_ways(one: &str, other: &str, differ: bool) {
        let expected = differ.then_some(Kind::Negation);
        assert_eq!(kind(one, other), expected, "{one} / {other}");
        assert_eq!(kind(other, one), expected, "{other} / {one}");
    }
}
