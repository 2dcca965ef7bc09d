//! Collects what is wrong with an input, so that one answer names it all.

use crate::api::ErrorBody;
use crate::api::rules::Fault;
use std::collections::BTreeMap;

/// The faults found so far.
#[derive(Debug, Default)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Takes the value of a field, or its fault.
    pub fn check<T>(&mut self, field: Result<T, Fault>) -> Option<T> {
        field.map_err(|fault| self.0.push(fault)).ok()
    }
}

impl From<Faults> for ErrorBody {
    fn from(Faults(faults): Faults) -> Self {
        let message =
            faults.first().map_or_else(|| "The given data was invalid.".to_owned(), |first| first.sentence.clone());
        let message = match faults.len() {
            0 | 1 => message,
            2 => message + " (and 1 more error)",
            count => format!("{message} (and {} more errors)", count - 1),
        };
        let mut errors: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for fault in faults {
            errors.entry(fault.field.to_owned()).or_default().push(fault.sentence);
        }
        Self::Validation { message, errors }
    }
}
