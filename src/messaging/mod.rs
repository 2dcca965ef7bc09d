//! What dashboard and commands share about sending: phone numbers, previews, outcomes and advice, window countdowns,
//! batches. Pure: plain values in, plain values out.

pub mod batch;
pub mod countdown;

mod advice;
mod charges;
mod instant;
mod outcome;
mod phone;
mod preview;
mod server_clock;
mod window;

pub use advice::{advice, call_advice};
pub use charges::{BalanceUnit, Charges};
pub use countdown::{Level, Remaining};
pub use instant::Instant;
pub use outcome::{Accepted, Outcome, Outgoing, Refusal};
pub use phone::{Phone, PhoneFault, TypedPhone};
pub use preview::{Preview, PreviewPart, asks_for_name, human_name, is_code, template_name};
pub use server_clock::ServerClock;
pub use window::{LastMessage, Window};
