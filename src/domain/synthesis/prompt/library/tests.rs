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
        files.iter().map(|(name, purpose)| (format!("{name}.md"), text(name, purpose))).collect();
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
fn a_file_of_another_name_and_a_changed_purpose_are_refused() {
    let copied = [("brief.md".to_owned(), text("retrieval", "retrieval"))];
    assert_eq!(
        PromptLibrary::new(&BUILT_IN, &copied).unwrap_err().to_string(),
        "prompt file brief.md, line 2: `name` is `retrieval`, but the file is brief.md: call it retrieval.md, or write its own name there"
    );
    let changed = own(&[("answer", "reasoning")]).unwrap_err();
    assert_eq!((changed.line, changed.why.contains("keep that purpose")), (4, true));
}
