//! A form in a popup.

use super::Form;
use crate::ui::Options;
use crate::ui::action::{Action, FieldStep, Motion};
use crate::ui::pane::View;
use crate::ui::widgets::details::Details;
use crate::ui::widgets::popup;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// Columns inside the frame, where the screen has them.
pub const COLUMNS: u16 = 64;

/// Rows of a preview that are shown at once.
const PREVIEW_ROWS: usize = 8;

/// A form in a popup, as large as the form needs and the screen allows.
#[derive(Debug, Clone, PartialEq)]
pub struct FormDialog {
    /// What the frame says.
    pub title: String,
    /// What submitting does, for the bottom line: `create`, `list` …
    pub verb: &'static str,
    /// The form.
    pub form: Form,
    /// What stands below the fields, as far as there is room.
    pub about: Details,
    /// What stands there while the item with this key is marked or chosen.
    pub previews: Vec<(String, Details)>,
    /// Its lines that are scrolled away.
    scrolled: usize,
}

impl FormDialog {
    /// A dialog around a form.
    pub fn new(title: impl Into<String>, verb: &'static str, form: Form) -> Self {
        Self { title: title.into(), verb, form, about: Details::default(), previews: Vec::new(), scrolled: 0 }
    }

    /// What the bottom line says of a key that submits; nothing of the second one where two do.
    pub fn hint(&self, action: Action) -> Option<&'static str> {
        match action {
            Action::Field(FieldStep::Enter) => self.form.enter_submits().then_some(self.verb),
            Action::Submit => Some(if self.form.enter_submits() { "" } else { self.verb }),
            _ => None,
        }
    }

    /// What stands below the fields.
    fn below(&self) -> &Details {
        let key = self.form.marked(self.form.focused()).map(|item| item.key.as_str());
        self.previews.iter().find(|(of, _)| Some(of.as_str()) == key).map_or(&self.about, |(_, preview)| preview)
    }

    /// Where the form and what stands below it are drawn; the height of both is what they need.
    fn size(&self, options: &Options, screen: Rect) -> (u16, u16) {
        let columns = COLUMNS.min(screen.width.saturating_sub(4));
        // As high as the highest, so that the dialog stands still.
        let rows = |details: &Details| details.rows(options, columns.into()).len();
        let about = self.previews.iter().map(|(_, preview)| rows(preview)).max().unwrap_or(0).min(PREVIEW_ROWS);
        let about = about.max(rows(&self.about));
        let below = u16::try_from(about + usize::from(about > 0)).unwrap_or(u16::MAX);
        (columns, self.form.rows_needed(columns).saturating_add(below))
    }

    /// The areas of the form, and of what stands below it, inside the frame.
    fn areas(&self, inner: Rect) -> [Rect; 2] {
        let height = self.form.rows_needed(inner.width).min(inner.height);
        let below = (height + 1).min(inner.height);
        let about = Rect { y: inner.y + below, height: inner.height - below, ..inner };
        [Rect { height, ..inner }, about]
    }

    /// Tells the form where it is drawn; for each new size of the screen, and before a click.
    pub fn resize(&mut self, options: &Options, screen: Rect) {
        let [form, _] = self.areas(popup::inner(screen, self.size(options, screen)));
        self.form.resize(form);
    }

    /// True where page keys are for what stands below the fields.
    pub fn scrolls(&self) -> bool {
        *self.below() != Details::default()
    }

    /// Scrolls what stands below the fields.
    pub fn scroll(&mut self, motion: Motion, options: &Options, screen: Rect) {
        let [_, about] = self.areas(popup::inner(screen, self.size(options, screen)));
        self.scrolled = self.below().scroll(self.scrolled, motion, options, about);
    }

    /// Draws the dialog and returns where the cursor is.
    pub fn draw(&self, view: &View<'_>, screen: Rect, buffer: &mut Buffer) -> Option<Position> {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let inner = popup::frame(buffer, screen, self.size(view.options, screen), &self.title, theme, glyphs);
        let [form, about] = self.areas(inner);
        self.below().draw(self.scrolled, view, about, buffer);
        self.form.draw(view, form, buffer)
    }
}
