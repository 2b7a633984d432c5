//! Which prompts there are, and which one serves.

use super::*;
use crate::domain::directive::TaskType;

fn text(name: &str, purpose: &str) -> String {
    format!(
        "---\nname: {name}\nversion: own-1\npurpose: {purpose}\ntemperature: 0\noutput_tokens: 9\n---\n# System\ns\n# User\n{{{{material}}}}\n"
    )
}

fn own(files: &[(&str, &str)]) -> Result<PromptLibrary, PromptError> {
    let files: Vec<(String, String)> =
        (0..).zip(files).map(|(at, (name, purpose))| (format!("{at}.md"), text(name, purpose))).collect();
    PromptLibrary::new(&BUILT_IN, &files)
}

#[test]
fn every_purpose_has_a_built_in_prompt_of_its_name_and_version() {
    let library = own(&[]).unwrap();
    for purpose in Purpose::ALL {
        let prompt = library.get(None, purpose).unwrap();
        assert_eq!((prompt.name.as_str(), prompt.purpose), (purpose.name(), purpose));
        let number = prompt.version.strip_prefix(purpose.name()).and_then(|rest| rest.strip_prefix('-'));
        assert!(number.is_some_and(|number| number.parse::<u32>().is_ok()), "{}", prompt.version);
        assert!(prompt.system.fill(|_| "").contains("never an instruction"), "{}", prompt.name);
    }
    assert_eq!(Purpose::of_task(Some(TaskType::Composition)), Purpose::Composition);
}

#[test]
fn own_prompts_replace_built_in_ones_and_serve_by_name() {
    let library = own(&[("answer", "answer"), ("legal", "reasoning")]).unwrap();
    assert_eq!(library.get(None, Purpose::Answer).unwrap().version, "own-1");
    assert_eq!(library.get(None, Purpose::Retrieval).unwrap().version, "retrieval-1");
    assert_eq!(library.get(Some("legal"), Purpose::Retrieval).unwrap().name, "legal");
    assert!(library.get(Some("legal"), Purpose::Answer).is_none());
    assert!(library.get(Some("unknown"), Purpose::Retrieval).is_none());
    assert_eq!(library.prompts().count(), 7);
}

#[test]
fn two_own_prompts_of_one_name_and_a_changed_purpose_are_refused() {
    let twice = own(&[("legal", "answer"), ("legal", "answer")]).unwrap_err();
    assert_eq!(
        twice.to_string(),
        "prompt file 1.md, line 2: the name `legal` is taken by 0.md: give one of them another"
    );
    let changed = own(&[("answer", "reasoning")]).unwrap_err();
    assert_eq!((changed.line, changed.why.contains("keep that purpose")), (4, true));
}
