//! The templates of a sender: which of them are shown, and in which order.

use super::format;
use crate::api::{Template, TemplateCategory, TemplateStatus};
use crate::client::Reply;
use crate::ui::widgets::list::ListState;
use std::borrow::Cow;
use std::cmp::Ordering;
use std::time::Duration;

/// The state of the part.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Templates {
    pub(super) list: ListState<Option<i64>>,
    /// The sender whose templates are shown.
    sender_id: i64,
    /// Templates loaded before are requested again when they are looked at.
    pub(super) refreshed: Duration,
}

impl Templates {
    /// Shows those of this sender that match what is typed; another sender's from the top.
    pub fn arrange(&mut self, sender_id: i64, rows: &[Template], height: usize) {
        if std::mem::replace(&mut self.sender_id, sender_id) != sender_id {
            self.list.reset();
        }
        let typed = self.list.narrow.value().to_owned();
        let filters = filters(rows, &typed);
        self.list.refresh(
            rows,
            |row| row.id.known().copied(),
            // A row that a filter excludes has no fields, so that no word matches it.
            |row| {
                let words = filters.iter().map(|(_, word)| Cow::Owned((*word).to_owned()));
                let passes = filters.iter().all(|(filter, _)| filter.passes(row));
                let fields = std::iter::once(format::text(&row.name)).chain(words);
                if passes { fields.collect() } else { Vec::new() }
            },
            |_, _, _| Ordering::Equal,
            height,
        );
    }
}

/// Reads the reply, in display order.
pub fn read(reply: Reply) -> Option<Vec<Template>> {
    Reply::list_templates(reply).map(in_order)
}

/// Sendable templates first, then by name.
fn in_order(list: impl IntoIterator<Item = Template>) -> Vec<Template> {
    let mut list: Vec<Template> = list.into_iter().collect();
    let rank = |template: &Template| match template.status.known() {
        Some(TemplateStatus::Approved) => 0,
        Some(TemplateStatus::Pending) => 1,
        Some(TemplateStatus::Rejected) => 2,
        _ => 3,
    };
    list.sort_by_cached_key(|template| {
        (rank(template), template.name.known().map(|name| name.to_lowercase()), template.language.known().cloned())
    });
    list
}

/// A typed word that is a language, or begins a category or a status, filters by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filter {
    /// Of this category.
    Category(TemplateCategory),
    /// With this status.
    Status(TemplateStatus),
    /// In this language.
    Language(String),
}

impl Filter {
    /// The text of its chip.
    pub fn label(&self) -> &str {
        match self {
            Self::Category(category) => category.as_str(),
            Self::Status(status) => status.as_str(),
            Self::Language(language) => language,
        }
    }

    fn passes(&self, template: &Template) -> bool {
        match self {
            Self::Category(category) => template.category.known() == Some(category),
            Self::Status(status) => template.status.known() == Some(status),
            Self::Language(wanted) => template.language.known().is_some_and(|language| is_language(language, wanted)),
        }
    }

    fn read(word: &str, list: &[Template]) -> Option<Self> {
        let word = word.to_lowercase();
        let begins = |name: &str| word.chars().count() >= 4 && name.starts_with(&word);
        if let Some(category) = TemplateCategory::KNOWN.iter().find(|category| begins(category.as_str())) {
            return Some(Self::Category(category.clone()));
        }
        if let Some(status) = TemplateStatus::KNOWN.iter().find(|status| begins(status.as_str())) {
            return Some(Self::Status(status.clone()));
        }
        let spoken = |template: &Template| template.language.known().is_some_and(|one| is_language(one, &word));
        list.iter().any(spoken).then_some(Self::Language(word))
    }
}

/// `pt` is every Portuguese, `pt_BR` only that of Brazil.
fn is_language(language: &str, wanted: &str) -> bool {
    let language = language.to_lowercase().replace('-', "_");
    let wanted = wanted.replace('-', "_");
    language == wanted || language.split('_').next() == Some(&wanted)
}

/// The filters among the words typed, each with its word.
pub fn filters<'a>(list: &[Template], typed: &'a str) -> Vec<(Filter, &'a str)> {
    typed.split_whitespace().filter_map(|word| Some((Filter::read(word, list)?, word))).collect()
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
        in_order(vec![
            template("flash_sale", "en", Marketing, Rejected),
            template("spring_offer", "pt_BR", Marketing, Pending),
            template("order_update", "de", Utility, Approved),
            template("appointment_reminder", "en", Utility, Approved),
            template("login_code", "en", Authentication, Approved),
        ])
    }

    fn shown(typed: &str) -> Vec<String> {
        let list = with_ids(list());
        let mut templates = Templates::default();
        templates.list.narrow = TextInput::new(typed);
        templates.arrange(1, &list, 10);
        templates.list.order().iter().map(|shown| list[shown.row].name.known().unwrap().clone()).collect()
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
        assert_eq!(filters.iter().map(|(filter, _)| filter.label()).collect::<Vec<_>>(), ["utility", "de"]);
    }

    #[test]
    fn the_selection_stays_on_its_template_while_others_go() {
        let list = with_ids(list());
        let mut templates = Templates::default();
        templates.arrange(1, &list, 10);
        templates.list.select(list[2].id.known().copied(), 10);
        templates.list.narrow = TextInput::new("order");
        templates.arrange(1, &list, 10);
        assert_eq!(templates.list.selected(&list).unwrap().name.known().unwrap(), "order_update");
        templates.arrange(2, &list, 10);
        assert_eq!(templates.list.at(), 0, "another sender's begin at the top");
    }

    fn with_ids(mut list: Vec<Template>) -> Vec<Template> {
        for (at, template) in (1i64..).zip(&mut list) {
            template.id = at.into();
        }
        list
    }
}
