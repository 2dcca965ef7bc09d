//! Conversations that are always the same, and a server that answers with them at once.

use super::calls;
use super::desk::Desk;
use super::talks;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use std::collections::BTreeMap;
use switchboard::api::{
    AiSwitched, Call, CallQuery, Conversation, ConversationHistory, ConversationQuery, ConversationType, CursorPage,
    ErrorBody, NumberedPage, OutboundAssistant, Page, PageRef, Party, PlainTimestamp,
};
use switchboard::client::{FailureKind, Reply, Request, Tried};
use switchboard::tasks::{Answer, Listening, Task, Work};

/// How many conversations there are: three pages of fifty.
pub const TOTAL: usize = 120;
/// The assistants, numbered from 1.
pub const ASSISTANTS: [&str; 6] = ["Reception", "Réception FR", "Sales desk", "受付", "Empfang Berlin", "Order bot"];

/// When the stories happen: 14:02 in Berlin.
pub fn noon() -> Timestamp {
    "2026-11-21T13:02:30Z".parse().unwrap()
}

/// The same assistants and as many conversations, for the embedded service.
pub fn world() -> String {
    world_with(&format!("generate = {{ conversations = {TOTAL}, seed = 7 }}\n"))
}

/// The same without conversations: nobody lives in it.
pub fn still_world() -> String {
    world_with("")
}

fn world_with(conversations: &str) -> String {
    let assistants: String = ASSISTANTS.map(|name| format!("[[users.assistants]]\nname = \"{name}\"\n")).concat();
    format!(
        "[[users]]\nemail = \"ada@example.com\"\ntokens = [\"sandbox-ada\"]\n\
         {conversations}{assistants}\
         [[users.senders]]\nphone_number = \"+14155550100\"\nassistant = \"Reception\"\n\
         [[users.senders.templates]]\nname = \"appointment_reminder\"\nlanguage = \"en\"\ncategory = \"utility\"\n\
         status = \"approved\"\nbody_text = \"Hi {{{{1}}}}, see you on {{{{2}}}}.\"\n\
         variables = [\"customer_name\", \"date\"]\n\
         [[users.senders.templates]]\nname = \"old_promo\"\nlanguage = \"de\"\ncategory = \"marketing\"\n\
         status = \"rejected\"\nbody_text = \"LAST CHANCE\"\n"
    )
}

/// All conversations, the newest first.
pub fn conversations() -> Vec<Conversation> {
    (0..TOTAL).map(conversation).collect()
}

fn conversation(at: usize) -> Conversation {
    use ConversationType::{Api, Msgapp, Test, Widget};
    let n = i64::try_from(at).unwrap();
    let number = u64::try_from(at).unwrap();
    // The first ones are minutes old, the last ones weeks.
    let updated = noon() - SignedDuration::from_secs(4 + n * 37 + n * n * n);
    let created = updated - SignedDuration::from_mins(3 + n * 11 % 90);
    let assistant = at * 5 % ASSISTANTS.len();
    let kind = [Msgapp, Widget, Msgapp, Api, Msgapp, Widget, Test][at % 7].clone();
    let messages = number * 13 % 47 + 1;
    let cents = u32::try_from(messages * 9 + number % 10).unwrap();
    let customers = [
        ("Maria Souza", "+5511912345678"),
        ("Jörg Brandt", "+4930901820"),
        ("田中 美咲", "+81312345678"),
        ("Ana Lima", "+351213456789"),
        ("Noah Smith", "+14155550123"),
    ];
    let party = |(name, phone): (&str, &str)| Party { name: Some(name.to_owned()), phone: Some(phone.to_owned()) };
    let messaging = kind == Msgapp;
    let either =
        |party| if messaging { switchboard::api::Field::Known(party) } else { switchboard::api::Field::Missing };
    Conversation {
        id: format!(
            "{:08x}-6c1e-4d0f-9a51-{:012x}",
            0x9f3c_21aa_u32.rotate_left(u32::try_from(at).unwrap()),
            at * 7919
        )
        .into(),
        assistant_id: format!("1b77c0de-0000-4000-8000-{:012x}", assistant + 1).into(),
        assistant_name: ASSISTANTS[assistant].to_owned().into(),
        kind: kind.into(),
        message_count: messages.into(),
        total_cost: (f64::from(cents) / 1000.0).into(),
        ai_enabled: (at % 5 != 3).into(),
        created_at: PlainTimestamp(created).into(),
        updated_at: PlainTimestamp(updated).into(),
        msgapp_sender: either(party(("Acme Support", "+14155550100"))),
        customer: either(party(customers[at % customers.len()])),
        extra: serde_json::Map::new(),
        raw: None,
    }
}

