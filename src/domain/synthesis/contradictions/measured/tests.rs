//! What is measured, told in other words, and what only looks like it.

use super::super::Kind;
use super::super::tests::{between_texts, kinds_between as kinds};

fn differ(kind: Kind, pairs: &[[&str; 2]]) {
    for [one, other] in pairs {
        assert_eq!(kinds(one, other), [kind], "{one} / {other}");
    }
}

fn agree(pairs: &[[&str; 2]]) {
    for [one, other] in pairs {
        assert_eq!(kinds(one, other), [], "{one} / {other}");
    }
}

#[test]
fn what_was_counted_is_the_same_wherever_its_verb_stands() {
    differ(
        Kind::Number,
        &[
            [
                "18,240 checkout requests failed during the outage.",
                "## Impact\n\n- Failed checkouts: 12,400\n- Regions: 2",
            ],
            ["{\"failed_orders\": 1312}", "During the outage, 1,240 orders failed."],
            [
                "The plan includes the removal of 84 parking spaces on Elm Street.",
                "The Elm Street plan removes 48 parking spaces.",
            ],
            [
                "In the ARIA trial, 57 adults were randomised to the drug or placebo.",
                "The ARIA trial randomised 75 adults for 6 months.",
            ],
            ["Around 600 homes were destroyed by the fire.", "The fire destroyed 850 homes."],
            ["The airline cancelled 312 flights.", "{\"cancelled_flights\": 287}"],
            ["The study enrolled 4,120 patients.", "A total of 3,870 patients were enrolled in the study."],
            ["2,140 messages were dropped.", "{\"dropped_messages\": 3910, \"restarted\": true}"],
        ],
    );
}

#[test]
fn counts_of_others_parts_and_times_contradict_nothing() {
    agree(&[
        ["1,240 orders failed.", "312 orders failed in Europe."],
        ["1,240 orders failed.", "1,312 orders were delayed."],
        ["{\"region\": \"EU\", \"failed_orders\": 1312}", "1,500 orders failed."],
        ["57 adults were randomised.", "57 of the 75 adults were randomised to the drug."],
        ["57 adults were randomised to the drug.", "75 adults were randomised to placebo."],
        ["In study A, 57 adults were randomised.", "In study B, 75 adults were randomised."],
        ["More than 1,000 homes were destroyed.", "1,240 homes were destroyed."],
        ["The company laid off 300 employees in 2023.", "The company laid off 500 employees in 2024."],
        ["## Tokyo\n\n- Failed checkouts: 120", "## Osaka\n\n- Failed checkouts: 340"],
        [
            "The extension requires the felling of 112 trees along Harbour Street.",
            "For the extension, 86 trees along Harbour Street will be planted.",
        ],
    ]);
}

#[test]
fn how_long_something_was_down_is_told_in_several_ways() {
    differ(
        Kind::Number,
        &[
            ["## Incident\n\n- Duration: 47 minutes\n- Severity: 1", "The outage lasted 52 minutes."],
            [
                "The payments API was down for 38 minutes after a rollout.",
                "## Payments incident\n\n- Duration: 61 minutes\n- Cause: rollout",
            ],
            [
                "Das Kassensystem war insgesamt 95 Minuten lang nicht erreichbar.",
                "## Störung des Kassensystems\n\n- Dauer: 140 Minuten\n- Ursache: Zertifikat",
            ],
        ],
    );
    agree(&[
        ["The outage lasted 90 minutes.", "## Incident\n\n- Duration: 1.5 hours\n- Severity: 1"],
        ["The login outage lasted 47 minutes.", "The payments outage lasted 52 minutes."],
        ["## Course\n\n- Duration: 47 minutes\n- Cost: $5", "The outage lasted 52 minutes."],
        ["## Login outage\n\n- Duration: 47 minutes", "## Payments outage\n\n- Duration: 52 minutes"],
        ["The outage lasted 47 minutes in Europe.", "## Incident\n\n- Duration: 52 minutes\n- Severity: 1"],
        ["The 2023 outage lasted 45 minutes.", "The 2024 outage lasted 87 minutes."],
    ]);
}

#[test]
fn votes_of_one_body_on_one_thing_are_held_against_each_other() {
    differ(
        Kind::Number,
        &[
            ["The council voted 5-4 to approve the bike lane on Elm Street.", "Motion carried 6–3."],
            ["市議会は条例案を賛成18、反対12で可決した。", "条例案は市議会で賛成20、反対10で可決された。"],
            ["委员会以7票赞成、2票反对通过了该议案。", "该议案以6票赞成、3票反对获得委员会通过。"],
            [
                "The board rejected the proposal by 8 votes to 3.",
                "The board voted 9-2 to reject the proposal.",
            ],
            [
                "The Senate confirmed the nominee 53-47.",
                "The Senate confirmed the nominee by a vote of 51-49.",
            ],
            [
                "El pleno aprobó la moción con 14 votos a favor y 9 en contra.",
                "La moción salió adelante con 13 votos a favor y 10 en contra.",
            ],
        ],
    );
    agree(&[
        [
            "The council approved the lanes by a vote of 7-2.",
            "The committee backed the lanes by a vote of 4-3.",
        ],
        ["The council voted 5-4 to approve the bike lane.", "The council voted 7-2 to approve the stadium."],
        ["The council approved a 3-5 year plan.", "The council approved the plan 6-3."],
        ["Germany beat Brazil 7-1.", "Motion carried 6–3."],
        ["市議会は条例案を賛成18、反対12で可決した。", "条例案は委員会で賛成5、反対3で可決された。"],
    ]);
}

