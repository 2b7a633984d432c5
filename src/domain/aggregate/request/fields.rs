//! Members of an object, taken one by one; what is wrong with them is collected.

use std::borrow::Cow;

use crate::domain::aggregate::json::{Member, boolean, items, member, members, number, text};
use crate::domain::canonical_json::pointer_step;
use crate::domain::text::clean::is_blank;
use crate::domain::verdict::{Code, InputIssue, Refusal};

/// Places that a refusal lists; beyond it they are counted.
pub const ISSUES_MAX: usize = 100;

/// Characters of a name that someone else chose, in a detail.
const NAME_CHARS_MAX: usize = 100;

/// A place in a body.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    /// The item's, where there is one.
    pub index: Option<usize>,
    /// JSON Pointer from the body's root.
    pub pointer: String,
}

impl Place {
    pub fn below(&self, step: &str) -> Self {
        Self { index: self.index, pointer: format!("{}{}", self.pointer, pointer_step(step)) }
    }

    pub fn item(&self, index: usize) -> Self {
        Self { index: self.index.or(Some(index)), pointer: format!("{}/{index}", self.pointer) }
    }
}

/// Everything that is wrong with a body.
#[derive(Debug, Default)]
pub(super) struct Issues {
    found: Vec<(Code, InputIssue)>,
    more: usize,
}

impl Issues {
    pub fn add(&mut self, code: Code, place: &Place, detail: impl Into<String>) {
        if self.found.len() >= ISSUES_MAX {
            self.more += 1;
            return;
        }
        self.found.push((code, InputIssue::new(place.index, &*place.pointer, detail)));
    }

    /// Whether nothing is wrong.
    pub fn finish(self) -> Result<(), Refusal> {
        let gravest = |code: Code| self.found.iter().any(|(found, _)| *found == code).then_some(code);
        // What isn't known is told first: whoever sends it means something by it that nobody heeds.
        let graver = [Code::InvalidJson, Code::UnknownField, Code::LimitReached, Code::InvalidEvent];
        let Some(code) = graver.into_iter().find_map(gravest) else { return Ok(()) };
        let count = self.found.len() + self.more;
        let issues: Vec<InputIssue> = self.found.into_iter().map(|(_, issue)| issue).collect();
        let first = issues.first().map_or("", |issue| issue.detail.as_str());
        let detail = match count {
            1 => first.to_owned(),
            _ if self.more > 0 => {
                format!("{count} things are wrong, the first {ISSUES_MAX} are listed; first: {first}")
            }
            _ => format!("{count} things are wrong; first: {first}"),
        };
        Err(Refusal { code, detail, issues })
    }
}

/// The members of an object, and where it stands.
pub(super) struct Fields<'a> {
    members: Vec<Member<'a>>,
    pub place: Place,
}

impl<'a> Fields<'a> {
    /// The members of `json`; `None`, with an issue, where it is no object. Members that aren't `known` are issues; all
    /// are taken where there is no such list.
    pub fn read(json: &'a str, place: Place, known: Option<&[&str]>, issues: &mut Issues) -> Option<Self> {
        let Some(members) = members(json) else {
            issues.add(Code::InvalidEvent, &place, "this has to be an object");
            return None;
        };
        let unknown = |(key, _): &&Member<'a>| known.is_some_and(|known| !known.contains(&key.as_ref()));
        for (key, _) in members.iter().filter(unknown) {
            let known = known.unwrap_or_default().join("`, `");
            let detail = format!("unknown field `{}`; it can be `{known}`", short(key));
            issues.add(Code::UnknownField, &place.below(key), detail);
        }
        Some(Self { members, place })
    }

    /// Where the member of that name stands, or would.
    pub fn at(&self, name: &str) -> Place {
        self.place.below(name)
    }

    /// The JSON of a member; `None` where it is absent or null.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        member(&self.members, name)
    }

    /// All members, in order.
    pub fn all(&self) -> impl Iterator<Item = (&Cow<'a, str>, &'a str)> {
        self.members.iter().map(|(key, value)| (key, *value))
    }

    /// A member that is read by `read`, and is `what` where it isn't wrong.
    pub fn typed<T>(
        &self,
        name: &str,
        what: &str,
        read: impl Fn(&'a str) -> Option<T>,
        issues: &mut Issues,
    ) -> Option<T> {
        let json = self.get(name)?;
        let value = read(json);
        if value.is_none() {
            issues.add(Code::InvalidEvent, &self.at(name), format!("`{name}` has to be {what}"));
        }
        value
    }

    pub fn text(&self, name: &str, chars_max: usize, issues: &mut Issues) -> Option<String> {
        let text = self.typed(name, "a string", text, issues)?;
        check_length(&text, chars_max, &self.at(name), issues).then_some(text)
    }

    /// A string that has to be there and to say something: what can't be seen says nothing where it would be shown.
    pub fn required_text(&self, name: &str, chars_max: usize, issues: &mut Issues) -> Option<String> {
        self.require(name, issues)?;
        let text = self.text(name, chars_max, issues)?;
        if text.chars().all(is_blank) {
            issues.add(Code::InvalidEvent, &self.at(name), format!("`{name}` is empty"));
            return None;
        }
        Some(text)
    }

    /// The JSON of a member that has to be there.
    pub fn require(&self, name: &str, issues: &mut Issues) -> Option<&'a str> {
        let json = self.get(name);
        if json.is_none() {
            issues.add(Code::InvalidEvent, &self.at(name), format!("`{name}` is missing"));
        }
        json
    }

    pub fn boolean(&self, name: &str, issues: &mut Issues) -> Option<bool> {
        self.typed(name, "true or false", boolean, issues)
    }

    pub fn array(&self, name: &str, items_max: usize, issues: &mut Issues) -> Option<Vec<&'a str>> {
        let array = self.typed(name, "an array", items, issues)?;
        if array.len() > items_max {
            let detail = format!("`{name}` has {} items; the limit is {items_max}", array.len());
            issues.add(Code::LimitReached, &self.at(name), detail);
            return None;
        }
        Some(array)
    }

    /// A share of 0 to 1 as someone reports it: any number, also as a string. What reads as none counts as absent: `"NaN"`
    /// is the only way to send that.
    pub fn share(&self, name: &str, issues: &mut Issues) -> Option<f64> {
        let read = |json| number(json).or_else(|| text(json)?.trim().parse::<f64>().ok());
        self.typed(name, "a number", read, issues).filter(|number| number.is_finite())
    }
}

/// Whether a text isn't too long; an issue where it is.
pub(super) fn check_length(text: &str, chars_max: usize, place: &Place, issues: &mut Issues) -> bool {
    // No text has more characters than bytes, so most are never counted.
    if text.len() <= chars_max || text.chars().count() <= chars_max {
        return true;
    }
    let name = place.pointer.rsplit('/').next().unwrap_or_default();
    issues.add(Code::InvalidEvent, place, format!("`{name}` is longer than {chars_max} characters"));
    false
}

/// A name of someone else's, short enough to be quoted.
pub(super) fn short(name: &str) -> String {
    crate::domain::text::clean::one_line(name, NAME_CHARS_MAX)
}
