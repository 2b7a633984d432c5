//! Which tables are written as Markdown, how, and in what time.

use super::super::tests::linear::assert_linear;
use super::*;

const HTML: &str = "<table><tr><th>Plan</th><th>Price</th></tr><tr><td>Pro</td><td>$20</td></tr></table>";
const MARKDOWN: &str = "| Plan | Price |\n|---|---|\n| Pro | $20 |";

#[test]
fn tables_are_written_as_markdown() {
    for (html, markdown) in [
        (HTML, MARKDOWN),
        (
            "<TABLE class=\"a>b\" border=1>\n<thead>\n<tr><td>Plan</td><td>Price</td></tr>\n</thead><tbody>\n\n    <tr><td>Pro</td><td>$20</td></tr></tbody><tfoot><tr><td>Sum</td><td>$30</td></tr></tfoot>\n</TABLE>",
            "| Plan | Price |\n|---|---|\n| Pro | $20 |\n| Sum | $30 |",
        ),
        // What heads the rows heads no column.
        (
            "<table><tr><th>Price</th><td>$20</td></tr><tr><th>Users</th><td>5</td></tr></table>",
            "|  |  |\n|---|---|\n| Price | $20 |\n| Users | 5 |",
        ),
        (
            "<table><tr><td></td><th>Pixel</th></tr><tr><th>Price</th><td>$829</td></tr></table>",
            "|  | Pixel |\n|---|---|\n| Price | $829 |",
        ),
        (
            "<table><tr><td><b>Plan</b></td><td><strong> Price </strong></td></tr><tr><td>Pro</td><td>$20</td></tr></table>",
            "| **Plan** | **Price** |\n|---|---|\n| Pro | $20 |",
        ),
        // Ends that HTML lets one leave out.
        ("<table><tr><th>Plan<th>Price<tr><td>Pro<td>$20</table>", MARKDOWN),
        (
            "<table><caption>Prices <i>in</i> 2024</caption><col><tr><th>Plan</th><th>Price</th></tr><tr><td>Pro</td><td>$20</td></tr></table>",
            &format!("Prices *in* 2024\n\n{MARKDOWN}"),
        ),
        (
            "<table><tr><th colspan=2>Prices in 2024</th></tr><tr><th>Plan</th><th>Price</th></tr><tr><td>Pro</td><td>$20</td></tr></table>",
            &format!("Prices in 2024\n\n{MARKDOWN}"),
        ),
    ] {
        assert_eq!(written(html).as_deref(), Some(markdown), "{html}");
    }
}

#[test]
fn what_spans_columns_or_rows_stands_in_each() {
    let html = "<table><thead><tr><th rowspan=2>Plan</th><th colspan=\"2\">Price</th></tr><tr><th>Month</th><th>Year</th></tr></thead>\
        <tr><th colspan=3>Europe</th></tr><tr><td rowspan='2'>Pro</td><td>$2</td><td>$20</td></tr><tr><td colspan=2>free</td></tr></table>";
    let markdown = "| Plan | Price Month | Price Year |\n|---|---|---|\n| Europe |  |  |\n| Pro | $2 | $20 |\n| Pro | free | free |";
    assert_eq!(written(html).as_deref(), Some(markdown));
}

#[test]
fn cells_are_lines_of_markdown() {
    for (cell, markdown) in [
        ("<b>Pro</b> <em>new </em>plan", "**Pro** *new* plan"),
        ("a | b \\| c&#124;d", "a \\| b \\| c\\|d"),
        ("AT&amp;T&nbsp;&euro;20 &lt; 30, &lt;b&gt;, &amp;lt;", "AT&T €20 < 30, &lt;b>, &amp;lt;"),
        ("one<br>two<BR/>\n  three", "one two three"),
        ("<p>one</p><p>two</p>", "one two"),
        ("<ul><li>one</li><li>two.</li><li>three</li></ul>", "one; two. three"),
        (
            "<a href=\"https://a.example/?b=1&amp;c=2\">the <b>report</b></a>.",
            "[the **report**](https://a.example/?b=1&c=2).",
        ),
        ("<a href=\"#1\">[1]</a> <sup>2</sup>", "<a href=\"#1\">[1]</a> <sup>2</sup>"),
        (
            "<a href=\"javascript:x\">a</a><a href='https://a.example/(b)'>c</a>",
            "<a href=\"javascript:x\">a</a><a href='https://a.example/(b)'>c</a>",
        ),
        ("<span style='x'>20</span> <code>a &lt; | b</code> `<br>`", "20 <code>a &lt; \\| b</code> `<br>`"),
        ("<img src=x alt='yes'> <!-- no -->now <b></b>", "yes now"),
        ("<b><i>x</b></i> y <b>z", "**x** y z"),
    ] {
        let html = HTML.replace("$20", cell);
        assert_eq!(written(&html), Some(MARKDOWN.replace("$20", markdown)), "{cell}");
    }
}

