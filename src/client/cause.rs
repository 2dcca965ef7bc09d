//! Short causes for people out of the error chains of the HTTP library. No URL is ever part of one.

use super::{ClientConfig, FailureKind};
use std::error::Error;
use std::io;
use std::time::Duration;

/// What became of a try that brought no answer at all.
pub(super) fn of_sending(error: &reqwest::Error, config: &ClientConfig) -> FailureKind {
    if error.is_builder() {
        return FailureKind::Internal(root_cause(error));
    }
    match (error.is_connect(), error.is_timeout()) {
        (true, true) => FailureKind::Unreachable(format!("no connection within {}", spell(config.connect_timeout))),
        (true, false) => FailureKind::Unreachable(root_cause(error)),
        (false, true) => FailureKind::NoAnswer(format!("timed out after {}", spell(config.deadline))),
        (false, false) => FailureKind::NoAnswer(root_cause(error)),
    }
}

/// What became of a try whose head came and whose body did not.
pub(super) fn of_reading(error: &reqwest::Error, config: &ClientConfig) -> FailureKind {
    if error.is_timeout() {
        return FailureKind::NoAnswer(format!("timed out after {}", spell(config.deadline)));
    }
    let corrupt = chain(error)
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| matches!(cause.kind(), io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput));
    if corrupt {
        FailureKind::Unreadable(format!("broken compression: {}", root_cause(error)))
    } else {
        FailureKind::NoAnswer(root_cause(error))
    }
}

/// A duration as people write it: `30 s`, `80 ms`.
pub(crate) fn spell(duration: Duration) -> String {
    if duration.subsec_millis() == 0 && duration.as_secs() > 0 {
        format!("{} s", duration.as_secs())
    } else if duration.as_secs() > 0 {
        format!("{:.1} s", duration.as_secs_f64())
    } else {
        format!("{} ms", duration.as_millis())
    }
}

/// A wait that a server asks for: `20 s`, `5 min`, `3 h`, `3 days`.
pub(crate) fn spell_wait(wait: Duration) -> String {
    const MINUTE: u64 = 60;
    match wait.as_secs() {
        seconds if seconds < 2 * MINUTE => spell(wait),
        seconds if seconds < 120 * MINUTE => format!("{} min", seconds.div_ceil(MINUTE)),
        seconds if seconds < 48 * 60 * MINUTE => format!("{} h", seconds.div_ceil(60 * MINUTE)),
        seconds => format!("{} days", seconds.div_ceil(24 * 60 * MINUTE)),
    }
}

/// The innermost cause that means something to a person.
pub(super) fn root_cause(error: &reqwest::Error) -> String {
    let mut innermost = String::new();
    for cause in chain(error).skip(1) {
        innermost = cause.to_string();
        if innermost == "dns error" {
            return "name not found".to_owned();
        }
        if let Some(cause) = cause.downcast_ref::<io::Error>() {
            if let Some(tls) = cause.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
                return format!("TLS: {tls}");
            }
            // The kinds that std names well; its texts for the system's errors end in "(os error 111)".
            if cause.raw_os_error().is_some() && !cause.kind().to_string().starts_with("uncategorized") {
                return cause.kind().to_string();
            }
        }
    }
    if innermost.is_empty() { "the connection broke".to_owned() } else { innermost }
}

/// The error and its sources, outermost first.
fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(Some(error as &(dyn Error + 'static)), |error| (*error).source())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_spelled_for_people() {
        assert_eq!(spell(Duration::from_secs(30)), "30 s");
        assert_eq!(spell(Duration::from_millis(1_500)), "1.5 s");
        assert_eq!(spell(Duration::from_millis(80)), "80 ms");
    }
}
