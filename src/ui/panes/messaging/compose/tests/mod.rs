//! The composer as a person uses it: keys and time in, messages and screens out.

mod drafts;
mod properties;
mod screens;
mod stories;

use super::*;
use crate::api::{Field, Sender, SenderStatus, Template};
use crate::records::{Draft, StorageRequest, Watched};
use crate::tasks::{self, Sending, Task, Work};
use crate::ui::app::App;
use crate::ui::input::{Input, Key};
use crate::ui::message::{Effect, Message};
use crate::ui::overlay::Overlay;
use crate::ui::pane::Context;
use crate::ui::panes::messaging::{Front, Messaging, MessagingSender, WatchedWindow};
use crate::ui::remote::Remote;
use crate::ui::theme::Glyphs;
use jiff::SignedDuration;
use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use serde_json::json;

pub(in crate::ui::panes::messaging) const MARIA: &str = "+5511912345678";
pub(in crate::ui::panes::messaging) const JOERG: &str = "+4915112345678";
const ANA: &str = "+351912345678";

/// When every test begins.
pub(in crate::ui::panes::messaging) fn noon() -> Timestamp {
    "2026-11-21T12:00:00Z".parse().unwrap()
}

fn template(value: serde_json::Value) -> Template {
    serde_json::from_value(value).unwrap()
}

/// Two senders, five templates, four recipients.
pub(in crate::ui::panes::messaging) fn known() -> MessagingData {
    let sender = |id, phone: &str, name: &str, status| MessagingSender {
        id,
        phone: Some(phone.to_owned()),
        name: Some(name.to_owned()),
        status: Some(status),
        added: false,
    };
    let watch = |phone: &str, name: Option<&str>, window| {
        let watched = Watched { sender_id: 1, phone: phone.to_owned(), name: name.map(str::to_owned) };
        WatchedWindow { window: Some(window), ..WatchedWindow::new(watched) }
    };
    let in_minutes = |minutes| noon() + SignedDuration::from_mins(minutes);
    MessagingData {
        senders: vec![
            sender(1, "+14155550100", "Acme Support", SenderStatus::Online),
            sender(2, "+4930901820", "Acme Berlin", SenderStatus::Offline),
        ],
        templates: [(
            1,
            Remote::loaded(
                vec![
                    template(json!({"id": 1, "name": "appointment_reminder", "language": "en", "category": "utility",
                    "status": "approved", "body_text": "Hi {{1}}, see you on {{2}}.",
                    "variables": ["customer_name", "date"], "has_variables": true})),
                    template(json!({"id": 2, "name": "order_update", "language": "en", "category": "utility",
                    "status": "approved", "body_text": "Your order {{1}} is on its way.",
                    "variables": ["order_number"], "has_variables": true})),
                    template(json!({"id": 5, "name": "greeting", "language": "pt_BR", "category": "marketing",
                    "status": "approved", "body_text": "Olá!", "variables": [], "has_variables": false})),
                    template(json!({"id": 3, "name": "login_code", "language": "en", "category": "authentication",
                    "status": "pending", "body_text": "{{1}} is your code.", "variables": ["code"]})),
                    template(json!({"id": 4, "name": "old_promo", "language": "en", "category": "marketing",
                    "status": "rejected", "body_text": "Buy!", "variables": []})),
                ]
                .into(),
            ),
        )]
        .into(),
        windows: vec![
            watch(JOERG, Some("Jörg Brandt"), Window::Open { expires: noon() + SignedDuration::from_secs(461) }),
            watch(MARIA, Some("Maria Souza"), Window::Open { expires: in_minutes(192) }),
            watch(ANA, Some("Ana Lima"), Window::Expired { since: Some(in_minutes(-125)) }),
            watch("+819012345678", None, Window::None),
        ],
        other_windows: std::collections::BTreeMap::new(),
        last_messages: std::collections::BTreeMap::new(),
        drafts: Vec::new(),
        used: Vec::new(),
        balance: Some(241.2),
    }
}

/// A sender as the server lists it.
fn listed(sender: &MessagingSender) -> Sender {
    let field = |text: &Option<String>| text.clone().map_or(Field::Missing, Field::Known);
    Sender {
        id: Field::Known(sender.id),
        phone_number: field(&sender.phone),
        display_name: field(&sender.name),
        status: sender.status.clone().map_or(Field::Missing, Field::Known),
        ..Sender::default()
    }
}

