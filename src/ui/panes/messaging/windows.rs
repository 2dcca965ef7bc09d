//! The watched recipients: order, polling, alerts.
//!
//! A thousand of them cost no more than those on screen: rows are sorted when something changes, and the next poll and
//! the next threshold are found from the order.

use super::data::WatchedWindow;
use crate::messaging::{Level, Remaining, Window, countdown};
use crate::records::Watched;
use crate::tasks::TaskId;
use crate::ui::message::Moment;
use crate::ui::options::Options;
use crate::ui::widgets::list::{Follow, ListState};
use jiff::Timestamp;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::time::Duration;

/// Identifies a window: sender id, and the recipient in E.164.
pub type Key = (i64, String);

/// Requests in flight at once while the pane is on screen; one while it is not.
const IN_FLIGHT: usize = 3;
/// The pause between two requests, while the pane is on screen and while it is not.
const PAUSE: [Duration; 2] = [Duration::from_millis(40), Duration::from_millis(300)];
/// Poll intervals by time left: under 10 min, under 1 h, otherwise (spread over up to a third more).
const CLOSE: Duration = Duration::from_secs(60);
const NEAR: Duration = Duration::from_secs(300);
const FAR: Duration = Duration::from_secs(900);
/// Factor of those intervals while the pane is not on screen.
const UNSEEN: u32 = 6;
/// A window is polled this long after its end: the server's clock may be a second behind.
const AFTER_END: Duration = Duration::from_secs(1);
/// The first and the longest backoff.
const BACKOFF: [Duration; 2] = [Duration::from_secs(30), Duration::from_secs(1200)];

/// The polling of one window.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WindowPoll {
    in_flight: Option<TaskId>,
    /// `None`: manual refresh only.
    due: Option<Duration>,
    /// When the last reply came.
    answered: Option<Duration>,
    /// True where a person or a new message waits for the reply.
    urgent: bool,
    /// The last change of the conversation that was heard of.
    changed: Option<Timestamp>,
    failures: u32,
    /// Why the last request failed.
    pub failure: Option<String>,
    /// How many thresholds have been passed and told.
    passed: usize,
}

impl WindowPoll {
    fn is_due(&self, now: Duration) -> bool {
        self.in_flight.is_none() && self.due.is_some_and(|due| due <= now)
    }

    fn hurry(&mut self, now: Duration) {
        (self.due, self.urgent) = (Some(now), true);
    }
}

/// A threshold that a window has passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    /// The recipient's name or number.
    pub who: String,
    /// Time left.
    pub threshold: Duration,
}

/// The list of windows and when something of it is due. The rows themselves are in [`super::MessagingData`].
#[derive(Debug, Clone, PartialEq)]
pub struct Windows {
    /// The first row is selected until somebody moves or all windows are loaded.
    pub(super) list: ListState<Key>,
    /// The longest first.
    thresholds: Vec<Duration>,
    /// False: manual refresh only.
    automatic: bool,
    seen: bool,
    /// No request leaves before.
    pause: Duration,
    due: Option<Duration>,
    edge: Option<Duration>,
    /// True until it was told how many were close to their end at first.
    first_look: bool,
}

impl Windows {
    pub fn new(options: &Options) -> Self {
        let mut thresholds = options.settings.messaging.alerts.clone();
        thresholds.sort_unstable_by(|one, other| other.cmp(one));
        Self {
            list: ListState::new(Follow::Urgent),
            thresholds,
            automatic: options.settings.refresh_interval.is_some(),
            seen: false,
            pause: Duration::ZERO,
            due: None,
            edge: None,
            first_look: true,
        }
    }

