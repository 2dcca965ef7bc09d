//! A record while it is edited on a screen of its own: the form, beside it what would change, the draft, and how far saving
//! has come. A pane adds the fields, the rules and the request.

use super::drafts::Draft;
use super::prelude::*;
use super::widgets::confirm::Confirm;
use super::widgets::form::FormEvent;
use super::widgets::{put_cut, put_right};
use crate::api::rules::Fault;
use crate::client::{Failure, FailureKind};
use crate::tasks::TaskId;

/// The name of the dialog before it is saved.
const SAVE: &str = "save";
/// From this width on the changes stand beside the form.
const BESIDE: u16 = 96;

/// How far saving has come; `B` is the body.
#[derive(Debug, Clone, PartialEq)]
pub enum Step<B> {
    /// Not begun.
    Editing,
    /// The record is read again.
    Reading,
    /// The dialog asks about this.
    Confirming(B),
    /// It is being sent.
    Saving(TaskId),
}

/// The form of a record with all around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Editor<B> {
    /// What the title says.
    title: String,
    /// The form.
    pub form: Form,
    /// Its draft.
    pub draft: Draft,
    /// How far saving has come.
    pub step: Step<B>,
    /// True while the changes have the focus, not the form.
    pub aside: bool,
    /// Lines of the changes that are scrolled away.
    scrolled: usize,
}

/// The areas of title, form and changes; on a narrow screen the one with the focus has all.
fn areas(body: Rect, aside: bool) -> [Rect; 3] {
    let area = Rect { x: body.x + body.width.min(1), width: body.width.saturating_sub(2), ..body };
    let title = Rect { height: area.height.min(1), ..area };
    let top = area.height.min(2);
    let below = Rect { y: area.y + top, height: area.height - top, ..area };
    let none = Rect { width: 0, height: 0, ..below };
    if body.width < BESIDE {
        return if aside { [title, none, below] } else { [title, below, none] };
    }
    let left = below.width / 2;
    [title, Rect { width: left, ..below }, Rect { x: below.x + left + 2, width: below.width - left - 2, ..below }]
}

impl<B> Editor<B> {
    /// An editor around a form.
    pub fn new(title: String, form: Form, draft: Draft) -> Self {
        Self { title, form, draft, step: Step::Editing, aside: false, scrolled: 0 }
    }

    /// Lets the form take something. What it leaves to the pane is `Changed`, `Submit` and `Cancel`.
    pub fn input(&mut self, cx: &mut Context, change: impl FnOnce(&mut Form) -> FormEvent) -> FormEvent {
        if matches!(self.step, Step::Saving(_)) {
            cx.toast("It is being saved");
            return FormEvent::Ignored;
        }
        self.form.resize(areas(cx.body, false)[1]);
        let event = change(&mut self.form);
        if event == FormEvent::OpenEditor {
            let text = self.form.text_of(self.form.focused()).to_owned();
            cx.push(Effect::EditText(text));
        }
        event
    }

