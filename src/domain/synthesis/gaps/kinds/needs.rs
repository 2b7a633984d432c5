//! What somebody needs: `What documents are required for a visa?`, `You need a passport and two photos.`

/// What says that something is needed.
#[rustfmt::skip]
const NEEDED: [&str; 19] = [
    " need", "required", "requires", "require ", "necessary", "must bring", "brauch", "benötig", "erforderlich", "notwendig", "nécessaire", " faut", "necesit", "necesari", "hace falta", "需要", "必要",
    "нужн", "требу",
];

/// Whether a question or a statement in small letters is about it.
pub(super) fn is_about(text: &str) -> bool {
    NEEDED.iter().any(|words| text.contains(words))
}
