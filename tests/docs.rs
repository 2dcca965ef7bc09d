//! The pages for people must stay true: paths and tests they name exist, and every dependency is explained.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const FOLDERS: &[&str] = &["src", "config", "tests", "benches", "screenshots", ".ci"];

fn read(page: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap()
}

/// What stands in backticks within a line; blocks of code are left out.
fn quoted(page: &str) -> Vec<&str> {
    let prose = page.split("```").step_by(2);
    prose.flat_map(|prose| prose.lines()).flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

/// The paths inside the project that a page names.
fn paths(page: &str) -> Vec<&str> {
    let inside = |path: &&str| {
        FOLDERS
            .iter()
            .any(|folder| path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
    };
    // A name alone, like `config`, is a part of the crate.
    quoted(page).into_iter().filter(inside).filter(|path| path.contains('/')).collect()
}

/// The files that a page links to. Pictures are not among them: a command makes those.
fn links(page: &str) -> Vec<&str> {
    let lines = page.lines().filter(|line| !line.starts_with("!["));
    let targets = lines.flat_map(|line| line.split("](").skip(1)).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://") && !target.starts_with('#')).collect()
}

/// The tests that a line of the map of the specification names, each as a path and a function. A bare file lies beside it.
fn named_tests(line: &str) -> Vec<(String, &str)> {
    let named = quoted(line).into_iter().filter_map(|text| text.split_once(".rs: "));
    named
        .map(|(file, test)| {
            let folder = if file.contains('/') { "" } else { "tests/service/" };
            (format!("{folder}{file}.rs"), test)
        })
        .collect()
}

/// Whether a file has a test of that name: the function, with the attribute that makes it one above it.
fn has_test(text: &str, name: &str) -> bool {
    let declared = format!("fn {name}(");
    let attribute = |line: &str| line.starts_with("#[test]") || line.starts_with("#[tokio::test");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let is_declared = |line: &str| line.starts_with(&declared) || line.starts_with(&format!("async {declared}"));
    lines.iter().enumerate().any(|(at, line)| {
        is_declared(line)
            && lines[..at].iter().rev().take_while(|above| above.starts_with("#[")).any(|above| attribute(above))
    })
}

fn dependencies() -> BTreeSet<String> {
    let manifest: toml::Table = toml::from_str(&read("Cargo.toml")).unwrap();
    let names = |section: &str| manifest[section].as_table().unwrap().keys().cloned().collect::<Vec<_>>();
    names("dependencies").into_iter().chain(names("dev-dependencies")).collect()
}

#[test]
fn every_path_that_is_named_exists() {
    for page in ["ARCHITECTURE.md", "README.md"] {
        let text = read(page);
        let paths = paths(&text);
        assert!(!paths.is_empty(), "{page} names no path at all");
        for path in paths {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists(), "{page} names {path}");
        }
    }
}

#[test]
fn every_page_that_is_linked_exists() {
    for page in ["ARCHITECTURE.md", "README.md", "CHANGELOG.md"] {
        let text = read(page);
        for link in links(&text) {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(link).exists(), "{page} links to {link}");
        }
    }
}

#[test]
fn the_map_of_the_specification_names_a_test_in_every_row_and_each_exists() {
    let map = read("tests/service/README.md");
    let rows: Vec<&str> = map
        .lines()
        .filter(|line| line.starts_with('|') && !line.starts_with("|---") && !line.ends_with("| Test |"))
        .collect();
    assert!(!rows.is_empty(), "the map has no rows");
    for row in rows {
        let named = named_tests(row);
        assert!(!named.is_empty(), "no test in: {row}");
        for (path, test) in named {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path).exists(), "the map names {path}");
            assert!(has_test(&read(&path), test), "{path} has no test {test}");
        }
    }
}

#[test]
fn every_dependency_is_explained_and_nothing_else() {
    let text = read("ARCHITECTURE.md");
    let table = text.split("\n## Dependencies\n").nth(1).unwrap();
    let explained: BTreeSet<String> =
        table.lines().filter(|line| line.starts_with("| `")).map(|line| quoted(line)[0].to_owned()).collect();
    assert_eq!(explained, dependencies());
}

#[test]
fn the_readme_names_every_flag_of_the_dashboard() {
    let help = std::process::Command::new(env!("CARGO_BIN_EXE_switchboard")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let flags: BTreeSet<&str> = help.split_whitespace().filter(|word| word.starts_with("--")).collect();
    let readme = read("README.md");
    for flag in flags.into_iter().filter(|flag| !["--help", "--version"].contains(flag)) {
        let flag = flag.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
        assert!(readme.contains(&format!("`{flag}")), "{flag}");
    }
}
