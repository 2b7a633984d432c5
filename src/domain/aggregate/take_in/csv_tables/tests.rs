//! Which lines are written as tables of Markdown, how, and in what time.

use super::super::tests::linear::assert_linear;
use super::*;

const CSV: &str = "region,population,year\nNorth,3100,2024\nSouth,2800,2024";
const MARKDOWN: &str =
    "| region | population | year |\n|---|---|---|\n| North | 3100 | 2024 |\n| South | 2800 | 2024 |";

#[test]
fn rows_below_a_header_are_written_as_markdown() {
    for (csv, markdown) in [
        (CSV.to_owned(), MARKDOWN.to_owned()),
        (CSV.replace(',', ";"), MARKDOWN.to_owned()),
        (CSV.replace(',', "\t"), MARKDOWN.to_owned()),
        (CSV.replace('\n', "\r\n") + "\r\n", MARKDOWN.to_owned()),
        (CSV.replace("North", "\"North\""), MARKDOWN.to_owned()),
        // One row is enough where it has three cells.
        (
            "plan,price,users\nPro,$20,5".to_owned(),
            "| plan | price | users |\n|---|---|---|\n| Pro | $20 | 5 |".to_owned(),
        ),
        (
            "city,people\nRome,3\nOslo,1".to_owned(),
            "| city | people |\n|---|---|\n| Rome | 3 |\n| Oslo | 1 |".to_owned(),
        ),
        // Decimal commas, commas in a cell, quotation marks and bars in one.
        (
            "Land;Anteil;Rang\nBerlin;12,5 %;1".to_owned(),
            "| Land | Anteil | Rang |\n|---|---|---|\n| Berlin | 12,5 % | 1 |".to_owned(),
        ),
        (
            "name,note,qty\n\"Disk, 5\"\"\",a|b \\| c,\n\"Pen\",-,3".to_owned(),
            "| name | note | qty |\n|---|---|---|\n| Disk, 5\" | a\\|b \\| c |  |\n| Pen | - | 3 |"
                .to_owned(),
        ),
        // Years head columns, and yes and no stand in one.
        (
            ",2022,2023\nNorth,3100,3400".to_owned(),
            "|  | 2022 | 2023 |\n|---|---|---|\n| North | 3100 | 3400 |".to_owned(),
        ),
        (
            "city,2023 revenue,Q1 2024\nRome,3,4".to_owned(),
            "| city | 2023 revenue | Q1 2024 |\n|---|---|---|\n| Rome | 3 | 4 |".to_owned(),
        ),
        (
            "feature,free,pro\nSSO,no,yes".to_owned(),
            "| feature | free | pro |\n|---|---|---|\n| SSO | no | yes |".to_owned(),
        ),
        (
            "城市,人口,年份\n北京,2189,2023\n上海,2487,2023".to_owned(),
            "| 城市 | 人口 | 年份 |\n|---|---|---|\n| 北京 | 2189 | 2023 |\n| 上海 | 2487 | 2023 |"
                .to_owned(),
        ),
        // A first cell that has blanks, or ends with a digit.
        (
            "name,price,weight\nitem 0,0,3\nitem 1,37,10".to_owned(),
            "| name | price | weight |\n|---|---|---|\n| item 0 | 0 | 3 |\n| item 1 | 37 | 10 |".to_owned(),
        ),
        (
            "```csv\nname,price\nitem 0,0\nitem 1,37\n```".to_owned(),
            "| name | price |\n|---|---|\n| item 0 | 0 |\n| item 1 | 37 |".to_owned(),
        ),
        (
            "id,price,plan\n1,20,Pro\n2,25,Team".to_owned(),
            "| id | price | plan |\n|---|---|---|\n| 1 | 20 | Pro |\n| 2 | 25 | Team |".to_owned(),
        ),
        // Blanks behind commas.
        (CSV.replace(',', ", "), MARKDOWN.to_owned()),
        (CSV.replace("North,", "North, ").replace("South,", "South,  "), MARKDOWN.to_owned()),
        (
            "plan, price, note\nPro, $20, \"billed, yearly\"\nTeam, $25, monthly".to_owned(),
            "| plan | price | note |\n|---|---|---|\n| Pro | $20 | billed, yearly |\n| Team | $25 | monthly |"
                .to_owned(),
        ),
    ] {
        assert_eq!(written(&csv).as_deref().map(str::trim_end), Some(markdown.as_str()), "{csv}");
    }
}

#[test]
fn one_row_of_another_number_of_cells_does_not_undo_a_table() {
    let told = |east: &str, between: &str| {
        let csv = format!("{CSV}\n{east}\nWest,1900,2024\nCoast,900,2024").replace(',', between);
        written(&csv).map(|told| told.trim_end().to_owned())
    };
    let rows = "| West | 1900 | 2024 |\n| Coast | 900 | 2024 |";
    for between in [",", ", "] {
        // The last cell lacks.
        let short = format!("{MARKDOWN}\n| East | 2500 |  |\n{rows}");
        assert_eq!(told("East,2500", between), Some(short), "{between}");
        // Whose is what, nobody knows.
        let long = format!("{MARKDOWN}\n{rows}\n\n{}", "Far,East,2500,2024".replace(',', between));
        assert_eq!(told("Far,East,2500,2024", between), Some(long), "{between}");
        // Two of them may be all that the header doesn't tell.
        assert_eq!(told("Far,East,2500,2024\nFar,North,2500,2024", between), None, "{between}");
        // Another than the last lacks.
        assert!(
            !told("2500,2024", between).is_some_and(|told| told.contains("| 2500 | 2024 |")),
            "{between}"
        );
    }
}

