//! What stands around an answer in mails and on pages, and what a model says of its own work: `Kind regards,`, `© 2024 City Museum.`,
//! `Step 1: I will search for fines.` The lists are short: what is left out of the findings by mistake is lost to a reader.

use std::sync::LazyLock;

use super::asides::{begins, begins_with};
use crate::domain::aggregate::take_in::tells_own_failure;
use crate::domain::text::first_letters::Heads;
use crate::domain::text::phrases::{behind_any, has_any};

mod mails;
mod own_work;

pub(super) use self::mails::{is_salutation, sender};
use self::own_work::is_own_work;
pub use self::own_work::{heads_own_work, tells_scope};

/// Bytes of what may be such.
const BYTES_MAX: usize = 400;
/// Words of a notice, and of a line below a mail.
const WORDS_MAX: usize = 12;
/// Lines below a mail.
const LINES_MAX: usize = 5;
/// Lines above one, at least, and bytes of what they begin with.
const HEAD_MIN: usize = 3;
const HEAD_KEY_BYTES_MAX: usize = 16;
/// Words of a greeting below them.
const GREETING_WORDS_MAX: usize = 6;

/// How what announces an answer begins, where nothing follows its colon.
#[rustfmt::skip]
const ANNOUNCES: &[&str] = &[
    "below is a summary of", "below is a concise summary of", "below is a brief summary of", "below is a short summary of", "below is an overview of", "here is a concise summary of", "here is a brief summary of",
    "here is a short summary of", "here's a concise summary of", "here's a brief summary of", "here is an overview of", "here's an overview of",
];
/// What a model says of itself, behind `Note:`.
const OF_ITSELF: &[&str] = &["my knowledge cutoff is", "my knowledge cutoff was", "my training data"];
const NOTES: &[&str] = &["note: ", "note that ", "please note that ", "please note: "];
/// What it says lest somebody takes it for more.
#[rustfmt::skip]
const DISCLAIMERS: &[&str] = &[
    "this is not legal advice", "this is not financial advice", "this is not investment advice", "this is not medical advice", "this is not tax advice", "not financial advice", "not legal advice", "not medical advice",
    "not investment advice", "this information is for general purposes only", "this information is for informational purposes only", "this information is for general informational purposes only", "for informational purposes only",
    "this does not constitute legal advice", "this does not constitute financial advice", "this does not constitute investment advice", "this does not constitute medical advice",
    "dies ist keine rechtsberatung", "dies ist keine anlageberatung", "ceci n'est pas un conseil", "esto no es asesoramiento", "以上内容不构成投资建议", "本文不构成投资建议",
];
/// How a reader is sent elsewhere, and for what.
const SENDS: &[&str] = &["please check ", "please visit ", "please consult ", "please refer to "];
#[rustfmt::skip]
const FOR: [&str; 6] = [" for current ", " for the current ", " for the latest ", " for up-to-date ", " for the most recent ", " for the most current "];
/// What a step of its own work begins with, and a right that is reserved.
const OTHERS: &[&str] = &["step ", "copyright", "all rights reserved"];
/// What a step of its own work goes on with.
const PLANS: &[&str] = &["i will ", "i'll ", "i am going to ", "i'm going to ", "let me "];
/// How notices begin.
#[rustfmt::skip]
const NOTICES: &[&str] = &[
    "confidentiality notice", "this email and any attachments are confidential", "this e-mail and any attachments are confidential", "this message is confidential and intended",
    "this email and any files transmitted with it", "this e-mail and any files transmitted with it", "this message and any attachments are confidential", "this e-mail is confidential", "this email is confidential",
    "this message is confidential", "this communication is confidential", "if you are not the intended recipient", "if you are not the named addressee", "if you have received this email in error", "if you have received this e-mail in error",
    "if you have received this message in error", "diese e-mail enthält vertrauliche", "diese nachricht ist vertraulich", "ce message est confidentiel", "ce courriel est confidentiel", "este correo electrónico es confidencial", "este mensaje es confidencial",
    "please consider the environment before printing",
];
/// What a mail ends with.
#[rustfmt::skip]
const CLOSINGS: &[&str] = &[
    "kind regards", "best regards", "warm regards", "with kind regards", "regards", "sincerely", "yours sincerely", "yours faithfully", "best wishes", "mit freundlichen grüßen", "viele grüße", "beste grüße",
    "bien cordialement", "cordialement", "un cordial saludo", "saludos cordiales",
];
/// Bytes of the longest of these.
const CLOSING_BYTES_MAX: usize = 25;
/// What the lines above a mail begin with.
#[rustfmt::skip]
const HEADS: &[&str] = &[
    "from", "to", "cc", "bcc", "date", "sent", "subject", "reply-to", "von", "an", "gesendet", "datum", "betreff", "de", "à", "envoyé", "objet", "para", "asunto", "enviado", "enviado el", "fecha", "da", "a",
    "oggetto", "inviato", "data",
];
const SUBJECTS: &[&str] = &["subject", "betreff", "objet", "asunto", "oggetto"];
const SENDERS: &[&str] = &["from", "von", "de", "da"];
/// When one was sent: nothing else has that with a time of the day below its sender.
const SENT: &[&str] = &["sent", "gesendet", "envoyé", "enviado", "enviado el", "inviato"];

