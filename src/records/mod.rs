//! What the program keeps on this machine, in one database below the state directory that only its owner can read: the
//! outbox, the watched windows, drafts, and values used before.
//!
//! [`Records`] holds it. Its methods wait for the disk: call them where waiting does no harm. Several programs may use
//! one database at once.

mod entry;
mod error;
mod files;
mod kept;
mod memory;
mod open;
mod outbox;
mod runs;
#[cfg(test)]
mod tests;

pub use entry::{Before, Entry, Intent, Mark, RowOf, TemplateName};
pub use error::RecordsError;
pub use files::TAKEN;
pub use kept::{Draft, DraftKey, Keep, Kept, Used, Watched};
pub use memory::Remembered;
pub use open::{FILE_NAME, Records};
pub use outbox::Begun;
