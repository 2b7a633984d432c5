//! What a figure counts, held against what it counts in the source.

use super::scene::{Scene, assert_judged, task};

fn survey() -> Scene {
    let survey = "# Report\n\nIn the survey of 2022, 45 percent of the women and 30 percent of the men supported the new tax [1]. \
        The clinic in Graz has 120 nurses and 30 doctors on its staff [1]. \
        The company sold 5,000 electric cars in Norway, mostly to commuters, while 700 vans went to craftsmen [1].\
        \n\n## References\n\n[1] Survey - https://survey.example/2022";
    Scene::of("survey", "Who supported the new tax?", vec![task("survey", survey)])
}

#[test]
fn figure_counts_what_it_counts_in_its_source() {
    let right = [
        "45 percent of the women supported the new tax.",
        "45% of women and 30% of men supported the new tax in 2022.",
        "Of the women in the survey, 45 percent supported the new tax.",
        "Support for the new tax was 45 percent among women.",
        "The clinic in Graz has 30 doctors.",
        "The clinic in Graz has 120 nurses on its staff.",
        "The company sold 5,000 cars in Norway.",
    ];
    let wrong = [
        "45 percent of the men supported the new tax.",
        "30 percent of the women supported the new tax.",
        "45% of men and 30% of women supported the new tax in 2022.",
        "The new tax was supported by 45 percent of the men in the survey.",
        "The clinic in Graz has 30 nurses.",
        "The clinic in Graz has 120 doctors on its staff.",
        "The company sold 5,000 vans in Norway.",
    ];
    assert_judged(&survey(), &right, &wrong);
}