    /// The selected one.
    pub fn selected<'a>(&self, rows: &'a [WatchedWindow]) -> Option<&'a WatchedWindow> {
        self.list.selected(rows)
    }

    /// Sorts and narrows the rows, and works out what is due next.
    pub fn arrange(&mut self, rows: &mut [WatchedWindow], now: Moment, server_now: Timestamp, height: usize) {
        rows.sort_by_cached_key(|watch| rank(watch, server_now));
        self.list.refresh(rows, WatchedWindow::key, fields, |_, _, _| Ordering::Equal, height);
        // Whoever looks at somebody must not write to somebody else since a window has closed meanwhile.
        if all_loaded(rows) {
            self.list.hold();
        }
        self.plan(rows, now, server_now);
    }

    // Time.

    /// Works out when something is due next.
    pub fn plan(&mut self, rows: &[WatchedWindow], now: Moment, server_now: Timestamp) {
        let polls = rows.iter().map(|watch| &watch.poll).filter(|poll| poll.in_flight.is_none());
        self.due = polls.filter_map(|poll| poll.due).min();
        let marks = [Duration::ZERO, countdown::WARNING].into_iter().chain(self.thresholds.iter().copied());
        let edges = marks.filter_map(|before| {
            // Rows are in the order of time left: the first that has not passed this mark passes it next.
            let next = rows.get(closing_within(rows, before, server_now))?;
            left(next, server_now).map(|left| left.saturating_sub(before))
        });
        self.edge = edges.min().map(|left| now.mono + left);
    }

    /// When a window passes a threshold or its end.
    pub fn next_edge(&self) -> Option<Duration> {
        self.edge
    }

    /// When the next poll is due; `None` while as many requests as allowed are in flight.
    pub fn next_due(&self, rows: &[WatchedWindow], now: Duration) -> Option<Duration> {
        if self.is_busy(rows) {
            return None;
        }
        // What is due waits for the pause; what is due now and can leave has left.
        self.due.map(|due| due.max(self.pause).max(now + Duration::from_nanos(1)))
    }

    /// When a row in view changes by itself.
    pub fn next_change(
        &self,
        rows: &[WatchedWindow],
        now: Moment,
        server_now: Timestamp,
        height: usize,
    ) -> Option<Duration> {
        let in_view = self.list.in_view(height).filter_map(|(_, shown)| rows.get(shown.row));
        let changes = in_view.filter_map(|watch| Remaining::of(watch.window?, server_now).changes_in());
        changes.min().map(|span| now.mono + span)
    }

    /// The pane comes on screen, or leaves it.
    pub fn see(&mut self, seen: bool, rows: &mut [WatchedWindow], now: Moment, server_now: Timestamp) {
        if std::mem::replace(&mut self.seen, seen) != seen {
            self.schedule(rows, now, server_now);
            self.plan(rows, now, server_now);
        }
    }

    /// Works out all polls again: the pane is seen now, or the estimate of the server's clock has changed.
    pub fn schedule(&mut self, rows: &mut [WatchedWindow], now: Moment, server_now: Timestamp) {
        for watch in rows.iter_mut().filter(|watch| watch.poll.failures == 0 && !watch.poll.urgent) {
            match watch.poll.answered {
                Some(answered) => watch.poll.due = self.next_poll(watch, answered, now, server_now),
                None if self.seen => watch.poll.due = Some(now.mono),
                None => {}
            }
        }
    }

    fn is_busy(&self, rows: &[WatchedWindow]) -> bool {
        let limit = if self.seen { IN_FLIGHT } else { 1 };
        rows.iter().filter(|watch| watch.poll.in_flight.is_some()).count() >= limit
    }

    /// The row to request next: those in view that somebody waits for, then the one that has been due longest.
    pub fn next_request(&self, rows: &[WatchedWindow], now: Duration, height: usize) -> Option<usize> {
        if self.due.is_none_or(|due| due > now) || self.is_busy(rows) {
            return None;
        }
        let is_due = |at: &usize| rows.get(*at).is_some_and(|watch| watch.poll.is_due(now));
        let in_view = self.list.in_view(height).map(|(_, shown)| shown.row).filter(|at| self.seen && is_due(at));
        let new = in_view.into_iter().find(|at| rows[*at].poll.urgent || rows[*at].poll.answered.is_none());
        let longest = || (0..rows.len()).filter(is_due).min_by_key(|at| rows[*at].poll.due);
        new.or_else(|| if self.pause <= now { longest() } else { None })
    }

    /// A request for this row has left.
    pub fn requested(&mut self, watch: &mut WatchedWindow, id: TaskId, now: Duration) {
        (watch.poll.in_flight, watch.poll.urgent) = (Some(id), false);
        self.pause = now + PAUSE[usize::from(!self.seen)];
    }

    /// Makes the rows in view due now.
    pub fn hurry_in_view(&mut self, rows: &mut [WatchedWindow], now: Duration, height: usize) {
        for (_, shown) in self.list.in_view(height) {
            if let Some(watch) = rows.get_mut(shown.row) {
                watch.poll.hurry(now);
            }
        }
    }

    fn next_poll(
        &self,
        watch: &WatchedWindow,
        answered: Duration,
        now: Moment,
        server_now: Timestamp,
    ) -> Option<Duration> {
        let spread = watch.phone.bytes().fold(0u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        let factor = if self.seen { 1 } else { UNSEEN };
        let remaining = watch.window.map(|window| Remaining::of(window, server_now));
        let every = match remaining.map(Remaining::level) {
            Some(Level::Urgent) => CLOSE,
            Some(Level::Warning) => NEAR * factor,
            _ => (FAR + Duration::from_secs(spread % (FAR.as_secs() / 3))) * factor,
        };
        let after_its_end = match remaining {
            Some(Remaining::Open(left)) => Some(now.mono + left + AFTER_END),
            _ => None,
        };
        let regular = self.automatic.then(|| (answered + every).max(now.mono));
        regular.into_iter().chain(after_its_end).min()
    }

    /// Takes a reply.
    pub fn answered(&mut self, watch: &mut WatchedWindow, window: Window, now: Moment, server_now: Timestamp) {
        let first = watch.window.replace(window).is_none();
        let passed = left(watch, server_now).map_or(0, |left| self.passed(left));
        let due = self.next_poll(watch, now.mono, now, server_now);
        let poll = &mut watch.poll;
        (poll.in_flight, poll.failures, poll.failure) = (None, 0, None);
        (poll.answered, poll.due) = (Some(now.mono), due);
        // What was close to its end at first is told in a summary. What opens again can pass its thresholds again.
        poll.passed = if first { passed } else { poll.passed.min(passed) };
    }

    /// Records a failed request: backs off, or waits as long as the server asked.
    pub fn failed(&mut self, watch: &mut WatchedWindow, why: Option<String>, wait: Duration, now: Duration) {
        let poll = &mut watch.poll;
        (poll.in_flight, poll.failure) = (None, why);
        poll.failures = poll.failures.saturating_add(1);
        let backoff = BACKOFF[0].saturating_mul(2u32.saturating_pow(poll.failures.min(8) - 1)).min(BACKOFF[1]);
        poll.due = self.automatic.then_some(now + backoff.max(wait));
    }

    // Thresholds.

    fn passed(&self, left: Duration) -> usize {
        self.thresholds.iter().filter(|threshold| left <= **threshold).count()
    }

    /// The thresholds passed since the last call: of each window the shortest.
    pub fn alerts(&mut self, rows: &mut [WatchedWindow], server_now: Timestamp) -> Vec<Alert> {
        let mut alerts = Vec::new();
        for watch in rows {
            let passed = left(watch, server_now).map_or(0, |left| self.passed(left));
            if passed == 0 {
                break;
            }
            if passed > watch.poll.passed {
                alerts.push(Alert { who: watch.label().to_owned(), threshold: self.thresholds[passed - 1] });
                watch.poll.passed = passed;
            }
        }
        alerts
    }

    /// Once all windows are loaded for the first time: how many close within the longest threshold, and that threshold.
    pub fn first_summary(&mut self, rows: &[WatchedWindow], server_now: Timestamp) -> Option<(usize, Duration)> {
        let longest = *self.thresholds.first()?;
        if !self.first_look || !all_loaded(rows) || rows.is_empty() {
            return None;
        }
        self.first_look = false;
        let close = closing_within(rows, longest, server_now);
        (close > 0).then_some((close, longest))
    }
}

