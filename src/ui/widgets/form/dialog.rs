//! A form in a popup.

use super::Form;
use crate::ui::action::{Action, FieldStep};
use crate::ui::pane::View;
use crate::ui::widgets::popup;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// Columns inside the frame.
const COLUMNS: u16 = 64;

/// A form in a popup, as large as the form needs and the screen allows.
#[derive(Debug, Clone, PartialEq)]
pub struct FormDialog {
    /// What the frame says.
    pub title: String,
    /// What submitting does, for the bottom line: `create`, `list` …
    pub verb: &'static str,
    /// The form.
    pub form: Form,
}

impl FormDialog {
    /// A dialog around a form.
    pub fn new(title: impl Into<String>, verb: &'static str, form: Form) -> Self {
        Self { title: title.into(), verb, form }
    }

    /// What the bottom line says of a key that submits; nothing of the second one where two do.
    pub fn hint(&self, action: Action) -> Option<&'static str> {
        match action {
            Action::Field(FieldStep::Enter) => self.form.enter_submits().then_some(self.verb),
            Action::Submit => Some(if self.form.enter_submits() { "" } else { self.verb }),
            _ => None,
        }
    }

    fn size(&self, screen: Rect) -> (u16, u16) {
        let columns = COLUMNS.min(screen.width.saturating_sub(4));
        (columns, self.form.rows_needed(columns))
    }

    /// Tells the form where it is drawn; for each new size of the screen, and before a click.
    pub fn resize(&mut self, screen: Rect) {
        self.form.resize(popup::inner(screen, self.size(screen)));
    }

    /// Draws the dialog and returns where the cursor is.
    pub fn draw(&self, view: &View<'_>, screen: Rect, buffer: &mut Buffer) -> Option<Position> {
        let (theme, glyphs) = (&view.options.theme, view.options.glyphs);
        let area = popup::frame(buffer, screen, self.size(screen), &self.title, theme, glyphs);
        self.form.draw(view, area, buffer)
    }
}
