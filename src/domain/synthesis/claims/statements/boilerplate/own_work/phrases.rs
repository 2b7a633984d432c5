//! The words of what a model says of its own work, of itself and to who asked: in small letters, with straight apostrophes.

/// What a notice is called, with its colon.
#[rustfmt::skip]
pub(super) const LABELS: &[&str] = &["disclaimer:", "note:", "please note:", "important:", "hinweis:", "haftungsausschluss:", "nota:", "aviso:", "remarque:", "remarque :", "avertissement:", "avertissement :"];

/// What was done before there was an answer.
#[rustfmt::skip]
pub(super) const DONE: &[&str] = &[
    "i've reviewed ", "i have reviewed ", "i reviewed ", "i've analyzed ", "i've analysed ", "i have analyzed ", "i have analysed ", "i analyzed ", "i analysed ", "i looked at ", "i've looked at ", "i have looked at ",
    "i looked into ", "i've looked into ", "i went through ", "i've gone through ", "i have gone through ", "i examined ", "i've examined ", "i have examined ", "i've read through ", "i've compiled ", "i have compiled ",
    "i've put together ", "i have put together ", "i've gathered ", "i have gathered ", "i've prepared ", "i have prepared ", "i've summarized ", "i've summarised ", "i have summarized ", "i've completed ", "i have completed ", "i compared ", "i've compared ", "i have compared ",
];
/// What else was done, of which only what was read says nothing.
#[rustfmt::skip]
pub(super) const CHECKS: &[&str] = &[
    "i checked ", "i also checked ", "i've checked ", "i have checked ", "i searched ", "i also searched ", "i've searched ", "i have searched ", "i also looked ", "i also reviewed ", "i also read ", "i consulted ", "i queried ",
];
pub(super) const READ: &[&str] = &[
    " notes",
    " docs",
    " documentation",
    " logs",
    " web",
    " internet",
    " pages",
    " page",
    " website",
    " sources",
    " database",
    " articles",
    " literature",
    " repository",
    " changelog",
    " reports",
    " records",
    " files",
];
/// What makes more of it than that: what came of it.
#[rustfmt::skip]
pub(super) const GOES_ON: &[&str] = &[" and ", " but ", " that ", " which ", " because ", " where ", " so ", " if ", " when ", " unless "];

/// How what announces an answer begins.
pub(super) const SHOWS: &[&str] = &["here's ", "here is ", "here are ", "below is ", "below are "];
/// The same of what was found, with what it is on.
pub(super) const FOUND: &[&str] =
    &["here's what i found", "here is what i found", "here's what we found", "here is what we found"];
/// Why it was done, which says nothing of the matter.
pub(super) const SPARES: &[&str] = &["so you don't have to", "so that you don't have to"];

/// What is announced.
#[rustfmt::skip]
pub(super) const ANSWERS: &[&str] = &[
    "itinerary", "summary", "overview", "plan", "list", "breakdown", "recipe", "comparison", "analysis", "assessment", "review", "report", "answer", "findings", "results", "guide", "rundown", "recap", "table",
    "explanation", "recommendations", "suggestions", "highlights", "takeaways",
];
/// Verbs with which it says something itself.
pub(super) const VERBS: &[&str] =
    &["is", "are", "was", "were", "will", "has", "have", "had", "must", "should", "can", "may", "does", "do"];

/// What it is, and what it says then.
#[rustfmt::skip]
pub(super) const MACHINES: &[&str] = &[
    "i am an ai language model", "i'm an ai language model", "i am an ai model", "i'm an ai model", "i am an ai assistant", "i'm an ai assistant", "i am an ai and ", "i'm an ai and ", "i am an ai, ", "i'm an ai, ",
    "als ki kann ich ", "als ki-modell kann ich ", "als ki-sprachmodell kann ich ", "als ki-assistent kann ich ", "als sprachmodell kann ich ", "als ki habe ich ", "als ki-modell habe ich ", "als sprachmodell habe ich ",
    "en tant qu'ia, je ", "en tant que modèle de langage, je ", "como modelo de lenguaje, no ", "como ia, no ", "como una ia, no ",
    "i don't have real-time", "i do not have real-time", "i don't have access to real-time", "i do not have access to real-time",
];
/// How what it is about to do begins, nods before it included.
#[rustfmt::skip]
pub(super) const WORKS: &[&str] = &["let me ", "i'll ", "i will ", "i'm ", "now ", "first", "then ", "next", "ok", "okay", "sure", "certainly", "great", "alright", "got it"];
pub(super) const WILL: &[&str] = &["let me ", "'ll ", "i will ", "going to "];
/// Since when it doesn't know.
pub(super) const SINCE: &[&str] = &["as of my last ", "as of my knowledge "];
pub(super) const KNOWS_NOT: &[&str] = &[" i don't ", " i do not ", " i can't ", " i cannot "];

/// What is sorry for nothing that was asked.
#[rustfmt::skip]
pub(super) const SORRY: &[&str] = &["i apologize for ", "i apologise for ", "my apologies for ", "apologies for ", "sorry for the ", "i'm sorry for the ", "i am sorry for the "];

