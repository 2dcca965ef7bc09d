//! From a recipient to a message on its way: the form or the editor, what asks before it is sent, and the seconds in
//! which it can be taken back.
//!
//! A message leaves by one way only: [`Flow::Send`], out of a hold that `y` began in a box that had been on screen.

mod check;
mod choices;
mod confirm;
mod draft;
mod editor;
mod fill;
mod form;
mod form_draw;
mod freeform;
mod hold;
mod ready;
mod settled;
pub(super) mod words;

use self::confirm::{Asked, Asking, Holding};
use self::draft::{Drafts, Typed};
use self::form::Form;
use self::freeform::Freeform;
use self::ready::{Ready, Step};
use super::Known;
use crate::client::Request;
use crate::messaging::Window;
use crate::records::StorageRequest;
use crate::tasks::Sending;
use crate::ui::input::{Key, KeyCode};
use crate::ui::message::Moment;
use crate::ui::options::Options;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::time::Duration;

pub(super) use draft::forget;
pub use draft::remember;
pub(super) use hold::{Held, Hold};
pub(super) use settled::Settled;

/// How long after a question has failed it is asked again.
const ASKED_AGAIN: Duration = Duration::from_secs(10);

/// What the composer and the outbox may look at.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    /// What the pane knows.
    pub known: &'a Known,
    /// How the interface was started.
    pub options: &'a Options,
    /// The user's time zone.
    pub zone: &'a TimeZone,
    /// Now.
    pub now: Moment,
    /// Now by the server's clock.
    pub server_now: Timestamp,
    /// Where everything is drawn.
    pub body: Rect,
}

/// What a form is opened with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wanted {
    /// The sender.
    pub sender_id: Option<i64>,
    /// The recipient, in E.164.
    pub phone: Option<String>,
    /// The recipient's name.
    pub name: Option<String>,
    /// The template.
    pub template_id: Option<i64>,
}

/// A message to a number that has left, or may have, and whose outcome nobody knows yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubt {
    /// The number, in E.164.
    pub phone: String,
    /// When it was confirmed.
    pub began: Timestamp,
    /// True while it is still on its way.
    pub leaving: bool,
}

/// What is told around a form or a box.
#[derive(Debug, Clone, Copy, Default)]
struct Told<'a> {
    /// The recipient's window.
    window: Option<Window>,
    /// What came of the last key.
    note: Option<&'a str>,
    /// Why this recipient may have got a message already.
    caution: Option<&'a str>,
}

/// What came of a key or of time.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Flow {
    /// It goes on.
    Stay,
    /// It was left; nothing is sent.
    Close,
    /// This leaves now, and the composer is done.
    Send(Box<Sending>),
}

/// How far a message has come.
#[derive(Debug, Clone, PartialEq)]
enum Stage {
    /// It is being written.
    Writing,
    /// A box asks whether to send it.
    Asking(Asking),
    /// It was confirmed and waits to be taken back.
    Holding(Holding),
    /// It has been handed over.
    Gone,
}

/// What is written.
#[derive(Debug, Clone, PartialEq)]
enum Page {
    Template(Box<Form>),
    Freeform(Freeform),
}

impl Page {
    fn key(&mut self, key: Key, sight: &Sight<'_>, windows: &Windows) -> Step {
        match self {
            Self::Template(form) => form.key(key, sight),
            Self::Freeform(freeform) => freeform.key(key, sight, windows),
        }
    }

    /// The message as it would be sent, or what keeps it from that.
    fn check(&self, sight: &Sight<'_>, windows: &Windows) -> Result<Ready, String> {
        match self {
            Self::Template(form) => form.check(sight).map_err(|(_, fault)| fault),
            Self::Freeform(freeform) => freeform.check(sight, windows),
        }
    }

    /// What is typed, to be kept.
    fn typed(&self, sight: &Sight<'_>) -> Typed {
        match self {
            Self::Template(form) => form.typed(sight),
            Self::Freeform(freeform) => freeform.typed(),
        }
    }

    /// Sender and recipient, where both are known.
    fn pair(&self, sight: &Sight<'_>) -> Option<(i64, String)> {
        match self {
            Self::Template(form) => form.pair(sight),
            Self::Freeform(freeform) => freeform.pair(),
        }
    }
}

