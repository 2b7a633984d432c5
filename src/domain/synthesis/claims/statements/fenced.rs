//! Fences that hold no code: lines of a log, and keys with values, as in YAML, are read as if they stood outside of one. Code that a
//! short answer is made of is quoted whole.
//!
//! What configures something has keys and values as well, and is code: so the keys must be no such, values no markup, and beside more
//! prose, or below a line that gives an example, they are one.

use std::ops::Range;

use super::least::Least;
use super::lines::{is_led, is_pair};
use super::records::time_of_log;
use super::{Said, Statement, json_values, read};
use crate::domain::adapters::shape::members;
use crate::domain::text::blocks::{Block, Kind};
use crate::domain::text::phrases::has_any;
use crate::domain::text::pronouns::begins_with_pronoun;
use crate::domain::text::sentences::sentences;

/// What a fence with keys and values, and one with a log, may be called.
const DATA: [&str; 8] = ["", "yaml", "yml", "toml", "ini", "env", "text", "txt"];
const LOGS: [&str; 6] = ["", "log", "logs", "text", "txt", "console"];
/// Keys of what configures something, or of what a server sends.
#[rustfmt::skip]
const CONFIGURES: &[&str] = &[
    "apiversion", "kind", "image", "services", "jobs", "steps", "runs-on", "on", "uses", "spec", "metadata", "stages", "ports", "volumes", "replicas", "provider", "resources", "build", "entrypoint", "command",
    "dependencies", "plugins", "server", "host", "port", "url", "path", "env", "environment", "include", "content-type", "accept", "authorization", "user-agent", "cache-control", "set-cookie", "restart",
    "context", "import", "imports", "extends", "class", "function", "return", "try", "else", "case", "default", "public", "private", "def", "package", "edition", "module", "listen", "timeout", "enabled", "debug",
];
/// What the line above an example has, or one that says where to write it.
#[rustfmt::skip]
const EXAMPLES: &[&str] = &[
    "example", "config", "e.g.", "template", "snippet", "syntax", "schema", " add ", " set ", " use ", " put ", " paste", " create ", " file", ".y", ".toml", ".ini", ".env", "beispiel", "z. b.", "vorlage", "exemple", "ejemplo",
];
/// What the line above JSON has that shows what a service takes or sends.
const SENT: [&str; 10] = [
    "respon",
    "request",
    "payload",
    "returns",
    "format",
    "body",
    "looks like",
    "antwortet",
    "liefert",
    "返回",
];
/// Bytes beside such fences that are always few.
const BESIDE_BYTES_MAX: usize = 240;
/// Lines of one: a longer one is looked up, not read.
const LINES_MAX: usize = 40;
/// What code is called, where the sentence behind it speaks of it.
#[rustfmt::skip]
const CODE_WORDS: &[&str] = &[
    "query", "command", "commands", "code", "script", "function", "snippet", "program", "abfrage", "befehl", "skript", "funktion", "programm", "requête", "commande", "fonction", "consulta", "comando", "función",
];
const CODE_WIDE: [&str; 7] = ["查询", "代码", "命令", "脚本", "函数", "コード", "コマンド"];
/// What a line above code has that was run to find out something.
#[rustfmt::skip]
const RAN: [&str; 11] = [
    " i ran", " we ran", " i used", " we used", " i executed", " we executed", " i've run", " i have run", " ausgeführt", " j'ai exécuté", "我运行了",
];
/// Lines and bytes of code that is quoted.
const CODE: (usize, usize) = (20, 1_000);

/// The statements of a fence; `above` is the text before it.
pub(super) fn read_data<'t>(
    said: Said<'t, '_>,
    fence: &Block,
    heading: &'t str,
    found: &mut Vec<Statement<'t>>,
) {
    let text = said.text;
    let Kind::Code { fenced: true, .. } = fence.kind else { return };
    let Some((language, inner)) = inner(text, fence) else { return };
    let is = |names: &[&str]| names.iter().any(|name| language.eq_ignore_ascii_case(name));
    let lines = || lines(text, inner.clone());
    if is(&LOGS) && is_log(lines().map(|line| &text[line])) {
        let starts = |line: &Range<usize>| time_of_log(&text[line.clone()]).is_some();
        lines().filter(starts).for_each(|line| read(said, line, (heading, Least::Record), found));
    } else if is(&DATA) && is_beside_little(text, &inner) && !is_example(&text[..fence.range.start]) {
        let Some(pairs) = pairs(text, lines(), language.is_empty()) else {
            return read_code(said, inner, heading, found);
        };
        for (line, key) in pairs {
            let heading = if key.is_empty() { heading } else { key };
            read(said, line, (heading, Least::Item), found);
        }
    } else {
        read_code(said, inner, heading, found);
    }
}

