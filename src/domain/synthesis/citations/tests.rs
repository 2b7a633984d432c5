//! Markers of all forms become one form; what is no marker stays as it is.

use std::collections::BTreeMap;

use super::{Definition, Numbering, Report, references, rewrite};

mod cuts;
mod sections;

/// Every number from 1 to `last` is a source of its own.
fn identity(last: u32) -> BTreeMap<u32, u32> {
    (1..=last).map(|number| (number, number)).collect()
}

/// The numbers 1 to 8 are sources 101 to 108 and 11 is 101 too; all others dangle.
fn some() -> BTreeMap<u32, u32> {
    (1..=8).map(|number| (number, 100 + number)).chain([(11, 101)]).collect()
}

fn run(text: &str) -> (String, Report) {
    rewrite(text, &some(), &mut Numbering::new())
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(run(text).0, *expected, "{text:?}");
    }
}

/// All of these stay as they are, although every number in them is known but comes out as another one.
#[track_caller]
fn check_same(texts: &[&str]) {
    let map = (1..3000).map(|number| (number, number)).collect();
    for text in texts {
        let mut numbering = Numbering::new();
        numbering.number_of(5000);
        assert_eq!(rewrite(text, &map, &mut numbering).0, *text);
    }
}

#[test]
fn markers_of_all_forms_become_one_form() {
    check(&[
        ("a fact [3].", "a fact [1]."),
        ("a fact [3, 5].", "a fact [1][2]."),
        ("a fact [3,5;7].", "a fact [1][2][3]."),
        ("a fact [3-5].", "a fact [1][2][3]."),
        ("a fact [3–5, 8].", "a fact [1][2][3][4]."),
        ("a fact [5-3].", "a fact [1][2]."),
        ("a fact ([3]–[5]).", "a fact ([1][2][3])."),
        ("a fact [3]-foo", "a fact [1]-foo"),
        ("a fact [3][5][3]", "a fact [1][2]"),
        ("a fact [^3][^5]", "a fact [1][2]"),
        ("a fact [^3, ^5]", "a fact [1][2]"),
        ("a fact [^3^][^5^].[^9^]", "a fact [1][2]."),
        ("a fact [^3^, ^5^] and [^3^-^5^]", "a fact [1][2] and [1][3][2]"),
        ("a fact [^3^][3]", "a fact [1]"),
        ("a fact [3^] and [^3^^]", "a fact [3^] and [^3^^]"),
        ("a fact [^3^]\n\n[^3^]: https://a.org\n", "a fact [1]\n\n"),
        ("a fact [3†L3-L9]", "a fact [1]"),
        ("a fact 【3†source】", "a fact [1]"),
        ("a fact [3, p. 4]", "a fact [1]"),
        ("a fact [3, pp. 4–6; 5]", "a fact [1][2]"),
        ("a fact [3, 第4页]", "a fact [1]"),
        ("事实【3】。", "事实[1]。"),
        ("事实［３，５］。", "事实[1][2]。"),
        ("事实〔3〕【5】。", "事实[1][2]。"),
        ("事实【3】(2024)", "事实[1] (2024)"),
        ("a fact [Source 3]", "a fact [1]"),
        ("a fact [citation:3] [cite: 5, 7]", "a fact [1] [2][3]"),
        ("a fact [来源3]", "a fact [1]"),
        ("a fact [#3]", "a fact [1]"),
        ("a fact [3 and 5], b [3 & 5], c [3, 4, and 5]", "a fact [1][2], b [1][2], c [1][3][2]"),
        ("a fact [3 und 5] 事实[3和5]", "a fact [1][2] 事实[1][2]"),
        ("a fact [see 3], b [cf. 5, p. 7], c [3; see also 4]", "a fact [1], b [2], c [1][3]"),
        ("a fact [See Source 3], b [参见3]", "a fact [1], b [1]"),
        ("a fact [3: 12-14], b [3: 212], c [5: p. 4; 4: 10–12]", "a fact [1], b [1], c [2][3]"),
        ("a fact [3: 4]. b [5: 6], c [3: 4] d", "a fact [1]. b [2], c [3: 4] d"),
        ("a fact [3 p. 5], b [5 pp. 4-6, 4]", "a fact [1], b [2][3]"),
        ("a fact ([3](#sources), [5](#sources)).", "a fact ([1], [2])."),
        ("a fact [03]", "a fact [1]"),
        ("a fact [ 3 , 5 ]", "a fact [1][2]"),
        ("[see][3]", "[see][1]"),
        ("CO2[7,8] and word[3] and \"x\"[5], it's[4]", "CO2[1][2] and word[3] and \"x\"[4], it's[5]"),
        ("| a [3] | bb[5]|", "| a [1] | bb[2]|"),
        ("<sup>[3]</sup>", "<sup>[1]</sup>"),
        ("wow![3]", "wow![1]"),
        (
            "costs fell[3] on example.com[5], with Node.js[4]",
            "costs fell[1] on example.com[2], with Node.js[3]",
        ),
        ("in _Nature_[3] and _a title_[5]", "in _Nature_[1] and _a title_[2]"),
        ("sys.argv [3] and the author(s)[5]", "sys.argv [1] and the author(s)[2]"),
        ("*a fact [3-5]*", "*a fact [1][2][3]*"),
        ("issues [#12] and [#9] as in [#3]", "issues [#12] and [#9] as in [1]"),
    ]);
}

