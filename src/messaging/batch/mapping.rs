//! The mapping of columns to targets.

use crate::messaging::human_name;
use serde::{Deserialize, Serialize};

/// Normalised names of columns with a phone number.
const PHONES: &[&str] = &[
    "to",
    "phone",
    "number",
    "recipient",
    "phonenumber",
    "recipientphone",
    "customerphone",
    "mobile",
    "mobilephone",
    "mobilenumber",
    "telephone",
    "tel",
    "msisdn",
];
/// Normalised names of columns with the recipient's name.
const NAMES: &[&str] = &["name", "recipientname", "customername", "contactname", "fullname"];
/// Unused columns that a message names.
const NAMED: usize = 6;

/// What a column can be mapped to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnTarget {
    /// The recipient's number.
    Phone,
    /// The recipient's name; optional.
    Name,
    /// The template's variable at this index, from 0.
    Variable(usize),
}

/// Maps targets to columns. A column may serve several targets: a name is often a variable too.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Mapping {
    variables: Vec<String>,
    phone: Option<usize>,
    name: Option<usize>,
    values: Vec<Option<usize>>,
}

impl Mapping {
    /// Matches columns to targets by their names, whatever their case, blanks and punctuation. Where two columns could be
    /// meant, none is taken.
    pub fn guess(header: &[String], variables: &[String]) -> Self {
        let plain: Vec<String> = header.iter().map(|name| plain(name)).collect();
        let only = |fits: &dyn Fn(usize, &str) -> bool| {
            let mut columns = plain.iter().enumerate().filter(|(at, name)| fits(*at, name)).map(|(at, _)| at);
            columns.next().filter(|_| columns.next().is_none())
        };
        let value = |(at, variable): (usize, &String)| {
            let (called, place) = (self::plain(variable), (at + 1).to_string());
            let by_name = only(&|_, column| !called.is_empty() && column == called);
            by_name.or_else(|| only(&|_, column| column == place))
        };
        let values: Vec<_> = variables.iter().enumerate().map(value).collect();
        // The number of an order is no phone number.
        let phone = only(&|at, column| PHONES.contains(&column) && !values.contains(&Some(at)));
        let called = |sought: &'static str| only(&|_, column| column == sought);
        let name = NAMES.iter().find_map(|name| called(name));
        Self { variables: variables.to_vec(), phone, name, values }
    }

    /// Whether one of these columns is called like one with phone numbers.
    pub(super) fn names_a_phone(header: &[String]) -> bool {
        header.iter().any(|name| PHONES.contains(&self::plain(name).as_str()))
    }

    /// Whether it fits a file with this header and a template with these variables.
    pub fn fits(&self, header: &[String], variables: &[String]) -> bool {
        let is_there = |column: &usize| *column < header.len();
        let columns = self.targets().filter_map(|target| self.column(target));
        self.variables == variables
            && self.values.len() == variables.len()
            && columns.into_iter().all(|at| is_there(&at))
    }

    /// Every target, in the order of the form.
    pub fn targets(&self) -> impl Iterator<Item = ColumnTarget> + use<> {
        let variables = (0..self.values.len()).map(ColumnTarget::Variable);
        [ColumnTarget::Phone, ColumnTarget::Name].into_iter().chain(variables)
    }

    /// The column of a target.
    pub fn column(&self, target: ColumnTarget) -> Option<usize> {
        match target {
            ColumnTarget::Phone => self.phone,
            ColumnTarget::Name => self.name,
            ColumnTarget::Variable(at) => self.values.get(at).copied().flatten(),
        }
    }

    /// Maps a target to a column, or to none.
    pub fn set(&mut self, target: ColumnTarget, column: Option<usize>) {
        match target {
            ColumnTarget::Phone => self.phone = column,
            ColumnTarget::Name => self.name = column,
            ColumnTarget::Variable(at) => {
                if let Some(value) = self.values.get_mut(at) {
                    *value = column;
                }
            }
        }
    }

    /// Required targets without a column.
    pub fn missing(&self) -> Vec<ColumnTarget> {
        self.targets().filter(|target| *target != ColumnTarget::Name && self.column(*target).is_none()).collect()
    }

    /// A target by the word for it: `phone`, `name`, a variable's name or its place. `None` where there is none.
    pub fn target(&self, word: &str) -> Option<ColumnTarget> {
        let sought = plain(word);
        let exact = self.variables.iter().position(|name| name == word.trim());
        let alike = || self.variables.iter().position(|name| !sought.is_empty() && plain(name) == sought);
        let place = || sought.parse::<usize>().ok()?.checked_sub(1).filter(|at| *at < self.variables.len());
        match sought.as_str() {
            _ if exact.is_some() => exact.map(ColumnTarget::Variable),
            "phone" => Some(ColumnTarget::Phone),
            "name" => Some(ColumnTarget::Name),
            _ => alike().or_else(place).map(ColumnTarget::Variable),
        }
    }

    /// A target for people: "Phone number", "Name", "Customer name".
    pub fn human(&self, target: ColumnTarget) -> String {
        match target {
            ColumnTarget::Phone => "Phone number".to_owned(),
            ColumnTarget::Name => "Name".to_owned(),
            ColumnTarget::Variable(at) => self.variables.get(at).map_or_else(String::new, |name| human_name(name)),
        }
    }

