//! The document, asked as a program asks it.

use serde_json::{Map, Value};

use super::harness::{Answer, Client};
use super::schema::Validator;

/// As the document and as HTTP write them.
const METHODS: [(&str, &str); 8] = [
    ("get", "GET"),
    ("put", "PUT"),
    ("post", "POST"),
    ("delete", "DELETE"),
    ("options", "OPTIONS"),
    ("head", "HEAD"),
    ("patch", "PATCH"),
    ("trace", "TRACE"),
];

/// What a service serves at `/openapi.json`.
pub struct Described {
    pub document: Value,
}

/// An operation of the document.
#[derive(Clone, Copy)]
pub struct Operation<'d> {
    pub method: &'static str,
    pub template: &'d str,
    pub described: &'d Value,
}

impl Described {
    pub async fn by(service: &Client) -> Self {
        let answer = service.get("/openapi.json").send().await;
        assert_eq!((answer.status, media(&answer)), (200, Some("application/json")));
        Self { document: answer.json() }
    }

    pub fn validator(&self) -> Validator<'_> {
        Validator { document: &self.document }
    }

    pub fn paths(&self) -> &Map<String, Value> {
        self.document["paths"].as_object().unwrap()
    }

    pub fn operations(&self) -> Vec<Operation<'_>> {
        let operations = self.paths().iter().flat_map(|(template, item)| {
            let known = METHODS.iter().filter_map(|(name, method)| Some((*method, item.get(*name)?)));
            known.map(|(method, described)| Operation { method, template, described })
        });
        operations.collect()
    }

    pub fn operation(&self, id: &str) -> Operation<'_> {
        let found = self.operations().into_iter().find(|operation| operation.described["operationId"] == id);
        found.unwrap_or_else(|| panic!("there is no operation {id}"))
    }

    /// The only example of an operation's body.
    pub fn example(&self, id: &str) -> Vec<u8> {
        let examples = self.operation(id).examples();
        assert_eq!(examples.len(), 1, "{id}");
        examples[0].1.clone()
    }

    /// Whether `value` is of the schema `name`.
    #[track_caller]
    pub fn check(&self, name: &str, value: &Value) {
        let schema = serde_json::json!({ "$ref": format!("#/components/schemas/{name}") });
        let faults = self.validator().faults(&schema, value, name);
        assert!(faults.is_empty(), "{faults:#?}");
    }

    /// Asks the service, and holds the answer against the operation's description.
    pub async fn ask(&self, service: &Client, id: &str, ask: Ask<'_>) -> Answer {
        let operation = self.operation(id);
        let mut request = service.request(operation.method, operation.path(ask.ids, ask.query));
        for (name, value) in ask.headers {
            request = request.header(name, value);
        }
        if let Some((media, body)) = ask.body {
            request = request.body(media, body);
        }
        let answer = request.send().await;
        self.check_answer(operation, &answer);
        answer
    }

    #[track_caller]
    pub fn check_answer(&self, operation: Operation<'_>, answer: &Answer) {
        let Operation { method, template, described } = operation;
        let at = format!("{method} {template} {}", answer.status);
        let response = described["responses"].get(answer.status.to_string());
        let response = response.unwrap_or_else(|| panic!("{at} isn't described: {}", answer.text()));
        if method == "HEAD" {
            return;
        }
        let Some(media) = media(answer) else {
            assert!(response.get("content").is_none() && answer.body.is_empty(), "{at}: a body is missing");
            return;
        };
        let content =
            response["content"].get(media).unwrap_or_else(|| panic!("{at}: {media} isn't described"));
        if matches!(media, "application/json" | "application/problem+json") {
            let faults = self.validator().faults(&content["schema"], &answer.json(), &at);
            assert!(faults.is_empty(), "{faults:#?}\n{}", answer.text());
        }
    }
}

/// What is asked.
#[derive(Default)]
pub struct Ask<'a> {
    /// Other ids than those of the examples, by name.
    pub ids: &'a [(&'a str, &'a str)],
    pub query: &'a str,
    pub headers: &'a [(&'a str, &'a str)],
    /// With its type.
    pub body: Option<(&'a str, Vec<u8>)>,
}

/// The media type of an answer, without parameters.
pub fn media(answer: &Answer) -> Option<&str> {
    answer.header("content-type").map(|value| value.split(';').next().unwrap_or(value))
}

impl<'d> Operation<'d> {
    pub fn id(&self) -> &'d str {
        self.described["operationId"].as_str().unwrap()
    }

    /// The path, with the ids of the examples where there are no others.
    pub fn path(&self, ids: &[(&str, &str)], query: &str) -> String {
        let mut path = self.template.to_owned();
        for parameter in self.parameters().filter(|parameter| parameter["in"] == "path") {
            let name = parameter["name"].as_str().unwrap();
            let example = parameter["example"].as_str().unwrap();
            let id = ids.iter().find(|(known, _)| *known == name).map_or(example, |(_, id)| id);
            path = path.replace(&format!("{{{name}}}"), id);
        }
        if query.is_empty() { path } else { format!("{path}?{query}") }
    }

    pub fn parameters(&self) -> impl Iterator<Item = &'d Value> + use<'d> {
        self.described["parameters"].as_array().into_iter().flatten()
    }

    /// The examples of its body: media type and body.
    pub fn examples(&self) -> Vec<(&'d str, Vec<u8>)> {
        let contents = self.described["requestBody"]["content"].as_object().into_iter().flatten();
        let examples = contents.flat_map(|(media, content)| {
            let several = content["examples"].as_object().into_iter().flatten().map(|(_, one)| &one["value"]);
            several.chain(content.get("example")).map(|example| (media.as_str(), text(example)))
        });
        examples.collect()
    }
}

/// A text stands for itself, anything else for its JSON.
fn text(example: &Value) -> Vec<u8> {
    example.as_str().map_or_else(|| example.to_string(), str::to_owned).into_bytes()
}
