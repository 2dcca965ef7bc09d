//! The forms of the pane: which conversations to list, and which page. The rules are those of the API.

use super::days::{self, Days, Span};
use super::format::kind_name;
use super::pages::{Filtering, Listed, LoadedPage, Query};
use super::requests::Paged;
use super::rows::Row;
use crate::api::rules::Fault;
use crate::api::{ConversationFilter, ConversationType, PageRef};
use crate::ui::data::{self, Data};
use crate::ui::fuzzy;
use crate::ui::pane::Context;
use crate::ui::text::{clean, thousands};
use crate::ui::widgets::form::{Field, Form, FormDialog, Item};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The name of the filter form.
pub const FILTER: &str = "filter";
/// The name of the form for a page number.
pub const PAGE: &str = "page";
/// What stands below the fields of the filter form.
pub const ABOUT: &str =
    "The server filters all conversations. Days are those of your time zone. Ctrl-U clears all fields.";

/// The names of fields.
pub const TYPE: &str = "type";
pub const ASSISTANT: &str = "assistant_id";
pub const DAYS: &str = "days";
const CUSTOMER: &str = "customer_phone";

/// An assistant whose conversations can be listed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Chosen {
    /// The number by which the server filters; `None` where only rows tell of it.
    pub id: Option<i64>,
    /// The UUID that rows have.
    pub uuid: Option<String>,
    /// Its name, cleaned.
    pub name: String,
}

/// A filter as it was typed, so that `today` is another day tomorrow.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Wanted {
    /// The word of a type; empty for all.
    pub kind: String,
    /// Only of this assistant.
    pub assistant: Option<Chosen>,
    /// The days on which they began, as [`Days::parse`] reads them.
    pub days: String,
    /// The customer's number in E.164; only some servers filter by it.
    pub customer: String,
}

/// What the server does not filter by: rows outside are hidden.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Here {
    /// When they began.
    pub span: Span,
    /// The UUID of their assistant.
    pub assistant: Option<String>,
}

impl Wanted {
    /// The filter of a route.
    pub fn of(filter: &ConversationFilter) -> Self {
        let day = |day: Option<Date>| day.map(|day| day.to_string()).unwrap_or_default();
        let days = match (filter.date_from, filter.date_to) {
            (None, None) => String::new(),
            (from, until) => format!("{}..{}", day(from), day(until)),
        };
        let id = filter.assistant_id;
        Self {
            kind: filter.kind.as_ref().map_or_else(String::new, |kind| kind.as_str().to_owned()),
            assistant: id.map(|id| Chosen { id: Some(id), ..Chosen::default() }),
            days,
            customer: filter.customer_phone.clone().unwrap_or_default(),
        }
    }
}

impl Filtering for Wanted {
    type Filter = ConversationFilter;

    fn days(&self) -> &str {
        &self.days
    }

    fn filter(&self, now: Timestamp, zone: &TimeZone) -> ConversationFilter {
        let (date_from, date_to) = self.parsed_days(now, zone).in_utc(zone);
        ConversationFilter {
            kind: Some(self.kind.as_str()).filter(|word| !word.is_empty()).map(ConversationType::from),
            assistant_id: self.assistant.as_ref().and_then(|one| one.id),
            date_from,
            date_to,
            customer_phone: Some(self.customer.clone()).filter(|phone| !phone.is_empty()),
        }
    }

    fn here(&self, now: Timestamp, zone: &TimeZone) -> Here {
        let assistant = self.assistant.as_ref().filter(|one| one.id.is_none()).and_then(|one| one.uuid.clone());
        Here { span: self.parsed_days(now, zone).span(zone), assistant }
    }
}

/// The day in a zone.
pub fn today(now: Timestamp, zone: &TimeZone) -> Date {
    now.to_zoned(zone.clone()).date()
}

