//! What a pane is, what it may use while it handles a message, and what it sees while it draws.

use super::action::{Action, PaneId, Scope};
use super::app::Connection;
use super::data::Data;
use super::health::Freshness;
use super::held::{HeldSend, Hold, OnItsWay};
use super::input::{Input, Mouse};
use super::links::Links;
use super::message::{Effect, Instant, Moment};
use super::notices::Notices;
use super::options::{Options, Place};
use super::overlay::{Layer, Overlay, OverlayEvent, Overlays};
use super::panes::explain;
use super::route::Route;
use super::widgets::browser::List;
use crate::api::rules::Fault;
use crate::client::{Failure, FailureKind};
use crate::records::{Intent, StorageRequest};
use crate::tasks::{self, Origin, Report, Sending, Task, TaskId, Work};
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use std::any::Any;
use std::fmt;
use uuid::Uuid;

static UTC: TimeZone = TimeZone::UTC;

/// One of the dashboard's views: a tab with its own state, keys and drawing. A pane knows no other pane: it goes places
/// by a [`Route`] and shares what it learns through the context.
pub trait Pane: PaneObject + fmt::Debug + Send {
    /// The scopes whose keys hold now, the narrowest first.
    fn scopes(&self) -> &'static [Scope];

    /// Why an action cannot be done now, to be read after "Not now: "; `None` where it can.
    fn disabled(&self, _action: Action, _view: &View<'_>) -> Option<&'static str> {
        None
    }

    /// What the bottom line says of an action in place of its binding's hint.
    fn hint(&self, _action: Action) -> Option<&'static str> {
        None
    }

    /// True while letters are text.
    fn takes_text(&self) -> bool {
        self.scopes().contains(&Scope::TEXT)
    }

    /// The list that takes text, clicks and the wheel where the pane does not, and where its table lies in this body.
    fn list(&mut self, _body: Rect) -> Option<(&mut dyn List, Rect)> {
        None
    }

    /// The program starts; nothing has been drawn yet.
    fn start(&mut self, _cx: &mut Context) {}

    /// The pane comes on screen, or leaves it, whereupon drafts are saved.
    fn show(&mut self, _shown: bool, _cx: &mut Context) {}

    /// Somebody wants to be taken here.
    fn route(&mut self, _route: Route, _cx: &mut Context) {}

    /// Does what a key, the palette or a click means.
    fn act(&mut self, action: Action, cx: &mut Context);

    /// Takes a typed character or a paste, while the pane takes text.
    fn text(&mut self, input: &Input, cx: &mut Context) {
        if let Some((list, area)) = self.list(cx.body) {
            list.text(input, area);
        }
    }

    /// Takes a click or a turn of the wheel inside the body. The returned action is done as if its key were pressed.
    fn mouse(&mut self, mouse: Mouse, cx: &mut Context) -> Option<Action> {
        let (list, area) = self.list(cx.body)?;
        list.mouse(mouse, &cx.view(), area)
    }

    /// An overlay that the pane opened was submitted, changed or closed.
    fn overlay(&mut self, _event: OverlayEvent, _cx: &mut Context) {}

    /// The shared data has changed.
    fn data_changed(&mut self, _cx: &mut Context) {}

    /// Takes the one result of an effect of this pane.
    fn reply(&mut self, _report: Report, _cx: &mut Context) {}

    /// Hears what the task channel tells, whoever asked.
    fn hear(&mut self, _event: &tasks::Event, _cx: &mut Context) {}

    /// The body has another size.
    fn resize(&mut self, cx: &mut Context) {
        if let Some((list, area)) = self.list(cx.body) {
            list.refresh(&cx.view(), area);
        }
    }

    /// True where the pane itself holds something that was confirmed and has not begun.
    fn holds(&self) -> bool {
        false
    }

    /// Takes that back.
    fn take_back(&mut self, _cx: &mut Context) {}

    /// The program stops for a while, or ends: drafts are saved, and what is held is taken back.
    fn put_aside(&mut self, _cx: &mut Context) {}

    /// Does what is due.
    fn tick(&mut self, _cx: &mut Context) {}

    /// When something is due, or changes on screen by itself (the latter only while `view.shown`).
    fn next_change(&self, _view: &View<'_>) -> Option<Instant> {
        None
    }

