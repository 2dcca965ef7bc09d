//! The templates of a sender: which of them are shown, and in which order.

use crate::api::{Template, TemplateCategory, TemplateStatus};
use crate::ui::widgets::input::TextInput;
use crate::ui::widgets::list::Cursor;
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use std::collections::BTreeMap;
use std::time::Duration;

/// A template that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Its place in the sender's list.
    pub at: usize,
    /// The characters of its name that match, by their position.
    pub letters: Vec<u32>,
}

/// The templates of one sender, as far as they were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shelf {
    /// Since when they are asked for.
    pub since: Option<Duration>,
    /// When they came.
    pub came: Option<Duration>,
    /// Why they did not.
    pub fault: Option<String>,
}

/// The state of the part.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Templates {
    pub(super) shelves: BTreeMap<i64, Shelf>,
    pub(super) shown: Vec<Shown>,
    pub(super) cursor: Cursor,
    pub(super) narrow: TextInput,
    /// The sender whose templates are shown, and the one of them that is selected.
    selected: Option<(i64, Option<i64>)>,
}

impl Templates {
    /// Since when the templates of a sender are asked for.
    pub fn loading(&self, sender_id: i64) -> Option<Duration> {
        self.shelves.get(&sender_id)?.since
    }

    /// The selected one of these.
    pub fn selected<'a>(&self, list: &'a [Template]) -> Option<&'a Template> {
        self.shown.get(self.cursor.at).and_then(|shown| list.get(shown.at))
    }

    /// Selects the one at this place on screen.
    pub fn select(&mut self, at: usize, sender_id: i64, list: &[Template], height: usize) {
        self.cursor.select(at, self.shown.len(), height);
        self.selected = Some((sender_id, self.selected(list).and_then(|one| one.id.known()).copied()));
    }

    /// Shows those of this sender that match what is typed, with the selection where it was.
    pub fn arrange(&mut self, sender_id: i64, list: &[Template], height: usize) {
        self.shown = matching(list, self.narrow.value());
        let kept = self.selected.filter(|(sender, _)| *sender == sender_id);
        let is_it = |shown: &Shown, id: i64| list.get(shown.at).is_some_and(|one| one.id.known() == Some(&id));
        let same = kept.and_then(|(_, id)| id).and_then(|id| self.shown.iter().position(|shown| is_it(shown, id)));
        let at = same.unwrap_or(if kept.is_some() { self.cursor.at } else { 0 });
        self.select(at, sender_id, list, height);
    }
}

/// The templates in the order in which they are offered: what can be sent first, then by name.
pub fn in_order(list: impl IntoIterator<Item = Template>) -> Vec<Template> {
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

/// A word that was typed and is all of a language or the beginning of a category or a status says that only those are
/// wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Only {
    /// Of this category.
    Category(TemplateCategory),
    /// With this status.
    Status(TemplateStatus),
    /// In this language.
    Language(String),
}

impl Only {
    /// What the chip says.
    pub fn says(&self) -> &str {
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

/// What was typed, as filters and as the text that remains for the name.
pub fn filters(list: &[Template], typed: &str) -> (Vec<Only>, String) {
    let mut filters = Vec::new();
    let mut rest = Vec::new();
    for word in typed.split_whitespace() {
        match Only::read(word, list) {
            Some(only) => filters.push(only),
            None => rest.push(word),
        }
    }
    (filters, rest.join(" "))
}

fn matching(list: &[Template], typed: &str) -> Vec<Shown> {
    let (filters, rest) = filters(list, typed);
    let pattern = Pattern::parse(&rest, CaseMatching::Smart, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut buffer = Vec::new();
    let passing = list.iter().enumerate().filter(|(_, template)| filters.iter().all(|only| only.passes(template)));
    let found = passing.filter_map(|(at, template)| {
        let name = crate::ui::text::clean(template.name.known().map_or("", String::as_str));
        let mut letters = Vec::new();
        pattern.indices(Utf32Str::new(&name, &mut buffer), &mut matcher, &mut letters)?;
        Some(Shown { at, letters })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let list = list();
        matching(&list, typed).iter().map(|shown| list[shown.at].name.known().unwrap().clone()).collect()
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
        let (only, rest) = filters(&list(), "utility de order");
        assert_eq!(only.iter().map(Only::says).collect::<Vec<_>>(), ["utility", "de"]);
        assert_eq!(rest, "order");
    }

    #[test]
    fn the_selection_stays_on_its_template_while_others_go() {
        let list = with_ids(list());
        let mut templates = Templates::default();
        templates.arrange(1, &list, 10);
        templates.select(2, 1, &list, 10);
        templates.narrow = TextInput::new("order");
        templates.arrange(1, &list, 10);
        assert_eq!(templates.selected(&list).unwrap().name.known().unwrap(), "order_update");
        templates.arrange(2, &list, 10);
        assert_eq!(templates.cursor.at, 0, "another sender's begin at the top");
    }

    fn with_ids(mut list: Vec<Template>) -> Vec<Template> {
        for (at, template) in (1i64..).zip(&mut list) {
            template.id = at.into();
        }
        list
    }
}