/// The statement of a fence with code that a line above announces and beside which little else stands: it is what was asked for.
fn read_code<'t>(said: Said<'t, '_>, inner: Range<usize>, heading: &'t str, found: &mut Vec<Statement<'t>>) {
    let (text, body) = (said.text, &said.text[inner.clone()]);
    let above = text[..inner.start].rsplit_once("```").map_or("", |(above, _)| above.trim_end());
    let is_announced = match above {
        "" => is_spoken_of(text, inner.end),
        _ => above.trim_end_matches('*').ends_with([':', '：']) && !is_means(above),
    };
    let start = inner.start + body.len() - body.trim_start().len();
    let shown = body.trim();
    let is_short = shown.len() <= CODE.1 && shown.lines().count() <= CODE.0;
    let is_code = shown.contains(char::is_alphabetic) && json_values::whole(shown).is_none();
    if is_announced && is_short && is_code && is_beside_little(text, &inner) && !is_example(above) {
        found.push(Statement {
            text: shown,
            start,
            heading,
            subagent: said.subagent,
            ..Statement::default()
        });
    }
}

/// Whether code that a text begins with is what it is about: nothing stands behind it, or what does speaks of it and tells no figure.
/// Otherwise it is how the answer behind it was found.
fn is_spoken_of(text: &str, end: usize) -> bool {
    let behind = text[end..].trim_start_matches(['`', '~', '\r', '\n', ' ']);
    let line = behind.lines().next().unwrap_or_default();
    let first = sentences(line).into_iter().next().map_or("", |first| &line[first]);
    let lower = first.to_lowercase();
    let is_named = || lower.split(|c: char| !c.is_alphabetic()).any(|word| CODE_WORDS.contains(&word));
    let has_figure = first.contains(|c: char| c.is_ascii_digit());
    behind.is_empty()
        || !has_figure && (begins_with_pronoun(first) || is_named() || has_any(&lower, &CODE_WIDE))
}

/// Whether the line above code says that it was run to find out something: `I ran this query:`
fn is_means(above: &str) -> bool {
    let line = format!(" {}", above.rsplit('\n').next().unwrap_or_default().to_lowercase());
    has_any(&line, &RAN)
}

/// Whether what begins in a fence at `start` is data that the line above that fence announces: `I found these values:`.
pub(super) fn is_announced(text: &str, start: usize) -> bool {
    let above = text[..start].rsplit_once("```").map_or("", |(above, _)| above.trim_end());
    let line = above.rsplit('\n').next().unwrap_or_default().to_lowercase();
    let has_key = |key: &str| CONFIGURES.contains(&key.to_lowercase().as_str());
    let inside = text[start..].split("\n```").next().unwrap_or_default();
    line.ends_with([':', '：'])
        && !is_example(above)
        && !has_any(&line, &SENT)
        && !members(inside.trim()).is_some_and(|all| all.iter().any(|member| has_key(&member.key.0)))
}

/// What a fence says it holds, and the bytes between its lines.
fn inner<'t>(text: &'t str, fence: &Block) -> Option<(&'t str, Range<usize>)> {
    let range = fence.content(text);
    let body = &text[range.clone()];
    let first = memchr::memchr(b'\n', body.as_bytes())?;
    let last = memchr::memrchr(b'\n', body.as_bytes())?;
    let is_closed = matches!(fence.kind, Kind::Code { closed: true, .. });
    let end = if is_closed { last.max(first) } else { body.len() };
    let language = body[..first].trim_matches([' ', '\t', '\r', '`', '~']);
    Some((language, range.start + first..range.start + end))
}

/// Its lines that aren't blank, without white space at their ends.
fn lines(text: &str, within: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut at = within.start;
    text[within].split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let end = start + line.trim_end().len();
        (!line.trim().is_empty()).then_some(start..end)
    })
}

/// Whether lines begin with a time each, but for what is indented below one.
fn is_log<'t>(mut lines: impl Iterator<Item = &'t str>) -> bool {
    lines.next().is_some_and(|first| time_of_log(first).is_some())
        && lines.all(|line| time_of_log(line).is_some() || line.starts_with([' ', '\t']))
}

/// Whether there is no more prose than data.
fn is_beside_little(text: &str, inner: &Range<usize>) -> bool {
    text.len() - inner.len() <= inner.len().max(BESIDE_BYTES_MAX)
}

