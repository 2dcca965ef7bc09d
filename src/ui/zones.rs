//! Time zones by name, from the data built into the program: the interface reads no files.

use jiff::tz::{TimeZone, TimeZoneDatabase};
use std::sync::LazyLock;

static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// The zone of an IANA name.
pub fn zone(name: &str) -> Option<TimeZone> {
    ZONES.get(name).ok()
}

/// All names, sorted.
pub fn names() -> Vec<String> {
    ZONES.available().map(|name| name.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_built_in() {
        assert!(zone("Europe/Berlin").is_some() && zone("Mars/Olympus").is_none());
        assert!(names().len() > 400);
    }
}
