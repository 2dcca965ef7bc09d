//! The list of conversations: paged, filtered, narrowed, polled; and the one that is read.

mod areas;
mod calls;
mod days;
mod draw;
mod filter;
mod format;
mod keys;
mod list;
mod lists;
mod narrow;
mod pages;
mod reading;
mod reply;
mod requests;
mod rows;
mod saved;
mod status;
mod take_over;
mod watch;

pub use keys::{INSPECTOR, LIST};

use crate::api::Conversation;
use crate::ui::compose::drafts;
use crate::ui::held::HeldSend;
use crate::ui::prelude::*;
use crate::ui::route::{Customer, Route, TestChat};
use crate::ui::text::json_text;
use crate::ui::widgets::json;
use filter::{FILTER, PAGE, Wanted};
use lists::Lists;
use reading::{Aspect, Reading, act, export};
use reply::Replies;
use requests::{Paged, per_page};
use saved::{SAVE, SAVED, Saved};
use take_over::{TAKE_OVER, TakeOver};
use watch::Watching;

/// The name of the pane.
pub const ID: PaneId = PaneId("conversations");
/// The pane in the registry.
pub const PANE: Registration = Registration {
    id: ID,
    title: "Conversations",
    digit: '1',
    bindings: keys::BINDINGS,
    new: |options, body| Box::new(Lists::new(per_page(options, body), options.settings.refresh_interval)),
};
/// Where the keys of the list come from, the narrowest first.
const SCOPES: &[Scope] = &[LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];

/// The state of the pane.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversations {
    /// The list.
    paged: Paged<Conversation>,
    /// True where the inspector has the keys.
    inspecting: bool,
    /// What it shows.
    reading: Reading,
    /// What a filter form that was left held.
    filter_draft: Option<Vec<(String, String)>>,
    /// What is kept from one start to the next.
    saved: Saved,
    /// What needs a person.
    watching: Watching,
    /// Who answers.
    take_over: TakeOver,
    /// What is written to customers from here.
    replies: Replies,
}

impl Conversations {
    /// A pane that has requested nothing yet; polls so often, `None` for manual refresh only.
    pub fn new(per_page: u32, refresh: Option<Duration>) -> Self {
        Self {
            paged: Paged::new(per_page, refresh),
            inspecting: false,
            reading: Reading::default(),
            filter_draft: None,
            saved: Saved::default(),
            watching: Watching::default(),
            take_over: TakeOver::default(),
            replies: Replies::default(),
        }
    }

    fn selected(&self) -> Option<&Conversation> {
        self.paged.list.selected().map(|row| &row.data)
    }

    /// Watches the window of the selected conversation's customer, or says why not.
    fn watch_customer(&self, cx: &mut Context) {
        match self.selected().map(Customer::of) {
            Some(Ok(customer)) => cx.go(Route::Watch(customer)),
            Some(Err(reason)) => cx.toast(format!("Not now: {reason}")),
            None => {}
        }
    }

    fn act_in_list_or_reading(&mut self, action: Action, cx: &mut Context) {
        if !self.inspecting && self.paged.act(action, cx) {
            return;
        }
        if self.inspecting && self.act_reading(action, cx) {
            return;
        }
        match action {
            Action::NextPart | Action::Back if self.inspecting => self.inspecting = false,
            Action::Open | Action::NextPart | Action::ToggleRaw if self.selected().is_some() => {
                if action == Action::ToggleRaw {
                    self.reading.turn(cx);
                }
                (self.inspecting, self.paged.list.narrowing) = (true, false);
                self.open_reading(cx);
            }
            Action::Filter => self.open_filter(cx),
            Action::ClearFilters => self.set_wanted(Wanted::default(), cx),
            Action::FilterBySelected => self.filter_by_selected(cx),
            Action::SaveFilter => Self::open_save(cx),
            Action::SavedFilters => self.open_saved(cx),
            Action::NextUrgent => self.go_to_urgent(cx),
            Action::Mark => self.mark(cx),
            Action::TakeOver => self.ask_take_over(cx),
            Action::Refresh => {
                self.paged.refresh(cx);
                self.open_reading(cx);
            }
            Action::Export => self.open_export(cx),
            Action::Follow => self.follow_others(cx),
            Action::Copy => cx.copy("Id", self.selected().and_then(|row| row.id.known().cloned())),
            Action::CopyAll => {
                cx.copy("JSON", self.selected().and_then(|row| row.json().ok()).map(|json| json::pretty(&json)));
            }
            Action::Send => self.reply(cx),
            Action::Watch => self.watch_customer(cx),
            Action::Chat => self.try_assistant(cx),
            Action::CopyLink => cx.copy("Link", self.link(&cx.options)),
            Action::OpenLink => {
                if let Some(link) = self.link(&cx.options) {
                    cx.open_link("the conversation", &link);
                }
            }
            action if self.paged.act_on_pages(action, cx) => self.arrange(cx),
            _ => {}
        }
    }