/// Whether a text ends with a line that gives an example or says where to write it.
fn is_example(above: &str) -> bool {
    let line = format!(" {}", above.trim_end().rsplit('\n').next().unwrap_or_default().to_lowercase());
    has_any(&line, EXAMPLES)
}

/// Lines of keys with values, each with the key that it stands below; `None` where a line is something else. Keys below others are
/// indented once.
fn pairs(
    text: &str,
    lines: impl Iterator<Item = Range<usize>>,
    is_bare: bool,
) -> Option<Vec<(Range<usize>, &str)>> {
    let (mut found, mut above) = (Vec::new(), "");
    for (at, range) in lines.enumerate() {
        let line = &text[range.clone()];
        let said = line.trim_start();
        let indent = line.len() - said.len();
        let key = said.split([':', '=']).next().unwrap_or_default().trim();
        if at == LINES_MAX || indent > 4 || CONFIGURES.contains(&key.to_lowercase().as_str()) {
            return None;
        }
        if said.starts_with('#') && !is_bare || said == "---" {
            continue;
        }
        if indent == 0 {
            above = "";
        } else if above.is_empty() {
            return None;
        }
        if indent == 0 && !is_bare && said.ends_with(':') && is_key(key) {
            above = key;
            continue;
        }
        let is_item =
            !is_bare && said.strip_prefix("- ").is_some_and(|item| indent > 0 && !item.contains(": "));
        if !(is_item || is_value(said, is_bare)) {
            return None;
        }
        found.push((range.start + indent..range.end, above));
    }
    let least = if is_bare { 2 } else { 1 };
    (found.len() >= least).then_some(found)
}

/// Whether a line is a key with a value that is no code.
fn is_value(line: &str, is_bare: bool) -> bool {
    let assigned = || {
        let (key, value) = line.split_once(" = ").unwrap_or_default();
        !is_bare && is_key(key) && !value.trim().is_empty()
    };
    let is_code = line.ends_with([';', ',', '{', '[', '(', '|', '>', '\\'])
        || line.contains("${")
        || line.contains("{{")
        || line.contains("()")
        || line.contains("=>");
    !is_code && (is_pair(line) || is_bare && is_led(line) || assigned())
}

