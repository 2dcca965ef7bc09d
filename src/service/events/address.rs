//! Which addresses a delivery may go to where the service is open to strangers: those of the public internet, and none
//! through which a receiver could make the service talk to its own neighbours.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks of IPv4 that are nobody's public address, with the length of their prefix.
const CLOSED_V4: &[(Ipv4Addr, u32)] = &[
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    // Shared by the customers of a carrier.
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    // Link-local; clouds tell a machine its credentials there.
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // Multicast, reserved, broadcast.
    (Ipv4Addr::new(224, 0, 0, 0), 3),
];

/// Networks of IPv6 inside the global unicast ones that are nobody's public address.
const CLOSED_V6: &[(Ipv6Addr, u32)] = &[
    // Special purposes, Teredo among them.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    // 6to4: an IPv4 address in other clothes.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];
/// All addresses of IPv6 that have been given out to the public.
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
/// Addresses that a translator turns into those of IPv4.
const TRANSLATED_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// Whether an address is a public one.
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => !CLOSED_V4.iter().any(|&net| in_v4(v4, net)),
        IpAddr::V6(v6) => match embedded(v6) {
            Some(v4) => is_public(v4.into()),
            None => in_v6(v6, GLOBAL_V6) && !CLOSED_V6.iter().any(|&net| in_v6(v6, net)),
        },
    }
}

/// The IPv4 address that is really meant.
fn embedded(v6: Ipv6Addr) -> Option<Ipv4Addr> {
    let low = || v6.to_bits().to_be_bytes().last_chunk::<4>().map(|octets| Ipv4Addr::from(*octets));
    v6.to_ipv4_mapped().or_else(|| if in_v6(v6, TRANSLATED_V6) { low() } else { None })
}

fn in_v4(address: Ipv4Addr, (net, prefix): (Ipv4Addr, u32)) -> bool {
    (address.to_bits() ^ net.to_bits()).leading_zeros() >= prefix
}

fn in_v6(address: Ipv6Addr, (net, prefix): (Ipv6Addr, u32)) -> bool {
    (address.to_bits() ^ net.to_bits()).leading_zeros() >= prefix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_are_not_public_are_told_apart_from_those_that_are() {
        for closed in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.9.9.9",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "203.0.113.9",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "4000::1",
        ] {
            assert!(!is_public(closed.parse().unwrap()), "{closed}");
        }
        for public in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.1",
            "100.63.255.255",
            "100.128.0.1",
            "126.0.0.1",
            "128.0.0.1",
            "172.15.255.255",
            "172.32.0.1",
            "192.167.1.1",
            "198.17.0.1",
            "198.20.0.1",
            "223.255.255.255",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
            "2001:200::1",
            "2606:4700::1111",
            "2a00:1450::1",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }
}
