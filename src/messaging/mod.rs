//! What everybody knows who sends: phone numbers, previews, outcomes and advice, the countdown of a window, and sending
//! to many. Pure: plain values in, plain values out.

pub mod countdown;
mod outcome;
mod server_clock;
mod window;

pub use countdown::{Level, Remaining};
pub use outcome::{Accepted, Outcome, Outgoing, Refusal};
pub use server_clock::ServerClock;
pub use window::Window;
