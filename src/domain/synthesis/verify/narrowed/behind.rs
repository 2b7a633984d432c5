//! What stands behind a statement and limits it: `in mice`, `on Sundays`, `for patients under 40`, `7% of patients taking it`.

use std::sync::LazyLock;

use super::{Features, clauses, has_one, is_taken, tokens};
use crate::domain::synthesis::verify::listed::{Listed, Words};
use crate::domain::text::figures::Unit;

/// What leads to where something is so.
#[rustfmt::skip]
const IN: &[&str] = &["in", "on", "among", "bei", "an", "chez", "sur", "en", "nei", "nelle", "sui", "su", "em", "bij"];
/// On what something is tried that is meant for others; `*` stands for any ending.
#[rustfmt::skip]
const TRIED_ON: &[&str] = &[
    "mice", "mouse", "rats", "rat", "monkeys", "rabbits", "pigs", "dogs", "animal*", "vitro", "simulation*", "cultures", "primates", "hamsters", "zebrafish", "theory", "mäuse*", "ratten", "affen", "tieren", "tierversuch*", "vitro", "souris", "rat", "rats", "singes", "animaux", "ratones", "ratas", "monos", "animales", "topi", "ratti", "animali", "camundongos", "ratos", "muizen", "мыш*", "крыс*",
];
/// When something is so again and again.
#[rustfmt::skip]
const RECURRING: &[&str] = &[
    "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays", "weekends", "weekdays", "holidays", "summer", "winter", "spring", "autumn", "night", "montags", "dienstags", "mittwochs", "donnerstags", "freitags", "samstags", "sonntags", "wochenende*", "werktags", "feiertagen", "nachts",
    "dimanche*", "samedi*", "week-end", "hiver", "domingos", "sábados", "domenica", "sabato", "verano", "invierno", "estate", "inverno",
];
/// The same, as a claim may have it.
#[rustfmt::skip]
const WHEN: &[&str] = &["monday*", "tuesday*", "wednesday*", "thursday*", "friday*", "saturday*", "sunday*", "weekend*", "weekday*", "holiday*", "summer*", "winter*", "spring*", "autumn*", "night*", "season*", "sometimes", "certain", "only", "some", "montag*", "sonntag*", "samstag*", "woche*", "nacht*", "nächt*", "dimanche*", "hiver*", "domingo*", "domenic*", "fin"];
/// What says of something that it is so now.
const NOW: &[&str] = &[
    "is", "are", "runs", "run", "opens", "open", "operates", "ist", "sind", "fährt", "est", "sont", "es",
    "está", "è", "sono",
];
/// What limits something by the figure behind it.
#[rustfmt::skip]
const LIMITING: &[&str] = &[
    "under", "over", "above", "below", "aged", "beyond", "unter", "über", "ab", "de moins de", "de plus de", "menores de", "mayores de", "de menos de", "de más de", "con meno di", "con più di", "older than", "younger than", "larger than", "smaller than", "more than", "less than", "fewer than",
];
/// What says more of those of whom a share is told.
#[rustfmt::skip]
const TELLING: &[&str] = &["who", "whose", "with", "without", "aged", "under", "over", "taking", "receiving", "using", "living", "working", "given", "treated", "infected", "born", "between", "die", "mit", "ohne", "qui", "avec", "sans", "que", "con", "sin", "che", "senza"];
/// What says that nothing else is meant.
const ONLY: &[&str] = &[
    "only",
    "exclusively",
    "solely",
    "nur",
    "ausschließlich",
    "solamente",
    "solo",
    "sólo",
    "únicamente",
    "seulement",
    "uniquement",
    "soltanto",
    "apenas",
    "alleen",
];

static TRIED: LazyLock<Listed> = LazyLock::new(|| Listed::of(TRIED_ON));
static AGAIN: LazyLock<Listed> = LazyLock::new(|| Listed::of(RECURRING));

/// What limits a statement of a sentence that a claim takes over without it.
pub(super) fn limit(claim: &Features<'_>, whole: &str, said: &Features<'_>, words: &Words) -> Option<String> {
    let found = tried_on(claim, whole, said, words).or_else(|| recurring(claim, whole, said, words));
    found
        .or_else(|| share_of(claim, whole, said, words))
        .or_else(|| figure(claim, said))
        .or_else(|| only(claim, whole, said, words))
}

/// Whether a claim takes over the clause that something stands in.
fn takes(claim: &Features<'_>, said: &Features<'_>, at: usize) -> bool {
    let part = clauses(said.text, |_| false).into_iter().find(|part| part.contains(&at));
    part.is_some_and(|part| is_taken(claim, said, &part))
}

