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
    // Name servers that answer for private networks, and relays of multicast.
    (Ipv4Addr::new(192, 31, 196, 0), 24),
    (Ipv4Addr::new(192, 52, 193, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(192, 175, 48, 0), 24),
    // A cloud's own service for its machines, on a public address.
    (Ipv4Addr::new(168, 63, 129, 16), 32),
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
    (Ipv6Addr::new(0x2620, 0x4f, 0x8000, 0, 0, 0, 0, 0), 48),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];
/// All addresses of IPv6 that have been given out to the public.
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
/// Addresses that a translator turns into those of IPv4.
const TRANSLATED_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// Endings of names that mean something inside of a network only; clouds serve a machine's credentials under some.
const CLOSED_NAMES: &[&str] = &["localhost", "local", "internal", "home.arpa", "instance-data", "metadata"];

/// Whether a name may be that of a public host, whatever it is resolved to.
pub(super) fn is_public_name(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let is_in = |ending: &&str| name.strip_suffix(*ending).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    !CLOSED_NAMES.iter().any(is_in)
}

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

    /// The special-purpose registries of IANA, each range by its first and last address. Those that are reached from
    /// everywhere are closed too where they are no place for a receiver.
    const IANA: &[(&str, &str, &str)] = &[
        ("this network", "0.0.0.0", "0.255.255.255"),
        ("private use", "10.0.0.0", "10.255.255.255"),
        ("shared address space", "100.64.0.0", "100.127.255.255"),
        ("loopback", "127.0.0.0", "127.255.255.255"),
        ("link local", "169.254.0.0", "169.254.255.255"),
        ("private use", "172.16.0.0", "172.31.255.255"),
        ("IETF protocol assignments", "192.0.0.0", "192.0.0.255"),
        ("IPv4 service continuity", "192.0.0.0", "192.0.0.7"),
        ("IPv4 dummy address", "192.0.0.8", "192.0.0.8"),
        ("port control protocol anycast", "192.0.0.9", "192.0.0.9"),
        ("TURN anycast", "192.0.0.10", "192.0.0.10"),
        ("NAT64 discovery", "192.0.0.170", "192.0.0.171"),
        ("TEST-NET-1", "192.0.2.0", "192.0.2.255"),
        ("AS112-v4", "192.31.196.0", "192.31.196.255"),
        ("AMT", "192.52.193.0", "192.52.193.255"),
        ("6to4 relay anycast", "192.88.99.0", "192.88.99.255"),
        ("private use", "192.168.0.0", "192.168.255.255"),
        ("direct delegation AS112", "192.175.48.0", "192.175.48.255"),
        ("benchmarking", "198.18.0.0", "198.19.255.255"),
        ("TEST-NET-2", "198.51.100.0", "198.51.100.255"),
        ("TEST-NET-3", "203.0.113.0", "203.0.113.255"),
        ("multicast", "224.0.0.0", "239.255.255.255"),
        ("reserved", "240.0.0.0", "255.255.255.255"),
        ("limited broadcast", "255.255.255.255", "255.255.255.255"),
        ("unspecified", "::", "::"),
        ("loopback", "::1", "::1"),
        ("IPv4-mapped, of a private network", "::ffff:10.0.0.0", "::ffff:10.255.255.255"),
        ("NAT64, of a private network", "64:ff9b::10.0.0.0", "64:ff9b::10.255.255.255"),
        ("NAT64, of a cloud's metadata", "64:ff9b::169.254.169.254", "64:ff9b::169.254.169.254"),
        ("local NAT64", "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"),
        ("discard only", "100::", "100::ffff:ffff:ffff:ffff"),
        ("dummy prefix", "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff"),
        ("IETF protocol assignments", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("Teredo", "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("port control protocol anycast", "2001:1::1", "2001:1::1"),
        ("TURN anycast", "2001:1::2", "2001:1::2"),
        ("DNS-SD anycast", "2001:1::3", "2001:1::3"),
        ("benchmarking", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"),
        ("AMT", "2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("AS112-v6", "2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff"),
        ("ORCHID", "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("ORCHIDv2", "2001:20::", "2001:2f:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("drone remote identification", "2001:30::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("documentation", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("6to4", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("direct delegation AS112", "2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"),
        ("documentation", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("segment routing", "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("unique local", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("link local", "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        ("multicast", "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
        // In none of the registries: the metadata of clouds.
        ("metadata", "169.254.169.254", "169.254.169.254"),
        ("metadata", "168.63.129.16", "168.63.129.16"),
        ("metadata", "100.100.100.200", "100.100.100.200"),
        ("metadata", "192.0.0.192", "192.0.0.192"),
        ("metadata", "fd00:ec2::254", "fd00:ec2::254"),
    ];

    #[test]
    fn every_range_of_a_special_purpose_is_closed_from_its_first_to_its_last_address() {
        for (name, first, last) in IANA {
            for address in [first, last] {
                assert!(!is_public(address.parse().unwrap()), "{name}: {address}");
            }
        }
    }

    #[test]
    fn names_of_the_inside_are_closed_whatever_they_are_resolved_to() {
        for closed in [
            "localhost",
            "a.localhost",
            "LOCALHOST.",
            "metadata.google.internal",
            "metadata",
            "instance-data",
            "printer.local",
            "router.home.arpa",
        ] {
            assert!(!is_public_name(closed), "{closed}");
        }
        for public in ["example.com", "internal.example.com", "mylocalhost", "local.example", "metadata.example.com"] {
            assert!(is_public_name(public), "{public}");
        }
    }
}
