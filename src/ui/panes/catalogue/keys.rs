//! The keys of the pane.

use crate::ui::action::{Action as A, Binding, Scope, bindings};

const CATALOGUE: Scope = Scope::pane("Catalogue");

/// Where the keys of this pane come from, the narrowest first.
pub const SCOPES: &[Scope] = &[CATALOGUE, Scope::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];

/// Everything a key does here.
pub const BINDINGS: &[Binding] = bindings! {
    CATALOGUE => {
        A::NextPart, "catalogue.next-part", ["tab", "right", "l"], "next part", "Next part: voices, providers, models, languages";
        A::PreviousPart, "catalogue.previous-part", ["shift-tab", "left", "h"], "", "Previous part";
        A::Filter, "catalogue.filter", ["f"], "filters", "Filter voices by mode and language";
        A::ClearFilters, "catalogue.clear-filters", ["x"], "", "Clear the filters";
        A::Copy, "catalogue.copy", ["y"], "copy id", "Copy the id";
        A::Open, "catalogue.preview", ["enter"], "play preview", "Open the voice's preview in the browser";
        A::CopyAll, "catalogue.copy-preview", ["Y"], "", "Copy the preview's URL";
    }
    Scope::PANES => {
        A::Go(super::ID), "catalogue", ["6"], "", "Go to Catalogue";
    }
};
