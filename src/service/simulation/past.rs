//! Conversations that have been: of the last 60 days, with the rhythm of the week and of the day.

use super::chat::{self, Ending, reply_cost};
use super::customers::{self, pool};
use super::draw::{one, percent, rng};
use super::{Customer, Generated};
use crate::api::assistant_change::INACTIVITY_DEFAULT;
use crate::api::{AssistantStatus, AssistantType, ConversationType, SenderStatus};
use crate::service::world::{Generate, User};
use fastrand::Rng;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Microseconds, as all the numbers of time here.
const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const WEEK: i64 = 7 * DAY;

/// How far back the oldest conversation began, in days.
const OLDEST_DAYS: i64 = 60;
/// How long ago what is out of use was last used, in days.
const RETIRED_DAYS: i64 = 21;

/// How many conversations begin in each hour of a day, in proportion.
const HOURS: [u32; 24] = [1, 1, 1, 1, 1, 1, 2, 4, 8, 12, 14, 13, 10, 10, 12, 13, 13, 11, 9, 8, 7, 5, 3, 2];
const HOURS_SUM: u32 = {
    let (mut sum, mut hour) = (0, 0);
    while hour < HOURS.len() {
        sum += HOURS[hour];
        hour += 1;
    }
    sum
};

/// What is the same for every conversation of an assistant.
struct AssistantTraits {
    /// East of UTC. That of today is taken for all the days: an hour in spring or autumn is no matter.
    offset: i64,
    retired: bool,
    /// Millionths of a USD.
    reply_cost: i64,
}

/// A sender with the assistant that answers there, as indices.
struct StaffedSender {
    sender: usize,
    assistant: usize,
    retired: bool,
}

/// Makes up a user's past.
pub(super) struct Past<'a> {
    user: &'a User,
    rng: Rng,
    /// `now` in microseconds since 1970.
    now: i64,
    desks: Vec<AssistantTraits>,
    /// Assistants by how often they take a conversation that is not a messaging one.
    turns: Vec<usize>,
    lines: Vec<StaffedSender>,
    pool: u64,
}

impl<'a> Past<'a> {
    pub(super) fn new(user: &'a User, plan: &Generate, now: Timestamp) -> Self {
        let desks: Vec<_> = user
            .assistants
            .iter()
            .map(|assistant| AssistantTraits {
                offset: TimeZone::get(&assistant.timezone)
                    .map_or(0, |zone| i64::from(zone.to_offset(now).seconds()) * SECOND),
                retired: assistant.status != AssistantStatus::Active,
                reply_cost: reply_cost(&assistant.mode),
            })
            .collect();
        let turns = user.assistants.iter().enumerate().flat_map(|(at, assistant)| {
            let often = match (&assistant.status, &assistant.kind) {
                (AssistantStatus::Active, AssistantType::Chat) => 4,
                (AssistantStatus::Active, _) => 2,
                _ => 1,
            };
            std::iter::repeat_n(at, often)
        });
        let lines = user.senders.iter().enumerate().filter_map(|(sender, line)| {
            let name = line.assistant.as_ref()?;
            let assistant = user.assistants.iter().position(|assistant| assistant.name == *name)?;
            let retired = desks[assistant].retired || line.status == SenderStatus::Offline;
            Some(StaffedSender { sender, assistant, retired })
        });
        Self {
            turns: turns.collect(),
            lines: lines.collect(),
            desks,
            user,
            rng: rng(plan.seed, &user.email),
            now: now.as_microsecond(),
            pool: pool(plan.conversations),
        }
    }

    /// The conversation of a number. The user has assistants.
    pub(super) fn conversation(&mut self, number: u64) -> Generated {
        let uuid = uuid::Builder::from_random_bytes(self.rng.u128(..).to_be_bytes()).into_uuid();
        let Placement { kind, assistant, retired, sender, customer } = self.place();
        let offset = self.desks[assistant].offset;
        let created = self.beginning(number, retired, offset);
        let age = self.now - created;
        // Nobody has written 40 messages within the first minute.
        let written = u32::try_from(age / (20 * SECOND)).unwrap_or(u32::MAX).saturating_add(1);
        let message_count = self.messages().min(written);
        let updated = self.last_change(created, message_count, &kind);
        let idle = self.now - updated;
        let over_in_percent = match kind {
            _ if retired || idle >= INACTIVITY_DEFAULT * MINUTE => 100,
            _ if idle < 3 * HOUR => 35,
            ConversationType::Msgapp if idle < DAY => 70,
            _ => 98,
        };
        let ending = chat::ending(uuid, &kind);
        Generated {
            uuid,
            assistant,
            message_count,
            total_cost_micros: if kind == ConversationType::Test { 0 } else { self.cost(assistant, message_count) },
            ai_enabled: {
                // Nothing needs this draw any more; without it every world would change.
                self.rng.u32(..100);
                ending == Ending::Assistant
            },
            created_at: moment(created),
            updated_at: moment(updated),
            // Whoever waits for a person is still there.
            ended: percent(&mut self.rng, over_in_percent) && (ending != Ending::Waiting || over_in_percent == 100),
            kind,
            sender,
            customer,
        }
    }