/// Texts that want to harm the terminal or the layout, in fields of every wrong kind.
pub fn hostile() -> Vec<Conversation> {
    let names = [
        json!("\u{1b}[2J\u{1b}]0;owned\u{7}red\u{1b}[31m"),
        json!("right \u{202e}gpj.exe\u{2066}to left\u{200f}"),
        json!("👩‍👩‍👧‍👦🏳️‍🌈👍🏽 family 🇧🇷🇯🇵"),
        json!("受付センター東京本社第一営業部門総合案内窓口担当者"),
        json!("a\u{301}\u{302}\u{303}\u{304}".repeat(40)),
        json!("x".repeat(5000)),
        json!("line\r\nbreak\ttab\u{0}nul\u{9b}31mcsi\u{feff}\u{200b}\u{ad}"),
        json!(""),
        json!(null),
        json!(["a", {"b": 1}]),
        json!(17),
    ];
    let odd = [json!(-1), json!("many"), json!(1e300), json!(null), json!({}), json!(u64::MAX)];
    let times = [
        json!("2026-11-21 13:02:00"),
        json!("soon"),
        json!("9999-12-31 23:59:59"),
        json!("0000-01-01 00:00:00"),
        json!(0),
        json!(null),
    ];
    let row = |at: usize| {
        let pick = |from: &[serde_json::Value], step: usize| from[(at * step) % from.len()].clone();
        let mut row = json!({
            "id": pick(&names, 3), "assistant_id": pick(&names, 7), "assistant_name": pick(&names, 1),
            "type": pick(&names, 5), "message_count": pick(&odd, 1), "total_cost": pick(&odd, 5),
            "ai_enabled": pick(&odd, 1), "created_at": pick(&times, 5), "updated_at": pick(&times, 1),
            "msgapp_sender": {"name": pick(&names, 2), "phone": pick(&names, 4)}, "customer": pick(&names, 9),
            "\u{1b}[31mfield": pick(&names, 1), "受付": {"deep": [[[pick(&names, 1)]]]},
        });
        // Some rows lack a field, and one is empty.
        let gone = row.as_object().unwrap().keys().nth(at % 11).unwrap().clone();
        row.as_object_mut().unwrap().remove(&gone);
        serde_json::from_value(if at == 20 { json!({}) } else { row }).unwrap()
    };
    (0..66).map(row).collect()
}

/// How the server pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paging {
    Numbered,
    Cursor,
}

/// How the server is today.
#[derive(Debug, Clone, PartialEq)]
pub enum Mood {
    Well,
    /// It takes requests and does not answer.
    Silent,
    Failing(FailureKind),
}

/// A server in a value: no socket, no thread.
#[derive(Debug, Clone)]
pub struct Canned {
    pub rows: Vec<Conversation>,
    pub assistants: Vec<String>,
    pub paging: Paging,
    pub mood: Mood,
    /// The server gives the messages of conversations.
    pub has_messages: bool,
    /// Conversations that say something of their own; `None` for one that is gone.
    pub talks: BTreeMap<String, Option<ConversationHistory>>,
    /// Why the AI of a conversation cannot be turned off or on; `None` where it can.
    pub keeps_ai: Option<FailureKind>,
    /// The calls, the newest first; `None` where the server has no such list.
    pub calls: Option<Vec<Call>>,
    /// The list of calls tells what was said.
    pub lists_words: bool,
    /// The conversations whose messages were requested, in that order.
    pub read: Vec<String>,
    pub desk: Desk,
}

