//! What is said in a conversation, from its request to its end, with the tools called on the way.

use super::draw::{one, percent};
use super::phrases::PhraseLanguage;
use super::stories::{StoryTool, Turn};
use crate::api::{FunctionCall, Role};
use fastrand::Rng;
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan, tz::TimeZone};
use serde_json::{Map, Value, json};

/// Something said, with the functions called for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub text: String,
    /// Empty on all but some of the assistant's.
    pub calls: Vec<FunctionCall>,
}

impl Line {
    pub(super) fn new(role: Role, text: impl Into<String>) -> Self {
        Self { role, text: text.into(), calls: Vec::new() }
    }
}

/// Who talks, and when they began.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) language: PhraseLanguage,
    pub(super) began: Timestamp,
    pub(super) customer: Option<&'a str>,
}

/// Writes so many messages with an answer each.
pub(super) struct Script<'a> {
    scene: Scene<'a>,
    rng: Rng,
    lines: Vec<Line>,
    extracted: Map<String, Value>,
}

impl<'a> Script<'a> {
    pub(super) fn new(scene: Scene<'a>, rng: Rng) -> Self {
        Self { scene, rng, lines: Vec::new(), extracted: Map::new() }
    }

    /// What was said, and what can be learned from it.
    pub(super) fn end(self) -> (Vec<Line>, Map<String, Value>) {
        (self.lines, self.extracted)
    }

    pub(super) fn say(&mut self, role: Role, text: &str) {
        self.lines.push(Line::new(role, text));
    }

    /// A request, what else comes up, and where `closes` the customer's thanks with the last answer.
    pub(super) fn pairs(&mut self, mut pairs: u64, closes: bool) {
        let exchanges = self.scene.language.phrases().exchanges;
        let (thanks, small_talk) = exchanges.split_last().map_or((None, exchanges), |(last, rest)| (Some(last), rest));
        let closes = closes && pairs > 1;
        pairs -= u64::from(closes);
        let stories = self.scene.language.stories().requests;
        // An index below the number of stories is one of these, any other small talk.
        let mut all: Vec<usize> = (0..stories.len() + small_talk.len()).collect();
        let mut left: Vec<usize> = (0..stories.len()).collect();
        self.rng.shuffle(&mut left);
        left.drain(..left.len().saturating_sub(1));
        let mut last = usize::MAX;
        while pairs > 0 {
            if left.is_empty() {
                self.rng.shuffle(&mut all);
                left.clone_from(&all);
                // What came last does not come again at once.
                if left.last() == Some(&last) {
                    left.reverse();
                }
            }
            last = left.pop().unwrap_or_default();
            if let Some(story) = stories.get(last) {
                let subject = Subject::draw(&mut self.rng, &self.scene);
                for turn in story.iter().take(usize::try_from(pairs).unwrap_or(usize::MAX)) {
                    self.turn(turn, &subject);
                    pairs -= 1;
                }
            } else {
                self.exchange(small_talk.get(last - stories.len()));
                pairs -= 1;
            }
        }
        if closes {
            self.exchange(thanks);
        }
    }

    /// A request that nobody has answered yet.
    pub(super) fn request(&mut self) {
        let stories = self.scene.language.stories().requests;
        if let Some([first, ..]) = one(&mut self.rng, stories) {
            let subject = Subject::draw(&mut self.rng, &self.scene);
            self.say(Role::User, &subject.fill(first.asks));
        }
    }

    fn exchange(&mut self, exchange: Option<&(&str, &str)>) {
        let (asks, answers) = exchange.copied().unwrap_or_default();
        self.say(Role::User, asks);
        self.say(Role::Assistant, answers);
    }

    fn turn(&mut self, turn: &Turn, subject: &Subject) {
        self.say(Role::User, &subject.fill(turn.asks));
        let mut answer = Line::new(Role::Assistant, subject.fill(turn.answers));
        if let Some(tool) = turn.tool {
            let (name, arguments, result) = subject.call(tool, &mut self.rng);
            // Now and then a tool fails first, as tools do.
            if percent(&mut self.rng, 8) {
                let error = json!({"error": "The request timed out after 5 s."});
                answer.calls.push(FunctionCall { name: name.to_owned(), arguments: arguments.clone(), result: error });
            }
            let (field, value) = subject.learned(tool);
            self.extracted.insert(field.to_owned(), value);
            answer.calls.push(FunctionCall { name: name.to_owned(), arguments, result });
        }
        self.lines.push(answer);
    }
}

/// What fills the places of a story.
struct Subject {
    order: String,
    article: String,
    pieces: u32,
    day: Date,
    hour: i8,
    minute: i8,
    language: PhraseLanguage,
    customer: Option<String>,
}

impl Subject {
    fn draw(rng: &mut Rng, scene: &Scene<'_>) -> Self {
        let today = scene.began.to_zoned(TimeZone::UTC).date();
        Self {
            order: format!("LM20{:06}", rng.u32(100_000..1_000_000)),
            article: format!("LM-{}", rng.u32(1_000..10_000)),
            pieces: rng.u32(2..=8),
            // A date beyond the end of the calendar is nobody's.
            day: today.checked_add(rng.i32(1..=6).days()).unwrap_or(today),
            hour: rng.i8(14..=17),
            minute: if rng.bool() { 0 } else { 30 },
            language: scene.language,
            customer: scene.customer.map(str::to_owned),
        }
    }

    fn fill(&self, text: &str) -> String {
        if !text.contains('{') {
            return text.to_owned();
        }
        let stories = self.language.stories();
        text.replace("{order}", &self.order)
            .replace("{article}", &self.article)
            .replace("{pieces}", &self.pieces.to_string())
            .replace("{day}", &self.day.strftime(stories.date).to_string())
            .replace("{time}", &self.time())
            .replace("{place}", stories.place)
    }

    fn time(&self) -> String {
        format!("{}:{:02}", self.hour, self.minute)
    }

    fn starts_at(&self) -> String {
        format!("{}T{}", self.day, self.time())
    }

    /// The name of a tool, what it is called with, and what it gives back.
    fn call(&self, tool: StoryTool, rng: &mut Rng) -> (&'static str, Value, Value) {
        let number = rng.u32(10_000..100_000);
        match tool {
            StoryTool::TrackOrder => (
                "track_order",
                json!({"order_number": self.order}),
                json!({
                    "order_number": self.order, "status": "in_transit", "carrier": "Nordfrakt",
                    "tracking_number": format!("NF{number}"), "expected_on": self.day.to_string()
                }),
            ),
            StoryTool::CheckStock => (
                "check_stock",
                json!({"article": self.article, "pieces": self.pieces, "showroom_only": false}),
                json!({
                    "article": self.article, "available": self.pieces + number % 20,
                    "warehouse": one(rng, &["Malmö", "Lille", "Poznań"]), "reserved_until": self.day.to_string()
                }),
            ),
            StoryTool::BookVisit => (
                "book_visit",
                json!({
                    "showroom": self.language.stories().place, "starts_at": self.starts_at(),
                    "customer_name": self.customer
                }),
                json!({"booked": true, "visit": format!("V-{number}"), "starts_at": self.starts_at()}),
            ),
        }
    }

    /// What can be learned from a call of a tool.
    fn learned(&self, tool: StoryTool) -> (&'static str, Value) {
        match tool {
            StoryTool::TrackOrder => ("order_number", self.order.as_str().into()),
            StoryTool::CheckStock => ("article", self.article.as_str().into()),
            StoryTool::BookVisit => ("visit_at", self.starts_at().into()),
        }
    }
}
