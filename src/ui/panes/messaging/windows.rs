//! The watched recipients: their order, when each is asked after, and when its closing is told.
//!
//! A thousand of them cost no more than those on screen: the list is sorted when something changes, and everything that
//! is due next is found from the order.

use super::Watch;
use super::words;
use crate::messaging::{Level, Remaining, Window, countdown};
use crate::records::Watched;
use crate::tasks::TaskId;
use crate::ui::action::Motion;
use crate::ui::message::Moment;
use crate::ui::options::Options;
use crate::ui::widgets::input::TextInput;
use crate::ui::widgets::list::Cursor;
use jiff::Timestamp;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use std::time::Duration;

/// Which window: sender and recipient.
pub type Key = (i64, String);

/// How many are asked after at once while the pane is on screen.
const IN_FLIGHT: usize = 3;
/// The pause between two questions, while the pane is on screen and while it is not.
const PAUSE: [Duration; 2] = [Duration::from_millis(40), Duration::from_millis(300)];
/// How often a window is asked after: close to its end, within its last hour, otherwise (and up to a third longer).
const CLOSE: Duration = Duration::from_secs(60);
const NEAR: Duration = Duration::from_secs(300);
const FAR: Duration = Duration::from_secs(900);
/// How many times those last while nobody looks.
const UNSEEN: u32 = 6;
/// After its end a window is asked after as soon as the server knows of it too.
const AFTER: Duration = Duration::from_secs(1);
/// After a failure: at first, and at most.
const AGAIN: [Duration; 2] = [Duration::from_secs(30), Duration::from_secs(1200)];

/// What the list has to do about one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Guard {
    asked: Option<TaskId>,
    /// When it is asked after next; `None` for only when told.
    due: Option<Duration>,
    /// When it was last answered.
    answered: Option<Duration>,
    /// Somebody waits for the answer.
    hurried: bool,
    /// The last change of the conversation that was told.
    changed: Option<Timestamp>,
    failures: u32,
    /// Why it was not answered the last time.
    fault: Option<String>,
    /// How many of the thresholds lie behind it.
    passed: usize,
    /// The number as people read it; it is not worked out for each frame.
    number: String,
}

/// A threshold that a window has passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alert {
    /// Whose window.
    pub who: String,
    /// Which threshold.
    pub threshold: Duration,
}

/// The state of the part.
#[derive(Debug, Clone, PartialEq)]
pub struct Windows {
    /// One for each that is watched, in the same order.
    guards: Vec<Guard>,
    /// All of them, by what is lost first.
    sorted: Vec<usize>,
    /// Those of them that are shown.
    shown: Vec<usize>,
    pub(super) cursor: Cursor,
    /// The recipient that stays selected; `None` while the first is followed: until somebody moves, or all have answered.
    selected: Option<Key>,
    pub(super) narrow: TextInput,
    thresholds: Vec<Duration>,
    /// False where nothing is asked by itself.
    automatic: bool,
    seen: bool,
    /// No other question leaves before.
    pause: Duration,
    due: Option<Duration>,
    edge: Option<Duration>,
    /// True until it was told how many were found close to their end.
    first_look: bool,
}

impl Windows {
    pub fn new(options: &Options) -> Self {
        let mut thresholds = options.settings.messaging.alerts.clone();
        thresholds.sort_unstable_by(|one, other| other.cmp(one));
        Self {
            guards: Vec::new(),
            sorted: Vec::new(),
            shown: Vec::new(),
            cursor: Cursor::default(),
            selected: None,
            narrow: TextInput::default(),
            thresholds,
            automatic: options.settings.refresh_interval.is_some(),
            seen: false,
            pause: Duration::ZERO,
            due: None,
            edge: None,
            first_look: true,
        }
    }

    // The list.

    /// Watches these as well, to be asked after from `due` on, and tells which of them are news.
    pub fn watch(&mut self, list: &mut Vec<Watch>, watched: &[Watched], due: Duration) -> Vec<Watched> {
        let mut news = Vec::new();
        for one in watched {
            if let Some(known) =
                list.iter_mut().find(|known| known.sender_id == one.sender_id && known.phone == one.phone)
            {
                if one.name.is_some() && known.name != one.name {
                    known.name.clone_from(&one.name);
                    news.push(one.clone());
                }
                continue;
            }
            let Watched { sender_id, phone, name } = one.clone();
            self.guards.push(Guard {
                asked: None,
                due: Some(due),
                answered: None,
                hurried: false,
                changed: None,
                failures: 0,
                fault: None,
                passed: 0,
                number: words::phone(&phone),
            });
            list.push(Watch { sender_id, phone, name, window: None });
            news.push(one.clone());
        }
        news
    }

