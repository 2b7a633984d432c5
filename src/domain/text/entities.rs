//! Character references of HTML: `&amp;`, `&#8217;`, `&#x27;` (HTML standard, section 13.5).

use std::borrow::Cow;

/// Bytes of a reference, the ampersand and the semicolon counted.
const BYTES_MAX: usize = 12;

/// Names that texts and titles have; case counts.
#[rustfmt::skip]
const NAMES: &[(&str, char)] = &[
    ("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"'), ("apos", '\''), ("nbsp", '\u{A0}'), ("ensp", '\u{2002}'), ("emsp", '\u{2003}'), ("thinsp", '\u{2009}'), ("shy", '\u{AD}'),
    ("ndash", '–'), ("mdash", '—'), ("hellip", '…'), ("lsquo", '‘'), ("rsquo", '’'), ("sbquo", '‚'), ("ldquo", '“'), ("rdquo", '”'), ("bdquo", '„'), ("laquo", '«'), ("raquo", '»'),
    ("lsaquo", '‹'), ("rsaquo", '›'), ("bull", '•'), ("middot", '·'), ("deg", '°'), ("prime", '′'), ("Prime", '″'), ("euro", '€'), ("pound", '£'), ("yen", '¥'), ("cent", '¢'), ("copy", '©'),
    ("reg", '®'), ("trade", '™'), ("sect", '§'), ("para", '¶'), ("dagger", '†'), ("times", '×'), ("divide", '÷'), ("plusmn", '±'), ("minus", '−'), ("le", '≤'), ("ge", '≥'), ("ne", '≠'),
    ("asymp", '≈'), ("infin", '∞'), ("radic", '√'), ("sum", '∑'), ("rarr", '→'), ("larr", '←'), ("uarr", '↑'), ("darr", '↓'), ("check", '✓'), ("cross", '✗'), ("star", '☆'), ("starf", '★'),
    ("frac12", '½'), ("frac14", '¼'), ("frac34", '¾'), ("sup1", '¹'), ("sup2", '²'), ("sup3", '³'), ("permil", '‰'), ("micro", 'µ'), ("ordm", 'º'), ("ordf", 'ª'), ("iexcl", '¡'), ("iquest", '¿'),
    ("colon", ':'), ("comma", ','), ("period", '.'), ("excl", '!'), ("quest", '?'), ("num", '#'), ("percnt", '%'), ("dollar", '$'), ("lpar", '('), ("rpar", ')'), ("lsqb", '['), ("rsqb", ']'),
    ("vert", '|'), ("verbar", '|'), ("sol", '/'), ("bsol", '\\'), ("lowbar", '_'), ("ast", '*'), ("grave", '`'), ("plus", '+'), ("equals", '='), ("semi", ';'), ("commat", '@'),
    ("Agrave", 'À'), ("Aacute", 'Á'), ("Acirc", 'Â'), ("Atilde", 'Ã'), ("Auml", 'Ä'), ("Aring", 'Å'), ("AElig", 'Æ'), ("Ccedil", 'Ç'), ("Egrave", 'È'), ("Eacute", 'É'), ("Ecirc", 'Ê'),
    ("Euml", 'Ë'), ("Iacute", 'Í'), ("Icirc", 'Î'), ("Ntilde", 'Ñ'), ("Oacute", 'Ó'), ("Ocirc", 'Ô'), ("Ouml", 'Ö'), ("Oslash", 'Ø'), ("Uacute", 'Ú'), ("Uuml", 'Ü'), ("szlig", 'ß'),
    ("agrave", 'à'), ("aacute", 'á'), ("acirc", 'â'), ("atilde", 'ã'), ("auml", 'ä'), ("aring", 'å'), ("aelig", 'æ'), ("ccedil", 'ç'), ("egrave", 'è'), ("eacute", 'é'), ("ecirc", 'ê'),
    ("euml", 'ë'), ("igrave", 'ì'), ("iacute", 'í'), ("icirc", 'î'), ("iuml", 'ï'), ("ntilde", 'ñ'), ("ograve", 'ò'), ("oacute", 'ó'), ("ocirc", 'ô'), ("otilde", 'õ'), ("ouml", 'ö'),
    ("oslash", 'ø'), ("ugrave", 'ù'), ("uacute", 'ú'), ("ucirc", 'û'), ("uuml", 'ü'), ("yacute", 'ý'), ("yuml", 'ÿ'), ("Scaron", 'Š'), ("scaron", 'š'), ("oelig", 'œ'), ("OElig", 'Œ'),
];

/// What numbers from 128 on mean, which Windows wrote as characters (the standard's table, without what it leaves out).
const WINDOWS: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ";

/// The character that a reference stands for which `rest` begins with, and the bytes of the reference.
pub fn entity(rest: &str) -> Option<(char, usize)> {
    let near = &rest.as_bytes()[..rest.len().min(BYTES_MAX)];
    let end = memchr::memchr(b';', near)?;
    let name = rest.get(..end)?.strip_prefix('&')?;
    let c = match name.strip_prefix('#') {
        Some(number) => numbered(number)?,
        None => NAMES.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((c, end + 1))
}

fn numbered(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => number.parse().ok()?,
    };
    let c = match code {
        0x80..=0x9F => WINDOWS.chars().nth(code as usize - 0x80)?,
        _ => char::from_u32(code)?,
    };
    (!c.is_control()).then_some(c)
}

/// `text` with characters for the references in it. Linear.
pub fn decoded(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'&', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    out.push_str(&text[..first]);
    let mut rest = &text[first..];
    while !rest.is_empty() {
        let taken = match entity(rest) {
            Some((c, length)) => {
                out.push(c);
                length
            }
            None => {
                out.push('&');
                1
            }
        };
        rest = &rest[taken..];
        let next = memchr::memchr(b'&', rest.as_bytes()).unwrap_or(rest.len());
        out.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_characters() {
        for (text, expected) in [
            ("", ""),
            ("a & b", "a & b"),
            ("AT&amp;T &lt;b&gt; &quot;x&quot; &#39;y&#x27;", "AT&T <b> \"x\" 'y'"),
            ("5&nbsp;&euro; &ndash; 7 &#8364;", "5\u{A0}€ – 7 €"),
            ("It&#146;s", "It’s"),
            ("&amp;lt;", "&lt;"),
            (
                "&unknown; &amp &#; &#x; &#0; &#55296; &#129; &",
                "&unknown; &amp &#; &#x; &#0; &#55296; &#129; &",
            ),
            ("Caf&eacute;&", "Café&"),
        ] {
            assert_eq!(decoded(text), expected, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "(&|amp|;|#|x|3|9|é| ){0,24}") {
            decoded(&text);
        }
    }
}
