//! Every key of the configuration, as Markdown: what `tributary config` prints and docs/configuration.md holds.
//!
//! Made of what the program itself goes by. Keys, defaults and reasons are those of the built-in `config/default.toml`, whose
//! comments begin with a unit and a range; where a check applies a range, that one is shown.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::layers::DEFAULT;
use super::variables::name_of;
use super::{Config, ConfigArgs};

const HEAD: &str = "| key and variable | default | unit, range | what it is |\n|---|---|---|---|\n";

/// A section with its keys, as the file has them.
struct Section<'a> {
    name: &'a str,
    comment: Vec<&'a str>,
    keys: Vec<Key<'a>>,
}

struct Key<'a> {
    name: &'a str,
    default: &'a str,
    comment: Vec<&'a str>,
}

/// A heading, a sentence and a table for each section.
pub fn reference() -> String {
    let built_in = Config::load_with(&ConfigArgs::default(), []).expect("the built-in defaults are valid");
    let ranges = built_in.checked().into_ranges();
    let sections = sections(DEFAULT);
    let pages: Vec<String> = sections.iter().map(|section| section.markdown(&ranges)).collect();
    pages.join("\n")
}

/// A comment belongs to the line below it; those at the head of the file to none.
fn sections(toml: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut comment = Vec::new();
    for line in toml.lines() {
        if let Some(text) = line.strip_prefix('#') {
            comment.push(text.strip_prefix(' ').unwrap_or(text));
            continue;
        }
        let comment = std::mem::take(&mut comment);
        if let Some(name) = line.strip_prefix('[') {
            sections.push(Section { name: name.trim_end_matches(']'), comment, keys: Vec::new() });
        } else if let (Some((name, default)), Some(section)) = (line.split_once(" = "), sections.last_mut()) {
            section.keys.push(Key { name, default, comment });
        }
    }
    sections
}

impl Section<'_> {
    fn markdown(&self, ranges: &BTreeMap<String, String>) -> String {
        let mut page = format!("## `[{}]`\n", self.name);
        let mut in_code = None;
        for line in &self.comment {
            let is_code = line.starts_with("  ");
            match (in_code, is_code) {
                (Some(true), false) => page.push_str("```\n\n"),
                (Some(false), true) => page.push_str("\n```toml\n"),
                (None, true) => page.push_str("\n```toml\n"),
                (None, false) => page.push('\n'),
                (Some(_), _) => {}
            }
            in_code = Some(is_code);
            page.push_str(&if is_code { line[2..].to_owned() } else { linked(line) });
            page.push('\n');
        }
        if in_code == Some(true) {
            page.push_str("```\n");
        }
        if !self.keys.is_empty() {
            page.push('\n');
            page.push_str(HEAD);
        }
        self.keys.iter().for_each(|key| key.add_row(self.name, ranges, &mut page));
        page
    }
}

impl Key<'_> {
    fn add_row(&self, section: &str, ranges: &BTreeMap<String, String>, page: &mut String) {
        let key = format!("{section}.{}", self.name);
        let variable = name_of(&key.split('.').collect::<Vec<_>>());
        let is_number = self.default.starts_with(|first: char| first.is_ascii_digit());
        let default = if is_number { self.default.replace('_', "") } else { self.default.to_owned() };
        let (unit, what) = (self.unit(ranges.get(&key)), self.what());
        let (unit, what) = (cell(&unit), cell(&what));
        writeln!(page, "| `{key}`<br>`{variable}` | `{default}` | {unit} | {what} |")
            .expect("a String takes everything");
    }

    /// The first sentence, and what follows it.
    fn sentences(&self) -> (String, String) {
        let text = self.comment.join(" ");
        let (first, rest) = text.split_once(". ").unwrap_or((text.trim_end_matches('.'), ""));
        (first.to_owned(), rest.to_owned())
    }

    /// The unit is told by the file, the range by the check.
    fn unit(&self, range: Option<&String>) -> String {
        let (first, _) = self.sentences();
        let unit = first.split(", ").next().filter(|unit| unit.starts_with(char::is_alphabetic));
        match (unit, range) {
            (Some(unit), Some(range)) => format!("{unit}, {range}"),
            (None, Some(range)) => range.clone(),
            (_, None) => first,
        }
    }

    fn what(&self) -> String {
        self.sentences().1
    }
}

