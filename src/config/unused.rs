//! Settings that somebody gave another value than the built-in one, and that change nothing beside the others: most often
//! one more is missing.

use super::{AuthMode, CacheBackend, Config, SynthesisProvider};

/// Keys that need another one.
struct Unused {
    /// Each with all that is below it.
    keys: &'static [&'static str],
    /// Whether the other one is missing.
    is_off: fn(&Config) -> bool,
    /// What is said behind the key.
    why: &'static str,
}

const UNUSED: &[Unused] = &[
    Unused {
        keys: &[
            "auth.jwt_secret",
            "auth.jwt_secret_previous",
            "auth.jwks",
            "auth.jwks_refresh_ms",
            "auth.jwks_stale_ms",
            "auth.jwt_issuer",
            "auth.jwt_audiences",
            "auth.keys",
            "auth.cookie_seconds",
            "auth.cookie_secure",
        ],
        is_off: |config| config.auth.mode == AuthMode::None,
        why: "auth.mode is none: callers are not asked for a token",
    },
    Unused {
        keys: &["auth.jwks_refresh_ms", "auth.jwks_stale_ms"],
        is_off: |config| config.auth.mode == AuthMode::Required && config.auth.jwks.is_empty(),
        why: "auth.jwks isn't",
    },
    Unused {
        keys: &["auth.jwt_secret_previous"],
        is_off: |config| config.auth.mode == AuthMode::Required && !config.auth.jwt_secret.is_set(),
        why: "auth.jwt_secret isn't: no JWT is taken by a secret",
    },
    Unused {
        keys: &["auth.jwt_issuer", "auth.jwt_audiences"],
        is_off: |config| {
            let auth = &config.auth;
            auth.mode == AuthMode::Required && auth.jwks.is_empty() && !auth.jwt_secret.is_set()
        },
        why: "neither auth.jwt_secret nor auth.jwks is: no JWT is taken",
    },
    Unused {
        keys: &["cache.redis_url", "cache.redis_ca_file", "cache.redis_timeout_ms"],
        is_off: |config| config.cache.backend == CacheBackend::Memory,
        why: "cache.backend is memory: sessions stay in this process",
    },
    Unused {
        keys: &["limits.sessions"],
        is_off: |config| config.cache.backend == CacheBackend::Redis,
        why: "cache.backend is redis: sessions are bounded by Redis' own maxmemory alone",
    },
    Unused {
        keys: &["cache.redis_ca_file"],
        is_off: |config| {
            let url = config.cache.redis_url.expose();
            config.cache.backend == CacheBackend::Redis && !url.contains("rediss:")
        },
        why: "cache.redis_url isn't rediss://: its connections aren't encrypted",
    },
    Unused {
        keys: &[
            "archive.batch_entries",
            "archive.batch_bytes",
            "archive.batch_wait_ms",
            "archive.look_after_ms",
            "archive.retention_days",
        ],
        is_off: |config| config.archive.url().is_none(),
        why: "archive.url is none: nothing is archived",
    },
    Unused {
        keys: &["safety.webhook_secret"],
        is_off: |config| config.safety.webhook_url.is_empty(),
        why: "safety.webhook_url isn't: nothing is posted",
    },
    Unused {
        keys: &[
            "synthesis.base_url",
            "synthesis.model",
            "synthesis.api_key",
            "synthesis.schema",
            "synthesis.context_tokens",
            "synthesis.token_factor",
            "synthesis.input_price",
            "synthesis.output_price",
            "synthesis.timeout_ms",
            "synthesis.idle_timeout_ms",
            "synthesis.attempts",
            "synthesis.calls_max",
            "synthesis.delta_ms",
            "synthesis.cache_seconds",
            "synthesis.cache_bytes",
            "synthesis.request",
            "synthesis.session",
        ],
        is_off: |config| config.synthesis.provider == SynthesisProvider::None,
        why: "synthesis.provider is none: no model is asked",
    },
    Unused {
        keys: &["synthesis.fallback"],
        is_off: |config| !config.synthesis.fallback.is_set(),
        why: "its provider is none: it isn't asked",
    },
    Unused {
        keys: &["synthesis.judge"],
        is_off: |config| !config.synthesis.judge.is_set(),
        why: "its provider is none: it isn't asked",
    },
];

