//! A company's quarter and a clinical trial: by how much and to what, of whom, what a clause's figure belongs to.

use super::scene::{Scene, assert_judged, task};

fn trials() -> Scene {
    let text = "In Q3 2024, Siemens Energy raised its outlook after orders for grid equipment grew by a third to 10.6 billion euros [1]. \
        Chief executive Christian Bruch said the company would hire 10,000 people by 2030 [1]. \
        Its wind unit Gamesa lost 1.8 billion euros, mostly because of faulty turbines [1]. \
        Shares rose 15 percent on the day, the largest gain since 2020 [1].\
        \n\n## References\n\n[1] One - https://a.example/one";
    let other = "Vaccination reduced hospital admissions by 62 percent among adults over 65, but not among children [1]. \
        The trial enrolled 4,500 adults in Brazil and South Africa between March 2021 and June 2022 [1]. \
        Side effects were mild: headache in 12 percent and fever in 4 percent of participants [1]. \
        The authors caution that the follow-up was short and that immunity may wane [1]. \
        Funding came from the Gates Foundation and the manufacturer had no role in the analysis [1].\
        \n\n## References\n\n[1] Two - https://a.example/two";
    Scene::of("mixed", "What is known?", vec![task("a", text), task("b", other)])
}

#[test]
fn what_is_put_otherwise_stands() {
    let right = [
        "Siemens Energy raised its outlook in Q3 2024 after orders for grid equipment grew by a third to 10.6 billion euros.",
        "Orders for grid equipment grew by a third to 10.6 billion euros.",
        "Orders for grid equipment rose by a third to €10.6 billion in Q3 2024.",
        "Siemens Energy raised its outlook after grid equipment orders grew by a third.",
        "Christian Bruch said the company would hire 10,000 people by 2030.",
        "The company would hire 10,000 people by 2030, said chief executive Christian Bruch.",
        "According to chief executive Christian Bruch, the company will hire 10,000 people by 2030.",
        "Gamesa, its wind unit, lost 1.8 billion euros, mostly because of faulty turbines.",
        "The wind unit Gamesa lost €1.8 billion, mostly due to faulty turbines.",
        "Shares rose 15% on the day.",
        "Shares gained 15 percent on the day, the largest gain since 2020.",
        "On the day, shares rose 15 percent, the largest gain since 2020.",
        "Vaccination reduced hospital admissions by 62% among adults over 65.",
        "Among adults over 65, vaccination reduced hospital admissions by 62 percent.",
        "Vaccination reduced hospital admissions among adults over 65 by 62%, but not among children.",
        "Hospital admissions among adults over 65 fell by 62 percent with vaccination.",
        "Vaccination did not reduce hospital admissions among children.",
        "The trial enrolled 4,500 adults in Brazil and South Africa.",
        "Side effects were mild, with headache in 12% and fever in 4% of participants.",
        "Side effects were mild: 12 percent of participants had headache and 4 percent had fever.",
        "Headache occurred in 12 percent of participants and fever in 4 percent.",
        "The authors caution that the follow-up was short and immunity may wane.",
        "Immunity may wane, the authors caution.",
        "The manufacturer had no role in the analysis.",
        "The analysis was funded by the Gates Foundation.",
        "Funding came from the Gates Foundation.",
        "The trial was funded by the Gates Foundation, and the manufacturer had no role in the analysis.",
    ];
    assert_judged(&trials(), &right, &[]);
}

#[test]
fn what_is_changed_does_not() {
    let wrong = [
        "Siemens Energy lowered its outlook after orders for grid equipment grew by a third.",
        "Orders for wind equipment grew by a third to 10.6 billion euros.",
        "Orders for grid equipment grew to a third of 10.6 billion euros.",
        "Orders for grid equipment grew by a third to 1.8 billion euros.",
        "Chief executive Christian Bruch said the company would fire 10,000 people by 2030.",
        "Chief executive Christian Bruch said Gamesa would hire 10,000 people by 2030.",
        "Its wind unit Gamesa earned 1.8 billion euros, mostly because of faulty turbines.",
        "Its wind unit Gamesa lost 1.8 billion euros, mostly because of low prices.",
        "Its wind unit Gamesa lost 10.6 billion euros.",
        "Gamesa raised its outlook.",
        "Shares rose 15 percent in the year, the largest gain since 2020.",
        "Shares rose 15 percent on the day, the smallest gain since 2020.",
        "Shares of Gamesa rose 15 percent on the day.",
        "Vaccination reduced hospital admissions by 62 percent among children.",
        "Vaccination reduced hospital admissions by 62 percent among adults under 65.",
        "Vaccination reduced deaths by 62 percent among adults over 65.",
        "Vaccination increased hospital admissions by 62 percent among adults over 65.",
        "Vaccination reduced hospital admissions to 62 percent among adults over 65.",
        "Vaccination reduced hospital admissions by 65 percent among adults over 62.",
        "The trial enrolled 4,500 children in Brazil and South Africa.",
        "The trial enrolled 4,500 adults in Brazil and South Korea.",
        "The trial excluded 4,500 adults in Brazil and South Africa.",
        "The trial enrolled 4,500 adults between March 2020 and June 2022.",
        "Side effects were severe: headache in 12 percent and fever in 4 percent of participants.",
        "Fever occurred in 12 percent and headache in 4 percent of participants.",
        "Side effects were mild: headache in 4 percent and fever in 12 percent of participants.",
        "The authors caution that the follow-up was long.",
        "The authors say that immunity will wane.",
        "Immunity wanes.",
        "The manufacturer had a role in the analysis.",
        "The Gates Foundation had no role in the analysis.",
        "Funding came from the Ford Foundation.",
    ];
    assert_judged(&trials(), &[], &wrong);
}
