//! Mid call tools: what each calls and with what, which assistants use it, and what can be done with it.

mod curl;
mod edit;
mod import;
mod inspector;
mod keys;
mod known;
mod row;
mod trial;

use crate::api::{Rows, Tool};
use crate::ui::attachments::{Attachments, Kind, Part};
use crate::ui::by_number::ByNumber;
use crate::ui::layout::{self, list_and_inspector as areas};
use crate::ui::prelude::*;
use crate::ui::route::Route;
use crate::ui::widgets::form::FormEvent;
use crate::ui::widgets::table;
use edit::{ToolEditor, Values, Writes};
use row::Row;
use trial::Trials;

/// The name of the pane.
pub const ID: PaneId = PaneId("tools");
/// The pane in the registry.
pub const PANE: Registration = Registration {
    id: ID,
    title: "Tools",
    digit: '5',
    bindings: keys::BINDINGS,
    new: |_, _| Box::new(Tools::default()),
};

/// A list older than this is loaded again when the pane is shown.
const STALE: Duration = Duration::from_secs(60);

/// What is on screen.
#[derive(Debug, Clone, PartialEq, Default)]
enum Front {
    /// The list with the inspector.
    #[default]
    List,
    /// The form of a tool.
    Edit(Box<ToolEditor>),
    /// What was tried, and the answers.
    Tries,
}

/// The state of the pane.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tools {
    list: Browser<Rows<Row>>,
    front: Front,
    /// The inspector has the focus.
    inspecting: bool,
    /// Lines of the inspector that are scrolled away.
    scrolled: usize,
    /// The tool whose secrets are shown.
    shows_secrets: Option<i64>,
    known: ByNumber<Tool>,
    writes: Writes,
    attachments: Attachments,
    trials: Trials,
    /// The tool that the form of the export is of: its name and its values.
    exported: Option<(String, Values)>,
    /// How long the text to import was after its last change, in bytes.
    pasted: usize,
    /// The text with secrets that the dialog asks about.
    copied: Option<String>,
    /// The tool to select once it is listed.
    wanted: Option<i64>,
}

impl Tools {
    fn selected(&self) -> Option<&Row> {
        self.list.selected()
    }

    /// Makes the rows of what has come: the list, or the tools that were added by number where there is none.
    fn refresh(&mut self, cx: &mut Context) {
        let data = &cx.data;
        let rows: Rows<Row> = if data.tools.is_offered() {
            let all = data.tools.value();
            let unreadable = all.map(|all| all.unreadable.clone()).unwrap_or_default();
            Rows { rows: all.into_iter().flatten().filter_map(|tool| Row::new(tool, data)).collect(), unreadable }
        } else {
            known::rows(&self.known, data).into()
        };
        self.list.source = rows;
        self.list.refresh(&cx.view(), below_first(areas(cx.body, false)[0]));
        if let Some(id) = self.wanted.take_if(|id| self.list.source.iter().any(|row| row.id == *id)) {
            self.select(id, cx);
        }
        if !cx.data.tools.is_offered() {
            self.known.load(cx);
        }
    }

    fn select(&mut self, id: i64, cx: &Context) {
        self.list.state.select(id, table::height(below_first(areas(cx.body, false)[0])));
        self.scrolled = 0;
    }

    fn fetch(&mut self, cx: &mut Context) {
        cx.data.fetch(Item::Tools, &mut cx.tasks, cx.now);
        cx.data.all_assistants.fetch(&mut cx.tasks, cx.now);
        self.known.refresh(cx);
    }

