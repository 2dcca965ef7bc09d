//! Outcomes of sends in words, with advice.

use super::{Outcome, Refusal};
use crate::api::{DeliveryStatus, ErrorCode};

/// What a refusal means, and what to do next.
pub fn advice(refusal: &Refusal) -> String {
    match (&refusal.code, refusal.status) {
        (Some(code), _) => of_code(code),
        (None, Some(status)) => of_status(status).to_owned(),
        (None, None) => "Nothing has left this machine. Send it again when the server can be reached.".to_owned(),
    }
}

/// What a refused call means, and what to do next.
pub fn call_advice(refusal: &Refusal) -> &'static str {
    match refusal.status {
        None => "Nothing has left this machine. Call again when the server can be reached.",
        Some(400) => "Correct the number: a +, the country code, the number.",
        Some(404) => "The assistant no longer exists, belongs to another account, or this server makes no calls.",
        Some(422) => "Correct what the service names, or top up the account, then call again.",
        Some(429) => "Too many requests. Wait a minute, then call again.",
        Some(status) => of_status(status),
    }
}

fn of_code(code: &ErrorCode) -> String {
    let words = match code {
        ErrorCode::InsufficientBalance => {
            "The account's balance does not cover the message. Top up the account, then send it again."
        }
        ErrorCode::SenderNotFound => {
            "The sender does not exist or belongs to another account. Choose one of this account's senders."
        }
        ErrorCode::TemplateNotFound => {
            "The template does not exist or belongs to another sender. Refresh the list, then choose one of this sender's."
        }
        ErrorCode::TemplateNotApproved => {
            "Only approved templates can be sent. Choose another, or wait: statuses are checked every 4 hours."
        }
        ErrorCode::InvalidPhone => {
            "The number is not in international format. Correct it: a +, the country code, the number."
        }
        ErrorCode::SenderOffline => {
            "The sender is not connected to the messaging app. Send from another, or again once it is online: this is \
             checked every 5 minutes."
        }
        ErrorCode::TemplateNotSynced => {
            "The messaging provider does not know the template yet. Wait for the next check, within 4 hours, then send \
             it again."
        }
        ErrorCode::TemplateMismatch => {
            "The values given are not those that the template asks for. Refresh the list, then fill the form in again."
        }
        ErrorCode::NoAssistantConfigured => {
            "No assistant would answer on this sender. Connect one with the sender on the platform, then send it again."
        }
        ErrorCode::MessagingLimitUnavailable => {
            "The provider does not tell how many people the sender may still write to. Send it again later, or from \
             another sender."
        }
        ErrorCode::VoiceCallLimitNotMet => {
            "The provider asks for more voice calls on this number first. Send from another sender until it has had them."
        }
        ErrorCode::UnknownError => {
            "The service does not say why. Look at the conversation before sending it again, and tell the platform's \
             support if it goes on."
        }
        ErrorCode::SessionExpired => {
            "The 24-hour window is closed. Send a template, which opens it again, or wait for the customer to write."
        }
        ErrorCode::Other(code) => return of_other(code),
    };
    words.to_owned()
}

fn of_other(code: &str) -> String {
    match provider_error(code) {
        Some(number) => format!(
            "The messaging provider refused it with its error {number}. Look that number up in the provider's list of \
             errors: what to do depends on it."
        ),
        None => format!("The service gives a reason that is not known here ({code}). Its own words tell more."),
    }
}

/// The number in `PROVIDER_ERROR_63024`. Some deployments write the provider's name in front.
fn provider_error(code: &str) -> Option<&str> {
    let (_, number) = code.rsplit_once("_ERROR_")?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

fn of_status(status: u16) -> &'static str {
    match status {
        401 => "The token is missing or no longer accepted. Set a valid one for this profile, then send it again.",
        402 => "The account's balance does not cover the message. Top up the account, then send it again.",
        403 => "The token may not send. Use one of an account that may.",
        404 => {
            "The server does not have this operation, or not at this address. Check the profile's base URL and channel."
        }
        413 => "The message is larger than the server takes. Shorten it.",
        422 => "A field is not as the service wants it. Its words tell which; correct that, then send it again.",
        429 => "Too much was sent in too short a time. Wait a minute, then send it again.",
        _ => "The server did not take it. Its own words tell more.",
    }
}

impl Outcome {
    /// `accepted`, `refused`, `not sent` or `unknown`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Accepted(_) => "accepted",
            Self::Refused(_) => "refused",
            Self::NotSent(_) => "not sent",
            Self::Unknown { .. } => "unknown",
        }
    }

    /// The delivery status or the reason, in a few words.
    pub fn detail(&self) -> String {
        match self {
            Self::Accepted(accepted) => accepted.status.as_deref().map(delivery).unwrap_or_default(),
            Self::Refused(refusal) | Self::NotSent(refusal) => short(refusal),
            Self::Unknown { why } => why.trim_end_matches('.').to_owned(),
        }
    }

    /// Word and detail: `refused · the template is not approved`.
    pub fn words(&self) -> String {
        match self.detail() {
            detail if detail.is_empty() => self.word().to_owned(),
            detail => format!("{} · {detail}", self.word()),
        }
    }
}

