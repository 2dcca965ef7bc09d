//! Messaging: `/user/msgapp` (spec: Endpoints, Messaging-app).

use super::rules::{self, Fault};
use super::words::wire_words;
use super::{Field, OffsetTimestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Longest name of a recipient, in characters.
pub const RECIPIENT_NAME_MAX: usize = 255;
/// Longest freeform message, in characters.
pub const FREEFORM_MAX: usize = 4096;
/// Requests a second that each user may make of the two send operations together.
pub const SENDS_PER_SECOND: usize = 5;

wire_words! {
    /// Whether a sender can send.
    SenderStatus {
        /// It can.
        Online = "online",
        /// It cannot.
        Offline = "offline",
    }
}

wire_words! {
    /// What the messaging platform thinks of a sender.
    QualityRating {
        /// Good.
        Green = "GREEN",
        /// In danger.
        Yellow = "YELLOW",
        /// Bad.
        Red = "RED",
    }
}

wire_words! {
    /// What a template is for.
    TemplateCategory {
        /// Offers.
        Marketing = "marketing",
        /// What a customer waits for.
        Utility = "utility",
        /// Codes for logging in.
        Authentication = "authentication",
    }
}

wire_words! {
    /// What the messaging platform thinks of a template.
    TemplateStatus {
        /// It can be sent.
        Approved = "approved",
        /// It has not been looked at.
        Pending = "pending",
        /// It was refused.
        Rejected = "rejected",
    }
}

wire_words! {
    /// How far a message has come.
    DeliveryStatus {
        /// The provider has it.
        Queued = "queued",
        /// It is on its way.
        Sent = "sent",
        /// It is on the recipient's device.
        Delivered = "delivered",
        /// The recipient has seen it.
        Read = "read",
        /// The provider gave up before it left.
        Failed = "failed",
        /// It left and did not arrive.
        Undelivered = "undelivered",
    }
}

wire_words! {
    /// Why a messaging operation is refused (`error_code`).
    ErrorCode {
        /// The balance does not cover the message.
        InsufficientBalance = "INSUFFICIENT_BALANCE",
        /// The sender does not exist or is somebody else's.
        SenderNotFound = "SENDER_NOT_FOUND",
        /// The template does not exist or is of another sender.
        TemplateNotFound = "TEMPLATE_NOT_FOUND",
        /// The template is pending or rejected.
        TemplateNotApproved = "TEMPLATE_NOT_APPROVED",
        /// The recipient's number is not E.164.
        InvalidPhone = "INVALID_PHONE",
        /// The sender is offline.
        SenderOffline = "SENDER_OFFLINE",
        /// The provider does not know the template yet.
        TemplateNotSynced = "TEMPLATE_NOT_SYNCED",
        /// The variables are not those of the template.
        TemplateMismatch = "TEMPLATE_MISMATCH",
        /// Nobody would answer on the sender.
        NoAssistantConfigured = "NO_ASSISTANT_CONFIGURED",
        /// The provider does not tell how many may still be sent.
        MessagingLimitUnavailable = "MESSAGING_LIMIT_UNAVAILABLE",
        /// The provider asks for more voice calls first.
        VoiceCallLimitNotMet = "VOICE_CALL_LIMIT_NOT_MET",
        /// Something else.
        UnknownError = "UNKNOWN_ERROR",
        /// A freeform message needs an open window.
        SessionExpired = "SESSION_EXPIRED",
    }
}

/// A number of the messaging app, as `GET /user/msgapp/senders` lists it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Sender {
    /// Used as `sender_id` when sending.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub id: Field<i64>,
    /// In E.164.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub phone_number: Field<String>,
    /// What customers see.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub display_name: Field<String>,
    /// Whether it can send.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub status: Field<SenderStatus>,
    /// What the platform thinks of it.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub quality_rating: Field<QualityRating>,
    /// Recipients in 24 hours; `None` without a limit.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub messaging_limit: Field<Option<u32>>,
    /// The same for people.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub messaging_limit_formatted: Field<String>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A limit as people read it: `1,000 / 24hr`, `Unlimited`.
pub fn messaging_limit_formatted(limit: Option<u32>) -> String {
    let Some(limit) = limit else { return "Unlimited".to_owned() };
    let digits = limit.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{grouped} / 24hr")
}

/// A message template.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Template {
    /// Used as `template_id` when sending.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub id: Field<i64>,
    /// As registered with the messaging platform.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub name: Field<String>,
    /// A language code such as `en` or `pt_BR`.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub language: Field<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub category: Field<TemplateCategory>,
    /// Whether it can be sent.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub status: Field<TemplateStatus>,
    /// The text, with `{{1}}`, `{{2}}` … where the variables go.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub body_text: Field<String>,
    /// A name for each placeholder, in order.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub variables: Field<Vec<String>>,
    /// Whether variables must be given.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub has_variables: Field<bool>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The body of `POST /user/msgapp/send`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct SendTemplate {
    /// The sender to send from.
    pub sender_id: i64,
    /// A template of that sender.
    pub template_id: i64,
    /// In E.164.
    #[schemars(regex(pattern = rules::E164_PATTERN))]
    pub recipient_phone: String,
    /// For the conversation; at most 255 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = RECIPIENT_NAME_MAX))]
    pub recipient_name: Option<String>,
    /// By the names of the template's variables, or by their positions from `1`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(with = "Option<BTreeMap<String, String>>")]
    pub variables: BTreeMap<String, String>,
}

