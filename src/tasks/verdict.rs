//! The outcome of a message or a call, from the result of its request. In doubt it is unknown, because people resend
//! what was refused.

use crate::api::{CallStarted, CallStatus, DeliveryStatus, ErrorBody, ErrorCode, SentMessage};
use crate::client::{FailureKind, Reply, spell_wait};
use crate::messaging::{Accepted, Outcome, Refusal};
use serde_json::{Map, Value};

/// The most characters of an answer that are recorded with an unknown outcome.
const TOLD_MAX: usize = 400;

/// The outcome of a message or a call, given the last reply and whether the request may have reached the service.
///
/// | Request | Outcome |
/// |---|---|
/// | answered 2xx, and the answer says that the message was taken | accepted |
/// | never left | not sent |
/// | answered 4xx but 408, with a body of the API that is not about this message ([`concerns_all`]) | not sent |
/// | answered 429 with nothing but a message: it was not looked at | not sent |
/// | answered 503 with `SENDER_OFFLINE`, which the service checks before it sends | not sent |
/// | answered any other 4xx but 408, with a body of the API | refused |
/// | anything else: 408, 4xx from a proxy, 3xx, any other 5xx, an unreadable answer, no answer | unknown |
pub fn outcome(result: &Result<Reply, FailureKind>, has_left: bool) -> Outcome {
    match result {
        Ok(reply) => accepted(reply).map_or_else(
            || Outcome::Unknown {
                why: format!("the server answered, and does not say that it took it: {}", told(reply)),
            },
            Outcome::Accepted,
        ),
        Err(kind @ FailureKind::Status { status, body, .. }) => {
            let (status, body) = (*status, body.as_ref());
            let code = match body {
                Some(ErrorBody::Coded { error_code, .. }) => Some(error_code.clone()),
                _ => None,
            };
            let refusal = |words| Refusal { status: Some(status), code: code.clone(), words };
            match (status, body) {
                (429, Some(body)) if kind.is_turned_away() => Outcome::NotSent(refusal(turned_away(body, kind))),
                (408, _) => unknown(status, body),
                (400..500, Some(body)) if concerns_all(status, body) => Outcome::NotSent(refusal(words(body))),
                (400..500, Some(body)) => Outcome::Refused(refusal(words(body))),
                (503, Some(body)) if code == Some(ErrorCode::SenderOffline) => Outcome::NotSent(refusal(words(body))),
                _ => unknown(status, body),
            }
        }
        Err(FailureKind::Cancelled) if !has_left => not_sent("taken back before it left"),
        Err(kind) if !has_left => not_sent(&kind.to_string()),
        Err(FailureKind::Internal(why)) => Outcome::Unknown { why: format!("the program failed ({why})") },
        Err(kind) => Outcome::Unknown { why: kind.to_string() },
    }
}

/// The outcome of a message of which nothing has reached the service.
pub(super) fn not_sent(words: &str) -> Outcome {
    Outcome::NotSent(Refusal { status: None, code: None, words: words.to_owned() })
}

/// Whether an error is about the account, the sender, the template or the server: every other message would meet it too.
fn concerns_all(status: u16, body: &ErrorBody) -> bool {
    match body {
        _ if matches!(status, 401 | 402) => true,
        ErrorBody::Coded { error_code, .. } => match error_code {
            ErrorCode::InsufficientBalance
            | ErrorCode::SenderNotFound
            | ErrorCode::SenderOffline
            | ErrorCode::TemplateNotFound
            | ErrorCode::TemplateNotApproved
            | ErrorCode::TemplateNotSynced
            // Each row has the variables of the template as it was read: it has changed since.
            | ErrorCode::TemplateMismatch
            | ErrorCode::NoAssistantConfigured
            | ErrorCode::MessagingLimitUnavailable
            | ErrorCode::VoiceCallLimitNotMet => true,
            ErrorCode::InvalidPhone | ErrorCode::SessionExpired => false,
            ErrorCode::UnknownError | ErrorCode::Other(_) => status == 403,
        },
        ErrorBody::Validation { errors, .. } if !errors.is_empty() => {
            errors.keys().all(|field| ["sender_id", "template_id", "assistant_id"].contains(&field.as_str()))
        }
        _ => matches!(status, 403..=405),
    }
}