#[test]
fn repeated_sources_in_a_row_collapse() {
    check(&[
        ("a [1][1] b", "a [1] b"),
        ("a [1] [1] b", "a [1] b"),
        ("a [1, 11] b", "a [1] b"),
        ("a [1][2][11] b", "a [1][2] b"),
        ("a [1] b [1]", "a [1] b [1]"),
    ]);
}

#[test]
fn dangling_markers_go_with_what_belongs_to_them() {
    check(&[
        ("a fact [9].", "a fact."),
        ("a fact[9].", "a fact."),
        ("a fact [9] and", "a fact and"),
        ("a fact [9]\nnext", "a fact\nnext"),
        ("a fact [9]", "a fact"),
        ("a fact [9][1].", "a fact [1]."),
        ("a fact [1][9].", "a fact [1]."),
        ("a fact [1, 9, 2].", "a fact [1][2]."),
        ("a fact [9, 10].", "a fact."),
        ("a fact [1], [9].", "a fact [1]."),
        ("a fact [9], [1].", "a fact [1]."),
        ("a fact [1], [9], [2] b", "a fact [1], [2] b"),
        // `[1]-[4]` would be a range from then on.
        ("a fact [1][9]-[4].", "a fact [1][2]."),
        ("a fact [9]–[4].", "a fact [1]."),
        ("a fact [1][9]-[10] b", "a fact [1] b"),
        ("a fact [1][9]-b", "a fact [1]-b"),
        ("a fact [1][9]-[x]", "a fact [1]-[x]"),
        ("a fact ([9]).", "a fact."),
        ("a fact ([9], [10]) b", "a fact b"),
        ("a fact ([9], [1]) b", "a fact ([1]) b"),
        ("a fact ([1], [9]) b", "a fact ([1]) b"),
        ("a fact ([9](#sources)).", "a fact."),
        ("a fact (see [9]).", "a fact (see)."),
        ("[9] A line", "A line"),
        ("- [9] item", "- item"),
        ("事实【9】。", "事实。"),
        ("事实【4:0†source】。", "事实。"),
        ("a fact [9 and 10], [see 9], [9: 12-14].", "a fact."),
        ("They won [9: 1].", "They won [9: 1]."),
        ("a fact [1 and 9].", "a fact [1]."),
        ("a fact [^2024].", "a fact."),
        ("कॉफ़ी [9]।", "कॉफ़ी।"),
    ]);
    let (_, report) = run("one [9], two [1][10].");
    let dangling: Vec<_> = report.dangling.iter().map(|d| (d.number, d.marker.as_str(), d.offset)).collect();
    assert_eq!(dangling, [(Some(9), "[9]", 3), (Some(10), "[10]", 12)]);
}