fn is_key(key: &str) -> bool {
    key.starts_with(|c: char| c.is_alphabetic())
        && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '))
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;

    const LOG: &str = "2025-05-14 09:12:01 ERROR checkout: connection pool exhausted after 30 s\n2025-05-14 09:12:07 WARN checkout: retrying order 5512";
    const SAID: &str = "The service recovered later on the same day.";

    fn stated(text: &str) -> Vec<&'static str> {
        read(text, "a").into_iter().map(|said| said.text).collect()
    }

    #[test]
    fn keys_with_values_in_a_fence_are_statements() {
        const LINES: &str = "sample: KW-17\nph: 6.1\nrecommendation: Apply 60 kg/ha K2O before drilling; lime is not required.";
        for language in ["yaml", "yml", "YAML", ""] {
            let text = format!("```{language}\n{LINES}\n```");
            assert_eq!(stated(&text), LINES.lines().collect::<Vec<_>>(), "{text}");
            let beside = stated(&format!("Because the dataset has it:\n\n{text}\n\n{SAID}"));
            assert_eq!(beside, LINES.lines().chain([SAID]).collect::<Vec<_>>(), "{text}");
        }
        let toml = "```toml\n# of May\ntotal = 48 EUR\nunits = 12 boxes\n```";
        assert_eq!(stated(toml), ["total = 48 EUR", "units = 12 boxes"]);
        let nested = "```yaml\nsample: KW-17\nlong_acre:\n  ph: 6.1\n  - lime is not required\n```";
        let below: Vec<_> = read(nested, "a").into_iter().map(|said| (said.heading, said.text)).collect();
        assert_eq!(
            below,
            [("", "sample: KW-17"), ("long_acre", "ph: 6.1"), ("long_acre", "lime is not required")]
        );
        let labels = "```\nModel: S200\nCartridge: 40 mm ceramic\n```";
        assert_eq!(stated(labels), ["Model: S200", "Cartridge: 40 mm ceramic"]);
    }

    #[test]
    fn logs_in_a_fence_are_statements() {
        let lines: Vec<&str> = LOG.lines().collect();
        for language in ["", "log", "text"] {
            let text = format!(
                "The log says:\n\n```{language}\n{LOG}\n    at Pool.take (pool.js:12)\n```\n\n{SAID}"
            );
            assert_eq!(stated(&text), [lines[0], lines[1], SAID], "{text}");
        }
    }

    #[test]
    fn json_that_a_line_announces_is_data() {
        const JSON: &str = "{\"dose_mg\": 400, \"interval_h\": 8}";
        let between =
            |line: &str, json: &str| stated(&format!("{line}\n\n```json\n{json}\n```\n\n{SAID}")).len();
        for line in ["I looked it up and found the following values:", "Das sind die Werte:", "数值如下："]
        {
            assert_eq!(between(line, JSON), 2, "{line}");
        }
        for line in [
            "For example:",
            "The service returns:",
            "Send this payload:",
            "It has two keys.",
            "The config is this one:",
        ] {
            assert!(between(line, JSON) < 2 + usize::from(line.ends_with('.')), "{line}");
        }
        assert_eq!(between("I found these values:", "{\"image\": \"nginx\", \"ports\": 80}"), 1);
    }

    #[test]
    fn code_that_a_short_answer_is_made_of_is_quoted_whole() {
        const CODE: &str = "SELECT sum(amount)\nFROM orders;";
        for text in [
            format!("Here is the query:\n\n```sql\n{CODE}\n```\n\n{SAID}"),
            format!("**The query is:**\n```\n{CODE}\n```\n\n{SAID}"),
        ] {
            let found = read(&text, "a");
            let said: Vec<_> = found.iter().map(|said| said.text).collect();
            assert_eq!(said, [CODE, SAID], "{text}");
            // What the line announces is the code, not what stands behind that.
            assert_eq!(found[1].around.announced, "", "{text}");
        }
        for behind in [
            "",
            "This query sums up all orders.",
            "The command lists all of the pods.",
            "该查询汇总所有订单。",
        ] {
            assert!(stated(&format!("```sql\n{CODE}\n```\n\n{behind}")).contains(&CODE), "{behind}");
        }
        let prose = format!("{SAID} ").repeat(6);
        for text in [
            format!("```sql\n{CODE}\n```\n\n{SAID}"),
            format!("```sql\n{CODE}\n```\n\nThe query gives a revenue of $44.9 million."),
            format!("I ran this query:\n\n```sql\n{CODE}\n```\n\n{SAID}"),
            format!("It is in the file.\n\n```sql\n{CODE}\n```\n\n{SAID}"),
            format!("For example:\n\n```sql\n{CODE}\n```\n\n{SAID}"),
            format!("{prose}\n\nHere is the query:\n\n```sql\n{CODE}\n```"),
            format!("It is long:\n\n```sql\n{}```\n\n{SAID}", "SELECT 1;\n".repeat(21)),
        ] {
            assert!(!stated(&text).iter().any(|said| said.contains("SELECT")), "{text}");
        }
    }

    #[test]
    fn code_is_none() {
        for code in [
            "yaml\napiVersion: v1\nkind: Service of the pool",
            "yaml\nservices:\n  web:\n    image: nginx",
            "yaml\nname: build it\non: push to main",
            "yaml\nname: build it\nrun: |\n  make all of it",
            "yaml\nname: ${{ matrix.os }} of it",
            "yaml\nplans:\n  - name: Pro plan\n    price: 20 EUR",
            "ini\n[server]\nport = 80 of it",
            "css\ncolor: red and green\nwidth: 20 px",
            "\ncolor: red and green;\nwidth: 20 px;",
            "\nlet x = 5 of it;\nname: x",
            "\nContent-Type: text/html; charset=utf-8\nLength: 5 bytes",
            "\nsample: only one line of it",
            "python\n2025-05-14 09:12:01 ERROR checkout: exhausted after 30 s",
            "\n2025-05-14 09:12:01 ERROR checkout: exhausted after 30 s\nprint(1) of the code",
            "rust\nname: the name of it\nage: 5 years",
        ] {
            assert_eq!(stated(&format!("{SAID}\n\n```{code}\n```")), [SAID], "{code}");
        }
        let data = "```yaml\nmax_users: 50 people\nplan: pro of it\n```";
        for above in ["For example:", "Add this to values:", "The config looks like this:"] {
            assert_eq!(stated(&format!("{SAID}\n\n{above}\n\n{data}")), [SAID], "{above}");
        }
        let prose = format!("{SAID} ").repeat(6);
        assert!(!stated(&format!("{prose}\n\n{data}")).contains(&"plan: pro of it"));
    }
}