#[test]
fn hours_are_compared_for_the_same_days_and_door() {
    differ(
        Kind::Number,
        &[
            ["The museum opens at 10:00 and closes at 20:00.", "The museum is open from 10:00 to 19:00."],
            [
                "The Aldermere Museum opens at 9:30 and closes at 17:00 every day except Monday.",
                "The Aldermere Museum is open from 9:30 to 18:30, Tuesday to Sunday.",
            ],
            [
                "Das Freibad öffnet um 9 Uhr und schließt um 20 Uhr.",
                "Das Freibad ist täglich von 9 bis 19 Uhr geöffnet.",
            ],
            ["博物馆的开放时间为9:00至17:00。", "博物馆每天9:00至18:00开放。"],
            ["図書館は9時から20時まで開館しています。", "図書館の開館時間は10時から19時です。"],
        ],
    );
    agree(&[
        ["The museum is open from 10 am to 8 pm.", "The museum opens at 10:00 and closes at 20:00."],
        ["The museum opens at 10:00 and closes at 20:00.", "The museum shop is open from 10:00 to 18:00."],
        [
            "The museum opens at 10:00 and closes at 20:00 on Fridays.",
            "The museum is open from 10:00 to 19:00.",
        ],
        [
            "The museum is open from 10:00 to 20:00 in summer.",
            "The museum is open from 10:00 to 18:00 in winter.",
        ],
    ]);
}

#[test]
fn when_something_begins_or_applies_is_once() {
    differ(
        Kind::Date,
        &[
            [
                "The Data Portability Act takes effect on 1 January 2027.",
                "The Data Portability Act will enter into force on 1 July 2027.",
            ],
            [
                "The central library will reopen in September 2026.",
                "## Central library\n\n- Reopening: not before spring 2027\n- Cost: $14 million",
            ],
            [
                "新しい市立図書館は2026年10月に開館する予定です。",
                "新しい市立図書館の開館は2027年4月になる見込みです。",
            ],
        ],
    );
    agree(&[
        ["The law takes effect on 1 January 2027.", "The law will enter into force in 2027."],
        ["The law takes effect on 1 January 2027.", "The amended law will enter into force on 1 July 2027."],
        ["The tax law takes effect on 1 January 2027.", "The labour law enters into force on 1 July 2027."],
        ["Construction will start in March 2026.", "Construction of the second phase begins in March 2027."],
        [
            "The library will reopen in September 2026.",
            "## Library\n\n- Café: not before spring 2027\n- Cost: $9",
        ],
    ]);
}

#[test]
fn who_noticed_it_is_one_of_several_kinds() {
    differ(
        Kind::Holder,
        &[[
            "The outage was detected by an alert on the error rate.",
            "The outage was first reported by a customer.",
        ]],
    );
    agree(&[
        ["The outage was detected by an alert.", "The outage was also reported by a customer."],
        ["The outage was detected by an alert.", "The bug was reported by a customer."],
        ["The first outage was detected by an alert.", "The second outage was reported by a customer."],
        ["The outage was detected by an alert.", "The outage was noticed by the monitoring."],
    ]);
}

#[test]
fn a_period_is_another_where_the_same_is_to_be_done() {
    differ(
        Kind::Number,
        &[[
            "Tenants have 30 days to object to a rent increase.",
            "A tenant may object to a rent increase within 60 days.",
        ]],
    );
    agree(&[
        ["Tenants have 30 days to object to a rent increase.", "Tenants have 60 days to move out."],
        [
            "Tenants have 30 days to object to a rent increase.",
            "A landlord must answer an objection to a rent increase within 60 days.",
        ],
    ]);
}

#[test]
fn the_characters_before_a_figure_say_what_it_is_of() {
    differ(
        Kind::Number,
        &[
            ["该公司2024年净利润为38.6亿元，同比增长12%。", "财报显示，该公司2024年实现净利润31.2亿元。"],
            [
                "電動キックボードの最高速度は、車道では時速20km、歩道では時速6kmです。",
                "電動キックボードは車道では時速25kmまで走行できます。",
            ],
            ["このノートパソコンの重さは1.2kgです。", "このノートパソコンの重量は約1.5kgである。"],
        ],
    );
    agree(&[
        ["该公司2024年净利润为38.6亿元。", "该公司2024年扣非净利润为31.2亿元，同比增长。"],
        ["该公司第一季度净利润为38.6亿元。", "财报显示，该公司第二季度实现净利润31.2亿元。"],
        ["華為の営業利益は420億円だった。", "騰訊の営業利益は365億円となった。"],
        ["大人の入館料は1200円です。", "子供の入館料は500円です。"],
        ["このノートパソコンの重さは1.2kgです。", "このノートパソコンの重量は約1,200gである。"],
    ]);
}

#[test]
fn hostile_texts_take_no_longer_than_others_of_their_length() {
    let phrases = [
        "The council voted 5-4 and 5-4 was closed at 10:00 to 19:00. ",
        "The outage lasted 52 minutes and 3 orders failed. ",
        "5-4-5-4-5-4-5-4-5-4-5-4-5-4-5-4 vote of 10:00:10:00:10:00 open. ",
        "車道では時速20km、歩道では時速6kmです。",
    ];
    for phrase in phrases {
        let one: String = phrase.repeat(40_000 / phrase.len());
        let other = one.replace('5', "6").replace('2', "3");
        // What is found matters less than that an end is.
        let found = between_texts(&one, &other);
        assert!(found.len() < 200, "{phrase}: {}", found.len());
    }
}
