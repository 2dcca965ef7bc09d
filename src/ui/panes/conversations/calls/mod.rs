//! The list of calls: paged, filtered, narrowed, polled while it is on screen; and the call beside it.

mod facts;
mod filter;
mod follow;
mod format;
mod reading;
mod rows;

use super::filter::{self as forms, Chosen, FILTER, PAGE};
use super::keys::{CALL, CALLS};
use super::pages::Listed as _;
use super::reading::Aspect;
use super::requests::Paged;
use super::{areas, status};
use crate::api::Call;
use crate::messaging::Phone;
use crate::ui::prelude::*;
use crate::ui::widgets::confirm::Confirm;
use crate::ui::writes::{Deletion, Unsupported};
use filter::Wanted;
use follow::Followed;
use reading::Reading;
use std::collections::HashMap;

/// Where the keys of the list come from, the narrowest first.
const SCOPES: &[Scope] = &[CALLS, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// The word of the write that the server may lack.
const DELETED: &str = "deleted";
/// Customers whose names are known.
const NAMES_MAX: usize = 4000;

/// The state of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Calls {
    paged: Paged<Call>,
    /// It has been on screen, and so was requested.
    started: bool,
    /// True where the inspector has the keys.
    inspecting: bool,
    reading: Reading,
    followed: Followed,
    /// What a filter form that was left held.
    filter_draft: Option<Vec<(String, String)>>,
    deletion: Deletion<i64>,
    unsupported: Unsupported,
    /// Customers by [`Phone::plain`] of their number.
    names: HashMap<String, String>,
}

impl Calls {
    /// A list that has requested nothing yet; polls so often, `None` for manual refresh only.
    pub fn new(per_page: u32, refresh: Option<Duration>) -> Self {
        Self {
            paged: Paged::new(per_page, refresh),
            started: false,
            inspecting: false,
            reading: Reading::default(),
            followed: Followed::default(),
            filter_draft: None,
            deletion: Deletion::default(),
            unsupported: Unsupported::default(),
            names: HashMap::new(),
        }
    }

    /// Learns who has these numbers.
    pub fn learn_names(&mut self, known: impl Iterator<Item = (String, String)>, cx: &Context) {
        if self.names.len() > NAMES_MAX {
            self.names.clear();
        }
        let before = self.names.len();
        self.names.extend(known.map(|(number, name)| (Phone::plain(&number), name)));
        if self.names.len() != before {
            self.arrange(cx);
        }
    }

    /// Works out which rows are shown in which order, after anything that decides it has changed.
    fn arrange(&mut self, cx: &Context) {
        self.paged.list.source.now = cx.now.wall;
        for row in self.paged.list.source.rows_mut() {
            let number = row.data.client_phone_number.known().map(|number| Phone::plain(number));
            row.name = number.and_then(|number| self.names.get(&number).cloned());
        }
        self.paged.list.refresh(&cx.view(), areas::table(cx.body));
    }

    /// Lets the call beside the list follow whatever has changed.
    fn sync(&mut self, cx: &mut Context) {
        let row = self.paged.list.selected();
        self.followed.select(row, cx.now.mono);
        self.reading.show(row.map(|row| self.followed.current(row)));
        if cx.shown {
            self.followed.request(cx);
        }
    }

    /// Takes a report of one of its requests; any other comes back.
    pub fn take(&mut self, report: Report, cx: &mut Context) -> Option<Report> {
        if let Some((_, name)) = self.deletion.end(&report) {
            self.deleted(&name, report, cx);
            self.sync(cx);
            return None;
        }
        if self.followed.is_pending(&report) {
            if let Some(call) = self.followed.reply(report, cx.now.mono) {
                let rows = self.paged.list.source.rows_mut().iter_mut();
                rows.filter(|row| row.data.is_same(call)).for_each(|row| row.data = call.clone());
            }
        } else if self.paged.is_pending(report.id) {
            self.paged.take(report, cx);
        } else {
            return Some(report);
        }
        self.arrange(cx);
        self.sync(cx);
        None
    }

    // The filter.

    fn want(&mut self, wanted: Wanted, cx: &mut Context) {
        self.filter_draft = None;
        if wanted != self.paged.wanted {
            self.paged.want(wanted, cx);
            self.arrange(cx);
        }
    }

    /// The assistants by which the server can filter.
    fn known(data: &Data) -> Vec<Chosen> {
        forms::assistants(data, std::iter::empty())
    }

    fn open_filter(&mut self, cx: &mut Context) {
        forms::want_assistants(cx);
        let known = Self::known(&cx.data);
        let mut form = Form::new(filter::fields(&self.paged.wanted, &cx.data, &known)).quick().clearing();
        for (path, value) in self.filter_draft.iter().flatten() {
            form.set(path, value);
        }
        let about = Details::new(0).text(filter::ABOUT).styled(cx.options.theme.dim);
        let mut dialog = FormDialog::new("Filter calls", "apply", form);
        dialog.about = about;
        cx.open(FILTER, dialog);
        self.check_filter(cx);
    }