/// A sentence for each.
pub(super) fn warnings(config: &Config) -> Vec<String> {
    let mut warnings = Vec::new();
    for Unused { keys, why, .. } in UNUSED.iter().filter(|unused| (unused.is_off)(config)) {
        let set = keys.iter().filter(|key| config.origins.has_changed(key));
        warnings.extend(set.map(|key| format!("{key} is set, but {why}")));
    }
    let is_file = config.archive.url().is_some_and(|url| url.starts_with("sqlite:"));
    if is_file && config.cache.backend == CacheBackend::Redis {
        warnings.push(
            "archive.url is a file (sqlite), which one process may have, but cache.backend is redis: several replicas need \
             PostgreSQL"
                .to_owned(),
        );
    }
    warnings
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::config::ConfigArgs;

    const LONG: &str = "a secret that nobody can search for";

    fn warned(variables: &[(&str, &str)]) -> Vec<String> {
        let variables =
            variables.iter().map(|(name, value)| (format!("TRIBUTARY_{name}").into(), value.into()));
        let config = Config::load_with(&ConfigArgs::default(), variables).unwrap();
        let first = |warning: String| warning.split(' ').next().unwrap_or_default().to_owned();
        warnings(&config).into_iter().map(first).collect()
    }

    #[test]
    fn what_lacks_another_setting_is_told_and_what_has_it_is_not() {
        for (unused, other) in [
            (("CACHE__REDIS_URL", "redis://h:1"), &[("CACHE__BACKEND", "redis")][..]),
            (
                ("CACHE__REDIS_CA_FILE", "/ca.pem"),
                &[("CACHE__BACKEND", "redis"), ("CACHE__REDIS_URL", "rediss://h")],
            ),
            (("AUTH__COOKIE_SECURE", "true"), &[("AUTH__MODE", "required"), ("AUTH__JWT_SECRET", LONG)]),
            (("SYNTHESIS__MODEL", "m"), &[("SYNTHESIS__PROVIDER", "openai")]),
            (
                ("SYNTHESIS__REQUEST__CALLS", "3"),
                &[("SYNTHESIS__PROVIDER", "openai"), ("SYNTHESIS__MODEL", "m")],
            ),
            (
                ("SAFETY__WEBHOOK_SECRET", "a secret of this test"),
                &[("SAFETY__WEBHOOK_URL", "https://h.example/"), ("INVOKE__ALLOWED_HOSTS", "h.example")],
            ),
            (("ARCHIVE__RETENTION_DAYS", "7"), &[("ARCHIVE__URL", "sqlite://a.db")]),
            (("AUTH__JWT_ISSUER", "i"), &[("AUTH__MODE", "required"), ("AUTH__JWT_SECRET", LONG)]),
        ] {
            let key = unused.0.to_lowercase().replace("__", ".");
            let told = warned(&[unused]);
            assert!(told.len() == 1 && key.starts_with(&told[0]), "{key}: {told:?}");
            assert_eq!(warned(&[other, &[unused]].concat()), [""; 0], "{key}");
        }
        let previous = [("AUTH__MODE", "required"), ("AUTH__JWT_SECRET_PREVIOUS", LONG)];
        assert_eq!(warned(&[&previous[..], &[("AUTH__JWT_SECRET", LONG)]].concat()), [""; 0]);
        let by_keys = [&previous[..], &[("AUTH__JWKS", "keys.json"), ("AUTH__JWT_AUDIENCES", "us")]].concat();
        assert_eq!(warned(&by_keys), ["auth.jwt_secret_previous"]);
        let jwt =
            [("AUTH__MODE", "required"), ("AUTH__JWKS", "keys.json"), ("AUTH__JWKS_REFRESH_MS", "2000")];
        assert_eq!(warned(&jwt), [""; 0]);
        let plain = [("CACHE__BACKEND", "redis"), ("CACHE__REDIS_URL", "redis://h:1")];
        assert_eq!(
            warned(&[&plain[..], &[("CACHE__REDIS_CA_FILE", "/ca.pem")]].concat()),
            ["cache.redis_ca_file"]
        );
        assert_eq!(warned(&[&plain[..], &[("LIMITS__SESSIONS", "1000")]].concat()), ["limits.sessions"]);
        assert_eq!(warned(&[("LIMITS__SESSIONS", "1000")]), [""; 0]);
    }

    #[test]
    fn what_is_set_as_it_is_built_in_is_no_news() {
        let usual =
            [("ARCHIVE__RETENTION_DAYS", "90"), ("ARCHIVE__URL", "none"), ("SYNTHESIS__PROVIDER", "none")];
        assert_eq!(warned(&usual), [""; 0]);
        assert_eq!(warned(&[("ARCHIVE__RETENTION_DAYS", "91")]), ["archive.retention_days"]);
    }

    #[test]
    fn a_file_for_several_replicas_is_told() {
        let redis = [("CACHE__BACKEND", "redis"), ("CACHE__REDIS_URL", "redis://h")];
        let with = |url: &'static str| warned(&[&redis[..], &[("ARCHIVE__URL", url)]].concat());
        assert_eq!(with("sqlite://a.db"), ["archive.url"]);
        assert_eq!(with("postgres://h/t"), [""; 0]);
        assert_eq!(warned(&[("ARCHIVE__URL", "sqlite://a.db")]), [""; 0]);
    }

    #[test]
    fn every_key_of_the_table_is_one() {
        let built_in = Config::load_with(&ConfigArgs::default(), []).unwrap();
        assert_eq!(warnings(&built_in), [""; 0]);
        let known: BTreeSet<String> = crate::config::reference()
            .split(['`', '\n'])
            .flat_map(|word| [word.to_owned(), word.trim_matches(['[', ']']).to_owned()])
            .collect();
        for key in UNUSED.iter().flat_map(|unused| unused.keys) {
            assert!(known.contains(*key), "{key}");
        }
    }
}