/// The app with the composer open.
pub(in crate::ui::panes::messaging) struct Bench {
    /// What the pane knows; a change counts from the next form on, `learn` at once.
    pub(in crate::ui::panes::messaging) known: MessagingData,
    pub(in crate::ui::panes::messaging) options: Options,
    pub(in crate::ui::panes::messaging) now: Moment,
    /// The size of the body.
    pub(in crate::ui::panes::messaging) size: Size,
    pub(super) app: Option<App>,
    pub(super) sent: Vec<Sending>,
    pub(super) keeps: Vec<StorageRequest>,
    pub(super) edited: Vec<String>,
    pub(super) presses: usize,
}

/// What a bench lets the outbox see; a macro, so that the bench's other fields stay free.
macro_rules! snapshot {
    ($bench:expr) => {
        crate::ui::panes::messaging::compose::Snapshot {
            known: &$bench.known,
            server_now: $bench.now.wall,
            view: crate::ui::pane::View {
                body: Rect::new(0, 0, $bench.size.width, $bench.size.height),
                ..crate::ui::pane::View::plain(&$bench.options, $bench.now, &jiff::tz::TimeZone::UTC)
            },
        }
    };
}
pub(in crate::ui::panes::messaging) use snapshot;

impl Bench {
    /// An empty bench whose body is that of a screen of this size.
    pub(in crate::ui::panes::messaging) fn new(width: u16, height: u16) -> Self {
        Self {
            known: known(),
            options: Options::default(),
            now: Moment { wall: noon(), mono: Instant::after(Duration::from_secs(100)) },
            size: Size { width, height: height - 5 },
            app: None,
            sent: Vec::new(),
            keeps: Vec::new(),
            edited: Vec::new(),
            presses: 0,
        }
    }

    pub(super) fn form(self, preset: Preset) -> Self {
        self.open(preset, false)
    }

    pub(super) fn editor(self, preset: Preset) -> Self {
        self.open(preset, true)
    }

    /// A new app that knows what the last one did.
    fn open(mut self, preset: Preset, freeform: bool) -> Self {
        let mut app = App::new(self.options.clone(), Size { height: self.size.height + 5, ..self.size }, self.now);
        app.update(Message::Zone(jiff::tz::TimeZone::UTC));
        app.update(Message::Task(tasks::Event::Connected {
            base_url: String::new(),
            account: None,
            key_id: None,
            charges: None,
        }));
        app.update(Message::Input(Input::Key(Key::char('3'))));
        self.app = Some(app);
        let known = self.known.clone();
        self.change_pane(|pane, cx| {
            let listed: Vec<_> = known.senders.iter().map(listed).collect();
            pane.senders.remote = Remote::loaded(listed.into());
            pane.data = known;
            pane.open_composer(preset, freeform, cx);
        });
        self
    }

    pub(super) fn change_pane(&mut self, change: impl FnOnce(&mut Messaging, &mut Context)) {
        let effects = self.app.as_mut().unwrap().change_pane(change);
        self.perform(effects);
    }

    /// Something becomes known while the form is open.
    pub(super) fn learn(&mut self, change: impl FnOnce(&mut MessagingData)) {
        self.change_pane(|pane, _| change(&mut pane.data));
    }

    pub(super) fn pane(&self) -> &Messaging {
        (self.app.as_ref().unwrap().pane() as &dyn std::any::Any).downcast_ref().unwrap()
    }

    pub(super) fn composer(&self) -> Option<&Composer> {
        if let Front::Composer(composer, _) = &self.pane().front { Some(composer) } else { None }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.composer().is_none()
    }

    pub(super) fn tell(&mut self, message: Message) {
        let app = self.app.as_mut().unwrap();
        let mut effects = app.update(Message::Tick(self.now));
        effects.extend(app.update(message));
        self.perform(effects);
    }

