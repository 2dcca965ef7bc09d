//! What is said in the canned conversations.

use serde_json::{Value, json};
use switchboard::api::{Conversation, ConversationHistory, ErrorBody};
use switchboard::client::FailureKind;

/// A beginning, a request with a tool call, and an end; in between as much as the list says.
const ENGLISH: [&str; 6] = [
    "Hi! Can I move my appointment to Thursday?",
    "Of course. On Thursday 10:30 and 14:00 are free, which one suits you?",
    "10:30 please. And do I need to bring anything?",
    "Just your card. I have booked Thursday, 10:30.",
    "Perfect, thank you!",
    "You are welcome. See you on Thursday!",
];
const JAPANESE: [&str; 6] = [
    "こんにちは。木曜日に予約を変更できますか。",
    "はい、木曜日は10時30分と14時が空いております。どちらがよろしいでしょうか。",
    "10時30分でお願いします。何か持っていくものはありますか。",
    "保険証だけお持ちください。木曜日の10時30分でご予約を承りました。",
    "ありがとうございます。",
    "お待ちしております。",
];
const ARABIC: [&str; 6] = [
    "مرحبا! هل يمكنني نقل موعدي إلى يوم الخميس؟",
    "بالتأكيد. يوم الخميس متاح الساعة 10:30 و14:00، أيهما يناسبك؟",
    "10:30 من فضلك. هل أحتاج إلى إحضار شيء؟",
    "بطاقتك فقط. لقد حجزت لك يوم الخميس الساعة 10:30.",
    "شكرا جزيلا!",
    "على الرحب والسعة. نراك يوم الخميس!",
];

/// As many messages in this language; the second of each round calls a tool.
pub fn messages(lines: &[&str; 6], count: u64) -> Vec<Value> {
    let message = |at: u64| {
        let line = lines[usize::try_from(at % 6).unwrap()];
        let mut message = json!({"role": if at.is_multiple_of(2) { "user" } else { "assistant" }, "content": line});
        if at % 6 == 1 {
            message["function_calls"] = json!([{
                "name": "check_calendar", "arguments": {"day": "Thursday", "room": 2}, "result": ["10:30", "14:00"],
            }]);
        }
        message
    };
    (0..count).map(message).collect()
}

/// A reply with these messages, as it comes from a server.
pub fn reply(messages: &[Value]) -> ConversationHistory {
    read(&json!({"status": true, "history": messages, "variables": {"clinic": "Acme Berlin", "floor": 2},
        "extracted_variables": {"day": "Thursday", "wants_call": false}}))
}

/// A reply as it comes from a server.
pub fn read(body: &Value) -> ConversationHistory {
    use switchboard::api::page::KeepsRaw as _;
    let mut history: ConversationHistory = serde_json::from_value(body.clone()).unwrap();
    history.keep_raw(&body.to_string());
    history
}

/// What is said in a row of the list.
pub fn of(row: &Conversation) -> ConversationHistory {
    let name = row.assistant_name.known().map_or("", String::as_str);
    let lines = if name == "受付" { &JAPANESE } else { &ENGLISH };
    reply(&messages(lines, row.message_count.known().copied().unwrap_or(2).min(60)))
}

/// A conversation in Arabic.
pub fn arabic(count: u64) -> ConversationHistory {
    reply(&messages(&ARABIC, count))
}

/// A conversation in English.
pub fn english(count: u64) -> ConversationHistory {
    reply(&messages(&ENGLISH, count))
}

/// The conversation is gone.
pub fn gone() -> FailureKind {
    let body = Some(ErrorBody::Failed { status: false, error: "Conversation not found".to_owned() });
    FailureKind::Status { status: 404, body, retry_after: None }
}
