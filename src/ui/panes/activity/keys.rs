//! The keys of the pane.

use crate::ui::action::{Action as A, Binding, Scope, bindings};

/// The list of requests, and the details below it.
pub const LIST: Scope = Scope::pane("Activity");

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    LIST => {
        A::Open, "activity.open", ["enter", "right", "l"], "details", "Show or hide the details of the request";
        A::Back, "activity.back", ["esc", "left", "h"], "", "Close the details, or clear the narrowing";
        A::Narrow, "activity.narrow", ["/"], "narrow", "Narrow the requests as you type: path, method, status";
        A::OnlyProblems, "activity.failures", ["F"], "failures", "List failed requests only, or all";
        A::ToggleAutomatic, "activity.automatic", ["a"], "automatic", "List polls and other automatic requests, or hide them";
        A::CancelRequest, "activity.cancel", ["x"], "cancel", "Cancel the selected request";
        A::Copy, "activity.copy", ["y"], "copy as curl", "Copy the request as a curl command, without the token";
        A::NextPart, "activity.next-part", ["tab", "shift-tab"], "", "Scroll the details, or return to the list";
    }
    Scope::PANES => {
        A::Go(super::ID), "activity", ["8"], "", "Go to Activity";
    }
};
