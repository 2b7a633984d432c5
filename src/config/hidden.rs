//! Texts that quote a setting, without what may be a password in it: an address set in a wrong key is told by the error that
//! refuses it.

/// What stands where something was taken out.
const HIDDEN: &str = "<hidden>";
/// What ends the quote of an address.
const QUOTES: [char; 3] = ['`', '"', '\''];

/// The text without user names, passwords and queries of what looks like an address (`scheme://…`). Rather too much is
/// taken out than too little: a password that should have been escaped may hold any character.
pub fn without_credentials(text: &str) -> String {
    let Some((before, rest)) = text.split_once("://") else { return without_user(text) };
    let before = without_user(before);
    let (user, rest) = rest.rsplit_once('@').map_or(("", rest), |(_, rest)| (HIDDEN, rest));
    let at = if user.is_empty() { "" } else { "@" };
    let ends = |c: char| c.is_whitespace() || QUOTES.contains(&c);
    let (address, rest) = cut_at(rest, |c| ends(c) || matches!(c, '?' | ',' | ')'));
    let (query, rest) = cut_at(rest, |c| !rest.starts_with('?') || ends(c));
    let query = if query.is_empty() { "" } else { "?<hidden>" };
    let (host, path) = cut_at(address, |c| matches!(c, '/' | '#'));
    let host = if is_cut_off(host) { HIDDEN } else { host };
    format!("{before}://{user}{at}{host}{path}{query}{}", without_credentials(rest))
}

/// A quote with an `@` and no scheme: a part of an address that was taken for an item of a list.
fn without_user(text: &str) -> String {
    let (before, quoted) = cut_at(text, |c| QUOTES.contains(&c));
    match (quoted.chars().next(), quoted.rsplit_once('@')) {
        (Some(quote), Some((_, host))) => format!("{before}{quote}{HIDDEN}@{host}"),
        _ => text.to_owned(),
    }
}

fn cut_at(text: &str, ends: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

/// Whether it is `user:password` rather than `host:port`: the rest of it, with the `@`, was taken for another item of a list.
fn is_cut_off(host: &str) -> bool {
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let is_ip = host.starts_with('[');
    !is_ip && host.split_once(':').is_some_and(|(_, port)| !is_port(port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_scheme_host_and_path_of_an_address_are_left() {
        for (text, expected) in [
            ("no address", "no address"),
            ("`https://h.example/a` isn't allowed", "`https://h.example/a` isn't allowed"),
            ("http://[::1]:80/x, http://h:1", "http://[::1]:80/x, http://h:1"),
            ("`redis://u:pw@h`, expected `a`", "`redis://<hidden>@h`, expected `a`"),
            ("redis://:pw@h:6379/0 is no number", "redis://<hidden>@h:6379/0 is no number"),
            ("redis://u:p/w@h", "redis://<hidden>@h"),
            (
                "it is like `redis://127.0.0.1:6379/0`, or `rediss://…`",
                "it is like `redis://127.0.0.1:6379/0`, or `rediss://…`",
            ),
            ("redis://u:p`w\n x@h", "redis://<hidden>@h"),
            ("redis://u:p@w@h", "redis://<hidden>@h"),
            ("redis://u:pw@h,redis://u:pw@i", "redis://<hidden>@i"),
            ("`redis://u:p` isn't one", "`redis://<hidden>` isn't one"),
            ("`https://h/a?key=p,w&b`, no", "`https://h/a?<hidden>`, no"),
            ("postgres://h/x?password=p@w", "postgres://<hidden>@w"),
            ("http://a http://u:pw@h", "http://<hidden>@h"),
            ("http://a http://b?pw", "http://a http://b?<hidden>"),
            ("`pw@h:1` isn't one", "`<hidden>@h:1` isn't one"),
            ("`p/w@h` isn't one, as http://x is", "`<hidden>@h` isn't one, as http://x is"),
            ("://", "://"),
        ] {
            assert_eq!(without_credentials(text), expected);
            assert_eq!(without_credentials(expected), expected, "once more");
        }
    }
}
