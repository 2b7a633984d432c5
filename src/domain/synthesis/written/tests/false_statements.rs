//! What two subagents say, put otherwise: rightly, and in the ways in which a model gets it wrong.

use super::scene::{Scene, assert_judged, task};

fn companies() -> Scene {
    let acme = "Acme was founded in 1998 by Jane Miller [1]. Acme had 120 employees in 2020 and 340 employees in 2023 [1]. \
        Revenue rose from 5 million euros to 8 million euros [1]. The plan does not include weekend support [1]. \
        \"We will ship in May\", said Bob Stone [1]. Jane Miller, who left in 2021, sold her shares to Bob Stone [1].\
        \n\n## References\n\n[1] Acme - https://a.example/x";
    let globex = "Globex was founded in 2001 by Peter Gray [1]. Globex had 75 employees in 2023 [1]. \
        The premium plan includes weekend support [1]. Prices start at 1,200 euros [1]. \
        Globex had 30 machines in Berlin and 45 in Munich, said its director Ann Lee [1].\
        \n\n## References\n\n[1] Globex - https://b.example/y";
    Scene::of("companies", "Tell about Acme and Globex", vec![task("a", acme), task("b", globex)])
}

#[test]
fn what_is_said_otherwise_and_still_so_stands() {
    let right = [
        "Acme was founded in 1998 by Jane Miller.",
        "In 1998, Acme was founded by Jane Miller.",
        "Acme had 120 employees in 2020.",
        "Acme had 340 employees in 2023.",
        "Acme had 120 employees in 2020 and 340 in 2023.",
        "Acme's employees rose from 120 in 2020 to 340 in 2023.",
        "Revenue rose from 5 million euros to 8 million euros.",
        "Revenue rose from 5 to 8 million euros.",
        "Revenue rose to 8 million euros from 5 million euros.",
        "Bob Stone said: \"We will ship in May\".",
        "\"We will ship in May\", Bob Stone said.",
        "According to Bob Stone, \"we will ship in May\".",
        "Prices start at 1,200 euros.",
        "Jane Miller left in 2021.",
        "Globex had 45 machines in Munich.",
        "Globex had 30 machines in Berlin.",
        "Globex was founded in 2001 by Peter Gray and had 75 employees in 2023.",
        "Acme was founded in 1998 by Jane Miller, who left in 2021.",
    ];
    assert_judged(&companies(), &right, &[]);
}

#[test]
fn what_is_no_longer_so_does_not_stand() {
    let wrong = [
        "Acme had 340 employees in 2020 and 120 employees in 2023.",
        "Acme had 120 employees in 2023.",
        "Acme had 340 employees in 2020.",
        "In 2023, Acme had 120 employees.",
        "Revenue rose from 8 million euros to 5 million euros.",
        "Revenue rose from 8 to 5 million euros.",
        "Revenue fell from 5 million euros to 8 million euros.",
        "Acme was not founded in 1998 by Jane Miller.",
        "Acme was founded in 1998 by Peter Gray.",
        "Globex was founded in 1998 by Jane Miller.",
        "Globex had 340 employees in 2023.",
        "Acme had four hundred employees in 2023.",
        "Revenue rose from 5 million dollars to 8 million dollars.",
        "Revenue rose from 5 billion euros to 8 billion euros.",
        "Prices start at 1,200 dollars.",
        "Prices start at 12,00 euros.",
        "Revenue rose by 60 percent.",
        "Globex had 45 machines in Berlin.",
        "Globex had 30 machines in Munich.",
        "\"We will ship in June\", said Bob Stone.",
        "\"We will ship in May\", said Jane Miller.",
        "Jane Miller said \"We will ship in May\".",
        "According to Jane Miller, \"We will ship in May\".",
        "Bob Stone said «We will never ship in May».",
        "Acme was founded in 1998 by Jane Miller, who was a crook.",
        "Acme was founded in 1998 by Jane Miller, a convicted crook.",
        "Acme was founded in 1998 by Jane Miller and is bankrupt.",
        "Acme, a criminal organisation, was founded in 1998 by Jane Miller.",
        "Acme was founded in 1998 by Jane Miller. The company is bankrupt.",
        "Acme was founded in １９９９ by Jane Miller.",
        "Acme was founded in ١٩٩٩ by Jane Miller.",
        "Acme was founded in MCMXCIX by Jane Miller.",
        "Acme was founded in 19\u{200b}99 by Jane Miller.",
        "Acme had 120² employees in 2020.",
        "Acme had more than 340 employees in 2023.",
        "Acme had fewer than 340 employees in 2023.",
        "Acme was founded before 1998 by Jane Miller.",
        "Acme was founded after 1998 by Jane Miller.",
        "Prices start above 1,200 euros.",
    ];
    assert_judged(&companies(), &[], &wrong);
}
