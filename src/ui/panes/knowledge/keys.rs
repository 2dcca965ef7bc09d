//! The keys of the pane.

use crate::ui::action::{Action as A, Binding, Scope, bindings};

const LIST: Scope = Scope::pane("Knowledgebases");
const DOCUMENTS: Scope = Scope::pane("Documents");
const DETAILS: Scope = Scope::pane("Details");

/// While the knowledgebases have the focus, the narrowest first.
pub const LISTING: &[Scope] = &[LIST, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While the documents have it.
pub const DOCUMENTING: &[Scope] = &[DOCUMENTS, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While the details have it.
pub const READING: &[Scope] = &[DETAILS, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    LIST => {
        A::Open, "knowledge.open", ["enter", "right", "l", "tab"], "documents", "Go to the documents of the selected knowledgebase";
        A::ToggleRaw, "knowledge.details", ["i", "space"], "details", "Read everything about the selected knowledgebase";
        A::Attach, "knowledge.attach", ["A"], "attach", "Attach the selected knowledgebase to an assistant", writes;
        A::Detach, "knowledge.detach", ["X"], "", "Detach the selected knowledgebase from an assistant", writes;
        A::Add, "knowledge.add", ["a"], "", "Add a knowledgebase by its number, where the server does not list them";
        A::Remove, "knowledge.remove", ["x"], "", "Take a knowledgebase that was added by number off the list";
        A::Copy, "knowledge.copy", ["y"], "copy id", "Copy the knowledgebase's id";
    }
    DOCUMENTS => {
        A::Back, "documents.back", ["esc", "left", "h", "tab"], "back", "Back to the knowledgebases";
        A::ToggleRaw, "documents.details", ["enter", "i", "space"], "details", "Read everything about the selected document";
        A::Copy, "documents.copy", ["y"], "copy id", "Copy the document's id";
    }
    DETAILS => {
        A::Back, "knowledge-details.back", ["esc", "enter", "i", "space", "left", "h", "tab"], "back", "Back to the list";
        A::Copy, "knowledge-details.copy", ["y"], "copy id", "Copy the id";
    }
    Scope::PANES => {
        A::Go(super::ID), "knowledge", ["4"], "", "Go to Knowledge";
    }
};
