//! The keys of the pane.

use crate::ui::action::{Action as A, Binding, Scope, bindings};

/// Senders, templates and windows.
pub const PARTS: Scope = Scope::pane("Messaging");

/// The outbox.
pub const OUTBOX: Scope = Scope::pane("Outbox");

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    PARTS => {
        A::Open, "messaging.open", ["enter"], "", "Send to this recipient or with this template; show this sender's templates";
        A::Send, "send", ["s"], "send", "Send a template message", writes;
        A::Freeform, "freeform", ["f"], "freeform", "Write a message in the open window", writes;
        A::Add, "add", ["a"], "add", "Watch a number; in the senders, add one by its id";
        A::Remove, "remove", ["d"], "remove", "Stop watching this number; in the senders, remove one that was added";
        A::Restore, "restore", ["u"], "", "Watch the number again that was removed last";
        A::Outbox, "outbox", ["o"], "outbox", "List the messages sent and their outcomes";
        A::Many, "many", ["b"], "many", "Send one template to a file of recipients";
        A::Narrow, "messaging.narrow", ["/"], "narrow", "Narrow the windows or the templates as you type";
        A::NextPart, "messaging.next-part", ["tab", "right", "l"], "parts", "To the next part of the pane";
        A::Refresh, "messaging.refresh", ["r", "f5"], "refresh", "Request senders, templates and windows now";
        A::Copy, "messaging.copy", ["y"], "copy number", "Copy the number";
        A::PreviousPart, "messaging.previous-part", ["shift-tab", "left", "h"], "", "To the previous part of the pane";
    }
    OUTBOX => {
        A::Check, "outbox.check", ["c"], "check", "Check the window and the last messages of a send with an unknown outcome";
        A::MarkSent, "outbox.mark-sent", ["m"], "mark sent", "Mark a send with an unknown outcome as sent";
        A::MarkNotSent, "outbox.mark-not-sent", ["u"], "mark not sent", "Mark a send with an unknown outcome as not sent";
        A::Send, "outbox.send", ["s"], "write again", "Write a message that was not sent again", writes;
        A::Open, "outbox.open", ["enter"], "details", "Focus the details, or return to the list";
        A::OnlyProblems, "outbox.unknown", ["f"], "unknown only", "List only sends with an unknown outcome, or all";
        A::Refresh, "outbox.refresh", ["r", "f5"], "refresh", "Read the outbox again";
        A::Back, "outbox.back", ["esc", "q", "o"], "back", "Close the details, then the outbox";
    }
    Scope::PANES => {
        A::Go(super::ID), "messaging", ["3"], "", "Go to Messaging";
    }
};
