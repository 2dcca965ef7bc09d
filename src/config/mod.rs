//! Settings: one TOML file, the environment and the flags, read once before the first frame.
//!
//! [`Start::load`] decides everything; [`Settings::parse`] is its pure core. A mistake in the file never prevents the
//! start: it is a [`Problem`] to show, and the default stands. A mistake in a flag or a variable is an [`UsageError`].
//! Nothing is written here but the log.

mod choice;
mod environment;
mod link;
pub mod logs;
mod messaging;
mod parse;
mod problem;
mod profile;
mod replies;
mod section;
mod settings;
mod start;
mod suggest;
mod target;

pub use choice::{Choice, Colour, GlyphsChoice, LogLevel, Notify, ThemeChoice};
pub use environment::Environment;
pub use link::Link;
pub use messaging::Messaging;
pub use problem::Problem;
pub use profile::{Profile, TokenSource, base_url, private_file, token};
pub use replies::CannedReply;
pub use settings::{DEFAULT_FILE, KeyOverride, Settings, Zone};
pub use start::Start;
pub use suggest::nearest;
pub use target::{BASE_URL_VARIABLE, Flags, TOKEN_VARIABLE, Target, UsageError};
