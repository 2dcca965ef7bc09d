//! The keys of the pane.

use super::edit::Editor;
use super::history::History;
use crate::ui::action::{Action as A, Binding, Scope, bindings};
use crate::ui::editor::editor_scopes;
use crate::ui::prelude::{NARROWING, SEARCHING};

const LIST: Scope = Scope::pane("Assistants");
const INSPECTOR: Scope = Scope::pane("Assistant");
const SWITCHES: Scope = Scope::pane("Webhooks of assistants");
const CHAT: Scope = Scope::pane("Try it");
const RECEIVER: Scope = Scope::pane("Received webhooks");
const DELIVERY: Scope = Scope::pane("Received webhook");

/// While the list has the focus, the narrowest first.
pub const LISTING: &[Scope] = &[LIST, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While the inspector has it.
pub const INSPECTING: &[Scope] = &[INSPECTOR, Scope::DETAILS, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While the outcomes of a change to several are on screen.
pub const SWITCHING: &[Scope] = &[SWITCHES, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];

/// The form of an assistant.
pub const FORM: &[Scope] = &[EDIT];
const EDIT: Scope = Scope::pane("Assistant form");
const CHANGES: Scope = Scope::pane("Changes");
const VERSIONS: Scope = Scope::pane("Versions");
const END: Scope = Scope::EVERYWHERE;

/// The scopes of the form, by its field.
pub fn editing(editor: &Editor) -> &'static [Scope] {
    editor_scopes!(editor.kit, EDIT, CHANGES)
}

/// The scopes of the history.
pub fn history(history: &History) -> &'static [Scope] {
    match (history.list.narrowing, history.reading) {
        (true, _) => NARROWING,
        (_, true) if history.reader.is_typing() => SEARCHING,
        (_, true) => &[VERSIONS, Scope::DETAILS, Scope::MOVING, Scope::PANES, END],
        _ => &[VERSIONS, Scope::LIST, Scope::MOVING, Scope::PANES, END],
    }
}
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
        A::Webhooks, "assistants.webhooks", ["w"], "webhooks", "Turn webhooks of the selected assistant on or off", writes;
        A::WebhooksOfAll, "assistants.webhooks-of-all", ["W"], "", "Turn a webhook of all assistants listed on or off", writes;
        A::Restore, "assistants.undo", ["u"], "undo", "Undo the last switch of a webhook", writes;
        A::Edit, "assistants.edit", ["e"], "edit", "Edit the selected assistant", writes;
        A::Create, "assistants.create", ["c"], "create", "Create an assistant", writes;
        A::Duplicate, "assistants.duplicate", ["D"], "", "Create a copy of the selected assistant", writes;
        A::Delete, "assistants.delete", ["d"], "", "Delete the selected assistant", writes;
        A::History, "assistants.history", ["H"], "history", "Earlier versions of the selected assistant";
        A::Chat, "assistants.try", ["t"], "try it", "Try the selected assistant in a test chat", writes;
        A::Prove, "assistants.prove", ["p"], "prove webhook", "Prove that the webhook works: switch it on, end a chat, receive it", writes;
        A::Call, "assistants.call", ["C"], "call", "Call somebody with the selected assistant", writes;
        A::Copy, "assistants.copy", ["y"], "copy id", "Copy the assistant's id";
        A::CopyAll, "assistants.copy-uuid", ["Y"], "", "Copy the assistant's UUID";
    }
    INSPECTOR => {
        A::Back, "assistant.back", ["esc", "left", "h", "tab"], "back", "Back to the list";
        A::Edit, "assistant.edit", ["e"], "edit", "Edit the assistant", writes;
        A::Webhooks, "assistant.webhooks", ["w"], "webhooks", "Turn webhooks of the assistant on or off", writes;
        A::Call, "assistant.call", ["C"], "call", "Call somebody with the assistant", writes;
        A::Chat, "assistant.try", ["t"], "try it", "Try the assistant in a test chat", writes;
        A::History, "assistant.history", ["H"], "history", "Earlier versions of the assistant";
        A::Follow, "assistant.uses", ["o"], "tools", "Go to a tool or the knowledgebase of the assistant";
        A::Delete, "assistant.delete", ["d"], "", "Delete the assistant", writes;
        A::Restore, "assistant.undo", ["u"], "undo", "Undo the last switch of a webhook", writes;
        A::Resend, "assistant.resend", ["R"], "send again", "Send the newest failed delivery again", writes;
        A::Prove, "assistant.prove", ["p"], "prove webhook", "Prove that the webhook works: switch it on, end a chat, receive it", writes;
        A::Copy, "assistant.copy", ["y"], "copy id", "Copy the assistant's id";
        A::CopyAll, "assistant.copy-uuid", ["Y"], "copy UUID", "Copy the assistant's UUID";
    }
    EDIT => {
        A::NextPart, "assistant-form.changes", ["ctrl-o"], "changes", "Go to the changes, to scroll them, and back";
        A::Open, "assistant-form.listen", ["ctrl-p"], "", "Open a sample of the chosen voice";
        A::Remove, "assistant-form.discard", ["ctrl-r"], "", "Discard the draft that was filled in";
    }
    CHANGES => {
        A::Back, "assistant-changes.back", ["esc", "ctrl-o", "q"], "back", "Back to the form";
    }
    VERSIONS => {
        A::Open, "versions.open", ["enter", "right", "l", "tab"], "read", "Go to the comparison, to scroll it, and back";
        A::Compare, "versions.compare", ["v"], "compare", "Compare with what is now, or with the version before";
        A::Restore, "versions.restore", ["R"], "restore", "Open the form with what this version had; webhooks stay as they are", writes;
        A::Back, "versions.back", ["esc", "left", "h"], "back", "Back";
    }
    SWITCHES => {
        A::Back, "webhooks.back", ["esc"], "close", "Stop what has not begun, or close";
    }
    CHAT => {
        A::Create, "chat.new", ["ctrl-n"], "new chat", "Start another test chat with this assistant", writes;
        A::ToggleCalls, "chat.tool-calls", ["ctrl-o"], "tool calls", "Unfold the tool calls with arguments and results, or fold them";
    }
    RECEIVER => {
        A::Open, "received.open", ["enter", "right", "l", "tab"], "", "Read the selected delivery";
        A::Prove, "received.prove", ["p"], "prove", "Prove the webhook of the selected assistant", writes;
        A::ForwardAgain, "received.forward", ["f"], "forward again", "Forward the selected delivery once more";
        A::TogglePause, "received.stop", ["x"], "", "Stop listening, or start again";
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