#[test]
fn a_table_stands_apart_from_what_is_around_it() {
    for (text, expected) in [
        (format!("The prices: {HTML} They rose."), format!("The prices:\n\n{MARKDOWN}\n\nThey rose.")),
        (
            format!("The prices:\n{HTML}\n- one\n  - two"),
            format!("The prices:\n\n{MARKDOWN}\n\n- one\n  - two"),
        ),
        (format!("# Prices\n\n{HTML}\n\n\nThey rose.\n"), format!("# Prices\n\n{MARKDOWN}\n\nThey rose.\n")),
        (format!("<div>{HTML}{HTML}</div>\n"), format!("<div>\n\n{MARKDOWN}\n\n{MARKDOWN}\n\n</div>\n")),
        (format!("- It is `a` and {HTML}\n"), format!("- It is `a` and\n\n{MARKDOWN}")),
        (
            format!("A <table> begins it, `<table>` too. {HTML}"),
            format!("A <table> begins it, `<table>` too.\n\n{MARKDOWN}"),
        ),
    ] {
        assert_eq!(written(&text), Some(expected), "{text}");
    }
}

#[test]
fn what_is_code_or_no_table_of_rows_stays() {
    let long = "x".repeat(700);
    for text in [
        format!("```html\n{HTML}\n```\n"),
        format!("```html\n{HTML}"),
        format!("Write `{HTML}` there."),
        format!("Write ``a ` {HTML}`` there."),
        format!("<pre>\n{HTML}</pre>"),
        format!("<code>{HTML}</code>"),
        format!("<!-- {HTML} -->"),
        format!("    {HTML}"),
        format!("> {HTML}"),
        format!("{{\"a\": \"{HTML}\"}}"),
        format!("It is called with \"{HTML}\"."),
        format!("| a | b |\n|---|---|\n| {HTML} | c |"),
        "The <table> tag ends with </table>.".to_owned(),
        HTML.replace("</table>", ""),
        format!("{} {HTML}", HTML.replace("</table>", "")),
        HTML.replace("$20", HTML),
        HTML.replace("$20", "<pre>a\nb</pre>"),
        HTML.replace("$20", "```\na\n```"),
        HTML.replace("$20", "<h2>Prices</h2>"),
        HTML.replace("$20", &long),
        HTML.replace("<tr><td>Pro", "They rose.<tr><td>Pro"),
        HTML.replace("<tr><td>Pro</td><td>$20</td></tr>", ""),
        "<table><tr><td>It rose.</td></tr><tr><td>It fell.</td></tr></table>".to_owned(),
        "<table></table>".to_owned(),
        HTML.replace("<td>Pro", "<td colspan=4000>Pro"),
    ] {
        assert_eq!(written(&text), None, "{text}");
    }
}

#[test]
fn what_spans_much_is_not_written() {
    let cell = "x".repeat(60);
    let rows = "<tr><td>a".repeat(200);
    let html = format!("<table><tr><td>b<td rowspan=1000>{cell}{rows}</table>");
    assert_eq!(written(&html), None);
}

/// Texts of about so many bytes, each of a shape that something could be quadratic in.
fn hostile(bytes: usize) -> Vec<String> {
    let tiny = "<table><tr><td>a<td>b<tr><td>c<td>d</table>";
    [
        "x <table>… y ",
        tiny,
        "<table>",
        "<table><tr>",
        "<TABLE><tr><td>a ",
        "</table>",
        "<table><tr><td>a</table> <TABLE ",
        "x `a <table><tr> ",
        "<code> <table> ",
        "<!-- <pre <code ",
        "<table><tr><td title=\"",
        "<td \"='<table <tr",
        "<table><tr><td><b><i><a href=x>",
        "&amp;<table><tr><td>&",
    ]
    .iter()
    .flat_map(|part| {
        let many = part.repeat(bytes / part.len());
        [format!("<table><tr><td>a<td>{many}</table>"), many]
    })
    .collect()
}

#[test]
fn ten_times_the_text_takes_about_ten_times_as_long() {
    assert_linear(hostile, written, |bytes| 2 * bytes + 400);
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(text in "(<table>|</table>|<tr>|<t[dh]>|<td colspan=3 rowspan=2>|<caption>|<thead>|<b>|</b>|<a href=\"https://a\">|</a>|<li>|<!--|-->|[a<>é|`\\\\*\n. ]){0,40}") {
        if let Some(written) = written(&text) {
            proptest::prop_assert!(written.len() <= 3 * text.len() + 400);
        }
    }
}
