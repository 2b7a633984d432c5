//! Scopes: the four things that a token may be for. None of them holds another.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One thing that a token may be for. `admin` alone opens no session: who also reads, has `read` as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Send directives, cancel steps, ask for syntheses.
    Plan,
    /// Publish events of subagents.
    Publish,
    /// Read sessions, steps and results.
    Read,
    /// Look at what concerns the service: metrics, analytics, discrepancies.
    Admin,
}

impl Scope {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Plan, Self::Publish, Self::Read, Self::Admin];

    /// As tokens and the configuration name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Publish => "publish",
            Self::Read => "read",
            Self::Admin => "admin",
        }
    }

    fn bit(self) -> u8 {
        match self {
            Self::Plan => 1,
            Self::Publish => 2,
            Self::Read => 4,
            Self::Admin => 8,
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no scope.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a scope is one of plan, publish, read, admin")]
pub struct UnknownScope;

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        Self::ALL.into_iter().find(|scope| scope.name() == text).ok_or(UnknownScope)
    }
}

/// A set of scopes. As JSON an array of names; a name that isn't known is an error there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Scopes(u8);

impl Scopes {
    /// Whether it is in the set.
    pub fn contains(self, scope: Scope) -> bool {
        self.0 & scope.bit() != 0
    }

    /// Those that are in the set, in the order of [`Scope::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.contains(*scope))
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | scope.bit()))
    }
}

impl fmt::Debug for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for Scopes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Scopes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Scope>::deserialize(deserializer).map(Self::from_iter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scope_holds_itself_and_no_other() {
        for scope in Scope::ALL {
            let scopes = Scopes::from_iter([scope]);
            let held: Vec<Scope> = scopes.iter().collect();
            assert_eq!(held, [scope]);
            assert_eq!(scope.name().parse(), Ok(scope));
            assert_eq!(serde_json::to_string(&scopes).unwrap(), format!("[\"{scope}\"]"));
        }
        assert_eq!("root".parse::<Scope>(), Err(UnknownScope));
        assert_eq!("Read".parse::<Scope>(), Err(UnknownScope));
    }

    #[test]
    fn every_set_comes_back_from_its_json() {
        for bits in 0..16 {
            let scopes = Scopes(bits);
            let json = serde_json::to_string(&scopes).unwrap();
            assert_eq!(serde_json::from_str::<Scopes>(&json).unwrap(), scopes, "{json}");
        }
        assert!(serde_json::from_str::<Scopes>(r#"["read","root"]"#).is_err());
    }
}