    /// The web address of the selected conversation.
    fn link(&self, options: &Options) -> Option<String> {
        // Dots would lead to another page.
        let id = self.selected()?.id.known().filter(|id| !matches!(id.as_str(), "" | "." | ".."))?;
        Some(options.link.as_ref()?.of(id))
    }

    /// A test chat with the assistant of the selected conversation, which is told what it was told there.
    fn try_assistant(&self, cx: &mut Context) {
        let Some((row, assistant)) = self.selected().and_then(|row| Some((row, row.assistant_id.known()?.clone())))
        else {
            return;
        };
        let talk = self.reading.talk().filter(|talk| row.id.known() == Some(&talk.id));
        let variables = talk.and_then(|talk| talk.history.variables.known()?.as_ref()).into_iter().flatten();
        let variables = variables.map(|(name, value)| (name.clone(), json_text(value))).collect();
        cx.go(Route::Chat(TestChat { assistant, name: format::assistant(row).into_owned(), variables }));
    }
}

impl Pane for Conversations {
    fn scopes(&self) -> &'static [Scope] {
        match (self.inspecting, self.paged.list.narrowing) {
            _ if self.is_replying() => keys::REPLYING,
            (true, _) if self.is_searching() => SEARCHING,
            (true, _) => &[INSPECTOR, Scope::DETAILS, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE],
            (false, true) => NARROWING,
            (false, false) => SCOPES,
        }
    }

    fn list(&mut self, body: Rect) -> Option<(&mut dyn List, Rect)> {
        Some((&mut self.paged.list, areas::table(body)))
    }

    fn disabled(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        match action {
            Action::CopyLink | Action::OpenLink if view.options.link.is_none() => Some("the profile has no link"),
            Action::CopyLink | Action::OpenLink if self.link(view.options).is_none() => {
                Some("the server gives this conversation no id")
            }
            Action::Chat if self.selected().is_some_and(|row| row.assistant_id.known().is_none()) => {
                Some("the server does not tell the assistant's UUID, and a chat needs it")
            }
            Action::Canned if view.options.replies.is_none() => Some("the profile has no file of replies"),
            Action::SaveFilter if self.paged.wanted == Wanted::default() => Some("no filter is set"),
            Action::TakeOver => self.disabled_take_over(),
            Action::SavedFilters if self.has_no_saved() => Some("no filter has been saved"),
            Action::FilterBySelected if self.paged.list.state.sort().is_none() => {
                Some("the rows are in the server's order; sort by a column first")
            }
            Action::Open
            | Action::Copy
            | Action::CopyAll
            | Action::ToggleRaw
            | Action::Send
            | Action::Chat
            | Action::Watch
            | Action::Mark
            | Action::FilterBySelected
                if self.selected().is_none() =>
            {
                Some("no conversation is selected")
            }
            action => self.paged.disabled(action).or_else(|| self.disabled_reading(action)),
        }
    }

    fn hint(&self, action: Action) -> Option<&'static str> {
        let is_transcript = self.reading.shown_aspect() == Aspect::Transcript;
        match action {
            Action::TogglePause if self.paged.polling.is_paused() => Some("resume"),
            Action::TakeOver => Some(self.take_over_words()),
            Action::ToggleRaw if self.inspecting => Some(self.reading.next_word()),
            Action::Copy if self.inspecting && !is_transcript => Some("copy id"),
            Action::CopyAll if self.inspecting && !is_transcript => Some("copy JSON"),
            _ => None,
        }
    }

    fn start(&mut self, cx: &mut Context) {
        self.load_saved(cx);
        self.read_alerts(cx);
        self.reading.start(cx);
        self.replies.start(cx);
        self.paged.refresh(cx);
    }

    fn show(&mut self, shown: bool, cx: &mut Context) {
        self.paged.polling.see(shown, cx.now.mono);
        if shown {
            self.show_line(cx);
        } else {
            self.hide_line(cx);
        }
        self.sync(cx);
    }

    fn route(&mut self, route: Route, cx: &mut Context) {
        if let Route::Conversations(filter) = route {
            self.leave_line(cx);
            self.set_wanted(Wanted::of(&filter), cx);
            self.sync(cx);
        }
    }

    fn act(&mut self, action: Action, cx: &mut Context) {
        self.paged.list.source.now = cx.now.wall;
        if self.is_replying() {
            self.act_in_line(action, cx);
        } else {
            self.act_in_list_or_reading(action, cx);
        }
        self.sync(cx);
    }

    fn text(&mut self, input: &Input, cx: &mut Context) {
        if self.is_replying() {
            self.with_line(cx, |form| form.text(input));
            self.sync(cx);
        } else if self.inspecting {
            self.type_search(input, cx);
        } else {
            self.paged.list.source.now = cx.now.wall;
            self.paged.list.text(input, areas::table(cx.body));
            self.sync(cx);
        }
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context) -> Option<Action> {
        let areas = areas::of(cx.body, self.inspecting);
        let at = Position { x: mouse.x, y: mouse.y };
        let in_inspector = areas.inspector.contains(at);
        match mouse.kind {
            MouseKind::WheelUp if in_inspector => drop(self.act_reading(Action::Move(Motion::Up), cx)),
            MouseKind::WheelDown if in_inspector => drop(self.act_reading(Action::Move(Motion::Down), cx)),
            MouseKind::Press if in_inspector && self.is_replying() => self.click_line(mouse, cx),
            MouseKind::Press if in_inspector => {
                return self.selected().is_some().then_some(Action::NextPart).filter(|_| !self.inspecting);
            }
            _ => {
                if self.is_replying() && mouse.kind != MouseKind::Press {
                    return None;
                }
                if self.leave_line(cx) {
                    cx.toast("The reply is kept with its conversation");
                }
                let opens =
                    self.paged.list.mouse(mouse, &cx.view(), areas::table(cx.body)).filter(|_| !self.inspecting);
                self.inspecting &= mouse.kind != MouseKind::Press || !areas.list.contains(at);
                self.sync(cx);
                return opens;
            }
        }
        self.sync(cx);
        None
    }

    fn overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        self.reply_overlay(event, cx);
        match event {
            OverlayEvent::Submitted(FILTER) => self.submit_filter(cx),
            OverlayEvent::Submitted(PAGE) => self.submit_page(cx),
            OverlayEvent::Confirmed(TAKE_OVER) => self.confirm_take_over(cx),
            OverlayEvent::Submitted(SAVE) => self.submit_save(cx),
            OverlayEvent::Submitted(SAVED) => self.submit_saved(cx),
            OverlayEvent::Submitted(export::FORM) => self.submit_export(cx),
            OverlayEvent::Submitted(act::OTHERS) => self.submit_other(cx),
            OverlayEvent::Changed(export::FORM) => {
                if let Some(form) = cx.overlays.form(export::FORM) {
                    export::follow_format(form);
                }
            }
            OverlayEvent::Changed(FILTER) => self.check_filter(cx),
            OverlayEvent::Cancelled(FILTER) => {
                let form = cx.overlays.form(FILTER).filter(|form| form.is_dirty());
                self.filter_draft = form.map(|form| form.values());
            }
            _ => {}
        }
    }

    fn data_changed(&mut self, cx: &mut Context) {
        self.check_filter(cx);
        self.follow_line(cx);
    }

    fn edited(&mut self, text: &str, cx: &mut Context) {
        self.edit_line(text, cx);
    }

    fn depart(&mut self, held: HeldSend, cx: &mut Context) {
        self.send_held(&held, cx);
    }

    fn taken_back(&mut self, held: &HeldSend, cx: &mut Context) {
        self.reply_taken_back(held, cx);
        self.sync(cx);
    }

    fn put_aside(&mut self, cx: &mut Context) {
        self.put_line_aside(cx);
        self.forget_unheld(cx);
    }

    fn reply(&mut self, report: Report, cx: &mut Context) {
        let report = self.reading.reply(report, cx).and_then(|report| self.saved_reply(report, cx));
        let report = report.and_then(|report| self.take_over_reply(report, cx));
        let report = report.and_then(|report| self.reply_reply(report, cx));
        if let Some(report) = report {
            self.take(report, cx);
        }
        self.sync(cx);
    }

    fn hear(&mut self, event: &crate::tasks::Event, cx: &mut Context) {
        self.reading.hear(event, cx.now);
        drafts::hear(&mut self.replies.drafts, event, ID);
    }

    fn tick(&mut self, cx: &mut Context) {
        self.paged.poll(cx);
        self.move_days(cx);
        self.tell_handed_over(cx);
        self.forget_unheld(cx);
        self.sync(cx);
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        let poll = self.paged.polling.next().filter(|_| view.unconnected().is_none());
        let loading = self.paged.loading_since().map(State::Loading);
        let reading = self.reading.next_change(&self.around(view.body, view.data), view);
        let told = self.watching.next_change(view.now.mono);
        poll.into_iter()
            .chain(reading)
            .chain(told)
            .chain(self.replies.line.as_ref().and_then(|line| line.next_change()))
            .chain(self.paged.list.next_change(loading, view, areas::table(view.body)))
            .min()
    }

    fn freshness(&self) -> Option<Freshness<'_>> {
        Some(self.paged.freshness())
    }

    fn progress(&self) -> Option<String> {
        let alerts = self.alerts();
        (alerts > 0).then(|| count(alerts as u64, "alert", "alerts"))
    }

    fn signs(&self, options: &Options) -> Vec<Sign> {
        let (theme, glyphs) = (&options.theme, options.glyphs);
        let sign = |glyph, style, says| Sign { glyph, style, says };
        vec![
            sign("+", theme.fresh, "has just changed"),
            sign(glyphs.full, theme.strong, "marked"),
            sign(glyphs.alert, theme.warning, "meets an alert of the settings"),
        ]
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        draw::draw(self, view, buffer)
    }
}
