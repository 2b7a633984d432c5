//! Tables of both sides of every border.

use proptest::prelude::*;

use super::*;

fn private(text: &str) -> bool {
    is_private(text.parse().unwrap())
}

#[test]
fn first_and_last_of_every_block_are_private_and_their_neighbours_are_not() {
    for (before, first, last, after) in [
        ("", "0.0.0.0", "0.255.255.255", "1.0.0.0"),
        ("9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"),
        ("100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"),
        ("126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"),
        ("169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"),
        ("172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"),
        ("191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"),
        ("192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"),
        ("192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"),
        ("198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"),
        ("198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"),
        ("203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"),
        ("223.255.255.255", "224.0.0.0", "255.255.255.255", ""),
        ("", "::", "::1", "::1.0.0.0"),
        ("fbff:ffff::", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fe00::"),
        ("fe7f:ffff::", "fe80::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""),
        ("", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", ""),
        ("2001:db7::", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"),
        ("64:ff9b:0:ffff::", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "64:ff9b:2::"),
        ("ff:ffff::", "100::", "100::ffff:ffff:ffff:ffff", "101::"),
        ("3ffe:ffff::", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"),
        ("5eff:ffff::", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "5f01::"),
    ] {
        for neighbour in [before, after].into_iter().filter(|text| !text.is_empty()) {
            assert!(!private(neighbour), "{neighbour}");
        }
        assert!(private(first) && private(last), "{first} to {last}");
    }
}

#[test]
fn public_addresses_are_public() {
    for text in
        ["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::200e", "2001:4860::8888"]
    {
        assert!(!private(text), "{text}");
    }
}

#[test]
fn a_metadata_service_is_private_however_it_is_written() {
    for text in [
        "169.254.169.254",
        "::ffff:169.254.169.254",
        "::ffff:0:169.254.169.254",
        "::169.254.169.254",
        "64:ff9b::169.254.169.254",
        "2002:a9fe:a9fe::",
        "2001:0:1:2:3:4:5601:5601",
        "fd00:ec2::254",
    ] {
        assert!(private(text), "{text}");
    }
}

/// The five ways to carry an IPv4 address.
fn carriers(carried: Ipv4Addr) -> [Ipv6Addr; 6] {
    let bits = u128::from(u32::from(carried));
    [
        bits,
        (0xffff << 32) | bits,
        (0xffff << 48) | bits,
        (0x64_ff9b << 96) | bits,
        (0x2002 << 112) | (bits << 80) | 0x1,
        (0x2001_0000 << 96) | (0x0102_0304 << 64) | (bits ^ 0xffff_ffff),
    ]
    .map(Ipv6Addr::from)
}

proptest! {
    #[test]
    fn an_ipv6_address_is_as_private_as_the_ipv4_address_it_carries(bits: u32) {
        let carried = Ipv4Addr::from(bits);
        for carrier in carriers(carried) {
            prop_assert_eq!(is_private(carrier.into()), is_private(carried.into()), "{} in {}", carried, carrier);
        }
    }

    #[test]
    fn what_the_standard_library_calls_private_is_private(bits: u32) {
        let address = Ipv4Addr::from(bits);
        let is_known = address.is_private() || address.is_loopback() || address.is_link_local()
            || address.is_multicast() || address.is_broadcast() || address.is_documentation();
        prop_assert!(!is_known || is_private(address.into()), "{}", address);
    }
}