/// Wishes, and their end.
#[rustfmt::skip]
pub(super) const WISHES: &[&str] = &[
    "enjoy", "good luck", "safe travels", "bon appétit", "bon voyage", "bonne chance", "buen provecho", "¡buen provecho", "¡buen viaje", "buen viaje", "viel spaß", "viel erfolg", "viel glück", "guten appetit", "gute reise",
    "happy cooking", "happy coding", "happy reading", "happy travels", "happy traveling", "happy travelling", "happy baking", "happy learning", "happy shopping", "have fun", "have a great", "have a nice", "have a wonderful",
];
/// What hopes, and what for.
pub(super) const HOPES: &[&str] = &["i hope you ", "hope you ", "espero que "];
pub(super) const HELPED: &[&str] = &["helpful", "useful", "enjoy", "útil", "ayud", "sirva"];

/// Who thanks for what was asked, and that.
#[rustfmt::skip]
pub(super) const THANKS: &[&str] = &[
    "thanks for your ", "thank you for your ", "many thanks for your ", "hi, thanks ", "hi, thank you ", "hello, thanks ", "hello, thank you ", "danke für ihre ", "danke für deine ", "vielen dank für ihre ", "vielen dank für deine ", "merci pour votre ", "merci de votre ", "gracias por su ", "gracias por tu ",
];
#[rustfmt::skip]
pub(super) const ASKED: &[&str] = &[
    "mail", "email", "e-mail", "message", "question", "questions", "request", "inquiry", "enquiry", "interest", "patience", "letter", "note", "nachricht", "anfrage", "frage", "geduld", "demande", "question", "mensaje", "consulta", "pregunta", "correo",
];

/// Who sends a reader on whatever he is about to do, and what that is then.
#[rustfmt::skip]
pub(super) const TALKS: &[&str] = &[
    "always talk to your ", "talk to your ", "please talk to your ", "always speak to your ", "speak to your ", "always ask your ", "always check with your ", "always consult your ",
];
pub(super) const ANYTHING: &[&str] = &[" any ", " new ", " making "];

/// Who sends a reader on to somebody.
#[rustfmt::skip]
pub(super) const SENDS: &[&str] = &[
    "please consult ", "always consult ", "consult a ", "consult an ", "consult your ", "consult with ", "i'd recommend consulting ", "i recommend consulting ", "i would recommend consulting ", "i'd suggest consulting ",
    "i suggest consulting ", "i'd advise consulting ", "it's best to consult ", "it is best to consult ", "you should consult ", "please speak with ", "please speak to ", "please talk to ", "please seek ", "i encourage you to consult ",
];
#[rustfmt::skip]
pub(super) const EXPERTS: &[&str] = &[
    " professional", " attorney", " lawyer", " solicitor", " doctor", " physician", " healthcare provider", " health care provider", " advisor", " adviser", " accountant", " pharmacist", " expert", " counsel",
];
/// When: then it is advice.
pub(super) const CONDITIONS: &[&str] =
    &[" if ", " when ", " unless ", " in case ", " once ", " until ", " after "];

/// What a notice is of.
#[rustfmt::skip]
pub(super) const OWN: &[&str] = &["this ", "the information ", "the above ", "the content ", "nothing in this ", "nothing here ", "it is not ", "it's not ", "it does not "];
#[rustfmt::skip]
pub(super) const ADVICE: &[&str] = &["legal advice", "medical advice", "financial advice", "investment advice", "tax advice", "professional advice", "professional medical advice", "professional legal advice", "professional financial advice"];

/// What a page asks of its readers.
pub(super) const PAGES: &[&str] =
    &["subscribe to our ", "sign up for our ", "sign up to our ", "follow us on "];

/// What a text calls itself where it introduces itself, by how it begins, and what it does then.
#[rustfmt::skip]
pub(super) const ITSELF: &[&str] = &[
    "this report ", "this document ", "this analysis ", "this section ", "this summary ", "this overview ", "this review ", "this brief ", "this briefing ", "this comparison ", "this guide ", "this answer ", "this research report ",
    "dieser bericht ", "dieses dokument ", "diese analyse ", "diese übersicht ", "diese zusammenfassung ", "dieser abschnitt ", "ce rapport ", "ce document ", "cette analyse ", "cette section ",
    "este informe ", "este documento ", "este análisis ", "esta sección ", "questo rapporto ", "questo documento ", "questa analisi ", "este relatório ", "esta análise ",
];
#[rustfmt::skip]
pub(super) const INTRODUCES: &[&str] = &[
    "provides", "presents", "summarizes", "summarises", "examines", "covers", "outlines", "describes", "explores", "analyzes", "analyses", "compares", "discusses", "details", "aims", "synthesizes", "synthesises", "reviews",
    "evaluates", "investigates", "offers", "gives", "looks", "focuses", "addresses", "bietet", "gibt", "fasst", "untersucht", "vergleicht", "stellt", "beschreibt", "behandelt", "beleuchtet", "présente", "fournit", "résume",
    "examine", "propose", "analyse", "compare", "décrit", "presenta", "ofrece", "resume", "examina", "analiza", "compara", "describe", "proporciona", "fornisce", "offre", "analizza", "esamina", "confronta", "apresenta", "oferece", "analisa",
];
/// What makes more of it: what is shown, not only of what.
#[rustfmt::skip]
pub(super) const TELLS: &[&str] = &[" that ", " which ", " because ", " why ", " dass ", " weil ", " que ", " che "];

/// How Japanese says that the work is done.
pub(super) const WIDE_DONE: &[&str] = &["まとめました", "整理しました", "お調べしました"];
