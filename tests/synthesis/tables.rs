//! Tables in answers out of context sheets: a row stands or falls as a whole, and what is left is a table.

use serde_json::{Value, json};

use crate::answers::{RENEWED, SHIPPED, VALID, answered, ids, numbers, writing};
use crate::model_server::{Asked, Protocol};
use crate::scene::{patient, text};

/// What comes of a table under these headings; `<v>`, `<s>` and `<r>` cite the three entries.
async fn tabled(table: &'static str) -> Value {
    let write = move |asked: &Asked| {
        let marked = table.replace("<v>", &numbers(asked, VALID)).replace("<s>", &numbers(asked, SHIPPED));
        marked.replace("<r>", &numbers(asked, RENEWED))
    };
    let server = writing(write).await;
    let app = patient(&server, Protocol::OpenAi).start().await;
    answered(&app, json!({"mode": "llm"})).await
}

fn codes(answer: &Value) -> Vec<&str> {
    answer["issues"].as_array().unwrap().iter().map(|issue| text(issue, "code")).collect()
}

#[tokio::test]
async fn a_row_stands_or_falls_as_a_whole_and_what_is_left_is_a_table() {
    let answer = tabled(
        "A quote is renewed by Ms Okafor on request <r>.\n\n\
         | Topic | Answer | Source |\n|:--|---|---|\n\
         | Quotes | valid for 30 days **after they were sent** | <v> |\n\
         | Orders | shipped within 9 working days from Rotterdam | <s> |\n\
         | Orders | shipped within 2 working days from Rotterdam <s> | |\n\
         | Orders | shipped by Ms Okafor <s> | <r> |\n\
         | Quotes | sent within 2 working days <v> | |\n\
         | Quote | renewed by Ms Okafor on request | |\n\n\
         Quotes are valid for 30 days after they were sent <v>.",
    )
    .await;
    assert_eq!(answer["method"], "llm", "{answer}");
    let expected = "A quote is renewed by Ms Okafor on request. [1][2]\n\n\
        | Topic | Answer | Source |\n| :-- | --- | --- |\n\
        | Quotes | valid for 30 days after they were sent [1] |  |\n\
        | Orders | shipped within 2 working days from Rotterdam [3] |  |\n\
        | Quote | renewed by Ms Okafor on request [1] |  |\n\n\
        Quotes are valid for 30 days after they were sent. [1]";
    assert_eq!(text(&answer, "answer"), expected);
    assert!(text(&answer, "formatted_output").contains(expected));
    assert_eq!(ids(&answer["references"]), ["c1", "c3", "c2"]);
    assert_eq!(codes(&answer), ["unsupported_row"], "{answer}");
    assert!(answer["issues"][0]["detail"].as_str().unwrap().starts_with("3 rows"), "{answer}");
}

#[tokio::test]
async fn headings_are_part_of_what_a_row_says() {
    for table in [
        // Nobody speaks of it.
        "| Topic | Fatalities |\n|---|---|\n| Quotes | 30 days <v> |",
        "| 2019 | Quotes |\n|---|---|\n| Orders | valid for 30 days after they were sent <v> |",
        // Each is known, of the other.
        "| Quotes | Orders |\n|---|---|\n| valid for 2 working days <s> | shipped within 30 days <v> |",
        "| Topic | Days |\n|---|---|\n| Orders | 30 <v> |",
        "| Topic | Not valid for |\n|---|---|\n| Quotes | 30 days after they were sent <v> |",
    ] {
        let answer = tabled(table).await;
        assert_eq!(answer["method"], "extractive", "{table}: {answer}");
        assert!(!text(&answer, "answer").contains('|'), "{table}: {answer}");
    }
    let answer =
        tabled("| Topic | Valid for |\n|---|---|\n| Quotes | 30 days after they were sent <v> |").await;
    let expected = "| Topic | Valid for |\n| --- | --- |\n| Quotes | 30 days after they were sent [1] |";
    assert_eq!(text(&answer, "answer"), expected, "{answer}");
}
