//! Webhooks received on this machine: a live list, each with its body, and the proof that a webhook works. It goes on
//! while other panes are shown.

mod proof;
mod received;
mod view;

use super::keys;
use super::row::Row;
use crate::api::rules::{self, Fault};
use crate::api::{Rows, Token};
use crate::receiver::{Arrival, DEFAULT_PORT};
use crate::records::Webhook;
use crate::tasks::{Answer, Event, Listening, TaskId};
use crate::ui::options::Place;
use crate::ui::panes::explain;
use crate::ui::prelude::*;
use crate::ui::widgets::list::{Follow, ListState};
use proof::{Proof, Subjected};
use received::Received;
use url::Url;

/// The form that starts the receiver.
pub const START: &str = "listen";
/// The form for the address of a tunnel.
pub const TUNNEL: &str = "tunnel";
/// Limits of the list: rows, and bytes of their bodies.
const KEPT: (usize, usize) = (200, 16 * 1024 * 1024);

/// What the receiver is started with.
#[derive(Debug, Clone, PartialEq, Default)]
struct Setup {
    /// `None` for the default.
    port: Option<u16>,
    forward: Option<Url>,
    secret: Option<Token>,
}

/// The receiver, and what it received.
#[derive(Debug, Clone, PartialEq)]
pub struct Listen {
    list: Browser<Rows<Received>>,
    /// How many were received.
    count: u64,
    setup: Setup,
    /// The URL that is listened on.
    url: Option<String>,
    /// The request that starts or stops the receiver.
    request: Option<TaskId>,
    /// Why it does not listen.
    failed: Option<String>,
    /// The delivery that is forwarded again.
    forwarding: Option<(TaskId, u64)>,
    /// The address under which a live server reaches this machine.
    tunnel: String,
    proof: Option<Proof>,
    /// The details have the focus.
    reading: bool,
    scrolled: usize,
    /// Where the table lies: below the proof, which grows.
    table: Rect,
}

impl Default for Listen {
    fn default() -> Self {
        Self {
            list: Browser { state: ListState::new(Follow::Top), ..Browser::default() },
            count: 0,
            setup: Setup::default(),
            url: None,
            request: None,
            failed: None,
            forwarding: None,
            tunnel: String::new(),
            proof: None,
            reading: false,
            scrolled: 0,
            table: Rect::ZERO,
        }
    }
}

/// What is received on the left, and its details on the right; on a narrow screen one of them.
fn sides(body: Rect, reading: bool) -> [Rect; 2] {
    let [list, details] = super::areas(body, reading);
    if list.is_empty() || details.is_empty() {
        return [list, details];
    }
    // The list needs room for an event, its conversation and its signature.
    let width = body.width * 11 / 20;
    [Rect { width, ..body }, Rect { x: body.x + width, width: body.width - width, ..body }]
}

