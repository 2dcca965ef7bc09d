//! The keys of the pane.

use crate::ui::action::{Action as A, Binding, Scope, bindings};

const LIST: Scope = Scope::pane("Assistants");
const INSPECTOR: Scope = Scope::pane("Assistant");
const CHAT: Scope = Scope::pane("Try it");
const RECEIVER: Scope = Scope::pane("Received webhooks");
const DELIVERY: Scope = Scope::pane("Received webhook");

/// While the list has the focus, the narrowest first.
pub const LISTING: &[Scope] = &[LIST, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While the inspector has it.
pub const INSPECTING: &[Scope] = &[INSPECTOR, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While a message of a test chat is typed.
pub const CHATTING: &[Scope] = &[CHAT, Scope::FORM, Scope::TEXT, Scope::EVERYWHERE];
/// In the list of received webhooks.
pub const LISTENING: &[Scope] = &[RECEIVER, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While one of them is read.
pub const READING_DELIVERY: &[Scope] = &[DELIVERY, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    LIST => {
        A::Open, "assistants.open", ["enter", "right", "l", "tab"], "open", "Read the selected assistant";
        A::Webhooks, "assistants.webhooks", ["w"], "webhooks", "Webhooks of the selected assistant";
        A::Chat, "assistants.try", ["t"], "try it", "Try the selected assistant in a test chat", writes;
        A::Prove, "assistants.prove", ["p"], "prove webhook", "Prove that the webhook works: switch it on, end a chat, receive it", writes;
        A::Copy, "assistants.copy", ["y"], "copy id", "Copy the assistant's id";
        A::CopyAll, "assistants.copy-uuid", ["Y"], "", "Copy the assistant's UUID";
    }
    INSPECTOR => {
        A::Back, "assistant.back", ["esc", "left", "h", "tab"], "back", "Back to the list";
        A::Webhooks, "assistant.webhooks", ["w"], "webhooks", "Webhooks of the assistant";
        A::Chat, "assistant.try", ["t"], "try it", "Try the assistant in a test chat", writes;
        A::Prove, "assistant.prove", ["p"], "prove webhook", "Prove that the webhook works: switch it on, end a chat, receive it", writes;
        A::Copy, "assistant.copy", ["y"], "copy id", "Copy the assistant's id";
        A::CopyAll, "assistant.copy-uuid", ["Y"], "copy UUID", "Copy the assistant's UUID";
    }
    CHAT => {
        A::Create, "chat.new", ["ctrl-n"], "new chat", "Start another test chat with this assistant", writes;
    }
    RECEIVER => {
        A::Open, "received.open", ["enter", "right", "l", "tab"], "", "Read the selected delivery";
        A::Prove, "received.prove", ["p"], "prove", "Prove the webhook of the selected assistant", writes;
        A::ForwardAgain, "received.forward", ["f"], "forward again", "Forward the selected delivery once more";
        A::TogglePause, "received.stop", ["x"], "", "Stop to listen, or start again";
        A::Back, "received.back", ["esc", "left", "h"], "back", "Back to the assistants; listening goes on";
        A::Copy, "received.copy", ["y"], "copy URL", "Copy the URL that is listened on";
        A::CopyAll, "received.copy-body", ["Y"], "copy body", "Copy the body of the selected delivery";
    }
    DELIVERY => {
        A::Back, "delivery.back", ["esc", "left", "h", "tab"], "back", "Back to the list";
        A::ForwardAgain, "delivery.forward", ["f"], "forward again", "Forward the delivery once more";
        A::CopyAll, "delivery.copy-body", ["Y"], "copy body", "Copy the body of the delivery";
    }
    Scope::PANES => {
        A::Go(super::ID), "assistants", ["2"], "", "Go to Assistants";
        A::Listen, "listen", ["L"], "", "Receive webhooks on this machine";
    }
};
