//! Whether a program prints what a document says: `…` in a line stands for anything, a line of `…` for any lines.

use regex_lite::{Regex, escape};

/// What is wrong, if anything is.
pub fn differs(expected: &str, printed: &str) -> Option<String> {
    let (expected, printed) = (trimmed(expected), trimmed(printed));
    let mut pattern = String::from("^");
    for line in expected.lines() {
        if line.trim() == "…" {
            pattern.push_str("(?:.*\\n)*?");
        } else {
            let parts: Vec<String> = line.split('…').map(escape).collect();
            pattern.push_str(&parts.join(".*"));
            pattern.push_str("\\n");
        }
    }
    pattern.push('$');
    let matches = Regex::new(&pattern).unwrap().is_match(&printed);
    (!matches).then(|| format!("--- the document says\n{expected}--- the program says\n{printed}"))
}

/// Without blank lines around it, and without blanks at the ends of lines.
fn trimmed(text: &str) -> String {
    text.trim_matches('\n').lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn dots_stand_for_anything_and_nothing_else_does() {
    for (expected, printed) in [
        ("a\n", "a"),
        ("took … ms\n", "took 12.5 ms\n"),
        ("a\n…\nz\n", "a\nb\nc\nz\n"),
        ("a\n…\nz\n", "a\nz\n"),
        ("[1] (x)*", "[1] (x)*\n\n"),
    ] {
        assert_eq!(differs(expected, printed), None, "{expected}");
    }
    for (expected, printed) in [("a", "b"), ("a", "a\nb"), ("a\n…\nz", "a\nb"), ("x … y", "x\ny"), ("a", "")]
    {
        assert!(differs(expected, printed).is_some(), "{expected}");
    }
}
