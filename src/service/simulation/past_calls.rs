//! Calls that have been, of the last 60 days, and a few that are under way.

use super::calls::{self, Plan};
use super::customers::{caller, pool};
use super::draw::{mix, one, percent};
use super::phrases::PhraseLanguage;
use crate::api::{AssistantStatus, AssistantType, CallStatus, CallType};
use crate::service::world::{Generate, User};
use fastrand::Rng;
use jiff::Timestamp;

/// Microseconds.
const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const DAY: i64 = 24 * 60 * MINUTE;

/// How far back the oldest call was made, in days.
const OLDEST_DAYS: i64 = 60;

/// Without so many calls none is under way.
const WORTH_LIVING: u64 = 20;

/// The newest calls, which are under way: how long ago each began, in microseconds.
const UNDER_WAY: [(CallStatus, i64); 4] = [
    (CallStatus::InProgress, 5 * MINUTE),
    (CallStatus::Ended, MINUTE),
    (CallStatus::Ringing, 2 * SECOND),
    (CallStatus::Initiated, 0),
];

/// A call that has been made up. What was said in it follows from its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastCall {
    /// Who talks for the user: an index into the user's assistants.
    pub assistant: usize,
    /// Who calls whom.
    pub kind: CallType,
    /// How far it is.
    pub status: CallStatus,
    /// What comes of it.
    pub plan: Plan,
    /// The customer's number in E.164.
    pub phone: String,
    /// When it began, in microseconds since 1970.
    pub created_at: i64,
    /// When somebody answered.
    pub answered_at: Option<i64>,
    /// When it was over.
    pub finished_at: Option<i64>,
    /// When it moves on; none when it is over.
    pub next_at: Option<i64>,
    /// When it last changed, not after now.
    pub updated_at: i64,
}

/// The calls a plan asks for, oldest first. A user without an assistant for the telephone gets none.
pub fn generate<'a>(user: &'a User, plan: &Generate, now: Timestamp) -> impl Iterator<Item = PastCall> + 'a {
    // A seed apart from that of the conversations, so that both may grow on their own.
    let mut rng = super::draw::rng(mix(plan.seed), &user.email);
    let desks: Vec<usize> =
        (0..user.assistants.len()).filter(|at| user.assistants[*at].kind != AssistantType::Chat).collect();
    let active: Vec<usize> =
        desks.iter().copied().filter(|at| user.assistants[*at].status == AssistantStatus::Active).collect();
    let desks = if active.is_empty() { desks } else { active };
    let count = if desks.is_empty() { 0 } else { plan.calls };
    let under_way = if count < WORTH_LIVING { 0 } else { UNDER_WAY.len() };
    let now = now.as_microsecond();
    // By their times, since newer calls have larger numbers.
    let done = count - under_way as u64;
    let mut began: Vec<i64> = (0..done).map(|_| now - rng.i64(10 * MINUTE..OLDEST_DAYS * DAY)).collect();
    began.sort_unstable();
    let pool = pool(plan.conversations);
    let done = began.into_iter().map(|began| (None, began));
    let under_way = UNDER_WAY[..under_way].iter().map(move |(status, ago)| (Some(status.clone()), now - ago));
    done.chain(under_way).map(move |(status, began)| call(user, &desks, pool, &mut rng, status, began))
}

