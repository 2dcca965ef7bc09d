//! What the tests of all modules share.

use proptest::test_runner::{Config, FileFailurePersistence};

/// The defaults of proptest, with regressions kept below `tests`.
pub fn properties() -> Config {
    let persistence = FileFailurePersistence::SourceParallel("tests/proptest-regressions");
    Config { failure_persistence: Some(Box::new(persistence)), ..Config::default() }
}
