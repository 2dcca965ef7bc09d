//! The keys of the pane.

use super::edit::ToolEditor;
use crate::ui::action::{Action as A, Binding, Scope, bindings};
use crate::ui::editor::editor_scopes;

const LIST: Scope = Scope::pane("Tools");
const INSPECTOR: Scope = Scope::pane("Tool");
const EDIT: Scope = Scope::pane("Tool form");
const CHANGES: Scope = Scope::pane("Changes of a tool");
const TRIES: Scope = Scope::pane("Tries");
const TRY: Scope = Scope::pane("Try of a tool");

/// While the list has the focus, the narrowest first.
pub const LISTING: &[Scope] = &[LIST, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While the inspector has it.
pub const INSPECTING: &[Scope] = &[INSPECTOR, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// Among the tries.
pub const TRYING: &[Scope] = &[TRIES, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While one of them is read.
pub const READING_TRY: &[Scope] = &[TRY, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// The form of a tool.
pub const FORM: &[Scope] = &[EDIT];

/// The scopes of the form, by its field.
pub fn editing(editor: &ToolEditor) -> &'static [Scope] {
    editor_scopes!(editor.kit, EDIT, CHANGES)
}

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    LIST => {
        A::Open, "tools.open", ["enter", "right", "l", "tab"], "open", "Read the selected tool";
        A::Edit, "tools.edit", ["e"], "edit", "Edit the selected tool", writes;
        A::Create, "tools.create", ["c"], "create", "Create a tool", writes;
        A::Import, "tools.import", ["i"], "import", "Create a tool from a curl command or from JSON", writes;
        A::Try, "tools.try", ["t"], "try it", "Send the request of the selected tool from this machine";
        A::History, "tools.tries", ["H"], "", "The last tries and their answers";
        A::Attach, "tools.attach", ["A"], "attach", "Attach the selected tool to an assistant", writes;
        A::Detach, "tools.detach", ["X"], "", "Detach the selected tool from an assistant", writes;
        A::Duplicate, "tools.duplicate", ["D"], "", "Create a copy of the selected tool", writes;
        A::Export, "tools.export", ["E"], "export", "Copy the selected tool as a curl command or as JSON";
        A::Delete, "tools.delete", ["d"], "delete", "Delete the selected tool", writes;
        A::ShowSecrets, "tools.secrets", ["s"], "", "Show the values of headers that look like secrets, or mask them";
        A::Add, "tools.add", ["a"], "add by id", "Add a tool by its id, where the server does not list tools";
        A::Remove, "tools.remove", ["x"], "", "Remove a tool that was added by its id from the list";
        A::Copy, "tools.copy", ["y"], "", "Copy the tool's id";
        A::CopyAll, "tools.copy-endpoint", ["Y"], "", "Copy the tool's endpoint";
    }
    INSPECTOR => {
        A::Back, "tool.back", ["esc", "left", "h", "tab"], "back", "Back to the list";
        A::Edit, "tool.edit", ["e"], "edit", "Edit the tool", writes;
        A::Try, "tool.try", ["t"], "try it", "Send the request of the tool from this machine";
        A::ShowSecrets, "tool.secrets", ["s"], "secrets", "Show the values of headers that look like secrets, or mask them";
        A::Attach, "tool.attach", ["A"], "attach", "Attach the tool to an assistant", writes;
        A::Detach, "tool.detach", ["X"], "detach", "Detach the tool from an assistant", writes;
        A::Export, "tool.export", ["E"], "export", "Copy the tool as a curl command or as JSON";
        A::Delete, "tool.delete", ["d"], "", "Delete the tool", writes;
        A::Copy, "tool.copy", ["y"], "", "Copy the tool's id";
        A::CopyAll, "tool.copy-endpoint", ["Y"], "", "Copy the tool's endpoint";
    }
    EDIT => {
        A::NextPart, "tool-form.changes", ["ctrl-o"], "changes", "Go to the changes, to scroll them, and back";
        A::EditWhole, "tool-form.json", ["ctrl-g"], "JSON in $EDITOR", "Edit the whole tool as JSON in $EDITOR";
        A::ShowSecrets, "tool-form.secrets", ["ctrl-p"], "", "Show the values of headers that look like secrets, or mask them";
        A::Remove, "tool-form.discard", ["ctrl-r"], "", "Discard the draft that was filled in";
    }
    CHANGES => {
        A::Back, "tool-changes.back", ["esc", "ctrl-o", "q"], "back", "Back to the form";
    }
    TRIES => {
        A::Open, "tries.open", ["enter", "right", "l", "tab"], "read", "Read the selected answer";
        A::Try, "tries.again", ["t"], "try again", "Try the tool again, with the same values to begin with";
        A::CopyAll, "tries.copy", ["Y"], "copy body", "Copy the body of the answer";
        A::Back, "tries.back", ["esc", "left", "h"], "back", "Back to the tools";
    }
    TRY => {
        A::Back, "try.back", ["esc", "left", "h", "tab"], "back", "Back to the tries";
        A::Try, "try.again", ["t"], "try again", "Try the tool again, with the same values to begin with";
        A::CopyAll, "try.copy", ["Y"], "copy body", "Copy the body of the answer";
    }
    Scope::PANES => {
        A::Go(super::ID), "tools", ["5"], "", "Go to Tools";
    }
};
