//! Negations of languages other than English and Chinese, as data.

/// How a negation goes together with another one of the same clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Concord {
    /// The word that negates the verb: `non`, `ne`, `не`.
    Verb,
    /// A word that only strengthens such a one, and negates where there is none: `jamais`, `nessuno`, `никогда`.
    Word,
    /// Each negates for itself: two turn a sentence round twice.
    Own,
}

use Concord::{Own, Verb, Word};

/// Negations in lower case. With languages (names as [`crate::domain::text::language::told`] has them) a word counts only
/// in a text of one of these, since it means something else in others: `pas`, `sin`, `nada`.
#[rustfmt::skip]
pub(super) const LANGUAGES: &[(Concord, &[&str], &str)] = &[
    // German.
    (Own, &[], "nicht kein keine keinen keinem keiner keines keinerlei niemals nichts niemand niemanden niemandem nirgends nirgendwo weder keineswegs keinesfalls ohne nein"),
    (Own, &["German"], "nie"),
    // French.
    (Verb, &["French"], "ne non"),
    (Word, &[], "jamais aucun aucune aucunement rien guère nullement"),
    (Word, &["French"], "pas nul nulle"),
    (Own, &["French"], "sans"),
    // Spanish and Portuguese.
    (Verb, &[], "não"),
    (Word, &[], "nunca jamás ningún ninguno ninguna ningunos ningunas nadie tampoco nenhum nenhuma nenhuns nenhumas ninguém tampouco"),
    (Word, &["Spanish", "Portuguese"], "nada"),
    (Word, &["Spanish", "French"], "ni"),
    (Own, &["Spanish"], "sin"),
    (Own, &["Portuguese"], "sem"),
    (Word, &["Portuguese"], "nem"),
    // Italian.
    (Verb, &["Italian"], "non"),
    (Word, &[], "nessun nessuno nessuna niente neanche nemmeno neppure"),
    (Word, &["Italian"], "mai nulla né"),
    (Own, &[], "senza"),
    // Dutch, Swedish, Danish, Norwegian.
    (Own, &[], "niet geen nooit niets nergens zonder"),
    (Own, &[], "inte icke aldrig ingen inget ingenting utan ikke aldri intet uden uten"),
    (Own, &["Swedish"], "ej"),
    // Finnish, Hungarian, Turkish.
    (Own, &[], "eivät eikä ilman"),
    (Verb, &[], "nem nincs nincsenek"),
    (Word, &[], "soha senki semmi"),
    (Own, &[], "nélkül değil değildir yok yoktur hayır olmadan"),
    (Word, &[], "hiç hiçbir"),
    // Polish, Czech, Romanian.
    (Verb, &["Polish"], "nie"),
    (Word, &[], "nigdy nikt nikogo żaden żadna żadne żadnego żadnej żadnych nigdzie niczego"),
    (Own, &["Polish"], "bez brak"),
    (Verb, &[], "není nejsou nemá nemají nebyl nebyla nebylo nelze nemůže nemohou"),
    (Word, &[], "nikdy žádný žádná žádné nikdo niciun nicio nicăieri niciodată nimic nimeni"),
    (Own, &[], "fără"),
    // Russian, Ukrainian, Bulgarian, Greek.
    (Verb, &[], "не нет нельзя немає няма δεν δε μην μη όχι"),
    (Word, &[], "никогда никто никого ничего ничто нигде никакой никакая никакое никакие никаких ни ніколи ніхто нічого никой нищо никога ποτέ κανένας καμία κανένα κανείς τίποτα"),
    (Own, &[], "без невозможно отсутствует отсутствуют χωρίς"),
    // Arabic, Persian, Hebrew.
    (Own, &[], "لا ليس ليست ليسوا لم لن غير بدون دون عدم ولا ولم ولن وليس بلا نیست نیستند نبود هیچ نه"),
    (Own, &[], "לא אין בלי אינו אינה אינם ללא מעולם"),
    // Hindi, Indonesian and Malay, Vietnamese.
    (Own, &[], "नहीं मत बिना tidak bukan belum tanpa jangan không chưa chẳng đừng"),
];

/// How words begin that negate: `n’est`, `نمی‌شود`.
pub(super) const ELIDED: [&str; 2] = ["n'", "n’"];

/// Where a word has one of these it negates: endings and prefixes of Korean and Persian verbs.
pub(super) const INSIDE: &[&str] = &["않", "없", "못하", "못한", "못했", "아니", "아닌", "아닙", "نمی"];

/// A Korean adverb that negates where it stands alone.
pub(super) const ALONE: &[&str] = &["안", "못"];

/// Japanese endings that negate.
#[rustfmt::skip]
pub(super) const JAPANESE: &[&str] = &["ない", "なく", "なかった", "なけれ", "ません", "ずに", "ざる"];

/// What has such an ending and negates nothing, or must be so: `少ない`, `かもしれない`, `なければならない`.
#[rustfmt::skip]
pub(super) const JAPANESE_HARMLESS: &[&str] = &[
    "少ない", "少なく", "少なかった", "すくない", "かもしれない", "かもしれません", "だけでなく", "だけではなく", "のみならず", "なければならない", "なければなりません", "なくてはならない", "なくてはなりません",
    "まもなく", "間もなく", "危ない", "危なく", "にほかならない", "に過ぎない", "にすぎない", "違いない", "違いありません", "なくなる", "限りなく",
];
