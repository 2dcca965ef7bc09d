//! One template to many: reads a file of recipients, maps its columns, and validates every row before anything is sent.

mod check;
mod csv;
mod key;
mod mapping;

pub use check::{BadReason, BadRow, Checked, GoodRow, RowHint, TemplateMessage, check, obstacle};
pub use csv::{Table, TableFault, TableRow, write_csv};
pub use key::BatchKey;
pub use mapping::{ColumnTarget, Mapping};
