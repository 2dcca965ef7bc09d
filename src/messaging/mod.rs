//! What everybody knows who sends: phone numbers, previews, outcomes and advice, the countdown of a window, and sending
//! to many. Pure: plain values in, plain values out.

mod outcome;
mod phone;
mod window;

pub use outcome::{Accepted, Outcome, Outgoing, Refusal};
pub use phone::{Phone, PhoneFault, Typed};
pub use window::Window;
