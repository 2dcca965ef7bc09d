//! The watched recipients: order, polling, alerts.
//!
//! A thousand of them cost no more than those on screen: rows are sorted when something changes, and the next poll and
//! the next threshold are found from the order.

use super::data::WatchedWindow;
use super::format::why;
use super::{Messaging, Part, PendingRequest, RowId};
use crate::api::{Conversation, Page};
use crate::client::{Failure, FailureKind};
use crate::config::Notify;
use crate::messaging::{LastMessage, Level, Remaining, Window, countdown};
use crate::records::{StorageRequest, Watched};
use crate::tasks::{Answer, TaskId};
use crate::ui::prelude::*;
use crate::ui::text::width;
use jiff::Timestamp;
use std::borrow::Cow;
use std::cmp::Ordering;

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
    pub(super) in_flight: Option<TaskId>,
    /// `None`: manual refresh only.
    due: Option<Instant>,
    /// When the last reply came.
    answered: Option<Instant>,
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
    fn is_due(&self, now: Instant) -> bool {
        self.in_flight.is_none() && self.due.is_some_and(|due| due <= now)
    }

    pub(super) fn hurry(&mut self, now: Instant) {
        (self.due, self.urgent) = (Some(now), true);
    }

    /// The conversation changed at `time`, so long ago: due now, unless a reply has come since, or this change was heard
    /// of before.
    fn conversation_changed(&mut self, time: Timestamp, age: Duration, now: Instant) {
        let is_new = self.changed.replace(time) != Some(time);
        if is_new && self.in_flight.is_none() && self.answered.is_some_and(|answered| answered + age < now) {
            self.hurry(now);
        }
    }

    /// Records a failed request: backs off, or waits as long as the server asked.
    fn failed(&mut self, failure: &Failure, cx: &Context) {
        (self.in_flight, self.failure) = (None, Some(why(failure)).filter(|_| failure.kind != FailureKind::Cancelled));
        self.failures = self.failures.saturating_add(1);
        let backoff = BACKOFF[0].saturating_mul(2u32.saturating_pow(self.failures.min(8) - 1)).min(BACKOFF[1]);
        let wait = failure.kind.retry_after().unwrap_or_default();
        self.due = is_automatic(cx).then_some(cx.now.mono + backoff.max(wait));
    }
}

/// The state of the part. The rows are in [`super::MessagingData`]; the first is selected until somebody moves or all are
/// loaded.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Windows {
    /// No request leaves before.
    pause: Instant,
    /// When the next window passes a threshold or its end.
    pub(super) edge: Option<Instant>,
    /// How wide the names and the numbers are; only growing.
    pub(super) columns: (u16, u16),
    /// True once it was told how many were close to their end at first.
    summarized: bool,
}

impl Messaging {
    /// The selected recipient.
    pub(super) fn selected_window(&self) -> Option<&WatchedWindow> {
        self.list(Part::Windows).selected(&self.data.windows)
    }

    /// Sorts and narrows the rows, and works out when the next of them passes a threshold or its end.
    pub(super) fn arrange_windows(&mut self, cx: &Context) {
        let (server_now, height) = (self.server_now(cx.now), self.height_of(Part::Windows));
        let (rows, list) = (&mut self.data.windows, &mut self.lists[Part::Windows as usize]);
        rows.sort_by_cached_key(|watch| rank(watch, server_now));
        list.refresh(rows, |_| true, WatchedWindow::key, fields, |_, _, _| Ordering::Equal, height);
        let columns = |text: &str| u16::try_from(width(text)).unwrap_or(u16::MAX);
        self.windows.columns = rows.iter().fold(self.windows.columns, |(name, number), watch| {
            let named = watch.name.as_deref().map_or(0, columns);
            (name.max(named), number.max(columns(&watch.number)))
        });
        // Whoever looks at somebody must not write to somebody else since a window has closed meanwhile.
        if all_loaded(rows) {
            list.hold();
        }
        let thresholds = cx.options.settings.messaging.alerts.iter().copied();
        let edges = [Duration::ZERO, countdown::WARNING].into_iter().chain(thresholds).filter_map(|before| {
            // Rows are in the order of time left: the first that has not passed this mark passes it next.
            let next = rows.get(closing_within(rows, before, server_now))?;
            left(next, server_now).map(|left| left.saturating_sub(before))
        });
        self.windows.edge = edges.min().map(|left| cx.now.mono + left);
    }

