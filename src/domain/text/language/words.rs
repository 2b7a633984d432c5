//! Codes of languages, and words and letters that tell them.

/// ISO 639-1 codes and English names.
#[rustfmt::skip]
pub(super) const CODES: &[(&str, &str)] = &[
    ("ar", "Arabic"), ("bg", "Bulgarian"), ("ca", "Catalan"), ("cs", "Czech"), ("da", "Danish"), ("de", "German"),
    ("el", "Greek"), ("en", "English"), ("es", "Spanish"), ("et", "Estonian"), ("fa", "Persian"), ("fi", "Finnish"),
    ("fr", "French"), ("he", "Hebrew"), ("hi", "Hindi"), ("hr", "Croatian"), ("hu", "Hungarian"), ("id", "Indonesian"),
    ("it", "Italian"), ("ja", "Japanese"), ("ko", "Korean"), ("lt", "Lithuanian"), ("lv", "Latvian"), ("ms", "Malay"),
    ("nb", "Norwegian"), ("nl", "Dutch"), ("no", "Norwegian"), ("pl", "Polish"), ("pt", "Portuguese"),
    ("ro", "Romanian"), ("ru", "Russian"), ("sk", "Slovak"), ("sl", "Slovenian"), ("sr", "Serbian"), ("sv", "Swedish"),
    ("th", "Thai"), ("tr", "Turkish"), ("uk", "Ukrainian"), ("vi", "Vietnamese"), ("zh", "Chinese"),
];

/// Words that hold sentences together, and those with which questions begin; each list sorted by bytes.
#[rustfmt::skip]
pub(super) const LATIN: [(&str, &[&str]); 10] = [
    ("English", &["a", "about", "and", "are", "between", "by", "can", "do", "does", "for", "from", "how", "in", "is", "it", "of", "on", "should", "that", "the", "there", "this", "to", "was", "we", "what", "when", "where", "which", "who", "why", "will", "with"]),
    ("German", &["auf", "aus", "bei", "das", "dem", "den", "der", "des", "die", "ein", "eine", "einen", "für", "gibt", "gilt", "hat", "ich", "im", "ist", "kann", "lange", "man", "mit", "nicht", "oder", "sind", "und", "viel", "viele", "von", "wann", "warum", "was", "welche", "welchem", "welchen", "welcher", "welches", "wenn", "wer", "werden", "wie", "wieviel", "wir", "wird", "wo", "wurde", "wurden", "zu", "zum", "zur", "über"]),
    ("French", &["au", "aux", "avec", "ce", "combien", "comment", "dans", "de", "des", "du", "elle", "en", "est", "et", "il", "la", "le", "les", "nous", "ou", "où", "par", "pas", "pour", "pourquoi", "quand", "que", "quel", "quelle", "quelles", "quels", "qui", "sont", "sur", "un", "une", "être"]),
    ("Spanish", &["al", "como", "con", "cuando", "cuál", "cuáles", "cuándo", "cuánto", "cómo", "de", "del", "donde", "dónde", "el", "en", "entre", "es", "esta", "la", "las", "los", "más", "no", "para", "por", "que", "qué", "se", "son", "su", "un", "una", "y"]),
    ("Italian", &["al", "che", "chi", "come", "con", "cosa", "da", "dei", "del", "della", "delle", "di", "dove", "e", "gli", "i", "il", "in", "la", "le", "lo", "nel", "nella", "non", "per", "perché", "quale", "quali", "quando", "quanto", "si", "sono", "sul", "un", "una", "è"]),
    ("Portuguese", &["ao", "as", "com", "como", "da", "das", "de", "do", "dos", "e", "em", "entre", "está", "foi", "mais", "na", "no", "não", "o", "onde", "os", "para", "por", "porque", "quais", "qual", "quando", "que", "se", "são", "um", "uma", "à", "é"]),
    ("Dutch", &["aan", "de", "deze", "die", "dit", "een", "en", "er", "het", "hoe", "hoeveel", "ik", "in", "is", "kan", "met", "naar", "niet", "of", "om", "op", "te", "tussen", "van", "voor", "waar", "waarom", "wanneer", "wat", "welke", "wie", "wij", "worden", "zijn"]),
    ("Swedish", &["att", "av", "den", "det", "en", "ett", "från", "för", "hur", "här", "i", "inte", "kan", "man", "med", "mellan", "mycket", "när", "och", "om", "på", "som", "till", "vad", "var", "varför", "vem", "vi", "vilka", "vilken", "är"]),
    ("Polish", &["co", "czy", "dla", "do", "gdzie", "ile", "jak", "jaka", "jaki", "jakie", "jest", "kiedy", "kto", "która", "które", "który", "lub", "między", "na", "nie", "od", "oraz", "po", "przez", "przy", "się", "są", "to", "w", "z", "że"]),
    ("Turkish", &["arasında", "bir", "bu", "da", "daha", "de", "gibi", "hangi", "için", "kadar", "kim", "mi", "mı", "nasıl", "ne", "neden", "nedir", "nelerdir", "nerede", "olan", "olarak", "ve", "veya", "çok", "şu"]),
];

/// Letters of one of these languages only.
#[rustfmt::skip]
pub(super) const MARKS: &[(&str, &str)] = &[
    ("German", "ß"), ("French", "œ"), ("Spanish", "ñ¿¡"), ("Portuguese", "ãõ"), ("Swedish", "å"), ("Polish", "ąęłńśźż"),
    ("Turkish", "ğışİ"),
];