    fn perform(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Run(tasks::Effect { task: Task::Server(Work::Send(sending)), .. }) => self.sent.push(*sending),
                Effect::Run(tasks::Effect { task: Task::Store(request), .. }) => {
                    if matches!(
                        request,
                        StorageRequest::SaveDraft(_) | StorageRequest::DeleteDraft(_) | StorageRequest::SaveValues(_)
                    ) {
                        self.keeps.push(request);
                    }
                }
                Effect::EditText(text) => self.edited.push(text),
                _ => {}
            }
        }
        self.known = self.pane().data.clone();
    }

    pub(super) fn key(&mut self, key: Key) {
        self.presses += 1;
        self.tell(Message::Input(Input::Key(key)));
    }

    /// Presses keys: names of keys, or texts to type, with blanks between them.
    pub(super) fn press(&mut self, keys: &str) -> &mut Self {
        for part in keys.split(' ') {
            let keys = part.parse::<Key>().map_or_else(|_| part.chars().map(Key::char).collect(), |key| vec![key]);
            for key in keys {
                self.key(key);
            }
        }
        self
    }

    /// Lets time pass, awake at every moment that the app asks for.
    pub(super) fn wait(&mut self, millis: u64) -> &mut Self {
        let end = self.now.mono + Duration::from_millis(millis);
        loop {
            let wake = self.app.as_ref().unwrap().next_wake().filter(|at| *at <= end);
            let step = wake.unwrap_or(end) - self.now.mono;
            self.now = self.now.plus(step);
            let effects = self.app.as_mut().unwrap().update(Message::Tick(self.now));
            self.perform(effects);
            let next = self.app.as_ref().unwrap().next_wake();
            assert!(next.is_none_or(|at| at > self.now.mono), "it would spin: awake at {:?}, next {next:?}", self.now);
            if wake.is_none() {
                return self;
            }
        }
    }

    pub(super) fn paste(&mut self, text: &str) -> &mut Self {
        self.tell(Message::Input(Input::Paste(text.to_owned())));
        self
    }

    /// Up to the answer in the dialog: long enough on screen.
    pub(super) fn confirm(&mut self) -> &mut Self {
        self.wait(500).press("y")
    }

    pub(super) fn is_asking(&self) -> bool {
        let app = self.app.as_ref().unwrap();
        matches!(app.cx.overlays.top(), Some(Overlay::Confirm(_)))
    }

    /// How many messages are held.
    pub(super) fn held(&self) -> usize {
        self.app.as_ref().unwrap().cx.held.len()
    }

    /// The terminal has this size.
    pub(super) fn resize(&mut self, width: u16, height: u16) {
        self.size = Size { width, height: height.saturating_sub(5) };
        self.tell(Message::Resize(Size { width, height }));
    }

    /// The screen without title and tabs, which other panes change.
    pub(super) fn below_tabs(&self) -> String {
        self.screen().lines().skip(3).collect::<Vec<_>>().join("\n")
    }

    pub(super) fn screen(&self) -> String {
        let app = self.app.as_ref().unwrap();
        let mut buffer = Buffer::empty(Rect::from((ratatui::layout::Position::ORIGIN, app.size())));
        let caret = crate::ui::draw(app, &mut buffer);
        assert!(caret.is_none_or(|caret| buffer.area.contains(caret)));
        text(&buffer)
    }
}

/// What a buffer shows.
pub(in crate::ui::panes::messaging) fn text(buffer: &Buffer) -> String {
    let area = buffer.area;
    let row = |y: u16| {
        let mut line = String::new();
        let mut x = area.x;
        while x < area.right() {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += u16::try_from(crate::ui::text::width(symbol).max(1)).unwrap();
        }
        line.trim_end().to_owned()
    };
    (area.y..area.bottom()).map(row).collect::<Vec<_>>().join("\n")
}

pub(in crate::ui::panes::messaging) fn preset(phone: &str, name: &str) -> Preset {
    Preset { sender_id: Some(1), phone: Some(phone.to_owned()), name: Some(name.to_owned()), template_id: None }
}

pub(in crate::ui::panes::messaging) fn ascii(options: Options) -> Options {
    Options { glyphs: &Glyphs::ASCII, ..options }
}

pub(super) fn draft(phone: &str, template_id: Option<i64>, values: &[(&str, &str)], message: Option<&str>) -> Draft {
    Draft {
        sender_id: Some(1),
        phone: phone.to_owned(),
        template_id,
        name: String::new(),
        values: values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        message: message.map(str::to_owned),
        saved: noon() - SignedDuration::from_mins(37),
    }
}
