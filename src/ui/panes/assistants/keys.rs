//! The keys of the pane.

use crate::ui::action::{Action as A, Binding, Scope, bindings};

const LIST: Scope = Scope::pane("Assistants");
const INSPECTOR: Scope = Scope::pane("Assistant");
const SWITCHES: Scope = Scope::pane("Webhooks of assistants");

/// While the list has the focus, the narrowest first.
pub const LISTING: &[Scope] = &[LIST, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While the inspector has it.
pub const INSPECTING: &[Scope] = &[INSPECTOR, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While the outcomes of a change to several are on screen.
pub const SWITCHING: &[Scope] = &[SWITCHES, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    LIST => {
        A::Open, "assistants.open", ["enter", "right", "l", "tab"], "open", "Read the selected assistant";
        A::Webhooks, "assistants.webhooks", ["w"], "webhooks", "Turn webhooks of the selected assistant on or off", writes;
        A::WebhooksOfAll, "assistants.webhooks-of-all", ["W"], "", "Turn a webhook of all assistants listed on or off", writes;
        A::Restore, "assistants.undo", ["u"], "undo", "Undo the last switch of a webhook", writes;
        A::Copy, "assistants.copy", ["y"], "copy id", "Copy the assistant's id";
        A::CopyAll, "assistants.copy-uuid", ["Y"], "", "Copy the assistant's UUID";
    }
    INSPECTOR => {
        A::Back, "assistant.back", ["esc", "left", "h", "tab"], "back", "Back to the list";
        A::Webhooks, "assistant.webhooks", ["w"], "webhooks", "Turn webhooks of the assistant on or off", writes;
        A::Restore, "assistant.undo", ["u"], "undo", "Undo the last switch of a webhook", writes;
        A::Resend, "assistant.resend", ["R"], "send again", "Send the newest failed delivery again", writes;
        A::Copy, "assistant.copy", ["y"], "copy id", "Copy the assistant's id";
        A::CopyAll, "assistant.copy-uuid", ["Y"], "copy UUID", "Copy the assistant's UUID";
    }
    SWITCHES => {
        A::Back, "webhooks.back", ["esc"], "close", "Stop what has not begun, or close";
    }
    Scope::PANES => {
        A::Go(super::ID), "assistants", ["2"], "", "Go to Assistants";
    }
};