/// Whether a sentence, or a paragraph that is one, is such.
pub(super) fn is_boilerplate(sentence: &str) -> bool {
    if sentence.len() > BYTES_MAX {
        return begins(sentence, NOTICES);
    }
    let said = sentence.trim_start_matches(['(', '*', '_', '[', ' ', '⚠', '\u{fe0f}']);
    let is_one = || {
        announces(said)
            || is_of_itself(said)
            || is_plan(said)
            || begins(said, NOTICES)
            || is_disclaimer(said)
            || is_right(said)
            || is_closing(said)
            || sends_elsewhere(said)
    };
    // Nearly all are out by their first letters, compared as one number.
    let may_be_one = LEADS.may_begin(said.trim_start()) || said.starts_with('©');
    may_be_one && is_one() || is_own_work(said) || is_salutation(said) || tells_own_failure(sentence)
}

/// What all of these may begin with.
static LEADS: LazyLock<Heads<4>> = LazyLock::new(|| {
    Heads::of(&[ANNOUNCES, OF_ITSELF, NOTES, NOTICES, DISCLAIMERS, CLOSINGS, SENDS, OTHERS])
});

/// `Below is a concise summary of the fines in 2023.` Behind a colon or a comma it says something.
fn announces(said: &str) -> bool {
    let inside = said.trim_end_matches(['.', ':', '*', ' ', '\n']);
    begins(said, ANNOUNCES) && !inside.contains([':', ',', '\n'])
}

fn is_of_itself(said: &str) -> bool {
    let note = if begins(said, NOTES) { NOTES.iter().find(|note| begins_with(said, note)) } else { None };
    let rest = note.and_then(|note| said.get(note.len()..)).unwrap_or(said);
    begins(rest, OF_ITSELF)
}

/// `This is not legal advice.` Behind a comma it may say something.
fn is_disclaimer(said: &str) -> bool {
    begins(said, DISCLAIMERS)
        && said.split_whitespace().count() <= WORDS_MAX
        && !said.contains([',', ';', ':', '，', '；'])
}

/// `Step 1: I will search for fines.`
fn is_plan(said: &str) -> bool {
    let Some(rest) = said.strip_prefix("Step ") else { return false };
    let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let plan = number.trim_start_matches('*').strip_prefix(':').filter(|_| number.len() < rest.len());
    plan.is_some_and(|plan| begins(plan.trim_start_matches(['*', ' ']), PLANS))
}

/// `Please check the official website for current prices.` Behind a comma, or with a figure, it says something.
fn sends_elsewhere(said: &str) -> bool {
    begins(said, SENDS)
        && has_any(said, &FOR)
        && said.split_whitespace().count() <= WORDS_MAX
        && !said.contains(|c: char| c.is_ascii_digit() || matches!(c, ',' | ';' | ':'))
}

/// `© 2024 City Museum. All rights reserved.`
fn is_right(said: &str) -> bool {
    let is_short = || said.split_whitespace().count() <= WORDS_MAX && !said.contains(':');
    let is_year = |rest: &str| rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let marked = behind_any(said, &["©", "Copyright ©", "Copyright (c)", "Copyright"]);
    (marked.is_some_and(is_year) || begins(said, &["all rights reserved"])) && is_short()
}

/// `Kind regards,`, and below it who sends them.
fn is_closing(said: &str) -> bool {
    if !begins(said.trim_start(), CLOSINGS) {
        return false;
    }
    let mut lines = said.lines().map(str::trim);
    let first = lines.next().unwrap_or_default().trim_end_matches([',', '.', '!', '*', ' ']);
    if first.len() > CLOSING_BYTES_MAX {
        return false;
    }
    let first = first.to_lowercase();
    let is_name = |line: &str| {
        // `Claims Dept.`
        let is_abbreviated = || line.split(' ').all(|word| word.starts_with(char::is_uppercase));
        !line.ends_with(['!', '?', ':'])
            && (!line.ends_with('.') || is_abbreviated())
            && line.split(' ').count() <= WORDS_MAX
            && !line.starts_with(['-', '*', '|'])
    };
    CLOSINGS.contains(&first.as_str()) && said.lines().count() <= LINES_MAX && lines.all(is_name)
}

