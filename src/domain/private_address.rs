//! Which addresses aren't the public internet, so that nobody makes the service call what only it can reach.
//!
//! Source: the IANA registries of special-purpose addresses for IPv4 and IPv6 (RFC 6890, RFC 8190). An IPv6 address that
//! carries an IPv4 one (mapped, compatible, NAT64, 6to4, Teredo) is as private as the one it carries, since a gateway
//! takes the packet there.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

#[cfg(test)]
mod tests;

/// Blocks of IPv4, as address and length of the prefix in bits.
const PRIVATE_V4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),      // "this network"; 0.0.0.0 reaches this machine
    ([10, 0, 0, 0], 8),     // RFC 1918
    ([100, 64, 0, 0], 10),  // carriers' NAT, RFC 6598; clouds keep metadata there too
    ([127, 0, 0, 0], 8),    // loopback
    ([169, 254, 0, 0], 16), // link-local; 169.254.169.254 is a cloud's metadata
    ([172, 16, 0, 0], 12),  // RFC 1918
    ([192, 0, 0, 0], 24),   // IETF protocol assignments
    ([192, 0, 2, 0], 24),   // documentation, RFC 5737
    ([192, 168, 0, 0], 16), // RFC 1918
    ([198, 18, 0, 0], 15),  // benchmarks, RFC 2544
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    ([224, 0, 0, 0], 4), // multicast
    ([240, 0, 0, 0], 4), // reserved, and broadcast
];

/// Blocks of IPv6, as the first 32 bits and the length of the prefix in bits.
const PRIVATE_V6: &[(u32, u32)] = &[
    (0x0100_0000, 32), // discard-only 100::/64, RFC 6666, and what nobody assigned around it
    (0x2001_0db8, 32), // documentation, RFC 3849
    (0x3fff_0000, 20), // documentation, RFC 9637
    (0x5f00_0000, 16), // segment routing, RFC 9602
    (0xfc00_0000, 7),  // unique local, RFC 4193
    (0xfe80_0000, 10), // link-local
    (0xfec0_0000, 10), // site-local, given up by RFC 3879
    (0xff00_0000, 8),  // multicast
];

/// Whether an address is private, loopback, link-local, multicast, reserved, or an IPv6 address that leads to such a one.
pub fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => is_private_v6(address),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let bits = u32::from(address);
    PRIVATE_V4.iter().any(|(block, length)| has_prefix(bits, u32::from_be_bytes(*block), *length))
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    let bits = u128::from(address);
    let first = (bits >> 96) as u32;
    PRIVATE_V6.iter().any(|(block, length)| has_prefix(first, *block, *length))
        || is_local_use_nat64(address)
        || carried(address).is_some_and(is_private_v4)
}

/// `64:ff9b:1::/48`, RFC 8215: for use inside a network, so whatever it carries.
fn is_local_use_nat64(address: Ipv6Addr) -> bool {
    matches!(address.segments(), [0x64, 0xff9b, 1, ..])
}

/// The IPv4 address that an IPv6 address carries.
///
/// `::` and `::1` are IPv4-compatible by their form, and come out as 0.0.0.0 and 0.0.0.1, which are private as they are.
fn carried(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let of = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match address.segments() {
        [0, 0, 0, 0, 0, 0, high, low] => Some(of(high, low)), // compatible, RFC 4291 §2.5.5.1
        [0, 0, 0, 0, 0, 0xffff, high, low] => Some(of(high, low)), // mapped, RFC 4291 §2.5.5.2
        [0, 0, 0, 0, 0xffff, 0, high, low] => Some(of(high, low)), // translated, RFC 2765 §2.1
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(of(high, low)), // NAT64, RFC 6052
        [0x2002, high, low, ..] => Some(of(high, low)),       // 6to4, RFC 3056
        [0x2001, 0, .., high, low] => Some(of(!high, !low)),  // Teredo's client, RFC 4380 §4: inverted
        _ => None,
    }
}

/// Whether the first `length` bits are those of `block`; `length` is 1 to 32.
fn has_prefix(bits: u32, block: u32, length: u32) -> bool {
    (bits ^ block) >> (32 - length) == 0
}
