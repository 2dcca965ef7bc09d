//! Everything that a key can do, as data. Each pane has a table of bindings, and this module those that panes share;
//! bottom line, help, palette, `switchboard config keys` and the config file's `[keys]` all read the same tables.

/// A pane: a tab of the title line. Also the name under which it makes requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct PaneId(pub &'static str);

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
    /// Edit the text of the field that has the focus.
    Text(TextEdit),
    /// Move between the fields of a form, or change what is no text in one.
    Field(FieldStep),
    /// Send in what the form or the dialog holds.
    Submit,
    /// Open the text of the field in `$EDITOR`.
    Editor,
    /// Ask the server what became of a send.
    Check,
    /// Record that a send with an unknown outcome arrived.
    MarkSent,
    /// Record that it did not.
    MarkNotSent,
    /// List only what needs attention, or all again.
    OnlyProblems,
    /// List what the program did on its own too, or not.
    ToggleAutomatic,
    /// Go on with a batch that was not finished.
    Resume,
    /// Stop a batch for good.
    CancelBatch,
    /// Include recipients in a batch who were sent its template before, or skip them.
    IncludeSent,
    /// Create one more of what the list shows.
    Create,
    /// Change what is selected.
    Edit,
    /// Delete what is selected.
    Delete,
    /// Replace the selected secret by a new one.
    Rotate,
    /// Write the shown text into the file that is meant for it.
    Save,
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
    /// List those that have the value of the selected one in the sorted column.
    FilterBySelected,
    /// Keep the filter in force under a name.
    SaveFilter,
    /// Choose among the filters that are kept.
    SavedFilters,
    /// Go to the next one that needs a person.
    NextUrgent,
    /// Mark what is selected, or no longer.
    Mark,
    /// Answer in place of the AI, or let it answer again.
    TakeOver,
    /// Narrow the rows that are there.
    Narrow,
    /// Search for words in what is read.
    Search,
    /// Go to the next match.
    NextMatch,
    /// Go to the match before.
    PreviousMatch,
    /// Sort by the next column.
    SortColumn,
    /// Sort the other way round.
    SortDirection,
    /// Copy the identity of what is selected.
    Copy,
    /// Copy the whole of what is selected.
    CopyAll,
    /// Go round what is shown of a record, up to what the server sent.
    ToggleRaw,
    /// Read the next one of the list.
    NextRecord,
    /// Read the one before.
    PreviousRecord,
    /// Show the arguments and results of tool calls, or only their lines.
    ToggleCalls,
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
    /// Undo the last change: watch the one that was removed last again, or turn a webhook back.
    Restore,
    /// Watch the customer of the selected conversation.
    Watch,
    /// See what was sent and what became of it.
    Outbox,
    /// Send one template to many.
    Many,
    /// Upload files.
    Upload,
    /// See the queue of uploads.
    Uploads,
    /// See and turn the webhooks of what is selected.
    Webhooks,
    /// The same for all that are listed.
    WebhooksOfAll,
    /// Send a webhook delivery again.
    Resend,
    /// Place a call.
    Call,
    /// Go to what the selected one uses.
    Follow,
    /// Create a copy of what is selected.
    Duplicate,
    /// See earlier versions of what is selected.
    History,
    /// Compare with something else.
    Compare,
    /// Talk to what is selected.
    Chat,
    /// Receive webhooks on this machine.
    Listen,
    /// Go to the calls.
    Calls,
    /// Go to the conversations.
    Conversations,
    /// Open an address outside the terminal.
    OpenLink,
    /// Copy it.
    CopyLink,
    /// Show that a webhook works, from the switch to the delivery.
    Prove,
    /// Pass a received delivery on once more.
    ForwardAgain,
    /// Attach what is selected to an assistant.
    Attach,
    /// Detach it from one.
    Detach,
    /// Create something from a text in another format.
    Import,
    /// Copy what is selected in another format.
    Export,
    /// Send the request that what is selected describes.
    Try,
    /// Show secrets, or mask them.
    ShowSecrets,
    /// Edit the whole record in `$EDITOR`.
    EditWhole,
    /// Insert a reply from the profile's file.
    Canned,
    /// Take the newest held message back.
    TakeBack,
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

