//! What a text ends with: where a marker may stand behind it.

/// Whether what a text ends with isn't prose: code, a row of a table, the line below a heading, a link's
/// definition. A marker behind it would be a part
/// of it.
pub(super) fn in_block(text: &str) -> bool {
    let line = text.rsplit('\n').next().unwrap_or_default();
    let is_indented = line.starts_with("    ") || line.starts_with('\t');
    let line = line.trim();
    let is_underline = ['=', '-'].iter().any(|mark| !line.is_empty() && line.chars().all(|c| c == *mark));
    is_indented
        || is_underline
        || line.starts_with("```")
        || line.starts_with("~~~")
        || line.ends_with('|')
        || is_definition(line)
}

/// The length of a text without the definitions of links and footnotes at its end, `[guide]: https://…`; where it is nothing else,
/// its own.
pub(super) fn before_definitions(text: &str) -> usize {
    let mut body = text;
    loop {
        let line = body.rfind('\n').map_or(0, |at| at + 1);
        if body.is_empty() || !is_definition(&body[line..]) {
            break;
        }
        body = body[..line].trim_end();
    }
    if body.is_empty() { text.len() } else { body.len() }
}

/// Whether a line defines what a label stands for.
fn is_definition(line: &str) -> bool {
    let label = line.trim_start().strip_prefix('[').and_then(|line| line.split_once("]:"));
    label.is_some_and(|(label, target)| {
        !label.is_empty() && !label.contains(['[', ']']) && !target.trim().is_empty()
    })
}
