//! A strict reader of our pages: only tags and attributes that we write, balanced, and nothing that could run or load.

const VOID: [&str; 4] = ["meta", "br", "hr", "!DOCTYPE"];
const TAGS: &str = " html head meta title style body header main nav section details summary h1 h2 h3 h4 h5 h6 p a abbr bdi \
    small span strong em del code pre blockquote q ul ol li div table caption thead tbody tr th td sup br hr !DOCTYPE ";
const ATTRIBUTES: &str = " id class href rel title lang charset http-equiv content name scope style start role \
    aria-label aria-labelledby aria-hidden tabindex html ";

/// What is wrong with a page; nothing where it is as it must be.
pub(super) fn faults(page: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut ids = std::collections::BTreeSet::new();
    let (_, body) = page.split_once("</style>").expect("a style sheet");
    let (head, _) = page.split_once("<style>").expect("a style sheet");
    for part in format!("{head}<style></style>{body}")
        .split('<')
        .skip(1)
        .map(str::to_owned)
        .collect::<Vec<_>>()
        .leak()
    {
        let Some((tag, text)) = part.split_once('>') else {
            faults.push(format!("a bare <: {part}"));
            continue;
        };
        if text.contains('>') || !entities_are_ours(text) {
            faults.push(format!("unescaped text: {text}"));
        }
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        if let Some(name) = name.strip_prefix('/') {
            if open.pop() != Some(name) {
                faults.push(format!("</{name}> closes nothing"));
            }
            continue;
        }
        if !TAGS.contains(&format!(" {name} ")) {
            faults.push(format!("<{tag}>"));
        }
        if !VOID.contains(&name) {
            open.push(name);
        }
        for (key, value) in read_attributes(attributes) {
            let is_link =
                ["#", "https://", "http://", "HTTP", "/"].iter().any(|start| value.starts_with(start));
            let is_bad = !ATTRIBUTES.contains(&format!(" {key} "))
                || (key == "href" && (!is_link || value.starts_with("//")))
                || (key == "style" && !(value.starts_with("width:") && value.len() <= 10))
                || (key == "id" && !ids.insert(value.clone()));
            if is_bad || !entities_are_ours(&value) {
                faults.push(format!("{key}={value} in <{name}>"));
            }
        }
    }
    faults.extend(open.iter().map(|name| format!("<{name}> stays open")));
    if page.contains(crate::domain::render::inert::is_hidden) {
        faults.push("a hidden character".to_owned());
    }
    faults
}

fn read_attributes(text: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find(['=', ' ']).unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        match after.strip_prefix("=\"").and_then(|after| after.split_once('"')) {
            Some((value, after)) => {
                all.push((key.to_owned(), value.to_owned()));
                rest = after.trim_start();
            }
            None => {
                all.push((key.to_owned(), String::new()));
                rest = after.trim_start_matches([' ', '=']);
            }
        }
    }
    all
}

fn entities_are_ours(text: &str) -> bool {
    text.match_indices('&').all(|(at, _)| {
        ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"].iter().any(|entity| text[at..].starts_with(entity))
    })
}

#[test]
fn the_reader_finds_what_must_not_be() {
    let page = |body: &str| format!("<html><style></style>{body}</html>");
    assert_eq!(faults(&page("<p>fine &amp; <a href=\"#x\">so</a></p>")), Vec::<String>::new());
    for body in [
        "<script></script>",
        "<p onclick=\"x\"></p>",
        "<p onclick=x></p>",
        "<a href=\"javascript:x\"></a>",
        "<a href=\"//evil\"></a>",
        "<img src=x>",
        "<p>",
        "</p>",
        "<p>a > b</p>",
        "<p>&copy;</p>",
        "<p style=\"background:url(x)\"></p>",
        "<p>\u{202E}</p>",
    ] {
        assert!(!faults(&page(body)).is_empty(), "{body}");
    }
}