/// A change to the text of a field, or to the place of its cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TextEdit {
    /// One grapheme to the left.
    Left,
    /// One grapheme to the right.
    Right,
    /// One word to the left.
    WordLeft,
    /// One word to the right.
    WordRight,
    /// To the start of the line.
    Start,
    /// To the end of the line.
    End,
    /// Delete the grapheme to the left.
    Backspace,
    /// Delete the grapheme to the right.
    Delete,
    /// Delete the word to the left.
    DeleteWord,
    /// Delete the whole line.
    DeleteLine,
    /// Delete from the cursor to the end of the line.
    DeleteToEnd,
    /// Take back the last change.
    Undo,
    /// Make the change again that was taken back.
    Redo,
}

/// A step between the fields of a form, or a change to one that holds no text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldStep {
    /// To the next field.
    Next,
    /// To the field before.
    Previous,
    /// Up: in a text or among suggestions a line up, otherwise to the field before.
    Up,
    /// Down: in a text or among suggestions a line down, otherwise to the next field.
    Down,
    /// Enter: takes the suggestion, breaks the line of a text, otherwise goes to the next field, or submits from the last.
    Enter,
    /// Change a choice or a toggle forwards.
    Change,
    /// Change a choice backwards.
    ChangeBack,
    /// Add a row below this one.
    AddRow,
    /// Remove this row.
    RemoveRow,
    /// Move this row up.
    RowUp,
    /// Move this row down.
    RowDown,
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

/// Where a binding holds: in one part of a pane, in a form, in all that can be moved through, or everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scope {
    /// What the help calls it; unique.
    pub title: &'static str,
    /// How widely it holds; keys of a wider scope give way to those of a narrower one.
    pub breadth: u8,
}

impl Scope {
    /// The fields of a form.
    pub const FORM: Self = Self { title: "Form", breadth: 0 };
    /// A field of a form that holds one of several values.
    pub const CHOICE: Self = Self { title: "Choice", breadth: 1 };
    /// A field of a form that holds rows.
    pub const ROWS: Self = Self { title: "Rows", breadth: 1 };
    /// A text that is being typed.
    pub const TEXT: Self = Self { title: "Text", breadth: 1 };
    /// A confirm dialog.
    pub const CONFIRM: Self = Self { title: "Confirm", breadth: 0 };
    /// A confirm dialog before something that writes nothing to the server.
    pub const CONFIRM_READS: Self = Self { title: "Confirm a read", breadth: 0 };
    /// A confirm dialog that wants a name typed.
    pub const CONFIRM_TYPED: Self = Self { title: "Confirm by name", breadth: 0 };
    /// The command palette, and lists that narrow as one types.
    pub const PICKER: Self = Self { title: "Picker", breadth: 0 };
    /// A list of records.
    pub const LIST: Self = Self { title: "List", breadth: 1 };
    /// The text that narrows a list.
    pub const NARROW: Self = Self { title: "Narrow", breadth: 0 };
    /// Details that are read.
    pub const DETAILS: Self = Self { title: "Details", breadth: 1 };
    /// The words that are searched for in them.
    pub const SEARCH: Self = Self { title: "Search", breadth: 0 };
    /// Help and messages.
    pub const READER: Self = Self { title: "Reading", breadth: 0 };
    /// Wherever something can be moved through.
    pub const MOVING: Self = Self { title: "Moving", breadth: 1 };
    /// In every pane, outside forms and dialogs.
    pub const PANES: Self = Self { title: "All panes", breadth: 2 };
    /// Everywhere, forms and dialogs included; where letters are text, only keys that type nothing.
    pub const EVERYWHERE: Self = Self { title: "Everywhere", breadth: 3 };

    /// A part of a pane.
    pub const fn pane(title: &'static str) -> Self {
        Self { title, breadth: 0 }
    }
}

/// One row of a table of bindings.
#[derive(Debug, PartialEq, Eq)]
pub struct Binding {
    /// What the keys do.
    pub action: Action,
    /// Where they do it.
    pub scope: Scope,
    /// The name in the config file; unique.
    pub name: &'static str,
    /// The default keys, as the config file writes them.
    pub keys: &'static [&'static str],
    /// What the bottom line says; empty where it says nothing.
    pub hint: &'static str,
    /// What help, palette and `config keys` say.
    pub says: &'static str,
    /// True where the action writes to the server: not offered while read-only.
    pub writes: bool,
}

