//! The forms of the pane: which conversations to list, and which page. The rules are those of the API.

use super::format::kind_name;
use crate::api::rules::{self, Fault};
use crate::api::{ConversationFilter, ConversationType};
use crate::ui::data::Data;
use crate::ui::fuzzy;
use crate::ui::text::{clean, thousands};
use crate::ui::widgets::form::{Choice, Control, Field, Form, Item, TextField};
use jiff::civil::Date;
use std::borrow::Cow;

/// The name of the filter form.
pub const FILTER: &str = "filter";
/// The name of the form for a page number.
pub const PAGE: &str = "page";

const TYPE: &str = "type";
const ASSISTANT: &str = "assistant_id";
const FROM: &str = "date_from";
const TO: &str = "date_to";

/// The outbound assistants by id and name: the API filters by no others.
pub fn assistants(data: &Data) -> Vec<(i64, String)> {
    let known = data.assistants.value().map_or(&[][..], Vec::as_slice).iter();
    known.filter_map(|one| Some((*one.id.known()?, clean(one.name.known()?).into_owned()))).collect()
}

/// The fields, filled in with the filter in force.
pub fn fields(filter: &ConversationFilter, data: &Data) -> Vec<Field> {
    let chosen = filter.kind.as_ref().map_or("", ConversationType::as_str);
    let other = filter.kind.iter().filter(|kind| matches!(kind, ConversationType::Other(_)));
    let kinds = ConversationType::KNOWN.iter().chain(other).map(|kind| Item::new(kind.as_str(), kind_name(kind)));
    let kinds = std::iter::once(Item::new("", "all")).chain(kinds).collect();
    let name = filter.assistant_id.map(|id| named(id, &assistants(data)).unwrap_or_else(|| id.to_string()));
    let line = |text: Option<String>| Control::Line(TextField::new(&text.unwrap_or_default()));
    let day = |day: Option<Date>| line(day.map(|day| day.to_string()));
    vec![
        Field::new(TYPE, "type", Control::Choice(Choice::new(kinds, chosen))),
        Field::new(ASSISTANT, "assistant", line(name)).hint(hint(data)),
        Field::new(FROM, "from", day(filter.date_from)).hint("first day created, YYYY-MM-DD (UTC)").eager(),
        Field::new(TO, "until", day(filter.date_to)).hint("last day created, included").eager(),
    ]
}

/// The name of an assistant, where it is known.
pub fn named(id: i64, assistants: &[(i64, String)]) -> Option<String> {
    assistants.iter().find(|(known, _)| *known == id).map(|(_, name)| name.clone())
}

fn hint(data: &Data) -> &'static str {
    match (data.assistants.value(), data.assistants.failure()) {
        (Some(known), _) if known.is_empty() => "any (there are no outbound assistants)",
        (Some(_), _) => "any",
        (None, Some(_)) => "any (the assistants failed to load; a number works)",
        (None, None) => "any (the assistants are loading)",
    }
}

fn matching<'a>(typed: &str, assistants: &'a [(i64, String)]) -> Vec<&'a (i64, String)> {
    let found = fuzzy::rank(typed, assistants, |(_, name)| vec![Cow::Borrowed(name.as_str())]);
    found.into_iter().map(|(assistant, _)| assistant).collect()
}

/// The assistant with exactly this name, else the best match, else the one with this number.
fn assistant_id(typed: &str, assistants: &[(i64, String)]) -> Result<Option<i64>, Fault> {
    let exact = || assistants.iter().find(|(_, name)| name == typed);
    match typed.trim() {
        "" => Ok(None),
        typed => match exact().or_else(|| matching(typed, assistants).first().copied()) {
            Some((id, _)) => Ok(Some(*id)),
            None => typed.parse().map(Some).map_err(|_| {
                Fault::new(ASSISTANT, "No outbound assistant has this name. The number of any assistant works too.")
            }),
        },
    }
}

fn day(form: &Form, name: &'static str) -> Result<Option<Date>, Fault> {
    match form.text_of(name).trim() {
        "" => Ok(None),
        typed => rules::day(name, typed).map(Some).map_err(|_| {
            let shaped = typed.len() == 10 && typed.split('-').map(str::len).eq([4, 2, 2]);
            let wrong = if shaped { "There is no such day." } else { "Write it as YYYY-MM-DD, such as 2026-11-01." };
            Fault::new(name, wrong)
        }),
    }
}

/// The filter that the form describes.
///
/// # Errors
/// Everything that is wrong, by field.
pub fn read(form: &Form, data: &Data) -> Result<ConversationFilter, Vec<Fault>> {
    let kind = Some(form.text_of(TYPE)).filter(|word| !word.is_empty()).map(ConversationType::from);
    let assistant = assistant_id(form.text_of(ASSISTANT), &assistants(data));
    match (assistant, day(form, FROM), day(form, TO)) {
        (Ok(_), Ok(Some(from)), Ok(Some(to))) if from > to => {
            Err(vec![Fault::new(TO, "This day lies before the first one.")])
        }
        (Ok(assistant_id), Ok(date_from), Ok(date_to)) => {
            Ok(ConversationFilter { kind, assistant_id, date_from, date_to })
        }
        (assistant, from, to) => Err([assistant.err(), from.err(), to.err()].into_iter().flatten().collect()),
    }
}

