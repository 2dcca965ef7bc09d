//! Which conversation is fetched when: the selected one once the selection rests, then its neighbours, one at a time.

use super::cache::Cache;
use crate::api::{Conversation, ErrorBody};
use crate::client::{Failure, FailureKind};
use crate::tasks::TaskId;
use crate::ui::message::Instant;
use std::collections::VecDeque;
use std::time::Duration;

/// A selection that stays for so long rests.
pub const REST: Duration = Duration::from_millis(150);
/// Requests within [`MINUTE`] at most, and how many of these may fetch ahead.
pub const REQUESTS_MAX: usize = 60;
const AHEAD_MAX: usize = 40;
const MINUTE: Duration = Duration::from_secs(60);
/// A failed request of the selected conversation is repeated after this.
const RETRY: Duration = Duration::from_secs(30);
/// Failures that are kept.
const FAILURES_MAX: usize = 64;

/// What the list says of a conversation that changes with its messages: their number, or where that is not known the
/// second of its last change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Version {
    messages: Option<u64>,
    updated: Option<i64>,
}

/// A conversation to fetch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its UUID.
    pub id: String,
    /// Fetched again once this differs.
    pub version: Version,
    /// The AI does not answer.
    pub ai_off: bool,
}

impl Target {
    /// A row of the list; `None` where it has no id.
    pub fn of(row: &Conversation) -> Option<Self> {
        let id = row.id.known().filter(|id| !id.is_empty())?.clone();
        let messages = row.message_count.known().copied();
        let updated = row.updated_at.known().map(|time| time.0.as_second()).filter(|_| messages.is_none());
        Some(Self { id, version: Version { messages, updated }, ai_off: row.ai_enabled.known() == Some(&false) })
    }

    fn is_same(&self, other: &Self) -> bool {
        (&self.id, self.version) == (&other.id, other.version)
    }
}

/// The requests of the last minute, so that there are never more than [`REQUESTS_MAX`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Budget {
    made: VecDeque<Instant>,
}

impl Budget {
    fn max(ahead: bool) -> usize {
        if ahead { AHEAD_MAX } else { REQUESTS_MAX }
    }

    /// When a request may be made; at once where that is past.
    pub fn next(&self, ahead: bool) -> Instant {
        let over = self.made.len().checked_sub(Self::max(ahead)).and_then(|at| self.made.get(at));
        over.map_or(Instant::START, |made| *made + MINUTE)
    }

    /// Counts a request, where it may be made.
    pub fn take(&mut self, ahead: bool, now: Instant) -> bool {
        if self.next(ahead) > now {
            return false;
        }
        self.made.push_back(now);
        if self.made.len() > REQUESTS_MAX {
            self.made.pop_front();
        }
        true
    }
}

/// The request in flight.
#[derive(Debug, Clone, PartialEq)]
struct Pending {
    id: TaskId,
    target: Target,
    since: Instant,
}

/// Why a conversation could not be fetched.
#[derive(Debug, Clone, PartialEq)]
struct Failed {
    target: Target,
    failure: Failure,
    at: Instant,
}

/// What is requested, and what has been.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fetching {
    /// The selected conversation, and since when.
    selected: Option<(String, Instant)>,
    /// Somebody opened it: its rest is not waited for.
    opened: bool,
    pending: Option<Pending>,
    failures: Vec<Failed>,
    /// Fetched ahead for this selection: once, even where the cache cannot keep them.
    ahead: Vec<Target>,
    /// The server has no such operation.
    refused: bool,
    /// Requests of the last minute.
    pub budget: Budget,
}

impl Fetching {
    /// Another conversation may be selected. Returns whether the one before had rested.
    pub fn select(&mut self, id: Option<&str>, now: Instant) -> bool {
        let rested = self.rests(now);
        if self.selected.as_ref().map(|(selected, _)| selected.as_str()) != id {
            self.selected = id.map(|id| (id.to_owned(), now));
            self.opened = false;
            self.ahead.clear();
        }
        rested
    }