/// The body of `POST /user/msgapp/send-freeform`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct SendFreeform {
    /// The sender to send from.
    pub sender_id: i64,
    /// In E.164.
    #[schemars(regex(pattern = rules::E164_PATTERN))]
    pub recipient_phone: String,
    /// At most 4,096 characters.
    #[schemars(length(min = 1, max = FREEFORM_MAX))]
    pub message: String,
}

/// The answer of both send operations: `status` comes from the template send, `session_status` from the freeform one.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SentMessage {
    /// Always true.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub success: Field<bool>,
    /// The conversation's number, new or not.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub conversation_id: Field<i64>,
    /// The message's number in the conversation.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub message_id: Field<i64>,
    /// The message's number in the messaging app.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub msgapp_message_id: Field<i64>,
    /// The provider's name for the message, to follow its delivery.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub message_sid: Field<String>,
    /// How far the message has come.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "after a template message"))]
    pub status: Field<DeliveryStatus>,
    /// The window after the message.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "after a freeform message"))]
    pub session_status: Field<WindowStatus>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The answer of `GET /user/msgapp/session-status`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SessionStatus {
    /// Always true.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub success: Field<bool>,
    /// Whether sender and recipient have a conversation.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub has_conversation: Field<bool>,
    /// Only with a conversation.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "with a conversation"))]
    pub conversation_id: Field<i64>,
    /// Only with a conversation and a known name.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "with a conversation and a known name"))]
    pub customer_name: Field<String>,
    /// Only with a conversation; `None` where the customer has not written.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "with a conversation"))]
    pub last_customer_message_at: Field<Option<OffsetTimestamp>>,
    /// The window.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub session_status: Field<WindowStatus>,
    /// Fields that the spec does not name, as they came.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The 24-hour window of a sender and a recipient (`session_status`).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WindowStatus {
    /// Whether it is open.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub is_open: Field<bool>,
    /// Whether a freeform message may be sent.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub can_send_freeform: Field<bool>,
    /// Whether only a template may be sent.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub requires_template: Field<bool>,
    /// The state for people.
    #[serde(skip_serializing_if = "Field::is_missing")]
    pub message: Field<String>,
    /// Only when open.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "when open"))]
    pub minutes_remaining: Field<u64>,
    /// When open; `None` where there has been no message.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "when open, or when there has been no message"))]
    pub expires_at: Field<Option<OffsetTimestamp>>,
    /// Only when expired.
    #[serde(skip_serializing_if = "Field::is_missing")]
    #[schemars(extend("x-presence" = "when expired"))]
    pub expired_at: Field<OffsetTimestamp>,
}

/// The name of a recipient.
///
/// # Errors
/// The fault, where it is too long.
pub fn recipient_name(text: &str) -> Result<(), Fault> {
    rules::at_most("recipient_name", text, RECIPIENT_NAME_MAX)
}

/// A freeform message.
///
/// # Errors
/// The fault, where it is empty or too long.
pub fn freeform_message(text: &str) -> Result<(), Fault> {
    if text.trim().is_empty() {
        return Err(rules::required("message"));
    }
    rules::at_most("message", text, FREEFORM_MAX)
}

/// A phone number in international format, as looser than E.164 as session status takes it: the plus may be missing, or
/// be the blank that it becomes in a query that is not encoded. `None` where it is no number.
pub fn international(text: &str) -> Option<String> {
    let digits = text.trim();
    let number = format!("+{}", digits.strip_prefix('+').unwrap_or(digits));
    rules::e164("recipient_phone", &number).is_ok().then_some(number)
}

/// Why the variables given are not those of a template. Each is a name or a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VariableMismatch {
    /// These have no value.
    #[error("The template needs a value for: {}.", .0.join(", "))]
    Missing(Vec<String>),
    /// The template has none called so.
    #[error("The template has no variable called: {}.", .0.join(", "))]
    Unknown(Vec<String>),
    /// This one has two values: by its name and by its position.
    #[error("The template's variable {0} is given twice.")]
    Twice(String),
}

