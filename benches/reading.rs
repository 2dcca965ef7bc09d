//! Reading conversations in the dashboard: `cargo bench --bench reading`. How long a conversation of 5,000 messages takes to
//! open, scroll and search at 120x40, and how much memory 500 conversations take.

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use serde_json::json;
use std::error::Error;
use std::time::{Duration, Instant};
use switchboard::api::{Conversation, ConversationHistory, NumberedPage, Page};
use switchboard::client::{Reply, Request};
use switchboard::tasks::{Answer, Event, Report, Task, Work};
use switchboard::ui::input::{Input, Key};
use switchboard::ui::{App, Effect, Message, Moment, Options, draw};

const MESSAGES: usize = 5_000;
const CONVERSATIONS: usize = 500;
const PER_PAGE: usize = 100;
const SIZE: Size = Size { width: 120, height: 40 };

/// The app with a server that answers at once.
struct Stage {
    app: App,
    now: Moment,
    buffer: Buffer,
    /// Messages of each conversation.
    messages: usize,
    /// Time spent in the app, without making answers.
    spent: Duration,
}

impl Stage {
    fn new(messages: usize) -> Self {
        let now = Moment { wall: jiff::Timestamp::UNIX_EPOCH, mono: switchboard::ui::Instant::START };
        let buffer = Buffer::empty(Rect::new(0, 0, SIZE.width, SIZE.height));
        let mut app = App::new(Options::default(), SIZE, now);
        let effects = app.start();
        let mut stage = Self { app, now, buffer, messages, spent: Duration::ZERO };
        let connected = Event::Connected { base_url: String::new(), account: None, key_id: None, charges: None };
        stage.tell(Message::Task(connected));
        stage.perform(effects);
        stage
    }

    fn tell(&mut self, message: Message) {
        let start = Instant::now();
        let mut effects = self.app.update(Message::Tick(self.now));
        effects.extend(self.app.update(message));
        self.spent += start.elapsed();
        self.perform(effects);
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            if let Effect::Run(effect) = effect
                && let Task::Server(Work::Call(request)) = &effect.task
                && let Some(reply) = answer(request, self.messages)
            {
                let result = Ok(Answer::Reply(Box::new(reply)));
                self.tell(Message::Task(Event::Done(Report { id: effect.id, origin: effect.origin, result })));
            }
        }
    }

    fn pass(&mut self, span: Duration) {
        self.now = self.now.plus(span);
        self.tell(Message::Tick(self.now));
    }

    fn frame(&mut self) {
        self.buffer.reset();
        draw(&self.app, &mut self.buffer);
    }

    /// The time of a key with its frame, and of what follows from it.
    fn press(&mut self, key: &str) -> Result<Duration, Box<dyn Error>> {
        let key: Key = key.parse().map_err(|_| "no key")?;
        self.spent = Duration::ZERO;
        self.tell(Message::Input(Input::Key(key)));
        let start = Instant::now();
        self.frame();
        Ok(self.spent + start.elapsed())
    }
}

fn answer(request: &Request, messages: usize) -> Option<Reply> {
    match request {
        Request::ListConversations { query } => {
            let page = query.pair_of_page();
            let rows: Vec<Conversation> = (0..PER_PAGE).filter_map(|row| conversation(page, row, messages)).collect();
            let last = CONVERSATIONS / PER_PAGE;
            let envelope = json!({"current_page": page, "last_page": last, "total": CONVERSATIONS, "data": []});
            let envelope: NumberedPage<Conversation> = serde_json::from_value(envelope).ok()?;
            Some(Reply::ListConversations(Page::Numbered(NumberedPage { data: rows, ..envelope })))
        }
        Request::GetConversation { .. } => Some(Reply::GetConversation(history(messages)?)),
        _ => None,
    }
}

/// The number of the page that is asked for.
trait PageOf {
    fn pair_of_page(&self) -> usize;
}

impl PageOf for switchboard::api::ConversationQuery {
    fn pair_of_page(&self) -> usize {
        match self.page {
            switchboard::api::PageRef::Number(number) => usize::try_from(number).unwrap_or(1),
            switchboard::api::PageRef::Cursor(_) => 1,
        }
    }
}

fn conversation(page: usize, row: usize, messages: usize) -> Option<Conversation> {
    let id = format!("9f3c21aa-6c1e-4d0f-9a51-{:012}", page * PER_PAGE + row);
    serde_json::from_value(
        json!({"id": id, "assistant_name": "Reception", "type": "widget", "message_count": messages}),
    )
    .ok()
}

fn history(messages: usize) -> Option<ConversationHistory> {
    use switchboard::api::page::KeepsRaw as _;
    let text = "Could we move the appointment to Thursday, and is it enough to bring the card? 木曜日でも大丈夫です。";
    let message = |at: usize| {
        let mut message = json!({"role": if at.is_multiple_of(2) { "user" } else { "assistant" }, "content": format!("{at}: {text}")});
        if at % 6 == 1 {
            message["function_calls"] =
                json!([{"name": "check_calendar", "arguments": {"day": "Thursday"}, "result": ["10:30", "14:00"]}]);
        }
        message
    };
    let body = json!({"status": true, "history": (0..messages).map(message).collect::<Vec<_>>(), "variables": null});
    let text = body.to_string();
    let mut history: ConversationHistory = serde_json::from_value(body).ok()?;
    history.keep_raw(&text);
    Some(history)
}

/// Resident memory in KiB, where the system tells it.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.trim().parse().ok())
}

fn main() -> Result<(), Box<dyn Error>> {
    // First, while there is no freed memory to be used again.
    for messages in [20, 200] {
        let mut stage = Stage::new(messages);
        let before = memory();
        for _ in 0..CONVERSATIONS / PER_PAGE {
            for _ in 0..PER_PAGE {
                stage.press("j")?;
                // A minute's budget never runs out.
                stage.pass(Duration::from_secs(4));
                stage.frame();
            }
            stage.press("n")?;
        }
        if let (Some(before), Some(after)) = (before, memory()) {
            println!(
                "{CONVERSATIONS} conversations of {messages} messages read: {} KiB more",
                after.saturating_sub(before)
            );
        }
    }

    let mut stage = Stage::new(MESSAGES);
    println!("{MESSAGES} messages at {}x{}, update and draw", SIZE.width, SIZE.height);
    println!("  open (reply to frame)   {:>10.2?}", stage.press("enter")?);
    for (name, key, times) in [
        ("one up", "k", 500),
        ("page up", "pgup", 500),
        ("to the top", "g", 1),
        ("one down", "j", 500),
        ("to the end", "G", 1),
    ] {
        let mut took = (0..times).map(|_| stage.press(key)).collect::<Result<Vec<_>, _>>()?;
        took.sort();
        println!("  {name:22}  {:>10.2?}   worst {:>10.2?}", took[took.len() / 2], took[took.len() - 1]);
    }
    stage.press("/")?;
    let typed = ["4", "9", "9", "9"].into_iter().map(|key| stage.press(key)).collect::<Result<Vec<_>, _>>()?;
    println!("  a letter of a search    {:>10.2?}", typed.into_iter().max().unwrap_or_default());
    Ok(())
}