/// The bytes of the lines above a mail that a paragraph begins with, who sends it and on what among them, with the greeting right below
/// them: `From: …`, `To: …`, `Subject: …`. All of it, where it is nothing else; 0 where it begins with none.
pub(super) fn mail_head(paragraph: &str) -> usize {
    let key = |line: &str| {
        let line = without_quote(line);
        let head = &line.as_bytes()[..line.len().min(HEAD_KEY_BYTES_MAX + 1)];
        let (key, _) = line.split_at_checked(memchr::memchr(b':', head)?)?;
        Some(key.trim_matches(['*', ' ']).to_lowercase()).filter(|key| HEADS.contains(&key.as_str()))
    };
    let (mut end, mut count, mut has_subject, mut has_sender, mut is_sent) = (0, 0, false, false, false);
    for line in paragraph.split_inclusive('\n') {
        match key(line) {
            Some(key) => {
                count += 1;
                has_subject |= SUBJECTS.contains(&key.as_str());
                has_sender |= SENDERS.contains(&key.as_str());
                is_sent |= SENT.contains(&key.as_str()) && line.matches(':').count() > 1;
            }
            None if without_quote(line).trim().is_empty() && (count == 0 || line.starts_with('>')) => {}
            // A long line goes on in the next, behind blanks.
            None if count > 0 && line.starts_with([' ', '\t']) => {}
            None => break,
        }
        end += line.len();
    }
    let is_quoted =
        (is_sent || has_subject && paragraph.trim_start().starts_with('>')) && count + 1 >= HEAD_MIN;
    let is_one = has_sender && (is_quoted || has_subject && count >= HEAD_MIN);
    if !is_one || end > 4 * BYTES_MAX {
        return 0;
    }
    let below = &paragraph[end..];
    let greeting = below.split_inclusive('\n').next().unwrap_or_default();
    let greets = greeting.trim_end().ends_with([',', '!'])
        && greeting.split_whitespace().count() <= GREETING_WORDS_MAX;
    let end = if greets { end + greeting.len() } else { end };
    if paragraph[end..].trim().is_empty() { paragraph.len() } else { end }
}

