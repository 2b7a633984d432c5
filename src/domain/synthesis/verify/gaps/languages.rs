//! Words of other languages than English that say that something isn't told.
//!
//! As in English three things together say it: a negation, a word for telling, and what was to tell (`die Quellen nennen
//! keinen Preis`); or a negation and what is not there (`keine Angaben`); or one word alone (`fehlt`). What stands in the
//! passive names nobody who was to tell (`wird nicht genannt`), unless somebody has it (`Acme hat … nicht genannt`).

use std::sync::LazyLock;

use super::set;
use crate::domain::synthesis::verify::scope::tokens;
use crate::domain::text::phrases::has_any;
use crate::domain::text::terms::TermSet;
use crate::domain::text::words::Term;

/// Small words that negate: German, French, Spanish, Italian, Portuguese, Dutch.
#[rustfmt::skip]
pub(super) const NEGATIONS: &[&str] = &[
    "nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nichts", "weder",
    "pas", "aucun", "aucune", "rien", "ni", "jamais",
    "sin", "ningún", "ninguna", "ninguno", "nada", "tampoco",
    "non", "nessun", "nessuna", "nessuno", "né", "nulla", "niente",
    "não", "nenhum", "nenhuma", "nem",
    "geen", "niet", "niets",
];
/// Those that say by themselves that something is missing.
#[rustfmt::skip]
const LACKS: &[&str] = &[
    "unklar", "unbekannt", "ungewiss",
    "inconnu", "inconnue",
    "desconocido", "desconocida", "desconoce",
    "sconosciuto", "sconosciuta",
    "desconhecido", "desconhecida",
    "onbekend", "onduidelijk",
];
/// Those that say so of something told, or of what was to tell: of others they are a statement (`les lycées manquent de professeurs`).
#[rustfmt::skip]
const LACKS_OF: &[&str] = &[
    "fehlt", "fehlen", "manque", "manquent", "falta", "faltan", "manca", "mancano", "faltam", "ontbreekt", "ontbreken",
];
/// What is said not to be there.
#[rustfmt::skip]
const TOLD: &[&str] = &[
    "angaben", "angabe", "informationen", "information", "daten", "hinweis", "hinweise", "aussage", "aussagen",
    "informations", "donnée", "données", "mention", "précision", "précisions", "indication", "indications",
    "información", "informaciones", "dato", "datos", "mención", "detalle", "detalles",
    "informazione", "informazioni", "dati", "dettagli", "menzione",
    "informação", "informações", "dados", "menção",
    "informatie", "gegevens",
];
/// What the material is said not to do.
#[rustfmt::skip]
const TELLS: &[&str] = &[
    "nennen", "nennt", "sagen", "sagt", "erwähnen", "erwähnt", "erklären", "erklärt", "enthalten", "enthält", "beantworten",
    "beantwortet", "geben", "gibt", "machen",
    "précisent", "précise", "indiquent", "indique", "mentionnent", "mentionne", "disent", "dit", "expliquent", "explique",
    "donnent", "donne", "répondent", "répond", "contiennent",
    "indican", "indica", "mencionan", "menciona", "dicen", "dice", "explican", "explica", "especifican", "especifica", "dan",
    "responden", "contienen",
    "indicano", "menzionano", "menziona", "dicono", "spiegano", "specificano", "specifica", "rispondono", "contengono",
    "indicam", "mencionam", "dizem", "diz", "explicam", "especificam", "respondem", "contêm",
    "vermelden", "vermeldt", "noemen", "noemt", "zeggen", "zegt", "geven", "geeft", "bevatten",
];
/// What was to tell.
#[rustfmt::skip]
const MATERIALS: &[&str] = &[
    "quellen", "quelle", "material", "notizen", "unterlagen", "bericht", "berichte", "ergebnisse", "texte", "dokumente",
    "sources", "source", "documents", "notes", "rapports", "résultats", "textes",
    "fuentes", "fuente", "notas", "documentos", "informes", "resultados", "textos",
    "fonti", "fonte", "note", "documenti", "risultati", "testi",
    "fontes", "relatórios",
    "bronnen", "bron", "notities", "documenten",
];
/// What isn't done by anybody, right behind a negation: `nicht genannt`, `not mentioned`.
#[rustfmt::skip]
const UNSAID: &[&str] = &[
    "mentioned", "specified", "stated",
    "genannt", "angegeben", "erwähnt", "beziffert", "erläutert", "erklärt", "gesagt",
    "précisé", "précisée", "mentionné", "mentionnée", "indiqué", "indiquée", "expliqué",
    "especificado", "especificada", "mencionado", "mencionada", "indicado", "indicada",
    "specificato", "specificata", "menzionato", "menzionata", "indicato", "indicata",
    "vermeld", "genoemd",
];
/// Who has something has it in the active voice: somebody didn't say it, and that is a statement about somebody.
#[rustfmt::skip]
const HAVING: &[&str] = &[
    "has", "have", "had", "hat", "haben", "hatte", "hatten", "n'a", "n'ont", "n'avait", "ha", "han", "hanno", "heeft", "hebben",
];
/// What stands between a negation and a verb that nobody does: `no se menciona`, `non si dice`, `non è indicato`.
#[rustfmt::skip]
const BETWEEN: &[&str] = &["se", "si", "est", "sont", "es", "está", "están", "è", "sono", "viene", "vengono", "been", "being"];
/// Phrases of languages that are written without spaces, or that say it in the form of a verb.
#[rustfmt::skip]
const PHRASES: &[&str] = &[
    "未提及", "没有提及", "未提到", "没有提到", "未说明", "没有说明", "未给出", "没有给出", "未涉及", "没有涉及", "未回答", "没有回答",
    "没有信息", "没有相关信息", "无相关信息", "没有资料", "尚不清楚", "并不清楚", "不明确",
    "記載がな", "記載はな", "記載がありませ", "記載はありませ", "記載されていな", "記載されていませ", "言及がな", "言及はな", "言及されていな",
    "言及されていませ", "情報がな", "情報はな", "情報がありませ", "情報はありませ", "述べられていな", "述べられていませ", "書かれていな", "書かれていませ",
    "示されていな", "示されていませ",
    "언급되지 않", "언급하지 않", "언급이 없", "언급은 없", "정보가 없", "정보는 없", "나와 있지 않", "명시되지 않", "명시하지 않",
    "설명하지 않", "제공하지 않", "답하지 않",
];

