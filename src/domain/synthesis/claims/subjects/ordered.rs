//! A task without its place among others: `Subtask 1`, `Step 2: verify the price`. Which one it is says nothing of what its answer is about, and
//! neither does with which verb it asks.

use std::sync::LazyLock;

use super::bare::is_year;
use crate::domain::text::terms::{self, KnownTerms};
use crate::domain::text::words::Term;

/// What tasks are numbered as, in small letters.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "task", "subtask", "sub-task", "step", "part", "agent", "subagent", "worker", "researcher", "question", "subquestion", "sub-question", "query", "subquery", "item", "todo", "aufgabe", "teilaufgabe", "schritt", "teil", "frage", "teilfrage",
    "tâche", "sous-tâche", "étape", "partie", "tarea", "subtarea", "paso", "parte", "pregunta", "compito", "passo", "attività", "tarefa", "etapa", "taak", "deeltaak", "stap", "zadanie", "krok", "задача", "подзадача", "шаг",
    "子任务", "任务", "步骤", "タスク", "サブタスク", "ステップ",
];
/// How a task asks, whatever it is about.
#[rustfmt::skip]
const ASKING: &[&str] = &[
    "find", "verify", "check", "confirm", "determine", "research", "search", "identify", "get", "look", "collect", "gather", "report", "investigate", "establish", "finde", "prüfe", "ermittle", "suche", "recherchiere",
    "analyze", "analyse", "evaluate", "assess", "describe", "explain", "summarize", "summarise", "examine", "explore", "compile", "analysiere", "untersuche", "beschreibe", "analyser", "décris", "analiza", "analizar", "investiga", "investigar", "analizza", "trouve", "trouver", "vérifie", "vérifier", "busca", "buscar", "verifica", "verificar", "trova",
];

static ASKS: LazyLock<KnownTerms<()>> =
    LazyLock::new(|| terms::table(ASKING.iter().map(|word| (*word, ()))).into());

/// Whether a word of a task only asks.
pub(super) fn asks(word: Term) -> bool {
    ASKS.get(word).is_some()
}

/// The task without its number.
pub(super) fn without_place(task: &str) -> &str {
    without_number(task).unwrap_or(task)
}

/// What stands behind the number; `None` where there is none.
fn without_number(task: &str) -> Option<&str> {
    let task = task.trim_start_matches(|c: char| matches!(c, '#' | '*' | '[' | '(') || c.is_whitespace());
    let digit = task.find(|c: char| c.is_ascii_digit())?;
    let item = task.trim_start_matches(|c: char| c.is_ascii_digit());
    if digit == 0 && (item.starts_with(". ") || item.starts_with(") ")) {
        return Some(item[2..].trim_start());
    }
    let part = task[..digit].trim_end_matches(|c: char| !c.is_alphabetic());
    let is_bare = part.is_empty() && !task.contains(char::is_alphabetic);
    if is_bare && is_year(task.trim_end()) {
        return None;
    }
    if digit > 24 || !is_bare && !PARTS.contains(&part.to_lowercase().as_str()) {
        return None;
    }
    let is_number = |c: char| c.is_ascii_digit() || c == '.' || c == '/';
    let behind = task[digit..].trim_start_matches(is_number);
    let of = behind.strip_prefix(" of ").filter(|of| of.starts_with(|c: char| c.is_ascii_digit()));
    let behind = of.map_or(behind, |of| of.trim_start_matches(is_number));
    // `Part 2B` is called so.
    (!behind.starts_with(char::is_alphanumeric) || !behind.is_ascii())
        .then(|| behind.trim_start_matches(|c: char| !c.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_task_says_nothing_of_what_it_is_about() {
        for (task, rest) in [
            ("Subtask 1", ""),
            ("2.", ""),
            ("2024", "2024"),
            ("2. Price of Acme", "Price of Acme"),
            ("3 day forecast", "3 day forecast"),
            ("Step 1: find the price", "find the price"),
            ("Step 2 of 3 - verify the price", "verify the price"),
            ("Step 2/3: verify the price", "verify the price"),
            ("[Task 4] Price of Acme", "Price of Acme"),
            ("子任务1：价格", "价格"),
            ("Pixel 9", "Pixel 9"),
            ("Part 2B", "Part 2B"),
            ("Price in step 2", "Price in step 2"),
            ("", ""),
        ] {
            assert_eq!(without_place(task), rest, "{task}");
        }
    }
}