    /// The names of unused columns, in the order of the file: a hint that the template may be the wrong one.
    pub fn unused<'a>(&self, header: &'a [String]) -> Vec<&'a str> {
        let used: Vec<usize> = self.targets().filter_map(|target| self.column(target)).collect();
        let unused = header.iter().enumerate().filter(|(at, name)| !used.contains(at) && !name.is_empty());
        unused.map(|(_, name)| name.as_str()).collect()
    }

    /// Those in a line, the first ones by name; `None` where every column is for something.
    pub fn unused_in_words(&self, header: &[String]) -> Option<String> {
        let unused = self.unused(header);
        let (named, others) = unused.split_at(unused.len().min(NAMED));
        let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        (!named.is_empty()).then(|| format!("{}{more}", named.join(", ")))
    }

    /// The names of the template's variables.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }
}

/// Lowercase letters and digits only.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn guess(header: &[&str], variables: &[&str]) -> Mapping {
        Mapping::guess(&owned(header), &owned(variables))
    }

    #[test]
    fn columns_are_matched_by_their_names() {
        let mapping = guess(&["Date", "Phone Number", "CUSTOMER-NAME", "notes"], &["customer_name", "date"]);
        assert_eq!(mapping.column(ColumnTarget::Phone), Some(1));
        assert_eq!(mapping.column(ColumnTarget::Name), Some(2), "a column may serve twice");
        assert_eq!(mapping.column(ColumnTarget::Variable(0)), Some(2));
        assert_eq!(mapping.column(ColumnTarget::Variable(1)), Some(0));
        assert!(mapping.missing().is_empty());
        for phone in ["to", "Phone", "NUMBER", "recipient"] {
            assert_eq!(guess(&[phone], &[]).column(ColumnTarget::Phone), Some(0));
        }
        let mapping = guess(&["to", "{{2}}", "1"], &["a", "b"]);
        assert_eq!(
            (mapping.column(ColumnTarget::Variable(0)), mapping.column(ColumnTarget::Variable(1))),
            (Some(2), Some(1))
        );
    }

    #[test]
    fn what_could_be_meant_twice_or_not_at_all_needs_a_mapping() {
        assert_eq!(guess(&["phone", "mobile"], &[]).missing(), [ColumnTarget::Phone]);
        assert_eq!(guess(&["to", "Date", "date"], &["date"]).missing(), [ColumnTarget::Variable(0)]);
        assert_eq!(guess(&["number", "who"], &["number"]).missing(), [ColumnTarget::Phone], "the number of an order");
        let mut mapping = guess(&["who", "when"], &["date"]);
        assert_eq!(mapping.missing(), [ColumnTarget::Phone, ColumnTarget::Variable(0)]);
        assert_eq!(mapping.human(ColumnTarget::Variable(0)), "Date");
        mapping.set(mapping.target("phone").unwrap(), Some(0));
        mapping.set(mapping.target("Date").unwrap(), Some(1));
        assert!(mapping.missing().is_empty());
        assert_eq!(mapping.target("nothing"), None);
        assert_eq!((mapping.target("1"), mapping.target("2")), (Some(ColumnTarget::Variable(0)), None));
    }

    #[test]
    fn columns_without_a_use_are_told_by_name_where_they_are_few() {
        let (header, variables) = (owned(&["phone", "name", "code", "", "Date"]), owned(&["date"]));
        let mapping = Mapping::guess(&header, &variables);
        assert_eq!(mapping.unused(&header), ["code"]);
        assert_eq!(mapping.unused_in_words(&header).as_deref(), Some("code"));
        assert_eq!(mapping.unused_in_words(&header[..2]), None);
        let header: Vec<String> = (0..9).map(|at| format!("c{at}")).collect();
        assert_eq!(mapping.unused_in_words(&header).as_deref(), Some("c2, c3, c5, c6, c7, c8"));
        let mapping = Mapping::guess(&header, &[]);
        assert_eq!(mapping.unused_in_words(&header).as_deref(), Some("c0, c1, c2, c3, c4, c5 and 3 more"));
    }

    #[test]
    fn a_variable_goes_before_what_its_name_also_means() {
        let mapping = guess(&["to", "name"], &["name"]);
        assert_eq!(mapping.target("name"), Some(ColumnTarget::Variable(0)));
        assert_eq!(mapping.column(ColumnTarget::Name), mapping.column(ColumnTarget::Variable(0)));
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn shuffled_shouted_columns_are_found_again(
            names in prop::collection::btree_set("[a-z]{3,6}(_[a-z]{2,4})?", 1..6),
            seed: u64,
        ) {
            let variables: Vec<String> = names.into_iter().filter(|name| !PHONES.contains(&plain(name).as_str())).collect();
            let plains: std::collections::BTreeSet<_> = variables.iter().map(|name| plain(name)).collect();
            prop_assume!(plains.len() == variables.len());
            let mut header: Vec<String> =
                variables.iter().map(|name| name.to_uppercase().replace('_', " ")).chain(["To".to_owned()]).collect();
            fastrand::Rng::with_seed(seed).shuffle(&mut header);
            let mapping = Mapping::guess(&header, &variables);
            prop_assert!(mapping.missing().is_empty());
            prop_assert_eq!(&header[mapping.column(ColumnTarget::Phone).unwrap()], "To");
            for (at, name) in variables.iter().enumerate() {
                let column = mapping.column(ColumnTarget::Variable(at)).unwrap();
                prop_assert_eq!(plain(&header[column]), plain(name));
            }
        }

        #[test]
        fn every_column_that_is_taken_is_there(header: Vec<String>, variables: Vec<String>) {
            let mapping = Mapping::guess(&header, &variables);
            for target in mapping.targets() {
                prop_assert!(mapping.column(target).is_none_or(|column| column < header.len()));
            }
        }
    }
}
