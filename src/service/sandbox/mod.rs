//! What a sandbox has beyond the API: faults on demand, and people who keep it alive.

mod faults;
mod life;

pub use faults::{Affliction, Broken, FaultList, inflict};
pub use life::live;

use uuid::Uuid;

/// An id for something new. It names, it does not protect: a plain generator will do.
pub fn random_uuid() -> Uuid {
    uuid::Builder::from_random_bytes(fastrand::u128(..).to_be_bytes()).into_uuid()
}
