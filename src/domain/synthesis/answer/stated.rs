//! What a model's answer says, piece by piece: the sentences of a paragraph, the rows of a table.

use std::collections::BTreeSet;

use super::table::{self, Piece, TableRow};
use crate::domain::synthesis::verify::plain::cleaned;
use crate::domain::synthesis::verify::{Evidence, Reason};
use crate::domain::text::sentences::sentences;
use crate::domain::text::words::Lexicon;

/// Characters of a sentence.
const SENTENCE_CHARS_MAX: usize = 2_000;

/// A sentence as a model wrote it, or a row of a table.
#[derive(Default)]
pub(super) struct Stated {
    pub text: String,
    /// Parts of it that must stand by what supports the whole.
    pub parts: Vec<String>,
    pub cited: BTreeSet<u32>,
    pub row: Option<TableRow>,
    /// What is wrong with it whatever the sheet says.
    pub wrong: Option<Reason>,
}

/// What a piece of an answer says; headings say nothing.
pub(super) fn said_by(lexicon: &mut Lexicon, evidence: &Evidence<'_>, piece: &Piece<'_>) -> Vec<Stated> {
    match piece {
        Piece::Prose(block) => {
            let raw = sentences(block).into_iter().filter_map(|range| block.get(range));
            let said = raw.filter(|raw| !raw.trim_start().starts_with('#')).map(|raw| {
                let (text, cited) = cleaned(raw, evidence.sources(), SENTENCE_CHARS_MAX);
                Stated { text, cited, ..Stated::default() }
            });
            said.filter(|said| !said.text.is_empty()).collect()
        }
        Piece::Table(table) => {
            let (rows, unknown) = table::read(lexicon, evidence, table);
            let wrong = unknown.map(|word| Reason {
                code: "unsupported",
                detail: format!("nothing is said of the heading “{word}”"),
            });
            let row = |claim: table::Claim| {
                let (row, wrong) = (Some(claim.row), wrong.clone());
                Stated { text: claim.text, parts: claim.figures, cited: claim.cited, row, wrong }
            };
            rows.into_iter().map(row).collect()
        }
    }
}
