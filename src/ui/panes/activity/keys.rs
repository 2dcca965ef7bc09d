//! The keys of the pane.

use crate::ui::action::{Action as A, Binding, Scope, bindings};

/// The list of requests, and the details below it.
pub const LIST: Scope = Scope::pane("Activity");

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    LIST => {
        A::Open, "activity.open", ["enter", "right", "l"], "details", "Show or hide the details of the request";
        A::Back, "activity.back", ["esc", "left", "h"], "", "Leave or hide the details of the request";
        A::CancelRequest, "activity.cancel", ["x"], "cancel", "Give up on the selected request";
        A::Copy, "activity.copy", ["y"], "copy as curl", "Copy the request as a curl line, without the token";
    }
    Scope::PANES => {
        A::Go(super::ID), "activity", ["8"], "", "Go to Activity";
    }
};
