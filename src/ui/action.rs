//! Everything that a key can do, in one table: the bottom line, the help, the palette and the config file's `[keys]`
//! all read it, so none of them can be wrong about another.

use crate::ui::input::{Key, KeyCode};

/// A pane: a tab of the title line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaneId {
    /// The list of conversations.
    Conversations,
    /// Senders, templates and windows.
    Messaging,
    /// The log of requests.
    Activity,
}

impl PaneId {
    /// The panes in the order of their tabs.
    pub const ALL: [Self; 3] = [Self::Conversations, Self::Messaging, Self::Activity];

    /// Its name.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Conversations => "Conversations",
            Self::Messaging => "Messaging",
            Self::Activity => "Activity",
        }
    }

    /// The key that leads to it, by default.
    pub const fn digit(self) -> &'static str {
        match self {
            Self::Conversations => "1",
            Self::Messaging => "3",
            Self::Activity => "8",
        }
    }
}

/// Something that a key can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Move the selection or the text.
    Move(Motion),
    /// Go to a pane.
    Go(PaneId),
    /// Go to the part of the pane that is next.
    NextPart,
    /// Go to the part before.
    PreviousPart,
    /// Open what is selected.
    Open,
    /// Close one thing.
    Back,
    /// Ask the server now.
    Refresh,
    /// Stop or take up asking by itself.
    TogglePause,
    /// Turn pages.
    Turn(Turn),
    /// Ask which page to go to.
    JumpToPage,
    /// Show more rows a page.
    MoreRows,
    /// Show fewer rows a page.
    FewerRows,
    /// Ask which conversations to list.
    Filter,
    /// List all of them.
    ClearFilters,
    /// Narrow the rows that are there.
    Narrow,
    /// Sort by the next column.
    SortColumn,
    /// Sort the other way round.
    SortDirection,
    /// Copy the identity of what is selected.
    Copy,
    /// Copy the whole of what is selected.
    CopyAll,
    /// Show what the server sent.
    ToggleRaw,
    /// Give up on a request.
    CancelRequest,
    /// Write a template message.
    Send,
    /// Write a message in an open window.
    Freeform,
    /// Watch a recipient, or remember a sender.
    Add,
    /// Watch or remember it no longer.
    Remove,
    /// Watch the one that was removed last again.
    Restore,
    /// Watch the customer of the selected conversation.
    Watch,
    /// See what was sent and what became of it.
    Outbox,
    /// Send one template to many.
    Many,
    /// Explain the keys.
    Help,
    /// Find an action by its name.
    Palette,
    /// Read the messages.
    Messages,
    /// Draw the screen anew.
    Redraw,
    /// Stop for a while.
    Suspend,
    /// End.
    Quit,
}

/// A movement in a list or a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Motion {
    /// One row down.
    Down,
    /// One row up.
    Up,
    /// One screen down.
    PageDown,
    /// One screen up.
    PageUp,
    /// To the first row.
    Top,
    /// To the last row.
    Bottom,
}

impl Motion {
    /// How a key moves through a list where every key is taken before the bindings are asked.
    pub fn of(key: Key) -> Option<Self> {
        match key.code {
            KeyCode::Down | KeyCode::Char('j') => Some(Self::Down),
            KeyCode::Up | KeyCode::Char('k') => Some(Self::Up),
            KeyCode::PageDown => Some(Self::PageDown),
            KeyCode::PageUp => Some(Self::PageUp),
            KeyCode::Home | KeyCode::Char('g') => Some(Self::Top),
            KeyCode::End | KeyCode::Char('G') => Some(Self::Bottom),
            _ => None,
        }
    }
}

/// A page to turn to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The one after.
    Next,
    /// The one before.
    Previous,
    /// The first.
    First,
    /// The last.
    Last,
}

/// Where a binding holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The list of conversations.
    Conversations,
    /// The inspector beside it.
    Inspector,
    /// Senders, templates and windows.
    Messaging,
    /// The log of requests.
    Activity,
    /// Wherever something can be moved through.
    Moving,
    /// Everywhere but in a text field.
    Everywhere,
}

impl Scope {
    /// What the help calls it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Conversations => "Conversations",
            Self::Inspector => "Inspector",
            Self::Messaging => "Messaging",
            Self::Activity => "Activity",
            Self::Moving => "Moving",
            Self::Everywhere => "Everywhere",
        }
    }

    /// How widely it holds: in one part of a pane, in all that can be moved through, or everywhere.
    pub const fn breadth(self) -> u8 {
        match self {
            Self::Conversations | Self::Inspector | Self::Messaging | Self::Activity => 0,
            Self::Moving => 1,
            Self::Everywhere => 2,
        }
    }
}