/// After a change: checks the fields, except a day that is half typed, and suggests assistants.
pub fn check(form: &mut Form, data: &Data) {
    let half = |fault: &Fault| {
        let typed = form.text_of(&fault.field).trim();
        let shaped = typed.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        fault.field == form.focused() && fault.field != ASSISTANT && shaped && typed.len() < 10
    };
    let mut faults = read(form, data).err().unwrap_or_default();
    faults.retain(|fault| !half(fault));
    form.set_errors(faults);
    form.change_fields(|fields| {
        if let Some(field) = fields.iter_mut().find(|field| field.name == ASSISTANT) {
            hint(data).clone_into(&mut field.hint);
        }
    });
    let (typed, all) = (form.text_of(ASSISTANT).to_owned(), assistants(data));
    if form.focused() == ASSISTANT {
        let any = typed.trim().is_empty().then(|| Item::new("", "any"));
        let found = matching(&typed, &all).into_iter().filter(|(_, name)| *name != typed);
        let items = found.map(|(id, name)| Item::new(name, name).about(format!("no. {id}")));
        form.offer(ASSISTANT, if all.is_empty() { Vec::new() } else { any.into_iter().chain(items).collect() });
    } else if let Ok(Some(name)) = assistant_id(&typed, &all).map(|id| named(id?, &all)) {
        // A few letters become the name that they stand for.
        if name != typed {
            form.set(ASSISTANT, &name);
        }
    }
}

/// The field for the number of a page, shown beside the one on screen and the last.
pub fn page_fields((current, last): (u64, u64)) -> Vec<Field> {
    let hint = format!("now {} of {}", thousands(current), thousands(last));
    vec![Field::new(PAGE, "page", Control::Line(TextField::default())).hint(hint).required()]
}

/// The number of a page.
///
/// # Errors
/// What it must be instead.
pub fn read_page(form: &Form, last: u64) -> Result<u64, Vec<Fault>> {
    let number = form.text_of(PAGE).trim().parse().ok().filter(|number| (1..=last).contains(number));
    number.ok_or_else(|| vec![Fault::new(PAGE, format!("Enter a page from 1 to {}.", thousands(last)))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::action::{Action, TextEdit};
    use crate::ui::input::{Input, Key};

    /// A form filled in with this filter, where no assistants are loaded.
    fn form(filter: &ConversationFilter) -> Form {
        Form::new(fields(filter, &Data::default())).quick()
    }

    fn error_of(values: &[(&str, &str)]) -> String {
        let mut form = form(&ConversationFilter::default());
        for (path, value) in values {
            form.set(path, value);
        }
        let faults = read(&form, &Data::default()).unwrap_err();
        faults.into_iter().map(|fault| fault.to_string()).collect()
    }

    #[test]
    fn form_describes_the_filter_it_was_filled_in_with() {
        let filter = ConversationFilter {
            kind: Some(ConversationType::Other("fax".to_owned())),
            assistant_id: Some(7),
            date_from: Some("2026-11-01".parse().unwrap()),
            date_to: Some("2026-11-20".parse().unwrap()),
        };
        assert_eq!(read(&form(&filter), &Data::default()), Ok(filter));
    }

    #[test]
    fn errors_say_what_to_write() {
        assert_eq!(error_of(&[(FROM, "2026-02-30")]), "There is no such day.");
        assert!(error_of(&[(TO, "yesterday")]).contains("YYYY-MM-DD"));
        assert!(error_of(&[(FROM, "2026-11-05"), (TO, "2026-11-01")]).contains("before the first"));
        assert!(error_of(&[(ASSISTANT, "nobody")]).contains("number of any assistant"));
    }

    #[test]
    fn few_letters_mean_the_best_match() {
        let assistants = [(1, "Reception".to_owned()), (4, "Réception FR".to_owned()), (7, "受付".to_owned())];
        for (typed, id) in [("fr", Some(4)), ("Reception", Some(1)), ("受", Some(7)), ("12", Some(12)), (" ", None)] {
            assert_eq!(assistant_id(typed, &assistants), Ok(id), "{typed}");
        }
    }

    #[test]
    fn half_typed_day_is_not_called_wrong() {
        let mut form = form(&ConversationFilter::default());
        form.focus(FROM);
        let errors = |form: &mut Form, typed: &str| {
            for letter in typed.chars() {
                form.text(&Input::Key(Key::char(letter)));
            }
            check(form, &Data::default());
            form.act(Action::Submit) != crate::ui::widgets::form::FormEvent::Submit
        };
        assert!(!errors(&mut form, "2026-0"));
        assert!(errors(&mut form, "x"));
        form.act(Action::Text(TextEdit::DeleteLine));
        assert!(errors(&mut form, "2026-13-01"));
    }
}
