//! What the program keeps on this machine, in one database below the state directory that only its owner can read: the
//! outbox, the watched windows, drafts, and values used before.

mod entry;
mod kept;

pub use entry::{Before, Entry, Intent, Mark, RowOf, TemplateName};
pub use kept::{Draft, Keep, Kept, Used, Watched};