    fn check_filter(&self, cx: &mut Context) {
        let (known, today) = (Self::known(&cx.data), forms::today(cx.now.wall, cx.view().zone));
        let Context { overlays, data, options, .. } = cx;
        if let Some(form) = overlays.form(FILTER) {
            filter::check(form, (&known, self.paged.list.source.loaded()), today, (data, options));
        }
    }

    fn submit_filter(&mut self, cx: &mut Context) {
        let (known, today) = (Self::known(&cx.data), forms::today(cx.now.wall, cx.view().zone));
        let country = cx.options.country.clone();
        let read = |form: &Form| filter::read(form, &known, country.as_deref(), today);
        if let Some(wanted) = cx.overlays.submit(FILTER, read) {
            self.want(wanted, cx);
        }
    }

    // Deleting.

    fn ask_delete(&mut self, cx: &mut Context) {
        let Some(row) = self.paged.list.selected() else { return };
        let Some(id) = row.data.id.known().copied() else { return };
        let call = self.followed.current(row);
        let mut details = Details::new(10)
            .field("Customer", format::customer(row).0)
            .field("Assistant", format::assistant(call))
            .field("Status", format::status(call))
            .text("")
            .text("The call goes with its transcript and its evaluation. This cannot be undone.");
        if call.is_under_way() {
            details = details.text("It is under way: it may be cut off.").styled(cx.options.theme.warning);
        }
        let name = format!("call {id}");
        self.deletion.ask(id, name, Confirm::new(format!("Delete call {id}?"), details, "delete"), cx);
    }

    fn deleted(&mut self, name: &str, report: Report, cx: &mut Context) {
        match report.result {
            Ok(_) => {
                cx.toast(format!("Deleted: {name}"));
                (self.inspecting, self.followed) = (false, Followed::default());
            }
            Err(failure) => {
                self.unsupported.learn(DELETED, false, &failure);
                cx.write_failed("", name, DELETED, &failure);
            }
        }
        self.paged.refresh(cx);
    }

    fn act_in_list(&mut self, action: Action, cx: &mut Context) {
        match action {
            Action::NextPart | Action::Back if self.inspecting => self.inspecting = false,
            Action::ToggleRaw if self.inspecting => self.reading.turn(),
            Action::Open | Action::NextPart | Action::ToggleRaw if self.paged.list.selected().is_some() => {
                if action == Action::ToggleRaw {
                    self.reading.turn();
                }
                (self.inspecting, self.paged.list.narrowing) = (true, false);
            }
            Action::Filter => self.open_filter(cx),
            Action::ClearFilters => self.want(Wanted::default(), cx),
            Action::Refresh => {
                self.paged.refresh(cx);
                self.followed.hurry(cx.now.mono);
            }
            Action::Copy => {
                cx.copy("Id", self.paged.list.selected().map(|row| row.data.id()).filter(|id| !id.is_empty()));
            }
            Action::CopyAll => self.copy_json(cx),
            Action::OpenLink => {
                if let Some(url) = self.recording() {
                    cx.open_link("the recording", &url);
                }
            }
            Action::CopyLink => cx.copy("The recording's URL", self.recording()),
            Action::Delete => self.ask_delete(cx),
            action if self.paged.act_on_pages(action, cx) => self.arrange(cx),
            _ => {}
        }
    }
}