#[test]
fn what_stands_behind_a_dropped_marker_reads_as_if_it_had_never_been_there() {
    check(&[
        ("It costs $5 [9] — cheap.", "It costs $5 — cheap."),
        ("It rose [9] – and [10] - fell.", "It rose – and - fell."),
        ("It rose [9]—and fell.", "It rose—and fell."),
        ("a 5 [9]-fold rise [9]–and more", "a 5-fold rise–and more"),
        ("It rose [9] -5 or [9]-5.", "It rose -5 or -5."),
        ("- [9] — it rose\n- [9], it fell\n* [9] - it stood", "- it rose\n- it fell\n* it stood"),
        ("1. [9]; it rose\n2. [9] -- it fell", "1. it rose\n2. it fell"),
        ("- [9] – [1] it rose", "- [1] it rose"),
        ("[9] — It rose.\n\n[9] - It fell.", "It rose.\n\nIt fell."),
        ("It rose\n[9] -5 degrees\n- [9]\n- [9] - ", "It rose\n-5 degrees\n-\n-"),
        ("It rose [9] , fell [9] . It stood [9] : so [9] .NET", "It rose, fell. It stood : so .NET"),
        ("价格上涨 [9] ——而且 [9] 上涨 【9】 ，很快。", "价格上涨——而且上涨，很快。"),
        ("价格上涨[9]——而且 [9] rises", "价格上涨——而且 rises"),
    ]);
}

#[test]
fn a_dash_before_a_dropped_marker_goes_with_it_where_the_clause_ends() {
    check(&[
        ("It rose — [9]\nIt fell – [9]", "It rose\nIt fell"),
        ("It rose -- ([9]). It fell — [9][10], and stood.", "It rose. It fell, and stood."),
        ("- It rose — [9]\n  - [9]\n- It fell - [1]", "- It rose\n  -\n- It fell - [1]"),
        ("It rose — [9] and fell — [9]and stood.", "It rose — and fell — and stood."),
        ("It rose [1] — [1] — [9] [2]\n", "It rose [1] — [1] — [2]\n"),
        ("| It rose | — [9]|\n", "| It rose | —|\n"),
        ("well-[9]\nwell —[9]\n", "well-\nwell —\n"),
    ]);
}

