//! What is said where there is no answer, in the languages that there are headings in.

use crate::domain::aggregate::input::FailureStatus;
use crate::domain::synthesis::compose::Language;

/// The sentences of one language; `{}` stands for what differs.
pub(super) struct Words {
    /// That there is no answer, alone and to a question.
    pub none: (&'static str, &'static str),
    /// The same while somebody is at work.
    pub yet: (&'static str, &'static str),
    pub nothing_quotable: &'static str,
    pub colon: &'static str,
    pub stop: &'static str,
    pub only_runs: &'static str,
    /// How many tasks.
    pub all_run: &'static str,
    pub one_runs: &'static str,
    /// Of how many tasks how many.
    pub some_run: &'static str,
    /// A result, or how many, that is less relevant than was asked for.
    pub left_out: (&'static str, &'static str),
    /// What goes on behind that: one other task, or how many, that brought none.
    pub others: (&'static str, &'static str),
    /// Nobody brought anything, and nobody says why.
    pub nothing_told: &'static str,
    pub nothing: &'static str,
    pub only: &'static str,
    pub neither: &'static str,
    /// How many tasks.
    pub of_many: &'static str,
    /// What a subagent was asked, or its task.
    pub asked: &'static str,
    pub task: &'static str,
    /// The error, in others' words.
    pub why: &'static str,
    /// How many failures aren't listed.
    pub more: &'static str,
    /// By [`FailureStatus`], in the order of [`Words::happened`].
    happened: [&'static str; 10],
}

const ENGLISH: Words = Words {
    none: ("There is no answer", "There is no answer to “{}”"),
    yet: ("There is no answer yet", "There is no answer to “{}” yet"),
    nothing_quotable: "There is no answer to quote: the results have no sentence that states something.",
    colon: ": ",
    stop: ".",
    only_runs: "the only task is still running.",
    all_run: "all {} tasks are still running.",
    one_runs: "of the {} tasks 1 is still running.",
    some_run: "of the {} tasks {} are still running.",
    left_out: (
        "the only result was left out, since it is less relevant than `min_relevance` asks for",
        "all {} results were left out, since they are less relevant than `min_relevance` asks for",
    ),
    others: (", and one other task brought none.", ", and {} other tasks brought none."),
    nothing_told: "no task brought a result, and none reported a failure.",
    nothing: "no task brought a result.",
    only: "the only task brought no usable result.",
    neither: "neither of the 2 tasks brought a usable result.",
    of_many: "none of the {} tasks brought a usable result.",
    asked: " was to answer “{}”",
    task: ", task {}",
    why: " ({})",
    more: "and {} more",
    happened: [
        "an error",
        "no answer in time",
        "not available",
        "ended by a safety decision",
        "cancelled",
        "not finished",
        "nothing found",
        "only a pointer to another text",
        "declined to answer",
        "lost by the store",
    ],
};

const GERMAN: Words = Words {
    none: ("Es gibt keine Antwort", "Es gibt keine Antwort auf „{}“"),
    yet: ("Es gibt noch keine Antwort", "Es gibt noch keine Antwort auf „{}“"),
    nothing_quotable: "Es gibt keine Antwort zum Zitieren: Die Resultate haben keinen Satz, der etwas aussagt.",
    colon: ": ",
    stop: ".",
    only_runs: "Die einzige Aufgabe läuft noch.",
    all_run: "Alle {} Aufgaben laufen noch.",
    one_runs: "Von {} Aufgaben läuft 1 noch.",
    some_run: "Von {} Aufgaben laufen {} noch.",
    left_out: (
        "Das einzige Resultat ist weggelassen, weil es weniger relevant ist, als `min_relevance` verlangt",
        "Alle {} Resultate sind weggelassen, weil sie weniger relevant sind, als `min_relevance` verlangt",
    ),
    others: (
        ", und eine weitere Aufgabe hat keines geliefert.",
        ", und {} weitere Aufgaben haben keines geliefert.",
    ),
    nothing_told: "Keine Aufgabe hat ein Resultat geliefert, und keine hat einen Fehler gemeldet.",
    nothing: "Keine Aufgabe hat ein Resultat geliefert.",
    only: "Die einzige Aufgabe hat kein brauchbares Resultat geliefert.",
    neither: "Keine der 2 Aufgaben hat ein brauchbares Resultat geliefert.",
    of_many: "Keine der {} Aufgaben hat ein brauchbares Resultat geliefert.",
    asked: " sollte „{}“ beantworten",
    task: ", Aufgabe {}",
    why: " ({})",
    more: "und {} weitere",
    happened: [
        "ein Fehler",
        "keine rechtzeitige Antwort",
        "nicht verfügbar",
        "durch eine Sicherheitsentscheidung beendet",
        "abgebrochen",
        "nicht beendet",
        "nichts gefunden",
        "nur ein Verweis auf einen anderen Text",
        "hat die Antwort abgelehnt",
        "im Speicher verloren",
    ],
};

const CHINESE: Words = Words {
    none: ("没有答案", "没有关于“{}”的答案"),
    yet: ("尚无答案", "尚无关于“{}”的答案"),
    nothing_quotable: "没有可引用的答案：各结果中没有作出陈述的句子。",
    colon: "：",
    stop: "。",
    only_runs: "唯一的任务仍在运行。",
    all_run: "全部 {} 个任务仍在运行。",
    one_runs: "{} 个任务中有 1 个仍在运行。",
    some_run: "{} 个任务中有 {} 个仍在运行。",
    left_out: (
        "唯一的结果已略去，因为其相关性低于 `min_relevance` 的要求",
        "全部 {} 个结果已略去，因为其相关性低于 `min_relevance` 的要求",
    ),
    others: ("，另有 1 个任务没有给出结果。", "，另有 {} 个任务没有给出结果。"),
    nothing_told: "没有任务给出结果，也没有任务报告失败。",
    nothing: "没有任务给出结果。",
    only: "唯一的任务没有给出可用的结果。",
    neither: "2 个任务均未给出可用的结果。",
    of_many: "{} 个任务均未给出可用的结果。",
    asked: " 负责回答“{}”",
    task: "，任务 {}",
    why: "（{}）",
    more: "另有 {} 项",
    happened: [
        "出错",
        "未按时回答",
        "不可用",
        "因安全决定而终止",
        "已取消",
        "未完成",
        "未找到内容",
        "只有指向另一文本的指引",
        "拒绝回答",
        "在存储中丢失",
    ],
};

/// Those of a language; English where none is known.
pub(super) fn of(language: Option<Language>) -> &'static Words {
    match language {
        Some(Language::German) => &GERMAN,
        Some(Language::Chinese) => &CHINESE,
        Some(Language::English) | None => &ENGLISH,
    }
}

impl Words {
    pub(super) fn happened(&self, status: FailureStatus) -> &'static str {
        self.happened[match status {
            FailureStatus::Error => 0,
            FailureStatus::Timeout => 1,
            FailureStatus::Degraded => 2,
            FailureStatus::Refused => 3,
            FailureStatus::Cancelled => 4,
            FailureStatus::Pending => 5,
            FailureStatus::Empty => 6,
            FailureStatus::Pointer => 7,
            FailureStatus::Refusal => 8,
            FailureStatus::Lost => 9,
        }]
    }
}
