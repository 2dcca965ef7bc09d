//! Reads a TOML table key by key, with the line of each, and notes what is wrong instead of failing.

use super::choice::Choice;
use super::problem::Problem;
use super::suggest::nearest;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// The longest wrong value that a problem repeats, in characters.
const SHOWN_MAX: usize = 40;

/// Gathers the problems of one text.
pub struct Problems {
    /// The offsets of its line breaks: looked up for each key.
    breaks: Vec<usize>,
    problems: Vec<Problem>,
}

impl Problems {
    /// A reader of this text, which has no problems yet.
    pub fn new(text: &str) -> Self {
        Self { breaks: text.match_indices('\n').map(|(at, _)| at).collect(), problems: Vec::new() }
    }

    /// The line, from 1, in which the byte at `offset` stands.
    pub fn line(&self, offset: usize) -> usize {
        1 + self.breaks.partition_point(|at| *at < offset)
    }

    /// All problems, in the order of their lines.
    pub fn into_problems(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| problem.line);
        self.problems
    }
}

/// A key with its value.
pub struct KeyValue<'t> {
    /// The key, without its tables.
    pub key: String,
    /// Its line.
    pub line: usize,
    /// Its value.
    pub value: DeValue<'t>,
}

/// A table being read. What is left of it when it is finished is unknown.
pub struct Section<'r, 't> {
    reader: &'r mut Problems,
    path: String,
    table: DeTable<'t>,
    asked: Vec<&'static str>,
}

impl<'t> Section<'_, 't> {
    /// The table that is the whole text.
    pub fn root<'r>(reader: &'r mut Problems, table: DeTable<'t>) -> Section<'r, 't> {
        Section { reader, path: String::new(), table, asked: Vec::new() }
    }

    /// Takes a key out of the table, where it is there.
    pub fn take(&mut self, key: &'static str) -> Option<KeyValue<'t>> {
        self.asked.push(key);
        let entry = self.table.remove_entry(key)?;
        Some(self.entry(entry))
    }

    /// Whether a key is in the table, with whatever value.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Takes everything that is left: the keys of this table are names that the user chose.
    pub fn rest(&mut self) -> Vec<KeyValue<'t>> {
        std::mem::take(&mut self.table).into_iter().map(|entry| self.entry(entry)).collect()
    }

    /// Takes a list of tables, each with the line where it begins; what is no list is noted.
    pub fn list(&mut self, key: &'static str) -> Vec<KeyValue<'t>> {
        let Some(entry) = self.take(key) else { return Vec::new() };
        let DeValue::Array(items) = entry.value else {
            self.refuse(&entry, "must be a list of tables", "none");
            return Vec::new();
        };
        let line = |span: std::ops::Range<usize>| self.reader.line(span.start);
        items
            .into_iter()
            .map(|item| KeyValue { key: key.to_owned(), line: line(item.span()), value: item.into_inner() })
            .collect()
    }

    /// Takes a value. One that `read` does not accept is noted ("must be `wanted` …; using `using`"), and is then
    /// the default, as one that is not there.
    pub fn read<T>(
        &mut self,
        key: &'static str,
        wanted: &str,
        using: &str,
        default: T,
        read: impl FnOnce(&DeValue<'t>) -> Option<T>,
    ) -> T {
        let Some(entry) = self.take(key) else { return default };
        read(&entry.value).unwrap_or_else(|| {
            self.refuse(&entry, &format!("must be {wanted}"), using);
            default
        })
    }

    /// Takes the word of a [`Choice`].
    pub fn choice<T: Choice>(&mut self, key: &'static str, default: T) -> T {
        let using = format!("\"{}\"", default.word());
        self.read(key, &format!("one of {}", T::words()), &using, default, |value| T::from_word(value.as_str()?))
    }

    /// Takes a table inside this one.
    pub fn table(&mut self, key: &'static str) -> Option<Section<'_, 't>> {
        let entry = self.take(key)?;
        self.enter(entry)
    }

    /// Goes into a table that was taken out of this one; notes it where it is none.
    pub fn enter(&mut self, entry: KeyValue<'t>) -> Option<Section<'_, 't>> {
        let path = self.name(&entry.key);
        if let DeValue::Table(table) = entry.value {
            Some(Section { reader: self.reader, path, table, asked: Vec::new() })
        } else {
            self.refuse(&entry, "must be a table", "none");
            None
        }
    }

    /// Notes a value that cannot be used, and what is used instead.
    pub fn refuse(&mut self, entry: &KeyValue, must: &str, using: &str) {
        let message = format!("{must}, is {}; using {using}", shown(&entry.value));
        self.note(entry.line, &entry.key, message);
    }

    /// Notes a problem with a key.
    pub fn note(&mut self, line: usize, key: &str, message: impl Into<String>) {
        let key = self.name(key);
        self.reader.problems.push(Problem::key(line, key, message));
    }

    /// Notes every key that nothing has asked for.
    pub fn finish(mut self) {
        for entry in self.rest() {
            let meant = nearest(&entry.key, self.asked.iter().copied());
            let message = match meant {
                Some(meant) => format!("is not a setting; did you mean {meant}?"),
                None => "is not a setting".to_owned(),
            };
            self.note(entry.line, &entry.key, message);
        }
    }

    fn entry(&self, (key, value): (Spanned<DeString<'t>>, Spanned<DeValue<'t>>)) -> KeyValue<'t> {
        let line = self.reader.line(key.span().start);
        KeyValue { key: key.into_inner().into_owned(), line, value: value.into_inner() }
    }

    fn name(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }
}

/// The value as an integer, in whichever radix it is written.
pub fn integer(value: &DeValue) -> Option<i64> {
    let number = value.as_integer()?;
    i64::from_str_radix(number.as_str(), number.radix()).ok()
}

/// A wrong value as a problem repeats it.
fn shown(value: &DeValue) -> String {
    match value {
        DeValue::String(text) if text.chars().count() > SHOWN_MAX => {
            format!("{:?}", text.chars().take(SHOWN_MAX).chain(['…']).collect::<String>())
        }
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(truth) => truth.to_string(),
        DeValue::Datetime(_) => "a date or time".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