impl Pane for Calls {
    fn scopes(&self) -> &'static [Scope] {
        match (self.inspecting, self.paged.list.narrowing) {
            (true, _) if self.reading.is_searching() => SEARCHING,
            (true, _) => &[CALL, Scope::DETAILS, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE],
            (false, true) => NARROWING,
            (false, false) => SCOPES,
        }
    }

    fn list(&mut self, body: Rect) -> Option<(&mut dyn List, Rect)> {
        Some((&mut self.paged.list, areas::table(body)))
    }

    fn disabled(&self, action: Action, _view: &View<'_>) -> Option<&'static str> {
        let row = self.paged.list.selected();
        match action {
            Action::Open | Action::Copy | Action::CopyAll | Action::ToggleRaw | Action::Delete if row.is_none() => {
                Some("no call is selected")
            }
            Action::OpenLink | Action::CopyLink if self.recording().is_none() => Some("this call has no recording"),
            Action::Delete if self.unsupported.has(DELETED) => Some("this server does not delete calls"),
            Action::Delete if row.is_some_and(|row| row.data.id.known().is_none()) => {
                Some("the server gives this call no id")
            }
            Action::Delete => self.deletion.disabled(),
            Action::Search | Action::NextMatch | Action::PreviousMatch if self.inspecting => {
                let is_transcript = self.reading.aspect() == Aspect::Transcript;
                if is_transcript {
                    self.reading.transcript.search.disabled(action)
                } else {
                    self.reading.reader.disabled(action)
                }
            }
            Action::Filter if self.paged.not_offered => Some("this server does not list calls"),
            action => self.paged.disabled(action),
        }
    }

    fn hint(&self, action: Action) -> Option<&'static str> {
        let is_transcript = self.reading.aspect() == Aspect::Transcript;
        match action {
            Action::TogglePause if self.paged.polling.is_paused() => Some("resume"),
            Action::ToggleRaw if self.inspecting => Some(self.reading.next_word()),
            Action::Copy if self.inspecting && !is_transcript => Some("copy id"),
            Action::CopyAll if self.inspecting && !is_transcript => Some("copy JSON"),
            _ => None,
        }
    }

    fn show(&mut self, shown: bool, cx: &mut Context) {
        self.paged.polling.see(shown, cx.now.mono);
        if shown && !std::mem::replace(&mut self.started, true) {
            self.paged.refresh(cx);
        }
        self.sync(cx);
    }

    fn act(&mut self, action: Action, cx: &mut Context) {
        self.paged.list.source.now = cx.now.wall;
        let taken = if self.inspecting { self.act_reading(action, cx) } else { self.paged.act(action, cx) };
        if !taken {
            self.act_in_list(action, cx);
        }
        self.sync(cx);
    }

    fn text(&mut self, input: &Input, cx: &mut Context) {
        if self.inspecting {
            self.type_search(input, cx);
        } else {
            self.paged.list.text(input, areas::table(cx.body));
            self.sync(cx);
        }
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context) -> Option<Action> {
        let areas = areas::of(cx.body, self.inspecting);
        let at = Position { x: mouse.x, y: mouse.y };
        let in_inspector = areas.inspector.contains(at);
        let mut opens = None;
        match mouse.kind {
            MouseKind::WheelUp if in_inspector => drop(self.act_reading(Action::Move(Motion::Up), cx)),
            MouseKind::WheelDown if in_inspector => drop(self.act_reading(Action::Move(Motion::Down), cx)),
            MouseKind::Press if in_inspector => {
                let is_there = self.paged.list.selected().is_some();
                opens = is_there.then_some(Action::NextPart).filter(|_| !self.inspecting);
            }
            _ => {
                opens = self.paged.list.mouse(mouse, &cx.view(), areas::table(cx.body)).filter(|_| !self.inspecting);
                self.inspecting &= mouse.kind != MouseKind::Press || !areas.list.contains(at);
            }
        }
        self.sync(cx);
        opens
    }

    fn overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        if self.deletion.answer(event, cx, |&id| Request::DeleteCall { id }) {
            return;
        }
        match event {
            OverlayEvent::Submitted(FILTER) => self.submit_filter(cx),
            OverlayEvent::Submitted(PAGE) => {
                forms::submit_page(&mut self.paged, cx);
                self.arrange(cx);
            }
            OverlayEvent::Changed(FILTER) => self.check_filter(cx),
            OverlayEvent::Cancelled(FILTER) => {
                let form = cx.overlays.form(FILTER).filter(|form| form.is_dirty());
                self.filter_draft = form.map(|form| form.values());
            }
            _ => {}
        }
        self.sync(cx);
    }

    fn data_changed(&mut self, cx: &mut Context) {
        if cx.shown {
            self.check_filter(cx);
        }
    }

    fn hear(&mut self, event: &crate::tasks::Event, cx: &mut Context) {
        // Another server may list calls.
        if matches!(event, crate::tasks::Event::Connected { .. }) && self.paged.not_offered {
            self.paged.not_offered = false;
            self.started = cx.shown;
            if cx.shown {
                self.paged.refresh(cx);
            }
        }
    }

    fn tick(&mut self, cx: &mut Context) {
        if cx.shown {
            self.paged.poll(cx);
            if self.paged.has_other_days(cx) {
                self.paged.want(self.paged.wanted.clone(), cx);
                self.arrange(cx);
            }
        }
        self.sync(cx);
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        let due = [self.paged.polling.next(), self.followed.next()].into_iter().flatten();
        let due = due.min().filter(|_| view.unconnected().is_none());
        let loading = self.paged.loading_since().map(State::Loading);
        let rows = self.paged.list.next_change(loading, view, areas::table(view.body));
        due.into_iter().chain(rows).min().filter(|_| view.shown)
    }

    fn freshness(&self) -> Option<Freshness<'_>> {
        Some(self.paged.freshness())
    }

    fn signs(&self, options: &Options) -> Vec<Sign> {
        let (theme, glyphs) = (&options.theme, options.glyphs);
        let sign = |glyph, style, says| Sign { glyph, style, says };
        vec![
            sign("+", theme.fresh, "has just changed"),
            sign(glyphs.half, theme.good, "under way"),
            sign(glyphs.full, theme.strong, "somebody answered, and it is over"),
            sign(glyphs.hollow, theme.warning, "nobody answered"),
            sign(glyphs.cross, theme.failed, "it did not come about"),
        ]
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        let areas = areas::of(view.body, self.inspecting);
        let chips = self.paged.wanted.chips(&Self::known(view.data), view);
        let cursor = status::draw(&self.paged, (0, chips), SCOPES, view, areas.status, buffer);
        if !areas.list.is_empty() {
            let state = status::state(&self.paged, SCOPES, view);
            self.paged.list.draw(!self.inspecting, state, view, areas.list, buffer);
        }
        if areas.inspector.width > 0 {
            return reading::draw(self, view, areas.inspector, buffer).or(cursor);
        }
        cursor
    }
}
