//! The composer as a person uses it: keys and time in, messages and screens out.

mod drafts;
mod properties;
mod screens;
mod stories;

use super::*;
use crate::api::{SenderStatus, Template};
use crate::records::Draft;
use crate::ui::panes::messaging::{KnownSender, Watch};
use crate::ui::theme::Glyphs;
use jiff::SignedDuration;
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
pub(in crate::ui::panes::messaging) fn known() -> Known {
    let sender = |id, phone: &str, name: &str, status| KnownSender {
        id,
        phone: Some(phone.to_owned()),
        name: Some(name.to_owned()),
        status: Some(status),
        added: false,
    };
    let watch = |phone: &str, name: Option<&str>, window| Watch {
        sender_id: 1,
        phone: phone.to_owned(),
        name: name.map(str::to_owned),
        window: Some(window),
    };
    let in_minutes = |minutes| noon() + SignedDuration::from_mins(minutes);
    Known {
        senders: vec![
            sender(1, "+14155550100", "Acme Support", SenderStatus::Online),
            sender(2, "+4930901820", "Acme Berlin", SenderStatus::Offline),
        ],
        templates: [(
            1,
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
            ],
        )]
        .into(),
        windows: vec![
            watch(JOERG, Some("Jörg Brandt"), Window::Open { expires: noon() + SignedDuration::from_secs(461) }),
            watch(MARIA, Some("Maria Souza"), Window::Open { expires: in_minutes(192) }),
            watch(ANA, Some("Ana Lima"), Window::Expired { since: Some(in_minutes(-125)) }),
            watch("+819012345678", None, Window::None),
        ],
        drafts: Vec::new(),
        used: Vec::new(),
        balance: Some(241.2),
    }
}

/// A composer with everything around it.
pub(in crate::ui::panes::messaging) struct Bench {
    pub(in crate::ui::panes::messaging) known: Known,
    pub(in crate::ui::panes::messaging) options: Options,
    pub(in crate::ui::panes::messaging) now: Moment,
    pub(in crate::ui::panes::messaging) size: Size,
    pub(super) composer: Option<Composer>,
    pub(super) sent: Vec<Sending>,
    pub(super) closed: bool,
    pub(super) keeps: Vec<StorageRequest>,
    pub(super) presses: usize,
}

/// What a bench lets a composer see; a macro, so that the bench's other fields stay free.
macro_rules! sight {
    ($bench:expr) => {
        Sight {
            known: &$bench.known,
            options: &$bench.options,
            zone: &TimeZone::UTC,
            now: $bench.now,
            server_now: $bench.now.wall,
            body: Rect::new(0, 0, $bench.size.width, $bench.size.height),
        }
    };
}
pub(in crate::ui::panes::messaging) use sight;

impl Bench {
    /// An empty bench whose body is that of a screen of this size.
    pub(in crate::ui::panes::messaging) fn new(width: u16, height: u16) -> Self {
        Self {
            known: known(),
            options: Options::default(),
            now: Moment { wall: noon(), mono: Duration::from_secs(100) },
            size: Size { width, height: height - 5 },
            composer: None,
            sent: Vec::new(),
            closed: false,
            keeps: Vec::new(),
            presses: 0,
        }
    }

    pub(super) fn form(mut self, wanted: Wanted) -> Self {
        self.composer = Some(Composer::template(wanted, &sight!(self)));
        self.closed = false;
        self
    }

    pub(super) fn editor(mut self, wanted: Wanted) -> Self {
        self.composer = Some(Composer::freeform(wanted, &sight!(self)));
        self.closed = false;
        self
    }

    fn flow(&mut self, flow: Flow) {
        let keeps = self.composer.as_mut().unwrap().take_keeps();
        for keep in &keeps {
            remember(&mut self.known, keep);
        }
        self.keeps.extend(keeps);
        match flow {
            Flow::Stay => {}
            Flow::Close => self.closed = true,
            Flow::Send(sending) => self.sent.push(*sending),
        }
    }

    pub(super) fn key(&mut self, key: Key) {
        self.presses += 1;
        let flow = self.composer.as_mut().unwrap().key(key, &sight!(self));
        self.flow(flow);
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

    /// Lets time pass, awake at every moment that the composer asks for.
    pub(super) fn wait(&mut self, millis: u64) -> &mut Self {
        let end = self.now.mono + Duration::from_millis(millis);
        loop {
            let next = self.composer.as_ref().unwrap().next_change(&sight!(self)).unwrap_or(Duration::MAX);
            let next = next.clamp(self.now.mono, end);
            self.now = self.now.plus(next.saturating_sub(self.now.mono));
            let before = self.composer.clone();
            let flow = self.composer.as_mut().unwrap().tick(&sight!(self));
            self.flow(flow);
            if self.now.mono >= end {
                return self;
            }
            if self.composer == before {
                // Something on screen has counted on; the next moment is later.
                self.now = self.now.plus(Duration::from_millis(1));
            }
        }
    }

    pub(super) fn paste(&mut self, text: &str) -> &mut Self {
        self.composer.as_mut().unwrap().paste(text, &sight!(self));
        self.flow(Flow::Stay);
        self
    }

    /// Up to the answer in the box: long enough on screen.
    pub(super) fn confirm(&mut self) -> &mut Self {
        self.wait(500).press("y")
    }

    pub(super) fn is_asking(&self) -> bool {
        matches!(self.composer.as_ref().unwrap().stage, Stage::Asking(_))
    }

    pub(super) fn screen(&self) -> String {
        let area = Rect::new(0, 0, self.size.width, self.size.height);
        let mut buffer = Buffer::empty(area);
        let composer = self.composer.as_ref().unwrap();
        let caret = composer.draw(&sight!(self), &mut buffer);
        assert!(caret.is_none_or(|caret| area.contains(caret)));
        format!("{}\n{}", text(&buffer), composer.hints(&sight!(self)))
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

pub(in crate::ui::panes::messaging) fn wanted(phone: &str, name: &str) -> Wanted {
    Wanted { sender_id: Some(1), phone: Some(phone.to_owned()), name: Some(name.to_owned()), template_id: None }
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
