//! Events: webhook deliveries from the queue in the store to their receivers.
//!
//! A delivery is a POST in the form of Standard Webhooks: `webhook-id` names it, `webhook-timestamp` says when it was
//! sent, `webhook-signature` proves who sent it. It arrives at least once; a receiver knows a repeated one by its id.

mod address;
mod deliver;
mod places;
mod secret;
mod send;

pub use deliver::deliver;
pub use secret::{SecretError, of_user};