impl Default for Canned {
    fn default() -> Self {
        let assistants = ASSISTANTS.map(str::to_owned).to_vec();
        Self {
            rows: conversations(),
            assistants,
            paging: Paging::Numbered,
            mood: Mood::Well,
            has_messages: true,
            talks: BTreeMap::new(),
            keeps_ai: None,
            calls: None,
            lists_words: true,
            read: Vec::new(),
            desk: Desk::default(),
        }
    }
}

impl Canned {
    /// The answer at this time; `None` where none comes.
    pub fn answer(&mut self, task: &Task, now: Timestamp) -> Option<Result<Answer, FailureKind>> {
        let work = match task {
            Task::Store(request) => return Some(self.desk.store(request).map(Answer::Stored)),
            Task::Listen(Listening::Start { .. }) => {
                return Some(Ok(Answer::Listening(Some("http://127.0.0.1:8788/".to_owned()))));
            }
            Task::Listen(Listening::Stop) => return Some(Ok(Answer::Listening(None))),
            Task::Listen(Listening::ForwardAgain(_)) => return Some(Ok(Answer::Forwarded(Ok(204)))),
            Task::Try(_) => {
                let (took, answer) = (std::time::Duration::from_millis(40), Err("connection refused".to_owned()));
                return Some(Ok(Answer::Tried(Box::new(Tried { took, answer }))));
            }
            Task::Server(work) => work,
        };
        match &self.mood {
            // Uploads take their time.
            Mood::Well if matches!(work, Work::Upload(_)) => None,
            Mood::Well => Some(match work {
                Work::Call(Request::ListConversations { query }) => {
                    Ok(Answer::Reply(Box::new(Reply::ListConversations(self.page(query)))))
                }
                Work::Call(Request::GetConversation { uuid }) => {
                    self.read.push(uuid.as_str().to_owned());
                    self.talk(uuid.as_str()).map(|talk| Answer::Reply(Box::new(Reply::GetConversation(talk))))
                }
                Work::Call(Request::DisableAi { uuid }) => {
                    self.switch_ai(uuid.as_str(), false).map(|done| Answer::Reply(Box::new(Reply::DisableAi(done))))
                }
                Work::Call(Request::EnableAi { uuid }) => {
                    self.switch_ai(uuid.as_str(), true).map(|done| Answer::Reply(Box::new(Reply::EnableAi(done))))
                }
                Work::Call(Request::ListOutboundAssistants) => {
                    Ok(Answer::Reply(Box::new(Reply::ListOutboundAssistants(self.outbound().into()))))
                }
                Work::Call(Request::ListCalls { query }) if self.calls.is_some() => {
                    Ok(Answer::Reply(Box::new(Reply::ListCalls(self.calls_page(query)))))
                }
                Work::Call(Request::GetCall { id }) if self.calls.is_some() => {
                    self.call(*id).map(|call| Answer::Reply(Box::new(Reply::GetCall(call))))
                }
                Work::Call(Request::DeleteCall { id }) => {
                    let gone = self.call(*id).map(|_| Answer::Reply(Box::new(Reply::DeleteCall(()))));
                    if let Some(calls) = &mut self.calls {
                        calls.retain(|call| call.id.known() != Some(id));
                    }
                    gone
                }
                other => self.desk.answer(other, now),
            }),
            Mood::Silent => None,
            Mood::Failing(kind) => Some(Err(kind.clone())),
        }
    }

    fn switch_ai(&mut self, id: &str, on: bool) -> Result<AiSwitched, FailureKind> {
        if let Some(kind) = &self.keeps_ai {
            return Err(kind.clone());
        }
        let mut rows = self.rows.iter_mut();
        let row = rows.find(|row| row.id.known().is_some_and(|known| known == id)).ok_or_else(talks::gone)?;
        row.ai_enabled = on.into();
        Ok(AiSwitched { status: true, ai_enabled: on })
    }

