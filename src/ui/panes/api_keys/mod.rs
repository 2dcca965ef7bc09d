//! API keys: who may use this account, and since when. The one place that draws a token, once, at its creation.

mod keys;
mod writes;

use crate::api::{ApiKey, Rows, rules};
use crate::tasks::TaskId;
use crate::ui::ages::Age;
use crate::ui::prelude::*;
use crate::ui::widgets::confirm::Confirm;
use jiff::Timestamp;
use std::borrow::Cow;
use writes::{NewToken, Step};

/// The name of the pane.
pub const ID: PaneId = PaneId("api-keys");
/// The pane in the registry.
pub const PANE: Registration = Registration {
    id: ID,
    title: "API keys",
    digit: '7',
    bindings: keys::BINDINGS,
    new: |options, _| {
        let every = options.settings.refresh_interval.map(|every| every.max(POLL));
        Box::new(ApiKeys { list: Browser::new(Remote::of(Request::ListApiKeys, every)), ..ApiKeys::default() })
    },
};

/// Keys seldom change: they are polled this seldom, or as seldom as everything.
const POLL: Duration = Duration::from_secs(60);

/// The state of the pane.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ApiKeys {
    list: Browser<Remote<Rows<ApiKey>>>,
    /// The write in flight: its task, the name of its key, what it is for.
    write: Option<(TaskId, String, Step)>,
    /// A token that is shown.
    token: Option<NewToken>,
    /// What a dialog asks about: the name of a key, and what is done with it.
    asked: Option<(String, Step)>,
}

fn name(key: &ApiKey) -> String {
    key.name.known().map_or_else(|| "(no name)".to_owned(), |name| clean(name).into_owned())
}

/// When it was last used, or what stands there: never, or that the server does not tell.
fn used(key: &ApiKey) -> Result<Timestamp, &'static str> {
    key.last_used_at.known().ok_or("–")?.as_ref().map(|time| time.0).ok_or("never")
}

impl Record for ApiKey {
    type Id = i64;
    const NAME: &'static str = "key";
    const COLUMNS: &'static [Column<Self>] = &[
        text_column!("NAME", Width::Fill(12), 0, Some(0), |key| name(key)),
        Column::new("", Width::Content { min: 0, max: 8 }, 1, |key, view| {
            let in_use = view.data.key_id == Some(key.id());
            let text = if in_use { format!("{} in use", view.options.glyphs.full) } else { String::new() };
            Cell::text(text).style(view.options.theme.good)
        }),
        age_column!("CREATED", 2, |key| key.created_at.known().map(|time| time.0), |_view| Cell::text("–")),
        age_column!("LAST USED", 0, |key| used(key).ok(), |view| match used(key) {
            Err("never") => Cell::text("never").style(view.options.theme.warning),
            _ => Cell::text("–"),
        }),
        number_column!("ID", 3, |key| key.id()),
    ];

    fn id(&self) -> i64 {
        self.id.known().copied().unwrap_or_default()
    }

    fn fields(&self) -> Vec<Cow<'_, str>> {
        vec![name(self).into()]
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        let times = used(self).into_iter().chain(self.created_at.known().map(|time| time.0));
        times.map(|time| view.now.mono + Age::changes_in(time, view.now.wall)).min()
    }
}