/// Makes a table of bindings. Within a scope the order is that of the bottom line and the help; `writes` at the end of
/// a row marks an action that changes something on the server.
macro_rules! bindings {
    ($($scope:expr => {
        $($action:expr, $name:literal, [$($key:literal),*], $hint:literal, $says:literal $(, $writes:ident)?;)+
    })+) => {
        &[$($($crate::ui::action::Binding {
            action: $action, scope: $scope, name: $name, keys: &[$($key),*], hint: $hint, says: $says,
            writes: $crate::ui::action::bindings!(@ $($writes)?),
        },)+)+]
    };
    (@) => { false };
    (@ writes) => { true };
}
pub(in crate::ui) use bindings;

use Action as A;

/// The bindings that panes share.
pub const SHARED: &[Binding] = bindings! {
    Scope::FORM => {
        A::Field(FieldStep::Enter), "form.enter", ["enter"], "next", "Take the suggestion, or go to the next field; submits from the last";
        A::Submit, "form.submit", ["ctrl-s"], "submit", "Submit the form from any field";
        A::Field(FieldStep::Next), "form.next", ["tab"], "next field", "To the next field";
        A::Back, "form.cancel", ["esc"], "back", "Close the form; what was typed is kept where drafts are";
        A::Field(FieldStep::Previous), "form.previous", ["shift-tab"], "", "To the field before";
        A::Field(FieldStep::Down), "form.down", ["down"], "", "To the next suggestion, line or field";
        A::Field(FieldStep::Up), "form.up", ["up"], "", "To the suggestion, line or field before";
        A::Move(Motion::PageDown), "form.page-down", ["pgdn"], "", "Scroll the text one screen down";
        A::Move(Motion::PageUp), "form.page-up", ["pgup"], "", "Scroll the text one screen up";
    }
    Scope::CHOICE => {
        A::Field(FieldStep::Change), "choice.next", ["right", "space"], "change", "Next value";
        A::Field(FieldStep::ChangeBack), "choice.previous", ["left"], "", "Previous value";
    }
    Scope::ROWS => {
        A::Field(FieldStep::AddRow), "rows.add", ["ctrl-n"], "add row", "Add a row below this one";
        A::Field(FieldStep::RemoveRow), "rows.remove", ["ctrl-d"], "remove row", "Remove this row";
        A::Field(FieldStep::RowUp), "rows.up", ["ctrl-up"], "", "Move this row up";
        A::Field(FieldStep::RowDown), "rows.down", ["ctrl-down"], "", "Move this row down";
    }
    Scope::TEXT => {
        A::Text(TextEdit::Left), "text.left", ["left"], "", "One character to the left";
        A::Text(TextEdit::Right), "text.right", ["right"], "", "One character to the right";
        A::Text(TextEdit::WordLeft), "text.word-left", ["ctrl-left"], "", "One word to the left";
        A::Text(TextEdit::WordRight), "text.word-right", ["ctrl-right"], "", "One word to the right";
        A::Text(TextEdit::Start), "text.start", ["home", "ctrl-a"], "", "To the start of the line";
        A::Text(TextEdit::End), "text.end", ["end", "ctrl-e"], "", "To the end of the line";
        A::Text(TextEdit::Backspace), "text.backspace", ["backspace"], "", "Delete the character to the left";
        A::Text(TextEdit::Delete), "text.delete", ["del"], "", "Delete the character to the right";
        A::Text(TextEdit::DeleteWord), "text.delete-word", ["ctrl-w", "ctrl-backspace"], "", "Delete the word to the left";
        A::Text(TextEdit::DeleteLine), "text.delete-line", ["ctrl-u"], "clear", "Delete the whole line";
        A::Text(TextEdit::DeleteToEnd), "text.delete-to-end", ["ctrl-k"], "", "Delete to the end of the line";
        A::Text(TextEdit::Undo), "text.undo", ["ctrl-z"], "", "Undo the last change of this field";
        A::Text(TextEdit::Redo), "text.redo", ["ctrl-y"], "", "Redo what was undone";
        A::Editor, "text.editor", ["ctrl-x"], "", "Edit a multi-line field in $EDITOR";
    }
    Scope::CONFIRM => {
        A::Submit, "confirm.yes", ["y"], "yes", "Do it", writes;
        A::Back, "confirm.back", ["esc", "enter", "n", "q"], "back", "Back; nothing is done";
    }
    Scope::CONFIRM_READS => {
        A::Submit, "confirm.read", ["y"], "yes", "Do it";
        A::Back, "confirm.read-back", ["esc", "enter", "n", "q"], "back", "Back; nothing is done";
    }
    Scope::CONFIRM_TYPED => {
        A::Submit, "confirm.typed", ["enter"], "do it", "Do it, once the name is typed", writes;
        A::Back, "confirm.typed-back", ["esc"], "back", "Back; nothing is done";
    }
    Scope::PICKER => {
        A::Submit, "picker.take", ["enter"], "run", "Run or take the marked one";
        A::Move(Motion::Down), "picker.down", ["down", "ctrl-n", "tab"], "down", "To the next one";
        A::Move(Motion::Up), "picker.up", ["up", "ctrl-p", "shift-tab"], "up", "To the one before";
        A::Move(Motion::PageDown), "picker.page-down", ["pgdn"], "", "One screen down";
        A::Move(Motion::PageUp), "picker.page-up", ["pgup"], "", "One screen up";
        A::Back, "picker.back", ["esc"], "close", "Close";
    }
    Scope::LIST => {
        A::Narrow, "list.narrow", ["/"], "narrow", "Narrow the list as you type";
        A::SortColumn, "list.sort", ["o"], "sort", "Sort by the next column; after the last in the server's order";
        A::SortDirection, "list.sort-direction", ["O"], "", "Sort the other way round";
        A::Refresh, "list.refresh", ["r", "f5"], "refresh", "Refresh now";
    }
    Scope::NARROW => {
        A::Submit, "narrow.keep", ["enter"], "keep", "Keep the text and return to the list";
        A::Back, "narrow.back", ["esc"], "clear and leave", "Clear the text and return to the list";
        A::Move(Motion::Down), "narrow.down", ["down"], "", "Down";
        A::Move(Motion::Up), "narrow.up", ["up"], "", "Up";
    }
    Scope::DETAILS => {
        A::Search, "details.search", ["/"], "search", "Search for words as you type";
        A::NextMatch, "details.next-match", ["n"], "next", "To the next match; after the last to the first";
        A::PreviousMatch, "details.previous-match", ["N"], "", "To the match before";
    }
    Scope::SEARCH => {
        A::Submit, "search.keep", ["enter"], "keep", "Keep the search; n and N go through the matches";
        A::Back, "search.back", ["esc"], "clear and leave", "End the search";
        A::Move(Motion::Down), "search.next", ["down"], "next", "To the next match";
        A::Move(Motion::Up), "search.previous", ["up"], "", "To the match before";
    }
    Scope::READER => {
        A::Back, "reader.back", ["esc", "q"], "close", "Close";
    }
    Scope::MOVING => {
        A::Move(Motion::Down), "down", ["j", "down"], "", "Down";
        A::Move(Motion::Up), "up", ["k", "up"], "", "Up";
        A::Move(Motion::PageDown), "page-down", ["pgdn", "ctrl-f"], "", "One screen down";
        A::Move(Motion::PageUp), "page-up", ["pgup", "ctrl-b"], "", "One screen up";
        A::Move(Motion::Top), "top", ["g", "home"], "", "To the top";
        A::Move(Motion::Bottom), "bottom", ["G", "end"], "", "To the bottom";
        A::NextPart, "next-part", ["tab", "shift-tab"], "", "To the other part of the pane";
    }
    Scope::PANES => {
        A::Messages, "messages", ["!"], "", "Read the messages and errors";
        A::Palette, "palette", [":"], "commands", "Find a command by its name";
        A::Back, "back", ["esc"], "", "Close one thing, or dismiss a message";
        A::Quit, "quit", ["q", "ctrl-c"], "quit", "Quit";
    }
    Scope::EVERYWHERE => {
        A::Help, "help", ["?", "f1"], "help", "Explain the keys that work here";
        A::TakeBack, "take-back", ["u", "ctrl-t"], "", "Take the newest held message back; nothing is sent";
        A::Redraw, "redraw", ["ctrl-l"], "", "Redraw the screen";
        A::Suspend, "suspend", ["ctrl-z"], "", "Suspend; fg brings Switchboard back";
    }
};