#[test]
fn what_is_no_marker_stays() {
    check_same(&[
        "code `a [1]` and ``b ` [1]`` end",
        "code `a\n[1]` end",
        "```\n[1]\n```\n",
        "```rust\nlet a = [1];\n``\n[1]\n````\n",
        "~~~~\n[1]\n~~~\n[1]\n~~~~\n",
        "- item\n    ```\n    [1]\n    ```\n",
        "- ```\n  [1]\n  ```\n",
        "> ```\n> [1]\n> ```\n",
        "```unclosed\n[1]\n\n[1]",
        "[1](https://e.org/a_(b)[1]) x",
        "[text](https://e.org/?a[1]=2) x",
        "[text](https://e.org/ \"title [1]\") x",
        "![1](a.png) ![x](b[1].png)",
        "[[1]](https://e.org)",
        "[1, 2](https://e.org)",
        "<a href=\"https://e.org/?q=[1]\" title='[1]'>x</a>",
        "<!-- [1]\n\n[1] -->",
        "<code>a [1]</code> <pre>\n[1]\n\n[1]</pre>",
        "<https://e.org/[1]>",
        "$x[1]$ and $$y [1]$$ and \\(z [1]\\) and \\[w [1]\\]",
        "$$\na [1]\n$$\n",
        "\\[\n\\mu [1] = \\left( a \\right) \\alpha \\beta \\gamma \\delta \\epsilon \\zeta [1]\n\\]",
        "$\\langle k \\rangle = \\langle A \\cdot \\exp(-\\frac{a}{k_BT}) \\rangle [1]$",
        "a[1] = x[1, 2] + f(b[1][2])",
        "my_list[1], list[1] = 2, rows[1].name, ?id[1]=3&b[2]=4",
        "Pass sys.argv[1] and self.items[1, 2] to f(x)[3], items()[1][2], my_long_configuration[1].",
        "Read argv[1] and **args[2]**, then items[2] of rows[3], 从argv[1]读取",
        "Swap arr2[5] and vec1[2], then read myItems[1] and customerOrderItems[2].",
        "The first is items[0], the second items[1].\n\nThen items[2], and users[0] and users[1].",
        "The regex [1-3]+ or [1-3]{2} matches.",
        "- [ ] todo\n- [x] done",
        "\\[1\\] and \\[1]",
        "[1-60] and [1 2] and [a1] and [1.5] and [1, x] and [Figure 1] and [1",
        "[1234567890]",
        "[1:12] and [0:15] and [2: 1] and [1:12-14] and [1: a b] and [1: 12 apples]",
        "[3 pages] and [1 page] and [1 p.] and [1 s] and [2 and more] and [1 et al.] and [1 & co]",
        "[see the docs] and [see Table 1] and [e.g. 5] and [i.e., 3] and [see]",
        "In text[1: 12] and a[2: 30] it is a slice, and the 95% CI [2 and 9].",
        "The vectors v = [1] and w = [1, 2, 3] and u = [9] are given.",
        "Code:\n\n    a = [1, 2]\n\n\tb [3]\n",
        "A\n \n    [1, 2]\n",
        "- item\n\nText.\n\n    [1, 2]\n",
        "【附录：企业数据表】［一］",
    ]);
    let (text, report) = run("A fact [4321], another [0]. In [10-400] and [40001].");
    assert_eq!(text, "A fact, another. In [10-400] and [40001].");
    assert_eq!(report.dangling.iter().map(|found| found.number).collect::<Vec<_>>(), [Some(4321), Some(0)]);
    let (text, report) = run("In [2024], [0, 1], 【2024】, [2024-2025] and [1900].");
    assert_eq!(text, "In [2024], [0, 1], 【2024】, [2024-2025] and [1900].");
    assert_eq!(report, Report::default());
}

#[test]
fn what_is_counted_behind_a_word_is_no_source() {
    check(&[
        ("deploy[231] failed while items[0] was empty.", "deploy[231] failed while items[0] was empty."),
        (
            "2024-05-01 ERROR deploy[231]: image pull failed [3]",
            "2024-05-01 ERROR deploy[231]: image pull failed [1]",
        ),
        ("growth[0] and growth[3]", "growth[0] and growth[3]"),
        // What a word of prose tells isn't enough.
        ("OpenAI[3] and iPhone[5] in bigData[4]", "OpenAI[1] and iPhone[2] in bigData[3]"),
        ("the items[3] and data[5] of the list[4]", "the items[1] and data[2] of the list[3]"),
        ("use argv[1] here,\nwith the items[3]", "use argv[1] here,\nwith the items[1]"),
        ("items[0] is empty; sales[3] rose", "items[0] is empty; sales[1] rose"),
        ("sales rose[231].", "sales rose."),
        ("sales[31] rose and costs[9]: fell", "sales rose and costs: fell"),
        ("founded.[230] It was sold[231] in 1900", "founded. It was sold in 1900"),
        ("sales [0] rose, 上涨[0]。", "sales rose, 上涨。"),
        ("sales rose [231] and", "sales rose and"),
        ("in my-args[3] or /args[5]", "in my-args[1] or /args[2]"),
    ]);
}

