//! The panes: each has its state, what its keys do, and its drawing.

pub mod activity;
pub mod api_keys;
pub mod assistants;
pub mod catalogue;
pub mod conversations;
pub mod knowledge;
pub mod messaging;
pub mod tools;

use crate::client::{Failure, FailureKind, spell};

/// What failed and why, for people: "Conversations: the server did not answer (timed out after 30 s)".
pub fn explain(failure: &Failure) -> String {
    match &failure.kind {
        FailureKind::Unreachable(cause) => format!("the server cannot be reached ({cause})"),
        FailureKind::NoAnswer(cause) => format!("the server did not answer ({cause})"),
        FailureKind::Status { status: 401, .. } => {
            "the server does not accept the token (401); check SWITCHBOARD_TOKEN or the profile".to_owned()
        }
        FailureKind::Status { status: 429, retry_after, .. } => {
            let wait = retry_after.map_or_else(|| "to wait".to_owned(), |wait| format!("to wait {}", spell(wait)));
            format!("too many requests (429); the server asks {wait}")
        }
        FailureKind::Status { status, body, .. } => match body {
            Some(body) => {
                let faults: Vec<&str> =
                    body.field_errors().map(|(_, fault)| fault).filter(|fault| *fault != body.words()).collect();
                let words = body.words().trim_end_matches('.');
                if faults.is_empty() {
                    format!("the server says \"{words}\" ({status})")
                } else {
                    format!("the server says \"{words}\" ({status}): {}", faults.join(" "))
                }
            }
            None => format!("the server answered with status {status} and no reason"),
        },
        FailureKind::Unreadable(cause) => format!("the server's answer is not in the expected format ({cause})"),
        FailureKind::Cancelled => "cancelled".to_owned(),
        FailureKind::Local(why) => why.clone(),
        FailureKind::Internal(cause) => format!("internal error ({cause}); the log has more"),
    }
}