    /// When the next poll is due, or a window passes a threshold or its end.
    pub(super) fn next_window_due(&self, view: &View<'_>) -> Option<Instant> {
        let polls = self.data.windows.iter().map(|watch| &watch.poll).filter(|poll| poll.in_flight.is_none());
        let due = polls.filter_map(|poll| poll.due).min();
        let due = due.filter(|_| view.unconnected().is_none() && !self.is_busy(view.shown));
        // What is due waits for the pause; what is due now and can leave has left.
        let due = due.map(|due| due.max(self.windows.pause).max(view.now.mono + Duration::from_nanos(1)));
        due.into_iter().chain(self.windows.edge).min()
    }

    /// When a row in view changes by itself.
    pub(super) fn next_window_change(&self, now: Moment) -> Option<Instant> {
        let server_now = self.server_now(now);
        let in_view = self.list(Part::Windows).in_view(self.height_of(Part::Windows));
        let windows = in_view.filter_map(|(_, shown)| self.data.windows.get(shown.row)?.window);
        let changes = windows.filter_map(|window| Remaining::of(window, server_now).changes_in());
        changes.min().map(|span| now.mono + span)
    }

    /// Works out all polls again: the pane comes on screen or leaves it, or the estimate of the server's clock has changed.
    pub(super) fn schedule_windows(&mut self, cx: &Context) {
        let server_now = self.server_now(cx.now);
        let rows = self.data.windows.iter_mut();
        for watch in rows.filter(|watch| watch.poll.failures == 0 && !watch.poll.urgent) {
            match watch.poll.answered {
                Some(answered) => watch.poll.due = next_poll(watch, answered, server_now, cx),
                None if cx.shown => watch.poll.due = Some(cx.now.mono),
                None => {}
            }
        }
    }

    /// True while as many requests as allowed are in flight.
    fn is_busy(&self, shown: bool) -> bool {
        let limit = if shown { IN_FLIGHT } else { 1 };
        self.data.windows.iter().filter(|watch| watch.poll.in_flight.is_some()).count() >= limit
    }

    /// The row to request next: those in view that somebody waits for, then the one that has been due longest.
    fn next_request(&self, cx: &Context) -> Option<usize> {
        let (rows, now) = (&self.data.windows, cx.now.mono);
        let is_due = |at: &usize| rows.get(*at).is_some_and(|watch| watch.poll.is_due(now));
        let in_view = self.list(Part::Windows).in_view(self.height_of(Part::Windows)).map(|(_, shown)| shown.row);
        let new = |at: &usize| is_due(at) && (rows[*at].poll.urgent || rows[*at].poll.answered.is_none());
        let longest = || (0..rows.len()).filter(is_due).min_by_key(|at| rows[*at].poll.due);
        let new = in_view.filter(|_| cx.shown).find(new);
        new.or_else(|| longest().filter(|_| self.windows.pause <= now)).filter(|_| !self.is_busy(cx.shown))
    }

    /// Sends the requests that are due.
    pub(super) fn poll_windows(&mut self, cx: &mut Context) {
        if !cx.is_connected() {
            return;
        }
        self.want_customers(cx);
        self.follow_window(cx);
        while let Some(at) = self.next_request(cx) {
            let (sender_id, phone) = self.data.windows[at].key();
            let request = Request::session_status(sender_id, &phone);
            let id = self.request(PendingRequest::Window((sender_id, phone)), request, cx);
            let poll = &mut self.data.windows[at].poll;
            (poll.in_flight, poll.urgent) = (Some(id), false);
            self.windows.pause = cx.now.mono + PAUSE[usize::from(!cx.shown)];
        }
    }

