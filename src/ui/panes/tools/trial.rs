//! Trying a tool: its request is sent from this machine with values that are typed for its parameters.

use super::row::Row;
use super::{Front, Tools, areas, curl, keys};
use crate::api::rules::{self, Fault};
use crate::api::tool::{ParameterType, TIMEOUT_DEFAULT};
use crate::api::{Rows, Tool, ToolMethod};
use crate::client::{Trial, TrialAnswer, Tried};
use crate::tasks::{Answer, TaskId};
use crate::ui::ages::{to_the_second, took};
use crate::ui::hosts::{self, Reach};
use crate::ui::layout;
use crate::ui::prelude::*;
use crate::ui::widgets::confirm::Confirm;
use crate::ui::widgets::json;
use jiff::Timestamp;
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use url::Url;

/// The form of the values, and the dialog before the request leaves.
const FORM: &str = "try tool";
const CONFIRM: &str = "send trial";
/// Tries that are kept.
const KEPT: usize = 10;
/// Cells for labels.
const LABEL: usize = 10;

/// A trial that is about to be sent, or is in flight.
#[derive(Debug, Clone, PartialEq)]
struct Ready {
    tool: (i64, String),
    /// What was typed for each parameter, by name.
    values: Vec<(String, String)>,
    trial: Trial,
}

/// A trial that was sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Try {
    /// Counted from 1.
    number: u64,
    ready: Ready,
    /// When its outcome was known.
    at: Timestamp,
    tried: Tried,
}

/// What was tried since the program started.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trials {
    /// Newest first.
    pub list: Browser<Rows<Try>>,
    /// What the dialog asks about.
    ready: Option<Ready>,
    /// What is in flight.
    pending: Option<(TaskId, Ready, Instant)>,
    /// The tool that the form is of.
    tool: Option<(i64, String, Tool)>,
    /// The inspector has the focus.
    pub reading: bool,
    scrolled: usize,
    sent: u64,
}

impl Try {
    fn status(&self) -> String {
        self.tried.answer.as_ref().map_or_else(|_| "no answer".to_owned(), |answer| answer.status.to_string())
    }

    fn style(&self, view: &View<'_>) -> Style {
        let theme = &view.options.theme;
        match &self.tried.answer {
            Ok(answer) if answer.status < 300 => theme.good,
            Ok(answer) if answer.status < 400 => theme.warning,
            _ => theme.failed,
        }
    }

    fn size(&self) -> usize {
        self.tried.answer.as_ref().map_or(0, |answer| answer.body.len())
    }

    /// All of it, with the body as coloured JSON.
    fn details(&self, columns: usize, view: &View<'_>) -> Details {
        let (theme, Ready { tool, values, trial }) = (&view.options.theme, &self.ready);
        let mut details = Details::new(LABEL)
            .section(&tool.1)
            .wrapped("Request", format!("{} {}", trial.method.as_str(), trial.url))
            .field("Sent", to_the_second(self.at, view.zone));
        for (name, value) in values.iter().filter(|(_, value)| !value.is_empty()) {
            details = details.wrapped(name, value);
        }
        let answered = match &self.tried.answer {
            Ok(answer) => answer.status_line.clone(),
            Err(why) => why.clone(),
        };
        details = details.section("Answer").wrapped("Status", answered).styled(self.style(view));
        details = details.field("Time", format!("{} of {} s", took(self.tried.took), trial.timeout));
        let Ok(answer) = &self.tried.answer else { return details };
        if (300..400).contains(&answer.status) {
            details = details.text("A redirect is not followed.").styled(theme.dim);
        }
        details = details.section("Headers");
        for (name, value) in &answer.headers {
            details = details.text(format!("{name}: {value}"));
        }
        body(details.section("Body"), answer, columns, view)
    }
}

fn body(details: Details, answer: &TrialAnswer, columns: usize, view: &View<'_>) -> Details {
    let theme = &view.options.theme;
    let details = if answer.body.is_empty() {
        details.text("empty").styled(theme.dim)
    } else if serde_json::from_str::<&RawValue>(&answer.body).is_ok() {
        details.lines(json::lines(&answer.body, theme, columns))
    } else {
        details.text(&answer.body)
    };
    if answer.is_cut { details.text("Cut: only the first 256 KiB were read.").styled(theme.warning) } else { details }
}