    fn state<'a>(&'a self, view: &'a View<'_>) -> Option<State<'a>> {
        let tools = &view.data.tools;
        if !self.list.source.is_empty() {
            return None;
        }
        if tools.is_offered() {
            let none = || State::Empty("No tools".into(), "c creates one, i imports one from a curl command.".into());
            return tools.state("The tools", view).or_else(|| Some(none()));
        }
        let what = "This server does not list tools.".into();
        Some(State::NotOffered(what, "a adds one by its id, c creates one.".into()))
    }

    fn details(&self, row: &Row, columns: u16, view: &View<'_>) -> Details {
        inspector::details(row, self.shows_secrets == Some(row.id), columns.into(), view)
    }

    fn scroll(&mut self, motion: Motion, cx: &Context) {
        let area = layout::inspector_text(areas(cx.body, true)[1], cx.body);
        if let Some(row) = self.selected() {
            let details = self.details(row, area.width, &cx.view());
            self.scrolled = details.scroll(self.scrolled, motion, &cx.options, area);
        }
    }

    /// Why an action cannot be done in the list.
    fn disabled_in_list(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        use Action as A;
        if let Some(reason) = self.no_write(action) {
            return Some(reason);
        }
        let listed = view.data.tools.is_offered();
        match (action, self.selected()) {
            (A::Add, _) if listed => Some("this server lists its tools"),
            (A::Remove, _) if listed => Some("this server lists its tools; d deletes one"),
            (
                A::Open
                | A::Edit
                | A::Duplicate
                | A::Delete
                | A::Copy
                | A::CopyAll
                | A::Remove
                | A::Attach
                | A::Detach
                | A::Export
                | A::Try
                | A::ShowSecrets,
                None,
            ) => Some("no tool is selected"),
            (A::Edit | A::Duplicate | A::CopyAll | A::Export, Some(row)) if row.tool.id.known().is_none() => {
                Some("the tool is not loaded")
            }
            (A::Try, Some(row)) => self.cannot_try(row, view),
            (A::Attach, Some(row)) => self.attachments.disabled(true, Kind::Tool, row.id, view),
            (A::Detach, Some(row)) => self.attachments.disabled(false, Kind::Tool, row.id, view),
            _ => None,
        }
    }

    fn act_in_list(&mut self, action: Action, cx: &mut Context) {
        let Some(row) = self.selected() else { return };
        let (id, name) = (row.id, row.name.clone());
        match action {
            Action::Open => self.inspecting = true,
            Action::Copy => cx.copy("Id", id.to_string()),
            Action::CopyAll => cx.copy("Endpoint", row.tool.endpoint.known().cloned()),
            Action::Export => self.open_export(cx),
            Action::Try => {
                let tool = row.tool.clone();
                self.open_try((id, name, tool), cx);
            }
            Action::Attach | Action::Detach => {
                self.attachments.open(Part { kind: Kind::Tool, id, name }, action == Action::Attach, cx);
            }
            Action::ShowSecrets => {
                self.shows_secrets = if self.shows_secrets == Some(id) { None } else { Some(id) };
            }
            Action::Remove => {
                self.known.remove(id, cx);
                cx.toast(format!("Tool {id} is no longer listed; the server still has it"));
                self.refresh(cx);
            }
            action => self.act_on_record(action, cx),
        }
    }
}

