//! What needs a person: alerts of the settings, conversations in which the AI is off, hand-overs.

use super::narrow::{Flags, Narrow};
use super::rows::Row;
use super::{Conversations, format};
use crate::api::{Conversation, ConversationType, Page};
use crate::config::Notify;
use crate::ui::fuzzy::Query;
use crate::ui::prelude::*;
use crate::ui::text::thousands;
use std::collections::{HashMap, HashSet};

/// A hand-over is told once it has stood for so long.
const STANDS: Duration = Duration::from_secs(8);
/// Conversations of which is known whether the AI was on.
const SEEN_MAX: usize = 4000;

/// An alert of the settings.
#[derive(Debug, Clone, PartialEq)]
struct Alert {
    text: String,
    narrow: Narrow,
}

impl Alert {
    fn holds(&self, row: &Row, now: jiff::Timestamp) -> bool {
        let text = || Query::new(&self.narrow.text).is_none_or(|mut query| query.find(&row.fields()).is_some());
        self.narrow.passes(&row.data, Flags { alert: false, ..row.flags }, now) && text()
    }
}

/// An assistant has turned the AI off.
#[derive(Debug, Clone, PartialEq)]
struct HandedOver {
    id: String,
    who: String,
    since: Instant,
}

/// What is watched for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Watching {
    alerts: Vec<Alert>,
    /// Conversations and alerts that are no news.
    told: HashSet<(String, String)>,
    /// Whether the AI was on when a conversation was last listed.
    ai: HashMap<String, bool>,
    handed: Vec<HandedOver>,
    /// Where the key to the next one that needs a person has led.
    visited: Option<String>,
}

impl Watching {
    /// When a hand-over is to be told.
    pub fn next_change(&self, now: Instant) -> Option<Instant> {
        self.handed.iter().map(|one| one.since + STANDS).filter(|at| *at > now).min()
    }
}

impl Conversations {
    /// Reads the alerts of the settings, and says which of them mean nothing.
    pub(super) fn read_alerts(&mut self, cx: &mut Context) {
        for text in cx.options.settings.alerts.clone() {
            let narrow = Narrow::parse(&text);
            match &narrow.problem {
                Some(problem) => {
                    cx.problem(format!("alert \"{}\" in the settings is ignored: {problem}.", clean(&text)));
                }
                None if !narrow.has_tests() && narrow.text.is_empty() => {
                    cx.problem(format!(
                        "alert \"{}\" in the settings is ignored: it would hold for all.",
                        clean(&text)
                    ));
                }
                None => self.watching.alerts.push(Alert { text, narrow }),
            }
        }
    }

    /// Says of each row on screen whether it is marked and meets an alert.
    pub(super) fn flag_rows(&mut self, cx: &Context) {
        let (saved, watching, take_over) = (&self.saved, &self.watching, &self.take_over);
        for row in self.paged.list.source.rows_mut() {
            if let Some(on) = row.data.id.known().and_then(|id| take_over.pending(id)) {
                row.data.ai_enabled = on.into();
            }
            row.flags.marked = row.data.id.known().is_some_and(|id| saved.is_marked(id));
            row.flags.alert = watching.alerts.iter().any(|alert| alert.holds(row, cx.now.wall));
        }
    }

    /// How many rows of the page meet an alert.
    pub(super) fn alerts(&self) -> usize {
        self.paged.list.source.rows().iter().filter(|row| row.flags.alert).count()
    }

    /// A page has come: tells what is new of alerts where the `same` page was there before, and notes hand-overs.
    pub(super) fn watch_page(&mut self, same: bool, cx: &mut Context) {
        self.flag_rows(cx);
        let (now, watching) = (cx.now, &mut self.watching);
        if watching.ai.len() > SEEN_MAX {
            watching.ai.clear();
        }
        if watching.told.len() > SEEN_MAX {
            watching.told.clear();
        }
        let mut news = Vec::new();
        for row in self.paged.list.source.rows() {
            let Some(id) = row.data.id.known() else { continue };
            let alerts = watching.alerts.iter().filter(|alert| alert.holds(row, now.wall));
            let holding: Vec<_> = alerts.map(|alert| alert.text.clone()).collect();
            // What no longer holds is news when it holds again.
            watching.told.retain(|(of, text)| of != id || holding.contains(text));
            for text in holding {
                let words = format!("{}: {text}", format::customer(&row.data));
                if watching.told.insert((id.clone(), text)) && same {
                    news.push(words);
                }
            }
            let Some(on) = row.data.ai_enabled.known().copied() else { continue };
            if on {
                watching.handed.retain(|one| one.id != *id);
            }
            let is_ours = self.saved.taken_at(id).is_some();
            if watching.ai.insert(id.clone(), on) == Some(true) && !on && !is_ours {
                let who = format::customer(&row.data).into_owned();
                watching.handed.push(HandedOver { id: id.clone(), who, since: now.mono });
            }
        }
        match &news[..] {
            [] => {}
            [only] => tell(only.clone(), cx),
            [first, rest @ ..] => {
                tell(format!("{first} and {}", count(rest.len() as u64, "more alert", "more alerts")), cx);
            }
        }
    }