impl Record for Try {
    type Id = u64;
    const NAME: &'static str = "try";
    const COLUMNS: &'static [Column<Self>] = &[
        Column::new("SENT", Width::Content { min: 8, max: 8 }, 0, |one, view| {
            Cell::text(to_the_second(one.at, view.zone))
        }),
        text_column!("TOOL", Width::Fill(12), 0, Some(0), |one| one.ready.tool.1.as_str()),
        Column::new("STATUS", Width::Content { min: 9, max: 9 }, 0, |one, view| {
            Cell::text(one.status()).style(one.style(view))
        }),
        Column {
            right: true,
            ..Column::new("TIME", Width::Content { min: 6, max: 8 }, 1, |one, _| Cell::whole(took(one.tried.took)))
        },
        number_column!("BYTES", 2, |one| one.size()),
    ];

    fn id(&self) -> u64 {
        self.number
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        vec![self.ready.tool.1.as_str().into()]
    }
}

/// The request of a tool with these values; what is wrong with a value stands below its field.
fn request(tool: &Tool, values: &[(String, String)]) -> Result<Trial, Vec<Fault>> {
    let mut url = tool.endpoint.known().and_then(|url| Url::parse(url).ok()).ok_or_else(Vec::new)?;
    let method = tool.method.known().cloned().unwrap_or(ToolMethod::Get);
    let (mut body, mut faults) = (Map::new(), Vec::new());
    let schema = tool.schema.known().into_iter().flatten();
    for (at, (one, (_, text))) in schema.zip(values).enumerate().filter(|(_, (_, (_, text)))| !text.is_empty()) {
        let value = match one.kind {
            ParameterType::Number => serde_json::from_str(text.trim()).ok().filter(Json::is_number),
            ParameterType::Boolean => Some((text == "true").into()),
            _ => Some(text.as_str().into()),
        };
        match value {
            Some(value) => drop(body.insert(one.name.clone(), value)),
            None => faults.push(rules::must_be(format!("value.{at}"), "a number")),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let in_query = curl::in_query(&method);
    if in_query {
        for (name, value) in &body {
            url.query_pairs_mut().append_pair(name, &crate::ui::text::json_text(value));
        }
    }
    let timeout = tool.timeout.known().copied().unwrap_or(TIMEOUT_DEFAULT).unsigned_abs();
    let headers = tool.headers.known().cloned().unwrap_or_default();
    let body = (!in_query && !body.is_empty()).then(|| Json::Object(body).to_string());
    Ok(Trial { method, url, headers, body, timeout })
}

/// What is asked before the request leaves.
fn question(ready: &Ready, view: &View<'_>) -> (String, Details) {
    let (trial, theme) = (&ready.trial, &view.options.theme);
    let (host, reach) = hosts::host(&trial.url).unwrap_or_else(|| (String::new(), Reach::Public));
    let mut details = Details::new(LABEL)
        .field("Host", &host)
        .styled(theme.strong)
        .wrapped("Request", format!("{} {}", trial.method.as_str(), trial.url));
    for header in &trial.headers {
        details = details.wrapped("Header", format!("{}: {}", header.name, header.shown(false)));
    }
    if let Some(body) = &trial.body {
        details = details.section("Body").lines(json::lines(body, theme, 64));
    }
    details = details.text("");
    if trial.url.scheme() == "http" && reach != Reach::Own {
        details = details.text("http is not encrypted: others on the way can read it.").styled(theme.warning);
    }
    details = match reach {
        Reach::Own => {
            details.text("This is the machine you sit at: the platform cannot reach it.").styled(theme.warning)
        }
        Reach::Private => {
            details.text("This is a private host: the platform can probably not reach it.").styled(theme.warning)
        }
        Reach::Public => details,
    };
    let words = "It is sent from this machine. The platform's own network may differ.";
    (format!("Send this request to {host}?"), details.text(words).styled(theme.dim))
}

impl Tools {
    /// Why the selected tool cannot be tried.
    pub(super) fn cannot_try(&self, row: &Row, view: &View<'_>) -> Option<&'static str> {
        let reads = row.tool.method.known() == Some(&ToolMethod::Get);
        match () {
            () if row.tool.id.known().is_none() => Some("the tool is not loaded"),
            () if self.trials.pending.is_some() => Some("a try is in flight"),
            () if view.options.read_only && !reads => Some("this is read-only, and the tool does not use GET"),
            () => None,
        }
    }

    /// Asks for the values of the parameters; of a tool that was tried before with those of then.
    pub(super) fn open_try(&mut self, (id, name, tool): (i64, String, Tool), cx: &mut Context) {
        let earlier = self.trials.list.source.iter().find(|one| one.ready.tool.0 == id);
        let earlier = earlier.map(|one| one.ready.values.clone()).unwrap_or_default();
        let field = |(at, one): (usize, &crate::api::ToolParameter)| {
            let path = format!("value.{at}");
            let typed = earlier.iter().find(|(known, _)| *known == one.name).map_or("", |(_, value)| value);
            match one.kind {
                ParameterType::Boolean => {
                    let items = [("", "left out"), ("true", "true"), ("false", "false")];
                    let items = items.map(|(key, name)| Value::new(key, name)).to_vec();
                    FormField::choice(&path, &one.name, items, typed)
                }
                _ => FormField::line(&path, &one.name, typed).hint(clean(&one.description)),
            }
        };
        let fields: Vec<_> = tool.schema.known().into_iter().flatten().enumerate().map(field).collect();
        let has_none = fields.is_empty();
        self.trials.tool = Some((id, name.clone(), tool));
        if has_none {
            return self.ask(Vec::new(), cx);
        }
        let mut dialog = FormDialog::new(format!("Try {name}"), "review", Form::new(fields));
        dialog.about = Details::default().text("What is empty is left out.").styled(cx.options.theme.dim);
        cx.open(FORM, dialog);
    }

    /// Asks whether the request is to leave with these values.
    fn ask(&mut self, values: Vec<(String, String)>, cx: &mut Context) {
        let Some((id, name, tool)) = &self.trials.tool else { return };
        match request(tool, &values) {
            Ok(trial) => {
                let is_read = trial.is_read();
                let ready = Ready { tool: (*id, name.clone()), values, trial };
                let (title, details) = question(&ready, &cx.view());
                let confirm = Confirm::new(title, details, "send");
                self.trials.ready = Some(ready);
                cx.overlays.close(FORM);
                cx.open(CONFIRM, if is_read { confirm.reads() } else { confirm });
            }
            Err(faults) => match cx.overlays.form(FORM) {
                Some(form) if !faults.is_empty() => drop(form.set_refused(faults)),
                _ => cx.problem("The endpoint of the tool is not a URL."),
            },
        }
    }

    /// A dialog was answered.
    pub(super) fn try_overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        match event {
            OverlayEvent::Submitted(FORM) => {
                let Some(form) = cx.overlays.form(FORM) else { return };
                let typed = form.values();
                let schema = self.trials.tool.as_ref().and_then(|(.., tool)| tool.schema.known());
                let names = schema.into_iter().flatten().map(|one| one.name.clone());
                let values = names.zip(typed).map(|(name, (_, value))| (name, value)).collect();
                self.ask(values, cx);
            }
            OverlayEvent::Confirmed(CONFIRM) => {
                let Some(ready) = self.trials.ready.take() else { return };
                let task = cx.run(Origin::new(cx.pane.0), ready.trial.clone());
                self.trials.pending = Some((task, ready, cx.now.mono));
                (self.front, self.trials.reading) = (Front::Tries, false);
            }
            OverlayEvent::Cancelled(CONFIRM) => self.trials.ready = None,
            _ => {}
        }
    }

    /// Takes the outcome of the try in flight; any other report comes back.
    pub(super) fn try_reply(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        let trials = &mut self.trials;
        let Some((_, ready, _)) = trials.pending.take_if(|(task, ..)| *task == report.id) else { return Some(report) };
        match report.result {
            Ok(Answer::Tried(tried)) => {
                trials.sent += 1;
                let one = Try { number: trials.sent, ready, at: cx.now.wall, tried: *tried };
                trials.list.source.rows.insert(0, one);
                trials.list.source.rows.truncate(KEPT);
                let area = below_first(areas(cx.body, false)[0]);
                trials.list.refresh(&cx.view(), area);
                trials.list.state.select(trials.sent, crate::ui::widgets::table::height(area));
                trials.scrolled = 0;
            }
            Ok(_) => {}
            Err(failure) => cx.problem(format!("{}: the outcome is unknown: {}.", ready.tool.1, explain(&failure))),
        }
        None
    }

    /// What a key does among the tries.
    pub(super) fn act_in_tries(&mut self, action: Action, cx: &mut Context) {
        let trials = &mut self.trials;
        match action {
            Action::Move(motion) if trials.reading => {
                let area = layout::inspector_text(areas(cx.body, true)[1], cx.body);
                if let Some(one) = trials.list.selected() {
                    let details = one.details(area.width.into(), &cx.view());
                    trials.scrolled = details.scroll(trials.scrolled, motion, &cx.options, area);
                }
            }
            Action::Back if trials.reading => trials.reading = false,
            Action::Back => self.front = Front::List,
            Action::Open => trials.reading = trials.list.selected().is_some(),
            Action::CopyAll => {
                let answer = trials.list.selected().and_then(|one| one.tried.answer.as_ref().ok());
                cx.copy("Body", answer.map(|answer| answer.body.clone()));
            }
            Action::Try => {
                let id = trials.list.selected().map(|one| one.ready.tool.0);
                let row = self.list.source.iter().find(|row| Some(row.id) == id);
                match row.map(|row| (row.id, row.name.clone(), row.tool.clone())) {
                    Some(tool) => self.open_try(tool, cx),
                    None => cx.toast("This tool does not exist any more"),
                }
            }
            action => {
                trials.list.act(action, below_first(areas(cx.body, false)[0]));
                trials.scrolled = 0;
            }
        }
    }

    pub(super) fn disabled_in_tries(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        let selected = self.trials.list.selected();
        match action {
            Action::Open | Action::CopyAll | Action::Try if selected.is_none() => Some("nothing was tried yet"),
            Action::CopyAll if selected.is_some_and(|one| one.size() == 0) => Some("the answer has no body"),
            Action::Try => {
                let id = selected.map(|one| one.ready.tool.0);
                self.list.source.iter().find(|row| Some(row.id) == id).and_then(|row| self.cannot_try(row, view))
            }
            _ => None,
        }
    }

    pub(super) fn draw_tries(&self, view: &View<'_>, buffer: &mut Buffer) {
        let (theme, glyphs, trials) = (&view.options.theme, view.options.glyphs, &self.trials);
        let [list, inspector] = areas(view.body, trials.reading);
        let waiting = trials.pending.as_ref().map(|(_, ready, _)| {
            format!(
                "TRIES   waiting for {}, up to {} s",
                ready.trial.url.host_str().unwrap_or_default(),
                ready.trial.timeout
            )
        });
        let title = waiting.as_deref().unwrap_or("TRIES");
        let none = || {
            let key = view.key(keys::LISTING, Action::Try, " tries the selected tool.");
            State::Empty("Nothing was tried yet".into(), key.into())
        };
        let state = match &trials.pending {
            _ if !trials.list.source.is_empty() => None,
            Some((.., since)) => Some(State::Loading(*since)),
            None => Some(none()),
        };
        if !list.is_empty() {
            trials.list.draw_titled((title, !trials.reading), state, view, list, buffer);
        }
        if !list.is_empty() && !inspector.is_empty() {
            let style = if trials.reading { theme.accent } else { theme.dim };
            column(buffer, Rect { width: 1, ..inspector }, glyphs.vertical, style);
        }
        if let Some(one) = trials.list.selected().filter(|_| !inspector.is_empty()) {
            let inner = layout::inspector_text(inspector, view.body);
            one.details(inner.width.into(), view).draw(trials.scrolled, view, inner, buffer);
        }
    }

    /// True while the outcome of a try is awaited.
    pub(super) fn tries(&self) -> bool {
        self.trials.pending.is_some()
    }
}
