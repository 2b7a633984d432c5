//! A voice agent: results of live transcription as Deepgram sends them, interim ones first, the final one with its words.

use serde_json::{Value, json};

use super::{Question, Share};

/// How long a word takes, in seconds.
const WORD_SECONDS: f64 = 0.4;

/// What was heard so far.
pub(super) fn output(question: &Question, so_far: Share) -> Value {
    let transcript = so_far.of_words(&text(question));
    let mut rng = question.rng(1);
    let confidence = f64::from(rng.u32(900..999)) / 1_000.0;
    let heard = transcript.split_whitespace().enumerate();
    let words: Vec<Value> = heard
        .map(|(place, word)| {
            let (start, end) = (seconds(place), seconds(place + 1));
            json!({"word": word, "start": start, "end": end, "confidence": confidence})
        })
        .collect();
    json!({
        "type": "Results",
        "channel_index": [0, 1],
        "start": 0.0,
        "duration": seconds(words.len()),
        "is_final": so_far.is_whole(),
        "speech_final": so_far.is_whole(),
        "channel": {"alternatives": [{"transcript": transcript, "confidence": confidence, "words": words}]},
        "metadata": {"request_id": question.id(2)},
    })
}

/// The whole transcript.
pub(super) fn text(question: &Question) -> String {
    let mut rng = question.rng(3);
    let opening = ["hello", "good morning", "hi there"][rng.usize(..3)];
    format!("{opening} i am calling about {} could you please check that for me", question.query)
}

fn seconds(words: usize) -> f64 {
    (words as f64 * WORD_SECONDS * 100.0).round() / 100.0
}
