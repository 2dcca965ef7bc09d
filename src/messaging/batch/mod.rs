//! One template to many: a file of recipients is read, its columns are matched, and every row is checked before
//! anything leaves.

mod check;
mod csv;
mod key;
mod mapping;

pub use check::{BadReason, BadRow, Checked, GoodRow, TemplateMessage, check, obstacle};
pub use csv::{Table, TableFault, TableRow, write_csv};
pub use key::BatchKey;
pub use mapping::{ColumnTarget, Mapping};
