//! Draws that are the same on every platform: whole numbers only, and none of the machine's width.

use fastrand::Rng;

/// A generator for one user: two users with the same seed live different lives.
pub(super) fn rng(seed: u64, email: &str) -> Rng {
    let user = email.bytes().fold(0, |hash, byte| mix(hash ^ u64::from(byte)));
    Rng::with_seed(mix(seed ^ user))
}

/// Spreads a number over all 64 bits (the finalizer of `SplitMix64`).
pub(super) fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// One of a list; `None` of an empty one.
pub(super) fn one<'a, T>(rng: &mut Rng, list: &'a [T]) -> Option<&'a T> {
    let length = u32::try_from(list.len()).ok().filter(|length| *length > 0)?;
    list.get(rng.u32(..length) as usize)
}

/// True in so many of 100 cases.
pub(super) fn percent(rng: &mut Rng, cases: u32) -> bool {
    rng.u32(..100) < cases
}