/// Windows that the composer has asked for itself, of recipients that nobody watches.
#[derive(Debug, Clone, PartialEq, Default)]
struct Windows(Vec<(i64, String, Window)>);

impl Windows {
    /// The window as it is now; `None` where nobody has told it.
    fn of(&self, pair: Option<&(i64, String)>, sight: &Sight<'_>) -> Option<Window> {
        let (sender_id, phone) = pair?;
        let watched = sight.known.watch(*sender_id, phone).and_then(|watch| watch.window);
        let own = || self.0.iter().find(|(id, number, _)| id == sender_id && number == phone);
        watched.or_else(|| own().map(|(.., window)| *window)).map(|window| window.at(sight.server_now))
    }
}

/// The composer.
#[derive(Debug, Clone, PartialEq)]
pub struct Composer {
    page: Page,
    stage: Stage,
    windows: Windows,
    drafts: Drafts,
    doubts: Vec<Doubt>,
    /// What has been asked of the server already, and when it may be asked again, where that has failed.
    asked: Vec<(Request, Option<Duration>)>,
    /// What the person is told until the next key.
    note: Option<String>,
    /// How often a box has asked: it tells sends of the same moment apart.
    confirms: u64,
}

impl Composer {
    /// The form of a template.
    pub fn template(wanted: Wanted, sight: &Sight<'_>) -> Self {
        Self::new(Page::Template(Box::new(Form::new(wanted, sight))), sight)
    }

    /// The editor of a freeform message.
    pub fn freeform(wanted: Wanted, sight: &Sight<'_>) -> Self {
        Self::new(Page::Freeform(Freeform::new(wanted, sight)), sight)
    }

    fn new(page: Page, sight: &Sight<'_>) -> Self {
        let drafts = Drafts::new(page.typed(sight));
        let (windows, doubts, asked) = (Windows::default(), Vec::new(), Vec::new());
        Self { page, stage: Stage::Writing, windows, drafts, doubts, asked, note: None, confirms: 0 }
    }

    /// The composer, which warns before somebody is written to of whom there are such doubts.
    #[must_use]
    pub fn with_doubts(self, doubts: Vec<Doubt>) -> Self {
        Self { doubts, ..self }
    }

    /// Why the recipient may have got a message already, in a sentence.
    fn caution(&self, pair: Option<&(i64, String)>, sight: &Sight<'_>) -> Option<String> {
        let (_, phone) = pair?;
        let doubt = self.doubts.iter().find(|doubt| doubt.phone == *phone)?;
        let at = words::time(doubt.began, sight);
        Some(if doubt.leaving {
            format!("a message of {at} to this number is still on its way")
        } else {
            format!("nobody knows yet whether a message of {at} to this number was sent")
        })
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key, sight: &Sight<'_>) -> Flow {
        let flow = match std::mem::replace(&mut self.stage, Stage::Writing) {
            Stage::Writing => self.write(key, sight),
            Stage::Asking(asking) => match asking.key(key, sight) {
                Asked::Still(asking) => self.stay(Stage::Asking(asking)),
                Asked::Back => Flow::Stay,
                Asked::Yes(ready) => self.hold(ready, sight),
            },
            Stage::Holding(_) if matches!(key.code, KeyCode::Esc | KeyCode::Char('u')) => {
                self.note = Some("Taken back: nothing was sent.".to_owned());
                Flow::Stay
            }
            Stage::Holding(holding) => self.stay(Stage::Holding(holding)),
            Stage::Gone => self.stay(Stage::Gone),
        };
        self.drafts.watch(self.page.typed(sight), sight, flow != Flow::Stay);
        flow
    }

    fn stay(&mut self, stage: Stage) -> Flow {
        self.stage = stage;
        Flow::Stay
    }

