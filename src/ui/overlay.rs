//! What stands in front of the panes: one stack, owned by the app; each layer answers to the pane that opened it.

use super::action::{Action, PaneId, Scope};
use super::widgets::confirm::Confirm;
use super::widgets::form::{Form, FormDialog};
use super::widgets::input::TextInput;
use super::widgets::list::Cursor;
use crate::api::rules::Fault;

/// Something in front of the pane. The topmost has the keys.
#[derive(Debug, Clone, PartialEq)]
pub enum Overlay {
    /// The keys that work below it, and the selected row.
    Help(Cursor),
    /// The problems so far, and how many lines are scrolled out at the top.
    Messages(usize),
    /// The commands that work below it: what is typed, and the marked one.
    Palette(TextInput, Cursor),
    /// A form of a pane.
    Form(Box<FormDialog>),
    /// A question of a pane before a write.
    Confirm(Box<Confirm>),
}

impl From<FormDialog> for Overlay {
    fn from(dialog: FormDialog) -> Self {
        Self::Form(Box::new(dialog))
    }
}

impl From<Confirm> for Overlay {
    fn from(confirm: Confirm) -> Self {
        Self::Confirm(Box::new(confirm))
    }
}

impl Overlay {
    /// True for help and messages, which stay behind when one goes elsewhere.
    pub fn is_reader(&self) -> bool {
        matches!(self, Self::Help(_) | Self::Messages(_))
    }

    /// True while letters are text.
    pub fn takes_text(&self) -> bool {
        match self {
            Self::Help(_) | Self::Messages(_) => false,
            Self::Palette(..) => true,
            Self::Form(dialog) => dialog.form.takes_letters(),
            Self::Confirm(confirm) => confirm.takes_text(),
        }
    }

    /// Why an action cannot be done in it now, to be read after "Not now: "; `None` where it can.
    pub fn disabled(&self, action: Action) -> Option<&'static str> {
        if let Self::Form(dialog) = self { dialog.form.disabled(action) } else { None }
    }

    /// What the bottom line says of an action in place of its binding's hint.
    pub fn hint(&self, action: Action) -> Option<&'static str> {
        if let Self::Form(dialog) = self { dialog.hint(action) } else { None }
    }
}

/// What happened to an overlay, told to the pane that opened it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlayEvent {
    /// The form of this name was submitted. It stays open until the pane closes it.
    Submitted(&'static str),
    /// A field of the form of this name has another value.
    Changed(&'static str),
    /// The confirm dialog of this name was answered with yes, and is closed.
    Confirmed(&'static str),
    /// The overlay of this name is about to close without; a form can be read one last time.
    Cancelled(&'static str),
}

impl OverlayEvent {
    /// The name of the overlay.
    pub fn name(self) -> &'static str {
        match self {
            Self::Submitted(name) | Self::Changed(name) | Self::Confirmed(name) | Self::Cancelled(name) => name,
        }
    }
}

/// A layer of the stack.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// The pane that opened it; `None` for the app's own.
    pub owner: Option<PaneId>,
    /// The name by which that pane knows it.
    pub name: &'static str,
    /// What is shown.
    pub overlay: Overlay,
}

/// The stack.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overlays {
    /// The topmost last.
    pub layers: Vec<Layer>,
}

impl Overlays {
    /// Puts an overlay of the app in front of all others.
    pub fn push_own(&mut self, overlay: Overlay) {
        self.open_own("", overlay);
    }

    /// Puts a question of the app in front of all others. Its answer comes back to the app under `name`.
    pub fn open_own(&mut self, name: &'static str, overlay: impl Into<Overlay>) {
        self.layers.push(Layer { owner: None, name, overlay: overlay.into() });
    }

    /// The topmost overlay.
    pub fn top(&self) -> Option<&Overlay> {
        self.layers.last().map(|layer| &layer.overlay)
    }

    /// The topmost overlay, to be changed.
    pub fn top_mut(&mut self) -> Option<&mut Overlay> {
        self.layers.last_mut().map(|layer| &mut layer.overlay)
    }

    /// The open form of this name.
    pub fn form(&mut self, name: &str) -> Option<&mut Form> {
        self.dialog(name).map(|dialog| &mut dialog.form)
    }

    /// The open form of this name, with what stands around it.
    pub fn dialog(&mut self, name: &str) -> Option<&mut FormDialog> {
        self.layers.iter_mut().find(|layer| layer.name == name).and_then(|layer| match &mut layer.overlay {
            Overlay::Form(dialog) => Some(&mut **dialog),
            _ => None,
        })
    }

    /// Closes the form of this name and returns what `read` made of it, or shows in it what is wrong.
    pub fn submit<T>(&mut self, name: &str, read: impl FnOnce(&Form) -> Result<T, Vec<Fault>>) -> Option<T> {
        let form = self.form(name)?;
        let value = read(form).map_err(|faults| form.set_refused(faults)).ok()?;
        self.close(name);
        Some(value)
    }

    /// Takes the layer of this name away.
    pub fn close(&mut self, name: &str) {
        self.layers.retain(|layer| layer.name != name);
    }
}

/// The scopes whose keys hold in the topmost of these layers, the narrowest first. Keys of panes hold in help and
/// messages only where nothing else stands in front of the pane.
pub fn scopes(layers: &[Layer]) -> Option<&'static [Scope]> {
    Some(match &layers.last()?.overlay {
        Overlay::Palette(..) => &[Scope::PICKER, Scope::TEXT, Scope::EVERYWHERE],
        Overlay::Form(dialog) => dialog.form.scopes(),
        Overlay::Confirm(confirm) => confirm.scopes(),
        _ if layers.iter().all(|layer| layer.overlay.is_reader()) => {
            &[Scope::READER, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE]
        }
        _ => &[Scope::READER, Scope::MOVING, Scope::EVERYWHERE],
    })
}
