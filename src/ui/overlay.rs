//! What stands in front of the panes: one stack, owned by the app; each layer answers to the pane that opened it.

use super::action::{Action, PaneId, Scope};
use super::widgets::confirm::Confirm;
use super::widgets::form::{Form, FormDialog};
use super::widgets::input::TextInput;
use crate::api::rules::Fault;

/// Something in front of the pane. The topmost has the keys.
#[derive(Debug, Clone, PartialEq)]
pub enum Overlay {
    /// The keys that work below it, scrolled down by so many lines.
    Help(usize),
    /// The problems so far, scrolled down by so many lines.
    Messages(usize),
    /// The commands that can be given below it: what is typed, and which is marked.
    Palette(TextInput, usize),
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
    /// The scopes whose keys hold in it, the narrowest first.
    pub fn scopes(&self) -> &'static [Scope] {
        match self {
            Self::Help(_) | Self::Messages(_) => &[Scope::READER, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE],
            Self::Palette(..) => &[Scope::PICKER, Scope::TEXT, Scope::EVERYWHERE],
            Self::Form(dialog) => dialog.form.scopes(),
            Self::Confirm(confirm) => confirm.scopes(),
        }
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

/// The stack, the topmost last.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overlays(Vec<Layer>);

impl Overlays {
    /// Puts an overlay of a pane in front of all others.
    pub fn push(&mut self, owner: PaneId, name: &'static str, overlay: Overlay) {
        self.0.push(Layer { owner: Some(owner), name, overlay });
    }

    /// Puts an overlay of the app in front of all others.
    pub fn push_own(&mut self, overlay: Overlay) {
        self.0.push(Layer { owner: None, name: "", overlay });
    }

    /// The topmost layer.
    pub fn top(&self) -> Option<&Layer> {
        self.0.last()
    }

    /// The topmost layer, to be changed.
    pub fn top_mut(&mut self) -> Option<&mut Layer> {
        self.0.last_mut()
    }

    /// The layer below the topmost.
    pub fn below_top(&self) -> Option<&Layer> {
        self.0.iter().rev().nth(1)
    }

    /// All layers, the lowest first.
    pub fn layers(&self) -> &[Layer] {
        &self.0
    }

    /// Takes the topmost layer away.
    pub fn pop(&mut self) -> Option<Layer> {
        self.0.pop()
    }

    /// The open form of this name.
    pub fn form(&mut self, name: &str) -> Option<&mut Form> {
        self.0.iter_mut().find(|layer| layer.name == name).and_then(|layer| match &mut layer.overlay {
            Overlay::Form(dialog) => Some(&mut dialog.form),
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
        self.0.retain(|layer| layer.name != name);
    }

    /// True where nothing stands in front of the pane.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