/// The service's words with the wait that it asks for.
fn turned_away(body: &ErrorBody, kind: &FailureKind) -> String {
    match kind.retry_after() {
        Some(wait) => format!("{} The server asks to wait {}.", words(body), spell_wait(wait)),
        None => words(body),
    }
}

/// The outcome of a request with an answer that leaves it open.
fn unknown(status: u16, body: Option<&ErrorBody>) -> Outcome {
    let said = body.map(|body| format!(": {}", words(body))).unwrap_or_default();
    Outcome::Unknown { why: format!("the server answered {status}{said}") }
}

/// The beginning of an answer, as JSON, for whoever finds out what became of the message.
fn told(reply: &Reply) -> String {
    let json = match reply {
        Reply::SendTemplate(sent) | Reply::SendFreeform(sent) => serde_json::to_string(sent),
        Reply::MakeCall(started) => serde_json::to_string(started),
        _ => return "something else".to_owned(),
    };
    json.unwrap_or_default().chars().take(TOLD_MAX).collect()
}

/// Whether an answer that says that all is well names an error too.
fn names_error(extra: &Map<String, Value>) -> bool {
    let is_empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(errors) => errors.is_empty(),
        Value::Object(errors) => errors.is_empty(),
        _ => false,
    };
    ["error", "error_code", "errors"].iter().any(|name| extra.get(*name).is_some_and(|value| !is_empty(value)))
}

/// What the service says of a message or a call; `None` where it does not say that it has taken it.
fn accepted(reply: &Reply) -> Option<Accepted> {
    match reply {
        Reply::SendTemplate(sent) | Reply::SendFreeform(sent) => accepted_message(sent),
        // A 2xx with a message is all that the spec has (spec: Endpoints, Calls).
        Reply::MakeCall(CallStarted { call_id, status, extra, .. }) => {
            let failed = matches!(status.known().map(CallStatus::as_str), Some("failed" | ""));
            let is_odd = failed || call_id.known() == Some(&0);
            let is_odd = is_odd || names_error(extra) || extra.get("success") == Some(&Value::Bool(false));
            (!is_odd).then(|| Accepted {
                call_id: call_id.known().copied(),
                status: status.known().map(CallStatus::as_str).map(str::to_owned),
                ..Accepted::default()
            })
        }
        _ => None,
    }
}

fn accepted_message(sent: &SentMessage) -> Option<Accepted> {
    let accepted = Accepted {
        conversation_id: sent.conversation_id.known().copied(),
        message_id: sent.message_id.known().copied(),
        msgapp_message_id: sent.msgapp_message_id.known().copied(),
        message_sid: sent.message_sid.known().cloned(),
        status: sent.status.known().map(DeliveryStatus::as_str).map(str::to_owned),
        call_id: None,
    };
    let status = DeliveryStatus::from(accepted.status.as_deref().unwrap_or_default());
    let is_odd = names_error(&sent.extra)
        || [DeliveryStatus::Failed, DeliveryStatus::Undelivered].contains(&status)
        || accepted.message_sid.as_deref() == Some("")
        || accepted.message_id == Some(0);
    let is_taken = match sent.success.known() {
        Some(taken) => *taken,
        None => accepted.message_id.is_some() || accepted.message_sid.is_some(),
    };
    (is_taken && !is_odd).then_some(accepted)
}