    /// Requests one window at once.
    pub(super) fn hurry(&mut self, key: &RowId, cx: &mut Context) {
        if let Some(watch) = find(&mut self.data.windows, key) {
            watch.poll.hurry(cx.now.mono);
        }
        self.poll_windows(cx);
    }

    /// A page of conversations was loaded: windows of customers who have written since are requested at once.
    pub(super) fn hear_conversations(&mut self, page: &Page<Conversation>, cx: &mut Context) {
        let (server_now, now) = (self.server_now(cx.now), cx.now.mono);
        for row in page.rows() {
            let phone = row.customer.known().and_then(|party| party.phone.as_deref());
            let (Some(phone), Some(updated)) = (phone, row.updated_at.known().map(|time| time.0)) else { continue };
            let age = Duration::try_from(server_now.duration_since(updated)).unwrap_or_default();
            for watch in self.data.windows.iter_mut().filter(|watch| watch.phone == phone) {
                watch.poll.conversation_changed(updated, age, now);
            }
        }
        self.poll_windows(cx);
    }

    /// Watches these as well, and stores what is new.
    pub(super) fn watch(&mut self, watched: &[Watched], cx: &mut Context) {
        let news = add(&mut self.data.windows, watched, cx.now.mono);
        self.arrange_windows(cx);
        if !news.is_empty() {
            self.store("The watch list", StorageRequest::Watch(news), cx);
        }
        self.poll_windows(cx);
    }

    /// Takes the reply to the request for a window.
    pub(super) fn window_came(&mut self, key: &RowId, result: Result<Answer, Failure>, cx: &mut Context) {
        let server_now = self.server_now(cx.now);
        let status = result.map(|answer| answer.reply(Reply::get_session_status).unwrap_or_default());
        let name = status.as_ref().ok().and_then(|status| status.customer_name.known());
        let name = name.map(|name| clean(name).into_owned()).filter(|name| !name.is_empty());
        let unclear = || FailureKind::Local("the reply does not say whether the window is open".to_owned()).into();
        if let Ok(status) = &status {
            self.data.last_messages.insert(key.clone(), LastMessage::read(status));
        }
        let window = status.map(|status| Window::read(&status, server_now));
        let watch = find(&mut self.data.windows, key);
        let is_nameless = watch.as_ref().is_some_and(|watch| watch.name.is_none());
        match (window, watch) {
            (Ok(Some(window)), Some(watch)) => take_window(watch, window, server_now, cx),
            (Ok(Some(window)), None) => drop(self.data.other_windows.insert(key.clone(), window)),
            (failed, watch) => {
                let failure = failed.err().unwrap_or_else(unclear);
                if let Some(watch) = watch {
                    watch.poll.failed(&failure, cx);
                }
                self.composer_lacks(&Request::session_status(key.0, &key.1), &failure, cx);
            }
        }
        if let (true, Some(name)) = (is_nameless, name) {
            self.watch(&[Watched { sender_id: key.0, phone: key.1.clone(), name: Some(name) }], cx);
        }
        self.decide(cx);
        self.tell_alerts(cx);
        self.poll_windows(cx);
    }

    /// Sorts the rows and tells which windows have passed a threshold since the last call: of each the shortest.
    pub(super) fn tell_alerts(&mut self, cx: &mut Context) {
        self.arrange_windows(cx);
        let server_now = self.server_now(cx.now);
        let thresholds = &cx.options.settings.messaging.alerts;
        let mut alerts = Vec::new();
        for watch in &mut self.data.windows {
            let passed = passed(watch, server_now, thresholds);
            if passed == 0 {
                break;
            }
            if passed > watch.poll.passed {
                alerts.push((watch.label().to_owned(), thresholds[passed - 1]));
                watch.poll.passed = passed;
            }
        }
        let said = describe(&alerts).or_else(|| self.first_summary(server_now, thresholds));
        let Some(said) = said else { return };
        if cx.options.settings.messaging.notify != Notify::Off {
            cx.push(Effect::Notify(clean(&said).into_owned()));
        }
        cx.toast(said);
    }