fn call(user: &User, desks: &[usize], pool: u64, rng: &mut Rng, status: Option<CallStatus>, began: i64) -> PastCall {
    let assistant = one(rng, desks).copied().unwrap_or_default();
    let (kind, timezone) = (&user.assistants[assistant].kind, &user.assistants[assistant].timezone);
    let kind = match kind {
        _ if percent(rng, 8) => CallType::Web,
        AssistantType::Inbound => CallType::Inbound,
        _ => CallType::Outbound,
    };
    let phone = caller(rng, user, PhraseLanguage::of_timezone(timezone), pool);
    let outcome = match rng.u32(..100) {
        // One that is dialled or rings stays unanswered: nobody pays for what was not there.
        _ if matches!(status, Some(CallStatus::Initiated | CallStatus::Ringing)) => CallStatus::NoAnswer,
        0..70 => CallStatus::Completed,
        _ if status.is_some() => CallStatus::Completed,
        70..79 => CallStatus::EndedByCustomer,
        79..83 => CallStatus::EndedByAssistant,
        83..85 => CallStatus::Failed,
        // Whoever calls in is answered.
        _ if kind != CallType::Outbound => CallStatus::Completed,
        85..94 => CallStatus::NoAnswer,
        _ => CallStatus::Busy,
    };
    let (talk_seconds, answered_by) = match outcome {
        CallStatus::Busy | CallStatus::NoAnswer | CallStatus::Failed => (0, None),
        CallStatus::EndedByCustomer | CallStatus::EndedByAssistant => (rng.i64(4..=25), Some("human")),
        // A long one, so that whoever looks finds it.
        _ if status == Some(CallStatus::InProgress) => (45 * 60, Some("human")),
        _ if kind == CallType::Outbound && percent(rng, 7) => (rng.i64(6..=12), Some("machine")),
        _ => (rng.i64(25..=240), Some("human")),
    };
    let micros = |lasts: std::time::Duration| i64::try_from(lasts.as_micros()).unwrap_or_default();
    let rings = began + micros(calls::DIALLING);
    let answers = rings + micros(if outcome == CallStatus::NoAnswer { calls::GIVING_UP } else { calls::RINGING });
    let hangs_up = answers + talk_seconds * SECOND;
    let over = hangs_up + if talk_seconds > 0 { micros(calls::WRITING_DOWN) } else { 0 };
    let (next_at, updated_at) = match status {
        Some(CallStatus::Initiated) => (Some(rings), began),
        Some(CallStatus::Ringing) => (Some(answers), rings),
        Some(CallStatus::InProgress) => (Some(hangs_up), answers),
        // However long they talked, they have just hung up.
        Some(_) => (Some(began + MINUTE + micros(calls::WRITING_DOWN)), began + MINUTE),
        None => (None, over),
    };
    let talk_seconds = if status == Some(CallStatus::Ended) { 57 } else { talk_seconds };
    PastCall {
        assistant,
        kind,
        answered_at: (talk_seconds > 0).then_some(answers),
        finished_at: status.is_none().then_some(over),
        status: status.unwrap_or_else(|| outcome.clone()),
        plan: Plan { outcome, talk_seconds, answered_by },
        phone,
        created_at: began,
        next_at,
        updated_at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::rules;
    use crate::service::world::{DEMO, World};

    const PLAN: Generate = Generate { conversations: 2_000, calls: 400, seed: 42 };

    fn now() -> Timestamp {
        "2026-03-04T15:06:07.123456Z".parse().unwrap()
    }

    #[test]
    fn calls_of_every_status_and_type_are_made_oldest_first_and_always_the_same() {
        let user = World::parse(DEMO).unwrap().users.remove(0);
        let made: Vec<_> = generate(&user, &PLAN, now()).collect();
        assert_eq!(made, generate(&user, &PLAN, now()).collect::<Vec<_>>());
        assert_eq!(made.len(), 400);
        assert!(made.is_sorted_by_key(|call| call.created_at));
        for status in CallStatus::KNOWN {
            assert!(made.iter().any(|call| call.status == *status), "{status:?}");
        }
        for kind in CallType::KNOWN {
            assert!(made.iter().any(|call| call.kind == *kind), "{kind:?}");
        }
    }

    #[test]
    fn what_a_call_says_of_itself_fits_together() {
        let user = World::parse(DEMO).unwrap().users.remove(0);
        let now = now().as_microsecond();
        for call in generate(&user, &PLAN, Timestamp::from_microsecond(now).unwrap()) {
            assert_eq!(rules::e164("phone", &call.phone), Ok(()), "{call:?}");
            assert!(call.created_at <= call.updated_at && call.updated_at <= now, "{call:?}");
            assert_eq!(call.next_at.is_some(), !call.status.is_over(), "{call:?}");
            assert!(call.next_at.is_none_or(|next| next > now), "{call:?}");
            assert_eq!(call.finished_at.is_some(), call.status.is_over(), "{call:?}");
            assert_eq!(call.answered_at.is_some(), call.plan.talk_seconds > 0, "{call:?}");
            assert_eq!(call.plan.answered_by.is_some(), call.plan.talk_seconds > 0, "{call:?}");
            assert!(user.assistants[call.assistant].status == AssistantStatus::Active, "{call:?}");
        }
    }

    #[test]
    fn a_user_without_assistants_for_the_telephone_or_without_senders_does_no_harm() {
        let mut user = World::parse(DEMO).unwrap().users.remove(0);
        user.senders.clear();
        assert_eq!(generate(&user, &PLAN, now()).count(), 400);
        user.assistants.retain(|assistant| assistant.kind == AssistantType::Chat);
        assert_eq!(generate(&user, &PLAN, now()).count(), 0);
    }
}