    /// How fresh the shown data is; `None` where the pane shows none of the server's.
    fn freshness(&self) -> Option<Freshness<'_>> {
        None
    }

    /// What goes on here also while the pane is not on screen, for the tab line.
    fn progress(&self) -> Option<String> {
        None
    }

    /// What quitting would interrupt, as a sentence; quitting asks first.
    fn interrupts(&self) -> Option<&'static str> {
        None
    }

    /// The hold of a message of this pane has ended: it is checked again and sent.
    fn depart(&mut self, _held: HeldSend, _cx: &mut Context) {}

    /// The held message that is taken back next, where one is selected; `None` for the newest.
    fn selected_hold(&self) -> Option<Uuid> {
        None
    }

    /// A person has taken a held message of this pane back: nothing left.
    fn taken_back(&mut self, _held: &HeldSend, _cx: &mut Context) {}

    /// What the signs mean that the pane draws now, for the help.
    fn signs(&self, _options: &Options) -> Vec<Sign> {
        Vec::new()
    }

    /// The text of the focused field comes back from `$EDITOR`.
    fn edited(&mut self, _text: &str, _cx: &mut Context) {}

    /// Draws the pane into `view.body`. Returns where the cursor stands, if anywhere.
    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position>;
}

/// A sign that a pane draws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sign {
    /// How it is drawn.
    pub glyph: &'static str,
    /// In which style.
    pub style: Style,
    /// What it means.
    pub says: &'static str,
}

/// Lets panes be cloned and compared behind a `Box`; every `Pane` that is `Clone` and `PartialEq` has it.
pub trait PaneObject: Any {
    /// A copy of the pane.
    fn boxed(&self) -> Box<dyn Pane>;
    /// True where the other is the same pane in the same state.
    fn equals(&self, other: &dyn Any) -> bool;
}

impl<T: Pane + Clone + PartialEq + 'static> PaneObject for T {
    fn boxed(&self) -> Box<dyn Pane> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Any) -> bool {
        other.downcast_ref::<T>() == Some(self)
    }
}

impl Clone for Box<dyn Pane> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

impl PartialEq for Box<dyn Pane> {
    fn eq(&self, other: &Self) -> bool {
        (**self).equals(&**other)
    }
}

/// Where requests leave from: the effects of the message that is handled, and the task ids in use.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tasks {
    /// What is to be done outside the interface.
    pub effects: Vec<Effect>,
    /// The last task id that was given out.
    last_id: u64,
    /// Messages to customers that have no outcome yet.
    pub sends: Vec<OnItsWay>,
    /// True while an outcome is not on disk.
    pub unwritten: bool,
    /// True while a message is handled that no person caused: a tick, or the result of a request.
    pub automatic: bool,
}

impl Tasks {
    /// Hands a request or a use of storage to the task channel.
    pub fn run(&mut self, origin: Origin, task: impl Into<Task>) -> TaskId {
        self.last_id += 1;
        let id = TaskId(self.last_id);
        let origin = Origin { automatic: origin.automatic || self.automatic, ..origin };
        let effect = tasks::Effect::new(id, origin, task);
        if let Task::Server(Work::Send(sending)) = &effect.task {
            self.sends.push(OnItsWay::new(id, sending));
        }
        self.effects.push(Effect::Run(effect));
        id
    }
}

/// Who stores what is held; nobody waits for the answers, for nothing leaves where it cannot be recorded.
const HELD: &str = "held";

/// What the panes share. The app owns it and lends it to the pane that handles a message.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Context {
    /// Now.
    pub now: Moment,
    /// The settings.
    pub options: Options,
    /// The user's time zone; `None` until the system has told it.
    pub zone: Option<TimeZone>,
    /// What is known about the server.
    pub connection: Connection,
    /// How many connections there have been: what is confirmed with one does not leave for the account of another.
    pub connections: usize,
    /// Where the pane is drawn.
    pub body: Rect,
    /// True while the pane is on screen.
    pub shown: bool,
    /// Whose message is handled.
    pub pane: PaneId,
    /// The pane that was on screen before the one that is.
    pub previous: PaneId,
    /// Where requests and other effects go.
    pub tasks: Tasks,
    /// Where toasts and problems go.
    pub notices: Notices,
    /// What several panes need of the server.
    pub data: Data,
    /// What stands in front of the panes.
    pub overlays: Overlays,
    /// What is known about the hosts of addresses.
    pub links: Links,
    /// The messages that wait to leave, the oldest first.
    pub held: Vec<HeldSend>,
    /// Where to go once the message is handled.
    pub route: Option<Route>,
}

impl Context {
    /// Hands a request or a use of storage to the task channel.
    pub fn run(&mut self, origin: Origin, task: impl Into<Task>) -> TaskId {
        self.tasks.run(origin, task)
    }

    /// Gives up on a request: its reply is no longer wanted.
    pub fn cancel(&mut self, id: TaskId) {
        self.push(Effect::Cancel(id));
    }

    /// Asks for an effect outside the interface.
    pub fn push(&mut self, effect: Effect) {
        self.tasks.effects.push(effect);
    }

    /// Shows a toast.
    pub fn toast(&mut self, text: impl Into<String>) {
        self.notices.toast(text, self.now);
    }

    /// Shows a problem until it has been read.
    pub fn problem(&mut self, text: impl Into<String>) {
        self.notices.problem(text, self.now);
    }

