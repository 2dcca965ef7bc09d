//! The fields of the pane's forms, and the bodies that they make.

use crate::api::knowledgebase::{RELATIVE_LINKS, RELATIVE_LINKS_DEFAULT};
use crate::api::rules::{self, Fault};
use crate::api::{DocumentType, Label, Patch, WebsiteDocument, WebsiteLink};
use crate::ui::prelude::*;
use crate::ui::widgets::diff::{arrow, words};

/// Cells for the labels of changes.
const LABEL: usize = 14;

/// What knowledgebases and documents are called, and what they are about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Texts {
    pub name: String,
    /// Empty where there is none.
    pub description: String,
}

fn description(text: &str) -> FormField {
    FormField::text("description", "Description", text, 1..=5, Some(rules::TEXT_MAX)).hint("optional").eager()
}

/// The form of name and description. Where the name is not known, an empty one stays as it is.
pub fn label_form(texts: &Texts, named: bool) -> Form {
    let name = FormField::line("name", "Name", &texts.name).eager();
    let name = if named { name.required() } else { name.hint("not known; empty leaves it as it is") };
    Form::new(vec![name, description(&texts.description)])
}

/// What is typed into that form.
pub fn texts(form: &Form) -> Texts {
    let [name, description] = ["name", "description"].map(|field| form.text_of(field).to_owned());
    Texts { name, description }
}

/// The body that makes one text out of the other: the fields that differ.
pub fn label(from: &Texts, to: &Texts) -> Label {
    let is_blank = |text: &str| text.trim().is_empty();
    let description = match (&*from.description, &*to.description) {
        (old, new) if old == new || (is_blank(old) && is_blank(new)) => Patch::Keep,
        (_, new) if is_blank(new) => Patch::Clear,
        (_, new) => Patch::Set(new.to_owned()),
    };
    Label { name: (from.name != to.name).then(|| to.name.clone()), description }
}

/// Both texts side by side, as far as they differ.
pub fn changes(details: Details, from: &Texts, to: &Texts, view: &View<'_>) -> Details {
    let change = label(from, to);
    if *from == Texts::default() {
        let name = details.wrapped("Name", &to.name);
        return if change.description.is_keep() { name } else { name.wrapped("Description", &to.description) };
    }
    let mut details = details;
    if change.name.is_some() {
        details = details.wrapped("Name", arrow(&from.name, &to.name, view));
    }
    if !change.description.is_keep() {
        let (theme, ellipsis) = (&view.options.theme, view.options.glyphs.ellipsis);
        details = details.section("Description").spans(words(&from.description, &to.description, theme, ellipsis));
    }
    details
}

/// The form of a website.
pub fn website_form() -> Form {
    let link = FormField::line("link", "URL", "").required().hint("https://…");
    let limit = format!("{RELATIVE_LINKS_DEFAULT}; {} to {}", RELATIVE_LINKS.start(), RELATIVE_LINKS.end());
    Form::new(vec![
        FormField::line("name", "Name", "").required().eager(),
        description(""),
        FormField::line("url", "Start at", "").hint("https://…; the pages it links to are followed"),
        FormField::rows("links", "Pages", vec![link]).hint("none; pages that are read as they are"),
        FormField::line("relative_links_limit", "Follow", "").hint(limit).eager(),
    ])
}

/// What is typed into that form, and what is wrong with it.
pub fn website(form: &Form) -> (WebsiteDocument, Vec<Fault>) {
    let filled = |field| Some(form.text_of(field).to_owned()).filter(|text| !text.trim().is_empty());
    let limit = filled("relative_links_limit").map(|text| text.trim().parse::<i64>());
    let links = form.values().into_iter().filter(|(path, _)| path.starts_with("links."));
    let body = WebsiteDocument {
        name: form.text_of("name").to_owned(),
        description: filled("description"),
        kind: DocumentType::Website,
        url: filled("url"),
        links: links.map(|(_, link)| WebsiteLink { link }).collect(),
        relative_links_limit: limit.clone().and_then(Result::ok),
    };
    let mut faults = body.faults();
    if matches!(limit, Some(Err(_))) {
        faults.push(rules::must_be("relative_links_limit", "an integer"));
    }
    (body, faults)
}

/// What a website is made from, beside its form.
pub fn website_details(body: &WebsiteDocument, view: &View<'_>) -> Details {
    let (dim, none) = (view.options.theme.dim, view.options.glyphs.none);
    let mut details = Details::new(LABEL)
        .wrapped("Name", if body.name.is_empty() { none } else { &body.name })
        .wrapped("Start at", body.url.as_deref().unwrap_or(none));
    if body.url.is_some() {
        let limit = body.relative_links_limit.unwrap_or(RELATIVE_LINKS_DEFAULT);
        details = details.field("Follows", format!("at most {}", count(limit.unsigned_abs(), "page", "pages")));
    }
    for (at, link) in body.links.iter().enumerate() {
        details = details.wrapped(if at == 0 { "Pages" } else { "" }, link.link.clone());
    }
    let about = "The server reads the pages after the document is added. The list says when it can be used.";
    details.text("").text(about).styled(dim)
}

pub fn details() -> Details {
    Details::new(LABEL)
}
