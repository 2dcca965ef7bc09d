//! The dry run: validates every row before anything is sent.

use super::{ColumnTarget, Mapping, Table};
use crate::api::messaging::recipient_name;
use crate::api::{SendTemplate, Sender, SenderStatus, Template, TemplateStatus};
use crate::messaging::{Phone, Preview, human_name};
use jiff::Timestamp;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

/// Lines that the summary of the hints names.
const HINTED: usize = 20;

/// The template message that every row of a batch fills in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateMessage {
    /// `sender_id` on the wire.
    pub sender_id: i64,
    /// `template_id` on the wire.
    pub template_id: i64,
    /// The template's text and variables.
    pub preview: Preview,
    /// The country of phone numbers without a plus (ISO 3166, two capital letters).
    pub country: Option<String>,
}

/// A row that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoodRow {
    /// Line in the file, from 1.
    pub line: u64,
    /// The request to send.
    pub message: SendTemplate,
}

/// A row that cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRow {
    /// Line in the file, from 1.
    pub line: u64,
    /// The phone cell, unchanged.
    pub phone: String,
    /// The name cell, unchanged.
    pub name: String,
    /// Why it cannot be sent; at least one reason.
    pub reasons: Vec<BadReason>,
}

/// Why a row cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BadReason {
    /// The row on this line has the same phone number.
    Duplicate(u64),
    /// The same template was sent to the number by other means.
    SentBefore(Timestamp),
    /// A cell or the row breaks a rule, in words.
    Invalid(String),
}

impl fmt::Display for BadReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate(line) => write!(f, "the same number as line {line}"),
            Self::SentBefore(time) => write!(f, "sent before, on {}", time.strftime("%Y-%m-%d %H:%M UTC")),
            Self::Invalid(words) => f.write_str(words),
        }
    }
}

impl BadRow {
    /// Whether its only fault is the number of an earlier row.
    pub fn is_duplicate(&self) -> bool {
        matches!(self.reasons[..], [BadReason::Duplicate(_)])
    }

    /// All reasons in one line.
    pub fn why(&self) -> String {
        self.reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    }
}

/// What is odd about the number of a row that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowHint {
    /// Line in the file, from 1.
    pub line: u64,
    /// In E.164.
    pub phone: String,
    /// In words.
    pub hint: String,
}

impl RowHint {
    /// How many there are and on which lines, in a sentence; `None` where there are none.
    pub fn summary(hints: &[Self]) -> Option<String> {
        let (named, others) = hints.split_at(hints.len().min(HINTED));
        let lines = named.iter().map(|hint| hint.line.to_string()).collect::<Vec<_>>().join(", ");
        let more = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        match hints.len() {
            0 => None,
            1 => Some(format!("1 number looks wrong: line {lines}")),
            count => Some(format!("{count} numbers look wrong: lines {lines}{more}")),
        }
    }
}

/// The rows of a file, validated.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    /// In the order of the file.
    pub good: Vec<GoodRow>,
    /// In the order of the file.
    pub bad: Vec<BadRow>,
    /// Of the good rows, in the order of the file.
    pub hints: Vec<RowHint>,
}

impl TemplateMessage {
    /// The request for one recipient; `values` in the order of the variables.
    pub fn to(&self, phone: &Phone, name: &str, values: &[&str]) -> SendTemplate {
        SendTemplate {
            sender_id: self.sender_id,
            template_id: self.template_id,
            recipient_phone: phone.e164().to_owned(),
            recipient_name: Some(name.trim().to_owned()).filter(|name| !name.is_empty()),
            variables: self.preview.given(values),
        }
    }

    /// Validation errors of a recipient's name and values.
    pub fn faults(&self, name: &str, values: &[&str]) -> Vec<String> {
        let long = recipient_name(name.trim()).err().map(|fault| format!("name: {fault}"));
        let lines = name.chars().any(char::is_control).then(|| "name: it has more than one line".to_owned());
        let empty = self
            .preview
            .variables()
            .iter()
            .enumerate()
            .filter(|(at, _)| values.get(*at).is_none_or(|value| value.trim().is_empty()));
        let empty = empty.map(|(_, variable)| format!("{} has no value", human_name(variable)));
        long.into_iter().chain(lines).chain(empty).collect()
    }
}

