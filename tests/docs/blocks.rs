//! What a document prints as code, in its order: commands with what they print, files that they need, and fragments.

use std::fmt;

/// Why a block of commands isn't run. Closed: another reason is a block that nobody has thought about.
pub const REASONS: [&str; 5] =
    ["takes minutes", "needs a container engine", "needs a cluster", "needs a service of others", "fragment"];

/// A fenced block.
#[derive(Debug, Clone)]
pub struct Block {
    /// The document, from the project's root.
    pub file: String,
    /// The line of its fence, from 1.
    pub line: usize,
    /// What stands behind the fence.
    pub language: String,
    /// What stands between the fences.
    pub text: String,
    /// `REASON` of `<!-- not run: REASON -->` above the fence.
    pub not_run: Option<String>,
    /// Whether only blank lines are between it and the block before.
    pub follows: bool,
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl Block {
    /// Whether somebody who reads it types it.
    pub fn is_commands(&self) -> bool {
        let programs = ["cargo ", "curl ", "tributary ", "bash ", "scripts/", "docker ", "kubectl "];
        let unnamed =
            self.language.is_empty() && programs.iter().any(|program| self.text.starts_with(program));
        unnamed || ["sh", "bash", "console", "shell"].contains(&self.language.as_str())
    }

    /// The name of a file that is printed whole: `# NAME` or `// NAME` in its first line.
    pub fn names_a_file(&self) -> Option<&str> {
        let first = self.text.lines().next()?;
        let name = first.strip_prefix("# ").or_else(|| first.strip_prefix("// "))?.trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        (!self.is_commands() && name.contains('.') && name.chars().all(plain)).then_some(name)
    }
}

/// All blocks of a document.
pub fn blocks(file: &str, text: &str) -> Vec<Block> {
    let (mut blocks, mut open, mut not_run, mut follows) = (Vec::<Block>::new(), None::<Block>, None, false);
    for (number, line) in text.lines().enumerate() {
        if let Some(block) = &mut open {
            if line.trim_end() == "```" {
                blocks.extend(open.take());
                follows = true;
            } else {
                block.text.push_str(line);
                block.text.push('\n');
            }
        } else if let Some(language) = line.strip_prefix("```") {
            let (file, language, text) = (file.to_owned(), language.trim().to_owned(), String::new());
            open = Some(Block { file, line: number + 1, language, text, not_run: not_run.take(), follows });
        } else if let Some(comment) = line.trim().strip_prefix("<!-- not run: ") {
            not_run = Some(comment.trim_end_matches("-->").trim().to_owned());
        } else if !line.trim().is_empty() {
            (not_run, follows) = (None, false);
        }
    }
    assert!(open.is_none(), "{file}: a block that doesn't end");
    blocks
}

/// One thing to run, and what it must print.
#[derive(Debug)]
pub struct Run {
    /// Where it stands.
    pub at: String,
    /// What is typed.
    pub commands: String,
    /// What is printed below it, if anything is.
    pub expected: Option<String>,
}

/// What is run of a document, in order: a `sh` block at once, with a `text` block right below it as its output; a `console`
/// block command by command.
pub fn runs(blocks: &[Block]) -> Vec<Run> {
    let mut runs = Vec::<Run>::new();
    for (index, block) in blocks.iter().enumerate() {
        if !block.is_commands() || block.not_run.is_some() {
            continue;
        }
        if block.language == "console" {
            runs.extend(dialogue(block));
            continue;
        }
        let output = blocks.get(index + 1).filter(|next| next.follows && is_output(next));
        let expected = output.map(|output| output.text.clone());
        runs.push(Run { at: block.to_string(), commands: block.text.clone(), expected });
    }
    runs
}

fn is_output(block: &Block) -> bool {
    ["text", "json", "markdown"].contains(&block.language.as_str()) && block.names_a_file().is_none()
}

/// `$ command`, with lines that a `\` continues, and below it what it prints.
fn dialogue(block: &Block) -> Vec<Run> {
    let mut runs = Vec::<Run>::new();
    let mut continued = false;
    for line in block.text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            runs.push(Run { at: block.to_string(), commands: format!("{command}\n"), expected: None });
        } else {
            let run = runs.last_mut().unwrap_or_else(|| panic!("{block}: output before any `$ command`"));
            let text = if continued { &mut run.commands } else { run.expected.get_or_insert_default() };
            text.push_str(line);
            text.push('\n');
        }
        continued = line.ends_with('\\') && (continued || line.starts_with("$ "));
    }
    runs
}

#[test]
fn blocks_are_read_with_their_marks_and_their_output() {
    let text = "a\n<!-- not run: fragment -->\n```sh\nx\n```\nb\n```sh\ny\n```\n\n```text\nz\n```\n\
                ```console\n$ one \\\n  more\nsays\n$ two\n```\n```toml\n# my.toml\n[a]\n```\n";
    let blocks = blocks("d.md", text);
    let marks: Vec<_> =
        blocks.iter().map(|block| (block.line, block.not_run.as_deref(), block.follows)).collect();
    let expected = [
        (3, Some("fragment"), false),
        (7, None, false),
        (11, None, true),
        (14, None, true),
        (20, None, true),
    ];
    assert_eq!(marks, expected);
    assert_eq!(blocks[4].names_a_file(), Some("my.toml"));
    let runs = runs(&blocks);
    let seen: Vec<_> = runs.iter().map(|run| (run.commands.as_str(), run.expected.as_deref())).collect();
    assert_eq!(seen, [("y\n", Some("z\n")), ("one \\\n  more\n", Some("says\n")), ("two\n", None)]);
}