    /// Watches this one no longer; its question, if it is on its way.
    pub fn unwatch(&mut self, list: &mut Vec<Watch>, key: &Key) -> Option<TaskId> {
        let at = place(list, key)?;
        list.remove(at);
        // Whoever removes rows goes on with the one that takes its place.
        self.selected = None;
        self.guards.remove(at).asked
    }

    /// The selected one.
    pub fn selected<'a>(&self, list: &'a [Watch]) -> Option<&'a Watch> {
        self.shown.get(self.cursor.at).and_then(|at| list.get(*at))
    }

    /// Those that are shown, from the first in view on: its place, what is known, its number as people read it, and why
    /// it was not answered.
    pub fn rows<'a>(&'a self, list: &'a [Watch]) -> impl Iterator<Item = (usize, &'a Watch, &'a str, Option<&'a str>)> {
        self.shown.iter().enumerate().skip(self.cursor.offset).filter_map(|(at, place)| {
            let guard = self.guards.get(*place)?;
            Some((at, list.get(*place)?, guard.number.as_str(), guard.fault.as_deref()))
        })
    }

    /// How many are shown.
    pub fn shown(&self) -> usize {
        self.shown.len()
    }

    /// How many are open and close within this span.
    pub fn closing_within(&self, list: &[Watch], span: Duration, server_now: Timestamp) -> usize {
        self.sorted.partition_point(|at| left(&list[*at], server_now).is_some_and(|left| left < span))
    }

    /// Why some were not answered; `None` where all were.
    pub fn trouble(&self) -> Option<&str> {
        self.guards.iter().filter(|guard| guard.failures > 0).find_map(|guard| guard.fault.as_deref())
    }

    /// Moves the selection.
    pub fn step(&mut self, motion: Motion, list: &[Watch], height: usize) {
        self.cursor.step(motion, self.shown.len(), height);
        self.selected = self.selected(list).map(key);
    }

    /// Selects the row at this place.
    pub fn select(&mut self, at: usize, list: &[Watch], height: usize) {
        self.cursor.select(at, self.shown.len(), height);
        self.selected = self.selected(list).map(key);
    }

    /// Selects this recipient.
    pub fn select_key(&mut self, wanted: Key, list: &[Watch], height: usize) {
        self.selected = Some(wanted);
        self.follow(list, height);
    }

    /// Keeps the selection on the same recipient; the first is followed while the list fills and nobody has moved.
    pub fn follow(&mut self, list: &[Watch], height: usize) {
        let is_it = |at: &usize| list.get(*at).map(key) == self.selected;
        let same = self.selected.as_ref().and_then(|_| self.shown.iter().position(is_it));
        let at = if self.selected.is_none() && self.cursor.offset == 0 && !self.moved() { 0 } else { self.cursor.at };
        self.cursor.select(same.unwrap_or(at), self.shown.len(), height);
        // Whoever looks at somebody must not write to somebody else since a window has closed meanwhile.
        if self.selected.is_some() || self.all_have_answered() {
            self.selected = self.selected(list).map(key);
        }
    }

    fn all_have_answered(&self) -> bool {
        self.guards.iter().all(|guard| guard.answered.is_some() || guard.failures > 0)
    }

    fn moved(&self) -> bool {
        self.cursor.at > 0
    }

    /// Sorts and narrows anew, and works out what is due next.
    pub fn arrange(&mut self, list: &[Watch], now: Moment, server_now: Timestamp, height: usize) {
        self.sorted = (0..list.len()).collect();
        self.sorted.sort_by_cached_key(|at| rank(&list[*at], server_now));
        self.shown = if self.narrow.value().trim().is_empty() { self.sorted.clone() } else { self.matching(list) };
        self.follow(list, height);
        self.plan(list, now, server_now);
    }

    fn matching(&self, list: &[Watch]) -> Vec<usize> {
        let pattern = Pattern::parse(self.narrow.value(), CaseMatching::Smart, Normalization::Smart);
        let mut matcher = Matcher::new(Config::DEFAULT);
        let mut buffer = Vec::new();
        let is_found = |at: &usize| {
            let watch = &list[*at];
            let text = format!("{} {}", watch.name.as_deref().unwrap_or_default(), watch.phone);
            pattern.score(Utf32Str::new(&text, &mut buffer), &mut matcher).is_some()
        };
        self.sorted.iter().copied().filter(is_found).collect()
    }

    // Time.

    /// Works out when something is due next.
    pub fn plan(&mut self, list: &[Watch], now: Moment, server_now: Timestamp) {
        self.due = self.guards.iter().filter(|guard| guard.asked.is_none()).filter_map(|guard| guard.due).min();
        let marks = [Duration::ZERO, countdown::WARNING].into_iter().chain(self.thresholds.iter().copied());
        let edges = marks.filter_map(|before| {
            // The order is that of what is left: the first that has not come to this mark comes to it next.
            let next =
                self.sorted.partition_point(|at| left(&list[*at], server_now).is_some_and(|left| left <= before));
            left(list.get(*self.sorted.get(next)?)?, server_now).map(|left| left.saturating_sub(before))
        });
        self.edge = edges.min().map(|left| now.mono + left);
    }

    /// When a window passes a threshold or its end.
    pub fn next_edge(&self) -> Option<Duration> {
        self.edge
    }

    /// When one is to be asked after; `None` while as many as may are on their way.
    pub fn next_due(&self, now: Duration) -> Option<Duration> {
        if self.in_flight() >= self.limit() {
            return None;
        }
        // What is due waits for the pause; what is due now and can leave has left.
        self.due.map(|due| due.max(self.pause).max(now + Duration::from_nanos(1)))
    }

    /// When a row in view says something else.
    pub fn next_change(&self, list: &[Watch], now: Moment, server_now: Timestamp, height: usize) -> Option<Duration> {
        let changes = self
            .rows(list)
            .take(height)
            .filter_map(|(_, watch, ..)| Remaining::of(watch.window?, server_now).changes_in());
        changes.min().map(|span| now.mono + span)
    }

    /// The list is on screen, or no longer.
    pub fn see(&mut self, seen: bool, list: &[Watch], now: Moment, server_now: Timestamp) {
        if std::mem::replace(&mut self.seen, seen) != seen {
            self.schedule(list, now, server_now);
            self.plan(list, now, server_now);
        }
    }

    /// Works out anew when each is asked after: somebody looks now, or the server's clock goes otherwise.
    pub fn schedule(&mut self, list: &[Watch], now: Moment, server_now: Timestamp) {
        for (at, watch) in list.iter().enumerate() {
            match self.guards[at] {
                Guard { failures: 1.., .. } | Guard { hurried: true, .. } => {}
                Guard { answered: Some(answered), .. } => {
                    self.guards[at].due = self.next_check(watch, answered, now, server_now);
                }
                Guard { answered: None, .. } if self.seen => self.guards[at].due = Some(now.mono),
                Guard { answered: None, .. } => {}
            }
        }
    }

    fn in_flight(&self) -> usize {
        self.guards.iter().filter(|guard| guard.asked.is_some()).count()
    }

    fn limit(&self) -> usize {
        if self.seen { IN_FLIGHT } else { 1 }
    }

    /// The next one to ask after now: those in view that somebody waits for, then the one that has been due longest.
    pub fn next_question(&self, now: Duration, height: usize) -> Option<usize> {
        if self.in_flight() >= self.limit() || self.due.is_none_or(|due| due > now) {
            return None;
        }
        let is_due = |at: &usize| {
            let guard = &self.guards[*at];
            guard.asked.is_none() && guard.due.is_some_and(|due| due <= now)
        };
        let in_view = self.shown.iter().copied().skip(self.cursor.offset).take(height).filter(|_| self.seen);
        let is_wanted = |at: &usize| self.guards[*at].hurried || self.guards[*at].answered.is_none();
        let new = in_view.filter(is_wanted).find(is_due);
        let waits = || (0..self.guards.len()).filter(is_due).min_by_key(|at| self.guards[*at].due);
        new.or_else(|| if self.pause <= now { waits() } else { None })
    }

    /// This one was asked after.
    pub fn asked(&mut self, at: usize, id: TaskId, now: Duration) {
        (self.guards[at].asked, self.guards[at].hurried) = (Some(id), false);
        self.pause = now + PAUSE[usize::from(!self.seen)];
    }

    /// Asks after this one as soon as may be.
    pub fn hurry(&mut self, list: &[Watch], wanted: &Key, now: Duration) {
        if let Some(at) = place(list, wanted) {
            (self.guards[at].due, self.guards[at].hurried) = (Some(now), true);
        }
    }

    /// Asks after those in view as soon as may be.
    pub fn hurry_in_view(&mut self, now: Duration, height: usize) {
        for at in self.shown.iter().skip(self.cursor.offset).take(height) {
            (self.guards[*at].due, self.guards[*at].hurried) = (Some(now), true);
        }
    }

    /// A conversation with this number has changed so long ago: it is asked after as soon as may be, unless an answer
    /// has come since, or this very change was told before.
    pub fn changed(&mut self, list: &[Watch], phone: &str, time: Timestamp, age: Duration, now: Duration) -> bool {
        let mut any = false;
        for (guard, _) in self.guards.iter_mut().zip(list).filter(|(_, watch)| watch.phone == phone) {
            let news = guard.changed.replace(time) != Some(time);
            if news && guard.asked.is_none() && guard.answered.is_some_and(|answered| answered + age < now) {
                (guard.due, guard.hurried, any) = (Some(now), true, true);
            }
        }
        any
    }

    fn next_check(&self, watch: &Watch, answered: Duration, now: Moment, server_now: Timestamp) -> Option<Duration> {
        let spread = watch.phone.bytes().fold(0u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        let patience = if self.seen { 1 } else { UNSEEN };
        let remaining = watch.window.map(|window| Remaining::of(window, server_now));
        let every = match remaining.map(Remaining::level) {
            Some(Level::Urgent) => CLOSE,
            Some(Level::Warning) => NEAR * patience,
            _ => (FAR + Duration::from_secs(spread % (FAR.as_secs() / 3))) * patience,
        };
        let after_its_end = match remaining {
            Some(Remaining::Open(left)) => Some(now.mono + left + AFTER),
            _ => None,
        };
        let regular = self.automatic.then(|| (answered + every).max(now.mono));
        regular.into_iter().chain(after_its_end).min()
    }

    /// An answer came. True where something on screen is another than before.
    pub fn answered(&mut self, list: &mut [Watch], wanted: &Key, window: Window, now: Moment, server_now: Timestamp) {
        let Some(at) = place(list, wanted) else { return };
        let first = list[at].window.replace(window).is_none();
        let passed = left(&list[at], server_now).map_or(0, |left| self.passed(left));
        let due = self.next_check(&list[at], now.mono, now, server_now);
        let guard = &mut self.guards[at];
        (guard.asked, guard.failures, guard.fault) = (None, 0, None);
        (guard.answered, guard.due) = (Some(now.mono), due);
        // What was close to its end when it was first seen is told with all others of its kind. What opens again may
        // come to its end again.
        guard.passed = if first { passed } else { guard.passed.min(passed) };
    }

    /// No answer came.
    pub fn failed(&mut self, list: &[Watch], wanted: &Key, why: Option<String>, wait: Duration, now: Duration) {
        let Some(at) = place(list, wanted) else { return };
        let guard = &mut self.guards[at];
        guard.asked = None;
        guard.fault = why;
        guard.failures = guard.failures.saturating_add(1);
        let doubled = AGAIN[0].saturating_mul(2u32.saturating_pow(guard.failures.min(8) - 1)).min(AGAIN[1]);
        guard.due = (self.automatic).then_some(now + doubled.max(wait));
    }

    // Thresholds.

    fn passed(&self, left: Duration) -> usize {
        self.thresholds.iter().filter(|threshold| left <= **threshold).count()
    }

    /// The thresholds that were passed since the last look, each told once: the last of each window.
    pub fn alerts(&mut self, list: &[Watch], server_now: Timestamp) -> Vec<Alert> {
        let mut alerts = Vec::new();
        for at in &self.sorted {
            let passed = left(&list[*at], server_now).map_or(0, |left| self.passed(left));
            if passed == 0 {
                break;
            }
            if passed > self.guards[*at].passed && list[*at].window.is_some() {
                let who = list[*at].name.clone().unwrap_or_else(|| self.guards[*at].number.clone());
                alerts.push(Alert { who, threshold: self.thresholds[passed - 1] });
                self.guards[*at].passed = passed;
            }
        }
        alerts
    }

    /// How many were close to their end at the first look at all of them, and how close that is; once, and only where
    /// there are any.
    pub fn first_summary(&mut self, list: &[Watch], server_now: Timestamp) -> Option<(usize, Duration)> {
        let widest = *self.thresholds.first()?;
        if !self.first_look || !self.all_have_answered() || list.is_empty() {
            return None;
        }
        self.first_look = false;
        let close = self.sorted.partition_point(|at| left(&list[*at], server_now).is_some_and(|left| left <= widest));
        (close > 0).then_some((close, widest))
    }
}

fn key(watch: &Watch) -> Key {
    (watch.sender_id, watch.phone.clone())
}

fn place(list: &[Watch], (sender_id, phone): &Key) -> Option<usize> {
    list.iter().position(|watch| watch.sender_id == *sender_id && watch.phone == *phone)
}

/// How long a window is still open.
fn left(watch: &Watch, server_now: Timestamp) -> Option<Duration> {
    match Remaining::of(watch.window?, server_now) {
        Remaining::Open(left) => Some(left),
        Remaining::Expired(_) | Remaining::None => None,
    }
}

/// What is lost first comes first: open windows by what is left, then what expired last, then what never was, then what
/// is not known yet.
fn rank(watch: &Watch, server_now: Timestamp) -> (u8, i128) {
    match watch.window.map(|window| window.at(server_now)) {
        Some(Window::Open { expires }) => (0, expires.as_nanosecond()),
        Some(Window::Expired { since }) => (1, since.map_or(i128::MAX, |since| -since.as_nanosecond())),
        Some(Window::None) => (2, 0),
        None => (3, 0),
    }
}
