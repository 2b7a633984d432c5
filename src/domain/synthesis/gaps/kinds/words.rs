//! The words by which kinds of things are asked for, and told.

use super::Asks;

/// How a part begins that asks for a kind of thing.
#[rustfmt::skip]
pub(super) const BEGINS: &[(&str, Asks)] = &[
    ("how much is ", Asks::Price), ("how much are ", Asks::Price), ("how much money", Asks::Price), ("how much funding", Asks::Price),
    ("how long do ", Asks::Duration), ("how long does ", Asks::Duration), ("how long did ", Asks::Duration), ("how long will ", Asks::Duration), ("for how long ", Asks::Duration), ("wie lange ", Asks::Duration),
    ("how long was ", Asks::Duration), ("how long were ", Asks::Duration), ("how long has ", Asks::Duration), ("how long have ", Asks::Duration), ("combien de temps", Asks::Duration), ("pendant combien de temps", Asks::Duration), ("cuánto tiempo", Asks::Duration), ("durante cuánto tiempo", Asks::Duration), ("per quanto tempo", Asks::Duration), ("quanto tempo", Asks::Duration), ("hoe lang ", Asks::Duration),
    ("deadline", Asks::Deadline), ("at what age ", Asks::Age), ("from what age ", Asks::Age), ("ab welchem alter ", Asks::Age), ("à quel âge ", Asks::Age), ("a qué edad ", Asks::Age),
    ("when is ", Asks::Time), ("when are ", Asks::Time), ("when was ", Asks::Time), ("when were ", Asks::Time), ("when does ", Asks::Time), ("when did ", Asks::Time), ("when will ", Asks::Time),
    ("wann ", Asks::Time), ("how long is ", Asks::Time), ("how long are ", Asks::Time),
    ("what caused ", Asks::Cause), ("what causes ", Asks::Cause), ("what is causing ", Asks::Cause), ("what triggered ", Asks::Cause), ("what led to ", Asks::Cause), ("who ", Asks::Who), ("why ", Asks::Cause), ("warum ", Asks::Cause), ("pourquoi ", Asks::Cause), ("por qué ", Asks::Cause), ("为什么", Asks::Cause), ("为何", Asks::Cause),
    ("what should ", Asks::Action), ("what must be done", Asks::Action), ("what can be done", Asks::Action), ("what needs to be done", Asks::Action), ("what can we do", Asks::Action), ("how should we ", Asks::Action),
    ("how do we fix ", Asks::Action), ("how do i fix ", Asks::Action), ("how can we fix ", Asks::Action), ("how to fix ", Asks::Action), ("how do we solve ", Asks::Action), ("how do we resolve ", Asks::Action),
    ("how can we prevent ", Asks::Action), ("how can we avoid ", Asks::Action), ("how do we prevent ", Asks::Action), ("how do we avoid ", Asks::Action), ("was sollten ", Asks::Action), ("que faire ", Asks::Action),
];
pub(super) const SPEEDS: &[&str] = &["km/h", "mph", "bps"];
pub(super) const LENGTHS: &[&str] = &["m", "mile", "ft", "inch", "yard"];
/// Questions for a measure, and its units.
#[rustfmt::skip]
pub(super) const MEASURES: [(&str, &[&str]); 17] = [
    ("how far ", LENGTHS), ("how tall ", LENGTHS), ("how high ", LENGTHS), ("how deep ", LENGTHS), ("how wide ", LENGTHS), ("wie weit ", LENGTHS), ("wie hoch ", LENGTHS), ("wie tief ", LENGTHS),
    ("how heavy ", &["g", "lb", "oz", "ton"]), ("how much does it weigh", &["g", "lb", "oz", "ton"]), ("wie schwer ", &["g", "lb"]), ("how fast ", SPEEDS), ("wie schnell ", SPEEDS),
    ("how big ", &["m2", "ft2", "acre", "mi2"]), ("how large ", &["m2", "ft2", "acre", "mi2"]), ("how hot ", &["°C", "°F"]), ("how cold ", &["°C", "°F"]),
];
/// Questions for a price, with ` cost` behind them.
#[rustfmt::skip]
pub(super) const COSTS: [(&str, &str); 13] = [
    ("quanto custa", ""), ("quanto costa", ""), ("hoeveel kost", ""), ("wat kost", ""), ("ile kosztuje", ""), ("сколько стоит", ""),
    ("what does ", " cost"), ("what do ", " cost"), ("what did ", " cost"), ("what will ", " cost"), ("was koste", ""), ("combien coûte", ""), ("cuánto cuesta", ""),
];
/// Questions that leave out what of, as another part says it: `Can we store addresses, and for how long?`
pub(super) const SHORT: [(&str, Asks); 8] = [
    ("combien de temps", Asks::Duration),
    ("cuánto tiempo", Asks::Duration),
    ("quanto tempo", Asks::Duration),
    ("hoe lang", Asks::Duration),
    ("how long", Asks::Duration),
    ("for how long", Asks::Duration),
    ("wie lange", Asks::Duration),
    ("wie lang", Asks::Duration),
];
/// Who asks how to do something, and verbs of what is set up: `How do we add OAuth login?`
pub(super) const HOW_TO: [&str; 6] =
    ["how do we ", "how do i ", "how can we ", "how can i ", "how should i ", "how to "];
