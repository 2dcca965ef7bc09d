//! The keys of the pane.

use crate::ui::action::{Action as A, Binding, Scope, bindings};

const LIST: Scope = Scope::pane("Assistants");
const INSPECTOR: Scope = Scope::pane("Assistant");
const CHAT: Scope = Scope::pane("Try it");

/// While the list has the focus, the narrowest first.
pub const LISTING: &[Scope] = &[LIST, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While the inspector has it.
pub const INSPECTING: &[Scope] = &[INSPECTOR, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While a message of a test chat is typed.
pub const CHATTING: &[Scope] = &[CHAT, Scope::FORM, Scope::TEXT, Scope::EVERYWHERE];

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    LIST => {
        A::Open, "assistants.open", ["enter", "right", "l", "tab"], "open", "Read the selected assistant";
        A::Webhooks, "assistants.webhooks", ["w"], "webhooks", "Webhooks of the selected assistant";
        A::Chat, "assistants.try", ["t"], "try it", "Try the selected assistant in a test chat", writes;
        A::Copy, "assistants.copy", ["y"], "copy id", "Copy the assistant's id";
        A::CopyAll, "assistants.copy-uuid", ["Y"], "", "Copy the assistant's UUID";
    }
    INSPECTOR => {
        A::Back, "assistant.back", ["esc", "left", "h", "tab"], "back", "Back to the list";
        A::Webhooks, "assistant.webhooks", ["w"], "webhooks", "Webhooks of the assistant";
        A::Chat, "assistant.try", ["t"], "try it", "Try the assistant in a test chat", writes;
        A::Copy, "assistant.copy", ["y"], "copy id", "Copy the assistant's id";
        A::CopyAll, "assistant.copy-uuid", ["Y"], "copy UUID", "Copy the assistant's UUID";
    }
    CHAT => {
        A::Create, "chat.new", ["ctrl-n"], "new chat", "Start another test chat with this assistant", writes;
    }
    Scope::PANES => {
        A::Go(super::ID), "assistants", ["2"], "", "Go to Assistants";
    }
};
