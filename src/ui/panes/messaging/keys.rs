//! The keys of the pane.

use crate::ui::action::{Action as A, Binding, Scope, bindings};

/// Senders, templates and windows.
pub const PARTS: Scope = Scope::pane("Messaging");

/// The outbox.
pub const OUTBOX: Scope = Scope::pane("Outbox");

/// The path of a file of recipients.
pub const BATCH_FILE: Scope = Scope::pane("Batch: file");
/// The columns of the file.
pub const BATCH_COLUMNS: Scope = Scope::pane("Batch: columns");
/// The dry run.
pub const BATCH_REVIEW: Scope = Scope::pane("Batch: dry run");
/// The seconds before the first row.
pub const BATCH_HELD: Scope = Scope::pane("Batch: about to start");
/// A running or finished batch.
pub const BATCH_RUNNING: Scope = Scope::pane("Batch: sending");
/// All stages of a batch but the first two.
pub const BATCH: Scope = Scope::pane("Batch");

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
        A::Check, "outbox.check", ["c"], "check", "Look up what the server knows of a send or call with an unknown outcome";
        A::MarkSent, "outbox.mark-sent", ["m"], "mark sent", "Mark a send with an unknown outcome as sent";
        A::MarkNotSent, "outbox.mark-not-sent", ["u"], "mark not sent", "Mark a send with an unknown outcome as not sent";
        A::Send, "outbox.send", ["s"], "write again", "Write a message that was not sent again", writes;
        A::Open, "outbox.open", ["enter"], "details", "Focus the details, or return to the list";
        A::OnlyProblems, "outbox.unknown", ["f"], "unknown only", "List only sends with an unknown outcome, or all";
        A::Narrow, "outbox.narrow", ["/"], "narrow", "Narrow the outbox as you type: name, number, template, text, outcome";
        A::Copy, "outbox.copy", ["y"], "copy number", "Copy the recipient's number";
        A::CopyAll, "outbox.copy-text", ["Y"], "", "Copy the text of the message, where it is known";
        A::Refresh, "outbox.refresh", ["r", "f5"], "refresh", "Read the outbox again";
        A::Back, "outbox.back", ["esc", "q", "o"], "back", "Close the details, then the outbox";
    }
    BATCH_FILE => {
        A::Resume, "batch.resume", ["ctrl-r"], "resume the last batch", "Go on with the batch that was interrupted";
    }
    BATCH_COLUMNS => {
        A::Submit, "batch.review", ["enter"], "continue", "To the next value without a column, then to the dry run";
    }
    BATCH_REVIEW => {
        A::Submit, "batch.send", ["enter"], "send", "Ask whether to send", writes;
        A::Edit, "batch.columns", ["m"], "columns", "Choose the columns again";
        A::IncludeSent, "batch.include-sent", ["a"], "", "Include recipients who were sent this template before, or skip them";
    }
    BATCH_HELD => {
        A::CancelBatch, "batch.take-back", ["u"], "take back", "Take the batch back; nothing is sent";
    }
    BATCH_RUNNING => {
        A::TogglePause, "batch.pause", ["space"], "pause", "Pause the batch, or resume it";
        A::CancelBatch, "batch.cancel", ["x"], "cancel", "Send none of the rows that are left; press twice";
        A::Save, "batch.save", ["w"], "write results", "Write the results once more, where that failed";
    }
    BATCH => {
        A::Outbox, "batch.outbox", ["o"], "outbox", "List the messages sent and their outcomes";
        A::Back, "batch.back", ["esc"], "back", "To the stage before; leaves a running batch, which goes on";
    }
    Scope::PANES => {
        A::Go(super::ID), "messaging", ["3"], "", "Go to Messaging";
    }
};
