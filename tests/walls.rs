//! The walls of the crate: which part may name which, where each outside crate ends, and how long a file gets.
//!
//! Comments and texts do not count; what is left of a file is searched for paths.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

use std::fs;
use std::path::{Path, PathBuf};

/// Each part with the parts below it that it may name.
const PARTS: &[(&str, &[&str])] = &[
    ("cli", &["ui", "tasks", "receiver", "client", "records", "messaging", "service", "config", "api"]),
    ("ui", &["tasks", "receiver", "client", "records", "messaging", "config", "api"]),
    ("tasks", &["receiver", "client", "records", "messaging", "api"]),
    ("records", &["messaging", "api", "sqlite"]),
    ("messaging", &["api"]),
    ("receiver", &["client", "api"]),
    ("client", &["api"]),
    ("service", &["api", "sqlite"]),
    ("config", &["api"]),
    ("api", &[]),
    ("sqlite", &[]),
    ("main", &["cli"]),
    ("build", &[]),
];

/// Outside crates that have one home, with the beginnings of the paths where they may be named.
const HOMES: &[(&str, &[&str])] = &[
    ("reqwest", &["src/client"]),
    ("backon", &["src/client"]),
    ("axum", &["src/service", "src/receiver"]),
    ("tower_http", &["src/service"]),
    ("schemars", &["src/api", "src/service/openapi", "src/service/routes"]),
    ("rusqlite", &["src/sqlite", "src/service/store", "src/records"]),
    ("phonenumber", &["src/messaging", "src/build.rs"]),
    ("regex_lite", &["src/messaging"]),
    ("csv", &["src/messaging", "src/cli"]),
    ("ratatui", &["src/ui", "src/cli"]),
    ("crossterm", &["src/ui/terminal", "src/cli"]),
    ("clap", &["src/cli"]),
    ("directories", &["src/config"]),
    ("glob", &["src/records"]),
    ("toml", &["src/config", "src/service/world"]),
];

/// What the pure core must not name: it reads no clock, opens no file and awaits nothing.
const IMPURE: &[&str] =
    &["Instant::now", "SystemTime::now", "Timestamp::now", "Zoned::now", "std::fs", "std::env", "std::net", ".await"];
/// The pure core: the interface, and what everybody knows who sends.
const PURE: &[&str] = &["src/ui/", "src/messaging/", "src/tasks/batch"];
/// The part of the interface that touches the world.
const IMPURE_HOME: &str = "src/ui/terminal";

/// The longest file, in lines.
const LINES_MAX: usize = 600;

struct Source {
    /// From the root of the crate, with slashes.
    path: String,
    text: String,
    /// The text without comments, and with every literal emptied.
    code: String,
}

impl Source {
    /// The part of the crate that the file belongs to; `lib.rs`, which is the map of all, and `testing.rs` belong to none.
    fn part(&self) -> Option<&str> {
        let part = self.path.strip_prefix("src/")?.split('/').next()?;
        Some(part.strip_suffix(".rs").unwrap_or(part)).filter(|part| !["lib", "testing"].contains(part))
    }

    /// How many modules deep the file lies: 1 for `src/ui/mod.rs`, 2 for `src/ui/app.rs`.
    fn depth(&self) -> usize {
        let steps = self.path.split('/').count() - 1;
        if self.path.ends_with("/mod.rs") { steps - 1 } else { steps }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(below: &Path, ends: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(below) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, ends, found);
        } else if path.to_string_lossy().ends_with(ends) {
            found.push(path);
        }
    }
}

fn sources(folders: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    for folder in folders {
        files(&root().join(folder), ".rs", &mut found);
    }
    assert!(found.len() > 1, "no sources below {folders:?}");
    let source = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        let path = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
        Source { path, code: code(&text), text }
    };
    found.into_iter().map(source).collect()
}

/// The text without comments, and with every text and character literal emptied.
fn code(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let skipped = match next {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => block_comment(rest),
            '"' => literal(rest, '"'),
            'r' if !code.ends_with(is_word) => raw_literal(rest),
            '\'' => character(rest),
            _ => 0,
        };
        if skipped > 0 {
            code.push(' ');
            rest = &rest[skipped..];
        } else {
            code.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    code
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    loop {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            match text[at..].chars().next() {
                Some(next) => at += next.len_utf8(),
                None => return at,
            }
        }
    }
}

fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, next) in text.char_indices().skip(1) {
        match next {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if next == quote => return at + next.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

fn raw_literal(text: &str) -> usize {
    let hashes = text[1..].bytes().take_while(|byte| *byte == b'#').count();
    let begin = 1 + hashes;
    if !text[begin..].starts_with('"') {
        return 0;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    text[begin + 1..].find(&end).map_or(text.len(), |at| begin + 1 + at + end.len())
}

/// A character literal; a lifetime is none.
fn character(text: &str) -> usize {
    let mut next = text[1..].chars();
    match (next.next(), next.next()) {
        (Some('\\'), _) => literal(text, '\''),
        (Some(inside), Some('\'')) => 2 + inside.len_utf8(),
        _ => 0,
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn word(text: &str) -> &str {
    &text[..text.find(|letter| !is_word(letter)).unwrap_or(text.len())]
}

/// Where a word stands by itself.
fn places<'a>(code: &'a str, sought: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(sought).map(|(at, _)| at).filter(move |at| {
        let ends = |letter: Option<char>| !letter.is_some_and(is_word);
        ends(code[..*at].chars().next_back()) && ends(code[at + sought.len()..].chars().next())
    })
}

/// The parts of this crate that the code names, by whatever way leads to the crate's root.
fn named_parts(source: &Source) -> Vec<&str> {
    let code = &source.code;
    let climb = format!("super{}", "::super".repeat(source.depth().saturating_sub(1)));
    let climb = climb.as_str();
    let mut named = Vec::new();
    for start in ["crate", "switchboard", climb] {
        for at in places(code, start) {
            // A longer way up is found where it ends.
            let Some(behind) = code[at + start.len()..].trim_start().strip_prefix("::") else { continue };
            named.extend(heads(behind.trim_start()));
        }
    }
    named.retain(|name| PARTS.iter().any(|(part, _)| part == name));
    named
}

/// The first words of a path, or of each path in a group of them.
fn heads(path: &str) -> Vec<&str> {
    let Some(group) = path.strip_prefix('{') else { return vec![word(path)] };
    let mut heads = Vec::new();
    let mut depth = 0;
    let mut begins = true;
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            _ if begins && is_word(letter) => {
                heads.push(word(&group[at..]));
                begins = false;
            }
            _ => {}
        }
    }
    heads
}

fn upward(source: &Source) -> Vec<String> {
    let Some(part) = source.part() else { return Vec::new() };
    let allowed = PARTS.iter().find(|(name, _)| *name == part).map_or(&[][..], |(_, below)| below);
    let wrong = |name: &&str| *name != part && !allowed.contains(name);
    named_parts(source).into_iter().filter(wrong).map(|name| format!("{} names {name}", source.path)).collect()
}

fn made_up(path: &str, text: &str) -> Source {
    Source { path: path.to_owned(), text: text.to_owned(), code: code(text) }
}

#[test]
fn every_part_is_in_the_order() {
    for source in sources(&["src"]) {
        if let Some(part) = source.part() {
            assert!(PARTS.iter().any(|(name, _)| *name == part), "{} belongs to no part", source.path);
        }
    }
}

#[test]
fn imports_only_point_downwards() {
    let wrong: Vec<String> = sources(&["src"]).iter().flat_map(upward).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_import_that_points_upwards_is_seen_however_it_is_written() {
    for text in [
        "use crate::ui::App;",
        "use crate :: { api::Token, ui::{App} };",
        "use crate::{\n    api::{Token, rules},\n    ui,\n};",
        "fn f() { switchboard::ui::run() }",
        "use super::super::ui::App;",
        "let c = '\"'; use crate::ui::App; let d = '\"';",
        "fn f<'a>(x: &'a str) -> crate::ui::App<'a> {}",
    ] {
        assert_eq!(upward(&made_up("src/service/store.rs", text)), ["src/service/store.rs names ui"], "{text}");
    }
    for text in [
        "// use crate::ui::App;",
        "/* /* */ use crate::ui::App; */",
        "let text = \"use crate::ui::App; \\\" crate::ui\";",
        "let text = r#\"\" crate::ui::App\"#;",
        "use crate::api::Token; use super::ui; use crate::service::ui::X;",
        "use mycrate::ui;",
    ] {
        assert_eq!(upward(&made_up("src/service/store.rs", text)), [""; 0], "{text}");
    }
    assert_eq!(upward(&made_up("src/api/mod.rs", "use super::config::Settings;")), ["src/api/mod.rs names config"]);
}

/// The outside crates that a file names although their home is elsewhere.
fn strangers(source: &Source) -> Vec<String> {
    let away = |homes: &[&str]| !homes.iter().any(|home| source.path.starts_with(home));
    let named = |name: &str| places(&source.code, name).any(|at| is_crate(&source.code, at, name));
    let strangers = HOMES.iter().filter(|(name, homes)| away(homes) && named(name));
    strangers.map(|(name, _)| format!("{} names {name}", source.path)).collect()
}

/// Whether a word is the beginning of a path or is imported, and is no variable or field of that name.
fn is_crate(code: &str, at: usize, name: &str) -> bool {
    let before = code[..at].trim_end();
    let behind = code[at + name.len()..].trim_start();
    behind.starts_with("::") || before.ends_with("::") || before.ends_with("use") || before.ends_with("extern crate")
}

#[test]
fn outside_crates_stay_in_their_homes() {
    let wrong: Vec<String> = sources(&["src"]).iter().flat_map(strangers).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn an_outside_crate_is_seen_however_it_is_written() {
    for text in
        ["use crossterm::event;", "fn f() { crossterm::execute!() }", "use ratatui::crossterm;", "use crossterm;"]
    {
        assert_eq!(strangers(&made_up("src/ui/app.rs", text)), ["src/ui/app.rs names crossterm"], "{text}");
    }
    for text in ["let crossterm = 1;", "// crossterm::event", "use crate::crossterminal;", "use ratatui::text;"] {
        assert_eq!(strangers(&made_up("src/ui/app.rs", text)), [""; 0], "{text}");
    }
}

#[test]
fn the_core_is_pure() {
    let mut wrong = Vec::new();
    for source in sources(&["src"]) {
        let is_core = PURE.iter().any(|home| source.path.starts_with(home));
        if is_core && !source.path.starts_with(IMPURE_HOME) {
            let named = IMPURE.iter().filter(|name| source.code.contains(*name));
            wrong.extend(named.map(|name| format!("{} names {name}", source.path)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn files_stay_short() {
    let long = |source: &Source| (source.text.lines().count() > LINES_MAX).then(|| source.path.clone());
    let long: Vec<String> = sources(&["src", "tests", "benches", "screenshots"]).iter().filter_map(long).collect();
    assert!(long.is_empty(), "longer than {LINES_MAX} lines: {long:?}");
}

#[test]
fn no_file_names_the_machine_it_was_written_on() {
    let mut found = Vec::new();
    for (folder, ends) in [
        ("src", ".rs"),
        ("tests", ".rs"),
        ("benches", ".rs"),
        ("screenshots", ".rs"),
        ("screenshots", ".svg"),
        ("config", ".toml"),
        (".ci", "run"),
        (".", ".md"),
    ] {
        let folder = root().join(folder);
        if folder == root().join(".") {
            let top = fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path());
            found.extend(top.filter(|path| path.to_string_lossy().ends_with(ends)));
        } else {
            files(&folder, ends, &mut found);
        }
    }
    let homes = ["home", "Users", "root"].map(|folder| format!("/{folder}/"));
    let here = root().to_string_lossy();
    // A folder right below the root may have a name like `/src`, which says nothing.
    let here = (root().components().count() > 2).then_some(here.as_ref());
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        for place in homes.iter().map(String::as_str).chain(here) {
            assert!(!text.contains(place), "{} names {place}", path.display());
        }
    }
}
