//! Previews of templates while their variables are being filled in.

use crate::api::messaging::{arrange_variables, fill_template};
use crate::api::{Field, Template, TemplateCategory};
use std::collections::BTreeMap;

/// A template's text, split at its placeholders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preview {
    body: String,
    pieces: Vec<Piece>,
    variables: Vec<String>,
}

/// A piece of a template's text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// `{{1}}` is 1.
    Placeholder(usize),
}

/// A piece of the preview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreviewPart {
    /// Fixed text.
    Text(String),
    /// A filled-in value.
    Value(String),
    /// A placeholder without a value: the variable's name, or `{{3}}` where there is no such variable.
    Missing(String),
}

impl Preview {
    /// Splits a template's text; `variables` names its placeholders in order.
    pub fn new(body: &str, variables: &[String]) -> Self {
        Self { body: body.to_owned(), pieces: pieces(body), variables: variables.to_vec() }
    }

    /// The preview of a template; fields that are missing are empty.
    pub fn of(template: &Template) -> Self {
        let variables = template.variables.known().map_or(&[][..], Vec::as_slice);
        Self::new(template.body_text.known().map_or("", String::as_str), variables)
    }

    /// The template's text, with its placeholders.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The names of the variables, in the order of their placeholders.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// Mismatches between the text's placeholders and the variables, a sentence each.
    pub fn mismatches(&self) -> Vec<String> {
        let names = self.variables.len();
        let mut nameless: Vec<usize> = self.placeholders().filter(|place| *place > names).collect();
        nameless.sort_unstable();
        nameless.dedup();
        let nameless = nameless.into_iter().map(|place| format!("{{{{{place}}}}} in the text has no variable"));
        let unused = (1..=names).filter(|place| !self.placeholders().any(|used| used == *place));
        let unused = unused.map(|place| format!("{} is nowhere in the text", self.variables[place - 1]));
        nameless.chain(unused).collect()
    }

    /// The text with these values, given in the order of the variables. An empty one counts as missing.
    pub fn filled(&self, values: &[&str]) -> Vec<PreviewPart> {
        let value = |place: usize| values.get(place - 1).copied().filter(|value| !value.is_empty());
        let part = |piece: &Piece| match piece {
            Piece::Text(text) => PreviewPart::Text(text.clone()),
            Piece::Placeholder(place) => match (value(*place), self.variables.get(place - 1)) {
                (Some(value), Some(_)) => PreviewPart::Value(value.to_owned()),
                (_, Some(name)) => PreviewPart::Missing(name.clone()),
                (_, None) => PreviewPart::Missing(format!("{{{{{place}}}}}")),
            },
        };
        self.pieces.iter().map(part).collect()
    }

    /// The text as the customer reads it: what the service makes of these values, given in the order of the variables.
    pub fn text(&self, values: &[&str]) -> String {
        fill_template(&self.body, &values[..values.len().min(self.variables.len())])
    }

    /// The text that results from a request with these variables.
    pub fn text_of(&self, given: &BTreeMap<String, String>) -> String {
        arrange_variables(&self.variables, given).map_or_else(|_| self.body.clone(), |values| self.text(&values))
    }

    /// The values as a request gives them: by the variables' names, or by their places where the names do not tell them
    /// apart.
    pub fn given(&self, values: &[&str]) -> BTreeMap<String, String> {
        let values = &values[..values.len().min(self.variables.len())];
        let owned = values.iter().map(|value| (*value).to_owned());
        let named: BTreeMap<_, _> = self.variables.iter().cloned().zip(owned.clone()).collect();
        match arrange_variables(&self.variables, &named) {
            Ok(arranged) if arranged == values => named,
            _ => (1..).map(|place: usize| place.to_string()).zip(owned).collect(),
        }
    }

    fn placeholders(&self) -> impl Iterator<Item = usize> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Placeholder(place) => Some(*place),
            Piece::Text(_) => None,
        })
    }
}

/// A variable's name for people: `customer_name` is "Customer name".
pub fn human_name(variable: &str) -> String {
    let words: Vec<&str> =
        variable.split(|letter: char| letter == '_' || letter == '-' || letter.is_whitespace()).collect();
    let words = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let mut letters = words.chars();
    letters.next().map_or_else(|| variable.to_owned(), |first| first.to_uppercase().chain(letters).collect())
}

/// What variables that ask for the recipient's name are called, without case, blanks and punctuation: templates are written
/// in the language of those who get them.
const NAMES: &[&str] = &[
    "name",
    "customername",
    "recipientname",
    "clientname",
    "fullname",
    "contactname",
    "customer",
    "nombre",
    "nombrecliente",
    "nome",
    "nomecliente",
    "nom",
    "nomclient",
    "kundenname",
    "naam",
    "имя",
    "お名前",
    "名前",
    "姓名",
    "이름",
];

/// Whether a variable asks for the recipient's name, so that the known name is a good suggestion.
pub fn asks_for_name(variable: &str) -> bool {
    let plain: String = variable.chars().filter(|letter| letter.is_alphanumeric()).collect();
    NAMES.contains(&plain.to_lowercase().as_str())
}

/// Cut as the service cuts: a placeholder is `{{`, a number without a zero in front, `}}`.
fn pieces(body: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = body;
    while let Some((before, behind)) = rest.split_once("{{") {
        text.push_str(before);
        let place = behind.split_once("}}").and_then(|(number, after)| Some((position(number)?, after)));
        if let Some((place, after)) = place {
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            pieces.push(Piece::Placeholder(place));
            rest = after;
        } else {
            text.push_str("{{");
            rest = behind;
        }
    }
    text.push_str(rest);
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    pieces
}