    fn write(&mut self, key: Key, sight: &Sight<'_>) -> Flow {
        self.note = None;
        match self.page.key(key, sight, &self.windows) {
            Step::Stay => Flow::Stay,
            Step::Leave => Flow::Close,
            Step::Told(fault) => {
                self.note = Some(format!("Not yet: {fault}."));
                Flow::Stay
            }
            Step::Ready(ready) => {
                self.confirms += 1;
                self.stay(Stage::Asking(Asking::new(*ready)))
            }
            Step::Instead(wanted) => {
                self.drafts.watch(self.page.typed(sight), sight, true);
                let keeps = self.take_keeps();
                let (windows, doubts) = (std::mem::take(&mut self.windows), std::mem::take(&mut self.doubts));
                *self = Self { windows, doubts, ..Self::template(wanted, sight) };
                self.drafts.queue(keeps);
                Flow::Stay
            }
        }
    }

    /// The box was answered with yes.
    fn hold(&mut self, ready: Ready, sight: &Sight<'_>) -> Flow {
        let hold = sight.options.settings.messaging.hold;
        if hold.is_zero() {
            return self.send(ready, sight);
        }
        self.stay(Stage::Holding(Holding { ready, hold: Hold::new(sight.now.mono + hold) }))
    }

    /// Hands the message over, if it is still the one that was confirmed and may still be sent.
    fn send(&mut self, ready: Ready, sight: &Sight<'_>) -> Flow {
        let changed = match self.page.check(sight, &self.windows) {
            Ok(now) if now == ready => None,
            Ok(_) => Some("the template has changed meanwhile".to_owned()),
            Err(fault) => Some(fault),
        };
        if let Some(why) = changed {
            self.note = Some(format!("Nothing was sent: {why}."));
            self.stage = Stage::Writing;
            return Flow::Stay;
        }
        let before = self.windows.of(self.page.pair(sight).as_ref(), sight);
        self.drafts.queue(Some(StorageRequest::SaveValues(ready.used.clone())).filter(|_| !ready.used.is_empty()));
        self.stage = Stage::Gone;
        Flow::Send(Box::new(ready.sending(before, self.confirms, sight)))
    }

    /// Takes a paste. Nothing but a field takes one: no box is answered by it.
    pub fn paste(&mut self, text: &str, sight: &Sight<'_>) {
        if self.stage == Stage::Writing {
            self.note = None;
            match &mut self.page {
                Page::Template(form) => form.paste(text, sight),
                Page::Freeform(freeform) => freeform.paste(text),
            }
            self.drafts.watch(self.page.typed(sight), sight, false);
        } else if let Stage::Asking(asking) = &mut self.stage {
            asking.settled.again(sight.now.mono);
        }
    }

    /// Takes the time, and what has become known since the last look.
    pub fn tick(&mut self, sight: &Sight<'_>) -> Flow {
        let flow = match std::mem::replace(&mut self.stage, Stage::Writing) {
            Stage::Writing => {
                if let Page::Template(form) = &mut self.page {
                    form.adopt(sight);
                }
                Flow::Stay
            }
            Stage::Asking(mut asking) => {
                asking.settled.seen(sight.now.mono);
                self.stay(Stage::Asking(asking))
            }
            Stage::Holding(holding) => match holding.hold.at(sight.now.mono) {
                Held::Still => self.stay(Stage::Holding(holding)),
                Held::Over => self.send(holding.ready, sight),
                Held::Slept => {
                    self.note = Some("Taken back: the program was stopped meanwhile. Nothing was sent.".to_owned());
                    Flow::Stay
                }
            },
            Stage::Gone => self.stay(Stage::Gone),
        };
        self.drafts.watch(self.page.typed(sight), sight, flow != Flow::Stay);
        flow
    }

    /// When something changes by itself.
    pub fn next_change(&self, sight: &Sight<'_>) -> Option<Duration> {
        let stage = match &self.stage {
            Stage::Asking(asking) => asking.settled.next_change(sight.now.mono),
            Stage::Holding(holding) => Some(holding.hold.next_change(sight.now.mono)),
            Stage::Writing | Stage::Gone => None,
        };
        let window = self.windows.of(self.page.pair(sight).as_ref(), sight);
        let countdown = window.and_then(|window| words::window_changes_in(window, sight.server_now));
        let countdown = countdown.map(|span| sight.now.mono + span);
        let again = self.asked.iter().filter_map(|(_, again)| *again).min();
        [stage, countdown, self.drafts.next_change(), again].into_iter().flatten().min()
    }