    /// Does what a key means for the changes beside the form; false where it is for the form.
    pub fn act(&mut self, action: Action, details: impl FnOnce(&View<'_>) -> Details, cx: &mut Context) -> bool {
        match action {
            Action::NextPart => self.aside = !self.aside,
            Action::Back if self.aside => self.aside = false,
            Action::Move(motion) if self.aside => {
                let [.., area] = areas(cx.body, true);
                self.scrolled = details(&cx.view()).scroll(self.scrolled, motion, &cx.options, area);
            }
            _ => return self.aside,
        }
        true
    }

    /// Why an action cannot be done now.
    pub fn disabled(&self, action: Action, view: &View<'_>) -> Option<&'static str> {
        match (action, &self.step) {
            (Action::Back | Action::Submit | Action::Remove, Step::Saving(_)) => Some("it is being saved"),
            (Action::Submit, Step::Reading) => Some("it is being read again"),
            (Action::Submit, _) if view.options.read_only => Some("this is read-only"),
            (Action::Remove, _) if !self.draft.is_filled_in() => Some("no draft was filled in"),
            (action, _) => self.form.disabled(action),
        }
    }

    /// Asks before this is saved.
    pub fn confirm(&mut self, body: B, dialog: Confirm, cx: &mut Context) {
        self.step = Step::Confirming(body);
        cx.open(SAVE, dialog);
    }

    /// Takes the answer of that dialog and sends the request; false where the event is of another one.
    pub fn answer(&mut self, event: OverlayEvent, cx: &mut Context, request: impl FnOnce(B) -> Request) -> bool {
        if !matches!(event, OverlayEvent::Confirmed(SAVE) | OverlayEvent::Cancelled(SAVE)) {
            return false;
        }
        if let Step::Confirming(body) = std::mem::replace(&mut self.step, Step::Editing)
            && event == OverlayEvent::Confirmed(SAVE)
        {
            self.save(request(body), cx);
        }
        true
    }

    /// Sends the request that saves it.
    pub fn save(&mut self, request: Request, cx: &mut Context) {
        self.step = Step::Saving(cx.run(Origin::new(cx.pane.0), request));
    }

    /// True where the report is of that request, which ends with it.
    pub fn end(&mut self, report: &Report) -> bool {
        let ended = matches!(self.step, Step::Saving(task) if task == report.id);
        if ended {
            self.step = Step::Editing;
        }
        ended
    }

    /// Shows below its fields what the server refused; what it said of no field, or why else it failed, as a problem.
    pub fn refuse(&mut self, what: &str, done: &str, failure: &Failure, cx: &mut Context) {
        self.step = Step::Editing;
        let refused: Vec<_> = match &failure.kind {
            FailureKind::Status { body: Some(body), .. } => {
                body.field_errors().map(|(field, text)| Fault::new(field.to_owned(), text)).collect()
            }
            _ => Vec::new(),
        };
        if refused.is_empty() || !self.form.set_refused(refused).is_empty() {
            cx.write_failed("", what, done, failure);
        }
    }

    /// Draws it with what would change; `discard` is the key that discards the draft. Returns where the cursor is.
    pub fn draw(&self, details: &Details, discard: &str, view: &View<'_>, buffer: &mut Buffer) -> Option<Position> {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let [title, form, aside] = areas(view.body, self.aside);
        let (said, style) = match &self.step {
            Step::Reading => ("reading it again".to_owned(), theme.dim),
            Step::Saving(_) => ("saving".to_owned(), theme.dim),
            _ => (self.draft.words(discard, view).unwrap_or_default(), theme.warning),
        };
        put_cut(buffer, title, &Line::styled(&*self.title, theme.accent), glyphs.ellipsis);
        put_right(buffer, title, &Line::styled(said, style));
        if !aside.is_empty() {
            let head = Rect { y: title.y + 1, height: 1, ..aside };
            let style = if self.aside { theme.accent } else { theme.dim };
            put_cut(buffer, head, &Line::styled("CHANGES", style), glyphs.ellipsis);
            details.draw(self.scrolled, view, aside, buffer);
        }
        if !aside.is_empty() && !form.is_empty() {
            let edge = Rect { x: aside.x - 2, y: title.y + 1, width: 1, height: form.height + 1 };
            column(buffer, edge, glyphs.vertical, theme.dim);
        }
        let caret = (!form.is_empty()).then(|| self.form.draw(view, form, buffer)).flatten();
        caret.filter(|_| !self.aside)
    }
}

/// Begins what the dialog says where somebody else has changed the record since the form was opened.
pub fn changed_elsewhere(details: Details, view: &View<'_>) -> Details {
    details.text("Somebody else has changed it since the form was opened:").styled(view.options.theme.warning)
}

/// What becomes of a field that somebody else has changed.
pub fn fate(replaced: bool, view: &View<'_>) -> (&'static str, Style) {
    if replaced {
        ("yours replaces it, as below", view.options.theme.warning)
    } else {
        ("kept: not changed in this form", view.options.theme.dim)
    }
}

/// The scopes of a form on a screen of its own, by its field: those of the pane, then those of the field.
macro_rules! editor_scopes {
    ($editor:expr, $form:expr, $changes:expr) => {{
        let field = $editor.form.scopes();
        let has = |scope| field.contains(&scope);
        match (has(Scope::ROWS), has(Scope::CHOICE), has(Scope::TEXT)) {
            _ if $editor.aside => &[$changes, Scope::MOVING, Scope::EVERYWHERE],
            (true, true, _) => &[$form, Scope::FORM, Scope::ROWS, Scope::CHOICE, Scope::EVERYWHERE],
            (true, _, false) => &[$form, Scope::FORM, Scope::ROWS, Scope::EVERYWHERE],
            (true, _, true) => &[$form, Scope::FORM, Scope::ROWS, Scope::TEXT, Scope::EVERYWHERE],
            (_, true, _) => &[$form, Scope::FORM, Scope::CHOICE, Scope::EVERYWHERE],
            _ => &[$form, Scope::FORM, Scope::TEXT, Scope::EVERYWHERE],
        }
    }};
}
pub(in crate::ui) use editor_scopes;
