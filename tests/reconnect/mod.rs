//! Readers who come back: no hole, no double, and a verdict where history can't be continued.

mod cuts;
mod expired;
mod seam;
mod storms;
mod trimmed;
mod verdicts;
