//! The keys of the pane.

use crate::ui::action::{Action as A, Binding, FieldStep, Motion, Scope, Turn, bindings};

/// The list.
pub const LIST: Scope = Scope::pane("Conversations");
/// The inspector beside it.
pub const INSPECTOR: Scope = Scope::pane("Inspector");
/// The list of calls.
pub const CALLS: Scope = Scope::pane("Calls");
/// The call beside it.
pub const CALL: Scope = Scope::pane("Call");

/// The line of a reply.
pub const REPLY: Scope = Scope::pane("Reply");
/// Where its keys come from, the narrowest first.
pub const REPLYING: &[Scope] = &[REPLY, Scope::TEXT, Scope::EVERYWHERE];

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    LIST => {
        A::Open, "open", ["enter", "right", "l"], "open", "Open the selected conversation";
        A::Narrow, "narrow", ["/"], "narrow", "Narrow the rows of this page as you type: text, ai:off, type:widget, msgs:>10, cost:>0.5, age:<1h, is:marked, ! for not";
        A::Filter, "filter", ["f"], "filters", "Filter all conversations on the server by type, assistant and days";
        A::Turn(Turn::Next), "next-page", ["n"], "next", "Next page";
        A::Turn(Turn::Previous), "previous-page", ["p"], "previous page", "Previous page";
        A::Send, "conversation.send", ["s"], "reply", "Reply to the customer below the messages; with a template once the window is closed", writes;
        A::Calls, "conversations.calls", ["]", "["], "calls", "Go to the calls";
        A::NextUrgent, "next-urgent", ["*"], "needs a person", "Go to the next conversation that needs a person: the AI is off and the customer waits, or an alert";
        A::TakeOver, "conversation.take-over", ["a"], "take over", "Take the conversation over from the AI, or hand it back", writes;
        A::Chat, "conversation.try", ["t"], "", "Try the assistant in a test chat, with the variables of this conversation", writes;
        A::CopyLink, "conversation.copy-link", ["L"], "", "Copy the web address of the conversation";
        A::OpenLink, "conversation.open-link", ["B"], "", "Open the conversation in the browser";
        A::Refresh, "refresh", ["r", "f5"], "refresh", "Refresh now";
        A::Copy, "copy", ["y"], "copy id", "Copy the conversation's id";
        A::TogglePause, "pause", ["space"], "pause", "Pause or resume automatic refresh";
        A::SortColumn, "sort", ["o"], "sort", "Sort this page by the next column";
        A::SortDirection, "sort-direction", ["O"], "", "Reverse the sort order";
        A::ClearFilters, "clear-filters", ["x"], "", "Clear all filters";
        A::FilterBySelected, "filter-by-selected", ["="], "", "Filter by the selected conversation's value in the sorted column";
        A::SaveFilter, "save-filter", [], "", "Save filter: keep the one in force under a name";
        A::SavedFilters, "saved-filters", ["F"], "", "Apply or delete a saved filter";
        A::Mark, "conversation.mark", ["m"], "", "Mark the conversation, or remove its mark";
        A::JumpToPage, "jump", ["#"], "", "Go to a page by its number";
        A::Turn(Turn::First), "first-page", ["P"], "", "First page";
        A::Turn(Turn::Last), "last-page", ["N"], "", "Last page";
        A::MoreRows, "more-rows", ["+"], "", "More rows per page";
        A::FewerRows, "fewer-rows", ["-"], "", "Fewer rows per page";
        A::CopyAll, "copy-json", ["Y"], "", "Copy the conversation as JSON";
        A::ToggleRaw, "raw", ["v"], "", "Go round transcript, facts and JSON of the conversation";
        A::Watch, "conversation.watch", ["W"], "", "Watch the customer's window";
    }
    INSPECTOR => {
        A::Back, "inspector.back", ["esc", "left", "h"], "back", "Back to the list; ends a search first";
        A::ToggleRaw, "inspector.raw", ["v"], "facts", "Go round transcript, facts and JSON";
        A::ToggleCalls, "inspector.tool-calls", ["enter"], "tool calls", "Unfold the tool calls of the message, or of all where it has none; fold them again";
        A::Copy, "inspector.copy", ["y"], "copy message", "Copy the selected message; in facts and JSON the conversation's id";
        A::CopyAll, "inspector.copy-json", ["Y"], "copy all", "Copy the whole transcript; in facts and JSON the JSON";
        A::Export, "inspector.export", ["E"], "export", "Write the conversation to a file as text, Markdown or JSON";
        A::Send, "inspector.send", ["s"], "reply", "Reply to the customer below the messages; with a template once the window is closed", writes;
        A::TakeOver, "inspector.take-over", ["a"], "take over", "Take the conversation over from the AI, or hand it back", writes;
        A::NextRecord, "inspector.next", ["J"], "next", "The next conversation of the list";
        A::PreviousRecord, "inspector.previous", ["K"], "", "The previous conversation of the list";
        A::Follow, "inspector.follow", ["o"], "", "Go to another conversation of the same customer";
        A::Chat, "inspector.try", ["t"], "", "Try the assistant in a test chat, with the variables of this conversation", writes;
        A::CopyLink, "inspector.copy-link", ["L"], "", "Copy the web address of the conversation";
        A::OpenLink, "inspector.open-link", ["B"], "", "Open the conversation in the browser";
        A::Refresh, "inspector.refresh", ["r", "f5"], "refresh", "Refresh now";
        A::TogglePause, "inspector.pause", ["space"], "", "Pause or resume automatic refresh";
        A::Watch, "inspector.watch", ["W"], "", "Watch the customer's window";
        A::Calls, "inspector.calls", ["]", "["], "", "Go to the calls";
    }
    CALLS => {
        A::Open, "calls.open", ["enter", "right", "l"], "open", "Open the selected call";
        A::Narrow, "calls.narrow", ["/"], "narrow", "Narrow the rows of this page as you type";
        A::Filter, "calls.filter", ["f"], "filters", "Filter all calls on the server by status, type, number, assistant and days";
        A::Turn(Turn::Next), "calls.next-page", ["n"], "next", "Next page";
        A::Turn(Turn::Previous), "calls.previous-page", ["p"], "previous page", "Previous page";
        A::Conversations, "calls.conversations", ["[", "]"], "conversations", "Go to the conversations";
        A::OpenLink, "calls.recording", ["B"], "recording", "Open the recording in the browser";
        A::CopyLink, "calls.copy-recording", ["L"], "", "Copy the recording's URL";
        A::Refresh, "calls.refresh", ["r", "f5"], "refresh", "Refresh now";
        A::Copy, "calls.copy", ["y"], "copy id", "Copy the call's id";
        A::TogglePause, "calls.pause", ["space"], "pause", "Pause or resume automatic refresh";
        A::SortColumn, "calls.sort", ["o"], "sort", "Sort this page by the next column";
        A::SortDirection, "calls.sort-direction", ["O"], "", "Reverse the sort order";
        A::ClearFilters, "calls.clear-filters", ["x"], "", "Clear all filters";
        A::JumpToPage, "calls.jump", ["#"], "", "Go to a page by its number";
        A::Turn(Turn::First), "calls.first-page", ["P"], "", "First page";
        A::Turn(Turn::Last), "calls.last-page", ["N"], "", "Last page";
        A::MoreRows, "calls.more-rows", ["+"], "", "More rows per page";
        A::FewerRows, "calls.fewer-rows", ["-"], "", "Fewer rows per page";
        A::CopyAll, "calls.copy-json", ["Y"], "", "Copy the call as JSON";
        A::ToggleRaw, "calls.raw", ["v"], "", "Go round transcript, facts and JSON of the call";
        A::Delete, "calls.delete", ["d"], "", "Delete the selected call", writes;
    }
    CALL => {
        A::Back, "call.back", ["esc", "left", "h"], "back", "Back to the list; ends a search first";
        A::ToggleRaw, "call.raw", ["v"], "facts", "Go round transcript, facts and JSON";
        A::OpenLink, "call.recording", ["B"], "recording", "Open the recording in the browser";
        A::CopyLink, "call.copy-recording", ["L"], "copy its URL", "Copy the recording's URL";
        A::Copy, "call.copy", ["y"], "copy message", "Copy the selected message; in facts and JSON the call's id";
        A::CopyAll, "call.copy-json", ["Y"], "copy all", "Copy the whole transcript; in facts and JSON the JSON";
        A::NextRecord, "call.next", ["J"], "next", "The next call of the list";
        A::PreviousRecord, "call.previous", ["K"], "", "The previous call of the list";
        A::Refresh, "call.refresh", ["r", "f5"], "refresh", "Refresh now";
        A::TogglePause, "call.pause", ["space"], "", "Pause or resume automatic refresh";
        A::Conversations, "call.conversations", ["[", "]"], "", "Go to the conversations";
        A::Delete, "call.delete", ["d"], "", "Delete the call", writes;
    }
    REPLY => {
        A::Submit, "reply.review", ["enter", "ctrl-s"], "review", "Ask whether to send the reply", writes;
        A::Field(FieldStep::Enter), "reply.line", ["ctrl-j"], "new line", "Begin a new line";
        A::Canned, "reply.canned", ["ctrl-r"], "canned reply", "Insert a reply from the profile's file";
        A::Back, "reply.leave", ["esc"], "leave", "Back to the messages; the text is kept";
        A::Field(FieldStep::Up), "reply.up", ["up"], "", "A line up";
        A::Field(FieldStep::Down), "reply.down", ["down"], "", "A line down";
        A::Move(Motion::PageUp), "reply.page-up", ["pgup"], "", "Scroll the messages one screen up";
        A::Move(Motion::PageDown), "reply.page-down", ["pgdn"], "", "Scroll the messages one screen down";
    }
    Scope::PANES => {
        A::Go(super::ID), "conversations", ["1"], "", "Go to Conversations";
        A::Calls, "calls", [], "", "Go to the calls";
    }
};