/// The assistants that are listed, and those that only rows tell of.
pub fn assistants<'r>(data: &Data, rows: impl Iterator<Item = &'r Row>) -> Vec<Chosen> {
    let mut known: Vec<Chosen> = Vec::new();
    let all = data.all_assistants.value().into_iter().flatten();
    known.extend(all.filter_map(|one| {
        let (id, uuid) = (*one.base.id.known()?, one.uuid.known().cloned());
        Some(Chosen { id: Some(id), uuid, name: clean(one.base.name.known()?).into_owned() })
    }));
    for one in data.assistants.value().into_iter().flatten() {
        let (Some(id), Some(name)) = (one.id.known(), one.name.known()) else { continue };
        if known.iter().all(|other| other.id != Some(*id)) {
            known.push(Chosen { id: Some(*id), uuid: None, name: clean(name).into_owned() });
        }
    }
    for row in rows {
        let (Some(uuid), Some(name)) = (row.data.assistant_id.known(), row.data.assistant_name.known()) else {
            continue;
        };
        let name = clean(name).into_owned();
        let is_it = |one: &Chosen| one.uuid.as_ref().map_or(one.name == name, |known| known == uuid);
        if !name.is_empty() && !known.iter().any(is_it) {
            known.push(Chosen { id: None, uuid: Some(uuid.clone()), name });
        }
    }
    known
}

/// The fields, filled in with the filter in force; `by_customer` where the server filters by that.
pub fn fields(wanted: &Wanted, by_customer: bool, data: &Data, known: &[Chosen]) -> Vec<Field> {
    let chosen = ConversationType::from(wanted.kind.as_str());
    let other = Some(&chosen).filter(|kind| matches!(kind, ConversationType::Other(word) if !word.is_empty()));
    let kinds = ConversationType::KNOWN.iter().chain(other).map(|kind| Item::new(kind.as_str(), kind_name(kind)));
    let kinds = std::iter::once(Item::new("", "all")).chain(kinds).collect();
    let name = wanted.assistant.as_ref().map(|one| named(one, known)).unwrap_or_default();
    let mut fields = vec![
        Field::choice(TYPE, "type", kinds, wanted.kind.as_str()),
        Field::line(ASSISTANT, "assistant", &name).hint(hint(data)),
        Field::line(DAYS, "created", &wanted.days).hint(days::HINT).eager(),
    ];
    if by_customer || !wanted.customer.is_empty() {
        fields.push(Field::line(CUSTOMER, "customer", &wanted.customer).hint("the number with +, such as +4930901820"));
    }
    fields
}

/// The name of an assistant, or its number where that is all that is known.
pub fn named(one: &Chosen, known: &[Chosen]) -> String {
    let listed = || known.iter().find(|other| one.id.is_some() && other.id == one.id);
    let name = Some(one).filter(|one| !one.name.is_empty()).or_else(listed).map(|one| one.name.clone());
    name.unwrap_or_else(|| one.id.map(|id| id.to_string()).unwrap_or_default())
}

/// What stands in the empty field of the assistant.
pub fn hint(data: &Data) -> &'static str {
    match (data.assistants.value(), data.assistants.failure()) {
        (Some(_), _) => "any",
        (None, Some(_)) => "any (the assistants failed to load; a number works)",
        (None, None) => "any (the assistants are loading)",
    }
}

fn matching<'a>(typed: &str, known: &'a [Chosen]) -> Vec<&'a Chosen> {
    let found = fuzzy::rank(typed, known, |one| vec![Cow::Borrowed(one.name.as_str())]);
    found.into_iter().map(|(one, _)| one).collect()
}

/// The assistant with exactly this name, else the best match, else the one with this number.
///
/// # Errors
/// What to write instead.
pub fn assistant(typed: &str, known: &[Chosen]) -> Result<Option<Chosen>, Fault> {
    let exact = || known.iter().find(|one| one.name == typed);
    match typed.trim() {
        "" => Ok(None),
        typed => match exact().or_else(|| matching(typed, known).first().copied()) {
            Some(one) => Ok(Some(one.clone())),
            None => typed.parse().map(|id| Some(Chosen { id: Some(id), ..Chosen::default() })).map_err(|_| {
                Fault::new(ASSISTANT, "No assistant has this name. The number of any assistant works too.")
            }),
        },
    }
}

