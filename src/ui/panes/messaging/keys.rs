//! The keys of the pane.

use crate::ui::action::{Action as A, Binding, Scope, bindings};

/// Senders, templates and windows.
pub const PARTS: Scope = Scope::pane("Messaging");

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    PARTS => {
        A::Open, "messaging.open", ["enter"], "", "Send to this recipient or with this template; see this sender's";
        A::Send, "send", ["s"], "send", "Send a template message", writes;
        A::Freeform, "freeform", ["f"], "freeform", "Write a message in the open window", writes;
        A::Add, "add", ["a"], "add", "Watch a number; in the senders, add one by its number";
        A::Remove, "remove", ["d"], "remove", "Watch this one no longer; in the senders, forget one that was added";
        A::Restore, "restore", ["u"], "", "Watch the one again who was removed last";
        A::Outbox, "outbox", ["o"], "outbox", "See what was sent and what became of it";
        A::Many, "many", ["b"], "many", "Send one template to a file of recipients";
        A::Narrow, "messaging.narrow", ["/"], "narrow", "Narrow the windows or the templates as you type";
        A::NextPart, "messaging.next-part", ["tab", "right", "l"], "parts", "To the next part of the pane";
        A::Refresh, "messaging.refresh", ["r", "f5"], "refresh", "Ask the server now";
        A::Copy, "messaging.copy", ["y"], "copy number", "Copy the number";
        A::PreviousPart, "messaging.previous-part", ["shift-tab", "left", "h"], "", "To the part before";
    }
    Scope::PANES => {
        A::Go(super::ID), "messaging", ["3"], "", "Go to Messaging";
    }
};
