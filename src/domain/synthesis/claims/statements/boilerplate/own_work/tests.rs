//! What a model says of its own work, and what only begins like that.

use super::*;

#[test]
fn what_a_model_says_of_its_own_work_is_told_from_answers() {
    for text in [
        "I've reviewed the agreement's data protection provisions.",
        "I looked at the diff from a security perspective.",
        "I went through the logs of checkout-api between 09:00 and 12:00 UTC.",
        "I also checked the release notes.",
        "I searched the web for more.",
        "Here's a relaxed, family-friendly itinerary!",
        "Here's the business impact summary you asked for 😊",
        "Below is the comparison of the three offers.",
        "Okay, let me take a look at the tests in this PR.",
        "はい、調査結果をまとめました。",
        "Disclaimer: I am an AI language model and this is not medical advice.",
        "Hinweis: Als KI-Modell kann ich keine individuelle Energieberatung ersetzen.",
        "As of my last update, I don’t have real-time pricing.",
        "Disclaimer:** This is not financial advice.",
        "This analysis does not constitute legal advice.",
        "Please consult a healthcare professional before making any decisions about your treatment.",
        "I'd recommend consulting a qualified attorney who can review the contract in its entirety.",
        "I apologize for the inconvenience.",
        "I hope you find this helpful!",
        "Espero que esta información te sea útil.",
        "Enjoy your trip! 🎉",
        "Happy cooking!",
        "Subscribe to our newsletter for more local news.",
        "Disclaimer: This is general information and no financial advice.",
        "Here's what I found on the costs of replacing the boiler.",
        "I checked the rules of the fund so that you don't have to.",
        "I compared both products in several independent reviews.",
        "Hi, thanks for your mail.",
        "Vielen Dank für Ihre Anfrage.",
        "Always talk to your doctor before you start a new medicine.",
        "This report provides a comprehensive overview of the market, including prices and vendors.",
        "Dieser Bericht fasst die Lage am Wohnungsmarkt zusammen.",
        "Este informe presenta un análisis del mercado eléctrico.",
    ] {
        assert!(is_own_work(text), "{text}");
    }
}

#[test]
fn what_answers_is_not_taken_for_a_models_own_work() {
    for text in [
        "I reviewed the logs and found a leak in the pool.",
        "I looked at 40 reports of the vendor.",
        "I went through the logs between 09:00 and 12:00 and found a leak in the pool.",
        "I checked the pump of the house.",
        "I checked the logs, which show a leak.",
        "I searched the web for 3 days.",
        "I searched the ship for the log and found none.",
        "I tested the pump in the rain.",
        "Here is the plan: sell the house first.",
        "Here is the review that was positive.",
        "Here the summary of the treaty is kept.",
        "Below are 12 results of the audit.",
        "Let me be clear about the price of oil.",
        "I will search the ship in March 2025.",
        "Note: the summary is wrong.",
        "Disclaimer: prices may change without notice.",
        "As of my last visit, the museum was closed.",
        "This is not medical advice, but adults should take less.",
        "The court held that the letter was not legal advice.",
        "Please consult a doctor if the pain lasts.",
        "Consult a physician after 3 days of fever.",
        "Consult the manual of the pump.",
        "Happy customers stay!",
        "Talk to your doctor before taking it with warfarin.",
        "Here's what I found: the boiler costs $900.",
        "I checked the rules of the fund, so that you don't have to pay twice.",
        "I compared both products and Huddle is cheaper.",
        "Thanks for your gift went to the mayor.",
        "This plan has no legal aid.",
        "This report shows that prices fell.",
        "This report provides evidence that vaccines work.",
        "This report covers 12 countries.",
        "This section of the road is closed.",
        "This guide speaks French.",
        "Enjoy the view from the tower of the castle for free!",
        "I hope you sue them.",
        "市の職員が資料をまとめました。",
        "2024年の結果をまとめました。",
    ] {
        assert!(!is_own_work(text), "{text}");
    }
}
