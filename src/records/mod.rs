//! What the program keeps on this machine, in one database below the state directory that only its owner can read: the
//! outbox, the watched windows, drafts, values used before, and which file the last batch came from.
//!
//! The methods of [`Records`] wait for the disk: call them off the interface's thread. Several programs may use one
//! database at once.

mod about;
mod assistants;
mod batches;
mod entry;
mod error;
mod files;
mod guard;
mod held;
mod identity;
mod inspect;
mod open;
mod outbox;
mod profile_data;
mod reading;
mod runs;
mod storage;
#[cfg(test)]
mod tests;
mod uploads;

pub use entry::{Before, Content, Entry, Intent, Mark, RowOf, TemplateName};
pub use error::RecordsError;
pub use files::{FileFault, Reserved};
pub use guard::{Again, Departing};
pub use inspect::FileFacts;
pub use open::{FILE_NAME, Records};
pub use outbox::Begun;
pub use storage::{
    AssistantData, AssistantVersion, BatchOf, Draft, DraftKey, FormDraft, ProfileData, Resource, StorageReply,
    StorageRequest, Unfinished, Used, Watched, Webhook, WebhookSetting,
};
pub use uploads::{EarlierUpload, Upload, UploadChange, UploadFile, UploadStatus};
