//! The messaging provider as it is simulated: what it answers, how messages travel, what becomes of templates.

use super::draw::mix;
use crate::api::{DeliveryStatus, ErrorCode, TemplateStatus};
use std::time::Duration;

/// What the provider does with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderReply {
    /// It takes the message, which ends in this status.
    Accepts(DeliveryStatus),
    /// It refuses the message.
    Refuses(ErrorCode),
    /// It takes the message, and says so this much later.
    AcceptsLate(Duration),
    /// The connection to the caller breaks, before the message is stored.
    BreaksBefore,
    /// The connection to the caller breaks, after the message is stored.
    BreaksAfter,
}

/// What a number that is not in [`FAILURES`] gets.
pub const ORDINARY: ProviderReply = ProviderReply::Accepts(DeliveryStatus::Read);

/// How numbers begin to end that choose the answer; two digits follow.
const MARK: &str = "9990";
/// How late an answer is that is late.
const LATE: Duration = Duration::from_secs(5);

/// Failures at will: in a sandbox the last six digits of the recipient's number choose what the provider does. The
/// README shows this table; a test compares the two.
pub fn failures() -> [(&'static str, &'static str, ProviderReply); 13] {
    let accepts = ProviderReply::Accepts;
    let refuses = ProviderReply::Refuses;
    [
        ("00", "delivers it, and it is read, as for any other number", accepts(DeliveryStatus::Read)),
        ("01", "delivers it, and it is never read", accepts(DeliveryStatus::Delivered)),
        ("02", "reports `undelivered` after sending it", accepts(DeliveryStatus::Undelivered)),
        ("03", "reports `failed` before sending it", accepts(DeliveryStatus::Failed)),
        ("10", "422 `TEMPLATE_NOT_SYNCED`", refuses(ErrorCode::TemplateNotSynced)),
        ("11", "422 `TEMPLATE_MISMATCH`", refuses(ErrorCode::TemplateMismatch)),
        ("12", "422 `MESSAGING_LIMIT_UNAVAILABLE`", refuses(ErrorCode::MessagingLimitUnavailable)),
        ("13", "422 `VOICE_CALL_LIMIT_NOT_MET`", refuses(ErrorCode::VoiceCallLimitNotMet)),
        ("14", "422 `PROVIDER_ERROR_63024`", refuses(ErrorCode::Other("PROVIDER_ERROR_63024".to_owned()))),
        ("15", "422 `UNKNOWN_ERROR`", refuses(ErrorCode::UnknownError)),
        ("20", "accepts it at once; the answer comes 5 seconds late", ProviderReply::AcceptsLate(LATE)),
        ("21", "breaks the connection; nothing is stored or charged", ProviderReply::BreaksBefore),
        ("22", "breaks the connection; the message is stored and charged", ProviderReply::BreaksAfter),
    ]
}

/// What the provider does with a message to this number.
pub fn answer(phone: &str) -> ProviderReply {
    let digits = phone.rsplit_once(MARK).map_or("", |(_, digits)| digits);
    failures().into_iter().find(|(ending, ..)| *ending == digits).map_or(ORDINARY, |(.., answer)| answer)
}

/// The next status on the way to `fate`, and how long it takes; `None` at the end. It only goes forward.
pub fn step(status: &DeliveryStatus, fate: &DeliveryStatus) -> Option<(DeliveryStatus, Duration)> {
    use DeliveryStatus::{Delivered, Failed, Queued, Read, Sent, Undelivered};
    let (next, seconds) = match (status, fate) {
        (Queued, Failed) => (Failed, 2),
        (Queued, Sent | Delivered | Read | Undelivered) => (Sent, 1),
        (Sent, Undelivered) => (Undelivered, 10),
        (Sent, Delivered | Read) => (Delivered, 3),
        (Delivered, Read) => (Read, 45),
        _ => return None,
    };
    Some((next, Duration::from_secs(seconds)))
}

/// What the platform decides about a template, the same for the same template in every run.
pub fn verdict(template_id: i64) -> TemplateStatus {
    if mix(template_id.unsigned_abs()).is_multiple_of(4) { TemplateStatus::Rejected } else { TemplateStatus::Approved }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::rules;
    use std::collections::HashSet;

    #[test]
    fn the_last_digits_choose_and_any_other_number_is_ordinary() {
        for (ending, _, expected) in failures() {
            for before in ["+1415599", "+49151299"] {
                let phone = format!("{before}{MARK}{ending}");
                assert_eq!(rules::e164("phone", &phone), Ok(()));
                assert_eq!(answer(&phone), expected, "{phone}");
            }
        }
        for phone in ["+14155550123", "+14155999099", "+14159990100", "+14159990010"] {
            assert_eq!(answer(phone), ORDINARY, "{phone}");
        }
    }

    #[test]
    fn no_two_rows_have_the_same_digits() {
        assert_eq!(failures().iter().map(|(ending, ..)| ending).collect::<HashSet<_>>().len(), failures().len());
    }

    #[test]
    fn a_message_reaches_its_fate_by_steps_that_never_come_back() {
        for fate in DeliveryStatus::KNOWN.iter().filter(|fate| **fate != DeliveryStatus::Queued) {
            let mut status = DeliveryStatus::Queued;
            let mut seen = vec![status.clone()];
            while let Some((next, wait)) = step(&status, fate) {
                assert!(!seen.contains(&next) && !wait.is_zero());
                seen.push(next.clone());
                status = next;
            }
            assert_eq!(status, *fate);
        }
    }

    #[test]
    fn templates_are_mostly_approved_and_the_same_ones_each_time() {
        let approved = (1..=400).filter(|id| verdict(*id) == TemplateStatus::Approved).count();
        assert!((260..340).contains(&approved), "{approved}");
    }
}
