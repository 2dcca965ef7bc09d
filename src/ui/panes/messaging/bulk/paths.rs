//! The paths of recipient files and of results.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The path that was typed, or dropped into the terminal in quotes; `None` where there is none.
pub(super) fn path(typed: &str) -> Option<PathBuf> {
    let typed = typed.trim();
    let quoted = ['"', '\''].iter().find_map(|quote| typed.strip_prefix(*quote)?.strip_suffix(*quote));
    Some(quoted.unwrap_or(typed)).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// The file of the results of a file, beside it.
pub(super) fn results(file: &Path) -> PathBuf {
    let is_csv = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
    let stem = if is_csv { file.file_stem() } else { file.file_name() };
    let mut name = stem.map_or_else(OsString::new, OsString::from);
    name.push(".results.csv");
    file.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_lie_beside_their_file() {
        let said = |file: &str| results(Path::new(file)).to_string_lossy().into_owned();
        assert_eq!(said("~/lists/may.csv"), "~/lists/may.results.csv");
        assert_eq!(said("may.CSV"), "may.results.csv");
        assert_eq!(said("/tmp/may.txt"), "/tmp/may.txt.results.csv");
    }

    #[test]
    fn a_path_may_come_in_quotes() {
        let path = |typed| path(typed).map(|path| path.to_string_lossy().into_owned());
        assert_eq!(path(" '/tmp/my list.csv' ").as_deref(), Some("/tmp/my list.csv"));
        assert_eq!(path("\"a.csv\"").as_deref(), Some("a.csv"));
        assert_eq!(path("it's.csv").as_deref(), Some("it's.csv"));
        assert_eq!(path("  "), None);
        assert_eq!(path("\"\""), None);
    }
}