/// The filter that the form describes.
///
/// # Errors
/// Everything that is wrong, by field.
pub fn read(form: &Form, known: &[Chosen], today: Date) -> Result<Wanted, Vec<Fault>> {
    let assistant = assistant(form.text_of(ASSISTANT), known);
    let typed = form.text_of(DAYS).trim();
    let days = Days::parse(typed, today).map_err(|wrong| Fault::new(DAYS, wrong));
    let customer: String = form.text_of(CUSTOMER).chars().filter(|letter| !letter.is_whitespace()).collect();
    let digits = customer
        .strip_prefix('+')
        .is_some_and(|rest| (6..=15).contains(&rest.len()) && rest.bytes().all(|byte| byte.is_ascii_digit()));
    let phone = (customer.is_empty() || digits)
        .then_some(())
        .ok_or_else(|| Fault::new(CUSTOMER, "Write the number with + and its country code, such as +4930901820."));
    match (assistant, days, phone) {
        (Ok(assistant), Ok(_), Ok(())) => {
            Ok(Wanted { kind: form.text_of(TYPE).to_owned(), assistant, days: typed.to_owned(), customer })
        }
        (assistant, days, phone) => Err([assistant.err(), days.err(), phone.err()].into_iter().flatten().collect()),
    }
}

/// After a change: checks the fields, except days that are half typed, and suggests assistants.
pub fn check(form: &mut Form, data: &Data, known: &[Chosen], today: Date) {
    let faults = read(form, known, today).err().unwrap_or_default();
    check_faults(form, faults);
    suggest_assistants(form, data, known);
}

/// Shows what is wrong, except days that are half typed.
pub fn check_faults(form: &mut Form, mut faults: Vec<Fault>) {
    let half = form.focused() == DAYS && days::is_half(form.text_of(DAYS));
    faults.retain(|fault| !(half && fault.field == DAYS));
    form.set_errors(faults);
}

/// Suggests assistants while their field has the focus; then a few letters become the name that they stand for.
pub fn suggest_assistants(form: &mut Form, data: &Data, known: &[Chosen]) {
    form.change_fields(|fields| {
        if let Some(field) = fields.iter_mut().find(|field| field.name == ASSISTANT) {
            hint(data).clone_into(&mut field.hint);
        }
    });
    let typed = form.text_of(ASSISTANT).to_owned();
    if form.focused() == ASSISTANT {
        let any = typed.trim().is_empty().then(|| Item::new("", "any"));
        let found = matching(&typed, known).into_iter().filter(|one| one.name != typed);
        let about = |one: &Chosen| {
            one.id.map_or_else(|| "loaded rows only: its number is not known".to_owned(), |id| format!("no. {id}"))
        };
        let items = found.map(|one| Item::new(one.name.as_str(), one.name.as_str()).about(about(one)));
        form.offer(ASSISTANT, if known.is_empty() { Vec::new() } else { any.into_iter().chain(items).collect() });
    } else if let Ok(Some(one)) = assistant(&typed, known)
        && one.name != typed
        && !one.name.is_empty()
    {
        form.set(ASSISTANT, &one.name);
    }
}

/// Loads the assistants that a filter form offers.
pub fn want_assistants(cx: &mut Context) {
    if cx.data.assistants.failure().is_some() {
        cx.data.fetch(data::Item::Assistants, &mut cx.tasks, cx.now);
    } else {
        cx.data.want(data::Item::Assistants, &mut cx.tasks, cx.now);
    }
    cx.data.all_assistants.want(&mut cx.tasks, cx.now);
}

/// Asks to which page to go.
pub fn open_page<D: Listed>(paged: &Paged<D>, cx: &mut Context) {
    if let Some(numbers) = paged.list.source.shown().and_then(LoadedPage::numbers) {
        cx.open(PAGE, FormDialog::new("Go to page", "go", Form::new(page_fields(numbers))));
    }
}

/// Goes there. The list is to be arranged then.
pub fn submit_page<D: Listed>(paged: &mut Paged<D>, cx: &mut Context) {
    let last = paged.list.source.shown().and_then(LoadedPage::numbers).map_or(1, |(_, last)| last);
    let page = cx.overlays.submit(PAGE, |form| read_page(form, last)).map(PageRef::Number);
    if let Some(page) = page.filter(|page| paged.query.page != *page) {
        paged.turn_to(Query { page, ..paged.query.clone() }, cx);
    }
}

/// The field for the number of a page, shown beside the one on screen and the last.
fn page_fields((current, last): (u64, u64)) -> Vec<Field> {
    let hint = format!("now {} of {}", thousands(current), thousands(last));
    vec![Field::line(PAGE, "page", "").hint(hint).required()]
}

