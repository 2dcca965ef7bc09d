//! The forms of a batch: the path of the file, and the columns of the file.

use super::RecipientFile;
use crate::messaging::batch::{ColumnTarget, Mapping};
use crate::ui::widgets::form::{Field, Form, Item};
use std::iter::zip;
use std::path::PathBuf;

/// The field of the path.
pub(super) const PATH: &str = "path";

/// The form of the path; the first character typed replaces the path that was used before.
pub(super) fn path(before: &str) -> Form {
    let field = Field::file(PATH, "File", "").required().hint("a path; Tab completes it");
    let mut form = Form::new(vec![field]);
    form.suggest(PATH, before);
    form
}

/// The files of earlier batches that the typed path begins, to be taken again.
pub(super) fn recent(paths: &[PathBuf], typed: &str) -> impl Iterator<Item = Item> {
    let paths = paths.iter().map(|path| path.to_string_lossy().into_owned());
    let fits = paths.filter(move |path| path.starts_with(typed) && path != typed).collect::<Vec<_>>();
    fits.into_iter().map(|path| Item::new(path.clone(), path).about("sent before"))
}

/// True for the name of a file of recipients.
pub(super) fn is_list(name: &str) -> bool {
    [".csv", ".tsv", ".txt"].iter().any(|end| name.to_lowercase().ends_with(end))
}

/// The form in which the user chooses the columns.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ColumnsForm {
    file: RecipientFile,
    mapping: Mapping,
    pub(super) form: Form,
}

impl ColumnsForm {
    /// A choice of columns for each value; the focus is on the first that has none.
    pub(super) fn new(file: RecipientFile, mapping: Mapping) -> Self {
        let field = |(at, target)| {
            let is_required = target != ColumnTarget::Name;
            let none = (!is_required).then(|| Item::new("", "none"));
            let columns = column_names(&file).enumerate().map(|(at, name)| Item::new(at.to_string(), name));
            let chosen = mapping.column(target).map_or(String::new(), |column| column.to_string());
            let items = none.into_iter().chain(columns).collect();
            let field = Field::choice(&name(at), &mapping.human(target), items, chosen);
            if is_required { field.required().hint("choose a column") } else { field }
        };
        let form = Form::new(mapping.targets().enumerate().map(field).collect());
        Self { file, mapping, form }
    }

    /// The file, with the columns as they are chosen.
    pub(super) fn mapped(&self) -> (RecipientFile, Mapping) {
        let mut mapping = self.mapping.clone();
        for (at, target) in self.mapping.targets().enumerate() {
            mapping.set(target, self.form.text_of(&name(at)).parse().ok());
        }
        (self.file.clone(), mapping)
    }

    /// Each column with its cell in the first row.
    pub(super) fn first_row(&self) -> impl Iterator<Item = (String, &str)> {
        let cells = self.file.table.rows.first().map_or(&[][..], |row| &row.cells);
        zip(column_names(&self.file), cells.iter().map(String::as_str))
    }
}

/// The names of the columns, for people.
fn column_names(file: &RecipientFile) -> impl Iterator<Item = String> {
    let names = file.table.header.iter().enumerate();
    names.map(|(at, name)| if name.is_empty() { format!("column {}", at + 1) } else { name.clone() })
}

fn name(at: usize) -> String {
    format!("columns.{at}")
}