/// Watches these as well, polled from `due` on, and returns what has to be stored: new recipients and new names.
pub fn watch(rows: &mut Vec<WatchedWindow>, watched: &[Watched], due: Duration) -> Vec<Watched> {
    let mut news = Vec::new();
    for one in watched {
        match find(rows, &(one.sender_id, one.phone.clone())) {
            Some(known) if one.name.is_none() || known.name == one.name => continue,
            Some(known) => known.name.clone_from(&one.name),
            None => {
                let mut watch = WatchedWindow::new(one.clone());
                watch.poll.due = Some(due);
                rows.push(watch);
            }
        }
        news.push(one.clone());
    }
    news
}

/// Stops watching this one; returns its request in flight.
pub fn unwatch(rows: &mut Vec<WatchedWindow>, key: &Key) -> Option<TaskId> {
    let at = rows.iter().position(|watch| (watch.sender_id, &watch.phone) == (key.0, &key.1))?;
    rows.remove(at).poll.in_flight
}

/// The row of this key.
pub fn find<'a>(rows: &'a mut [WatchedWindow], key: &Key) -> Option<&'a mut WatchedWindow> {
    rows.iter_mut().find(|watch| (watch.sender_id, &watch.phone) == (key.0, &key.1))
}

/// Makes this row due now.
pub fn hurry(rows: &mut [WatchedWindow], key: &Key, now: Duration) {
    if let Some(watch) = find(rows, key) {
        watch.poll.hurry(now);
    }
}