#[test]
fn ends_of_an_interval_or_of_pages_are_no_citations() {
    check_same(&[
        "The odds ratio was 4 (95% CI [2, 9]) in Graz.",
        "95 % KI [3, 5], IQR: [3-5], a confidence interval [3, 5] and the Konfidenzintervall [3, 5]",
        "Pages [10-20] describe it.",
    ]);
    check(&[("The interval [3] and the CI [3].", "The interval [1] and the CI [1].")]);
}

#[test]
fn behind_a_unit_stands_a_citation() {
    check(&[
        ("amplitudes ≥1 m/s[3].", "amplitudes ≥1 m/s[1]."),
        ("at 9 m/s[3][5] and 3 s[5]", "at 9 m/s[1][2] and 3 s[2]"),
        ("at 1 m/s[9].", "at 1 m/s."),
        ("for x[3], y[5] and n/a[3]", "for x[3], y[5] and n/a[1]"),
    ]);
}

#[test]
fn what_only_looks_like_a_span_hides_nothing() {
    check(&[
        ("for $5 and [3] or $7", "for $5 and [1] or $7"),
        ("at $675M, $2.6B [3], $10K-$30K [5]", "at $675M, $2.6B [1], $10K-$30K [2]"),
        ("a < b [3] and <b [5]", "a < b [1] and <b [2]"),
        ("a ` stray\n\nand [3]", "a ` stray\n\nand [1]"),
        ("- a ` stray\n- and [3]", "- a ` stray\n- and [1]"),
        ("``` not a fence ``` and [3]", "``` not a fence ``` and [1]"),
        ("[x](no destination [3])", "[x](no destination [1])"),
        ("\\\\[3]", "\\\\[1]"),
        ("$\\alpha$[3] and \\(x\\)[5]", "$\\alpha$[1] and \\(x\\)[2]"),
        ("`a`[3] [t](https://e.org)[5]", "`a`[1] [t](https://e.org)[2]"),
        ("a ≥ [3] and at ?q=[5]", "a ≥ [1] and at ?q=[2]"),
        ("    deep [3]", "    deep [1]"),
        ("a\n    lazy [3]", "a\n    lazy [1]"),
        ("- item\n\n    more [3]\n\n    and [5]\n", "- item\n\n    more [1]\n\n    and [2]\n"),
        ("1. item\n   goes on\n\n      more [3]\n", "1. item\n   goes on\n\n      more [1]\n"),
        ("a\n\n    - deep item [3]\n\n        more [5]\n", "a\n\n    - deep item [1]\n\n        more [2]\n"),
        ("a\n\n    code [3]\nText [5].", "a\n\n    code [3]\nText [1]."),
    ]);
}

#[test]
fn a_group_longer_than_a_window_is_rewritten_as_it_comes() {
    let numbers: Vec<String> = (1..=60).map(|number| number.to_string()).collect();
    let group = format!("a [{}] b", numbers.join(", "));
    let expected: String = numbers.iter().map(|number| format!("[{number}]")).collect();
    let (text, report) = rewrite(&group, &identity(60), &mut Numbering::new());
    assert_eq!(text, format!("a {expected} b"));
    assert_eq!(report.citations.len(), 60);
    assert_eq!(run(&group).0, group, "unknown numbers: text");
}

#[test]
fn numbers_go_on_over_several_texts() {
    let mut numbering = Numbering::new();
    assert_eq!(rewrite("a [3] b [5]", &some(), &mut numbering).0, "a [1] b [2]");
    let other = BTreeMap::from([(1, 105), (2, 104)]);
    let (text, report) = rewrite("c [2] d [1, p. 7]", &other, &mut numbering);
    assert_eq!(text, "c [3] d [2]");
    let found: Vec<_> =
        report.citations.iter().map(|c| (c.source, c.number, c.offset, c.locator.as_deref())).collect();
    assert_eq!(found, [(104, 3, 2, None), (105, 2, 8, Some("p. 7"))]);
    assert_eq!(numbering.sources(), [103, 105, 104]);
    assert_eq!((numbering.get(104), numbering.get(1)), (Some(3), None));
}