fn position(number: &str) -> Option<usize> {
    let plain = !number.starts_with('0') && number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse().ok().filter(|_| plain)
}

impl PreviewPart {
    /// What it says, marked where it is missing: `⟨date⟩`.
    pub fn marked(&self) -> String {
        match self {
            Self::Text(text) | Self::Value(text) => text.clone(),
            Self::Missing(name) => format!("⟨{name}⟩"),
        }
    }
}

/// True for a template of login codes.
pub fn is_code(template: &Template) -> bool {
    template.category.known() == Some(&TemplateCategory::Authentication)
}

/// The name that a template shows itself with.
pub fn template_name(template: &Template) -> String {
    match (&template.name, &template.id) {
        (Field::Known(name), _) if !name.is_empty() => name.clone(),
        (_, Field::Known(id)) => format!("template {id}"),
        _ => "a template without a name".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn preview(body: &str, variables: &[&str]) -> Preview {
        Preview::new(body, &variables.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
    }

    fn marked(parts: &[PreviewPart]) -> String {
        parts.iter().map(PreviewPart::marked).collect()
    }

    #[test]
    fn placeholders_are_marked_until_they_have_a_value() {
        let preview = preview("Hi {{1}}, see you on {{2}}. Bye {{1}}!", &["customer_name", "date"]);
        assert_eq!(marked(&preview.filled(&[])), "Hi ⟨customer_name⟩, see you on ⟨date⟩. Bye ⟨customer_name⟩!");
        let filled = preview.filled(&["Maria", ""]);
        assert_eq!(filled[1], PreviewPart::Value("Maria".to_owned()));
        assert_eq!(filled[3], PreviewPart::Missing("date".to_owned()));
        assert_eq!(preview.text(&["Maria", "3 May"]), "Hi Maria, see you on 3 May. Bye Maria!");
        assert_eq!(preview.mismatches(), [""; 0]);
    }

    #[test]
    fn what_does_not_fit_together_is_told() {
        let preview = preview("{{1}} {{4}} {{x}} {{01}} {{3}} {{4}}", &["name", "date"]);
        assert_eq!(
            preview.mismatches(),
            ["{{3}} in the text has no variable", "{{4}} in the text has no variable", "date is nowhere in the text"]
        );
        assert_eq!(
            marked(&preview.filled(&["Ada", "May", "a stray value"])),
            "Ada ⟨{{4}}⟩ {{x}} {{01}} ⟨{{3}}⟩ ⟨{{4}}⟩"
        );
        assert_eq!(preview.text(&["Ada", "May", "a stray value"]), "Ada {{4}} {{x}} {{01}} {{3}} {{4}}");
    }

    #[test]
    fn values_are_given_by_name_where_names_tell_them_apart() {
        let keys = |variables: &[&str]| {
            preview("", variables)
                .given(&["x", "y"])
                .into_iter()
                .map(|(key, value)| format!("{key}={value}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(keys(&["name", "date"]), ["date=y", "name=x"]);
        assert_eq!(keys(&["2", "1"]), ["1=y", "2=x"]);
        assert_eq!(keys(&["same", "same"]), ["1=x", "2=y"]);
        assert_eq!(keys(&["one"]), ["one=x"]);
    }

    #[test]
    fn variables_have_names_for_people() {
        for (variable, name) in [
            ("customer_name", "Customer name"),
            ("date", "Date"),
            ("order-id", "Order id"),
            ("  ", "  "),
            ("été", "Été"),
            ("Already said", "Already said"),
        ] {
            assert_eq!(human_name(variable), name);
        }
        assert!(asks_for_name("Customer name") && asks_for_name("name") && !asks_for_name("product_name"));
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn what_is_shown_is_what_the_service_makes_of_it(
            pieces in prop::collection::vec(
                prop_oneof!["[a-z{} ]{0,6}", (0u32..5).prop_map(|number| format!("{{{{{number}}}}}")), any::<String>()], 0..8),
            values in prop::collection::vec("[a-z{}1]{1,5}", 0..4),
        ) {
            let body = pieces.concat();
            let names: Vec<String> = (0..values.len()).map(|at| format!("v{at}")).collect();
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let preview = Preview::new(&body, &names);
            let shown: String = preview.filled(&values).iter().map(|part| match part {
                PreviewPart::Text(text) | PreviewPart::Value(text) | PreviewPart::Missing(text) => text.as_str(),
            }).collect();
            prop_assert_eq!(&shown, &preview.text(&values));
            prop_assert_eq!(shown, fill_template(&body, &values));
            let empty: String = Preview::new(&body, &[]).filled(&[]).iter().map(|part| match part {
                PreviewPart::Text(text) | PreviewPart::Value(text) | PreviewPart::Missing(text) => text.as_str(),
            }).collect();
            prop_assert_eq!(empty, body, "nothing of the text is lost");
        }

        #[test]
        fn a_template_without_mismatches_is_filled_whole(count in 1usize..6) {
            let body = (1..=count).map(|place| format!("x{{{{{place}}}}}")).collect::<Vec<_>>().concat();
            let names: Vec<String> = (0..count).map(|at| format!("v{at}")).collect();
            let preview = Preview::new(&body, &names);
            prop_assert!(preview.mismatches().is_empty());
            let values = vec!["v"; count];
            prop_assert!(!preview.filled(&values).iter().any(|part| matches!(part, PreviewPart::Missing(_))));
        }
    }
}
