//! Messaging: sending, the window, what it costs, and how often.

pub mod price;
pub mod rate;
pub mod send;
pub mod window;

pub use price::Price;
pub use rate::SendRate;
pub use send::{SendRefusal, Sent};
pub use window::WindowState;
