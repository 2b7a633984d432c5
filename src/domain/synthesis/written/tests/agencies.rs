//! Reports of agencies, makers and analysts: short forms, who says it, how often, when.

use super::scene::{Scene, assert_judged, task};

fn reports() -> Scene {
    let rules = "The Federal Energy Regulatory Commission (FERC) approved Order 841 in February 2018 [1]. \
        FERC expects about 30 filings a year [1]. \
        PJM Interconnection, the largest grid operator in the country, delayed its auction by six months [1].\
        \n\n## References\n\n[1] Rules - https://a.example/rules";
    let makers = "Tesla's Megapack factory in Lathrop can build 10,000 units a year [1]. \
        Dr. Anna Schmidt of the University of Oxford warned that recycling rates remain below 5 percent [1]. \
        The World Bank lent India $500 million for storage in 2021 [1]. \
        Prices could rise by up to 12% next year, analysts at BloombergNEF say [1]. \
        The commission FERC was founded in 1977 [1]. \
        Demand for cobalt doubled from 2015 to 2022, while its price halved [1]. \
        Northvolt filed for bankruptcy in Sweden on 12 March 2025 [1]. \
        The plant will open in the first quarter of 2026, nine months later than planned [1].\
        \n\n## References\n\n[1] Makers - https://a.example/makers";
    Scene::of("reports", "Who makes batteries?", vec![task("a", rules), task("b", makers)])
}

#[test]
fn what_is_put_otherwise_stands() {
    let right = [
        "FERC approved Order 841 in February 2018.",
        "The Federal Energy Regulatory Commission expects about 30 filings per year.",
        "FERC expects roughly 30 filings a year.",
        "In February 2018, FERC approved Order 841.",
        "Order 841 was approved by the Federal Energy Regulatory Commission (FERC) in February 2018.",
        "PJM delayed its auction by six months.",
        "PJM Interconnection delayed its auction by 6 months.",
        "The Federal Energy Regulatory Commission was founded in 1977.",
        "Tesla can build 10,000 Megapack units a year at its factory in Lathrop.",
        "Tesla's factory in Lathrop can build 10,000 Megapacks per year.",
        "Recycling rates remain below 5%, warned Anna Schmidt of the University of Oxford.",
        "According to Dr. Anna Schmidt of the University of Oxford, recycling rates are below 5%.",
        "In 2021, the World Bank lent India 500 million dollars for storage.",
        "The World Bank lent $500M to India for storage in 2021.",
        "The World Bank lent India $500M for storage in 2021.",
        "The World Bank lent India $500m for storage in 2021.",
        "BloombergNEF analysts say that prices could rise by up to 12% next year.",
        "Prices may rise by as much as 12% next year, according to BloombergNEF analysts.",
        "Analysts at BloombergNEF say prices could rise by up to 12 percent next year.",
        "While demand for cobalt doubled from 2015 to 2022, its price halved.",
        "Cobalt demand doubled between 2015 and 2022, while the price halved.",
        "Between 2015 and 2022, demand for cobalt doubled and its price halved.",
        "On March 12, 2025, Northvolt filed for bankruptcy in Sweden.",
        "Northvolt filed for bankruptcy in March 2025.",
        "Northvolt, a Swedish company, filed for bankruptcy on 12 March 2025.",
        "Northvolt filed for bankruptcy in Sweden in 2025.",
        "The plant opens in the first quarter of 2026, nine months later than planned.",
        "The plant is expected to open in the first quarter of 2026, nine months later than planned.",
        "Nine months later than planned, the plant will open in the first quarter of 2026.",
    ];
    assert_judged(&reports(), &right, &[]);
}

#[test]
fn what_is_changed_does_not() {
    let wrong = [
        "FERC approved Order 2222 in February 2018.",
        "PJM Interconnection delayed its auction by six years.",
        "FERC delayed its auction by six months.",
        "Tesla's factory in Lathrop can build 10,000 units a month.",
        "Anna Schmidt of the University of Cambridge warned that recycling rates remain below 5 percent.",
        "India lent the World Bank $500 million for storage in 2021.",
        "The World Bank lent India $500 billion for storage in 2021.",
        "Prices will rise by 12% next year, analysts at BloombergNEF say.",
        "Prices could rise by up to 12% this year, analysts at BloombergNEF say.",
        "Demand for cobalt halved from 2015 to 2022, while its price doubled.",
        "Northvolt filed for bankruptcy in Sweden on 12 May 2025.",
        "Northvolt was bailed out in Sweden on 12 March 2025.",
        "The plant will open in the first quarter of 2026, nine months earlier than planned.",
        "The plant will close in the first quarter of 2026, nine months later than planned.",
        "The plant will open in the second quarter of 2026, nine months later than planned.",
        "Recycling rates remain above 5 percent, warned Anna Schmidt.",
        "FERC was founded in 1977 in Lathrop.",
    ];
    assert_judged(&reports(), &[], &wrong);
}
