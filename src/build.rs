//! Writes what is known of each country's phone numbers as a table, out of the metadata that the `phonenumber` crate carries.
//! The crate itself would unpack all of it into 16 MiB at run time for the few questions that are asked.

use phonenumber::Type;
use phonenumber::metadata::{DATABASE, Descriptor, Metadata};
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// The kinds of numbers in the order in which a number's kind is looked for. Emergency numbers and short codes cannot be
/// written to.
const KINDS: [Type; 10] = [
    Type::PremiumRate,
    Type::TollFree,
    Type::SharedCost,
    Type::Voip,
    Type::PersonalNumber,
    Type::Pager,
    Type::Uan,
    Type::Voicemail,
    Type::FixedLine,
    Type::Mobile,
];

/// A pattern without the white space that only its source needs.
fn pattern(text: &str) -> String {
    let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    format!("{text:?}")
}

fn optional(text: Option<String>) -> String {
    text.map_or_else(|| "None".to_owned(), |text| format!("Some({text})"))
}

fn numbers(of: &Descriptor) -> String {
    let (pattern, lengths, local) =
        (pattern(of.national_number().as_str()), of.possible_length(), of.possible_local_length());
    format!("Numbers {{ pattern: {pattern}, lengths: &{lengths:?}, local_lengths: &{local:?} }}")
}

fn territory(of: &Metadata, main: &Metadata) -> String {
    let mut kinds = String::new();
    for kind in KINDS.into_iter().filter_map(|kind| of.descriptors().get(kind)) {
        // Writing into a string cannot fail.
        let _ = write!(kinds, "{}, ", numbers(kind));
    }
    // The territories of a shared code write their numbers as the main one does.
    let formats = if main.international_formats().is_empty() { main.formats() } else { main.international_formats() };
    let mut forms = String::new();
    for format in formats.iter().filter(|_| std::ptr::eq(of, main)) {
        let leading = optional(format.leading_digits().last().map(|digits| pattern(digits.as_str())));
        let (whole, form) = (pattern(format.pattern().as_str()), format.format());
        let _ = write!(forms, "Format {{ leading: {leading}, pattern: {whole}, form: {form:?} }}, ");
    }
    let text = |text: Option<&str>| optional(text.map(|text| format!("{text:?}")));
    format!(
        "Territory {{ id: {:?}, code: {}, trunk: {}, prefix: {}, transform: {}, abroad: {}, leading: {}, general: {}, \
         kinds: &[{kinds}], formats: &[{forms}] }},\n",
        of.id(),
        of.country_code(),
        text(of.national_prefix()),
        optional(of.national_prefix_for_parsing().map(|prefix| pattern(prefix.as_str()))),
        text(of.national_prefix_transform_rule()),
        optional(of.international_prefix().map(|prefix| pattern(prefix.as_str()))),
        optional(of.leading_digits().map(|digits| pattern(digits.as_str()))),
        numbers(of.descriptors().general()),
    )
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=src/build.rs");
    let mut table = "&[\n".to_owned();
    // Its own list of territories has only one of those that are no country.
    for territories in (1..=999).filter_map(|code: u16| DATABASE.by_code(&code)) {
        for one in &territories {
            table.push_str(&territory(one, territories[0]));
        }
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("territories.rs"), table)?;
    Ok(())
}