/// The service's own words: where they are about fields, all of them.
fn words(body: &ErrorBody) -> String {
    let faults: Vec<&str> = body.field_errors().map(|(_, fault)| fault).collect();
    if faults.is_empty() { body.words().to_owned() } else { faults.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sent(body: Value) -> Result<Reply, FailureKind> {
        serde_json::from_value(body)
            .map(Reply::SendTemplate)
            .map_err(|fault| FailureKind::Unreadable(fault.to_string()))
    }

    fn called(body: Value) -> Reply {
        Reply::MakeCall(serde_json::from_value(body).unwrap())
    }

    fn status(status: u16, body: &Value) -> Result<Reply, FailureKind> {
        let body = ErrorBody::read(body.to_string().as_bytes());
        Err(FailureKind::Status { status, body, retry_after: None })
    }

    fn coded(code: &str) -> Value {
        json!({"success": false, "error": "Words.", "error_code": code})
    }

    /// The outcome in a word.
    fn word(outcome: &Outcome) -> &'static str {
        match outcome {
            Outcome::Accepted(_) => "accepted",
            Outcome::Refused(_) => "refused",
            Outcome::NotSent(_) => "not sent",
            Outcome::Unknown { .. } => "unknown",
        }
    }

    #[test]
    fn every_end_of_a_request_has_its_outcome() {
        let text = || "why".to_owned();
        let page = json!("<html>");
        let message = json!({"message": "No."});
        let table = vec![
            (sent(json!({"success": true, "message_id": 7})), "accepted"),
            (sent(json!({"success": true})), "accepted"),
            (sent(json!({"message_sid": "SM1"})), "accepted"),
            (sent(json!({"success": false, "message_id": 7})), "unknown"),
            (sent(json!({"success": "yes"})), "unknown"),
            (sent(json!({})), "unknown"),
            (sent(json!({"success": true, "status": "failed"})), "unknown"),
            (sent(json!({"success": true, "message_sid": ""})), "unknown"),
            (sent(json!({"success": true, "message_id": 0})), "unknown"),
            (sent(json!({"success": true, "message_id": 7, "error": "Words."})), "unknown"),
            (sent(json!({"success": true, "message_sid": "SM1", "error_code": "UNKNOWN_ERROR"})), "unknown"),
            (sent(json!({"message_id": 7, "errors": {"date": ["Missing."]}})), "unknown"),
            (sent(json!({"success": true, "error": null, "error_code": "", "errors": []})), "accepted"),
            (Ok(called(json!({"message": "Calling.", "call_id": 7}))), "accepted"),
            (Ok(called(json!({"message": "Calling.", "call_id": 7, "error": "Words."}))), "unknown"),
            (Ok(called(json!({"message": "No.", "success": false}))), "unknown"),
            (Ok(called(json!({"message": "Calling.", "call_id": 7, "status": "failed"}))), "unknown"),
            (Ok(called(json!({"message": "Calling.", "call_id": 0}))), "unknown"),
            (status(400, &page), "unknown"),
            (status(400, &message), "refused"),
            (status(401, &message), "not sent"),
            (status(401, &page), "unknown"),
            (status(402, &coded("INSUFFICIENT_BALANCE")), "not sent"),
            (status(402, &page), "unknown"),
            (status(403, &message), "not sent"),
            (status(403, &page), "unknown"),
            (status(407, &page), "unknown"),
            (status(403, &coded("SESSION_EXPIRED")), "refused"),
            (status(404, &coded("SENDER_NOT_FOUND")), "not sent"),
            (status(404, &coded("TEMPLATE_NOT_FOUND")), "not sent"),
            (status(403, &coded("INVALID_PHONE")), "refused"),
            (status(403, &coded("UNKNOWN_ERROR")), "not sent"),
            (status(404, &message), "not sent"),
            (status(405, &message), "not sent"),
            (status(405, &page), "unknown"),
            (status(408, &message), "unknown"),
            (status(408, &coded("SENDER_OFFLINE")), "unknown"),
            (status(422, &json!({"message": "No.", "errors": {"sender_id": ["Missing."]}})), "not sent"),
            (status(422, &json!({"message": "No.", "errors": {"sender_id": ["x"], "variables": ["x"]}})), "refused"),
            (status(422, &json!({"message": "No.", "errors": {"recipient_name": ["Long."]}})), "refused"),
            (status(422, &json!({"message": "No.", "errors": {}})), "refused"),
            (status(422, &message), "refused"),
            (status(422, &coded("INSUFFICIENT_BALANCE")), "not sent"),
            (status(422, &coded("TEMPLATE_NOT_APPROVED")), "not sent"),
            (status(422, &coded("INVALID_PHONE")), "refused"),
            (status(422, &coded("SENDER_OFFLINE")), "not sent"),
            (status(422, &coded("TEMPLATE_NOT_SYNCED")), "not sent"),
            (status(422, &coded("TEMPLATE_MISMATCH")), "not sent"),
            (status(422, &coded("NO_ASSISTANT_CONFIGURED")), "not sent"),
            (status(422, &coded("MESSAGING_LIMIT_UNAVAILABLE")), "not sent"),
            (status(422, &coded("VOICE_CALL_LIMIT_NOT_MET")), "not sent"),
            (status(422, &coded("PROVIDER_ERROR_63024")), "refused"),
            (status(422, &coded("UNKNOWN_ERROR")), "refused"),
            (status(429, &json!({"message": "Too Many Attempts.", "retry_after": 500})), "not sent"),
            (status(429, &coded("UNKNOWN_ERROR")), "refused"),
            (status(429, &page), "unknown"),
            (status(500, &page), "unknown"),
            (status(500, &message), "unknown"),
            (status(500, &coded("UNKNOWN_ERROR")), "unknown"),
            (status(500, &coded("SENDER_OFFLINE")), "unknown"),
            (status(502, &page), "unknown"),
            (status(502, &coded("PROVIDER_ERROR_1")), "unknown"),
            (status(503, &page), "unknown"),
            (status(503, &coded("SENDER_OFFLINE")), "not sent"),
            (status(503, &coded("UNKNOWN_ERROR")), "unknown"),
            (status(504, &message), "unknown"),
            (Err(FailureKind::Unreadable(text())), "unknown"),
            (Err(FailureKind::NoAnswer(text())), "unknown"),
            (Err(FailureKind::Internal(text())), "unknown"),
            (Err(FailureKind::Cancelled), "unknown"),
        ];
        for (result, expected) in &table {
            assert_eq!(word(&outcome(result, true)), *expected, "{result:?}");
        }
    }

    #[test]
    fn what_never_left_is_not_sent_and_has_no_status() {
        for kind in [
            FailureKind::Unreachable("connection refused".to_owned()),
            FailureKind::Cancelled,
            FailureKind::Internal("the request cannot be written as HTTP".to_owned()),
        ] {
            let Outcome::NotSent(refusal) = outcome(&Err(kind.clone()), false) else { panic!("{kind}") };
            assert_eq!((refusal.status, refusal.code), (None, None));
            assert!(!refusal.words.is_empty());
        }
    }

    #[test]
    fn a_refusal_brings_the_words_and_the_code_of_the_service() {
        let Outcome::Refused(refusal) = outcome(&status(422, &coded("INVALID_PHONE")), true) else { panic!("refused") };
        assert_eq!(refusal.words, "Words.");
        assert_eq!((refusal.status, refusal.code), (Some(422), Some(ErrorCode::InvalidPhone)));
        let invalid = json!({"message": "Two.", "errors": {"a": ["First."], "b": ["Second."]}});
        let Outcome::Refused(refusal) = outcome(&status(422, &invalid), true) else { panic!("refused") };
        assert_eq!(refusal.words, "First. Second.");
    }

    #[test]
    fn what_concerns_all_is_not_sent_and_keeps_the_code_and_the_words() {
        let Outcome::NotSent(refusal) = outcome(&status(422, &coded("SENDER_OFFLINE")), true) else { panic!("sent") };
        assert_eq!((refusal.status, refusal.code), (Some(422), Some(ErrorCode::SenderOffline)));
        assert_eq!(refusal.words, "Words.");
    }

    #[test]
    fn an_acceptance_brings_the_numbers() {
        let body = json!({"success": true, "conversation_id": 1, "message_id": 2, "msgapp_message_id": 3,
            "message_sid": "SM1", "status": "queued"});
        let expected = Accepted {
            conversation_id: Some(1),
            message_id: Some(2),
            msgapp_message_id: Some(3),
            message_sid: Some("SM1".to_owned()),
            status: Some("queued".to_owned()),
            call_id: None,
        };
        assert_eq!(outcome(&sent(body), true), Outcome::Accepted(expected));
    }
}
