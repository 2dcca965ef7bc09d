//! What everybody knows who sends: phone numbers, previews, outcomes and advice, the countdown of a window, and sending
//! to many. Pure: plain values in, plain values out.

mod outcome;
mod window;

pub use outcome::{Accepted, Outcome, Outgoing, Refusal};
pub use window::Window;
