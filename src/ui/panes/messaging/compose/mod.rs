//! From a recipient to a message on its way: the form or the editor, what asks before it is sent, and the seconds in
//! which it can be taken back.

use super::Known;
use crate::messaging::Window;
use crate::records::Keep;
use crate::tasks::{Sending, Work};
use crate::ui::input::{Key, KeyCode};
use crate::ui::message::Moment;
use crate::ui::options::Options;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::time::Duration;

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

/// What came of a key or of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flow {
    /// It goes on.
    Stay,
    /// It was left; nothing is sent.
    Close,
    /// This leaves now, and the composer is done.
    Send(Box<Sending>),
}

/// The composer.
#[derive(Debug, Clone, PartialEq)]
pub struct Composer {
    wanted: Wanted,
    keeps: Vec<Keep>,
}

impl Composer {
    /// The form of a template.
    pub fn template(wanted: Wanted, _sight: &Sight<'_>) -> Self {
        Self { wanted, keeps: Vec::new() }
    }

    /// The editor of a freeform message.
    pub fn freeform(wanted: Wanted, _sight: &Sight<'_>) -> Self {
        Self { wanted, keeps: Vec::new() }
    }

    /// Takes a key.
    pub fn key(&mut self, key: Key, _sight: &Sight<'_>) -> Flow {
        if key.code == KeyCode::Esc { Flow::Close } else { Flow::Stay }
    }

    /// Takes a paste.
    pub fn paste(&mut self, _text: &str, _sight: &Sight<'_>) {}

    /// Takes the time, and what has become known since the last look.
    pub fn tick(&mut self, _sight: &Sight<'_>) -> Flow {
        Flow::Stay
    }

    /// When something changes by itself.
    pub fn next_change(&self, _sight: &Sight<'_>) -> Option<Duration> {
        None
    }

    /// The program is about to stop or to end: what is held is taken back.
    pub fn suspended(&mut self, _sight: &Sight<'_>) {}

    /// The pane is left while the composer stays open: what was typed is kept at once.
    pub fn left_draft(&self) -> bool {
        false
    }

    /// What to keep since the last call: drafts, and values used.
    pub fn take_keeps(&mut self) -> Vec<Keep> {
        std::mem::take(&mut self.keeps)
    }

    /// What it needs to know from the server and does not; each is told once.
    pub fn take_wants(&mut self, _sight: &Sight<'_>) -> Vec<Work> {
        Vec::new()
    }

    /// The window of a recipient, as asked for by [`Composer::take_wants`].
    pub fn window_is(&mut self, _sender_id: i64, _phone: &str, _window: Window) {}

    /// The bottom line.
    pub fn hints(&self) -> String {
        "Esc leaves".to_owned()
    }

    /// Draws it and tells where its cursor is.
    pub fn draw(&self, _sight: &Sight<'_>, _buffer: &mut Buffer) -> Option<Position> {
        None
    }
}

/// Changes what is known as what is kept changes, so that a draft is offered again at once.
pub fn remember(_known: &mut Known, _keep: &Keep) {}
