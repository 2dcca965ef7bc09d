//! API keys: who may use this account, and since when. The one place that draws a token, once, at its creation.

mod keys;
mod list;
mod token;
mod writes;

use crate::api::{ApiKey, Rows, rules};
use crate::ui::prelude::*;
use crate::ui::widgets::confirm::Confirm;
use crate::ui::widgets::form::TextField;
use token::NewToken;
use writes::Write;

/// The name of the pane.
pub const ID: PaneId = PaneId("api-keys");
/// The pane in the registry.
pub const PANE: Registration = Registration {
    id: ID,
    title: "API keys",
    digit: '7',
    bindings: keys::BINDINGS,
    new: |options, _| Box::new(ApiKeys::new(options.settings.refresh_interval.map(|every| every.max(POLL)))),
};

/// Keys seldom change: they are polled this seldom, or as seldom as everything.
const POLL: Duration = Duration::from_secs(60);

/// The state of the pane.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiKeys {
    keys: Remote<Rows<ApiKey>>,
    list: Browser<ApiKey>,
    /// The write in flight.
    write: Option<Write>,
    /// A token that is shown.
    token: Option<NewToken>,
    /// The key that a dialog asks about.
    asked: Option<ApiKey>,
}

impl ApiKeys {
    fn new(every: Option<Duration>) -> Self {
        Self { keys: Remote::new(every), list: Browser::default(), write: None, token: None, asked: None }
    }

    fn rows(&self) -> &[ApiKey] {
        self.keys.value().map_or(&[], |rows| &rows[..])
    }

    fn selected(&self) -> Option<&ApiKey> {
        self.list.selected(self.rows())
    }

    fn fetch(&mut self, cx: &mut Context<'_>) {
        self.keys.fetch(Request::ListApiKeys, Origin::new(ID.0), &mut cx.tasks, cx.now);
    }

    fn refresh(&mut self, cx: &Context<'_>) {
        self.list.refresh(self.keys.value().map_or(&[], |rows| &rows[..]), &cx.view(), cx.body);
    }

    fn confirm_delete(&mut self, cx: &mut Context<'_>) {
        let Some(key) = self.selected().cloned() else { return };
        let name = list::name(&key);
        let mut details = Details::new(10)
            .field("Key", format!("{name}  (id {})", list::id(&key)))
            .field("Last used", list::last_used(&key, cx.now.wall))
            .text("")
            .text("Programs that use this key are refused from then on. This cannot be undone.");
        if cx.data.key_id == Some(list::id(&key)) {
            let warning = "This is the key in use: Switchboard will be signed out.";
            details = details.text(warning).styled(cx.options.theme.warning);
        }
        self.asked = Some(key);
        cx.open(
            "delete",
            Overlay::Confirm(Box::new(Confirm::new("Delete this API key?", details, "delete").name(name))),
        );
    }

    fn confirm_rotate(&mut self, cx: &mut Context<'_>) {
        let in_use = self.rows().iter().find(|key| Some(list::id(key)) == cx.data.key_id);
        let (Some(key), Some(file)) = (in_use.cloned(), &cx.options.token_file) else { return };
        let details = Details::new(10)
            .field("Key", format!("{}  (id {})", list::name(&key), list::id(&key)))
            .wrapped("Token file", file.display().to_string())
            .text("")
            .text("1  Creates a key with the same name.")
            .text("2  Replaces the token in the file, and uses it.")
            .text("3  Deletes the old key. Other programs that use it are refused from then on.");
        self.asked = Some(key);
        cx.open("rotate", Overlay::Confirm(Box::new(Confirm::new("Rotate the key in use?", details, "rotate"))));
    }

    fn submit_name(&mut self, cx: &mut Context<'_>) {
        let Some(form) = cx.overlays.form("create") else { return };
        let name = form.text_of("name").trim().to_owned();
        if let Err(fault) = rules::api_key_name(&name) {
            drop(form.set_errors(vec![fault]));
        } else if self.write.is_none() {
            self.create(name, None, cx);
        }
    }
}