fn tried_on(claim: &Features<'_>, whole: &str, said: &Features<'_>, words: &Words) -> Option<String> {
    const BETWEEN: usize = 2;
    let leads =
        |at: usize| words[..at].iter().rev().take(BETWEEN + 1).any(|(_, word)| IN.contains(&word.as_str()));
    let at = (1..words.len()).find(|at| TRIED.has(&words[*at].1) && leads(*at))?;
    let kept = has_one(whole, TRIED_ON) || has_one(whole, &["laborator*", "preclinical", "trial*", "labor*"]);
    (!kept && takes(claim, said, words[at].0.start)).then(|| said.text[words[at].0.clone()].to_owned())
}

fn recurring(claim: &Features<'_>, whole: &str, said: &Features<'_>, words: &Words) -> Option<String> {
    let each = |at: usize| {
        at > 0
            && matches!(
                words[at - 1].1.as_str(),
                "every" | "each" | "last" | "next" | "this" | "jeden" | "chaque" | "cada" | "ogni"
            )
    };
    let at = (1..words.len()).find(|at| AGAIN.has(&words[*at].1) && !each(*at))?;
    let now = words.iter().any(|(_, word)| NOW.contains(&word.as_str()));
    (now && !has_one(whole, WHEN) && !has_one(whole, RECURRING) && takes(claim, said, words[at].0.start))
        .then(|| said.text[words[at].0.clone()].to_owned())
}

/// `over 7 tons` of `lorries over 7 tons`, directly behind what it limits.
fn figure(claim: &Features<'_>, said: &Features<'_>) -> Option<String> {
    said.figures.iter().find_map(|figure| {
        if matches!(figure.unit, Unit::Date | Unit::Label | Unit::Ordinal) {
            return None;
        }
        let before = said.text[..figure.start].trim_end();
        let limit = LIMITING
            .iter()
            .find(|word| before.strip_suffix(**word).is_some_and(|rest| rest.ends_with(' ')))?;
        let limited = before[..before.len() - limit.len()].trim_end();
        let (_, noun) = tokens(limited).last()?;
        let is_beside = limited.ends_with(char::is_alphabetic);
        let has_noun = tokens(claim.text).any(|(_, word)| word == noun);
        let kept = claim.figures.iter().any(|own| (own.unit, own.low) == (figure.unit, figure.low));
        // `rose over 5 percent` says how much.
        let is_noun = noun.ends_with('s') || noun.ends_with("en") || noun.ends_with("er");
        (is_beside
            && is_noun
            && has_noun
            && !kept
            && claim.figures.is_empty()
            && takes(claim, said, figure.start))
        .then(|| said.text[before.len() - limit.len()..figure.end].to_owned())
    })
}

/// `who smoked` of `12% of the women who smoked`.
fn share_of(claim: &Features<'_>, whole: &str, said: &Features<'_>, words: &Words) -> Option<String> {
    let of = |of: &Features<'_>| {
        let shares = of.figures.iter().any(|figure| matches!(figure.unit, Unit::Percent | Unit::Fraction));
        shares
            && tokens(of.text).any(|(_, word)| {
                matches!(word.as_str(), "of" | "der" | "des" | "de" | "dei" | "delle" | "degli" | "los")
            })
    };
    if !of(claim) || !of(said) {
        return None;
    }
    let mine: Vec<String> = tokens(whole).map(|(_, word)| word).collect();
    (1..words.len().saturating_sub(1)).find_map(|at| {
        let (range, word) = &words[at];
        let (noun, next) = (&words[at - 1].1, &words[at + 1].1);
        let is_of = words[..at].iter().rev().take(4).any(|(_, word)| {
            matches!(word.as_str(), "of" | "der" | "des" | "de" | "dei" | "delle" | "degli")
        });
        let is_told = mine.contains(noun) && !mine.contains(next) && !mine.contains(word);
        (TELLING.contains(&word.as_str()) && is_of && is_told)
            .then(|| format!("{} {next}", &said.text[range.clone()]))
    })
}

/// `to members only`, where a claim says it without both.
fn only(claim: &Features<'_>, whole: &str, said: &Features<'_>, words: &Words) -> Option<String> {
    let at = words.iter().position(|(_, word)| ONLY.contains(&word.as_str()))?;
    if at == 0 || has_one(whole, ONLY) {
        return None;
    }
    let ends = said.text[words[at].0.end..].trim_start().chars().next().is_none_or(|c| !c.is_alphanumeric());
    let beside = if ends {
        &words[at - 1].1
    } else {
        words[at + 1..].iter().map(|(_, word)| word).find(|word| word.len() > 3)?
    };
    let has = tokens(whole).any(|(_, word)| word == *beside);
    (!has && takes(claim, said, words[at].0.start))
        .then(|| said.text[words[at.saturating_sub(1)].0.start..words[at].0.end].to_owned())
}
