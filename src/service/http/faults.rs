//! Collects what is wrong with an input, so that one answer names it all.

use super::Body;
use crate::api::ErrorBody;
use crate::api::rules::Fault;
use std::collections::BTreeMap;

/// The faults found so far.
#[derive(Debug, Default)]
pub struct Faults {
    found: Vec<Fault>,
    message: Option<&'static str>,
}

impl Faults {
    /// For an operation that always says the same of the whole.
    pub fn titled(message: &'static str) -> Self {
        Self { found: Vec::new(), message: Some(message) }
    }

    /// Takes a list of objects; `None` where none is given, or one of its objects cannot be read.
    pub fn check_each<T>(
        &mut self,
        objects: Result<Option<Vec<Body>>, Fault>,
        read: impl Fn(&Body, &mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let objects = self.check(objects).flatten()?;
        // All are read, so that the faults of all are named.
        let read: Vec<_> = objects.iter().map(|object| read(object, self)).collect();
        read.into_iter().collect()
    }

    /// Whether something is wrong with a field.
    pub fn names(&self, field: &str) -> bool {
        self.found.iter().any(|fault| fault.field == field)
    }

    /// Takes what another check has found.
    #[must_use]
    pub fn and(mut self, found: Vec<Fault>) -> Self {
        self.found.extend(found);
        self
    }

    /// Whether there are none.
    ///
    /// # Errors
    /// Itself, where there are some.
    pub fn none(self) -> Result<(), Self> {
        if self.found.is_empty() { Ok(()) } else { Err(self) }
    }

    /// Takes the value of a field, or its fault.
    pub fn check<T>(&mut self, field: Result<T, Fault>) -> Option<T> {
        field.map_err(|fault| self.found.push(fault)).ok()
    }
}

impl From<Faults> for ErrorBody {
    fn from(Faults { found, message }: Faults) -> Self {
        let message = message.map_or_else(|| summary(&found), str::to_owned);
        let mut errors: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for fault in found {
            errors.entry(fault.field.into_owned()).or_default().push(fault.sentence);
        }
        Self::Validation { message, errors }
    }
}

/// The first fault, and how many more there are.
fn summary(found: &[Fault]) -> String {
    let message =
        found.first().map_or_else(|| "The given data was invalid.".to_owned(), |first| first.sentence.clone());
    match found.len() {
        0 | 1 => message,
        2 => message + " (and 1 more error)",
        count => format!("{message} (and {} more errors)", count - 1),
    }
}