/// One row of the table.
#[derive(Debug, PartialEq, Eq)]
pub struct Binding {
    /// What it does.
    pub action: Action,
    /// Where.
    pub scope: Scope,
    /// Its name in the config file.
    pub name: &'static str,
    /// Its keys, unless the config file gives others.
    pub keys: &'static [&'static str],
    /// What the bottom line says; empty where it says nothing.
    pub hint: &'static str,
    /// What help and palette say.
    pub says: &'static str,
}

macro_rules! bindings {
    ($($scope:ident { $($action:expr, $name:literal, [$($key:literal),*], $hint:literal, $says:literal;)+ })+) => {
        &[$($(Binding {
            action: $action, scope: Scope::$scope, name: $name, keys: &[$($key),*], hint: $hint, says: $says,
        },)+)+]
    };
}

use Action as A;

/// The table. Within a scope the order is that of the bottom line and the help.
pub const BINDINGS: &[Binding] = bindings! {
    Conversations {
        A::Open, "open", ["enter", "right", "l"], "open", "Open the selected conversation";
        A::Narrow, "narrow", ["/"], "narrow", "Narrow the rows of this page as you type";
        A::Filter, "filter", ["f"], "filters", "Choose type, assistant and dates";
        A::Turn(Turn::Next), "next-page", ["n"], "next", "Next page";
        A::Turn(Turn::Previous), "previous-page", ["p"], "previous page", "Previous page";
        A::Send, "conversation.send", ["s"], "send", "Send the customer a template message";
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
    Inspector {
        A::Back, "inspector.back", ["esc", "left", "h"], "back", "Back to the list";
        A::ToggleRaw, "inspector.raw", ["v"], "raw JSON", "Show what the server sent, as JSON";
        A::Send, "inspector.send", ["s"], "send", "Send the customer a template message";
        A::Copy, "inspector.copy", ["y"], "copy id", "Copy the conversation's id";
        A::CopyAll, "inspector.copy-json", ["Y"], "copy JSON", "Copy the conversation as JSON";
        A::Turn(Turn::Next), "inspector.next-page", ["n"], "", "Next page";
        A::Turn(Turn::Previous), "inspector.previous-page", ["p"], "", "Previous page";
        A::Refresh, "inspector.refresh", ["r", "f5"], "refresh", "Ask the server now";
        A::TogglePause, "inspector.pause", ["space"], "", "Stop or take up the automatic refresh";
        A::Watch, "inspector.watch", ["W"], "", "Watch the window of the customer";
    }
    Messaging {
        A::Open, "messaging.open", ["enter"], "", "Send to this recipient or with this template; see this sender's";
        A::Send, "send", ["s"], "send", "Send a template message";
        A::Freeform, "freeform", ["f"], "freeform", "Write a message in the open window";
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
    Activity {
        A::Open, "activity.open", ["enter", "right", "l"], "details", "Show or hide the details of the request";
        A::Back, "activity.back", ["esc", "left", "h"], "", "Leave or hide the details of the request";
        A::CancelRequest, "activity.cancel", ["x"], "cancel", "Give up on the selected request";
        A::Copy, "activity.copy", ["y"], "copy as curl", "Copy the request as a curl line, without the token";
    }
    Moving {
        A::Move(Motion::Down), "down", ["j", "down"], "", "Down";
        A::Move(Motion::Up), "up", ["k", "up"], "", "Up";
        A::Move(Motion::PageDown), "page-down", ["pgdn", "ctrl-f"], "", "One screen down";
        A::Move(Motion::PageUp), "page-up", ["pgup", "ctrl-b"], "", "One screen up";
        A::Move(Motion::Top), "top", ["g", "home"], "", "To the top";
        A::Move(Motion::Bottom), "bottom", ["G", "end"], "", "To the bottom";
        A::NextPart, "next-part", ["tab", "shift-tab"], "", "To the other part of the pane";
    }
    Everywhere {
        A::Go(PaneId::Conversations), "conversations", ["1"], "", "Go to Conversations";
        A::Go(PaneId::Messaging), "messaging", ["3"], "", "Go to Messaging";
        A::Go(PaneId::Activity), "activity", ["8"], "", "Go to Activity";
        A::Messages, "messages", ["!"], "", "Read the messages and errors";
        A::Help, "help", ["?", "f1"], "help", "Explain the keys that work here";
        A::Palette, "palette", [":"], "commands", "Find a command by its name";
        A::Back, "back", ["esc"], "", "Close one thing, or dismiss a message";
        A::Redraw, "redraw", ["ctrl-l"], "", "Draw the screen anew";
        A::Suspend, "suspend", ["ctrl-z"], "", "Suspend; fg brings Switchboard back";
        A::Quit, "quit", ["q", "ctrl-c"], "quit", "Quit";
    }
};
