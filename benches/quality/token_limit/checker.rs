//! Looks at every edge where a shortened text was cut, knowing only the text before and after.

use tributary::domain::text::tokens::Tokenizer;

/// What was cut that mustn't be, in words; empty where all is well.
pub fn forbidden(source: &str, shortened: &str) -> Vec<String> {
    let body = match shortened.rfind("[…") {
        Some(marker) if marker == 0 || shortened[..marker].ends_with("\n\n") => {
            shortened[..marker].trim_end()
        }
        Some(_) | None => return vec!["no marker at the end".to_owned()],
    };
    let mut check = Check { source, at: 0, wrong: Vec::new(), fenced: fenced_lines(source) };
    let mut fence: Option<&str> = None;
    let lines: Vec<&str> = body.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let mark = line.trim_start();
        if mark.starts_with("```") || mark.starts_with("~~~") {
            fence = if fence.is_some() { None } else { Some(mark) };
        }
        if line.trim().is_empty() {
            continue;
        }
        let row = fence.is_none() && mark.starts_with('|');
        if row && is_delimiter(mark) && (number == 0 || !lines[number - 1].trim_start().starts_with('|')) {
            check.wrong.push(format!("a table without its header: {line}"));
        }
        if row
            && !is_delimiter(mark)
            && !lines[..number]
                .iter()
                .rev()
                .take_while(|line| line.trim_start().starts_with('|'))
                .any(|line| is_delimiter(line.trim()))
            && !lines.get(number + 1).is_some_and(|next| is_delimiter(next.trim()))
        {
            check.wrong.push(format!("a row without its table: {line}"));
        }
        check.line(line);
    }
    if fence.is_some() {
        check.wrong.push("a fence isn't closed".to_owned());
    }
    check.wrong
}

fn is_delimiter(line: &str) -> bool {
    line.contains('-') && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// The byte ranges of fenced code.
fn fenced_lines(source: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let mark = line.trim_start();
        if mark.starts_with("```") || mark.starts_with("~~~") {
            match open.take() {
                Some(start) => found.push(start..at + line.len()),
                None => open = Some(at),
            }
        }
        at += line.len();
    }
    found.extend(open.map(|start| start..source.len()));
    found
}

struct Check<'t> {
    source: &'t str,
    /// Where the source goes on after what has been found.
    at: usize,
    wrong: Vec<String>,
    fenced: Vec<std::ops::Range<usize>>,
}

