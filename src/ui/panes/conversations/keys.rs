//! The keys of the pane.

use crate::ui::action::{Action as A, Binding, Scope, Turn, bindings};

/// The list.
pub const LIST: Scope = Scope::pane("Conversations");
/// The inspector beside it.
pub const INSPECTOR: Scope = Scope::pane("Inspector");

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    LIST => {
        A::Open, "open", ["enter", "right", "l"], "open", "Open the selected conversation";
        A::Narrow, "narrow", ["/"], "narrow", "Narrow the rows of this page as you type";
        A::Filter, "filter", ["f"], "filters", "Choose type, assistant and dates";
        A::Turn(Turn::Next), "next-page", ["n"], "next", "Next page";
        A::Turn(Turn::Previous), "previous-page", ["p"], "previous page", "Previous page";
        A::Send, "conversation.send", ["s"], "send", "Send the customer a template message", writes;
        A::Refresh, "refresh", ["r", "f5"], "refresh", "Ask the server now";
        A::Copy, "copy", ["y"], "copy id", "Copy the conversation's id";
        A::TogglePause, "pause", ["space"], "pause", "Stop or take up the automatic refresh";
        A::SortColumn, "sort", ["o"], "sort", "Sort this page by the next column";
        A::SortDirection, "sort-direction", ["O"], "", "Sort this page the other way round";
        A::ClearFilters, "clear-filters", ["x"], "", "Take all filters away";
        A::JumpToPage, "jump", ["#"], "", "Jump to a page by its number";
        A::Turn(Turn::First), "first-page", ["P"], "", "First page";
        A::Turn(Turn::Last), "last-page", ["N"], "", "Last page";
        A::MoreRows, "more-rows", ["+"], "", "More rows a page";
        A::FewerRows, "fewer-rows", ["-"], "", "Fewer rows a page";
        A::CopyAll, "copy-json", ["Y"], "", "Copy the conversation as JSON";
        A::ToggleRaw, "raw", ["v"], "", "Show what the server sent, as JSON";
        A::Watch, "conversation.watch", ["W"], "", "Watch the window of the customer";
    }
    INSPECTOR => {
        A::Back, "inspector.back", ["esc", "left", "h"], "back", "Back to the list";
        A::ToggleRaw, "inspector.raw", ["v"], "raw JSON", "Show what the server sent, as JSON";
        A::Send, "inspector.send", ["s"], "send", "Send the customer a template message", writes;
        A::Copy, "inspector.copy", ["y"], "copy id", "Copy the conversation's id";
        A::CopyAll, "inspector.copy-json", ["Y"], "copy JSON", "Copy the conversation as JSON";
        A::Turn(Turn::Next), "inspector.next-page", ["n"], "", "Next page";
        A::Turn(Turn::Previous), "inspector.previous-page", ["p"], "", "Previous page";
        A::Refresh, "inspector.refresh", ["r", "f5"], "refresh", "Ask the server now";
        A::TogglePause, "inspector.pause", ["space"], "", "Stop or take up the automatic refresh";
        A::Watch, "inspector.watch", ["W"], "", "Watch the window of the customer";
    }
    Scope::PANES => {
        A::Go(super::ID), "conversations", ["1"], "", "Go to Conversations";
    }
};