impl ApiKeys {
    /// What stands in place of the rows; `None` where there are some.
    fn state<'a>(&'a self, view: &'a View<'_>) -> Option<State<'a>> {
        let (keys, none) = (&self.list.source, State::Empty("No API keys".into(), "c creates one.".into()));
        keys.state("The API keys", view).or_else(|| keys.rows().is_empty().then_some(none))
    }

    /// The key with this number, such as the one in use.
    fn key(&self, number: Option<i64>) -> Option<&ApiKey> {
        self.list.source.rows().iter().find(|key| Some(key.id()) == number)
    }

    fn confirm_delete(&mut self, cx: &mut Context) {
        let Some(key) = self.list.selected() else { return };
        let used = used(key).map_or_else(str::to_owned, |time| Age::between(time, cx.now.wall).to_string());
        let mut details = Details::new(10)
            .field("Key", format!("{}  (id {})", name(key), key.id()))
            .field("Last used", used)
            .text("")
            .text("Programs that use this key are refused from then on. This cannot be undone.");
        if cx.data.key_id == Some(key.id()) {
            let warning = "This is the key in use: Switchboard will be signed out.";
            details = details.text(warning).styled(cx.options.theme.warning);
        }
        cx.open("delete", Confirm::new("Delete this API key?", details, "delete").name(name(key)));
        self.asked = Some((name(key), Step::Delete { id: key.id(), rotated: false }));
    }

    fn confirm_rotate(&mut self, cx: &mut Context) {
        let (Some(key), Some(file)) = (self.key(cx.data.key_id), &cx.options.token_file) else { return };
        let details = Details::new(10)
            .field("Key", format!("{}  (id {})", name(key), key.id()))
            .wrapped("Token file", file.display().to_string())
            .text("")
            .text("1  Creates a key with the same name.")
            .text("2  Replaces the token in the file, and uses it.")
            .text("3  Deletes the old key. Other programs that use it are refused from then on.");
        cx.open("rotate", Confirm::new("Rotate the key in use?", details, "rotate"));
        self.asked = Some((name(key), Step::Create { old: Some(key.id()) }));
    }

    fn submit_name(&mut self, cx: &mut Context) {
        let Some(form) = cx.overlays.form("create") else { return };
        let name = form.text_of("name").trim().to_owned();
        if let Err(fault) = rules::api_key_name(&name) {
            drop(form.set_errors(vec![fault]));
        } else if self.write.is_none() {
            self.run(name, Step::Create { old: None }, cx);
        }
    }
}

impl Pane for ApiKeys {
    fn scopes(&self) -> &'static [Scope] {
        match &self.token {
            Some(_) => keys::SHOWN,
            None if self.list.narrowing => NARROWING,
            None => keys::LIST,
        }
    }

    fn list(&mut self, body: Rect) -> Option<(&mut dyn List, Rect)> {
        Some((&mut self.list, below_first(body)))
    }

    fn disabled(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        let none = self.token.is_none() && self.list.selected().is_none();
        let unknown = self.key(view.data.key_id).is_none();
        match action {
            Action::Create | Action::Delete | Action::Rotate if self.write.is_some() => Some("a change is in flight"),
            Action::Delete | Action::Copy if none => Some("no key is selected"),
            Action::Rotate if view.options.token_file.is_none() => Some("this profile's token is not in a token_file"),
            Action::Rotate if unknown => Some("the token does not tell which key is in use"),
            _ => None,
        }
    }

    fn show(&mut self, shown: bool, cx: &mut Context) {
        self.list.source.show(shown, cx);
    }

    fn act(&mut self, action: Action, cx: &mut Context) {
        if self.token.is_some() {
            return self.act_on_token(action, cx);
        }
        if self.list.act(action, below_first(cx.body)) {
            return;
        }
        match action {
            Action::Refresh => self.list.source.refresh(cx),
            Action::Create => {
                let name = FormField::line("name", "Name", "");
                let form = Form::new(vec![name.required().hint("what uses the key")]);
                cx.open("create", FormDialog::new("Create an API key", "create", form));
            }
            Action::Delete => self.confirm_delete(cx),
            Action::Rotate => self.confirm_rotate(cx),
            Action::Copy => cx.copy("Id", self.list.selected().map(|key| key.id().to_string())),
            _ => {}
        }
    }

    fn overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        match (event, self.asked.take()) {
            (OverlayEvent::Submitted("create"), _) => self.submit_name(cx),
            (OverlayEvent::Submitted("save"), _) => self.submit_path(cx),
            (OverlayEvent::Confirmed(_), Some((name, step))) => self.run(name, step, cx),
            _ => {}
        }
    }

    fn reply(&mut self, report: Report, cx: &mut Context) {
        if let Some(report) = self.list.source.reply(report, Reply::list_api_keys, cx.now) {
            self.written(report, cx);
        }
        self.resize(cx);
    }

    fn tick(&mut self, cx: &mut Context) {
        self.list.source.tick(cx);
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        let poll = self.list.source.next_change().filter(|_| view.unconnected().is_none());
        poll.into_iter().chain(self.list.next_change(self.state(view), view, below_first(view.body))).min()
    }

    fn freshness(&self) -> Option<Freshness<'_>> {
        Some(self.list.source.freshness())
    }

    fn interrupts(&self) -> Option<&'static str> {
        let unkept = self.token.as_ref().is_some_and(|token| token.kept.is_empty());
        unkept.then_some("The new token is neither copied nor saved: q again quits")
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        let title = ("API KEYS", self.token.is_none());
        let caret = self.list.draw_titled(title, self.state(view), view, view.body, buffer);
        self.token.iter().for_each(|token| token.draw(view, buffer));
        caret.filter(|_| self.token.is_none())
    }
}