/// Why the template cannot be sent to anyone; `None` if nothing is known to prevent it.
pub fn obstacle(sender: Option<&Sender>, template: &Template) -> Option<String> {
    let offline = sender.is_some_and(|sender| sender.status.known() == Some(&SenderStatus::Offline));
    match template.status.known() {
        _ if offline => Some("the sender is offline".to_owned()),
        Some(TemplateStatus::Approved) | None => None,
        Some(TemplateStatus::Pending) => {
            Some("the template is pending: it is looked at again every 4 hours".to_owned())
        }
        Some(TemplateStatus::Rejected) => Some("the template was rejected by the messaging platform".to_owned()),
        Some(TemplateStatus::Other(status)) => Some(format!("the template is not approved, but {status:?}")),
    }
}

/// Validates every row. Of rows with the same number only the first can be valid.
pub fn check(table: &Table, mapping: &Mapping, letter: &TemplateMessage) -> Checked {
    let mut checked = Checked::default();
    let mut first: HashMap<String, u64> = HashMap::new();
    for row in &table.rows {
        let cell = |target| mapping.column(target).and_then(|column| row.cells.get(column)).map_or("", String::as_str);
        let (typed, name) = (cell(ColumnTarget::Phone), cell(ColumnTarget::Name));
        let values: Vec<&str> = (0..mapping.variables().len()).map(|at| cell(ColumnTarget::Variable(at))).collect();
        let mut reasons: Vec<_> = row.fault.iter().cloned().map(BadReason::Invalid).collect();
        let phone = Phone::read(typed, letter.country.as_deref());
        match &phone {
            Err(fault) => reasons.push(BadReason::Invalid(format!("phone: {fault}"))),
            Ok(phone) => match first.entry(Phone::plain(phone.e164())) {
                Entry::Occupied(line) => reasons.push(BadReason::Duplicate(*line.get())),
                Entry::Vacant(none) => drop(none.insert(row.line)),
            },
        }
        reasons.extend(letter.faults(name, &values).into_iter().map(BadReason::Invalid));
        match phone {
            Ok(phone) if reasons.is_empty() => {
                let hint = phone.hint().map(|hint| RowHint { line: row.line, phone: phone.e164().to_owned(), hint });
                checked.hints.extend(hint);
                checked.good.push(GoodRow { line: row.line, message: letter.to(&phone, name, &values) });
            }
            _ => checked.bad.push(BadRow { line: row.line, phone: typed.to_owned(), name: name.to_owned(), reasons }),
        }
    }
    checked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Field;
    use crate::api::messaging::arrange_variables;
    use proptest::prelude::*;

    fn letter() -> TemplateMessage {
        let variables = ["customer_name", "date"].map(str::to_owned);
        TemplateMessage {
            sender_id: 1,
            template_id: 2,
            preview: Preview::new("Hi {{1}}, see you on {{2}}.", &variables),
            country: Some("DE".to_owned()),
        }
    }

    fn checked(file: &str) -> Checked {
        let table = Table::read(file.as_bytes()).unwrap();
        let letter = letter();
        check(&table, &Mapping::guess(&table.header, letter.preview.variables()), &letter)
    }

    #[test]
    fn good_rows_are_ready_to_leave() {
        let checked =
            checked("to,name,customer name,Date\n030 901820,Jörg,Herr Brandt,3 May\n+1 415 555 0100,,Ada,4 May\n");
        assert!(checked.bad.is_empty());
        let [jörg, ada] = &checked.good[..] else { panic!("{checked:?}") };
        assert_eq!((jörg.line, ada.line), (2, 3));
        assert_eq!(jörg.message.recipient_phone, "+4930901820");
        assert_eq!(jörg.message.recipient_name.as_deref(), Some("Jörg"));
        assert_eq!(jörg.message.variables["customer_name"], "Herr Brandt");
        assert_eq!(ada.message.recipient_name, None);
    }

    #[test]
    fn bad_rows_are_told_with_their_line_and_every_reason() {
        let long = "é".repeat(256);
        let file = format!(
            "to,name,customer_name,date\n+14155550100,A,a,1\n+1 415 555-0100,B,b,2\n415,C,,\n\n+14155550101,{long},d,4\n\
             +14155550102,E\n+14155550103,\"F\nF\",f,6\n"
        );
        let checked = checked(&file);
        assert_eq!(checked.good.len(), 1);
        let told: Vec<_> = checked.bad.iter().map(|row| (row.line, row.why())).collect();
        assert_eq!(
            told,
            [
                (3, "the same number as line 2".to_owned()),
                (
                    4,
                    "phone: too short: a number has at least 8 digits, country code included; Customer name has no \
                     value; Date has no value"
                        .to_owned()
                ),
                (6, "name: The recipient name may not be greater than 255 characters.".to_owned()),
                (7, "has 2 cells for 4 columns; Customer name has no value; Date has no value".to_owned()),
                (8, "name: it has more than one line".to_owned()),
            ]
        );
    }

    #[test]
    fn odd_numbers_are_told_with_their_lines_and_can_be_sent() {
        let checked = checked("to,customer_name,date\n+14155550100,a,1\n+11115550100,b,2\n+99912345678,c,3\n+4,d,4\n");
        assert_eq!((checked.good.len(), checked.bad.len()), (3, 1));
        let hints: Vec<_> = checked.hints.iter().map(|hint| (hint.line, hint.phone.as_str())).collect();
        assert_eq!(hints, [(3, "+11115550100"), (4, "+99912345678")]);
        assert_eq!(RowHint::summary(&checked.hints).as_deref(), Some("2 numbers look wrong: lines 3, 4"));
        assert_eq!(RowHint::summary(&checked.hints[1..]).as_deref(), Some("1 number looks wrong: line 4"));
        assert_eq!(RowHint::summary(&[]), None);
        let many = vec![checked.hints[0].clone(); 22];
        assert!(RowHint::summary(&many).unwrap().ends_with(", 3, 3 and 2 more"));
    }

    #[test]
    fn spreadsheet_numbers_are_bad_rows_with_the_likely_number() {
        let checked = checked("to,customer_name,date\n+49 30 901820.0,a,1\n4930901820,b,2\n");
        let told: Vec<_> = checked.bad.iter().map(BadRow::why).collect();
        assert_eq!(told[0], "phone: looks like +49 30 901820, written as a decimal number");
        assert!(told[1].starts_with("phone: is +49 30 901820 or +49 4930"), "{told:?}");
        assert!(checked.good.is_empty());
    }

    #[test]
    fn a_template_that_cannot_be_sent_is_told_before_anybody_is_asked() {
        let template = |status| Template { status: Field::Known(status), ..Template::default() };
        let offline = Sender { status: Field::Known(SenderStatus::Offline), ..Sender::default() };
        assert_eq!(obstacle(None, &template(TemplateStatus::Approved)), None);
        assert_eq!(obstacle(None, &Template::default()), None, "the server has the last word");
        assert!(obstacle(None, &template(TemplateStatus::Pending)).unwrap().contains("4 hours"));
        assert!(obstacle(None, &template(TemplateStatus::Rejected)).is_some());
        assert_eq!(
            obstacle(Some(&offline), &template(TemplateStatus::Approved)).as_deref(),
            Some("the sender is offline")
        );
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn every_row_is_good_or_bad_and_no_number_is_sent_to_twice(
            rows in prop::collection::vec(("(\\+1415555010[0-4]|030 90182[0-4]|x|)", "[a-z]{0,2}", "[a-z]{0,2}"), 1..30)
        ) {
            let header = "to,name,customer_name,date".to_owned();
            let lines = rows.iter().map(|(to, name, date)| format!("{to},n,{name},{date}"));
            let checked = checked(&std::iter::once(header).chain(lines).collect::<Vec<_>>().join("\n"));
            prop_assert_eq!(checked.good.len() + checked.bad.len(), rows.len());
            let phones: std::collections::BTreeSet<_> = checked.good.iter().map(|row| &row.message.recipient_phone).collect();
            prop_assert_eq!(phones.len(), checked.good.len());
            for row in &checked.good {
                prop_assert!(arrange_variables(letter().preview.variables(), &row.message.variables).is_ok());
            }
            prop_assert!(checked.bad.iter().all(|row| !row.reasons.is_empty()));
        }
    }
}