    /// Fetches the selected one without waiting for it to rest, also where that failed before.
    pub fn open(&mut self) {
        (self.opened, self.refused) = (true, false);
        if let Some((id, _)) = &self.selected {
            self.failures.retain(|failed| failed.target.id != *id);
        }
    }

    /// What failed is due again.
    pub fn forget_failures(&mut self) {
        self.failures.clear();
    }

    /// True once the selection rests.
    pub fn rests(&self, now: Instant) -> bool {
        self.opened || self.selected.as_ref().is_none_or(|(_, since)| *since + REST <= now)
    }

    /// False where the server has no such operation.
    pub fn is_offered(&self) -> bool {
        !self.refused
    }

    /// Since when this conversation is loading.
    pub fn loading_since(&self, id: &str) -> Option<Instant> {
        self.pending.as_ref().filter(|pending| pending.target.id == id).map(|pending| pending.since)
    }

    /// Why this conversation could not be fetched.
    pub fn failure(&self, id: &str) -> Option<&Failure> {
        self.failures.iter().find(|failed| failed.target.id == id).map(|failed| &failed.failure)
    }

    /// True where it must be fetched: it is not there, or no longer as the list has it.
    fn is_due(&self, target: &Target, cache: &Cache, now: Instant) -> bool {
        let failed = |failed: &&Failed| failed.target.is_same(target) && failed.at + RETRY > now;
        if self.failures.iter().any(|one| failed(&one)) || self.ahead.contains(target) {
            return false;
        }
        cache.get(&target.id).is_none_or(|talk| {
            let count = target.version.messages;
            let differs = count.is_none_or(|count| count != talk.messages().len() as u64);
            talk.is_stale || talk.version != target.version && differs
        })
    }

