//! `/sandbox/deliveries` and `/sandbox/webhook-secret`.

use super::sandbox::TAG;
use crate::api::{MessageBody, WebhookDeliveryList};
use crate::service::openapi::{ErrorShape, Operation};
use crate::service::routes::deliveries::Shown;

/// `GET /sandbox/deliveries`.
pub fn list() -> Operation {
    Operation::extension(TAG, "listDeliveries", "List the newest deliveries of the caller's webhooks")
        .answers::<WebhookDeliveryList>(200, "The newest hundred, newest first.")
}

/// `POST /sandbox/deliveries/{id}/resend`.
pub fn resend() -> Operation {
    Operation::extension(TAG, "resendDelivery", "Send a delivery again, whatever became of it")
        .path_id("id", "The delivery's number.")
        .answers::<MessageBody>(200, "It is sent again.")
        .refuses(404, ErrorShape::Message, "The caller has no such delivery.")
}

/// `GET /sandbox/webhook-secret`.
pub fn secret() -> Operation {
    Operation::extension(TAG, "getWebhookSecret", "Read what the caller's deliveries are signed with")
        .answers::<Shown>(200, "The secret.")
}
