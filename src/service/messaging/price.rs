//! What a message costs. The API's contract gives no prices; these are the service's own, all in this place.

use crate::api::TemplateCategory;
use crate::service::world::UserKind;

/// A minute of a direct user is worth so many millionths of a USD; a tenant's credit is worth one USD.
const MINUTE_USD_MICROS: i64 = 100_000;

/// The price of a message, in millionths of a USD, as the conversation's cost shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// Millionths of a USD.
    pub usd_micros: i64,
}

impl Price {
    /// A freeform message.
    pub const FREEFORM: Self = Self { usd_micros: 5_000 };

    /// A template message: by what the template is for.
    pub fn of_template(category: &TemplateCategory) -> Self {
        let usd_micros = match category {
            TemplateCategory::Marketing | TemplateCategory::Other(_) => 80_000,
            TemplateCategory::Utility => 30_000,
            TemplateCategory::Authentication => 20_000,
        };
        Self { usd_micros }
    }

    /// The same in millionths of what the user's balance counts.
    pub fn charge_micros(self, kind: UserKind) -> i64 {
        match kind {
            UserKind::Tenant => self.usd_micros,
            UserKind::Direct => self.usd_micros * 1_000_000 / MINUTE_USD_MICROS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_pays_in_credits_and_a_direct_user_in_minutes() {
        let price = Price::of_template(&TemplateCategory::Utility);
        assert_eq!(price.charge_micros(UserKind::Tenant), 30_000);
        assert_eq!(price.charge_micros(UserKind::Direct), 300_000);
    }
}
