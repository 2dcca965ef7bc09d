//! The keys of the pane.

use super::write::Writing;
use crate::ui::action::{Action as A, Binding, Scope, bindings};
use crate::ui::editor::editor_scopes;

const LIST: Scope = Scope::pane("Knowledgebases");
const DOCUMENTS: Scope = Scope::pane("Documents");
const DETAILS: Scope = Scope::pane("Details");
const REVIEW: Scope = Scope::pane("Files to upload");
const QUEUE: Scope = Scope::pane("Uploads");
const FORM: Scope = Scope::pane("Knowledge form");
const CHANGES: Scope = Scope::pane("Changes of knowledge");

/// While the knowledgebases have the focus, the narrowest first.
pub const LISTING: &[Scope] = &[LIST, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While the documents have it.
pub const DOCUMENTING: &[Scope] = &[DOCUMENTS, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While the details have it.
pub const READING: &[Scope] = &[DETAILS, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];

/// While files are reviewed that are to be uploaded.
pub const REVIEWING: &[Scope] = &[REVIEW, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// While the queue of uploads is shown.
pub const QUEUEING: &[Scope] = &[QUEUE, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];

/// The scopes of a form, by its field.
pub fn writing(writing: &Writing) -> &'static [Scope] {
    editor_scopes!(writing.editor, FORM, CHANGES)
}

/// The key that discards a draft holds here.
pub const FORMS: &[Scope] = &[FORM];

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    LIST => {
        A::Open, "knowledge.open", ["enter", "right", "l", "tab"], "documents", "Go to the documents of the selected knowledgebase";
        A::Create, "knowledge.create", ["c"], "create", "Create a knowledgebase", writes;
        A::Edit, "knowledge.edit", ["e"], "edit", "Edit name and description of the selected knowledgebase", writes;
        A::Delete, "knowledge.delete", ["d"], "delete", "Delete the selected knowledgebase with its documents", writes;
        A::ToggleRaw, "knowledge.details", ["i", "space"], "details", "Read everything about the selected knowledgebase";
        A::Attach, "knowledge.attach", ["A"], "attach", "Attach the selected knowledgebase to an assistant", writes;
        A::Detach, "knowledge.detach", ["X"], "", "Detach the selected knowledgebase from an assistant", writes;
        A::Add, "knowledge.add", ["a"], "", "Add a knowledgebase by its number, where the server does not list them";
        A::Remove, "knowledge.remove", ["x"], "", "Take a knowledgebase that was added by number off the list";
        A::Uploads, "knowledge.uploads", ["U"], "", "Show the queue of uploads";
        A::Copy, "knowledge.copy", ["y"], "copy id", "Copy the knowledgebase's id";
    }
    DOCUMENTS => {
        A::Back, "documents.back", ["esc", "left", "h", "tab"], "back", "Back to the knowledgebases";
        A::Create, "documents.create", ["c"], "add website", "Add a website to the selected knowledgebase", writes;
        A::Edit, "documents.edit", ["e"], "edit", "Edit name and description of the selected document", writes;
        A::Delete, "documents.delete", ["d"], "delete", "Delete the selected document", writes;
        A::ToggleRaw, "documents.details", ["enter", "i", "space"], "details", "Read everything about the selected document";
        A::Upload, "documents.upload", ["u"], "upload files", "Upload files to the selected knowledgebase", writes;
        A::Uploads, "documents.uploads", ["U"], "", "Show the queue of uploads";
        A::Copy, "documents.copy", ["y"], "copy id", "Copy the document's id";
    }
    REVIEW => {
        A::Submit, "files.upload", ["ctrl-s"], "upload", "Upload the files that are ready", writes;
        A::Edit, "files.edit", ["e", "enter"], "edit", "Edit the name and the description of the selected document";
        A::Add, "files.add", ["a"], "add more", "Find more files";
        A::IncludeSent, "files.again", ["space"], "include", "Upload the selected file although its content is known, or leave it out again";
        A::Remove, "files.remove", ["x"], "leave out", "Take the selected file off the list";
        A::Uploads, "files.queue", ["U"], "", "Show the queue of uploads";
        A::Back, "files.back", ["esc", "left", "h"], "back", "Back to the documents; the list is kept until the program ends";
    }
    QUEUE => {
        A::Open, "uploads.open", ["enter"], "try again", "Look an unknown upload up, try one again that failed, or go to the document";
        A::TogglePause, "uploads.pause", ["s", "space"], "start", "Start or pause the queue", writes;
        A::Remove, "uploads.remove", ["x"], "cancel", "Cancel the selected upload, or remove it from view once it is over";
        A::Delete, "uploads.clear", ["C"], "clear", "Remove all uploads from view that are over and not unknown";
        A::Copy, "uploads.copy", ["y"], "copy path", "Copy the path of the file";
        A::Back, "uploads.back", ["esc", "left", "h", "U"], "back", "Back to the lists; uploads go on";
    }
    DETAILS => {
        A::Back, "knowledge-details.back", ["esc", "enter", "i", "space", "left", "h", "tab"], "back", "Back to the list";
        A::Edit, "knowledge-details.edit", ["e"], "edit", "Edit name and description", writes;
        A::Delete, "knowledge-details.delete", ["d"], "delete", "Delete what is shown", writes;
        A::Copy, "knowledge-details.copy", ["y"], "copy id", "Copy the id";
    }
    FORM => {
        A::NextPart, "knowledge-form.changes", ["ctrl-o"], "changes", "Go to the changes, to scroll them, and back";
        A::Remove, "knowledge-form.discard", ["ctrl-r"], "", "Discard the draft that was filled in";
    }
    CHANGES => {
        A::Back, "knowledge-changes.back", ["esc", "ctrl-o", "q"], "back", "Back to the form";
    }
    Scope::PANES => {
        A::Go(super::ID), "knowledge", ["4"], "", "Go to Knowledge";
    }
};
