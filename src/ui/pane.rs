//! What a pane is drawn with.

use super::{Moment, Options};
use jiff::tz::TimeZone;

/// What a pane or a widget is drawn with.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// Theme, glyphs and keys.
    pub options: &'a Options,
    /// The moment of the last tick.
    pub now: Moment,
    /// The zone that times are shown in.
    pub zone: &'a TimeZone,
}