#[test]
fn a_table_stands_apart_from_what_is_around_it() {
    for (text, expected) in [
        (format!("# Regions\n\n{CSV}\n"), format!("# Regions\n\n{MARKDOWN}")),
        (
            format!("These are all, as told:\n{CSV}\nThe North grows.\n\n- one"),
            format!("These are all, as told:\n\n{MARKDOWN}\n\nThe North grows.\n\n- one"),
        ),
        (format!("{CSV}\n\n{CSV}\n"), format!("{MARKDOWN}\n\n{MARKDOWN}")),
        (format!("```csv\n{CSV}\n```\n"), MARKDOWN.to_owned()),
        (
            format!("The data:\n\n```CSV\n{CSV}\n```\n\nThat is all."),
            format!("The data:\n\n{MARKDOWN}\n\nThat is all."),
        ),
    ] {
        assert_eq!(written(&text).as_deref().map(str::trim_end), Some(expected.as_str()), "{text}");
    }
}

#[test]
fn what_is_prose_or_code_or_has_no_header_stays() {
    let prose =
        "The regions are listed by how many people live there, for two years of the census. ".repeat(2);
    for text in [
        // Prose with commas.
        "Revenue,costs,and rents rose in 2020.\nTaxes,fees,and wages fell in 2021.".to_owned(),
        "Revenue,costs,and rents rose by\n5,6,and 7 per cent in all.".to_owned(),
        "Rome, Italy, Europe\nOslo, Norway, 2024".to_owned(),
        "It has 1,200 people\nand 1,300 cars.".to_owned(),
        "It has cars,1,200 of them\nand 1,300 people".to_owned(),
        "Anna,Berlin\nBob,2".to_owned(),
        "收入增长了,利润下降了,成本上升了\n5月增长了,3月下降了,2月上升了".to_owned(),
        "Revenue, costs, and rents rose by\n5, 6, and 7 per cent in all\n8, 9, and 10 in the next".to_owned(),
        "Rome, Italy, Europe\nOslo, Norway, Europe\nBern, Switzerland, Europe".to_owned(),
        "Rome, Italy, Europe\nOslo, Norway, 2024".to_owned(),
        "It rose in Rome, Oslo, and Bern\nby 5, 6, and 7 per cent".to_owned(),
        // No header, of years neither, and no name.
        "North,3100,2024\nSouth,2800,2024".to_owned(),
        "Obama,2009,2017\nTrump,2017,2021".to_owned(),
        "Rome,1950,2000\nOslo,1960,7000".to_owned(),
        "year,people\n2023,3100\n2024,3200".to_owned(),
        "name,name,qty\nA,b,3".to_owned(),
        // No figure, or another number of cells.
        "name,role,city\nAnna,dev,Rome\nBob,ops,Oslo".to_owned(),
        format!("{CSV}\nEast,1").replace("East,1", "East,1,2024,x"),
        "name,note,qty\n\"Disk, 5\",10".to_owned(),
        "name,note,qty\n\"Disk,5,10".to_owned(),
        format!("name,note,qty\n{},5,10", "x".repeat(600)),
        // Code, lists, quotations, JSON, and an example.
        format!("```\n{CSV}\n```\n"),
        format!("```python\n{CSV}\n```\n"),
        format!("```csv\n{CSV}\n"),
        format!("```csv\nAll of it:\n{CSV}\n```\n"),
        format!("{prose}\n\n```csv\n{CSV}\n```\n"),
        format!("- {}", CSV.replace('\n', "\n  ")),
        format!("> {}", CSV.replace('\n', "\n> ")),
        format!("    {}", CSV.replace('\n', "\n    ")),
        format!("[\n{CSV}\n]")
            .replace("region,population,year\nNorth,3100,2024\nSouth,2800,2024", "1,2,\n3,4"),
    ] {
        assert_eq!(written(&text), None, "{text}");
    }
}

/// Texts of about so many bytes, each of a shape that something could be quadratic in.
fn hostile(bytes: usize) -> Vec<String> {
    [
        "a,b,c\n",
        "a,b,c\n1,2,3\n",
        "a, b, c\nd, 2, 3\n",
        "a,b,c\nd,e,5\nd,e,5\nd,e,5\nd,e,5,6\n",
        "a, b, c\n, 5,\n",
        "a\tb;c,d\n",
        "a\tb;c\na\tb;c;d\n",
        "a,b,c\nd,e,5\n\n",
        ",",
        "1,",
        "a,b\n1,1,",
        "a,b",
        "\"a,\"\"",
        "a,\"\n",
        "\"\",\"\"\n",
        "```csv\na,b,c\nd,e,5\n```\n",
        "```csv\na,b,c\n",
        "\n\t",
    ]
    .iter()
    .map(|part| part.repeat(bytes / part.len()))
    .collect()
}

#[test]
fn ten_times_the_text_takes_about_ten_times_as_long() {
    assert_linear(hostile, written, |bytes| 4 * bytes);
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(text in "(a,b,c\n|d,e,5\n|```csv\n|```\n|[a5é北,;\t\"| \n.]){0,40}") {
        if let Some(written) = written(&text) {
            let is_said = |c: &char| c.is_alphanumeric();
            let (told, shown) = (text.replace("csv", ""), written.replace("csv", ""));
            proptest::prop_assert_eq!(told.chars().filter(is_said).count(), shown.chars().filter(is_said).count());
        }
    }
}
