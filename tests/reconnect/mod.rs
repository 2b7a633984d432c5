//! Readers who come back: no hole, no double, and a verdict where history can't be continued.

mod bridges;
mod cuts;
mod expired;
mod seam;
mod storms;
mod trimmed;
mod verdicts;