/// The number of a page.
///
/// # Errors
/// What it must be instead.
fn read_page(form: &Form, last: u64) -> Result<u64, Vec<Fault>> {
    let number = form.text_of(PAGE).trim().parse().ok().filter(|number| (1..=last).contains(number));
    number.ok_or_else(|| vec![Fault::new(PAGE, format!("Enter a page from 1 to {}.", thousands(last)))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::action::{Action, TextEdit};
    use crate::ui::input::{Input, Key};

    fn day() -> Date {
        "2026-11-21".parse().unwrap()
    }

    /// A form filled in with this filter, where no assistants are loaded.
    fn form(wanted: &Wanted) -> Form {
        Form::new(fields(wanted, true, &Data::default(), &[])).quick().clearing()
    }

    fn error_of(values: &[(&str, &str)]) -> String {
        let mut form = form(&Wanted::default());
        for (path, value) in values {
            form.set(path, value);
        }
        let faults = read(&form, &[], day()).unwrap_err();
        faults.into_iter().map(|fault| fault.to_string()).collect()
    }

    fn filled() -> Wanted {
        Wanted {
            kind: "fax".to_owned(),
            assistant: Some(Chosen { id: Some(7), ..Chosen::default() }),
            days: "-7d".to_owned(),
            customer: "+4930901820".to_owned(),
        }
    }

    #[test]
    fn form_describes_the_filter_it_was_filled_in_with() {
        assert_eq!(read(&form(&filled()), &[], day()), Ok(filled()));
        let text = serde_json::to_string(&filled()).unwrap();
        assert_eq!(serde_json::from_str::<Wanted>(&text).unwrap(), filled());
    }

    #[test]
    fn line_is_cleared_by_one_key_and_so_is_the_whole_form() {
        for field in [TYPE, ASSISTANT, DAYS] {
            let mut form = form(&filled());
            form.focus(field);
            form.act(Action::Text(TextEdit::DeleteLine));
            assert_eq!(read(&form, &[], day()), Ok(Wanted::default()), "{field}");
        }
    }

    #[test]
    fn errors_say_what_to_write() {
        assert_eq!(error_of(&[(DAYS, "2026-02-30")]), "There is no such day.");
        assert!(error_of(&[(DAYS, "soon")]).contains("11-01..11-05"));
        assert!(error_of(&[(DAYS, "2026-11-05..2026-11-01")]).contains("before the first"));
        assert!(error_of(&[(ASSISTANT, "nobody")]).contains("number of any assistant"));
        assert!(error_of(&[(CUSTOMER, "030 901820")]).contains("country code"));
    }

    #[test]
    fn few_letters_mean_the_best_match() {
        let one = |id: Option<i64>, name: &str| Chosen { id, uuid: Some(format!("u-{name}")), name: name.to_owned() };
        let known = [one(Some(1), "Reception"), one(Some(4), "Réception FR"), one(None, "受付")];
        for (typed, found) in [("fr", Some(1)), ("Reception", Some(0)), ("受", Some(2)), (" ", None)] {
            assert_eq!(assistant(typed, &known), Ok(found.map(|at: usize| known[at].clone())), "{typed}");
        }
        assert_eq!(assistant("12", &known).unwrap().unwrap().id, Some(12));
        let only_here = Wanted { assistant: Some(known[2].clone()), ..Wanted::default() };
        let (now, zone) = (Timestamp::UNIX_EPOCH, TimeZone::UTC);
        assert_eq!(only_here.filter(now, &zone), ConversationFilter::default());
        assert_eq!(only_here.here(now, &zone).assistant.as_deref(), Some("u-受付"));
    }

    #[test]
    fn half_typed_day_is_not_called_wrong() {
        let mut form = form(&Wanted::default());
        form.focus(DAYS);
        let errors = |form: &mut Form, typed: &str| {
            for letter in typed.chars() {
                form.text(&Input::Key(Key::char(letter)));
            }
            check(form, &Data::default(), &[], day());
            form.act(Action::Submit) != crate::ui::widgets::form::FormEvent::Submit
        };
        assert!(!errors(&mut form, "2026-0"));
        assert!(errors(&mut form, "x"));
        form.act(Action::Text(TextEdit::DeleteLine));
        assert!(errors(&mut form, "2026-13-01"));
    }
}
