//! The keys of the pane.

use crate::ui::action::{Action as A, Binding, Scope, bindings};

const KEYS: Scope = Scope::pane("API keys");
const TOKEN: Scope = Scope::pane("New token");

/// Where the keys of the list come from, the narrowest first.
pub const LIST: &[Scope] = &[KEYS, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
/// Where those come from while a new token is shown: it cannot be left by accident.
pub const SHOWN: &[Scope] = &[TOKEN, Scope::EVERYWHERE];

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    KEYS => {
        A::Create, "api-keys.create", ["c"], "create", "Create an API key", writes;
        A::Rotate, "api-keys.rotate", ["R"], "rotate", "Replace the key in use: create, save its token, delete the old", writes;
        A::Delete, "api-keys.delete", ["d"], "delete", "Delete the selected key", writes;
        A::Copy, "api-keys.copy", ["y"], "copy id", "Copy the key's id";
    }
    TOKEN => {
        A::Copy, "token.copy", ["y"], "copy", "Copy the token to the clipboard";
        A::Save, "token.save", ["s"], "save to a file", "Save the token to a file that you alone can read";
        A::Back, "token.close", ["esc", "enter"], "close", "Close, once the token is copied or saved";
        A::Remove, "token.discard", ["x"], "close without keeping", "Close without keeping the token";
    }
    Scope::PANES => {
        A::Go(super::ID), "api-keys", ["7"], "", "Go to API keys";
    }
};