#[rustfmt::skip]
pub(super) const SETS_UP: [&str; 14] = [
    "add ", "set up ", "install ", "configure ", "implement ", "integrate ", "deploy ", "connect ", "enable ", "migrate ", "upgrade ", "set ", "secure ", "test ",
];
pub(super) const HOW_MANY: &str = "how many ";
/// Verbs of who has a choice, and what asks for one.
pub(super) const CHOOSING: [&str; 14] = [
    "choose", "use", "pick", "buy", "adopt", "take", "select", "prefer", "migrate", "switch", "go", "order",
    "rent", "hire",
];
pub(super) const ASKED_TO_CHOOSE: [&str; 4] = ["should we ", "should i ", "should one ", "should our "];
/// What tells a choice, as one of a statement's first words, and anywhere in it.
pub(super) const CHOSEN: [&str; 10] =
    ["use", "choose", "pick", "buy", "adopt", "take", "select", "prefer", "go", "stick"];
#[rustfmt::skip]
pub(super) const RECOMMENDED: [&str; 18] = [
    "recommend", "winner", "best choice", "best option", "best fit", "suits ", "opt for ", "i'd pick ", "i'd choose ", "i'd go with ", "my pick", "my advice", "our advice", "better choice", "safer choice", "better fit", "better option", "safer option",
];
pub(super) const CHOSEN_WITHIN: usize = 4;
/// Words of a statement that does nothing but answer.
pub(super) const FEW_WORDS_MAX: usize = 4;

/// What tells why something is so.
#[rustfmt::skip]
pub(super) const CAUSES: [&str; 37] = [
    "verursacht", "ausgelöst durch", "causado", "causada", "causé", "provoqué", "provocad", "debido al", "causato", "causata", "dovuto", "dovuta", "a causa d", "veroorzaakt",
    "because", "caused", "root cause", "due to", "reason", "triggered by", "resulted from", "owing to", "led to", "as a result of", "weil ", "wegen ", "aufgrund ", "ursache", "parce que", "à cause de", "en raison de", "porque",
    "debido a", "因为", "由于", "原因", "导致",
];
/// What went wrong, in questions for its cause.
#[rustfmt::skip]
pub(super) const FAILURES: [&str; 15] = [
    " fail", " down", "outage", "crash", " break", "broke", " slow", "incident", "error", "ausfall", "ausgefallen", "erreichbar", "panne", "caída", "故障",
];
/// The same where it needn't say of what: the one cause of all that is told.
#[rustfmt::skip]
pub(super) const ROOT_CAUSES: [&str; 8] = ["root cause", "the cause ", "cause:", "caused by", "ursache", "la causa", "la cause", "原因"];
/// What stands before the verb of who may choose, and chooses nothing: `You can use the free tier`.
pub(super) const ALLOWS: [&str; 10] =
    ["can", "could", "may", "might", "cannot", "not", "don't", "won't", "who", "users"];
/// By when, in front of a date.
#[rustfmt::skip]
pub(super) const BY_WHEN: [&str; 14] = ["by ", "until ", "before ", "deadline", "due ", "close", "bis ", "frist", "avant ", "jusqu", "antes ", "hasta ", "entro ", "截止"];
/// What stands before how long it takes until something is so, which is how long something else takes.
pub(super) const UNTIL: [&str; 5] = ["after", "nach", "après", "tras", "dopo"];

/// What tells what is to be done, beside advice: a task that is open, or what somebody suggests.
pub(super) const OPEN_TASKS: [&str; 3] = ["[ ]", "☐", "todo:"];
pub(super) const SUGGESTED: [&str; 3] = ["suggest", "propose", "follow-up"];
/// How a step begins that mends something, or sets it up.
#[rustfmt::skip]
pub(super) const MENDS: [&str; 27] = [
    "roll back ", "revert ", "restart ", "redeploy ", "upgrade ", "downgrade ", "increase ", "reduce ", "raise ", "lower ", "disable ", "enable ", "replace ", "remove ", "limit ", "patch ", "rotate ",
    "install ", "reinstall ", "clear ", "add ", "use ", "set ", "create ", "configure ", "run ", "deploy ",
];

/// What a thing stands behind that is named by no name.
pub(super) const ARTICLES: [&str; 6] = ["the", "a", "an", "our", "your", "each"];
/// The same in a language that writes all nouns with a capital.
pub(super) const ARTICLES_GERMAN: [&str; 6] = ["der", "die", "das", "ein", "eine", "jeder"];
/// What stands before a price and says of which kind it is.
#[rustfmt::skip]
pub(super) const KINDS: [&str; 16] = [
    "list", "base", "basic", "total", "full", "retail", "net", "gross", "monthly", "annual", "yearly", "standard", "average", "current", "regular", "usual",
];
