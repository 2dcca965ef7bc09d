//! The conversation beside the list: its messages, its facts, its JSON. Messages are fetched once the selection rests.

pub mod act;
mod cache;
mod draw;
pub mod export;
mod facts;
mod fetch;
pub mod window;

pub use cache::Talk;
pub use draw::{draw, frame, who_line};
pub use fetch::Target;

use super::ID;
use super::rows::Row;
use crate::api::{Conversation, ConversationHistory, Role};
use crate::messaging::Remaining;
use crate::records::{StorageReply, StorageRequest};
use crate::tasks::{Answer, TaskId};
use crate::ui::prelude::*;
use crate::ui::widgets::transcript::Transcript;
use cache::Cache;
use fetch::Fetching;
use std::collections::HashMap;
use window::Windows;

/// A conversation that is on screen for so long, or has the focus, is being read.
const LOOKED_AT: Duration = Duration::from_secs(2);
/// The window of a customer is requested after this.
const WINDOW_AFTER: Duration = Duration::from_millis(600);
/// The name under which the choice of [`Aspect`] is stored.
const PREFERENCE: &str = "conversations.view";

/// What is shown of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Aspect {
    /// Its messages.
    #[default]
    Transcript,
    /// Its fields.
    Facts,
    /// What the server sent.
    Json,
}

impl Aspect {
    /// In the order in which a key goes round.
    const ALL: [Self; 3] = [Self::Transcript, Self::Facts, Self::Json];

    /// Its name, also in the records.
    pub fn word(self) -> &'static str {
        match self {
            Self::Transcript => "transcript",
            Self::Facts => "facts",
            Self::Json => "JSON",
        }
    }

    /// The next one.
    pub fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }
}

/// The list around the selected row.
pub struct Around<'a> {
    /// The selected row.
    pub row: Option<&'a Conversation>,
    /// What is to be fetched: the selected conversation, the next and the previous one; those without an id are left out.
    pub targets: Vec<Target>,
    /// Where the messages are drawn; `None` where they are not.
    pub body: Option<Rect>,
    /// True where they have the focus.
    pub focused: bool,
}

impl<'a> Around<'a> {
    /// Of the rows in the order in which they are listed; while a reply is written, of its conversation alone: it stays on
    /// screen, whatever becomes of the list.
    pub fn new(
        list: &'a Browser<super::pages::Pages<Conversation>>,
        replying: Option<&'a Conversation>,
        body: Option<Rect>,
        focused: bool,
    ) -> Self {
        let (rows, order, at) = (list.source.rows(), list.state.order(), list.state.at());
        let row = |place: usize| order.get(place).and_then(|shown| rows.get(shown.row)).map(|row| &row.data);
        let around = [row(at), row(at + 1), at.checked_sub(1).and_then(row)];
        let left = replying.filter(|replying| row(at).is_none_or(|row| row.id != replying.id));
        let around = left.map_or(around, |left| [Some(left), None, None]);
        let targets = around.into_iter().flatten().filter_map(Target::of).collect();
        Self { row: around[0], targets, body, focused }
    }

    fn id(&self) -> Option<&str> {
        self.row.and_then(|row| row.id.known()).map(String::as_str).filter(|id| !id.is_empty())
    }
}

/// What is read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// What a person wants to see.
    pub aspect: Aspect,
    cache: Cache,
    fetching: Fetching,
    /// The conversation on screen, and since when; while the selection moves it stays.
    shown: Option<(String, Instant)>,
    /// Where its messages are scrolled to.
    pub transcript: Transcript,
    /// Where facts and JSON are.
    pub reader: Reader,
    /// How many messages of each conversation have been read, as stored.
    reads: HashMap<String, u64>,
    /// The windows of customers.
    pub windows: Windows,
    /// Uses of the storage in flight; whether they read it.
    stored: Vec<(TaskId, bool)>,
    /// The file that is being written.
    writing: Option<TaskId>,
}

impl Reading {
    /// Loads what is stored.
    pub fn start(&mut self, cx: &mut Context) {
        for request in [StorageRequest::LoadPreferences, StorageRequest::ListReads] {
            let id = cx.run(Origin::new(ID.0), request);
            self.stored.push((id, true));
        }
    }

    /// The conversation on screen, where it has been read.
    pub fn talk(&self) -> Option<&Talk> {
        self.shown.as_ref().and_then(|(id, _)| self.cache.get(id))
    }

    /// The id of the conversation on screen.
    pub fn shown(&self) -> Option<&str> {
        self.shown.as_ref().map(|(id, _)| id.as_str())
    }

    /// What is shown: the facts where there are no messages to show.
    pub fn shown_aspect(&self) -> Aspect {
        let has_messages = self.shown.is_some() && (self.fetching.is_offered() || self.talk().is_some());
        if self.aspect == Aspect::Transcript && !has_messages { Aspect::Facts } else { self.aspect }
    }

