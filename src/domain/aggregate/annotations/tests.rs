//! What APIs name beside a text is read in order; nothing else is.

use super::*;

const A: &str = "https://a.example/x";
const B: &str = "https://b.example/y";

/// Title and address of each.
fn read(json: &str) -> Vec<(Option<String>, Option<String>)> {
    of(&json.replace("$A", A).replace("$B", B)).into_iter().map(|source| (source.title, source.url)).collect()
}

fn named(title: &str, url: &str) -> (Option<String>, Option<String>) {
    (Some(title.to_owned()).filter(|title| !title.is_empty()), Some(url.to_owned()))
}

#[test]
fn lists_of_apis_are_sources() {
    let both = [named("A", A), named("B", B)];
    for json in [
        r#"{"choices":[{"message":{"content":"x","annotations":[{"type":"url_citation","url_citation":{"url":"$A","title":"A"}},
            {"type":"url_citation","url_citation":{"url":"$A","title":"A"}},{"type":"url_citation","url_citation":{"url":"$B","title":"B"}}]}}]}"#,
        r#"{"output":[{"type":"message","content":[{"type":"output_text","text":"x","annotations":[
            {"type":"url_citation","url":"$A","title":"A"},{"type":"url_citation","url":"$B","title":"B"}]}]}]}"#,
        r#"{"candidates":[{"content":{},"groundingMetadata":{"groundingChunks":[{"web":{"uri":"$A","title":"A"}},{"web":{"uri":"$B","title":"B"}}]}}]}"#,
        r#"{"response":"x","source_nodes":[{"node":{"text":"t","metadata":{"url":"$A","title":"A"}},"score":0.9},{"text":"t","metadata":{"source":"$B","title":"B"}}]}"#,
        r#"{"result":"x","source_documents":[{"page_content":"t","metadata":{"source":"$A","title":"A"}},{"page_content":"t","metadata":{"source":"$B","title":"B"}}]}"#,
        r#"{"answer":"x","context":[{"page_content":"t","metadata":{"source":"$A","title":"A"}},{"page_content":"t","metadata":{"source":"$B","title":"B"}}]}"#,
        r#"{"choices":[{"message":{"content":"x"}}],"citations":["$A","$B"],"search_results":[{"title":"B","url":"$B"},{"title":"A","url":"$A"}]}"#,
        r#"{"content":"x","search_results":[{"title":"A","url":"$A"},{"title":"B","url":"$B"}]}"#,
        r#"{"content":[{"type":"text","text":"x","citations":[{"type":"web_search_result_location","url":"$A","title":"A","cited_text":"t"}]},
            {"type":"text","text":"x","citations":[{"type":"web_search_result_location","url":"$B","title":"B","cited_text":"t"}]}]}"#,
        r#"{"text":"x","citations":[{"start":0,"document_ids":["d"]}],"documents":[{"id":"d","title":"A","url":"$A"},{"id":"e","title":"B","url":"$B"}]}"#,
        r#"{"choices":[{"message":{"content":"x [doc1]","context":{"intent":"[]","citations":[{"content":"t","title":"A","url":"$A","filepath":"a","chunk_id":"0"},
            {"content":"t","title":"B","url":null,"filepath":"$B"}]}}}]}"#,
        r#"{"query":"q","answer":"x","results":[{"title":"A","url":"$A","content":"t","score":0.9},{"title":"B","url":"$B","content":"t","score":0.8}],"response_time":1.2}"#,
        r#"{"organic_results":[{"position":1,"title":"A","link":"$A","snippet":"t"},{"position":2,"title":"B","link":"$B"}]}"#,
        r#"{"content":[{"type":"text","text":"x"},{"type":"resource_link","uri":"$A","name":"A"},{"type":"resource","resource":{"uri":"$B","title":"B","text":"t"}}],"isError":false}"#,
        r#"{"result":{"content":[{"type":"text","text":"x"}],"structuredContent":{"results":[{"title":"A","url":"$A"},{"title":"B","url":"$B"}]}}}"#,
        r#"{"answer":"x","metadata":{"retriever_resources":[{"position":1,"document_name":"A","url":"$A","content":"t"},{"document_name":"B","url":"$B"}]}}"#,
        r#"{"message":{"citations":[{"sources":[{"type":"document","document":{"title":"A","url":"$A"}},{"document":{"title":"B","url":"$B"}}]}]}}"#,
    ] {
        assert_eq!(read(json), both, "{json}");
    }
}

