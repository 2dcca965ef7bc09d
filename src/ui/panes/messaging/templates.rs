//! The templates of a sender: which of them are shown, and in which order.

use super::{Messaging, Part, RowId, format};
use crate::api::{Rows, Template, TemplateCategory, TemplateStatus};
use crate::messaging::is_code;
use crate::ui::prelude::*;
use crate::ui::widgets::list::ListState;
use std::borrow::Cow;
use std::cmp::Ordering;

impl Messaging {
    /// Shows the templates of the selected sender that match what is typed; another sender's from the top.
    pub(super) fn arrange_templates(&mut self) {
        let height = self.height_of(Part::Templates);
        let Some(id) = self.sender().map(|sender| sender.id) else { return };
        let is_other = self.templates_of.replace(id) != Some(id);
        let rows = self.data.templates_of(id).unwrap_or_default();
        let list = &mut self.lists[Part::Templates as usize];
        let is_new = is_other || list.order().is_empty();
        arrange(list, is_other, rows, height);
        if is_new {
            let can_be_sent = |row: &&Template| format::not_sendable(row).is_none();
            let ids = |row: &Template| row.id.known().copied();
            let sendable = |id: &i64| rows.iter().filter(can_be_sent).any(|row| ids(row) == Some(*id));
            let used = || self.data.used.iter().map(|used| used.template_id).find(sendable);
            // A login code is seldom what a person writes.
            let first = || rows.iter().filter(can_be_sent).find(|row| !is_code(row)).and_then(ids);
            if let Some(template) = self.chosen_templates.get(&id).copied().or_else(used).or_else(first) {
                list.select((template, String::new()), height);
            }
        }
        self.needs.templates(rows);
    }
}

fn arrange(list: &mut ListState<RowId>, is_other: bool, rows: &[Template], height: usize) {
    if is_other {
        list.reset();
    }
    let typed = list.narrow.value().to_owned();
    let filters = filters(rows, &typed);
    list.refresh(
        rows,
        |_| true,
        |row| (row.id.known().copied().unwrap_or_default(), String::new()),
        // A row that a filter excludes has no fields, so that no word matches it.
        |row| {
            let words = filters.iter().map(|(_, word)| Cow::Owned((*word).to_owned()));
            let passes = filters.iter().all(|(filter, _)| passes(row, filter));
            let fields = std::iter::once(format::text(&row.name)).chain(words);
            if passes { fields.collect() } else { Vec::new() }
        },
        |_, _, _| Ordering::Equal,
        height,
    );
}

/// Reads the reply, in display order: sendable templates first, then by name.
pub fn read(reply: Reply) -> Option<Rows<Template>> {
    let mut list = Reply::list_templates(reply)?;
    in_order(&mut list);
    Some(list)
}

fn in_order(list: &mut [Template]) {
    let rank = |template: &Template| match template.status.known() {
        Some(TemplateStatus::Approved) => 0,
        Some(TemplateStatus::Pending) => 1,
        Some(TemplateStatus::Rejected) => 2,
        _ => 3,
    };
    list.sort_by_cached_key(|template| {
        (rank(template), template.name.known().map(|name| name.to_lowercase()), template.language.known().cloned())
    });
}

/// The value that a typed word filters by: a language, or the category or status that the word begins.
fn filter(word: &str, list: &[Template]) -> Option<String> {
    let word = word.to_lowercase();
    let categories = TemplateCategory::KNOWN.iter().map(TemplateCategory::as_str);
    let mut names = categories.chain(TemplateStatus::KNOWN.iter().map(TemplateStatus::as_str));
    let name = names.find(|name| word.chars().count() >= 4 && name.starts_with(&word)).map(str::to_owned);
    name.or_else(|| list.iter().any(|template| is_in(template, &word)).then_some(word))
}

/// No category is called like a status, and neither like a language.
fn passes(template: &Template, filter: &str) -> bool {
    template.category.known().is_some_and(|category| category.as_str() == filter)
        || template.status.known().is_some_and(|status| status.as_str() == filter)
        || is_in(template, filter)
}

/// `pt` is every Portuguese, `pt_BR` only that of Brazil.
fn is_in(template: &Template, wanted: &str) -> bool {
    let wanted = wanted.replace('-', "_");
    template.language.known().is_some_and(|language| {
        let language = language.to_lowercase().replace('-', "_");
        language == wanted || language.split('_').next() == Some(&wanted)
    })
}

/// The filters among the words typed, each with its word.
pub fn filters<'a>(list: &[Template], typed: &'a str) -> Vec<(String, &'a str)> {
    typed.split_whitespace().filter_map(|word| Some((filter(word, list)?, word))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::widgets::input::TextInput;

    fn template(name: &str, language: &str, category: TemplateCategory, status: TemplateStatus) -> Template {
        Template {
            name: name.to_owned().into(),
            language: language.to_owned().into(),
            category: category.into(),
            status: status.into(),
            ..Template::default()
        }
    }

    fn list() -> Vec<Template> {
        use TemplateCategory::{Authentication, Marketing, Utility};
        use TemplateStatus::{Approved, Pending, Rejected};
        let mut list = vec![
            template("flash_sale", "en", Marketing, Rejected),
            template("spring_offer", "pt_BR", Marketing, Pending),
            template("order_update", "de", Utility, Approved),
            template("appointment_reminder", "en", Utility, Approved),
            template("login_code", "en", Authentication, Approved),
        ];
        in_order(&mut list);
        list
    }

    fn shown(typed: &str) -> Vec<String> {
        let list = with_ids(list());
        let mut templates = ListState::default();
        templates.narrow = TextInput::new(typed);
        arrange(&mut templates, true, &list, 10);
        templates.order().iter().map(|shown| list[shown.row].name.known().unwrap().clone()).collect()
    }

    #[test]
    fn what_can_be_sent_comes_first() {
        assert_eq!(shown(""), ["appointment_reminder", "login_code", "order_update", "spring_offer", "flash_sale"]);
    }

    #[test]
    fn words_narrow_by_category_status_language_and_name() {
        assert_eq!(shown("utility"), ["appointment_reminder", "order_update"]);
        assert_eq!(shown("util de"), ["order_update"]);
        assert_eq!(shown("pt"), ["spring_offer"]);
        assert_eq!(shown("pt-br"), ["spring_offer"]);
        assert_eq!(shown("pend"), ["spring_offer"]);
        assert_eq!(shown("remin"), ["appointment_reminder"]);
        assert_eq!(shown("en code"), ["login_code"]);
        assert_eq!(shown("zzz"), Vec::<String>::new());
    }

    #[test]
    fn a_word_that_filters_is_told_from_one_of_the_name() {
        let list = list();
        let filters = filters(&list, "utility de order");
        assert_eq!(filters.iter().map(|(filter, _)| filter.as_str()).collect::<Vec<_>>(), ["utility", "de"]);
    }

    #[test]
    fn the_selection_stays_on_its_template_while_others_go() {
        let list = with_ids(list());
        let mut templates = ListState::default();
        arrange(&mut templates, true, &list, 10);
        templates.select((*list[2].id.known().unwrap(), String::new()), 10);
        templates.narrow = TextInput::new("order");
        arrange(&mut templates, false, &list, 10);
        assert_eq!(templates.selected(&list).unwrap().name.known().unwrap(), "order_update");
        arrange(&mut templates, true, &list, 10);
        assert_eq!(templates.at(), 0, "another sender's begin at the top");
    }

    fn with_ids(mut list: Vec<Template>) -> Vec<Template> {
        for (at, template) in (1i64..).zip(&mut list) {
            template.id = at.into();
        }
        list
    }
}
