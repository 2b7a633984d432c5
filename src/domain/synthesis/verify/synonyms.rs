//! Words of reports that are put for each other without a change of what is said.

/// Each group by its words' beginnings: `manufactur` is `manufacturer`, `manufactured`.
#[rustfmt::skip]
const GROUPS: &[&[&str]] = &[
    &["company", "companies", "firm", "business", "corporation"],
    &["maker", "manufacturer", "producer"],
    &["start", "begin", "began", "begun", "launch", "commence"],
    &["end", "finish", "conclud", "complet"],
    &["use", "using", "employ", "utili", "appl", "rely", "relies"],
    &["show", "demonstrat", "indicat", "reveal", "suggest", "find", "found"],
    &["make", "made", "making", "produc", "build", "built", "manufactur", "create"],
    &["buy", "bought", "purchas", "acquir"],
    &["help", "assist", "aid"],
    &["need", "require", "must", "necessary"],
    &["big", "large", "major", "huge", "significant", "substantial", "considerabl"],
    &["small", "minor", "modest", "slight"],
    &["quick", "fast", "rapid", "swift"],
    &["country", "countries", "nation"],
    &["people", "person", "individual", "resident"],
    &["car", "cars", "vehicle", "automobile"],
    &["method", "approach", "technique"],
    &["study", "studies", "research", "report", "analys", "paper", "survey"],
    &["result", "outcome"],
    &["contain", "includ", "compris", "consist"],
    &["employ", "staff", "worker", "workforce"],
    &["plant", "factory", "factories", "facility", "facilities"],
    &["fire", "blaze"],
    &["run", "ran", "operat", "manag"],
    &["give", "gave", "given", "provid", "offer", "supply", "supplies", "supplied", "deliver"],
    &["get", "got", "receiv", "obtain"],
    &["reach", "hit", "attain", "achiev", "total"],
    &["remain", "stay", "continu", "keep", "kept"],
    &["set", "establish", "found", "create"],
    &["approv", "pass", "adopt", "enact"],
    &["lead", "led", "caus", "trigger", "prompt"],
    &["goal", "target", "objective"],
    &["rule", "regulation", "law"],
    &["near", "nearly", "close", "almost"],
    &["stop", "halt", "cease", "discontinu"],
    &["change", "modif", "alter", "amend"],
    &["choos", "chose", "select", "pick"],
    &["important", "key", "crucial", "essential", "critical"],
    &["hard", "difficult", "challenging"],
    &["move", "shift", "transition", "migrat"],
    &["look", "examin", "investigat"],
    &["allow", "permit", "enabl", "let"],
    &["kill", "die", "dead", "death"],
    &["evacuat", "leave", "left"],
    &["cover", "span", "stretch"],
    &["store", "keep", "hold", "held"],
    &["yearly", "annual", "year"],
    &["tried", "try", "tries", "attempt", "seek", "sought"],
    &["plans", "planned", "planning", "intend", "aims", "aimed"],
    &["expect", "forecast", "projected", "predict", "anticipat"],
    &["associat", "link", "correlat"],
    &["rund", "etwa", "ungefähr", "circa"],
];

/// Whether two words in lower case belong to one group.
pub(super) fn are_synonyms(one: &str, other: &str) -> bool {
    let is_of = |group: &&&[&str], word: &str| group.iter().any(|begins| word.starts_with(begins));
    GROUPS.iter().any(|group| is_of(&group, one) && is_of(&group, other))
}