    /// Tells hand-overs that have stood for a while.
    pub(super) fn tell_handed_over(&mut self, cx: &mut Context) {
        let now = cx.now.mono;
        for one in self.watching.handed.extract_if(.., |one| one.since + STANDS <= now) {
            tell(format!("{} waits for a person: the AI has been turned off", one.who), cx);
        }
    }

    /// True where a person must answer, or an alert holds.
    fn needs_person(&self, row: &Row) -> bool {
        let off = row.data.ai_enabled.known() == Some(&false);
        row.flags.alert || (off && !self.reading.is_answered(&row.data))
    }

    /// Goes to the next conversation that needs a person: the selected one, where that does and this key has not led there,
    /// else the next below it on the page, else the first, else one of another page that is loaded.
    pub(super) fn go_to_urgent(&mut self, cx: &mut Context) {
        let (rows, order, at) =
            (self.paged.list.source.rows(), self.paged.list.state.order(), self.paged.list.state.at());
        let urgent = |place: &usize| {
            order.get(*place).and_then(|shown| rows.get(shown.row)).is_some_and(|row| self.needs_person(row))
        };
        let visited = self.watching.visited.clone();
        let is_new = self.paged.list.state.selected_id() != visited.as_ref();
        let first = at + usize::from(!is_new);
        let found = (first..order.len()).chain(0..first.min(order.len())).find(urgent);
        let here = found.and_then(|place| order.get(place)).map(|shown| shown.id.clone());
        let another = here.clone().filter(|id| is_new || Some(id) != visited.as_ref());
        // What narrows the page says nothing of the others.
        let is_narrowed = !self.paged.list.state.narrow.value().is_empty();
        let elsewhere = || {
            self.paged.list.source.loaded().skip(rows.len()).filter(|_| !is_narrowed).find(|row| self.needs_person(row))
        };
        let Some(id) = another.or_else(|| elsewhere().map(Record::id)) else {
            let more = match self.paged.list.source.shown().map(|shown| &shown.page) {
                Some(Page::Numbered(page)) => page.total.saturating_sub(self.paged.list.source.loaded().count() as u64),
                Some(Page::Cursor(page)) if page.next_cursor.is_some() => u64::MAX,
                _ => 0,
            };
            let more = match more {
                0 => String::new(),
                u64::MAX => "; further pages are not loaded".to_owned(),
                more => format!("; {} more {} not loaded", thousands(more), if more == 1 { "is" } else { "are" }),
            };
            let other = if here.is_some() { "other " } else { "" };
            return cx.toast(format!("No {other}loaded conversation needs a person{more}"));
        };
        self.watching.visited = Some(id.clone());
        self.go_to(id, cx);
    }

    /// Filters by the selected row's value in the sorted column: on the server where that can, else by narrowing.
    pub(super) fn filter_by_selected(&mut self, cx: &mut Context) {
        let (Some(row), Some(sort)) = (self.selected().cloned(), self.paged.list.state.sort()) else { return };
        let mut wanted = self.paged.wanted.clone();
        let by_customer = self.paged.list.source.shown().is_some_and(|shown| shown.numbers().is_none());
        let narrow = match Row::COLUMNS[sort.column].title {
            "TYPE" => {
                wanted.kind =
                    row.kind.known().map_or_else(String::new, |kind: &ConversationType| kind.as_str().to_owned());
                None
            }
            "ASSISTANT" => {
                let uuid = row.assistant_id.known();
                let name = format::assistant(&row).into_owned();
                let is_it = |one: &super::filter::Chosen| {
                    one.uuid.as_ref().map_or(one.name == name, |known| Some(known) == uuid)
                };
                wanted.assistant = self.known(&cx.data).into_iter().find(is_it);
                None
            }
            "UPDATED" => {
                let day = row.created_at.known().map(|time| super::filter::today(time.0, cx.view().zone));
                wanted.days = day.map(|day| day.to_string()).unwrap_or_default();
                None
            }
            "CUSTOMER" => match phone(&row) {
                Some(phone) if by_customer => {
                    wanted.customer = phone;
                    None
                }
                Some(phone) => Some(format!("customer:{phone}")),
                None => return cx.toast("Not now: this conversation has no customer's number"),
            },
            "MSGS" => row.message_count.known().map(|count| format!("msgs:{count}")),
            "COST" => row.total_cost.known().map(|cost| format!("cost:{cost}")),
            _ => row.ai_enabled.known().map(|on| format!("ai:{}", if *on { "on" } else { "off" })),
        };
        match narrow {
            Some(narrow) => {
                self.paged.list.state.narrow = crate::ui::widgets::input::TextInput::new(&narrow);
                self.arrange(cx);
            }
            None => self.set_wanted(wanted, cx),
        }
    }
}

fn phone(row: &Conversation) -> Option<String> {
    row.customer.known().and_then(|party| party.phone.clone())
}

fn tell(words: String, cx: &mut Context) {
    if cx.options.settings.messaging.notify != Notify::Off {
        cx.push(Effect::Notify(words.clone()));
    }
    cx.toast(words);
}
