//! What a server charges for messages, where it is known: the API tells no prices, only the embedded sandbox is known.

use crate::api::{Template, TemplateCategory};

/// What the balance of an account counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BalanceUnit {
    /// Of a tenant user.
    Credits,
    /// Of a direct user.
    Minutes,
}

impl BalanceUnit {
    /// The unit in words; without one known, both that the API has.
    pub fn words(unit: Option<Self>) -> &'static str {
        match unit {
            Some(Self::Credits) => "credits",
            Some(Self::Minutes) => "minutes",
            None => "credits or minutes",
        }
    }
}

/// The charges of an account, in units of its balance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Charges {
    /// What its balance counts.
    pub unit: BalanceUnit,
    /// A freeform message.
    pub freeform: f64,
    /// A template message for authentication.
    pub authentication: f64,
    /// A utility template message.
    pub utility: f64,
    /// A marketing template message.
    pub marketing: f64,
}

impl Charges {
    /// The charge of a message from this template; `None` where the server does not send its category.
    pub fn of_template(&self, template: &Template) -> Option<f64> {
        self.of_category(template.category.known()?)
    }

    /// The charge of a template message of this category; `None` for one that is not known.
    pub fn of_category(&self, category: &TemplateCategory) -> Option<f64> {
        Some(match category {
            TemplateCategory::Authentication => self.authentication,
            TemplateCategory::Utility => self.utility,
            TemplateCategory::Marketing => self.marketing,
            TemplateCategory::Other(_) => return None,
        })
    }
}