/// Puts the values given by name or by position in the order of the placeholders. A name goes before a position.
///
/// # Errors
/// Where one is missing, unknown or given twice.
pub fn arrange_variables<'a>(
    names: &[String],
    given: &'a BTreeMap<String, String>,
) -> Result<Vec<&'a str>, VariableMismatch> {
    let mut values: Vec<Option<&str>> = vec![None; names.len()];
    let mut unknown = Vec::new();
    for (key, value) in given {
        let by_name = names.iter().position(|name| name == key);
        let Some(at) = by_name.or_else(|| position(key).filter(|at| *at < names.len())) else {
            unknown.push(key.clone());
            continue;
        };
        if values[at].replace(value).is_some() {
            return Err(VariableMismatch::Twice(names[at].clone()));
        }
    }
    if !unknown.is_empty() {
        return Err(VariableMismatch::Unknown(unknown));
    }
    let missing: Vec<_> =
        names.iter().zip(&values).filter(|(_, value)| value.is_none()).map(|(name, _)| name.clone()).collect();
    if missing.is_empty() {
        Ok(values.into_iter().flatten().collect())
    } else {
        Err(VariableMismatch::Missing(missing))
    }
}

/// `1` is index 0. Digits only, and no zero in front: each position is written in one way.
fn position(text: &str) -> Option<usize> {
    let plain = !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse::<usize>().ok().filter(|_| plain)?.checked_sub(1)
}

/// A template's text with its values in place. A placeholder without a value stays, and a value is text, whatever it
/// looks like.
pub fn fill_template(body_text: &str, values: &[&str]) -> String {
    let mut filled = String::with_capacity(body_text.len());
    let mut rest = body_text;
    while let Some((before, behind)) = rest.split_once("{{") {
        filled.push_str(before);
        let inside = behind.split_once("}}");
        let value = inside.and_then(|(number, _)| values.get(position(number)?));
        if let (Some(value), Some((_, after))) = (value, inside) {
            filled.push_str(value);
            rest = after;
        } else {
            filled.push_str("{{");
            rest = behind;
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names() -> Vec<String> {
        ["customer_name", "date"].map(str::to_owned).to_vec()
    }

    fn given(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn variables_come_by_name_or_by_position() {
        for pairs in [
            [("customer_name", "Zoë"), ("date", "May")],
            [("1", "Zoë"), ("2", "May")],
            [("2", "May"), ("customer_name", "Zoë")],
        ] {
            assert_eq!(arrange_variables(&names(), &given(&pairs)), Ok(vec!["Zoë", "May"]));
        }
        assert_eq!(arrange_variables(&[], &BTreeMap::new()), Ok(vec![]));
    }

    #[test]
    fn a_name_that_looks_like_a_position_is_a_name() {
        let names = ["2", "1"].map(str::to_owned);
        assert_eq!(arrange_variables(&names, &given(&[("1", "one"), ("2", "two")])), Ok(vec!["two", "one"]));
    }

    #[test]
    fn variables_that_do_not_fit_are_named() {
        let wrong = |pairs: &[(&str, &str)]| arrange_variables(&names(), &given(pairs)).unwrap_err().to_string();
        assert_eq!(wrong(&[]), "The template needs a value for: customer_name, date.");
        assert_eq!(wrong(&[("1", "x")]), "The template needs a value for: date.");
        assert_eq!(wrong(&[("1", "x"), ("3", "y"), ("day", "z")]), "The template has no variable called: 3, day.");
        assert_eq!(wrong(&[("01", "x")]), "The template has no variable called: 01.");
        assert_eq!(
            wrong(&[("1", "x"), ("customer_name", "y")]),
            "The template's variable customer_name is given twice."
        );
    }

    #[test]
    fn a_text_is_filled_once() {
        assert_eq!(fill_template("Hi {{1}}, {{2}} and {{1}}.", &["{{2}}", "May"]), "Hi {{2}}, May and {{2}}.");
        assert_eq!(fill_template("{{3}} {{x}} {{", &["a"]), "{{3}} {{x}} {{");
    }

    #[test]
    fn limits_read_as_people_write_them() {
        assert_eq!(messaging_limit_formatted(None), "Unlimited");
        assert_eq!(messaging_limit_formatted(Some(250)), "250 / 24hr");
        assert_eq!(messaging_limit_formatted(Some(1_000)), "1,000 / 24hr");
        assert_eq!(messaging_limit_formatted(Some(1_234_567)), "1,234,567 / 24hr");
    }

    #[test]
    fn an_international_number_may_have_lost_its_plus() {
        for text in ["+14155551234", "14155551234", " 14155551234"] {
            assert_eq!(international(text).as_deref(), Some("+14155551234"));
        }
        for text in ["", "+", "++14155551234", "call me", "+1 415 555"] {
            assert_eq!(international(text), None, "{text}");
        }
    }

    #[test]
    fn lengths_count_characters() {
        assert_eq!(recipient_name(&"é".repeat(255)), Ok(()));
        assert!(recipient_name(&"é".repeat(256)).is_err());
        assert_eq!(freeform_message(&"é".repeat(4096)), Ok(()));
        assert!(freeform_message(&"é".repeat(4097)).is_err());
        assert_eq!(freeform_message(" ").unwrap_err().sentence, "The message field is required.");
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn filling_never_panics_and_a_text_without_placeholders_stays(text in ".*", value in ".*") {
            let _ = fill_template(&text, &[&value]);
            let plain = text.replace("{{", "");
            prop_assert_eq!(fill_template(&plain, &[&value]), plain);
        }
    }
}