#[test]
fn an_item_that_says_nothing_keeps_its_place() {
    let json = r#"{"citations":["$A","","$B"]}"#;
    assert_eq!(read(json), [named("", A), (None, None), named("", B)]);
}

#[test]
fn files_are_sources_with_what_they_say() {
    let json = r#"{"source_documents":[{"page_content":"It rose.","metadata":{"source":"docs/beta.pdf","page":3}}]}"#;
    let [source] = &of(json)[..] else { panic!("one source") };
    assert_eq!((source.url.as_deref(), source.snippet.as_deref()), (Some("docs/beta.pdf"), Some("It rose.")));
    let json = r#"{"source_nodes":[{"node":{"text":"t","metadata":{"file_name":"beta.pdf"}}}]}"#;
    assert_eq!(read(json), [named("", "beta.pdf")]);
}

#[test]
fn other_json_names_no_sources() {
    for json in [
        r#"{"annotations":[{"type":"label","url":"$A"}],"content":"x"}"#,
        r#"{"context":"a long text","page_content":1}"#,
        r#"{"documents":[{"title":"A","url":"$A"}]}"#,
        r#"{"data":{"citations":["$A"]}}"#,
        r#"{"citations":["one","two"]}"#,
        r#"{"results":[{"title":"A","url":"$A"},{"title":"no page"}]}"#,
        r#"{"results":7,"content":[{"type":"resource_link","name":"A"},{"type":"resource","resource":"$A"}]}"#,
        r#"{"context":{"citations":"x"},"metadata":{"retriever_resources":[{"content":"t"}]}}"#,
        r#"{"citations":7,"source_nodes":{},"groundingMetadata":[],"search_results":"x"}"#,
        // Two lists: a number may count in either.
        r#"{"content":[{"citations":["$A"]},{"citations":["$B"]}]}"#,
        "[]",
        "",
    ] {
        assert_eq!(read(json), [], "{json}");
    }
    let deep = format!(
        "{}{}{}",
        "{\"content\":".repeat(50),
        r#"{"citations":["https://a.example"]}"#,
        "}".repeat(50)
    );
    assert_eq!(read(&deep), []);
}

#[test]
fn sources_without_a_title_get_one() {
    let mut sources: Vec<SourceInput> = [A, B].into_iter().filter_map(SourceInput::from_text).collect();
    sources[1].title = Some("Own".to_owned());
    complete(
        &mut sources,
        &format!(r#"{{"search_results":[{{"title":"A","url":"{A}"}},{{"title":"B","url":"{B}"}}]}}"#),
    );
    let titles: Vec<Option<&str>> = sources.iter().map(|source| source.title.as_deref()).collect();
    assert_eq!(titles, [Some("A"), Some("Own")]);
}

#[test]
fn references_are_sources_wherever_they_lie() {
    let json = r#"{"output":{"text":"x"},"citations":[{"generatedResponsePart":{},"retrievedReferences":[
        {"content":{"text":"t"},"location":{"type":"WEB","webLocation":{"url":"$A"}}},
        {"content":{"text":"t"},"location":{"type":"S3","s3Location":{"uri":"s3://b/y.pdf"}}}]}]}"#;
    assert_eq!(read(json), [named("", A), named("", "s3://b/y.pdf")]);
}

#[test]
fn marks_of_documents_are_their_numbers() {
    for (text, sources, expected) in [
        ("It rose [doc1][doc2].", 2, "It rose [1][2]."),
        ("It rose [doc3] [doc0] [docs].", 2, "It rose [doc3] [doc0] [docs]."),
        ("It rose [doc1].", 0, "It rose [doc1]."),
    ] {
        assert_eq!(marked(text.to_owned(), sources), expected);
    }
}
