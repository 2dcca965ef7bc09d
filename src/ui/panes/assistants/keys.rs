//! The keys of the pane.

use crate::ui::action::{Action as A, Binding, Scope, bindings};

const LIST: Scope = Scope::pane("Assistants");
const INSPECTOR: Scope = Scope::pane("Assistant");

/// While the list has the focus, the narrowest first.
pub const LISTING: &[Scope] = &[LIST, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While the inspector has it.
pub const INSPECTING: &[Scope] = &[INSPECTOR, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    LIST => {
        A::Open, "assistants.open", ["enter", "right", "l", "tab"], "open", "Read the selected assistant";
        A::Webhooks, "assistants.webhooks", ["w"], "webhooks", "Webhooks of the selected assistant";
        A::Call, "assistants.call", ["C"], "call", "Call somebody with the selected assistant", writes;
        A::Copy, "assistants.copy", ["y"], "copy id", "Copy the assistant's id";
        A::CopyAll, "assistants.copy-uuid", ["Y"], "", "Copy the assistant's UUID";
    }
    INSPECTOR => {
        A::Back, "assistant.back", ["esc", "left", "h", "tab"], "back", "Back to the list";
        A::Webhooks, "assistant.webhooks", ["w"], "webhooks", "Webhooks of the assistant";
        A::Call, "assistant.call", ["C"], "call", "Call somebody with the assistant", writes;
        A::Copy, "assistant.copy", ["y"], "copy id", "Copy the assistant's id";
        A::CopyAll, "assistant.copy-uuid", ["Y"], "copy UUID", "Copy the assistant's UUID";
    }
    Scope::PANES => {
        A::Go(super::ID), "assistants", ["2"], "", "Go to Assistants";
    }
};
