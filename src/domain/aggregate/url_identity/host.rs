//! Hosts: what is registrable, and which subdomains are only another face of the same site.

use super::policy;

/// The registrable domain of an ASCII host, or the host itself where it has none.
pub(super) fn registrable(host: &str) -> &str {
    if is_address(host) { host } else { psl::domain_str(host).unwrap_or(host) }
}

/// Whether `host` is `domain` or lies under it, label by label.
pub(in super::super) fn is_under(host: &str, domain: &str) -> bool {
    host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Whether `host` lies under any of `domains`.
pub(super) fn is_under_any(host: &str, domains: &[&str]) -> bool {
    domains.iter().any(|domain| is_under(host, domain))
}

/// `host` without the labels that name a presentation (`www`, `m`, `mobile`, `amp`), never past its registrable domain.
pub(super) fn bare(host: &str) -> &str {
    let whole = host;
    let mut host = host;
    while let Some((label, rest)) = host.split_once('.') {
        // The list is asked last: most hosts have no such label.
        if !policy::PRESENTATION_LABELS.contains(&label) || rest.len() < registrable(whole).len() {
            break;
        }
        host = rest;
    }
    host
}

/// [`bare`], and without the `m` inside the hosts of Wikimedia's wikis (`en.m.wikipedia.org`).
pub(super) fn canonical(host: &str) -> String {
    let host = bare(host);
    match host.split_once(".m.") {
        Some((language, site)) if is_under_any(site, policy::WIKIS_WITH_MOBILE_INSIDE) => {
            format!("{language}.{site}")
        }
        Some(_) | None => host.to_owned(),
    }
}

/// Where a page of a site that moved is now.
pub(super) fn moved<'a>(host: &'a str, path: &'a str) -> (&'a str, std::borrow::Cow<'a, str>) {
    for (old_host, old_path, new_host, new_path) in policy::MOVES {
        if host == *old_host
            && let Some(rest) = path.strip_prefix(old_path)
        {
            return (new_host, format!("{new_path}{rest}").into());
        }
    }
    (host, path.into())
}

/// IPv6 hosts stand in brackets; a host whose last label is a number is IPv4 (URL standard §3.5).
fn is_address(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or(host);
    host.starts_with('[') || (!last.is_empty() && last.bytes().all(|b| b.is_ascii_digit()))
}