    /// The first of these that is to be fetched, the selected one first of all; and whether that is possible now.
    fn due<'t>(&self, targets: &'t [Target], cache: &Cache, now: Instant) -> Option<(bool, &'t Target)> {
        if self.refused || !self.rests(now) {
            return None;
        }
        let at = targets.iter().position(|target| self.is_due(target, cache, now))?;
        let is_selected = self.selected.as_ref().is_some_and(|(id, _)| *id == targets[at].id);
        // What is selected does not wait for what is fetched ahead.
        let waits = self.pending.as_ref().is_some_and(|pending| pending.target.id == targets[at].id || !is_selected);
        (!waits).then_some((!is_selected, &targets[at]))
    }

    /// What to fetch now, with the request that it takes the place of. [`Self::asked`] must follow.
    pub fn next(&mut self, targets: &[Target], cache: &Cache, now: Instant) -> Option<(Target, Option<TaskId>)> {
        let (ahead, target) = self.due(targets, cache, now)?;
        let may = self.budget.take(ahead, now);
        may.then(|| (target.clone(), self.pending.take().map(|pending| pending.id)))
    }

    /// True where the selected one waits for the next minute.
    pub fn waits(&self, targets: &[Target], cache: &Cache, now: Instant) -> bool {
        self.due(targets, cache, now).is_some_and(|(ahead, _)| !ahead && self.budget.next(false) > now)
    }

    /// When there is something to do next.
    pub fn next_change(&self, targets: &[Target], cache: &Cache, now: Instant) -> Option<Instant> {
        if let Some((_, since)) = self.selected.as_ref().filter(|_| !self.rests(now)) {
            return Some(*since + REST);
        }
        let due = self.due(targets, cache, now).map(|(ahead, _)| self.budget.next(ahead));
        let retry = self.failures.iter().filter(|failed| targets.iter().any(|one| one.is_same(&failed.target)));
        let retry = retry.map(|failed| failed.at + RETRY).filter(|_| !self.refused);
        due.into_iter().chain(retry).filter(|at| *at > now).min()
    }

    /// This was requested.
    pub fn asked(&mut self, id: TaskId, target: Target, now: Instant) {
        self.failures.retain(|failed| failed.target.id != target.id);
        if self.selected.as_ref().is_none_or(|(id, _)| *id != target.id) {
            self.ahead.push(target.clone());
        }
        self.pending = Some(Pending { id, target, since: now });
    }

    /// The request in flight has a reply; `None` where it is another's.
    pub fn answered(&mut self, id: TaskId) -> Option<Target> {
        self.pending.take_if(|pending| pending.id == id).map(|pending| pending.target)
    }

    /// It failed.
    pub fn failed(&mut self, target: Target, failure: Failure, now: Instant) {
        if failure.kind == FailureKind::Cancelled {
            return;
        }
        // A conversation that is gone has a body of its own; without it the server does not know the path.
        self.refused = match &failure.kind {
            FailureKind::Status { status: 405, .. } => true,
            FailureKind::Status { status: 404, body, .. } => !matches!(body, Some(ErrorBody::Failed { .. })),
            _ => false,
        };
        if self.failures.len() == FAILURES_MAX {
            self.failures.remove(0);
        }
        self.failures.push(Failed { target, failure, at: now });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ConversationHistory;
    use proptest::prelude::*;

    fn at(millis: u64) -> Instant {
        Instant::after(Duration::from_millis(millis))
    }

    fn targets(ids: &[&str], messages: u64) -> Vec<Target> {
        let version = Version { messages: Some(messages), updated: None };
        ids.iter().map(|id| Target { id: (*id).to_owned(), version, ai_off: false }).collect()
    }

    /// Requests what is due; its id.
    fn ask(fetching: &mut Fetching, of: &[Target], cache: &Cache, millis: u64) -> Option<String> {
        let (target, _) = fetching.next(of, cache, at(millis))?;
        fetching.asked(TaskId(millis), target.clone(), at(millis));
        Some(target.id)
    }

    fn answer(fetching: &mut Fetching, cache: &mut Cache, millis: u64) {
        let target = fetching.answered(TaskId(millis)).unwrap();
        cache.put(&target, ConversationHistory::default(), None);
    }

    fn status(status: u16, body: Option<ErrorBody>) -> Failure {
        Failure { operation: None, kind: FailureKind::Status { status, body, retry_after: None } }
    }

    #[test]
    fn selected_is_fetched_once_it_rests_then_its_neighbours_one_at_a_time() {
        let (mut fetching, mut cache, of) = (Fetching::default(), Cache::default(), targets(&["b", "c", "a"], 7));
        fetching.select(Some("b"), at(1000));
        assert_eq!(ask(&mut fetching, &of, &cache, 1149), None);
        assert_eq!(fetching.next_change(&of, &cache, at(1149)), Some(at(1150)));
        assert_eq!(ask(&mut fetching, &of, &cache, 1150).as_deref(), Some("b"));
        assert_eq!(ask(&mut fetching, &of, &cache, 1160), None, "one at a time");
        answer(&mut fetching, &mut cache, 1150);
        assert_eq!(ask(&mut fetching, &of, &cache, 1170).as_deref(), Some("c"));
        answer(&mut fetching, &mut cache, 1170);
        assert_eq!(ask(&mut fetching, &of, &cache, 1180).as_deref(), Some("a"));
        answer(&mut fetching, &mut cache, 1180);
        assert_eq!(ask(&mut fetching, &of, &cache, 9999), None, "nothing has changed");
        assert_eq!(fetching.next_change(&of, &cache, at(9999)), None);
        assert_eq!(ask(&mut fetching, &targets(&["b", "c", "a"], 8), &cache, 10_000).as_deref(), Some("b"));
    }

    #[test]
    fn selected_takes_the_place_of_one_that_is_fetched_ahead() {
        let (mut fetching, cache) = (Fetching::default(), Cache::default());
        fetching.select(Some("a"), at(0));
        assert_eq!(ask(&mut fetching, &targets(&["a"], 1), &cache, 150).as_deref(), Some("a"));
        fetching.select(Some("b"), at(200));
        let (target, cancelled) = fetching.next(&targets(&["b", "c"], 1), &cache, at(350)).unwrap();
        assert_eq!((target.id.as_str(), cancelled), ("b", Some(TaskId(150))));
    }

    #[test]
    fn neighbour_that_the_cache_cannot_keep_is_fetched_once() {
        let (mut fetching, mut cache) = (Fetching::default(), Cache::default());
        fetching.select(Some("a"), at(0));
        ask(&mut fetching, &targets(&["a", "b"], 1), &cache, 150);
        answer(&mut fetching, &mut cache, 150);
        assert_eq!(ask(&mut fetching, &targets(&["a", "b"], 1), &cache, 160).as_deref(), Some("b"));
        fetching.answered(TaskId(160)).unwrap();
        assert_eq!(ask(&mut fetching, &targets(&["a", "b"], 1), &cache, 170), None);
        fetching.select(Some("b"), at(200));
        assert_eq!(ask(&mut fetching, &targets(&["b", "a"], 1), &cache, 350).as_deref(), Some("b"));
    }

    #[test]
    fn server_without_messages_is_asked_once_and_a_missing_conversation_harms_no_other() {
        let (mut fetching, cache, of) = (Fetching::default(), Cache::default(), targets(&["a", "b"], 1));
        fetching.select(Some("a"), at(0));
        ask(&mut fetching, &of, &cache, 150);
        let target = fetching.answered(TaskId(150)).unwrap();
        let gone = ErrorBody::Failed { status: false, error: "Conversation not found".to_owned() };
        fetching.failed(target, status(404, Some(gone)), at(160));
        assert!(fetching.is_offered() && fetching.failure("a").is_some());
        assert_eq!(ask(&mut fetching, &of, &cache, 170).as_deref(), Some("b"));
        let target = fetching.answered(TaskId(170)).unwrap();
        fetching.failed(target, status(404, None), at(180));
        assert!(!fetching.is_offered());
        assert_eq!(ask(&mut fetching, &of, &cache, 99_000), None);
        assert_eq!(fetching.next_change(&of, &cache, at(180)), None);
        fetching.open();
        assert_eq!(ask(&mut fetching, &of, &cache, 99_001).as_deref(), Some("a"), "by hand it is asked again");
    }

    #[test]
    fn budget_keeps_a_part_for_what_is_opened() {
        let mut budget = Budget::default();
        let ahead = (0..99).filter(|millis| budget.take(true, at(*millis))).count();
        let opened = (100..199).filter(|millis| budget.take(false, at(*millis))).count();
        assert_eq!((ahead, opened), (AHEAD_MAX, REQUESTS_MAX - AHEAD_MAX));
        assert_eq!(budget.next(false), at(60_000));
        assert!(!budget.take(false, at(59_999)) && budget.take(false, at(60_000)));
    }

    proptest! {
        #[test]
        fn no_minute_has_more_than_sixty_requests(steps in proptest::collection::vec((0u64..400, 0usize..30), 1..400)) {
            let ids: Vec<String> = (0..30).map(|id| id.to_string()).collect();
            let (mut fetching, mut cache) = (Fetching::default(), Cache::default());
            let (mut now, mut made, mut count) = (0, Vec::new(), 0);
            for (passed, selected) in steps {
                now += passed;
                count += 1;
                let around = [selected, (selected + 1) % 30, (selected + 29) % 30].map(|at| ids[at].as_str());
                // Each time the list has other numbers, so that everything is due.
                let of = targets(&around, count);
                fetching.select(Some(around[0]), at(now));
                while let Some((target, _)) = fetching.next(&of, &cache, at(now)) {
                    made.push(now);
                    fetching.asked(TaskId(count), target.clone(), at(now));
                    fetching.answered(TaskId(count));
                    cache.put(&target, ConversationHistory::default(), None);
                }
                prop_assert!(made.iter().filter(|made| **made + 60_000 > now).count() <= REQUESTS_MAX);
                if let Some(next) = fetching.next_change(&of, &cache, at(now)) {
                    prop_assert!(next > at(now));
                }
            }
        }
    }
}