    /// Hands a text to the terminal's clipboard, where there is one, and says so; `what` begins the sentence.
    pub fn copy(&mut self, what: &str, text: impl Into<Option<String>>) {
        if let Some(text) = text.into() {
            self.push(Effect::Copy(text));
            self.toast(format!("{what} copied to the clipboard"));
        }
    }

    /// Opens an overlay. Its events come back to this pane under `name`.
    pub fn open(&mut self, name: &'static str, overlay: impl Into<Overlay>) {
        self.overlays.layers.push(Layer { owner: Some(self.pane), name, overlay: overlay.into() });
    }

    /// Says that a write failed: "The key nightly was not created: …". What the server refused stands below the fields
    /// of the form of this name, what failed on this machine below the field with the focus.
    pub fn write_failed(&mut self, form: &str, what: &str, done: &str, failure: &Failure) {
        let why = explain(failure);
        if failure.kind.is_unclear() {
            self.overlays.close(form);
            let text = format!("Unknown whether the {what} was {done}: {why}. Check the list.");
            return self.notices.urgent(text, self.now);
        }
        let refused = self.overlays.form(form).is_some_and(|form| {
            let faults = match &failure.kind {
                FailureKind::Status { body: Some(body), .. } => {
                    body.field_errors().map(|(field, text)| Fault::new(field.to_owned(), text)).collect()
                }
                FailureKind::Local(_) => vec![Fault::new(form.focused().to_owned(), format!("{why}."))],
                _ => Vec::new(),
            };
            !faults.is_empty() && form.set_refused(faults).is_empty()
        });
        if !refused {
            self.problem(format!("The {what} was not {done}: {why}."));
        }
    }

    /// Holds a confirmed message for as long as the settings say; then [`Pane::depart`] sends it. `text` is what the
    /// recipient reads, `who` the recipient for people.
    pub fn hold(&mut self, sending: Sending, text: String, who: String) {
        let sending = Sending { connection: Some(self.connections), ..sending };
        let hold = Hold::new(self.now.plus(self.options.settings.messaging.hold));
        // So that it is told at the next start, should the program die.
        self.run(Origin::new(HELD), StorageRequest::Hold(Box::new(Intent { text: None, ..sending.intent.clone() })));
        self.held.push(HeldSend { sending: Box::new(sending), text, who, owner: self.pane, hold });
    }

    /// A message was taken back, or is known not to have left.
    pub fn let_go(&mut self, held: &HeldSend) {
        self.run(Origin::new(HELD), StorageRequest::LetGo(held.sending.intent.id));
    }

    /// Goes to another place once this message is handled.
    pub fn go(&mut self, route: Route) {
        self.route = Some(route);
    }

    /// True once there is a server.
    pub fn is_connected(&self) -> bool {
        matches!(self.connection, Connection::Up { .. })
    }

    /// What drawing would see now.
    pub fn view(&self) -> View<'_> {
        View {
            options: &self.options,
            now: self.now,
            zone: self.zone.as_ref().unwrap_or(&UTC),
            connection: &self.connection,
            data: &self.data,
            body: self.body,
            shown: self.shown,
            titled: self.body.y > 0,
        }
    }
}

/// What a pane sees while it draws.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The settings.
    pub options: &'a Options,
    /// Now.
    pub now: Moment,
    /// The user's time zone; UTC until the system has told it.
    pub zone: &'a TimeZone,
    /// What is known about the server.
    pub connection: &'a Connection,
    /// What several panes need of the server.
    pub data: &'a Data,
    /// Where the pane is drawn.
    pub body: Rect,
    /// True where the pane is on screen.
    pub shown: bool,
    /// True where the title line tells how the connection is.
    pub titled: bool,
}

impl View<'_> {
    /// A view of a connected app, for the tests of widgets.
    #[cfg(test)]
    pub fn plain<'a>(options: &'a Options, now: Moment, zone: &'a TimeZone) -> View<'a> {
        const UP: &Connection = &Connection::Up { account: None };
        static DATA: std::sync::LazyLock<Data> = std::sync::LazyLock::new(Data::default);
        let body = Rect::new(0, 0, 80, 24);
        View { options, now, zone, connection: UP, data: &DATA, body, shown: true, titled: true }
    }

    /// The first key of an action in these scopes with what follows it, such as " retries"; empty where it has none.
    pub fn key(&self, scopes: &[Scope], action: Action, then: &str) -> String {
        let key = self.options.keymap.first_key(scopes, action);
        key.map(|key| format!("{key}{then}")).unwrap_or_default()
    }

    /// Why no request can leave yet, or ever; `None` once there is a server.
    pub fn unconnected(&self) -> Option<&str> {
        match self.connection {
            Connection::Starting => Some(match self.options.place {
                Place::Sandbox => "The sandbox is starting.",
                Place::Profile(_) => "Connecting.",
            }),
            Connection::Down(reason) => Some(reason),
            Connection::Up { .. } => None,
        }
    }
}
