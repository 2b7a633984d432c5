//! Words by which a number in a name is known.

/// What stands before a name.
#[rustfmt::skip]
pub(super) const ARTICLES: &[&str] = &[
    "The ", "A ", "An ", "Der ", "Die ", "Das ", "Le ", "La ", "Les ", "El ", "Los ", "Las ", "Il ", "De ", "Het ", "O ",
];

/// What may begin a sentence before a number and is no name, in lower case.
#[rustfmt::skip]
pub(super) const NO_NAMES: &[&str] = &[
    "about", "around", "roughly", "almost", "maybe", "perhaps", "some", "circa", "over", "under", "above", "below", "only", "just", "all", "both", "these", "those", "at",
    "least", "most", "than", "between", "from", "to", "in", "on", "of", "by", "since", "until", "before", "after", "during", "within", "with", "without",
    "for", "as", "per", "every", "each", "any", "no", "our", "their", "his", "her", "its", "my", "your", "another", "other", "others", "further", "additional", "more",
    "fewer", "less", "up", "down", "and", "or", "but", "if", "when", "while", "whereas", "because", "although", "so", "still", "even", "also", "then", "now", "today",
    "yesterday", "overall", "worldwide", "altogether", "top", "first", "last", "through", "against", "among", "there", "here", "sometimes", "half", "what", "which", "who", "how", "why",
    "etwa", "rund", "ungefähr", "knapp", "über", "mehr", "alle", "diese", "nur", "genau", "im", "am", "seit", "bis", "mindestens", "höchstens", "insgesamt", "fast", "nach",
    "vor", "von", "zwischen", "unter", "auf", "bei", "mit", "für", "zum", "zur", "seine", "ihre", "weitere", "davon", "dort", "heute",
    "environ", "près", "plus", "moins", "tous", "toutes", "en", "de", "depuis", "sur", "entre", "seuls", "seules", "quelque", "dans", "ces", "parmi", "pour", "avec", "sans", "après", "avant",
    "unos", "unas", "más", "menos", "desde", "sobre", "solo", "sólo", "todos", "todas", "casi", "estos", "estas", "hasta", "tras", "con", "sin", "para", "por", "otros", "otras",
];

/// What has a size, so that the number behind it is one, in lower case.
#[rustfmt::skip]
pub(super) const MEASURED: &[&str] = &[
    "age", "score", "rank", "price", "cost", "costs", "total", "count", "number", "size", "weight", "height", "length", "width", "depth", "speed", "temperature", "population", "revenue",
    "gdp", "sales", "profit", "turnover", "turnout", "rating", "ph", "capacity", "distance", "quantity", "amount", "value", "rate", "share", "average", "mean", "median", "minimum", "maximum",
    "min", "max", "limit", "threshold", "deaths", "cases", "visitors", "users", "customers", "employees", "members", "people", "patients", "students", "staff", "budget", "income", "inflation",
    "unemployment", "growth", "duration", "time", "frequency", "magnitude", "voltage", "pressure", "area", "volume", "einwohner", "preis", "umsatz", "gewinn", "alter", "anzahl", "zahl",
    "prix", "âge", "nombre", "precio", "edad", "número", "población",
];

/// Verbs that stand behind no noun that is counted without being its own predicate.
#[rustfmt::skip]
pub(super) const AUXILIARIES: &[&str] = &[
    "is", "are", "was", "were", "be", "been", "has", "have", "had", "does", "do", "did", "can", "could", "will", "would", "may", "might", "must", "shall", "should", "cannot", "can't",
    "isn't", "wasn't", "aren't", "weren't", "hasn't", "doesn't", "didn't", "won't",
    "ist", "sind", "war", "waren", "hat", "haben", "hatte", "wird", "wurde", "wurden", "kann", "muss", "soll", "est", "sont", "était", "fut", "sera", "peut", "ont", "avait",
    "es", "fue", "era", "tiene", "puede", "será", "está", "è", "ha", "può", "heeft", "werd", "foi", "tem",
];

/// Others: a plural may look like one.
#[rustfmt::skip]
pub(super) const VERBS: &[&str] = &[
    "ran", "went", "won", "lost", "came", "became", "began", "got", "made", "took", "saw", "fell", "rose", "grew", "sold", "built", "hit", "left", "led", "met", "paid", "spent", "flew",
    "broke", "brought", "kept", "held", "used", "set", "lets", "runs", "works", "ships", "stops", "goes", "comes", "ends", "starts", "begins", "opens", "closes", "stands", "sits", "weighs", "costs", "lies", "leads",
    "relies", "depends", "belongs", "differs", "applies", "uses", "needs", "requires", "supports", "unterstützt", "verfügt", "besitzt", "läuft", "bietet", "fährt", "hält", "steht", "liegt", "kostet", "kommt", "geht", "prend", "permet", "dispose",
];

/// What stands between a name and its verb.
#[rustfmt::skip]
pub(super) const ADVERBS: &[&str] = &[
    "also", "still", "now", "no", "longer", "already", "never", "not", "always", "often", "first", "once", "again", "only", "even", "then", "soon", "itself", "alone",
];

/// What goes on behind a noun that is counted rather than behind a verb.
#[rustfmt::skip]
pub(super) const PREPOSITIONS: &[&str] = &[
    "of", "per", "in", "at", "on", "from", "to", "by", "with", "for", "and", "or", "than", "worldwide", "after", "before", "since", "within", "each", "every", "ago", "short", "above", "below", "ahead", "behind", "apart", "long", "wide", "high", "old",
];

/// What is counted and looks like a verb.
#[rustfmt::skip]
pub(super) const COUNTED: &[&str] = &[
    "persons", "employees", "workers", "users", "customers", "patients", "participants", "students", "members", "companies", "units", "vehicles", "cars", "respondents", "jobs", "homes",
    "households", "deaths", "cases", "sites", "stores", "pages", "words", "times", "tests", "requests", "points", "goals", "votes", "seats", "euros", "dollars", "pounds", "models", "states",
    "countries", "cities", "schools", "hospitals", "years", "months", "weeks", "days", "hours", "minutes", "seconds", "others", "nodes", "cores", "items", "books", "songs", "films",
];
