//! The filter of the calls: as it is typed, and its form. The rules are those of the API.

use super::super::days::{self, Days};
use super::super::filter::{
    ASSISTANT, Chosen, DAYS, Here, TYPE, assistant, check_faults, hint, named, suggest_assistants, today,
};
use super::super::pages::Filtering;
use super::format::{kind_name, status_name};
use super::rows::Row;
use crate::api::rules::Fault;
use crate::api::{CallFilter, CallStatus, CallType};
use crate::messaging::Phone;
use crate::ui::fuzzy;
use crate::ui::phone;
use crate::ui::prelude::*;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// What stands below the fields.
pub const ABOUT: &str = "The server filters all calls. Days are those of your time zone. Ctrl-U clears all fields.";

const STATUS: &str = "status";
const PHONE: &str = "phone_number";
/// Numbers that are suggested.
const SUGGESTED: usize = 20;

/// A filter as it was typed, so that `today` is another day tomorrow.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wanted {
    /// The word of a status; empty for all.
    pub status: String,
    /// The word of a type; empty for all.
    pub kind: String,
    /// The customer's number in E.164; empty for all.
    pub phone: String,
    /// Only of this assistant.
    pub assistant: Option<Chosen>,
    /// The days on which they began, as [`Days::parse`] reads them.
    pub days: String,
}

impl Filtering for Wanted {
    type Filter = CallFilter;

    fn days(&self) -> &str {
        &self.days
    }

    fn filter(&self, now: Timestamp, zone: &TimeZone) -> CallFilter {
        let (date_from, date_to) = self.parsed_days(now, zone).in_utc(zone);
        let some = |word: &String| Some(word.clone()).filter(|word| !word.is_empty());
        CallFilter {
            status: some(&self.status).map(|word| CallStatus::from(word.as_str())),
            kind: some(&self.kind).map(|word| CallType::from(word.as_str())),
            phone_number: some(&self.phone),
            assistant_id: self.assistant.as_ref().and_then(|one| one.id),
            campaign_id: None,
            date_from,
            date_to,
        }
    }

    fn here(&self, now: Timestamp, zone: &TimeZone) -> Here {
        Here { span: self.parsed_days(now, zone).span(zone), assistant: None }
    }
}

impl Wanted {
    /// What is in force, for the line above the list.
    pub fn chips(&self, known: &[Chosen], view: &View<'_>) -> Vec<String> {
        let mut chips = Vec::new();
        if !self.status.is_empty() {
            chips.push(format!("status: {}", status_name(&CallStatus::from(self.status.as_str()))));
        }
        if !self.kind.is_empty() {
            chips.push(format!("type: {}", kind_name(&CallType::from(self.kind.as_str()))));
        }
        if !self.phone.is_empty() {
            chips.push(format!("number: {}", phone::phone(&self.phone)));
        }
        chips.extend(self.assistant.as_ref().map(|one| match (named(one, known), one.id) {
            (name, Some(id)) if name == id.to_string() => format!("assistant: no. {id}"),
            (name, _) => format!("assistant: {name}"),
        }));
        if !self.days.is_empty() {
            let days = self.parsed_days(view.now.wall, view.zone);
            chips.push(format!("began: {}", days.words(today(view.now.wall, view.zone))));
        }
        chips
    }
}

/// The fields, filled in with the filter in force.
pub fn fields(wanted: &Wanted, data: &Data, known: &[Chosen]) -> Vec<FormField> {
    let statuses = CallStatus::KNOWN.iter().map(|status| Value::new(status.as_str(), status_name(status)));
    let kinds = CallType::KNOWN.iter().map(|kind| Value::new(kind.as_str(), kind_name(kind)));
    let all = || std::iter::once(Value::new("", "all"));
    let name = wanted.assistant.as_ref().map(|one| named(one, known)).unwrap_or_default();
    let number = if wanted.phone.is_empty() { String::new() } else { phone::phone(&wanted.phone) };
    vec![
        FormField::choice(STATUS, "status", all().chain(statuses).collect(), wanted.status.as_str()),
        FormField::choice(TYPE, "type", all().chain(kinds).collect(), wanted.kind.as_str()),
        FormField::line(PHONE, "customer", &number).hint("a number with its country code"),
        FormField::line(ASSISTANT, "assistant", &name).hint(hint(data)),
        FormField::line(DAYS, "began", &wanted.days).hint(days::HINT).eager(),
    ]
}