    /// How many messages of this conversation have come since it was last read; 0 also where it never was.
    pub fn unread(&self, row: &Conversation) -> u64 {
        let read = row.id.known().and_then(|id| self.reads.get(id));
        read.map_or(0, |read| row.message_count.known().map_or(0, |count| count.saturating_sub(*read)))
    }

    /// True where the messages have been read as the list has them, and the last is not the customer's.
    pub fn is_answered(&self, row: &Conversation) -> bool {
        let read = Target::of(row).and_then(|target| Some((self.cache.get(&target.id)?, target.version)));
        let last = read.filter(|(talk, version)| talk.version == *version).and_then(|(talk, _)| talk.messages().last());
        last.is_some_and(|last| last.role.known() == Some(&Role::Assistant))
    }

    /// What the next turn shows.
    pub fn next_word(&self) -> &'static str {
        self.next_aspect().word()
    }

    /// The next one after what is on screen.
    fn next_aspect(&self) -> Aspect {
        self.shown_aspect().next()
    }

    /// What is left of the customer's window, where that is known.
    pub fn window(&self, row: &Conversation, view: &View<'_>) -> Option<Remaining> {
        self.windows.remaining(row, view)
    }

    /// Goes round transcript, facts and JSON, and stores what is shown.
    pub fn turn(&mut self, cx: &mut Context) {
        let aspect = self.next_aspect();
        self.aspect = aspect;
        self.reader.rewind();
        let request = StorageRequest::SavePreference { name: PREFERENCE.to_owned(), value: aspect.word().to_owned() };
        self.store(request, cx);
    }

    fn store(&mut self, request: StorageRequest, cx: &mut Context) {
        let id = cx.run(Origin::new(ID.0), request);
        self.stored.push((id, false));
    }

    /// Somebody opens the selected conversation, or wants it anew.
    pub fn open(&mut self, around: &Around<'_>, cx: &mut Context) {
        self.fetching.select(around.id(), cx.now.mono);
        self.fetching.open();
        self.sync(around, cx);
    }

    /// Somebody has written in this conversation: its messages and its window are fetched again.
    pub fn forget(&mut self, id: &str) {
        self.cache.expire(id);
        self.windows.expire(id);
    }

    /// The server answers again: what failed before is due.
    pub fn try_again(&mut self) {
        self.fetching.forget_failures();
    }

    /// Follows the selection, fetches what is due, and records what has been read. To be called after whatever may have
    /// changed one of these.
    pub fn sync(&mut self, around: &Around<'_>, cx: &mut Context) {
        let now = cx.now.mono;
        let had_rested = self.fetching.select(around.id(), now);
        if self.shown() != around.id() && (had_rested || self.fetching.rests(now)) {
            self.show(around.id(), now);
        }
        if !cx.shown {
            return;
        }
        self.record_read(around, cx);
        if !cx.is_connected() {
            return;
        }
        if let Some((target, replaced)) = self.fetching.next(&around.targets, &self.cache, now) {
            if let Some(replaced) = replaced {
                cx.cancel(replaced);
            }
            let automatic = !(around.focused && around.id() == Some(&target.id));
            let request = Request::GetConversation { uuid: target.id.as_str().into() };
            let id = cx.run(Origin { automatic, ..Origin::new(ID.0) }, request);
            self.fetching.asked(id, target, now);
        }
        let looked_at =
            self.shown.as_ref().filter(|(id, since)| around.id() == Some(id) && *since + WINDOW_AFTER <= now);
        if let (Some(row), Some(_), Some(_)) = (around.row, around.body, looked_at)
            && let Some(target) = around.targets.first()
        {
            self.windows.want(row, target, &mut self.fetching.budget, cx);
        }
    }

    /// Another conversation is on screen: at its end, with what has come since it was read marked.
    fn show(&mut self, id: Option<&str>, now: Instant) {
        self.shown = id.map(|id| (id.to_owned(), now));
        self.transcript.reset();
        self.reader.rewind();
        self.first_look();
        if let Some(id) = id {
            self.cache.touch(id);
        }
    }

    fn first_look(&mut self) {
        let Some((id, _)) = &self.shown else { return };
        let Some(talk) = self.cache.get(id) else { return };
        let read = self.reads.get(id).and_then(|read| usize::try_from(*read).ok());
        self.transcript.marks.new_from = read.filter(|read| *read < talk.messages().len());
        self.transcript.marks.by_person.clone_from(&talk.by_person);
        self.transcript.changed(talk.messages());
    }

    /// How many messages of the conversation on screen can have been read by now; `None` where nobody reads it.
    fn read_now(&self, around: &Around<'_>, options: &Options, now: Instant) -> Option<u64> {
        let (talk, (_, since)) = (self.talk()?, self.shown.as_ref()?);
        let reads = around.focused || *since + LOOKED_AT <= now;
        let area = around.body.filter(|_| reads && self.aspect == Aspect::Transcript)?;
        let known = self.reads.get(&talk.id).copied();
        if known.is_some_and(|known| known >= talk.messages().len() as u64) {
            return None;
        }
        let read = self.transcript.read(talk.messages(), options, area) as u64;
        (known.is_none_or(|known| known < read)).then_some(read)
    }

    fn record_read(&mut self, around: &Around<'_>, cx: &mut Context) {
        let Some(read) = self.read_now(around, &cx.options, cx.now.mono) else { return };
        let Some(conversation) = self.shown().map(str::to_owned) else { return };
        self.reads.insert(conversation.clone(), read);
        self.store(StorageRequest::SaveRead { conversation, messages: read }, cx);
    }

    /// Takes the report of something it asked for; any other comes back.
    pub fn reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        if let Some(target) = self.fetching.answered(report.id) {
            match report.result.map(|answer| answer.reply(Reply::get_conversation)) {
                Ok(Some(history)) => self.take(&target, history),
                Ok(None) => {}
                Err(failure) => self.fetching.failed(target, failure, cx.now.mono),
            }
            return None;
        }
        if let Some(at) = self.stored.iter().position(|(id, _)| *id == report.id) {
            let (_, reads) = self.stored.remove(at);
            match report.result {
                Ok(Answer::Stored(StorageReply::Preferences(all))) => {
                    let chosen = all.get(PREFERENCE);
                    let aspect =
                        Aspect::ALL.into_iter().find(|aspect| Some(aspect.word()) == chosen.map(String::as_str));
                    self.aspect = aspect.unwrap_or(self.aspect);
                }
                Ok(Answer::Stored(StorageReply::Reads(all))) => {
                    for (conversation, read) in all {
                        let known = self.reads.entry(conversation).or_default();
                        *known = read.max(*known);
                    }
                }
                Ok(_) => {}
                Err(failure) => {
                    let what = if reads { "loaded" } else { "saved" };
                    cx.problem(format!("How far conversations are read could not be {what}: {}.", explain(&failure)));
                }
            }
            return None;
        }
        if self.writing.is_some_and(|id| id == report.id) {
            self.written(report, cx);
            return None;
        }
        self.windows.reply(report, cx.now)
    }

    /// Takes the messages of a conversation. What goes beyond those read before is new.
    fn take(&mut self, target: &Target, history: ConversationHistory) {
        let before = self.cache.get(&target.id).map(|talk| talk.messages().len());
        let on_screen = self.shown.as_ref().map(|(id, _)| id.as_str());
        let new_from = self.cache.put(target, history, on_screen);
        if self.shown() != Some(&target.id) {
            return;
        }
        let Some(talk) = self.talk().cloned() else { return };
        match (before, new_from) {
            (None, _) => self.first_look(),
            // Other messages than before, or the oldest are gone: nothing on screen stays where it was.
            (Some(count), from) if from != Some(count) => {
                self.transcript.follow();
                self.transcript.marks.new_from = from.filter(|from| *from < talk.messages().len());
            }
            (Some(count), _) if count < talk.messages().len() => {
                let first = self.transcript.marks.new_from.map_or(count, |first| first.min(count));
                self.transcript.marks.new_from = Some(first);
            }
            _ => {}
        }
        self.transcript.marks.by_person.clone_from(&talk.by_person);
        self.transcript.changed(talk.messages());
    }

    /// Hears the server's time.
    pub fn hear(&mut self, event: &crate::tasks::Event, now: Moment) {
        self.windows.hear(event, now);
    }

    /// When something is due, or looks different by itself.
    pub fn next_change(&self, around: &Around<'_>, view: &View<'_>) -> Option<Instant> {
        let now = view.now.mono;
        let fetch = self.fetching.next_change(&around.targets, &self.cache, now);
        let fetch = fetch.filter(|_| view.unconnected().is_none() || !self.fetching.rests(now));
        let seen = around.body.and_then(|_| {
            let (_, since) = self.shown.as_ref()?;
            let loading = self.shown().and_then(|id| self.fetching.loading_since(id));
            let loading = loading.and_then(|since| State::Loading(since).next_change(now));
            let waits = [*since + WINDOW_AFTER, *since + LOOKED_AT].into_iter().filter(|at| *at > now).min();
            let window = around.row.and_then(|row| self.windows.remaining(row, view)?.changes_in());
            [loading, waits, window.map(|span| now + span)].into_iter().flatten().min()
        });
        fetch.into_iter().chain(seen).min().filter(|_| view.shown)
    }

    /// The facts or the JSON of a row.
    fn details(&self, row: &Conversation, loaded: Vec<&Row>, view: &View<'_>, columns: u16) -> Details {
        let talk = row.id.known().and_then(|id| self.cache.get(id));
        if self.shown_aspect() == Aspect::Json {
            return facts::raw(row, talk, view, columns.into());
        }
        let note = (self.aspect == Aspect::Transcript).then(|| {
            if self.fetching.is_offered() {
                "The server gives this conversation no id, so its messages cannot be read.".to_owned()
            } else {
                "This server does not give the messages of conversations. These are the facts.".to_owned()
            }
        });
        let window = self.window(row, view);
        let known = facts::Known { talk, window, loaded, note, unread: self.unread(row) };
        facts::details(row, &known, view, columns.into())
    }
}
