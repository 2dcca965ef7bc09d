//! Places to go, as values: panes, palette and command line go to them without knowing the pane behind.

use super::action::PaneId;
pub use super::panes::messaging::Customer;
use super::panes::{assistants, conversations, knowledge, messaging, tools};
use super::registry::PANES;
use crate::api::ConversationFilter;
use std::collections::BTreeMap;

/// A test chat as it begins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TestChat {
    /// The assistant's UUID.
    pub assistant: String,
    /// Its name.
    pub name: String,
    /// Custom variables, as text.
    pub variables: BTreeMap<String, String>,
}

/// A place, and what to do there.
#[derive(Debug, Clone, PartialEq)]
pub enum Route {
    /// A pane as it was left.
    Pane(PaneId),
    /// The conversations that pass this filter.
    Conversations(ConversationFilter),
    /// The calls.
    Calls,
    /// The form of a template message to this customer.
    WriteTo(Customer),
    /// The window of this customer is watched; the screen stays where it is.
    Watch(Customer),
    /// A test chat.
    Chat(TestChat),
    /// The webhooks received on this machine.
    Listen,
    /// The mid call tool with this id.
    Tool(i64),
    /// The knowledgebase with this id.
    Knowledgebase(i64),
}

impl Route {
    /// The pane that takes it.
    pub fn pane(&self) -> PaneId {
        match self {
            Self::Pane(id) => *id,
            Self::Conversations(_) | Self::Calls => conversations::ID,
            Self::Listen | Self::Chat(_) => assistants::ID,
            Self::Knowledgebase(_) => knowledge::ID,
            Self::Tool(_) => tools::ID,
            Self::WriteTo(_) | Self::Watch(_) => messaging::ID,
        }
    }

    /// False where the dashboard has no such pane.
    pub fn is_offered(&self) -> bool {
        PANES.iter().any(|pane| pane.id == self.pane())
    }

    /// True where that pane comes on screen.
    pub fn shows(&self) -> bool {
        !matches!(self, Self::Watch(_))
    }
}