    /// The program is about to stop or to end: what is held is taken back, and what was typed is kept.
    pub fn suspended(&mut self, sight: &Sight<'_>) {
        if matches!(self.stage, Stage::Asking(_) | Stage::Holding(_)) {
            self.stage = Stage::Writing;
            self.note = Some("Taken back: the program was stopped. Nothing was sent.".to_owned());
        }
        self.drafts.watch(self.page.typed(sight), sight, true);
    }

    /// True where something that was typed is kept as a draft.
    pub fn left_draft(&self) -> bool {
        self.drafts.has_saved()
    }

    /// What to keep since the last call: drafts, and values used.
    pub fn take_keeps(&mut self) -> Vec<StorageRequest> {
        self.drafts.take()
    }

    /// What it needs to know from the server and does not; each is told once, and again a while after it has failed.
    pub fn take_wants(&mut self, sight: &Sight<'_>) -> Vec<Request> {
        let templates = match &self.page {
            Page::Template(form) => form.sender_id().filter(|id| !sight.known.templates.contains_key(id)),
            Page::Freeform(_) => None,
        };
        // A number that is being typed is not asked for digit by digit.
        let typing = matches!(&self.page, Page::Template(form) if form.is_at_phone());
        let pair = self.page.pair(sight).filter(|_| !typing);
        let window = pair.filter(|pair| self.windows.of(Some(pair), sight).is_none());
        let window = window.map(|(sender_id, phone)| Request::session_status(sender_id, &phone));
        let templates = templates.map(|sender_id| Request::ListTemplates { sender_id });
        let mut wants: Vec<Request> = templates.into_iter().chain(window).collect();
        self.asked.retain(|(_, again)| again.is_none_or(|again| again > sight.now.mono));
        wants.retain(|want| self.asked.iter().all(|(asked, _)| asked != want));
        self.asked.extend(wants.iter().map(|want| (want.clone(), None)));
        wants
    }

    /// No answer has come to something that was asked for in [`Composer::take_wants`]; `wait` is what the server asks for.
    pub fn failed(&mut self, request: &Request, wait: Duration, now: Duration) {
        if let Some((_, again)) = self.asked.iter_mut().find(|(asked, _)| asked == request) {
            *again = Some(now + wait.max(ASKED_AGAIN));
        }
    }

    /// The window of a recipient, as asked for by [`Composer::take_wants`].
    pub fn window_is(&mut self, sender_id: i64, phone: &str, window: Window) {
        self.windows.0.retain(|(id, number, _)| (*id, number.as_str()) != (sender_id, phone));
        self.windows.0.push((sender_id, phone.to_owned(), window));
    }

    /// The bottom line.
    pub fn hints(&self, sight: &Sight<'_>) -> String {
        match (&self.stage, &self.page) {
            (Stage::Asking(_), _) => "Esc back   y sends   up and down scroll".to_owned(),
            (Stage::Holding(_), _) => "Esc or u takes it back".to_owned(),
            (_, Page::Template(form)) => form.hints(sight),
            (_, Page::Freeform(freeform)) => freeform.hints(sight, &self.windows).to_owned(),
        }
    }

    /// Draws it and tells where its cursor is.
    pub fn draw(&self, sight: &Sight<'_>, buffer: &mut Buffer) -> Option<Position> {
        let pair = self.page.pair(sight);
        let caution = self.caution(pair.as_ref(), sight);
        let window = self.windows.of(pair.as_ref(), sight);
        let told = Told { window, note: self.note.as_deref(), caution: caution.as_deref() };
        let caret = match &self.page {
            Page::Template(form) => form_draw::draw(form, &told, sight, buffer),
            Page::Freeform(freeform) => freeform.draw(&told, sight, buffer),
        };
        match &self.stage {
            Stage::Asking(asking) => asking.draw(&told, sight, buffer),
            Stage::Holding(holding) => holding.draw(&told, sight, buffer),
            Stage::Writing | Stage::Gone => return caret,
        }
        None
    }
}

#[cfg(test)]
pub(super) mod tests;