/// The filter that the form describes; a national number is one of this country.
///
/// # Errors
/// Everything that is wrong, by field.
pub fn read(form: &Form, known: &[Chosen], country: Option<&str>, today: Date) -> Result<Wanted, Vec<Fault>> {
    let assistant = assistant(form.text_of(ASSISTANT), known);
    let days = form.text_of(DAYS).trim();
    let read_days = Days::parse(days, today).map_err(|wrong| Fault::new(DAYS, wrong));
    let phone = match form.text_of(PHONE).trim() {
        "" => Ok(String::new()),
        typed => Phone::read(typed, country)
            .map(|phone| phone.e164().to_owned())
            .map_err(|fault| Fault::new(PHONE, fault.to_string())),
    };
    match (assistant, read_days, phone) {
        (Ok(assistant), Ok(_), Ok(phone)) => {
            let [status, kind] = [STATUS, TYPE].map(|field| form.text_of(field).to_owned());
            Ok(Wanted { status, kind, phone, assistant, days: days.to_owned() })
        }
        (assistant, days, phone) => Err([assistant.err(), days.err(), phone.err()].into_iter().flatten().collect()),
    }
}

/// After a change: checks the fields, and suggests assistants and the numbers of loaded rows.
pub fn check<'r>(
    form: &mut Form,
    (known, rows): (&[Chosen], impl Iterator<Item = &'r Row>),
    today: Date,
    (data, options): (&Data, &Options),
) {
    let mut faults = read(form, known, options.country.as_deref(), today).err().unwrap_or_default();
    // A number that is being typed is not wrong yet.
    faults.retain(|fault| !(fault.field == PHONE && form.focused() == PHONE));
    check_faults(form, faults);
    suggest_assistants(form, data, known);
    if form.focused() != PHONE {
        return;
    }
    let mut numbers: Vec<(String, Option<&str>)> = Vec::new();
    for row in rows {
        let Some(number) = row.data.client_phone_number.known().map(|number| phone::phone(number)) else { continue };
        if !numbers.iter().any(|(other, _)| *other == number) {
            numbers.push((number, row.name.as_deref()));
        }
    }
    let typed = form.text_of(PHONE).trim().to_owned();
    let found =
        fuzzy::rank(&typed, &numbers, |(number, name)| vec![number.as_str().into(), name.unwrap_or_default().into()]);
    let found = found.into_iter().map(|(one, _)| one).filter(|(number, _)| *number != typed).take(SUGGESTED);
    let items = found.map(|(number, name)| {
        let item = Value::new(number.as_str(), number.as_str());
        if let Some(name) = name { item.about(*name) } else { item }
    });
    let items = items.collect();
    form.offer(PHONE, items);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day() -> Date {
        "2026-11-21".parse().unwrap()
    }

    #[test]
    fn form_describes_the_filter_it_was_filled_in_with() {
        let wanted = Wanted {
            status: "no-answer".to_owned(),
            kind: "outbound".to_owned(),
            phone: "+4930901820".to_owned(),
            assistant: Some(Chosen { id: Some(7), ..Chosen::default() }),
            days: "-7d".to_owned(),
        };
        let form = Form::new(fields(&wanted, &Data::default(), &[]));
        assert_eq!(read(&form, &[], None, day()), Ok(wanted.clone()));
        let filter = wanted.filter("2026-11-21T12:00:00Z".parse().unwrap(), &TimeZone::UTC);
        assert_eq!((filter.status, filter.kind), (Some(CallStatus::NoAnswer), Some(CallType::Outbound)));
        assert_eq!(
            (filter.assistant_id, filter.date_from.map(|day| day.to_string())),
            (Some(7), Some("2026-11-14".into()))
        );
    }

    #[test]
    fn national_number_is_one_of_the_profiles_country() {
        let mut form = Form::new(fields(&Wanted::default(), &Data::default(), &[]));
        form.set(PHONE, "030 901820");
        assert_eq!(read(&form, &[], Some("DE"), day()).unwrap().phone, "+4930901820");
        assert_eq!(read(&form, &[], None, day()).unwrap_err()[0].field, PHONE);
    }
}
