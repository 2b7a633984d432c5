//! Settings that can be used, but won't do what somebody expects of them: told at the start and by `check` alike.

use jiff::Timestamp;

use super::{AuthMode, Config};
use crate::domain::access::SECRET_BYTES_ENOUGH;

/// A sentence for each, as things stand `now`.
pub(super) fn warnings(config: &Config, now: Timestamp) -> Vec<String> {
    let auth = &config.auth;
    let mut warnings = Vec::new();
    if auth.mode == AuthMode::None {
        return warnings;
    }
    let short = auth.jwt_secrets().filter(|(_, secret)| secret.expose().len() < SECRET_BYTES_ENOUGH);
    warnings.extend(short.map(|(key, _)| {
        format!("{key} is shorter than {SECRET_BYTES_ENOUGH} bytes: whoever has a token can search for it")
    }));
    if !auth.jwks.is_empty() && auth.jwt_audiences.is_empty() {
        warnings.push(
            "auth.jwks is set without auth.jwt_audiences: tokens that its issuer made for others are taken as well"
                .to_owned(),
        );
    }
    let expired = auth.keys.iter().filter_map(|(name, key)| Some((name, key.expires.as_ref()?)));
    let expired = expired.filter(|(_, text)| text.parse::<Timestamp>().is_ok_and(|end| end <= now));
    warnings.extend(
        expired.map(|(name, end)| format!("auth.keys.{name} has expired, on {end}: it opens nothing")),
    );
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ConfigArgs;

    #[test]
    fn what_opens_less_or_more_than_meant_is_told() {
        let hash = format!("sha256:{}", "a".repeat(64));
        let key = [("AUTH__KEYS__CRM__HASH", &*hash), ("AUTH__KEYS__CRM__SCOPES", "read")];
        for (set, begins) in [
            (&[("AUTH__JWT_SECRET", "1234567890123456789012345678901")][..], "auth.jwt_secret is shorter"),
            (&[("AUTH__JWT_SECRET", "12345678901234567890123456789012")], ""),
            (
                &[
                    ("AUTH__JWT_SECRET", "12345678901234567890123456789012"),
                    ("AUTH__JWT_SECRET_PREVIOUS", "1234567890"),
                ],
                "auth.jwt_secret_previous is shorter",
            ),
            (&[("AUTH__JWKS", "keys.json")], "auth.jwks is set without"),
            (&[("AUTH__JWKS", "keys.json"), ("AUTH__JWT_AUDIENCES", "us")], ""),
            (
                &[key[0], key[1], ("AUTH__KEYS__CRM__EXPIRES", "2026-12-01T00:00:00Z")],
                "auth.keys.crm has expired",
            ),
            (&[key[0], key[1], ("AUTH__KEYS__CRM__EXPIRES", "2026-12-01T00:00:01Z")], ""),
            (&key, ""),
        ] {
            let variables = set.iter().chain(&[("AUTH__MODE", "required")]);
            let variables = variables.map(|(name, value)| (format!("TRIBUTARY_{name}").into(), value.into()));
            let config = Config::load_with(&ConfigArgs::default(), variables).unwrap();
            let told = warnings(&config, "2026-12-01T00:00:00Z".parse().unwrap());
            assert_eq!(told.len(), usize::from(!begins.is_empty()), "{set:?}: {told:?}");
            assert!(told.iter().all(|text| text.starts_with(begins)), "{told:?}");
        }
    }
}
