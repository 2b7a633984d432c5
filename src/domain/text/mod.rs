//! What a text is made of: words, figures, sentences, blocks, tokens.

pub mod blocks;
pub mod cased;
pub mod clean;
pub mod composed;
pub mod entities;
pub mod figures;
pub mod first_letters;
pub mod keys;
pub mod language;
pub mod leads;
pub mod letter_pairs;
pub mod memo;
pub mod phrases;
pub mod polarity;
pub mod pronouns;
pub mod scripts;
pub mod sentences;
pub mod tags;
pub mod terms;
pub mod titles;
pub mod tokens;
pub mod turned;
pub mod values;
pub mod words;