impl Check<'_> {
    /// One line of the result: pieces of the source, in order, each between clean edges.
    fn line(&mut self, line: &str) {
        let mut rest = line.trim();
        // A whole line of the source: no edge at all.
        if let Some(at) = self.whole_line(rest) {
            self.at = at + rest.len();
            return;
        }
        let marker = marker_length(rest);
        rest = &rest[marker..];
        // Bold that begins with a sentence before this one begins here again, and ends where the source ends it.
        let begin: usize = rest.chars().take(3).map(char::len_utf8).sum();
        if rest.matches("**").count() == 2 && !self.source.contains(&rest[..begin]) {
            rest = rest.strip_prefix("**").unwrap_or(rest);
        }
        let mut from = self.at;
        let mut first = true;
        while !rest.is_empty() {
            let words = rest.strip_prefix(['…', ' ']);
            if let (false, Some(words)) = (first, words) {
                rest = words;
                continue;
            }
            let Some((start, length)) = self.longest(rest, from, first) else {
                let before = self.source[..self.at].lines().next_back().unwrap_or_default();
                self.wrong.push(format!("not in the source after byte {from} ({before}): {rest}"));
                return;
            };
            from = start + length;
            rest = &rest[length..];
            first = false;
        }
        self.at = from;
    }

    fn whole_line(&self, line: &str) -> Option<usize> {
        let mut from = self.at;
        while let Some(found) = self.source[from..].find(line) {
            let (start, end) = (from + found, from + found + line.len());
            let before = self.source[..start].rfind('\n').map_or(0, |at| at + 1);
            let after = self.source[end..].find('\n').map_or(self.source.len(), |at| end + at);
            if self.source[before..start].trim().is_empty() && self.source[end..after].trim().is_empty() {
                return Some(start);
            }
            from = end;
        }
        None
    }

    /// The longest start of `rest` that stands in the source from `from` on between clean edges.
    fn longest(&self, rest: &str, from: usize, first: bool) -> Option<(usize, usize)> {
        let probe: usize = rest.chars().take(4).take_while(|c| *c != '…').map(char::len_utf8).sum();
        let mut best: Option<(usize, usize)> = None;
        let mut at = from;
        // The first places that fit are enough: the result keeps the order of the source.
        for _ in 0..400 {
            let Some(found) = self.source.get(at..).and_then(|source| source.find(&rest[..probe])) else {
                break;
            };
            let start = at + found;
            at = start + rest.chars().next().map_or(1, char::len_utf8);
            if !self.is_clean(start) {
                continue;
            }
            let same: usize = self.source[start..]
                .chars()
                .zip(rest.chars())
                .take_while(|(a, b)| a == b)
                .map(|(a, _)| a.len_utf8())
                .sum();
            let length = (1..=same)
                .rev()
                .find(|length| self.source.is_char_boundary(start + length) && self.is_clean(start + length));
            if let Some(length) = length.filter(|length| best.is_none_or(|(_, best)| *length > best)) {
                best = Some((start, length));
                if length == rest.len() || !first {
                    break;
                }
            }
        }
        best
    }

    /// Whether the source may be cut at a place.
    fn is_clean(&self, at: usize) -> bool {
        let line_start = self.source[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = self.source[at..].find('\n').map_or(self.source.len(), |newline| at + newline);
        let (before, after) = (&self.source[line_start..at], &self.source[at..line_end]);
        if before.trim().is_empty()
            || after.trim().is_empty()
            || before.trim().len() == marker_length(before.trim())
        {
            return true;
        }
        let fenced = self.fenced.iter().any(|range| range.start < at && at < range.end);
        if fenced || before.trim_start().starts_with('|') {
            return false;
        }
        // The citations of a sentence may follow its shortened beginning.
        let cited =
            after.strip_prefix(['[', '【']).is_some_and(|rest| rest.starts_with(|c: char| c.is_numeric()));
        if cited && !in_brackets(before, after) {
            return true;
        }
        if in_brackets(before, after) || before.matches('`').count() % 2 == 1 {
            return false;
        }
        let last = before.chars().next_back().unwrap_or(' ');
        let next = after.chars().next().unwrap_or(' ');
        let stop = |c: char| "。！？；，、：…”」』）】]".contains(c);
        if last.is_whitespace() || next.is_whitespace() {
            // A figure with its unit is one thing.
            let unit = after.trim_start().starts_with(['%', '‰', '°']);
            return !(unit && before.trim_end().ends_with(|c: char| c.is_numeric()));
        }
        let comma = ",;:".contains(next) && after[1..].starts_with(' ');
        let closed = !last.is_alphanumeric() && !next.is_alphanumeric() && !after.starts_with("](");
        let address = before.rsplit(char::is_whitespace).next().is_some_and(|word| word.contains("://"))
            && last.is_ascii()
            && next.is_ascii();
        (stop(last) || stop(next) || comma || closed) && !address
    }
}

/// Whether a place is between the brackets of a citation or a link.
fn in_brackets(before: &str, after: &str) -> bool {
    let open = before.rfind(['[', '【']);
    let inside =
        open.is_some_and(|open| !before[open..].contains([']', '】'])) && after.contains([']', '】']);
    let address = before.rfind("](").is_some_and(|open| !before[open..].contains(')')) && after.contains(')');
    inside || address || before.ends_with(']') && after.starts_with('(')
}

/// How many bytes a list marker takes at the start of a line.
fn marker_length(line: &str) -> usize {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let length = match line.as_bytes().get(digits) {
        Some(b'-' | b'*' | b'+' | b'>') if digits == 0 => 1,
        Some(b'.' | b')') if digits > 0 => digits + 1,
        _ => return 0,
    };
    let spaces = line[length..].len() - line[length..].trim_start().len();
    if spaces == 0 && length < line.len() { 0 } else { length + spaces }
}

/// Whether another whole line of the source, with nothing it would need, would fit below the limit: then which.
pub fn nothing_fits(source: &str, shortened: &str, max: usize, tokenizer: &Tokenizer) -> Option<String> {
    let used = tokenizer.count(shortened);
    let kept: Vec<&str> = shortened.lines().map(str::trim).collect();
    let mut in_code = false;
    for line in source.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            in_code = !in_code;
            continue;
        }
        let structure = in_code
            || line.is_empty()
            || line.starts_with(['#', '|', '-', '*', '>', '=', '_', '<'])
            || line.starts_with(|c: char| c.is_numeric());
        if !structure && !kept.contains(&line) && used + tokenizer.count(line) + 3 <= max {
            return Some(format!("would fit: {line}"));
        }
    }
    None
}