/// All of them but the phrases: words that only say that something is missing, or where.
pub(super) static WORDS: LazyLock<TermSet> = LazyLock::new(|| {
    let all = [NEGATIONS, LACKS, LACKS_OF, TOLD, TELLS, MATERIALS, UNSAID].concat();
    set(&all)
});

/// Whether a word only says that something is missing.
pub(super) fn is_known(term: Term) -> bool {
    WORDS.contains(&term)
}

/// Whether a text says it in German, of which a few words needn't tell the language.
pub(super) fn is_german(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "nicht", "kein", "keine", "keinen", "keinem", "keiner", "keines", "nichts", "fehlt", "fehlen",
        "unklar",
    ];
    tokens(text).any(|(_, word)| WORDS.contains(&word.as_str()))
}

/// Whether a text says in another language than English, or in the passive, that something isn't told.
pub(super) fn says_missing(text: &str, is_negation: fn(&str) -> bool) -> bool {
    if has_any(text, PHRASES) {
        return true;
    }
    let words: Vec<String> = tokens(text).map(|(_, word)| word).collect();
    let has = |listed: &[&str]| words.iter().any(|word| listed.contains(&word.as_str()));
    has(LACKS)
        || (has(LACKS_OF) && (has(TOLD) || has(MATERIALS)))
        || words.iter().any(|word| is_negation(word))
            && (has(TOLD) || has(TELLS) && has(MATERIALS) || is_unsaid(&words, is_negation))
}

/// Whether a negation stands right before what nobody does.
fn is_unsaid(words: &[String], is_negation: fn(&str) -> bool) -> bool {
    let listed = |at: usize, list: &[&str]| words.get(at).is_some_and(|word| list.contains(&word.as_str()));
    let denied = |at: usize| {
        let between = at > 0 && listed(at - 1, BETWEEN);
        let before = at.checked_sub(if between { 2 } else { 1 });
        let is_passive = between || listed(at, UNSAID);
        is_passive && before.is_some_and(|before| words.get(before).is_some_and(|word| is_negation(word)))
    };
    let is_done = words.iter().any(|word| HAVING.contains(&word.as_str()));
    !is_done && (0..words.len()).any(|at| (listed(at, UNSAID) || listed(at, TELLS)) && denied(at))
}
