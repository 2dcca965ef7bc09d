//! The two lists of the pane: the conversations and, where the server has them, the calls. One is on screen.

use super::Conversations;
use super::calls::Calls;
use super::filter::{FILTER, PAGE};
use crate::tasks;
use crate::ui::held::HeldSend;
use crate::ui::prelude::*;
use crate::ui::route::Route;
use crate::ui::writes::DELETE;
use uuid::Uuid;

/// Both lists.
#[derive(Debug, Clone, PartialEq)]
pub struct Lists {
    conversations: Conversations,
    calls: Calls,
    /// True where the calls are on screen.
    on_calls: bool,
}

impl Lists {
    /// Lists that have requested nothing yet; they poll so often, `None` for manual refresh only.
    pub fn new(per_page: u32, refresh: Option<Duration>) -> Self {
        let (conversations, calls) = (Conversations::new(per_page, refresh), Calls::new(per_page, refresh));
        Self { conversations, calls, on_calls: false }
    }

    fn current(&self) -> &dyn Pane {
        if self.on_calls { &self.calls } else { &self.conversations }
    }

    fn current_mut(&mut self) -> &mut dyn Pane {
        if self.on_calls { &mut self.calls } else { &mut self.conversations }
    }

    /// Lets both handle something; only one of them is on screen.
    fn each(&mut self, cx: &mut Context, mut handle: impl FnMut(&mut dyn Pane, &mut Context)) {
        let shown = cx.shown;
        cx.shown = shown && !self.on_calls;
        handle(&mut self.conversations, cx);
        cx.shown = shown && self.on_calls;
        handle(&mut self.calls, cx);
        cx.shown = shown;
    }

    fn go(&mut self, on_calls: bool, cx: &mut Context) {
        if self.on_calls != on_calls {
            self.on_calls = on_calls;
            self.learn_names(cx);
            self.each(cx, |list, cx| list.show(cx.shown, cx));
        }
    }

    /// Lets the conversations handle something, also while the calls are on screen.
    fn with_conversations(&mut self, cx: &mut Context, handle: impl FnOnce(&mut Conversations, &mut Context)) {
        let shown = cx.shown;
        cx.shown = shown && !self.on_calls;
        handle(&mut self.conversations, cx);
        cx.shown = shown;
    }

    /// The calls show the names that the conversations tell.
    fn learn_names(&mut self, cx: &Context) {
        self.calls.learn_names(self.conversations.names(), cx);
    }

    /// What one of the lists sees.
    fn view<'a>(view: &View<'a>, shown: bool) -> View<'a> {
        View { shown: view.shown && shown, ..*view }
    }
}

impl Conversations {
    /// Numbers and names of the customers of loaded conversations.
    fn names(&self) -> impl Iterator<Item = (String, String)> {
        self.paged.list.source.loaded().filter_map(|row| {
            let party = row.data.customer.known()?;
            let name = clean(party.name.as_deref()?).into_owned();
            Some((party.phone.clone()?, name)).filter(|(_, name)| !name.trim().is_empty())
        })
    }
}

impl Pane for Lists {
    fn scopes(&self) -> &'static [Scope] {
        self.current().scopes()
    }

    fn disabled(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        self.current().disabled(action, view)
    }

    fn hint(&self, action: Action) -> Option<&'static str> {
        self.current().hint(action)
    }

    fn takes_text(&self) -> bool {
        self.current().takes_text()
    }

    fn list(&mut self, body: Rect) -> Option<(&mut dyn List, Rect)> {
        self.current_mut().list(body)
    }

    fn start(&mut self, cx: &mut Context) {
        self.each(cx, Pane::start);
    }

    fn show(&mut self, shown: bool, cx: &mut Context) {
        self.each(cx, |list, cx| list.show(shown && cx.shown, cx));
    }

    fn route(&mut self, route: Route, cx: &mut Context) {
        self.go(route == Route::Calls, cx);
        self.current_mut().route(route, cx);
    }

    fn act(&mut self, action: Action, cx: &mut Context) {
        match action {
            Action::Conversations => self.go(false, cx),
            action => self.current_mut().act(action, cx),
        }
    }

    fn text(&mut self, input: &Input, cx: &mut Context) {
        self.current_mut().text(input, cx);
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context) -> Option<Action> {
        self.current_mut().mouse(mouse, cx)
    }

    fn overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        // What comes of a reply may ask something while the calls are on screen.
        let is_of_calls = self.on_calls && [FILTER, PAGE, DELETE].contains(&event.name());
        let list: &mut dyn Pane = if is_of_calls { &mut self.calls } else { &mut self.conversations };
        list.overlay(event, cx);
    }

    fn data_changed(&mut self, cx: &mut Context) {
        self.current_mut().data_changed(cx);
    }

    fn reply(&mut self, report: Report, cx: &mut Context) {
        let shown = cx.shown;
        cx.shown = shown && self.on_calls;
        let other = self.calls.take(report, cx);
        cx.shown = shown && !self.on_calls;
        if let Some(report) = other {
            Pane::reply(&mut self.conversations, report, cx);
            if self.on_calls {
                self.learn_names(cx);
            }
        }
        cx.shown = shown;
    }

    fn hear(&mut self, event: &tasks::Event, cx: &mut Context) {
        self.each(cx, |list, cx| list.hear(event, cx));
    }

    fn resize(&mut self, cx: &mut Context) {
        self.each(cx, Pane::resize);
    }

    fn tick(&mut self, cx: &mut Context) {
        self.each(cx, Pane::tick);
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        let conversations = self.conversations.next_change(&Self::view(view, !self.on_calls));
        conversations.into_iter().chain(self.calls.next_change(&Self::view(view, self.on_calls))).min()
    }

    fn freshness(&self) -> Option<Freshness<'_>> {
        self.current().freshness()
    }

    fn signs(&self, options: &Options) -> Vec<Sign> {
        self.current().signs(options)
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        self.current().draw(view, buffer)
    }

    // Of these the calls have none.

    fn holds(&self) -> bool {
        self.conversations.holds()
    }

    fn take_back(&mut self, cx: &mut Context) {
        self.conversations.take_back(cx);
    }

    fn put_aside(&mut self, cx: &mut Context) {
        self.conversations.put_aside(cx);
    }

    fn progress(&self) -> Option<String> {
        self.conversations.progress()
    }

    fn interrupts(&self) -> Option<&'static str> {
        self.conversations.interrupts()
    }

    fn depart(&mut self, held: HeldSend, cx: &mut Context) {
        self.with_conversations(cx, |list, cx| list.depart(held, cx));
    }

    fn selected_hold(&self) -> Option<Uuid> {
        self.conversations.selected_hold()
    }

    fn taken_back(&mut self, held: &HeldSend, cx: &mut Context) {
        self.with_conversations(cx, |list, cx| list.taken_back(held, cx));
    }

    fn edited(&mut self, text: &str, cx: &mut Context) {
        self.with_conversations(cx, |list, cx| list.edited(text, cx));
    }
}