/// A delivery status for people.
fn delivery(status: &str) -> String {
    match DeliveryStatus::from(status) {
        DeliveryStatus::Undelivered => "not delivered".to_owned(),
        status => status.as_str().to_owned(),
    }
}

/// A refusal in a few words.
fn short(refusal: &Refusal) -> String {
    let words = match &refusal.code {
        Some(ErrorCode::InsufficientBalance) => "the balance is too low",
        Some(ErrorCode::SenderNotFound) => "there is no such sender",
        Some(ErrorCode::TemplateNotFound) => "there is no such template",
        Some(ErrorCode::TemplateNotApproved) => "the template is not approved",
        Some(ErrorCode::InvalidPhone) => "the number is not valid",
        Some(ErrorCode::SenderOffline) => "the sender is offline",
        Some(ErrorCode::TemplateNotSynced) => "the provider does not know the template yet",
        Some(ErrorCode::TemplateMismatch) => "the values do not fit the template",
        Some(ErrorCode::NoAssistantConfigured) => "no assistant answers on the sender",
        Some(ErrorCode::MessagingLimitUnavailable) => "the sender's limit is not known",
        Some(ErrorCode::VoiceCallLimitNotMet) => "more voice calls are needed first",
        Some(ErrorCode::SessionExpired) => "the 24-hour window is closed",
        Some(ErrorCode::UnknownError) => "the service does not say why",
        Some(ErrorCode::Other(code)) => {
            return match provider_error(code) {
                Some(number) => format!("the provider's error {number}"),
                None => refusal.words.trim_end_matches('.').to_owned(),
            };
        }
        None => return refusal.words.trim_end_matches('.').to_owned(),
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messaging::Accepted;
    use std::collections::BTreeSet;

    fn refusal(status: Option<u16>, code: Option<&str>) -> Refusal {
        Refusal { status, code: code.map(ErrorCode::from), words: "In the service's words.".to_owned() }
    }

    #[test]
    fn every_code_has_words_and_advice_of_its_own() {
        let refusals: Vec<_> = ErrorCode::KNOWN.iter().map(|code| refusal(Some(422), Some(code.as_str()))).collect();
        let advices: BTreeSet<_> = refusals.iter().map(advice).collect();
        let shorts: BTreeSet<_> = refusals.iter().map(short).collect();
        assert_eq!((advices.len(), shorts.len()), (refusals.len(), refusals.len()));
        for advice in advices {
            assert!(advice.matches(['.', ':']).count() >= 2 && advice.ends_with('.'), "{advice}");
            assert!(!advice.contains("  "), "{advice}");
        }
    }

    #[test]
    fn a_code_of_the_provider_is_named() {
        let provider = refusal(Some(422), Some("PROVIDER_ERROR_63024"));
        assert!(advice(&provider).contains("error 63024"));
        assert_eq!(Outcome::Refused(provider).words(), "refused · the provider's error 63024");
        assert!(advice(&refusal(Some(422), Some("ACME_ERROR_7"))).contains("error 7."));
        let new = refusal(Some(422), Some("SOMETHING_NEW"));
        assert!(advice(&new).contains("SOMETHING_NEW"));
        assert_eq!(Outcome::Refused(new).words(), "refused · In the service's words");
    }

    #[test]
    fn every_status_without_a_code_has_advice() {
        let statuses = [401, 402, 403, 404, 413, 422, 429, 418];
        let advices: BTreeSet<_> = statuses.iter().map(|status| advice(&refusal(Some(*status), None))).collect();
        assert_eq!(advices.len(), statuses.len());
        assert!(advice(&refusal(None, None)).starts_with("Nothing has left"));
    }

    #[test]
    fn an_outcome_is_a_word_and_what_more_there_is_to_say() {
        let accepted = |status: Option<&str>| {
            Outcome::Accepted(Accepted { status: status.map(str::to_owned), ..Accepted::default() }).words()
        };
        assert_eq!(accepted(Some("queued")), "accepted · queued");
        assert_eq!(accepted(None), "accepted");
        let refused = Outcome::Refused(refusal(Some(422), Some("TEMPLATE_NOT_APPROVED")));
        assert_eq!(refused.words(), "refused · the template is not approved");
        let unknown = Outcome::Unknown { why: "the connection broke.".to_owned() };
        assert_eq!(unknown.words(), "unknown · the connection broke");
    }
}