impl Pane for Tools {
    fn scopes(&self) -> &'static [Scope] {
        match &self.front {
            Front::Edit(editor) => keys::editing(editor),
            Front::Tries if self.trials.reading => keys::READING_TRY,
            Front::Tries => keys::TRYING,
            Front::List if self.list.narrowing => NARROWING,
            Front::List if self.inspecting => keys::INSPECTING,
            Front::List => keys::LISTING,
        }
    }

    fn takes_text(&self) -> bool {
        match &self.front {
            Front::Edit(editor) => !editor.kit.aside && editor.kit.form.takes_letters(),
            Front::List => self.list.narrowing,
            Front::Tries => false,
        }
    }

    fn list(&mut self, body: Rect) -> Option<(&mut dyn List, Rect)> {
        match self.front {
            Front::List => Some((&mut self.list, below_first(areas(body, false)[0]))),
            Front::Tries => Some((&mut self.trials.list, below_first(areas(body, false)[0]))),
            Front::Edit(_) => None,
        }
    }

    fn disabled(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        match &self.front {
            Front::Edit(editor) => editor.kit.disabled(action, view),
            Front::List => self.disabled_in_list(action, view),
            Front::Tries => self.disabled_in_tries(action, view),
        }
    }

    fn show(&mut self, shown: bool, cx: &mut Context) {
        if !shown {
            return self.put_aside(cx);
        }
        for loaded in [cx.data.tools.freshness().loaded, cx.data.all_assistants.freshness().loaded] {
            if loaded.is_some_and(|loaded| cx.now.mono > loaded.mono + STALE) {
                self.fetch(cx);
                break;
            }
        }
        cx.data.want(Item::Tools, &mut cx.tasks, cx.now);
        cx.data.all_assistants.want(&mut cx.tasks, cx.now);
        self.refresh(cx);
    }

    fn route(&mut self, route: Route, cx: &mut Context) {
        if let Route::Tool(id) = route {
            self.put_aside(cx);
            (self.front, self.inspecting) = (Front::List, false);
            self.wanted = Some(id);
            self.refresh(cx);
        }
    }

    fn act(&mut self, action: Action, cx: &mut Context) {
        match self.front {
            Front::Edit(_) => return self.act_in_form(action, cx),
            Front::Tries => return self.act_in_tries(action, cx),
            Front::List => {}
        }
        match action {
            Action::Move(motion) if self.inspecting => return self.scroll(motion, cx),
            Action::Back if self.inspecting => {
                self.inspecting = false;
                return;
            }
            _ => {}
        }
        let before = self.selected().map(|row| row.id);
        let listed = !self.inspecting && self.list.act(action, below_first(areas(cx.body, false)[0]));
        if self.selected().map(|row| row.id) != before {
            (self.scrolled, self.shows_secrets) = (0, None);
        }
        match action {
            _ if listed => {}
            Action::Refresh => self.fetch(cx),
            Action::Create => self.act_on_record(action, cx),
            Action::Add => ByNumber::<Tool>::open(cx),
            Action::Import => self.open_import(cx),
            Action::History => self.front = Front::Tries,
            _ => self.act_in_list(action, cx),
        }
    }

    fn text(&mut self, input: &Input, cx: &mut Context) {
        self.with_form(cx, |form| form.text(input));
        if let Some((list, area)) = self.list(cx.body) {
            list.text(input, area);
        }
    }

    fn mouse(&mut self, mouse: Mouse, cx: &mut Context) -> Option<Action> {
        if mouse.kind == MouseKind::Press {
            self.with_form(cx, |form| form.click(mouse.x, mouse.y));
        }
        let (list, area) = self.list(cx.body)?;
        list.mouse(mouse, &cx.view(), area)
    }

    fn edited(&mut self, text: &str, cx: &mut Context) {
        let Front::Edit(editor) = &mut self.front else { return };
        if !editor.edited(text, cx) {
            self.with_form(cx, |form| {
                let path = form.focused().to_owned();
                form.set(&path, text);
                FormEvent::Changed
            });
        }
    }

    fn overlay(&mut self, event: OverlayEvent, cx: &mut Context) {
        if !self.attachments.overlay(event, cx) {
            self.edit_overlay(event, cx);
            self.known.overlay(event, cx);
            self.import_overlay(event, cx);
            self.try_overlay(event, cx);
        }
    }

    fn data_changed(&mut self, cx: &mut Context) {
        self.refresh(cx);
        self.listed_again(cx);
        self.attachments.data_changed(cx);
    }

    fn reply(&mut self, report: Report, cx: &mut Context) {
        let report = self.attachments.reply(report, cx).and_then(|report| self.edit_reply(report, cx));
        // A reply that nobody awaits any more is dropped.
        let report = report.and_then(|report| self.try_reply(report, cx));
        drop(report.and_then(|report| self.known_reply(report, cx)));
        self.refresh(cx);
    }

    fn resize(&mut self, cx: &mut Context) {
        self.refresh(cx);
    }

    fn put_aside(&mut self, cx: &mut Context) {
        if let Front::Edit(editor) = &mut self.front {
            editor.save_draft(true, cx);
        }
    }

    fn tick(&mut self, cx: &mut Context) {
        if let Front::Edit(editor) = &mut self.front {
            editor.save_draft(false, cx);
        }
    }

    fn interrupts(&self) -> Option<&'static str> {
        self.tries().then_some("A tool is being tried: q again quits, and its answer is not seen")
    }

    fn next_change(&self, view: &View<'_>) -> Option<Instant> {
        let rows = self.list.next_change(self.state(view), view, below_first(areas(view.body, false)[0]));
        let draft = if let Front::Edit(editor) = &self.front { editor.kit.draft.next_change() } else { None };
        rows.into_iter().chain(draft).min()
    }

    fn draw(&self, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        match &self.front {
            Front::Edit(editor) => return editor.draw(view, buffer),
            Front::Tries => {
                self.draw_tries(view, buffer);
                return None;
            }
            Front::List => {}
        }
        let [list, inspector] = areas(view.body, self.inspecting);
        let outdated = view.data.tools.is_offered() && view.data.tools.failure().is_some();
        let title = (if outdated { "TOOLS, not refreshed" } else { "TOOLS" }, !self.inspecting);
        let drawn = |list| self.list.draw_titled(title, self.state(view), view, list, buffer);
        let caret = (!list.is_empty()).then_some(list).and_then(drawn);
        if !list.is_empty() && !inspector.is_empty() {
            let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
            let style = if self.inspecting { theme.accent } else { theme.dim };
            column(buffer, Rect { width: 1, ..inspector }, glyphs.vertical, style);
        }
        if let Some(row) = self.selected().filter(|_| !inspector.is_empty()) {
            let inner = layout::inspector_text(inspector, view.body);
            self.details(row, inner.width, view).draw(self.scrolled, view, inner, buffer);
        }
        caret
    }
}