impl Listen {
    pub fn scopes(&self) -> &'static [Scope] {
        match (self.list.narrowing, self.reading) {
            (true, _) => NARROWING,
            (false, true) => keys::READING_DELIVERY,
            (false, false) => keys::LISTENING,
        }
    }

    /// The reason why an action is unavailable, shown after "Not now: ".
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        let selected = self.list.selected();
        match action {
            Action::TogglePause if self.request.is_some() => Some("the receiver is starting or stopping"),
            Action::Open | Action::CopyAll if selected.is_none() => Some("no delivery is selected"),
            Action::Copy if self.url.is_none() => Some("the receiver is not running"),
            Action::ForwardAgain if self.url.is_none() || self.setup.forward.is_none() => {
                Some("no forward URL is set; x stops, and starting again asks for one")
            }
            Action::ForwardAgain if selected.and_then(Received::delivery).is_none() => Some("no delivery is selected"),
            Action::ForwardAgain if self.forwarding.is_some() => Some("a delivery is being forwarded"),
            Action::Refresh => Some("deliveries appear as they arrive"),
            _ => None,
        }
    }

    pub fn hint(&self, action: Action) -> Option<&'static str> {
        match action {
            Action::TogglePause => Some(if self.url.is_some() { "stop" } else { "start" }),
            Action::Open if self.list.selected().is_some() => Some("read"),
            _ => None,
        }
    }

    /// The URLs under which it receives, each with what it is.
    pub fn urls(&self) -> impl Iterator<Item = (&str, &'static str)> {
        let running = self.url.as_deref();
        let tunnel = Some(self.tunnel.as_str()).filter(|tunnel| !tunnel.is_empty() && running.is_some());
        let tunnel = tunnel.map(|url| (url, "tunnel"));
        tunnel.into_iter().chain(running.map(|url| (url, "listening")))
    }

    /// Progress for the tab line.
    pub fn progress(&self) -> Option<String> {
        self.url.as_ref().map(|_| format!("listening, {} received", self.count))
    }

    // The receiver.

    /// The view is opened: where nothing listens, asks how to.
    pub fn open(&self, cx: &mut Context) {
        if self.url.is_some() || self.request.is_some() {
            return;
        }
        let forward = self.setup.forward.as_ref().map_or("", Url::as_str);
        let port = self.setup.port.unwrap_or(DEFAULT_PORT).to_string();
        let secret = match (&self.setup.secret, &cx.options.place) {
            (_, Place::Sandbox) => "the sandbox's own",
            (Some(_), _) => "as before",
            (None, _) => "none: signatures are not checked",
        };
        let form = Form::new(vec![
            FormField::line("port", "Port", &port).required().hint("0 takes a free one"),
            FormField::line("forward", "Forward to", forward).hint("https://… (optional)"),
            FormField::line("secret", "Signing secret", "").hint(secret),
        ]);
        cx.open(START, FormDialog::new("Receive webhooks on this machine", "listen", form.quick()));
    }

    fn submit_start(&mut self, cx: &mut Context) {
        let read = |form: &Form| {
            let port = form.text_of("port").trim().parse::<u16>();
            let port = port.map_err(|_| vec![Fault::new("port", "The port must be a number from 0 to 65535.")])?;
            let text = form.text_of("forward").trim();
            let forward = if text.is_empty() {
                None
            } else {
                rules::web_url("forward", text).map_err(|fault| vec![fault])?;
                Some(Url::parse(text).map_err(|error| vec![Fault::new("forward", error.to_string())])?)
            };
            let secret = form.text_of("secret").trim();
            Ok((port, forward, (!secret.is_empty()).then(|| Token::new(secret))))
        };
        if let Some((port, forward, secret)) = cx.overlays.submit(START, read) {
            // The sandbox tells its own; one that was typed is not shown again, and stays.
            let before = self.setup.secret.take().filter(|_| cx.options.place != Place::Sandbox);
            let secret = secret.or(before);
            self.setup = Setup { port: Some(port), forward, secret };
            self.start(cx);
        }
    }

    /// Starts the receiver; in a sandbox with its secret.
    fn start(&mut self, cx: &mut Context) {
        self.failed = None;
        let origin = Origin::new(super::ID.0);
        self.request = Some(if self.setup.secret.is_none() && cx.options.place == Place::Sandbox {
            cx.run(origin, Request::GetWebhookSecret)
        } else {
            let Setup { port, forward, secret } = self.setup.clone();
            cx.run(origin, Listening::Start { port: port.unwrap_or(DEFAULT_PORT), secret, forward })
        });
    }

    /// Takes the report of one of its requests; gives any other back.
    pub fn reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let rest = self.take(report, cx);
        self.refresh(cx);
        rest
    }

    fn take(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let report = match &mut self.proof {
            Some(proof) => proof.reply(report, cx)?,
            None => report,
        };
        if self.request == Some(report.id) {
            self.request = None;
            match report.result {
                Ok(Answer::Listening(url)) => {
                    if let (Some(url), Some(proof)) = (&url, &mut self.proof) {
                        proof.listening(url, cx);
                    }
                    self.url = url;
                }
                Ok(answer) => {
                    self.setup.secret = answer.reply(Reply::get_webhook_secret).map(|secret| secret.secret);
                    if self.setup.secret.is_some() {
                        self.start(cx);
                    }
                }
                Err(failure) => {
                    let why = explain(&failure);
                    self.proof.iter_mut().for_each(|proof| proof.fail(format!("{why}. L starts on another port.")));
                    self.failed = Some(why);
                }
            }
            return None;
        }
        match self.forwarding {
            Some((id, number)) if id == report.id => {
                self.forwarding = None;
                self.forwarded(number, report, cx);
                None
            }
            _ => Some(report),
        }
    }

    fn forwarded(&mut self, number: u64, report: Report, cx: &mut Context) {
        let result = match report.result {
            Ok(Answer::Forwarded(result)) => result,
            Ok(_) => return,
            Err(failure) => Err(explain(&failure)),
        };
        match &result {
            Ok(status) => cx.toast(format!("Forwarded again: answered with {status}")),
            Err(why) => cx.problem(format!("Not forwarded: {why}.")),
        }
        if let Some(row) = self.list.source.rows.iter_mut().find(|row| row.number == number) {
            row.again = Some(result);
        }
    }

    pub fn hear(&mut self, event: &Event, cx: &Context) {
        let Event::Arrival(arrival) = event else { return };
        if let (Arrival::Delivery(delivery), Some(proof)) = (arrival, &mut self.proof) {
            proof.received(delivery);
        }
        self.count += 1;
        self.list.source.rows.insert(0, Received { number: self.count, arrival: arrival.clone(), again: None });
        let mut bytes = 0;
        let fits = |row: &Received| {
            bytes += row.delivery().map_or(0, |delivery| delivery.body.len());
            bytes <= KEPT.1
        };
        let kept = self.list.source.rows.iter().take(KEPT.0).map(fits).take_while(|fits| *fits).count();
        self.list.source.rows.truncate(kept.max(1));
        self.refresh(cx);
    }

    // The proof.

    /// Proves the webhook of an assistant, from the start.
    pub fn prove(&mut self, row: &Row, server: &str, cx: &mut Context) {
        if cx.options.place != Place::Sandbox {
            return match &self.url {
                Some(_) => self.ask_tunnel(cx),
                None => self.open(cx),
            };
        }
        self.begin(row, server, None, cx);
        if self.url.is_none() && self.request.is_none() {
            // Any free port does for a server on this machine.
            self.setup.port = self.setup.port.or(Some(0));
            self.start(cx);
        }
    }

    fn begin(&mut self, row: &Row, server: &str, public: Option<String>, cx: &mut Context) {
        let assistant = Subjected {
            id: row.id,
            uuid: row.record.uuid.known().cloned().unwrap_or_default(),
            name: row.name.clone(),
            before: row.switch(Webhook::ConversationEnded).words(&cx.view()),
        };
        let mut proof = Proof::new(assistant, server, public);
        self.reading = false;
        if let Some(url) = &self.url {
            proof.listening(url, cx);
        }
        self.proof = Some(proof);
        self.refresh(cx);
        // What it receives is shown.
        self.list.act(Action::Move(Motion::Top), self.table);
    }

    fn ask_tunnel(&self, cx: &mut Context) {
        let field = FormField::line("webhook_url", "Public URL", &self.tunnel).required();
        let form = Form::new(vec![field.hint("https://… of a tunnel to this machine")]);
        cx.open(TUNNEL, FormDialog::new("Prove the webhook through a tunnel", "switch on", form));
        self.warn(cx);
    }

    /// Says in the form of the tunnel what it is for, and what will be switched.
    pub fn warn(&self, cx: &mut Context) {
        let text = format!(
            "The server cannot reach {}: give the public address of a tunnel to it. Conversation ended of the \
             selected assistant is switched to this address.",
            self.url.as_deref().unwrap_or("this machine")
        );
        if let Some(form) = cx.overlays.form(TUNNEL) {
            drop(form.set_warnings(vec![Fault::new("webhook_url", text)]));
        }
    }

    /// A form of the view was submitted.
    pub fn submit(&mut self, name: &str, row: Option<&Row>, server: &str, cx: &mut Context) {
        if name == START {
            return self.submit_start(cx);
        }
        let read = |form: &Form| {
            let url = form.text_of("webhook_url").trim().to_owned();
            rules::web_url("webhook_url", &url).map(|()| url).map_err(|fault| vec![fault])
        };
        if let (Some(url), Some(row)) = (cx.overlays.submit(TUNNEL, read), row) {
            self.tunnel.clone_from(&url);
            self.begin(row, server, Some(url), cx);
        }
    }

    pub fn tick(&mut self, cx: &mut Context) {
        if let Some(proof) = &mut self.proof {
            proof.tick(cx);
        }
    }

    pub fn next_change(&self) -> Option<Instant> {
        self.proof.as_ref().and_then(Proof::next_change)
    }
}
