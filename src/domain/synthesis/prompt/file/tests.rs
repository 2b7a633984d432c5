//! Prompt files: what is read, and what each mistake is told as.

use proptest::prelude::*;

use super::*;

const GOOD: &str = "---\nname: legal\nversion: legal-1\npurpose: reasoning\ntemperature: 0.2\noutput_tokens: 900\n---\n# System\nBe strict. {{language}}\n# User\n\n{{query}}\n{{material}}\n";

#[test]
fn a_good_file_is_read() {
    let prompt = read("legal.md", &GOOD.replace('\n', "\r\n")).unwrap();
    assert_eq!((prompt.name.as_str(), prompt.version.as_str()), ("legal", "legal-1"));
    assert_eq!((prompt.purpose, prompt.temperature, prompt.output_tokens), (Purpose::Reasoning, 0.2, 900));
    assert_eq!(prompt.system.fill(|_| "German"), "Be strict. German");
    assert_eq!(prompt.user.fill(|place| place.name()), "query\nmaterial");
}

#[test]
fn mistakes_name_file_line_and_what_to_do() {
    for (from, to, line, why) in [
        ("---\nname", "name", 1, "begin the file with a line `---`"),
        ("name: legal\n", "", 1, "`name` is missing"),
        ("name: legal", "name: le gal", 2, "`name` has to be"),
        ("version: legal-1", "version:", 3, "`version` has to be"),
        ("purpose: reasoning", "purpose: guess", 4, "unknown purpose `guess`: use one of retrieval"),
        ("temperature: 0.2", "temperature: 2.1", 5, "give a number from 0 to 2"),
        ("temperature: 0.2", "temperature: NaN", 5, "give a number from 0 to 2"),
        ("output_tokens: 900", "output_tokens: 0", 6, "give a whole number"),
        ("output_tokens: 900", "tokens: 900", 6, "unknown key `tokens`"),
        ("output_tokens: 900", "output_tokens 900", 6, "not a `key: value`"),
        ("output_tokens: 900", "name: x", 6, "`name` stands twice"),
        ("900\n---", "900", 7, "not a `key: value`"),
        ("# System", "Hello\n# System", 8, "text before `# System`"),
        ("# System", "## System", 14, "`# System` is missing"),
        ("# User", "# User\n# User", 11, "`# User` stands twice"),
        ("Be strict. {{language}}\n", "", 8, "`# System` is empty"),
        ("strict. {{language}}", "strict.\n\n{{qurey}}", 11, "unknown placeholder `{{qurey}}`"),
        ("{{query}}", "{{query", 12, "close the placeholder"),
        ("{{language}}", "{{query}}", 8, "move it from `# System` to `# User`"),
        ("{{material}}", "", 10, "{{material}} is missing in `# User`"),
        ("{{query}}", "{{material}}", 10, "{{material}} stands twice"),
        ("{{query}}", "{{items}}", 10, "a prompt for `reasoning` has no {{items}}"),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let error = read("legal.md", &GOOD.replacen(from, to, 1)).unwrap_err();
        assert_eq!(error.line, line, "{to:?}: {error}");
        assert!(
            error.to_string().starts_with("prompt file legal.md, line ") && error.why.contains(why),
            "{error}"
        );
    }
    let large = format!("{GOOD}{}", "x".repeat(FILE_BYTES_MAX));
    assert!(read("l.md", &large).unwrap_err().why.contains("larger than 256 KiB"));
}

proptest! {
    #[test]
    fn no_file_panics(at in 0_usize..GOOD.len(), text in any::<String>()) {
        let _ = read("any.md", &text);
        let _ = read("any.md", &format!("{}{text}{}", &GOOD[..at], &GOOD[at..]));
    }
}