    /// Once all windows are loaded for the first time: how many close within the longest threshold.
    fn first_summary(&mut self, server_now: Timestamp, thresholds: &[Duration]) -> Option<String> {
        let (rows, longest) = (&self.data.windows, *thresholds.first()?);
        if self.windows.summarized || !all_loaded(rows) || rows.is_empty() {
            return None;
        }
        self.windows.summarized = true;
        let close = closing_within(rows, longest, server_now);
        let verb = if close == 1 { "closes" } else { "close" };
        let windows = count(close as u64, "window", "windows");
        (close > 0).then(|| format!("{windows} {verb} within {}", countdown::span(longest)))
    }
}

/// Names and thresholds in a sentence; the first has the least left.
fn describe(alerts: &[(String, Duration)]) -> Option<String> {
    let ((who, span), others) = alerts.split_first()?;
    let widest = others.iter().map(|(_, span)| span).max().unwrap_or(span);
    let (span, widest) = (countdown::span(*span), countdown::span(*widest));
    let count = count(others.len() as u64, "other", "others");
    Some(match others {
        [] => format!("{who}: {span} left"),
        _ if span == widest => format!("{who} and {count}: {span} left"),
        _ => format!("{who}: {span} left; {count}: {widest}"),
    })
}

/// When a window answered at this moment is polled again; `None` for manual refresh only.
fn next_poll(watch: &WatchedWindow, answered: Instant, server_now: Timestamp, cx: &Context) -> Option<Instant> {
    let spread = watch.phone.bytes().fold(0u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
    let factor = if cx.shown { 1 } else { UNSEEN };
    let remaining = watch.window.map(|window| Remaining::of(window, server_now));
    let every = match remaining.map(Remaining::level) {
        Some(Level::Urgent) => CLOSE,
        Some(Level::Warning) => NEAR * factor,
        _ => (FAR + Duration::from_secs(spread % (FAR.as_secs() / 3))) * factor,
    };
    let after_its_end = left(watch, server_now).map(|left| cx.now.mono + left + AFTER_END);
    let regular = is_automatic(cx).then(|| (answered + every).max(cx.now.mono));
    regular.into_iter().chain(after_its_end).min()
}

/// Takes a window as it is now.
fn take_window(watch: &mut WatchedWindow, window: Window, server_now: Timestamp, cx: &Context) {
    let first = watch.window.replace(window).is_none();
    let passed = passed(watch, server_now, &cx.options.settings.messaging.alerts);
    let due = next_poll(watch, cx.now.mono, server_now, cx);
    let poll = &mut watch.poll;
    (poll.in_flight, poll.failures, poll.failure) = (None, 0, None);
    (poll.answered, poll.due) = (Some(cx.now.mono), due);
    // What was close to its end at first is told in a summary. What opens again can pass its thresholds again.
    poll.passed = if first { passed } else { poll.passed.min(passed) };
}

/// False: manual refresh only.
fn is_automatic(cx: &Context) -> bool {
    cx.options.settings.refresh_interval.is_some()
}

/// How many thresholds this window has passed.
fn passed(watch: &WatchedWindow, server_now: Timestamp, thresholds: &[Duration]) -> usize {
    left(watch, server_now).map_or(0, |left| thresholds.iter().filter(|threshold| left <= **threshold).count())
}

/// Watches these as well, polled from `due` on, and returns what has to be stored: new recipients and new names.
pub fn add(rows: &mut Vec<WatchedWindow>, watched: &[Watched], due: Instant) -> Vec<Watched> {
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

/// The row of this key.
pub fn find<'a>(rows: &'a mut [WatchedWindow], key: &RowId) -> Option<&'a mut WatchedWindow> {
    rows.iter_mut().find(|watch| (watch.sender_id, &watch.phone) == (key.0, &key.1))
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