    fn place(&mut self) -> Placement {
        let kind = match self.rng.u32(..100) {
            0..50 if !self.lines.is_empty() => ConversationType::Msgapp,
            50..62 => ConversationType::Api,
            62..72 => ConversationType::Test,
            _ => ConversationType::Widget,
        };
        if kind == ConversationType::Msgapp
            && let Some(line) = one(&mut self.rng, &self.lines)
        {
            let (customer, _) = customers::recurring(&mut self.rng, self.user, line.sender, self.pool);
            return Placement {
                kind,
                assistant: line.assistant,
                retired: line.retired,
                sender: Some(line.sender),
                customer: Some(customer),
            };
        }
        let assistant = one(&mut self.rng, &self.turns).copied().unwrap_or_default();
        Placement { kind, assistant, retired: self.desks[assistant].retired, sender: None, customer: None }
    }

    fn beginning(&mut self, number: u64, retired: bool, offset: i64) -> i64 {
        // By number and not by chance, so that a small world is alive too.
        match number % 200 {
            0..3 if !retired => self.now - self.rng.i64(SECOND..15 * MINUTE),
            3..15 if !retired => self.now - self.rng.i64(15 * MINUTE..6 * HOUR),
            // A day ago: their messaging windows are about to close.
            15..18 if !retired => self.now - self.rng.i64(22 * HOUR..DAY - 3 * MINUTE),
            _ => self.by_rhythm(if retired { RETIRED_DAYS } else { 0 }, offset),
        }
    }

    /// A moment between 60 and `newest` days ago: on workdays rather, and in daylight.
    fn by_rhythm(&mut self, newest: i64, offset: i64) -> i64 {
        let today = (self.now + offset).div_euclid(DAY);
        let mut day = today - self.rng.i64(newest..OLDEST_DAYS);
        // Day 0, the first of 1970, was a Thursday: here Saturday is 2 and Sunday 3.
        if matches!(day.rem_euclid(7), 2 | 3) && percent(&mut self.rng, 60) {
            day -= 2;
        }
        let mut left = self.rng.u32(..HOURS_SUM);
        let mut hour = 0;
        for weight in HOURS {
            if left < weight {
                break;
            }
            left -= weight;
            hour += 1;
        }
        let mut time = day * DAY + hour * HOUR + self.rng.i64(0..HOUR) - offset;
        // By whole weeks, which keeps the weekday; the span is longer than two.
        while time > self.now - newest * DAY - SECOND {
            time -= WEEK;
        }
        while time < self.now - OLDEST_DAYS * DAY {
            time += WEEK;
        }
        time
    }

    fn messages(&mut self) -> u32 {
        match self.rng.u32(..100) {
            0..3 => 1,
            3..72 => self.rng.u32(2..=8),
            72..92 => self.rng.u32(6..=14),
            92..98 => self.rng.u32(12..=36),
            _ => self.rng.u32(40..=90),
        }
    }

    fn last_change(&mut self, created: i64, messages: u32, kind: &ConversationType) -> i64 {
        let end = created + i64::from(messages) * self.rng.i64(15 * SECOND..150 * SECOND);
        // In the messaging app people come back hours later.
        if messages > 1 && *kind == ConversationType::Msgapp && percent(&mut self.rng, 20) {
            let later = end + self.rng.i64(HOUR..20 * HOUR);
            if later <= self.now {
                return later;
            }
        }
        if end <= self.now {
            return end;
        }
        let recent = (self.now - created).min(10 * MINUTE);
        self.now - self.rng.i64(0..=recent)
    }

    fn cost(&mut self, assistant: usize, messages: u32) -> i64 {
        let replies = i64::from(messages.div_ceil(2));
        replies * self.desks[assistant].reply_cost * self.rng.i64(700..=1300) / 1000
    }
}

/// Where a conversation takes place.
struct Placement {
    kind: ConversationType,
    assistant: usize,
    retired: bool,
    sender: Option<usize>,
    customer: Option<Customer>,
}

/// A moment that lies before one that exists: only the beginning of time can be missed.
fn moment(micros: i64) -> Timestamp {
    Timestamp::from_microsecond(micros).unwrap_or(Timestamp::MIN)
}
