//! What a file looks like, and what is written in none.

use crate::none;
use crate::paths::paths;
use crate::source::{File, code, files, root, rust};

const LINES_MAX: usize = 300;
const LINES_OF_TESTS_MAX: usize = 500;

/// Longer files, each with the reason why two would be worse.
const LONG: &[(&str, &str)] = &[(
    "src/engine/mux/reader.rs",
    "one state machine of a stream: what it says next depends on all of its state",
)];

/// Tests that sleep all the same.
const SLEEPING: &[(&str, &str)] = &[
    ("tests/harness/mod.rs", "between two looks at a state, until a deadline"),
    ("tests/harness/cut_line.rs", "how long bytes travel over a slow line"),
    ("tests/containers/together.rs", "between two looks at a state, until a deadline"),
    ("tests/simulation/reader.rs", "its clock stands still: no time is slept"),
    ("tests/simulation/redis/client.rs", "its clock stands still: no time is slept"),
    ("tests/simulation/redis/mod.rs", "its clock stands still: no time is slept"),
    ("tests/simulation/world.rs", "its clock stands still: no time is slept"),
    ("tests/replicas/restarts.rs", "how long one sender comes after another"),
    ("tests/cache_contract/redis/slow.rs", "the distance that makes one replica slower than another"),
];

#[test]
fn file_says_first_what_it_is_for() {
    for folder in ["src/", "tests/", "benches/"] {
        let files = rust(folder);
        none(
            files
                .iter()
                .filter(|file| file.head().len() < 20)
                .map(|file| format!("{}: no //! head", file.path)),
        );
    }
}

#[test]
fn file_is_one_idea_of_a_size() {
    let mut findings = Vec::new();
    for file in rust("src/") {
        let own = file.without_tests().lines().count();
        let tests = file.text.lines().count() - own;
        let excused = LONG.iter().any(|(path, _)| *path == file.path);
        if (own > LINES_MAX) != excused {
            let advice =
                if excused { "not long any more: take it off the list" } else { "make it two files" };
            findings.push(format!("{}: {own} lines, {advice}", file.path));
        }
        if tests > LINES_OF_TESTS_MAX {
            findings.push(format!("{}: {tests} lines of tests", file.path));
        }
    }
    findings.extend(gone(LONG));
    none(findings);
}

#[test]
fn source_neither_panics_by_habit_nor_is_unfinished() {
    let mut findings = Vec::new();
    for file in rust("src/") {
        let code = code(&file.without_tests());
        for (number, line) in code.lines().enumerate() {
            for word in [".unwrap()", "todo!", "unimplemented!", "dbg!"] {
                if line.contains(word) {
                    findings.push(format!("{}:{}: {word}", file.path, number + 1));
                }
            }
        }
    }
    none(findings);
}

/// It drops what a slow reader hasn't read yet; here that is a cursor on the log.
#[test]
fn nothing_is_broadcast() {
    let files = rust("src/");
    let broadcasts = |path: &String| path.contains("sync::broadcast") || path.starts_with("broadcast::");
    let found = |file: &File| paths(&file.path, &code(&file.text)).iter().any(broadcasts);
    none(files.iter().filter(|file| found(file)).map(|file| format!("{}: a broadcast channel", file.path)));
}

/// A test waits for a state. Where tokio's clock stands still, sleeping takes no time.
#[test]
fn tests_do_not_sleep() {
    let mut findings = Vec::new();
    for file in rust("tests/") {
        let code = code(&file.text);
        let sleeps =
            has_word(&code, "sleep") && !has_word(&code, "start_paused") && !has_word(&code, "pause");
        let excused = SLEEPING.iter().any(|(path, _)| *path == file.path);
        if sleeps != excused {
            let advice =
                if excused { "sleeps no more: take it off the list" } else { "sleeps: wait for a state" };
            findings.push(format!("{}: {advice}", file.path));
        }
    }
    findings.extend(gone(SLEEPING));
    none(findings);
}

fn has_word(code: &str, wanted: &str) -> bool {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == wanted)
}

fn gone(list: &[(&str, &str)]) -> Vec<String> {
    let missing = list.iter().filter(|(path, _)| !root().join(path).exists());
    missing.map(|(path, _)| format!("{path} is on the list, but gone")).collect()
}

#[test]
fn files_name_nothing_of_one_machine() {
    // In two parts, as this file is one of them.
    let folders = ["root", "home", "work", "Users", "tmp"].map(|folder| format!("/{folder}/"));
    let mut findings = Vec::new();
    for file in files() {
        for (number, line) in file.text.lines().enumerate() {
            let begins_path =
                |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || "._-}:/".contains(c));
            let named =
                folders.iter().any(|folder| line.match_indices(folder).any(|(at, _)| begins_path(at)));
            if named {
                findings.push(format!("{}:{}: {}", file.path, number + 1, line.trim()));
            }
        }
    }
    none(findings);
}
