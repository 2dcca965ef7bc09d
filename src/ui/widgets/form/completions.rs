//! What completes the path of a file.

use super::Item;

/// The names in a folder that complete the path typed so far: files, then folders, which end in `/`. Before anything of
/// a name is typed, only files that are `usual`.
pub fn completions(folder: &str, names: &[String], typed: &str, usual: impl Fn(&str) -> bool) -> Vec<Item> {
    let start = typed.strip_prefix(folder).unwrap_or_default();
    let fits = |name: &&String| {
        let listed = !start.is_empty() || usual(name) || name.ends_with('/');
        name.starts_with(start) && *name != start && listed && (!name.starts_with('.') || start.starts_with('.'))
    };
    let (folders, files): (Vec<_>, Vec<_>) = names.iter().filter(fits).partition(|name| name.ends_with('/'));
    files.into_iter().chain(folders).map(|name| Item::new(format!("{folder}{name}"), name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completions_are_usual_files_first_and_any_once_its_name_begins() {
        let names = ["a/", "b.CSV", "c.pdf", ".d.csv"].map(str::to_owned);
        let keys = |typed: &str| -> Vec<String> {
            completions("x/", &names, typed, |name| name.to_lowercase().ends_with(".csv"))
                .into_iter()
                .map(|item| item.key)
                .collect()
        };
        assert_eq!(keys("x/"), ["x/b.CSV", "x/a/"]);
        assert_eq!(keys("x/c"), ["x/c.pdf"]);
        assert_eq!(keys("x/."), ["x/.d.csv"]);
        assert!(keys("x/b.CSV").is_empty());
    }
}