/// A line of a quotation without its mark.
fn without_quote(line: &str) -> &str {
    line.strip_prefix('>').map_or(line, |quoted| quoted.trim_start_matches(['>', ' ']))
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::read;
    use super::*;

    #[test]
    fn boilerplate_is_told_from_what_says_something() {
        for text in [
            "Below is a concise summary of the GDPR fines in 2023.",
            "Step 1: I will search for GDPR fines.",
            "**Step 2:** I'll rank them.",
            "Kind regards,\nAnna Schmidt\nVisitor Services",
            "Best regards,\nAnna Weber\nClaims Dept.",
            "Please check the official website for current prices.",
            "CONFIDENTIALITY NOTICE: This email is for the addressee.",
            "© 2024 City Museum.",
            "All rights reserved.",
            "(Note: my knowledge cutoff is April 2023, so later fines may be missing.)",
            "I cannot share private addresses.",
            "⚠️ This is not legal advice.",
            "*Not financial advice.*",
            "This e-mail is confidential.",
            "If you are not the intended recipient, please delete it.",
            "This information is for general purposes only.",
            "Hi all,",
            "Hello Tom,",
            "Hallo zusammen,",
            "Hola:",
            "Good morning, everyone,",
        ] {
            assert!(is_boilerplate(text), "{text}");
        }
        for text in [
            "Below is a summary of the fines: Meta paid €1.2 billion.",
            "Step 1: Install the package.",
            "Please check the official website before each flight for changes.",
            "Please visit the site for the latest dose of your vaccine, which is 0.5 ml.",
            "Kind regards, and a gift, were sent to the mayor.",
            "Copyright lasts for 70 years after the death of the author.",
            "All rights are reserved to the members.",
            "The note is confidential.",
            "This is not medical advice, but adults should take 4 g a day at most.",
            "Regards from Berlin were sent on Monday.",
            "Subject: the contract of 2024.",
            "If you are not the owner, you may not sell it.",
            "Hello Kitty",
            "Hi-fi systems,",
            "Hello, World! is printed,",
            "Hello world programs are short:",
        ] {
            assert!(!is_boilerplate(text), "{text}");
        }
    }

    #[test]
    fn no_closing_is_longer_than_what_is_looked_at_nor_begins_beyond_ascii() {
        assert_eq!(CLOSINGS.iter().map(|closing| closing.len()).max(), Some(CLOSING_BYTES_MAX));
        let leads = [ANNOUNCES, OF_ITSELF, NOTES, PLANS, NOTICES, CLOSINGS].concat();
        assert!(leads.iter().all(|lead| lead.starts_with(|c: char| c.is_ascii_lowercase())));
        // Shorter ones would be out by the first letters of what follows them.
        let leads = [ANNOUNCES, OF_ITSELF, NOTES, NOTICES, DISCLAIMERS, CLOSINGS, SENDS, OTHERS].concat();
        assert!(leads.iter().all(|lead| lead.len() >= 4));
    }

    #[test]
    fn the_lines_above_a_mail_are_no_statements() {
        let stated = |text: &str| read(text, "a").into_iter().map(|said| said.text).collect::<Vec<_>>();
        let mail = "From: info@museum.example\nTo: agent@example.com\nDate: Mon, 3 Feb 2025 09:14:00 +0100\nSubject: Re: Opening hours\n\nHello,\n\nWe are open from 10:00 to 17:00.\n\nKind regards,\nAnna Schmidt\nVisitor Services";
        assert_eq!(stated(mail), ["We are open from 10:00 to 17:00."]);
        // What follows at once is the mail.
        let below = "We are open from 10:00 to 17:00.\nThe last entry is at 16:15.";
        for head in [
            "From: info@museum.example\nTo: agent@example.com\nSubject: Opening hours\n",
            "**From:** info@museum.example\n**To:** agent@example.com\n**Subject:** Opening hours\nHello Anna,\n",
            "Von: a@b.example\nAn: c@d.example,\n  e@d.example\nBetreff: Zeiten\n",
        ] {
            assert_eq!(stated(&format!("{head}{below}")), below.lines().collect::<Vec<_>>(), "{head}");
        }
        assert_eq!(stated("From: Berlin\nTo: Paris\nDate: 4 March 2025").len(), 3);
        let quoted = "From: Tom Becker\nSent: Monday, 3 February 2025 16:40\n\nPriya,\n\nThe roof in bay 3 is leaking again.";
        assert_eq!(
            stated(&format!("{below}\n\n---\n{quoted}")).last(),
            Some(&"The roof in bay 3 is leaking again.")
        );
        assert_eq!(stated(&format!("{below}\n\n---\n{quoted}")).len(), 3);
        let spanish = "De: Marta Ruiz <m@r.example>\nPara: Operaciones\nAsunto: Envío 8841\n\nHola:\n\nEl envío llega mañana por la tarde.";
        assert_eq!(stated(spanish), ["El envío llega mañana por la tarde."]);
        let team = read("Hello team:\n\nThe roof in bay 3 is leaking again.", "a");
        assert_eq!(
            team.iter().map(|said| (said.text, said.around.announced)).collect::<Vec<_>>(),
            [("The roof in bay 3 is leaking again.", "")]
        );
        assert_eq!(stated("Sent: 4 March 2025\nWeight: 5 kg").len(), 2);
        assert_eq!(stated("From: Ulm\nWeight: 5 kg").len(), 2);
        assert_eq!(stated("From: Ulm\nSent: 4 March 2025\nWeight: 5 kg").len(), 3);
        assert_eq!(stated("Date: 4 March 2025"), ["Date: 4 March 2025"]);
    }

    #[test]
    fn what_a_quoted_mail_says_stands_below_who_wrote_it() {
        let headed = |text: &str| {
            read(text, "a").into_iter().map(|said| (said.heading, said.text)).collect::<Vec<_>>()
        };
        let mail = "> From: Dana Whitfield <dana@big.example>\n> Subject: charged twice??\n> We were charged twice for order 55120.";
        assert_eq!(
            headed(&format!("Here is what I found:\n\n{mail}\n\nWe received 212 tickets.")),
            [("Dana Whitfield", "We were charged twice for order 55120."), ("", "We received 212 tickets.")]
        );
        let plain = mail.replace("twice??", "twice");
        assert_eq!(headed(&plain), [("Dana Whitfield", "We were charged twice for order 55120.")]);
        for quoted in [
            "> From: Ulm\n> We were charged twice for order 55120.",
            "> We were charged twice for order 55120.",
        ] {
            assert!(headed(quoted).iter().all(|(heading, _)| heading.is_empty()), "{quoted}");
        }
    }
}