    fn talk(&self, id: &str) -> Result<ConversationHistory, FailureKind> {
        if !self.has_messages {
            let body = Some(ErrorBody::message("The route could not be found."));
            return Err(FailureKind::Status { status: 404, body, retry_after: None });
        }
        let row = self.rows.iter().find(|row| row.id.known().is_some_and(|known| known == id));
        match (self.talks.get(id), row) {
            (Some(talk), _) => talk.clone().ok_or_else(talks::gone),
            (None, Some(row)) => Ok(talks::of(row)),
            (None, None) => Err(talks::gone()),
        }
    }

    fn outbound(&self) -> Vec<OutboundAssistant> {
        let named = |(id, name): (i64, &String)| OutboundAssistant {
            id: id.into(),
            name: name.clone().into(),
            ..OutboundAssistant::default()
        };
        (1..).zip(&self.assistants).map(named).collect()
    }

    fn page(&self, query: &ConversationQuery) -> Page<Conversation> {
        let filter = &query.filter;
        let of_assistant = |row: &Conversation| {
            let name = filter.assistant_id.and_then(|id| self.assistants.get(usize::try_from(id - 1).ok()?));
            filter.assistant_id.is_none() || name.is_some_and(|name| row.assistant_name.known() == Some(name))
        };
        let begun = |row: &Conversation| row.created_at.known().map(|at| at.0.strftime("%F").to_string());
        let passes = |row: &&Conversation| {
            filter.kind.as_ref().is_none_or(|kind| row.kind.known() == Some(kind))
                && of_assistant(row)
                && filter.date_from.is_none_or(|day| begun(row) >= Some(day.to_string()))
                && filter.date_to.is_none_or(|day| begun(row) <= Some(day.to_string()))
        };
        let rows: Vec<_> = self.rows.iter().filter(passes).cloned().collect();
        self.cut(&rows, query.per_page, &query.page)
    }

    fn call(&self, id: i64) -> Result<Call, FailureKind> {
        let body = || Some(ErrorBody::message("Call not found"));
        let gone = || FailureKind::Status { status: 404, body: body(), retry_after: None };
        self.calls.iter().flatten().find(|call| call.id.known() == Some(&id)).cloned().ok_or_else(gone)
    }

    fn calls_page(&self, query: &CallQuery) -> Page<Call> {
        let all = self.calls.iter().flatten();
        let mut rows: Vec<_> =
            all.filter(|call| calls::passes(call, &query.filter, &self.assistants)).cloned().collect();
        if !self.lists_words {
            for call in &mut rows {
                call.transcript = switchboard::api::Field::Missing;
            }
        }
        self.cut(&rows, query.page.per_page, &query.page.page)
    }

    fn cut<T: Clone>(&self, rows: &[T], per_page: u32, page: &PageRef) -> Page<T>
    where
        NumberedPage<T>: serde::de::DeserializeOwned,
    {
        let rows_a_page = usize::try_from(per_page).unwrap();
        let number = match page {
            PageRef::Number(number) => usize::try_from(*number).unwrap(),
            PageRef::Cursor(cursor) => cursor.parse().unwrap(),
        };
        let data: Vec<_> = rows.iter().skip((number - 1) * rows_a_page).take(rows_a_page).cloned().collect();
        let last = rows.len().div_ceil(rows_a_page).max(1);
        match self.paging {
            Paging::Numbered => Page::Numbered(numbered(data, number, last, rows.len())),
            Paging::Cursor => Page::Cursor(CursorPage {
                data,
                path: String::new(),
                per_page: per_page.into(),
                next_cursor: (number < last).then(|| (number + 1).to_string()),
                prev_cursor: (number > 1).then(|| (number - 1).to_string()),
            }),
        }
    }
}

/// The fields of the envelope that matter to a reader.
fn numbered<T>(data: Vec<T>, number: usize, last: usize, total: usize) -> NumberedPage<T>
where
    NumberedPage<T>: serde::de::DeserializeOwned,
{
    let envelope = json!({"current_page": number, "last_page": last, "total": total, "data": []});
    NumberedPage { data, ..serde_json::from_value(envelope).unwrap() }
}
