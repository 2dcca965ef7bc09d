//! What every pane names, in one import.

pub use super::action::{Action, Motion, PaneId, Scope};
pub use super::data::{Data, Item};
pub use super::health::Freshness;
pub use super::input::{Input, Mouse, MouseKind};
pub use super::message::{Effect, Instant, Moment};
pub use super::options::Options;
pub use super::overlay::OverlayEvent;
pub use super::pane::{Context, Pane, Sign, View};
pub use super::panes::explain;
pub use super::registry::Registration;
pub use super::remote::Remote;
pub use super::text::{clean, count, fit};
pub use super::widgets::browser::{Browser, List, NARROWING, Record, Source, below_first};
pub use super::widgets::details::Details;
pub use super::widgets::form::{Field as FormField, Form, FormDialog, Item as Value};
pub use super::widgets::reader::{Reader, SEARCHING};
pub use super::widgets::state::State;
pub use super::widgets::table::{Cell, Column, Sorting, Width};
pub(in crate::ui) use super::widgets::table::{age_column, number_column, text_column};
pub use super::widgets::{column, rule, tabs};
pub use crate::client::{Reply, Request};
pub use crate::tasks::{Origin, Report};
pub use ratatui::buffer::Buffer;
pub use ratatui::layout::{Position, Rect};
pub use ratatui::style::Style;
pub use ratatui::text::{Line, Span};
pub use std::time::Duration;