/// The page lies in `docs` itself.
fn linked(line: &str) -> String {
    let word = |word: &str| match word.strip_prefix("docs/") {
        Some(path) => {
            let name = path.trim_end_matches([':', '.', ',']);
            format!("[{name}]({name}){}", &path[name.len()..])
        }
        None => word.to_owned(),
    };
    line.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// What has a meaning of its own in a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "\\<")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    const BEGIN: &str = "<!-- What follows is printed by `tributary config`. -->\n\n";
    const END: &str = "\n<!-- As far as here. -->";

    /// `WRITE_DOCS=1 cargo test --lib config::reference` writes it.
    #[test]
    fn the_page_holds_what_the_command_prints() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/configuration.md");
        let page = fs::read_to_string(&path).unwrap();
        let (head, rest) = page.split_once(BEGIN).unwrap();
        let (held, tail) = rest.split_once(END).unwrap();
        if std::env::var_os("WRITE_DOCS").is_some() {
            fs::write(&path, format!("{head}{BEGIN}{}{END}{tail}", reference())).unwrap();
        } else {
            assert!(held == reference(), "docs/configuration.md is out of date: WRITE_DOCS=1 writes it");
        }
    }

    /// Each number of a text.
    fn numbers(text: &str) -> BTreeSet<&str> {
        text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty()).collect()
    }

    #[test]
    fn the_file_tells_the_ranges_that_are_checked() {
        let built_in = Config::load_with(&ConfigArgs::default(), []).unwrap();
        let ranges = built_in.checked().into_ranges();
        assert!(ranges.len() > 60, "{ranges:?}");
        for section in sections(DEFAULT) {
            for key in &section.keys {
                let name = format!("{}.{}", section.name, key.name);
                let (told, reason) = key.sentences();
                assert!(!told.is_empty() && !reason.is_empty(), "{name}: a unit or a range, then a reason");
                let Some(checked) = ranges.get(&name) else { continue };
                assert_eq!(numbers(&told), numbers(checked), "{name}: `{told}`, but checked is {checked}");
            }
        }
    }

    /// A text that has to be one of several: the answer to a wrong one lists them.
    #[test]
    fn the_file_tells_the_words_that_are_taken() {
        let mut checked = 0;
        for section in sections(DEFAULT) {
            for key in &section.keys {
                let (told, _) = key.sentences();
                let words: Vec<&str> = told.split(" | ").collect();
                let is_word = |word: &&str| word.starts_with('"') && word.ends_with('"');
                if words.len() < 2 || !words.iter().all(is_word) || told.contains("://") {
                    continue;
                }
                let name = format!("{}.{}", section.name, key.name);
                let variable = format!("TRIBUTARY_{}", name.to_uppercase().replace('.', "__"));
                let loaded = Config::load_with(&ConfigArgs::default(), [(variable.into(), "?".into())]);
                let refusal = loaded.map(|_| ()).unwrap_err().to_string();
                let said: BTreeSet<&str> =
                    refusal.split('`').skip(1).step_by(2).filter(|word| *word != "?").collect();
                let words: BTreeSet<&str> = words.iter().map(|word| word.trim_matches('"')).collect();
                assert_eq!(words, said, "{name}: {refusal}");
                checked += 1;
            }
        }
        assert!(checked >= 6, "only {checked} keys take words");
    }

    #[test]
    fn examples_of_tables_are_taken() {
        let mut file = String::from("invoke.allowed_hosts = [\"docs.internal\"]\n");
        let lines = sections(DEFAULT).into_iter().flat_map(|section| section.comment);
        let examples: Vec<&str> = lines.filter_map(|line| line.strip_prefix("  ")).collect();
        let examples = examples.join("\n").replace("[secrets]\n", "[secrets]\ndocs_token = \"t\"\n");
        let examples = examples.replace("sha256:…", &format!("sha256:{:064}", 0));
        assert_eq!(examples.matches("[subagents.").count(), 2, "{examples}");
        file.push_str(&examples);
        let path = std::env::temp_dir().join(format!("tributary-examples-{}.toml", std::process::id()));
        fs::write(&path, &file).unwrap();
        let loaded = Config::load_with(&ConfigArgs { file: Some(path.clone()), listen: None }, []);
        fs::remove_file(path).unwrap();
        let config = loaded.unwrap_or_else(|error| panic!("{error}: {file}"));
        assert_eq!((config.auth.keys.len(), config.subagents.len()), (1, 2));
    }
}