/// A conversation with this number changed at `time`, so long ago: makes its windows due now, unless a reply has come
/// since, or this change was heard of before. True where one is due.
pub fn changed(rows: &mut [WatchedWindow], phone: &str, time: Timestamp, age: Duration, now: Duration) -> bool {
    let mut any = false;
    for poll in rows.iter_mut().filter(|watch| watch.phone == phone).map(|watch| &mut watch.poll) {
        let news = poll.changed.replace(time) != Some(time);
        if news && poll.in_flight.is_none() && poll.answered.is_some_and(|answered| answered + age < now) {
            poll.hurry(now);
            any = true;
        }
    }
    any
}

/// How many are open and close within this span.
pub fn closing_within(rows: &[WatchedWindow], span: Duration, server_now: Timestamp) -> usize {
    rows.partition_point(|watch| left(watch, server_now).is_some_and(|left| left <= span))
}

/// Why a window was not refreshed; `None` where all were.
pub fn failure(rows: &[WatchedWindow]) -> Option<&str> {
    rows.iter().filter(|watch| watch.poll.failures > 0).find_map(|watch| watch.poll.failure.as_deref())
}

/// What narrowing looks through.
fn fields(watch: &WatchedWindow) -> Vec<Cow<'_, str>> {
    let texts = [watch.name.as_deref().unwrap_or_default(), &watch.number, &watch.phone];
    texts.map(Cow::Borrowed).into()
}

fn all_loaded(rows: &[WatchedWindow]) -> bool {
    rows.iter().all(|watch| watch.poll.answered.is_some() || watch.poll.failures > 0)
}

/// Time left; `None` where the window is not open.
fn left(watch: &WatchedWindow, server_now: Timestamp) -> Option<Duration> {
    match Remaining::of(watch.window?, server_now) {
        Remaining::Open(left) => Some(left),
        Remaining::Expired(_) | Remaining::None => None,
    }
}

/// Sorted by expiry, soonest first; then expired, the latest first; then never open; then unknown.
fn rank(watch: &WatchedWindow, server_now: Timestamp) -> (u8, i128) {
    match watch.window.map(|window| window.at(server_now)) {
        Some(Window::Open { expires }) => (0, expires.as_nanosecond()),
        Some(Window::Expired { since }) => (1, since.map_or(i128::MAX, |since| -since.as_nanosecond())),
        Some(Window::None) => (2, 0),
        None => (3, 0),
    }
}