impl Pane for ApiKeys {
    fn scopes(&self) -> &'static [Scope] {
        match &self.token {
            Some(_) => keys::SHOWN,
            None if self.list.takes_text() => Browser::<ApiKey>::NARROWING,
            None => keys::LIST,
        }
    }

    fn takes_text(&self) -> bool {
        self.list.takes_text() && self.token.is_none()
    }

    fn disabled(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        let options = view.options;
        match action {
            Action::Create | Action::Delete | Action::Rotate if self.write.is_some() => Some("a change is in flight"),
            Action::Delete | Action::Copy if self.token.is_none() && self.selected().is_none() => {
                Some("no key is selected")
            }
            Action::Rotate if options.token_file.is_none() => Some("this profile's token is not in a token_file"),
            Action::Rotate if !self.rows().iter().any(|key| Some(list::id(key)) == view.data.key_id) => {
                Some("the token does not tell which key is in use")
            }
            _ => None,
        }
    }

    fn show(&mut self, shown: bool, cx: &mut Context<'_>) {
        self.keys.see(shown, cx.now);
        if shown {
            self.keys.want(Request::ListApiKeys, Origin::new(ID.0), &mut cx.tasks, cx.now);
        }
    }

    fn act(&mut self, action: Action, cx: &mut Context<'_>) {
        if self.token.is_some() {
            return self.act_on_token(action, cx);
        }
        let rows = self.keys.value().map_or(&[][..], |rows| &rows[..]);
        if self.list.act(action, rows, cx.body) {
            return;
        }
        match action {
            Action::Refresh => self.fetch(cx),
            Action::Create => {
                let name = FormField::new("name", "Name", Control::Line(TextField::default()))
                    .required()
                    .hint("what uses the key");
                let dialog = FormDialog::new("Create an API key", "create", Form::new(vec![name]));
                cx.open("create", Overlay::Form(Box::new(dialog)));
            }
            Action::Delete => self.confirm_delete(cx),
            Action::Rotate => self.confirm_rotate(cx),
            Action::Copy => {
                if let Some(id) = self.selected().map(list::id) {
                    cx.copy("Id", id.to_string());
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, input: &Input, cx: &mut Context<'_>) {
        self.list.text(input, self.keys.value().map_or(&[], |rows| &rows[..]), cx.body);
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context<'_>) -> Option<Action> {
        self.list.mouse(mouse, self.keys.value().map_or(&[], |rows| &rows[..]), &cx.view(), cx.body);
        None
    }

    fn overlay(&mut self, event: OverlayEvent, cx: &mut Context<'_>) {
        match (event, self.asked.take()) {
            (OverlayEvent::Submitted("create"), _) => self.submit_name(cx),
            (OverlayEvent::Submitted("save"), _) => self.submit_path(cx),
            (OverlayEvent::Confirmed("delete"), Some(key)) => self.delete(&key, cx),
            (OverlayEvent::Confirmed("rotate"), Some(key)) => self.create(list::name(&key), Some(list::id(&key)), cx),
            _ => {}
        }
    }

    fn reply(&mut self, report: Report, cx: &mut Context<'_>) {
        if let Some(report) = self.keys.reply(report, Reply::list_api_keys, cx.now) {
            self.written(report, cx);
        }
        self.refresh(cx);
    }

    fn resize(&mut self, cx: &mut Context<'_>) {
        self.refresh(cx);
    }

    fn tick(&mut self, cx: &mut Context<'_>) {
        if cx.is_connected() {
            self.keys.poll(Origin::new(ID.0), &mut cx.tasks, cx.now);
        }
    }

    fn next_change(&self, view: &View<'_>) -> Option<Duration> {
        let poll = self.keys.next_change().filter(|_| view.unconnected().is_none());
        [poll, self.next_visible_change(view).filter(|_| view.shown)].into_iter().flatten().min()
    }

    fn freshness(&self) -> Option<Freshness<'_>> {
        Some(self.keys.freshness())
    }

    fn interrupts(&self) -> Option<&'static str> {
        let unkept = self.token.as_ref().is_some_and(|token| !token.is_kept());
        unkept.then_some("The new token is neither copied nor saved: q again quits")
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        let caret = self.draw_list(view, buffer);
        if let Some(token) = &self.token {
            token.draw(view, buffer);
            return None;
        }
        caret
    }
}
